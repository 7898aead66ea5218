"""Tesla vs. Edison: War of Currents as a ``core`` game: its options, and all its parts put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.batch import bind
from core.game import Game as CoreGame
from core.game import State
from core.schema import Fields
from tesla_env import board, position
from tesla_env.actions import action_layout
from tesla_env.components import Components, load
from tesla_env.constants import NOTHING, PHASES, SEATS
from tesla_env.deal import deal
from tesla_env.hidden import determinize
from tesla_env.observation import OBSERVATION, observation_layout, observe
from tesla_env.rules import legal, step, truncate
from tesla_env.scoring import standings
from tesla_env.state import STATE, check_invariants, clear_table

__all__ = ["Game"]


class Game(CoreGame):
    """Tesla vs. Edison: War of Currents, for 2 to 5 players.

    Args:
        num_players: seats, 2 to 5.
        companies: the company of each seat; the draft is then skipped. None: the seats draft.
        settings: ``max_decisions`` (2000), ``skip_forced``, ``reward``, ``components``; see ``core.game.Game``.

    Attributes:
        parts: the components this game is played with.
        companies: the option as given.

    Raises:
        ValueError: an option is unknown or out of range; the message names it.
    """

    name = "tesla"
    title = "Tesla vs. Edison: War of Currents"
    version = 0
    min_players, max_players = 2, SEATS
    default_max_decisions = 2000
    margin_scale = 100.0
    dtype = STATE
    parties, standing_keys = SEATS, 2
    phases = PHASES
    observation_layout = OBSERVATION
    kernels = bind(
        "tesla_env",
        {
            "deal": deal,
            "legal": legal,
            "step": step,
            "truncate": truncate,
            "standings": standings,
            "observe": observe,
            "determinize": determinize,
        },
    )

    parts: Components

    def __init__(self, num_players: int = 2, *, companies: Sequence[str] | None = None, **settings: Any) -> None:
        self.companies: Any = companies
        try:
            super().__init__(num_players, **settings)
        except TypeError as error:
            raise ValueError(f"unknown option: {error}") from None

    def load_components(self, path: str | Path | None) -> None:
        """Read the component file; see ``tesla_env.components.load``."""
        self.parts = load(path)
        self.tables = self.parts.tables
        parts = self.parts
        self.action_layout = action_layout(parts.companies, parts.hired, parts.cards, parts.projects)
        self.observation_layout = observation_layout(
            parts.companies, parts.hired, parts.cards, parts.cities, parts.projects
        )

    def configure(self, settings: np.void) -> None:
        """Check option ``companies``, and write it and the empty table to the blank record."""
        known = self.parts.companies
        self.companies = position.read_companies(self.companies, self.num_players, known, "companies")
        clear_table(settings, self.tables[0])
        if self.companies is not None:
            settings["option_companies"][: self.num_players] = [known.index(name) for name in self.companies]

    def options(self, record: np.void) -> dict[str, Any]:
        """Options ``companies`` and ``max_decisions`` of a position."""
        chosen = record["option_companies"][: self.num_players].tolist()
        return {
            "companies": None if NOTHING in chosen else [self.parts.companies[k] for k in chosen],
            "max_decisions": int(record["max_decisions"]),
        }

    def write_position(self, record: np.void) -> dict[str, Any]:
        """The game's own part of ``to_dict``."""
        return position.write_position(self.parts, record)

    def read_position(self, fields: Fields, states: NDArray[np.void]) -> None:
        """Fill a record from a dict; ValueError names the key that does not fit."""
        position.read_position(self, fields, states)

    def draw(self, state: State) -> str:
        """The board as plain text."""
        return board.draw(self, state)

    def check_invariants(self, state: State) -> None:
        """Raise AssertionError, naming the rule, if the position cannot occur in a game from set-up."""
        check_invariants(self, state)
