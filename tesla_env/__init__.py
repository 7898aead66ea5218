"""Tesla vs. Edison: War of Currents: inventors, patents, projects and shares, 2 to 5 players."""

from core.registry import register_environments
from tesla_env.game import Game

__all__ = ["Game"]

register_environments()
