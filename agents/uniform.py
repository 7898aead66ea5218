"""The agent that plays at random."""

from __future__ import annotations

import numpy as np

from agents.base import Agent
from core.game import Game, State

__all__ = ["Uniform", "make"]


class Uniform(Agent):
    """Takes each legal action with the same chance."""

    name = "random"

    def act(self, state: State, rng: np.random.Generator) -> int:
        legal = state.legal_actions()
        return legal[int(rng.random() * len(legal))]


def make(game: Game, argument: str) -> Uniform:
    """See ``agents.load``."""
    return Uniform()
