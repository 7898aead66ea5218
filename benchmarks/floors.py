"""The floors: what the same work costs when there are no rules.

A floor does what no environment can leave out (a mask, a random choice, a few writes, an observation) as fast as the
same tools allow. A ratio to it tells how much the rules cost, on any machine.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from core.jit import entry, jit
from core.rng import below

__all__ = ["ACTIONS", "FEATURES", "RECORD", "TrivialEnv", "floor_records", "pick_random", "play_floor", "step_floor"]

ACTIONS = 256
WRITES = 16
FEATURES = 512
CELLS = 1024

RECORD = np.dtype([("cells", "i2", (CELLS,))], align=True)
"""A record of 2 KB. Action a is legal if cell a is a multiple of 4."""


def floor_records(num_envs: int, seed: int) -> NDArray[np.void]:
    """``RECORD[num_envs]`` with random cells; about a quarter of the actions is legal in each."""
    records = np.zeros(num_envs, RECORD)
    records["cells"] = np.random.default_rng(seed).integers(0, 1000, (num_envs, CELLS))
    return records


@jit
def nth_legal(mask, n):
    """The id of legal action number n, from 0."""
    action = 0
    while True:
        if mask[action]:
            if n == 0:
                return action
            n -= 1
        action += 1


@jit
def decide(records, i, mask, rng):
    """One decision without rules: fill the mask, pick a legal action at random, write 16 cells."""
    cells = records[i]["cells"]
    count = 0
    for action in range(ACTIONS):
        legal = (cells[action] & 3) == 0
        mask[action] = legal
        count += legal
    action = nth_legal(mask, below(rng, count)) if count else 0
    for k in range(WRITES):
        cells[(action * WRITES + k) % CELLS] += 1


@entry
def play_floor(records, policy, steps, mask):
    """Floor (a): ``steps`` decisions in each record, one record after the other, as random play in the kernels does."""
    for i in range(records.shape[0]):
        for _ in range(steps):
            decide(records, i, mask, policy[i])


@entry
def step_floor(records, policy, masks, observations):
    """Floor (b): one decision in each record, then ``FEATURES`` numbers written to its row of ``observations``."""
    for i in range(records.shape[0]):
        decide(records, i, masks[i], policy[i])
        cells = records[i]["cells"]
        for feature in range(FEATURES):
            observations[i, feature] = cells[feature]


@entry
def pick_random(masks, policy, actions):
    """Write a random legal action of each row of ``masks: bool[num_envs, num_actions]`` to ``actions``."""
    for i in range(masks.shape[0]):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[i, action]
        actions[i] = nth_legal(masks[i], below(policy[i], count)) if count else 0


class TrivialEnv(AECEnv[str, dict[str, Any], int]):
    """Floor (c): an AEC environment that gives the next seat the turn for ever.

    Rewards are kept as PettingZoo asks of every environment (cleared, then added up). Nothing is made anew: every
    observation is the same object.

    Args:
        num_players: how many seats.
        features: length of the observation.
        actions: size of the action space; every 16th is always legal.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "trivial_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self, num_players: int, features: int, actions: int) -> None:
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(-np.inf, np.inf, (features,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self._next = dict(zip(self.possible_agents, self.possible_agents[1:] + self.possible_agents[:1], strict=True))
        mask = np.zeros(actions, np.int8)
        mask[::16] = 1
        self._seen = {"observation": np.zeros(features, np.float32), "action_mask": mask}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        return self._seen

    def step(self, action: int) -> None:
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.agent_selection = self._next[agent]
        self._accumulate_rewards()

    def wrapped(self) -> AECEnv[str, dict[str, Any], int]:
        """The environment inside the three wrappers that PettingZoo's own games wear."""
        return wrappers.OrderEnforcingWrapper(
            wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(self, illegal_reward=-1))
        )
