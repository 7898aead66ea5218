"""Whose turn it is, and prices: what every part of the rules uses."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env.constants import NOBODY, TURNS_PER_PHASE, Phase


@jit
def game_phase(turn):
    """The multiplier g of a turn: 1, 2 or 3 (RB Basics)."""
    return (np.int64(turn) + 1) // TURNS_PER_PHASE


@jit
def raise_price(states, i, tables, seat, spots):
    """Move a company's stock price up, at most to the end of the track (RB The Stock Market, T-30)."""
    s = states[i]
    s["price"][seat] = min(np.int64(tables[0]["price_max"]), np.int64(s["price"][seat]) + spots)


@jit
def next_ready(states, i, tables, spot):
    """The first company with a ready luminary below a spot of the present track, then from its top (T-11).

    Returns its seat, or NOBODY. With spot 0 the search begins at the top.
    """
    s = states[i]
    spots = np.int64(tables[0]["spots"])
    found = NOBODY
    nearest = spots
    for seat in range(s["num_players"]):
        if s["ready"][seat] != 0:
            way = np.int64(s["present"][seat]) - spot - 1
            if way < 0:
                way += spots
            if way < nearest:
                nearest = way
                found = seat
    return found


@jit
def start_turn(states, i, tables):
    """Actions begin with the company highest on the present track (RB Actions)."""
    s = states[i]
    s["phase"] = Phase.USE
    s["player"] = next_ready(states, i, tables, 0)
