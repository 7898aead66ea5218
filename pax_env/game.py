"""Pax Transhumanity: options, and the parts of the game put together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import core.game
from core.batch import bind
from core.game import State
from core.schema import Fields, listed
from pax_env.actions import action_layout
from pax_env.board import draw_board
from pax_env.components import load
from pax_env.constants import COLOR_NAMES, COLORS, PHASE_NAMES, SOLO_NAMES
from pax_env.deal import deal
from pax_env.hidden import determinize
from pax_env.observation import OBSERVATION, observe
from pax_env.position import read_position, write_position
from pax_env.rules import legal, step, truncate
from pax_env.scoring import STANDING_KEYS, standings
from pax_env.state import STATE, check_invariants

__all__ = ["Game"]

VARIANTS = ("standard", "beginner")
LEVELS = ("easy", "hard")


class Game(core.game.Game):
    """Pax Transhumanity for 1 to 4 players.

    Args:
        num_players: 1 (solo, against exoglobals) to 4.
        variant: ``"standard"``, or ``"beginner"``: ideas need no syndication and have no abilities.
        solo: ``"easy"`` (three exoglobals, their next card in view) or ``"hard"`` (two, face down); with one player
            only, where ``"easy"`` is the default.
        max_decisions: an unfinished game is truncated after so many decisions; 1000 if None.
        settings: ``skip_forced``, ``reward`` and ``components`` of ``core.game.Game``.

    Raises:
        ValueError: an option is unknown or out of range; the message names it.
    """

    name = "pax"
    title = "Pax Transhumanity"
    version = 0
    min_players = 1
    max_players = 4
    default_max_decisions = 1000
    margin_scale = 10.0
    dtype = STATE
    parties = COLORS
    standing_keys = STANDING_KEYS
    phases = PHASE_NAMES
    observation_layout = OBSERVATION
    kernels = bind(
        "pax_env",
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

    def __init__(
        self,
        num_players: int = 2,
        variant: str = "standard",
        solo: str | None = None,
        max_decisions: int | None = None,
        **settings: Any,
    ) -> None:
        if variant not in VARIANTS:
            raise ValueError(f"variant: expected one of {listed(VARIANTS)}, got {variant!r}")
        if solo is not None and solo not in LEVELS:
            raise ValueError(f"solo: expected one of {listed(LEVELS)}, got {solo!r}")
        if solo is not None and num_players != 1:
            raise ValueError(f"solo: {solo!r} is for one player, num_players is {num_players!r}")
        self.variant = variant
        self.solo = solo if num_players != 1 else solo or "easy"
        super().__init__(num_players, max_decisions=max_decisions, **settings)

    @property
    def colors(self) -> list[str]:
        """The colour of each seat."""
        return self.parts.colors[self.num_players]

    @property
    def exoglobals(self) -> list[str]:
        """The colours of the exoglobals, in player order; none outside solo."""
        return self.parts.exoglobals[self.solo] if self.solo else []

    def load_components(self, path: str | Path | None) -> None:
        """Read the component file; it gives the tables and the names of the actions."""
        self.parts = load(path)
        self.tables = self.parts.tables
        self.action_layout = action_layout(self.parts)

    def configure(self, settings: np.void) -> None:
        """Variant, level, and which colour is whose."""
        settings["beginner"] = self.variant == "beginner"
        settings["solo"] = SOLO_NAMES.index(self.solo or "none")
        parties = [*self.colors, *self.exoglobals]
        order = [*parties, *(color for color in COLOR_NAMES if color not in parties)]
        settings["parties"] = len(parties)
        settings["color_of"] = [COLOR_NAMES.index(color) for color in order]
        settings["seat_of"] = -1
        for seat, color in enumerate(self.colors):
            settings["seat_of"][COLOR_NAMES.index(color)] = seat
        for color in self.exoglobals:
            settings["exoglobal"][COLOR_NAMES.index(color)] = 1

    def options(self, record: np.void) -> dict[str, Any]:
        """``variant``, ``solo`` and ``max_decisions``."""
        return {
            "variant": VARIANTS[record["beginner"]],
            "solo": SOLO_NAMES[record["solo"]] if record["solo"] else None,
            "max_decisions": int(record["max_decisions"]),
        }

    def write_position(self, record: np.void) -> dict[str, Any]:
        """The game's part of ``to_dict``."""
        return write_position(self, record)

    def read_position(self, position: Fields, states: NDArray[np.void]) -> None:
        """Fill a blank record from (part of) a dict; ValueError names the key."""
        read_position(self, position, states)

    def draw(self, state: State, observer: int | None = None) -> str:
        """The board as the player to move sees it, or the seat ``observer``."""
        return draw_board(self, state, observer)

    def check_invariants(self, state: State) -> None:
        """Raise AssertionError, naming the rule, if the position breaks one."""
        check_invariants(self, state)
