"""Many games at once between agents: who sits where, and everybody's moves batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent
from core.game import Game
from core.vector import VectorEnv

__all__ = ["move", "win_rate"]


def move(
    batch: VectorEnv,
    games: NDArray[np.int64],
    who: NDArray[np.int64],
    roster: Sequence[Agent],
    rng: np.random.Generator,
) -> None:
    """One decision in each of ``games``: number k is taken by ``roster[who[k]]``, one call for all of an agent."""
    chosen = np.empty(len(games), np.int64)
    for k in np.unique(who):
        mine = np.flatnonzero(who == k)
        chosen[mine] = roster[k].act_batch(batch, games[mine], rng)
    batch.step(chosen, games)


def win_rate(game: Game, agent: Agent, opponent: Agent, games: int, seed: int = 0) -> float:
    """The share of games that ``agent`` wins in one seat, rotated, against ``opponent`` in all others.

    Args:
        game: the game, with its number of players.
        agent: one that remembers nothing, see ``Agent.act_batch``; so for ``opponent``.
        games: how many, all at once; of a shared victory each winner has its part.
        seed: decides the games and all choices; game i is dealt from ``seed + i``.
    """
    batch = game.vector(games, seed, autoreset="disabled")
    rng = np.random.default_rng([seed, 1])
    seat = np.arange(games) % game.num_players
    running = np.arange(games)
    while running.size:
        move(batch, running, (batch.current_player[running] != seat[running]).astype(np.int64), (agent, opponent), rng)
        running = running[batch.current_player[running] >= 0]
    won = 0.0
    for i in range(games):
        winners = batch.state(i).winners()
        won += (seat[i] in winners) / max(1, len(winners))
    return won / games
