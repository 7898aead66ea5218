"""Set up a position, play actions by name, look at the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from core.game import State
from xenon_env import Game

Dict = Mapping[str, Any]


@cache
def game(seats: int = 2) -> Game:
    """A game that asks every decision."""
    return Game(seats, skip_forced=False)


def at(phase: str, *players: Dict, seats: int = 2, seed: int = 0, **rest: Any) -> State:
    """The position of a partial dict."""
    return game(seats).state_from_dict({"phase": phase, "players": list(players), **rest}, seed)


def slot(card: str, *tokens: int) -> dict[str, Any]:
    """A card in a line with its bid tokens by seat."""
    return {"card": card, "tokens": list(tokens)} if tokens else {"card": card}


def line(*cards: str) -> list[dict[str, Any]]:
    """A line of cards without tokens."""
    return [slot(card) for card in cards]


def play(state: State, *actions: str) -> State:
    """Carry out the actions; every position on the way survives being written and read."""
    for action in actions:
        state.apply_action(action)
        assert state.game.state_from_dict(state.to_dict()) == state
    return state


def legal(state: State) -> set[str]:
    """The names of the legal actions."""
    return {state.action_to_string(action) for action in state.legal_actions()}


def is_legal(state: State, *actions: str) -> bool:
    """Whether all of the actions are legal."""
    assert all(state.string_to_action(action) >= 0 for action in actions)
    return legal(state) >= set(actions)


def none_legal(state: State, *patterns: str) -> bool:
    """Whether no action that fits a pattern, such as ``bid:*``, is legal; ``bid:*`` stands for ``bid:none`` too."""
    names = state.game.action_layout.names
    for pattern in patterns:
        assert any(fnmatchcase(name, pattern) for name in names), f"{pattern} fits no action"
    return not any(fnmatchcase(name, pattern) for name in legal(state) for pattern in patterns)


def player(state: State, seat: int = 0) -> dict[str, Any]:
    """A player of the position's dict."""
    return dict(state.to_dict()["players"][seat])


def turn(state: State) -> dict[str, Any]:
    """The turn of the position's dict."""
    return dict(state.to_dict()["turn"])


def expect(state: State, *players: Dict, **rest: Any) -> None:
    """Compare parts of the position: of each player and of the turn the keys given, of a line the cards or slots.

    A slot is given as None, as a card's id, or as ``slot(card, tokens...)``.
    """
    found = state.to_dict()
    for seat, parts in enumerate(players):
        for key, value in parts.items():
            assert found["players"][seat][key] == value, f"players[{seat}].{key}"
    for key, value in rest.items():
        if key == "turn":
            for part, wanted in value.items():
                assert found["turn"][part] == wanted, f"turn.{part}"
        elif key.endswith("_line"):
            slots = [a and (a["card"] if isinstance(b, str) else a) for a, b in zip(found[key], value, strict=True)]
            assert slots == value, key
        else:
            assert found[key] == value, key


def cards_of(*zones: Dict | Iterable[Any] | str | None) -> Counter[str]:
    """The cards of multisets, lists of cards, lines and single cards, counted together."""
    cards: Counter[str] = Counter()
    for zone in zones:
        if isinstance(zone, str):
            cards[zone] += 1
        elif isinstance(zone, Mapping):
            cards.update(zone)
        else:
            cards.update(entry["card"] if isinstance(entry, Mapping) else entry for entry in zone or () if entry)
    return cards
