"""What an agent is."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from core.game import State
from core.vector import VectorEnv

__all__ = ["Agent"]


class Agent(ABC):
    """Somebody who plays a game.

    An agent is shown the whole ``State`` and is trusted to use what ``state.observation`` of the player to move tells,
    no more.

    Attributes:
        name: what tables call it.
    """

    name: str

    @property
    def weights(self) -> str:
        """A digest of the numbers it plays by; empty if there are none."""
        return ""

    def reset(self, seat: int) -> None:
        """A new game begins, in which the agent has this seat; forget the last one."""

    @abstractmethod
    def act(self, state: State, rng: np.random.Generator) -> int:
        """The id of a legal action for the player to move.

        Args:
            state: the position; it must not be changed.
            rng: the only source of chance, so that a seed repeats a game.
        """

    def act_batch(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """The same for many positions at once, ``int64[len(games)]``; for agents that remember nothing.

        Args:
            batch: holds the positions; only its records and buffers are read.
            games: the numbers of those in question, none of them finished.
            rng: as in ``act``.
        """
        return np.array([self.act(batch.state(int(i)), rng) for i in games], np.int64)
