"""# Tesla vs. Edison: War of Currents

| | |
|---|---|
| Import | `from tesla_env import tesla_v0` or `pettingzoo.make("aec", "boardroom/tesla-v0")` |
| Actions | Discrete(420), masked |
| Parallel API | no |
| Agents | 2 to 5: `["player_0", "player_1", ...]` |
| Observation | `{"observation": float32[681], "action_mask": int8[420]}` |

Each player leads an electric company of the 1880s and 90s. Six turns in three game phases: hire luminaries at auction,
claim projects in cities, advance in technology and file patents, fight for fame, trade in shares. The most valuable
portfolio wins.

### Observation

All that is on the table; nobody holds secrets, only draws to come are unknown. The player comes first, the others
follow by seat; absent seats are zero. `Game().observation_slices` names the blocks; the package's README has the table.

### Actions

One decision is one action: a luminary, what it does, then the details. `Game().action_to_string(a)` gives its name,
such as `claim:new_york_3:ac`. A decision with one legal action is taken at once (`skip_forced=False` asks it).

### Rewards

Zero until the end, then by place among the players: with k of n sharing the win, each winner gets (n-k)/(k(n-1)), each
other player -1/(n-1). `reward="rank"` and `reward="margin"` are alternatives.

### Arguments

`env(num_players=2, render_mode=None, illegal="terminate", companies=None, max_decisions=2000, skip_forced=True,
reward="win", components=None)`

### Version history

* v0: first release
"""

from core.aec import make_env
from tesla_env.game import Game

__all__ = ["env", "raw_env"]

env, raw_env = make_env(Game)
