"""# Xenon Profiteer

| | |
|---|---|
| Import | `from xenon_env import xenon_v0` or `pettingzoo.make("aec", "boardroom/xenon-v0")` |
| Actions | Discrete(209), masked |
| Parallel API | no |
| Agents | 2 to 5: `["player_0", "player_1", ...]` |
| Observation | `{"observation": float32[932], "action_mask": int8[209]}` |

Each player runs an air separation plant: a deck of element and upgrade cards. A turn distils the hand down towards
xenon, takes in more air or wipes a line of cards, and buys or bids for contracts, pipelines and upgrades. The end comes
when somebody has installed five upgrades or completed five contracts; most stars win.

### Observation

What a player may know: the table, all open cards and counts, the own System as a multiset. Of an opponent, the System
and the unseen part of the hand are one pool. The player comes first, the others follow by seat; absent seats are zero.
`Game().observation_slices` names the blocks; the README of the package has the table.

### Actions

One decision is one action: card, then target, then payment. `Game().action_to_string(a)` gives its name, such as
`buy_install:upgrade:2`. A decision with one legal action is taken at once (`skip_forced=False` asks it).

### Rewards

Zero until the end, then by place among the players: with k of n sharing the win, each winner gets (n-k)/(k(n-1)), each
other player -1/(n-1). `reward="rank"` and `reward="margin"` are alternatives.

### Arguments

`env(num_players=2, render_mode=None, illegal="terminate", element_supply=None, max_decisions=5000, skip_forced=True,
reward="win", components=None)`

### Version history

* v0: first release
"""

from core.aec import make_env
from xenon_env.game import Game

__all__ = ["env", "raw_env"]

env, raw_env = make_env(Game)
