"""Pax Transhumanity (Matt Eklund and Phil Eklund, 2019) as a reinforcement-learning environment."""

from pax_env.game import Game

__all__ = ["Game"]
