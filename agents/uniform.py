"""The agent that plays at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent
from core.game import Game, State
from core.jit import entry
from core.vector import VectorEnv

__all__ = ["Uniform", "make"]


@entry
def pick(masks, uniforms, chosen):
    """One of the true entries of each row, by a number from [0, 1)."""
    for i in range(masks.shape[0]):
        count = 0
        for a in range(masks.shape[1]):
            count += masks[i, a]
        left = np.int64(uniforms[i] * count)
        for a in range(masks.shape[1]):
            if masks[i, a]:
                if left == 0:
                    chosen[i] = a
                    break
                left -= 1


class Uniform(Agent):
    """Takes each legal action with the same chance."""

    name = "random"

    def act(self, state: State, rng: np.random.Generator) -> int:
        legal = state.legal_actions()
        return legal[int(rng.random() * len(legal))]

    def act_batch(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        chosen = np.empty(len(games), np.int64)
        pick(batch.action_mask[games], rng.random(len(games)), chosen)
        return chosen


def make(game: Game, argument: str) -> Uniform:
    """See ``agents.load``."""
    return Uniform()
