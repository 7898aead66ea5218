"""Setting up a game."""

from __future__ import annotations

import numpy as np

from core.batch import FIRST
from core.jit import jit
from xenon_env.constants import DECK, FIRST_CONTRACT, FIRST_UPGRADE, HELD, LINES, STARTERS, UPGRADES, Line
from xenon_env.piles import draw_to_hand, restock
from xenon_env.rules import begin_turn


@jit
def deal(states, i, tables):
    """Stock the lines, deal every player in, begin seat 0's turn (Basic Set-up, Console Set-up, X-1)."""
    s = states[i]
    t = tables[0]
    for kind in range(STARTERS, UPGRADES):
        s["deck"][Line.UPGRADE][kind] = t["copies"][FIRST_UPGRADE + kind]
    for kind in range(DECK):
        s["deck"][Line.CONTRACT][kind] = t["copies"][FIRST_CONTRACT + kind]
    for line in range(LINES):
        restock(s, t, line)
    for seat in range(np.int64(s["num_players"])):
        s["money"][seat] = t["start_money"]
        s["tokens"][seat] = t["bid_tokens"]
        for card in range(HELD):
            s["system"][seat][card] = t["start_system"][card]
            if card < s["supply"].shape[0] and s["supply"][card] >= 0:
                s["supply"][card] -= t["start_system"][card]
        draw_to_hand(s, seat, np.int64(t["hand_size"]))
    begin_turn(s, t, FIRST)
