"""An agent whose rules of thumb are compiled: what every ``agents.greedy.<game>`` makes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from agents import available, load
from agents.base import Agent
from core.batch import compile_over
from core.game import Game, State
from core.schema import listed
from core.vector import VectorEnv

__all__ = ["Scripted", "script"]

SCRIPTS = ("greedy",)
LONE = np.zeros(1, np.int64)


def best_action(states, i, tables, notes):
    """The id of a legal action for the player to move in record ``i``: a stub, each script has its own.

    ``notes`` is a tuple of arrays: the script's numbers, and room to work in.
    """


def choose(states, games, tables, notes, chosen):
    """``best_action`` of each of ``games``."""
    for k in range(games.shape[0]):
        chosen[k] = best_action(states, games[k], tables, notes)


@functools.cache
def _compiled(kind: type[Game], best_action: Any) -> Any:
    return compile_over(kind.kernels, [choose], {"best_action": best_action}).choose


class Scripted(Agent):
    """Takes the action that its rules of thumb find worth most. No chance is involved.

    Args:
        name: what tables call it.
        game: the game it plays, with any options.
        best_action: the script, compiled with ``core.jit.jit``; see the stub of this module.
        notes: what it is called with.
    """

    def __init__(self, name: str, game: Game, best_action: Any, notes: tuple[NDArray[Any], ...]) -> None:
        self.name, self.best_action, self.notes = name, best_action, notes
        self._choose = _compiled(type(game), best_action)

    def act(self, state: State, rng: np.random.Generator) -> int:
        return int(self._chosen(state.states, LONE, state.game)[0])

    def act_batch(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        return self._chosen(batch.states, games, batch.game)

    def _chosen(self, states: NDArray[np.void], games: NDArray[np.int64], game: Game) -> NDArray[np.int64]:
        chosen = np.empty(len(games), np.int64)
        self._choose(states, games, game.tables, self.notes, chosen)
        return chosen


def script(name: str, game: Game, others: Sequence[str] = ()) -> Scripted:
    """A scripted agent by name.

    Args:
        name: see ``agents.load``.
        game: the game it will play.
        others: what else the caller would have taken, for the message.

    Raises:
        ValueError: there is no such scripted agent for this game; the message lists those there are.
    """
    scripts = [kind for kind in SCRIPTS if kind in available(game)]
    if name not in scripts:
        raise ValueError(f"expected {listed([*others, *scripts])}, got {name!r}; {game.name} has no such script")
    return cast(Scripted, load(name, game))
