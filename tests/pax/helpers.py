"""Positions for the tests: written as partial dicts, or random but rich."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.game import State
from pax_env import Game

RICH = {"capital": 8, "wealth": 0, "debt": 0, "patents": {}}
POOR = {"capital": 0, "wealth": 0, "debt": 0, "patents": {}}


@functools.cache
def _game(options: str) -> Game:
    return Game(**json.loads(options))


def game(n: int = 2, **options: Any) -> Game:
    """A game with its options; the same object for the same options."""
    return _game(json.dumps({"num_players": n, **options}, sort_keys=True))


def at(n: int = 2, options: dict[str, Any] | None = None, **position: Any) -> State:
    """A state from a partial dict."""
    return game(n, **(options or {})).state_from_dict(position)


def blue(**values: Any) -> list[dict[str, Any]]:
    """Two players: blue with 8 capital and these values, red with the same money."""
    return [RICH | values, dict(RICH)]


def slot(card: str, *syndications: str, white: tuple[str, ...] = (), black: tuple[str, ...] = ()) -> dict[str, Any]:
    """A market slot."""
    return {"card": card, "syndications": list(syndications), "white": list(white), "black": list(black)}


def names(state: State) -> set[str]:
    """The legal actions by name."""
    return {state.action_to_string(action) for action in state.legal_actions()}


def do(state: State, *actions: str) -> dict[str, Any]:
    """Play actions by name, check what must hold after each, and give the position as a dict."""
    for action in actions:
        state.apply_action(action)
        state.game.check_invariants(state)
        again = state.game.state_from_dict(state.to_dict())
        assert again == state and again.to_dict() == state.to_dict()
        assert again.legal_actions() == state.legal_actions()
    return state.to_dict()


def money(position: dict[str, Any], seat: int = 0) -> tuple[int, int, int]:
    """Capital, wealth and debt of a seat."""
    player = position["players"][seat]
    return player["capital"], player["wealth"], player["debt"]


def employees(*spaces: str, color: str = "blue", **companies: str) -> dict[str, Any]:
    """Employees of a colour on spaces, and companies: space=colour."""
    table: dict[str, Any] = {space: {"employees": [color]} for space in spaces}
    for space, owner in companies.items():
        table.setdefault(space, {})["company"] = owner
    return table


@functools.cache
def _appeal() -> NDArray[np.float64]:
    """How much an action is liked by ``eager``."""
    weights = np.ones(game().num_actions)
    for action, name in enumerate(game().action_layout.names):
        if name in ("end_turn", "fundraise") or name.startswith("import"):
            weights[action] = 0.1
        elif name.startswith(("commercialize", "research", "rotate")):
            weights[action] = 3.0
    return weights


def eager(state: State, rng: np.random.Generator) -> int:
    """A random action that seldom ends the turn and likes commercialization, so that impacts are reached."""
    legal = state.legal_actions()
    weights = np.cumsum(_appeal()[legal])
    return int(legal[int(np.searchsorted(weights, rng.random() * weights[-1], side="right"))])


class _Purse:
    """The agents of each colour that a random position has not used yet."""

    def __init__(self, colors: list[str], rng: np.random.Generator) -> None:
        self.left = dict.fromkeys(colors, 13)
        self.rng = rng

    def some(self, colors: list[str], most: int, chance: float, distinct: bool = True) -> list[str]:
        chosen: list[str] = []
        for _ in range(most):
            color = str(self.rng.choice(colors))
            if self.rng.random() < chance and self.left[color] > 0 and not (distinct and color in chosen):
                self.left[color] -= 1
                chosen.append(color)
        return chosen

    def up_to(self, color: str, most: int) -> int:
        number = min(int(self.rng.integers(0, most + 1)), self.left[color])
        self.left[color] -= number
        return number


def rich_position(of: Game, rng: np.random.Generator) -> dict[str, Any]:
    """A random position at the start of a turn: money, cubes, companies, problems, think tanks, a long splay."""
    t, parts = of.tables[0], of.parts
    players, parties = of.colors, [*of.colors, *of.exoglobals]
    purse = _Purse(parties, rng)
    cards = [name for name, kind in zip(parts.card_names, t["kind"].tolist(), strict=False) if kind < 2]
    rng.shuffle(cards)
    number = {name: k for k, name in enumerate(parts.card_names)}
    if rng.random() < 0.5:  # otherwise its ability would be rare
        cards.remove("quantum_cryptography")
        cards.append("quantum_cryptography")
    boxes = (("capital", 5), ("wealth", 2), ("debt", 1))
    money = [{key: purse.up_to(color, most) for key, most in boxes} for color in players]

    def cubes(card: str, chance: float) -> dict[str, list[str]]:
        k = number[card]
        return {
            "white": purse.some(parties, int(t["white"][k]), chance, distinct=False),
            "black": purse.some(parties, int(t["black"][k]), chance),
        }

    market: dict[str, list[Any]] = {}
    for sphere in ("first_world", "developing_world", "cloud", "space"):
        market[sphere] = [None] * 6
        for row in range(6):
            if rng.random() < 0.6:
                card = cards.pop()
                owners = purse.some(parties, 2, 0.6)
                market[sphere][row] = {"card": card, "syndications": owners, **cubes(card, 0.3)}
    if rng.random() < 0.3:
        market["space"][0] = "plurality"
    splay = []
    for _ in range(int(rng.integers(0, 9))):
        card = cards.pop()
        k = number[card]
        hue = ("gold", "green", "blue", "orange")[int(rng.choice([t["left"][k], t["right"][k]]))]
        splay.append({"card": card, "visible": hue, **cubes(card, 0.25)})
    disks = dict.fromkeys(parties, 4)
    table: dict[str, Any] = {}
    for space, name in enumerate(parts.space_names):
        kind = int(t["space_kind"][space])
        company = str(rng.choice(parties)) if kind == 0 and rng.random() < 0.4 else None
        if company is not None:
            disks[company] -= 1
            company = company if disks[company] >= 0 else None
        workers = purse.some(players, 1 if kind == 0 else 2, 0.5)
        if company or workers:
            table[name] = {"company": company, "employees": workers}
    stock = {name: int(n) for name, n in zip(parts.problem_names, t["copies"], strict=True)}

    def claims() -> dict[str, int]:
        mine: dict[str, int] = {}
        for problem in stock:
            if stock[problem] and rng.random() < 0.15:
                stock[problem] -= 1
                mine[problem] = 1
        return mine

    seats = []
    for color, finance in zip(players, money, strict=True):
        patents = {hue: purse.up_to(color, 1) for hue in ("gold", "green", "blue", "orange")}
        tank = [cards.pop() for _ in range(int(rng.integers(0, 3)))]
        seats.append(
            finance | {"patents": patents, "problems": claims(), "think_tank": tank, "dealt": _ideas(cards, 2)}
        )
    position: dict[str, Any] = {
        "players": seats,
        "market": market,
        "splay": splay,
        "infrastructure": table,
        "deck": {"top": _ideas(cards, 4), "bottom": _ideas(cards, 4), "plurality": market["space"][0] != "plurality"},
    }
    if of.exoglobals:
        position["exoglobals"] = [{"problems": claims(), "dealt": _ideas(cards, 1)} for _ in of.exoglobals]
        position["exo_deck"] = {"rest": _ideas(cards, 20)}
    return position


def _ideas(cards: list[str], count: int) -> list[str]:
    chosen = [card for card in cards if not card.startswith("tipping")][:count]
    for card in chosen:
        cards.remove(card)
    return chosen
