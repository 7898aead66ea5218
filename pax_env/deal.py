"""Set-up. (C)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import shuffle
from pax_env.constants import MAX_CARDS, PROBLEMS, ROWS, SLOTS, SPHERES, TURN_ACTIONS, Kind, Phase, Regime, Zone
from pax_env.exoglobal import reveal_next
from pax_env.market import draw_from
from pax_env.state import empty_table

__all__ = ["deal", "finance_start"]


@jit
def deal(states, i, tables):
    """Set up a game; see ``core.batch.deal``. (C1-C7, K1)"""
    s = states[i]
    t = tables[0]
    empty_table(s)
    for problem in range(PROBLEMS):
        s["stock"][problem] = t["copies"][problem]
    for party in range(s["parties"]):
        finance_start(s, t, np.int64(s["color_of"][party]))
    s["regime"] = Regime.GLOBALIZATION
    s["actions_left"] = TURN_ACTIONS
    s["phase"] = Phase.HIDDEN
    deal_cards(s, t)


@jit
def finance_start(s, t, c):
    """Finance board and starting patent of a player; an exoglobal has all agents in its pool. (C1c-e, K1a)"""
    s["pool"][c] = t["agents"]
    if s["seat_of"][c] >= 0:
        s["capital"][c] = t["capital"][c]
        s["wealth"][c] = t["wealth"][c]
        s["debt"][c] = t["debt"][c]
        s["patents"][c][t["patent"][c]] = 1
        s["pool"][c] -= t["capital"][c] + t["wealth"][c] + t["debt"][c] + 1


@jit(arrays=True)
def deal_cards(s, t):
    """Market, deck, first splay card, and the cards dealt to the parties. (C3, C4, C7, K1c-d)"""
    ideas = np.zeros(MAX_CARDS, np.int16)
    total = np.int64(0)
    for card in range(t["cards"]):
        if t["kind"][card] == Kind.IDEA:
            ideas[total] = card
            total += 1
        elif t["kind"][card] == Kind.TIPPING_POINT:
            s["zone"][card] = Zone.BOTTOM
        else:
            s["zone"][card] = Zone.DECK_END
    shuffle(s["rng"], ideas, total)
    n = 0
    for sphere in range(SPHERES):
        start = np.int64(t["market_start"][sphere])
        top = ROWS - 1 if start == ROWS else np.int64(t["sparse_row"])
        for k in range(start):
            s["card"][sphere * ROWS + top - k] = ideas[n]
            s["zone"][ideas[n]] = Zone.MARKET
            n += 1
    for k in range(n, np.int64(t["deck_ideas"])):
        s["zone"][ideas[k]] = Zone.BOTTOM if k - n < t["bottom_ideas"] else Zone.TOP
    n = np.int64(t["deck_ideas"])
    first = draw_from(s, t, Zone.TOP)
    s["card"][SLOTS] = first
    s["visible"][0] = t["left"][first]
    s["zone"][first] = Zone.SPLAY
    s["splay_length"] = 1
    for seat in range(s["num_players"]):
        for _ in range(t["hidden_dealt"]):
            s["zone"][ideas[n]] = Zone.DEALT + s["color_of"][seat]
            n += 1
    if s["solo"] == 0:
        return
    for party in range(s["num_players"], s["parties"]):
        c = s["color_of"][party]
        s["zone"][ideas[n]] = Zone.DEALT + c
        s["hidden"][c] = t["left"][ideas[n]]
        n += 1
    for k in range(n, total):
        s["zone"][ideas[k]] = Zone.EXO_REST
    reveal_next(s, t)
