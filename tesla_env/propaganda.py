"""Propaganda: moves on the fame tracks and cards (RB 3 - Engage in Propaganda)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env import actions as ids
from tesla_env.constants import MAX_STEPS, NOBODY, NOTHING, Fame, Phase, Rating
from tesla_env.masks import bit, list_ids, lowest
from tesla_env.turns import game_phase


@jit
def propaganda_rating(states, i, tables):
    """The propaganda rating of the acting luminary."""
    s = states[i]
    return np.int64(tables[0]["rating"][lowest(s["selected"][s["player"]]), Rating.PROPAGANDA])


@jit
def can_propagate(states, i, tables):
    """T-26: a rating, or a card to take."""
    return states[i]["cards"] != 0 or propaganda_rating(states, i, tables) > 0


@jit
def do_propaganda(states, i, tables):
    """The luminary's own move comes first, if it has a rating; else straight to the card."""
    states[i]["phase"] = Phase.MOVE if propaganda_rating(states, i, tables) > 0 else Phase.CARD


@jit
def list_fame_moves(states, i, tables, limit, actions, count):
    """T-23: any marker, either way, as far as the track goes."""
    s = states[i]
    spots = np.int64(tables[0]["spots"])
    for seat in range(s["num_players"]):
        start = ids.FAME + 2 * MAX_STEPS * np.int64(s["company"][seat])
        spot = np.int64(s["future"][seat])
        for steps in range(1, min(limit, spot - 1) + 1):
            actions[count] = start + steps
            count += 1
        for steps in range(1, min(limit, spots - spot) + 1):
            actions[count] = start + MAX_STEPS + steps
            count += 1
    return count


@jit
def list_current_moves(states, i, tables, limit, actions, count):
    """T-23: towards AC or DC, as far as the track goes."""
    s = states[i]
    t = tables[0]
    current = np.int64(s["current"])
    for steps in range(1, min(limit, t["current_max"] - current) + 1):
        actions[count] = ids.CURRENT + steps
        count += 1
    for steps in range(1, min(limit, current - t["current_min"]) + 1):
        actions[count] = ids.CURRENT + MAX_STEPS + steps
        count += 1
    return count


@jit
def list_moves(states, i, tables, actions):
    """T-22, T-27: the rating moves either track, a card its own; or no move at all."""
    s = states[i]
    t = tables[0]
    fame = True
    current = True
    limit = np.int64(0)
    if s["phase"] == Phase.MOVE:
        limit += propaganda_rating(states, i, tables)
    else:
        limit += np.int64(t["card_steps"][s["card"]])
        fame = t["card_track"][s["card"]] == Fame.COMPANY
        current = not fame
    actions[0] = ids.SKIP
    count = 1
    if fame:
        count = list_fame_moves(states, i, tables, limit, actions, count)
    if current:
        count = list_current_moves(states, i, tables, limit, actions, count)
    return count


@jit
def do_move(states, i, tables, action):
    """Carry out a move of the rating or of a card; returns whether the action is at its end."""
    s = states[i]
    if action <= ids.CURRENT:
        k = action - ids.FAME - 1
        steps = k % (2 * MAX_STEPS) + 1
        if steps > MAX_STEPS:
            steps = MAX_STEPS - steps
        displace(states, i, np.int64(s["seat_of"][k // (2 * MAX_STEPS)]), steps)
    elif action < ids.SKIP:
        steps = action - ids.CURRENT
        if steps > MAX_STEPS:
            steps = MAX_STEPS - steps
        s["current"] += steps
    if s["phase"] == Phase.CARD_MOVE:
        collect(states, i, tables)
        return True
    if s["cards"] != 0:
        s["phase"] = Phase.CARD
        return False
    return True


@jit
def displace(states, i, seat, steps):
    """T-24: the marker goes up by steps; the block packed behind its target shifts one spot to where it came from."""
    s = states[i]
    spot = np.int64(s["future"][seat]) - steps
    back = 1 if steps > 0 else -1
    moving = seat
    for _ in range(s["num_players"]):
        pushed = NOBODY
        for other in range(s["num_players"]):
            if other != moving and s["future"][other] == spot:
                pushed = other
        s["future"][moving] = spot
        if pushed == NOBODY:
            break
        moving = pushed
        spot += back


@jit
def list_cards(states, i, actions):
    """T-25: one of the revealed cards must be taken."""
    return list_ids(states[i]["cards"], ids.CARD, actions, 0)


@jit
def do_card(states, i, card):
    """The card leaves the table; its move comes next."""
    s = states[i]
    s["cards"] &= ~bit(card)
    s["card"] = card
    s["phase"] = Phase.CARD_MOVE


@jit
def collect(states, i, tables):
    """The card's cash and the finance of the luminary; the card leaves the game (RB 3 - Engage in Propaganda)."""
    s = states[i]
    t = tables[0]
    seat = np.int64(s["player"])
    finance = np.int64(t["rating"][lowest(s["selected"][seat]), Rating.FINANCE])
    s["cash"][seat] += np.int64(t["card_cash"][s["card"]]) + finance * game_phase(s["turn"])
    s["card"] = NOTHING
