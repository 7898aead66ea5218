"""Short ways to set up and play positions."""

from __future__ import annotations

from functools import cache
from typing import Any

from core.game import State
from tesla_env import Game


@cache
def game(n: int = 2, **options: Any) -> Game:
    """A game that asks every decision; options must be hashable (companies as a tuple)."""
    return Game(n, **{"skip_forced": False, **options})


def start(n: int = 2, **position: Any) -> State:
    return game(n).state_from_dict({"num_players": n, **position})


def play(state: State, *actions: str) -> State:
    for action in actions:
        state.apply_action(action)
    return state


def legal(state: State, prefix: str = "") -> set[str]:
    return {name for a in state.legal_actions() if (name := state.action_to_string(a)).startswith(prefix)}


def cash(state: State) -> list[int]:
    return [player["cash"] for player in state.to_dict()["players"]]


def cards_of(parts_masks: Any, names: list[str], phase: int) -> set[str]:
    return {name for k, name in enumerate(names) if int(parts_masks[phase]) >> k & 1}
