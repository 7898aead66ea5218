"""# Pax Transhumanity

| | |
|---|---|
| Import | `from pax_env import pax_v0` or `pettingzoo.make("aec", "boardroom/pax-v0")` |
| Actions | Discrete(625), masked |
| Parallel API | no |
| Agents | 1 to 4: `["player_0", "player_1", ...]`; one player plays against exoglobals |
| Observation | `{"observation": float32[1976], "action_mask": int8[625]}` |

Ideas are syndicated in four spheres, commercialized into companies and solved problems, and laid into a splay that
decides the regime of the world. Four ways to end: a tipping point, the singularity, the plurality, a tycoon. Most card
values are reconstructed: read the README of the package before relying on them.

### Observation

The public part of the game and the player's own hidden sphere and cards, cards by their attributes. The player comes
first, the others follow by seat; absent seats are zero. `Game().observation_slices` names the blocks; the README of the
package has the table.

### Actions

One decision is one action: what to do, then target, viability, work, payment, impacts one by one. Other players decide
in the middle of a turn where an impact asks them. `Game().action_to_string(a)` gives its name, such as
`commercialize:cloud:2`. A decision with one legal action is taken at once (`skip_forced=False` asks it).

### Rewards

Zero until the end, then by place among the players: with k of n sharing the win, each winner gets (n-k)/(k(n-1)), each
other player -1/(n-1); solo +1 for a win, 0 for a tie, -1 otherwise. `reward="rank"` and `reward="margin"` are
alternatives. Uniformly random play rarely reaches an end before `max_decisions`.

### Arguments

`env(num_players=2, render_mode=None, illegal="terminate", variant="standard", solo=None, max_decisions=1000,
skip_forced=True, reward="win", components=None)`

### Version history

* v0: first release
"""

from core.aec import make_env
from pax_env.game import Game

__all__ = ["env", "raw_env"]

env, raw_env = make_env(Game)
