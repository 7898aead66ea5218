"""What the generic tests run over: every game, number of players and set of options, and ways to play through them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from core import registry
from core.game import Game, State
from tests.toy_game import ToyGame

CLASSES: dict[str, type[Game]] = {"toy": ToyGame}
for _name, (_package, _) in registry.GAMES.items():
    if importlib.util.find_spec(_package) is not None:
        CLASSES[_name] = registry.game_class(_name)

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "toy": [],
    "xenon": [{"num_players": 3, "element_supply": {"N": 36, "O": 36, "Kr": 36, "Xe": 39}}],
    "tesla": [{"num_players": 3, "companies": ["tesla", "edison", "brush"]}],
    "pax": [
        {"num_players": 1, "solo": "hard"},
        {"num_players": 2, "variant": "beginner"},
    ],
}
"""Sets of a game's own options, tested beside each number of players."""

NOTHING_HIDDEN = {"tesla"}
"""Games whose record holds no secret: what is to come is drawn as it is revealed; only the generator is redrawn."""

TO_MOVE_LIMIT = 3000


@dataclass(frozen=True)
class Case:
    """One game with its options."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def game(self, **more: Any) -> Game:
        return CLASSES[self.name](**(self.options | more))

    def __str__(self) -> str:
        others = [f"{key}" for key in self.options if key != "num_players"]
        return "-".join([self.name, str(self.options["num_players"]), *others])


def _cases() -> Iterator[Case]:
    for name, game_class in CLASSES.items():
        for players in range(game_class.min_players, game_class.max_players + 1):
            yield Case(name, {"num_players": players})
        for options in OPTIONS.get(name, []):
            yield Case(name, options)


CASES = list(_cases())
SMALLEST = [next(case for case in CASES if case.name == name) for name in CLASSES]
every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_game = pytest.mark.parametrize("case", SMALLEST, ids=str)


class RandomAgent:
    """Plays any legal action."""

    def act(self, state: State, rng: np.random.Generator) -> int:
        return int(rng.choice(state.legal_actions()))


def walk(game: Game, seed: int, decisions: int = TO_MOVE_LIMIT) -> Iterator[State]:
    """One state that moves at random from the deal to the end (or so many decisions); do not change it."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state(seed)
    yield state
    for _ in range(decisions):
        if state.is_terminal():
            return
        state.apply_action(int(rng.choice(state.legal_actions())))
        yield state


def played(game: Game, seed: int, decisions: int) -> State:
    """A position after some random decisions, not over if it can be helped."""
    state = game.new_initial_state(seed)
    for position in walk(game, seed, decisions):
        if not position.is_terminal():
            state = position.clone()
    return state


def finished(game: Game, seed: int) -> State:
    """A position at the end of a random game."""
    state = game.new_initial_state(seed)
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def illegal_action(state: State) -> int | None:
    """The id of an action that exists but is not legal now; None if all are."""
    return next((int(a) for a in np.flatnonzero(~state.legal_actions_mask())), None)
