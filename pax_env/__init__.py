"""Pax Transhumanity (Phil Eklund and Matt Eklund): ideas, regimes and a splay of the future, 1 to 4 players."""

from core.registry import register_environments
from pax_env.game import Game

__all__ = ["Game"]

register_environments()
