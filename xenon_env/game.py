"""Ties the parts of Xenon Profiteer together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import core.game
from core.batch import bind
from core.schema import Fields
from xenon_env.actions import ACTIONS
from xenon_env.board import draw_board
from xenon_env.components import Components
from xenon_env.constants import NONE, SEATS, Phase
from xenon_env.deal import deal
from xenon_env.hidden import determinize
from xenon_env.observation import OBSERVATION, observe
from xenon_env.position import element_supply, read_position, read_supply, write_position
from xenon_env.rules import legal, step, truncate
from xenon_env.scoring import STANDING_KEYS, standings
from xenon_env.state import STATE, check_invariants

__all__ = ["Game"]


class Game(core.game.Game):
    """Xenon Profiteer for 2 to 5 players.

    Args:
        num_players: 2 to 5.
        element_supply: None for unlimited element cards, or the size of each stack, as
            ``{"N": 36, "O": 36, "Kr": 36, "Xe": 39}``, each at least twice the number of players.
        max_decisions: after this many decisions an unfinished game is truncated.
        skip_forced: take a decision that has one legal action at once, as part of the step before.
        reward: ``"win"``, ``"rank"``, or ``"margin"`` (stars above the mean of the others, over 10).
        components: another component file of the same schema.

    Raises:
        ValueError: an option is out of range; the message names it.
    """

    name = "xenon"
    title = "Xenon Profiteer"
    version = 0
    min_players = 2
    max_players = SEATS
    default_max_decisions = 5000
    margin_scale = 10.0
    dtype = STATE
    parties = SEATS
    standing_keys = STANDING_KEYS
    phases = tuple(phase.name.lower() for phase in Phase)
    observation_layout = OBSERVATION
    action_layout = ACTIONS
    kernels = bind(
        "xenon_env",
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
        *,
        element_supply: Mapping[str, int] | None = None,
        max_decisions: int | None = None,
        skip_forced: bool = True,
        reward: str = "win",
        components: str | Path | None = None,
        **unknown: Any,
    ) -> None:
        self.element_supply = element_supply
        super().__init__(
            num_players,
            max_decisions=max_decisions,
            skip_forced=skip_forced,
            reward=reward,
            components=components,
            **unknown,
        )

    def load_components(self, path: str | Path | None) -> None:
        """Read and check the component file."""
        loaded = Components(path)
        self.tables = loaded.tables
        self.card_ids = loaded.ids
        self.card_names = loaded.names
        self._numbers = {card: number for number, card in enumerate(loaded.ids)}
        self.line_size = int(loaded.tables[0]["line_size"][self.num_players])

    def card_number(self, card: str | None) -> int:
        """The place of a card in canonical order."""
        return self._numbers[str(card)]

    def configure(self, settings: np.void) -> None:
        """An empty table with the element stacks of the option."""
        settings["stack_size"] = read_supply(self, Fields({"element_supply": self.element_supply}))
        settings["supply"] = settings["stack_size"]
        for field in ("line_card", "contract", "trigger", "peek", "wiped"):
            settings[field] = NONE

    def options(self, record: np.void) -> dict[str, Any]:
        """The rules' own options."""
        return {
            "element_supply": element_supply(record, self.card_ids),
            "max_decisions": int(record["max_decisions"]),
        }

    def write_position(self, record: np.void) -> dict[str, Any]:
        """The game's own part of ``to_dict``."""
        return write_position(self, record)

    def read_position(self, position: Fields, states: NDArray[np.void]) -> None:
        """Fill a blank record from a dict."""
        read_position(self, position, states)

    def draw(self, state: core.game.State, observer: int | None = None) -> str:
        """The board as a person reads it, the whole of it or only what the seat ``observer`` may know."""
        return draw_board(self, state, observer)

    def check_invariants(self, state: core.game.State) -> None:
        """Raise AssertionError if the position cannot occur in a game from set-up."""
        check_invariants(self, state)
