"""Points and ties (RB Game End)."""

from __future__ import annotations

import numpy as np

from core.jit import jit


@jit
def standings(states, i, tables, table):
    """Value of the portfolio, then cash (T-38): regular certificates at their prices, the preferred one as four."""
    s = states[i]
    n = np.int64(s["num_players"])
    for seat in range(n):
        worth = np.int64(tables[0]["preferred_worth"]) * s["price"][seat]
        for company in range(n):
            worth += np.int64(s["shares"][seat, company]) * s["price"][company]
        table[seat, 0] = worth
        table[seat, 1] = s["cash"][seat]
    return n
