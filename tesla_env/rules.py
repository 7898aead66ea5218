"""What is legal, and what an action does: the course of the game."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env import actions as ids
from tesla_env.auction import do_auction, do_bid, do_draft, list_auction, list_bids, list_draft
from tesla_env.bookkeeping import end_action
from tesla_env.claims import do_claim, list_claims
from tesla_env.constants import Phase
from tesla_env.market import can_trade, do_market, do_trade, list_trades
from tesla_env.masks import bit, is_single, list_ids, lowest
from tesla_env.propaganda import can_propagate, do_card, do_move, do_propaganda, list_cards, list_moves
from tesla_env.technology import can_advance, do_advance, list_advances


@jit
def legal(states, i, tables, actions):
    """The actions of the pending decision; see ``core.batch.legal``."""
    s = states[i]
    phase = s["phase"]
    if phase == Phase.ACT:
        return list_acts(states, i, tables, actions)
    if phase == Phase.USE:
        return list_ids(s["ready"][s["player"]], ids.USE, actions, 0)
    if phase == Phase.BID:
        return list_bids(states, i, actions)
    if phase == Phase.MOVE or phase == Phase.CARD_MOVE:
        return list_moves(states, i, tables, actions)
    if phase == Phase.MARKET:
        return list_trades(states, i, tables, actions)
    if phase == Phase.CARD:
        return list_cards(states, i, actions)
    if phase == Phase.AUCTION:
        return list_auction(states, i, actions)
    return list_draft(states, i, actions)


@jit
def list_acts(states, i, tables, actions):
    """One luminary may do anything, several only advance; more may join if that leads to an advance (T-12)."""
    s = states[i]
    seat = np.int64(s["player"])
    selected = np.int64(s["selected"][seat])
    ready = np.int64(s["ready"][seat])
    count = 0
    if is_single(selected):
        count = list_claims(states, i, tables, seat, lowest(selected), actions, count)
        if can_propagate(states, i, tables):
            actions[count] = ids.PROPAGANDA
            count += 1
        if can_trade(states, i, tables):
            actions[count] = ids.MARKET
            count += 1
        actions[count] = ids.EXHAUST
        count += 1
    count = list_advances(states, i, tables, seat, selected, actions, count)
    if ready != 0 and can_advance(states, i, tables, seat, selected | ready):
        count = list_ids(ready, ids.USE, actions, count)
    return count


@jit
def step(states, i, tables, action):
    """Carry out an action and all that is automatic after it; see ``core.batch.step``."""
    s = states[i]
    phase = s["phase"]
    ended = False
    if phase == Phase.ACT:
        ended = act(states, i, tables, action)
    elif phase == Phase.USE:
        use(states, i, action - ids.USE)
    elif phase == Phase.BID:
        do_bid(states, i, tables, action)
    elif phase == Phase.MOVE or phase == Phase.CARD_MOVE:
        ended = do_move(states, i, tables, action)
    elif phase == Phase.MARKET:
        ended = do_trade(states, i, tables, action)
    elif phase == Phase.CARD:
        do_card(states, i, action - ids.CARD)
    elif phase == Phase.AUCTION:
        do_auction(states, i, tables, action - ids.AUCTION)
    else:
        do_draft(states, i, tables, action - ids.DRAFT)
    if ended:
        end_action(states, i, tables)


@jit
def use(states, i, luminary):
    """A ready luminary is selected (RB Actions)."""
    s = states[i]
    seat = np.int64(s["player"])
    s["ready"][seat] &= ~bit(luminary)
    s["selected"][seat] |= bit(luminary)
    s["phase"] = Phase.ACT


@jit
def act(states, i, tables, action):
    """One of the four actions, a pass, or one luminary more; returns whether the action is at its end."""
    if action < ids.CLAIM:
        use(states, i, action - ids.USE)
        return False
    if action == ids.PROPAGANDA:
        do_propaganda(states, i, tables)
        return False
    if action == ids.MARKET:
        do_market(states, i)
        return False
    if action < ids.FIRST_ADVANCE:
        do_claim(states, i, tables, action)
    elif action < ids.PROPAGANDA:
        do_advance(states, i, tables, action)
    return True


@jit
def truncate(states, i, tables):
    """Nothing to adjust: the phase keeps its word, scores count as they stand."""
