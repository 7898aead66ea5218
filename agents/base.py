"""What an agent is."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from core.game import State

__all__ = ["Agent"]


class Agent(ABC):
    """Somebody who plays a game.

    An agent is shown the whole ``State`` and is trusted to use what ``state.observation`` of the player to move tells,
    no more.

    Attributes:
        name: what tables call it.
    """

    name: str

    def reset(self, seat: int) -> None:
        """A new game begins, in which the agent has this seat; forget the last one."""

    @abstractmethod
    def act(self, state: State, rng: np.random.Generator) -> int:
        """The id of a legal action for the player to move.

        Args:
            state: the position; it must not be changed.
            rng: the only source of chance, so that a seed repeats a game.
        """
