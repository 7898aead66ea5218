"""Scores and tie-breaks. (I2-I5)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.constants import PLACES, PROBLEMS, SLOTS, SPACES, End, Regime
from pax_env.state import packed_count

__all__ = ["STANDING_KEYS", "score", "standings"]

STANDING_KEYS = 3


@jit
def standings(states, i, tables, table):
    """A row a party, seats first: score, capital, wealth; see ``core.batch.standings``. (I5, P-56)

    A truncated or unfinished game knows no tie-breaks. (P-37)
    """
    s = states[i]
    t = tables[0]
    ties_broken = s["end"] != End.NONE and s["end"] != End.TRUNCATED
    for party in range(s["parties"]):
        c = np.int64(s["color_of"][party])
        table[party, 0] = score(s, t, c)
        table[party, 1] = s["capital"][c] if ties_broken else 0
        table[party, 2] = s["wealth"][c] if ties_broken else 0
    return np.int64(s["parties"])


@jit
def score(s, t, c):
    """What colour c scores by the way the game ended; a running game counts as truncated. (I2-I4, P-33 to P-37)"""
    if s["end"] == End.TYCOON:
        return 1 if s["winner"] == c else 0
    if s["end"] == End.SINGULARITY or (s["end"] != End.PLURALITY and s["regime"] == Regime.PARADIGM_SHIFT):
        return future_shock(s, c)
    hidden = np.int64(s["hidden"][c])
    dominant = np.int64(t["dominant"][s["regime"]])
    plurality = s["end"] == End.PLURALITY
    points = 0
    for problem in range(PROBLEMS):
        number = np.int64(s["claimed"][c][problem])
        if number > 0:
            sphere = t["problem_sphere"][problem]
            worth = 1 if plurality else 2 * (sphere == dominant)
            points += number * (worth + (sphere == hidden))
    if not plurality:
        for space in range(SPACES):
            if s["company"][space] == c:
                sphere = t["space_sphere"][space]
                points += 2 * (sphere == dominant) + (sphere == hidden)
    return points


@jit
def future_shock(s, c):
    """Own cubes in the splay. (I3)"""
    count = 0
    for place in range(SLOTS, PLACES):
        count += packed_count(s["white"][place], c) + ((np.int64(s["black"][place]) >> c) & 1)
    return count
