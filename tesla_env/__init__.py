"""Tesla vs. Edison: War of Currents."""

from tesla_env.game import Game

__all__ = ["Game"]
