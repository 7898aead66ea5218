"""Xenon Profiteer: deck building in an air separation plant, 2 to 5 players."""

from core.registry import register_environments
from xenon_env.game import Game

__all__ = ["Game"]

register_environments()
