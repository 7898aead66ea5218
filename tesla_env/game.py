"""Tesla vs. Edison: War of Currents as a ``core`` game: its options, and all its parts put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import core.game
from core.batch import bind
from core.schema import Fields
from tesla_env.actions import action_layout
from tesla_env.board import draw_board
from tesla_env.components import Components, load
from tesla_env.constants import NOTHING, PHASES, SEATS
from tesla_env.deal import deal
from tesla_env.hidden import determinize
from tesla_env.observation import OBSERVATION, observation_layout, observe
from tesla_env.position import read_companies, read_position, write_position
from tesla_env.rules import legal, step, truncate
from tesla_env.scoring import standings
from tesla_env.state import STATE, check_invariants, clear_table

__all__ = ["Game"]


class Game(core.game.Game):
    """Tesla vs. Edison: War of Currents, for 2 to 5 players.

    Args:
        num_players: seats, 2 to 5.
        companies: the company of each seat; the draft is then skipped. None: the seats draft.
        max_decisions: after this many decisions an unfinished game is truncated.
        skip_forced: take a decision that has one legal action at once, as part of the step before.
        reward: ``"win"``, ``"rank"``, or ``"margin"`` (points above the mean of the others, over 100).
        components: another component file of the same schema.

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

    def __init__(
        self,
        num_players: int = 2,
        *,
        companies: Sequence[str] | None = None,
        max_decisions: int | None = None,
        skip_forced: bool = True,
        reward: str = "win",
        components: str | Path | None = None,
        **unknown: Any,
    ) -> None:
        self.companies: Any = companies
        super().__init__(
            num_players,
            max_decisions=max_decisions,
            skip_forced=skip_forced,
            reward=reward,
            components=components,
            **unknown,
        )

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
        self.companies = read_companies(self.companies, self.num_players, known, "companies")
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
        return write_position(self.parts, record)

    def read_position(self, position: Fields, states: NDArray[np.void]) -> None:
        """Fill a record from a dict; ValueError names the key that does not fit."""
        read_position(self, position, states)

    def draw(self, state: core.game.State, observer: int | None = None) -> str:
        """The board as plain text, the same for every observer: what is hidden is not on it."""
        return draw_board(self, state)

    def check_invariants(self, state: core.game.State) -> None:
        """Raise AssertionError, naming the rule, if the position cannot occur in a game from set-up."""
        check_invariants(self, state)
