"""Set-up of a game (RB Setup, Company Draft)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import next_word
from tesla_env.auction import start_phase, take_company
from tesla_env.constants import NOTHING, Phase


@jit
def deal(states, i, tables):
    """The draft begins; with option ``companies`` it is over and the first auction begins (T-1, T-2).

    The empty table is part of the game's blank record (``tesla_env.state.clear_table``).
    """
    s = states[i]
    next_word(s["rng"])  # the draft draws nothing: without this, a game begun anew at once would be the same game
    s["phase"] = Phase.DRAFT
    s["player"] = 0
    if s["option_companies"][0] != NOTHING:
        for seat in range(s["num_players"]):
            take_company(states, i, tables, seat, np.int64(s["option_companies"][seat]))
        start_phase(states, i, tables)
