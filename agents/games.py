"""One game between agents, and the arithmetic of many."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.base import Agent
from core import registry
from core.game import Game, IllegalActionError

__all__ = ["Played", "check_count", "check_out", "distinct", "play_game", "player_counts", "seating", "wilson"]

Z95 = 1.959963984540054


def check_count(name: str, value: int, least: int) -> None:
    """ValueError, naming the number, if it is below ``least``."""
    if value < least:
        raise ValueError(f"{name}: expected a whole number of at least {least}, got {value}")


def check_out(out: Path, suffix: str) -> None:
    """ValueError, if the file that a command is to write does not end in ``suffix``."""
    if out.suffix != suffix:
        raise ValueError(f"out: expected a file that ends in {suffix}, got {out}")


def player_counts(name: str, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """Numbers of players of a game: those wanted, or all from two on.

    Raises:
        ValueError: there is no such game, or it is not for so many.
    """
    kind = registry.game_class(name)
    fewest, most = max(2, kind.min_players), kind.max_players
    for count in wanted:
        if not fewest <= count <= most:
            raise ValueError(f"players: expected numbers from {fewest} to {most}, got {count}")
    return tuple(wanted) or tuple(range(fewest, most + 1))


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that occur more than once with a number."""
    return [name if names.count(name) == 1 else f"{name} #{k + 1}" for k, name in enumerate(names)]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share of ``games``: ``(low, high)``, within 0 to 1.

    Raises:
        ValueError: no games, or more wins than games.
    """
    if games < 1 or not 0 <= wins <= games:
        raise ValueError(f"expected 0 to {games} wins in at least one game, got {wins}")
    share, spread = wins / games, Z95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Played:
    """The result of one game, by seat.

    Attributes:
        places: how many stand before the seat, 0 for those who won.
        scores: at the end.
        moves: decisions taken.
        seconds: that the agent thought about them.
        truncated: whether the game was cut.
    """

    places: list[int]
    scores: list[int]
    moves: list[int]
    seconds: list[float]
    truncated: bool

    @property
    def winners(self) -> list[int]:
        return [seat for seat, place in enumerate(self.places) if place == 0]


def seating(agents: int, seats: int, game: int) -> list[int]:
    """Who sits where in a game of a match: the agent of each seat, a seat on from one game to the next.

    Fewer agents than seats come round again; over ``seats`` games each agent has had every seat equally often.
    """
    return [(seat + game) % seats % agents for seat in range(seats)]


def play_game(game: Game, lineup: Sequence[Agent], seed: int, choices: np.random.Generator) -> Played:
    """Play one game.

    Args:
        game: the game.
        lineup: an agent for each seat.
        seed: of the game.
        choices: for the agents.

    Raises:
        IllegalActionError: an agent's choice is not legal; a note says whose it was.
    """
    for seat, agent in enumerate(lineup):
        agent.reset(seat)
    state = game.new_initial_state(seed)
    moves, seconds = [0] * len(lineup), [0.0] * len(lineup)
    player = state.current_player()
    while player >= 0:
        begun = time.perf_counter()
        action = lineup[player].act(state, choices)
        seconds[player] += time.perf_counter() - begun
        moves[player] += 1
        try:
            state.apply_action(action)
        except IllegalActionError as error:
            error.add_note(f"chosen by {lineup[player].name} in seat {player}")
            raise
        player = state.current_player()
    return Played(state.places(), state.scores(), moves, seconds, state.is_truncated())
