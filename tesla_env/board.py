"""The board as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.game import State
    from tesla_env.game import Game


def draw(game: Game, state: State) -> str:
    return ""
