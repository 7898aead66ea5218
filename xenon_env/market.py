"""WIPE, BUY and BID: the lines and what a player does with them."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from xenon_env.actions import BID, BID_NONE, BUY, BUY_INSTALL, MOVE
from xenon_env.constants import (
    DECK,
    FIRST_CONTRACT,
    FIRST_PIPELINE,
    FIRST_UPGRADE,
    LINES,
    NONE,
    SEATS,
    SLOTS,
    Card,
    Deal,
    Line,
    Phase,
    Step,
)
from xenon_env.piles import discard_card, discard_drawn, discard_untaken, draw, restock

ENGINEER_CARDS = 6
BUYER_PURCHASES = 3
SALES_FACTOR = 3


# WIPE


@jit
def wipe(s, t, line):
    """Wipe a line and restock it (WIPE, X-18)."""
    discard_untaken(s, line)
    restock(s, t, line)
    s["turn_step"] = Step.MARKET


@jit
def wipe_with_engineer(s, t, seat, line):
    """Wipe a line and draw six cards to choose from (Engineer, X-19)."""
    discard_untaken(s, line)
    discard_card(s, seat, Card.ENGINEER)
    s["wiped"] = line
    for _ in range(ENGINEER_CARDS):
        kind = draw(s["rng"], s["deck"][line], s["deck_discard"][line])
        if kind == NONE:
            break
        s["drawn"][kind] += 1
    fill_or_finish(s, t)


@jit
def choose(s, t, kind):
    """A drawn card into the lowest empty slot (X-19)."""
    line = np.int64(s["wiped"])
    s["drawn"][kind] -= 1
    s["line_card"][line][empty_slot(s, t, line)] = kind + (FIRST_CONTRACT if line == Line.CONTRACT else FIRST_UPGRADE)
    fill_or_finish(s, t)


@jit
def fill_or_finish(s, t):
    """Ask for the next card while a slot is empty and a drawn card left; else end the wiping (X-19)."""
    line = np.int64(s["wiped"])
    left = 0
    for kind in range(DECK):
        left += s["drawn"][kind]
    if left > 0 and empty_slot(s, t, line) != NONE:
        s["phase"] = Phase.CHOOSE
        return
    discard_drawn(s, line)
    s["wiped"] = NONE
    s["turn_step"] = Step.MARKET
    s["phase"] = Phase.MARKET


@jit
def empty_slot(s, t, line):
    """The lowest empty slot of a line, NONE if it is full."""
    for slot in range(t["line_size"][s["num_players"]]):
        if s["line_card"][line][slot] == NONE:
            return slot
    return NONE


# BUY


@jit
def agent_on(s, seat):
    """An Agent was played this turn or is installed."""
    return s["agent"] or s["installed"][seat][Card.AGENT - FIRST_UPGRADE]


@jit
def sales_on(s, seat):
    """A Sales Executive was played this turn or is installed."""
    return s["sales_executive"] or s["installed"][seat][Card.SALES_EXECUTIVE - FIRST_UPGRADE]


@jit
def may_buy(s, seat):
    """A purchase is left this turn (BUY, X-23, X-24)."""
    if s["deal"] == Deal.BID and not agent_on(s, seat):
        return False
    if s["buyer"]:
        limit = BUYER_PURCHASES
    else:
        limit = 2 if s["overtime"][seat] else 1
    return s["purchases"] < limit


@jit
def surcharge(s, seat, line, slot):
    """What the bid tokens on a slot add to the price: the others' less the own (BUY, BID, X-25)."""
    tokens = s["line_tokens"][line][slot]
    extra = -2 * np.int64(tokens[seat])
    for other in range(SEATS):
        extra += tokens[other]
    return extra


@jit
def list_purchases(s, t, seat, actions, count):
    """``buy:`` and ``buy_install:`` for every card the seat can pay and take."""
    if not may_buy(s, seat):
        return count
    for line in range(LINES):
        for slot in range(SLOTS):
            card = np.int64(s["line_card"][line][slot])
            if card == NONE:
                continue
            budget = s["money"][seat] - surcharge(s, seat, line, slot)
            if t["buy"][card] <= budget and can_take(s, seat, card):
                actions[count] = BUY + line * SLOTS + slot
                count += 1
            if line == Line.UPGRADE and can_install_from_line(s, t, seat, card, budget):
                actions[count] = BUY_INSTALL + slot
                count += 1
    return count


@jit
def can_take(s, seat, card):
    """One open contract, and one pipeline of a colour, at a time; upgrades without limit (Contracts, Pipelines)."""
    if card >= FIRST_PIPELINE:
        return s["pipelines"][seat][card - FIRST_PIPELINE] == 0
    return card < FIRST_CONTRACT or s["contract"][seat] == NONE


@jit
def can_install_from_line(s, t, seat, card, budget):
    """The upgrade has an INSTALL price, the seat can pay it and has none installed (INSTALLing, X-27)."""
    price = t["install"][card]
    return price != NONE and price <= budget and s["installed"][seat][card - FIRST_UPGRADE] == 0


@jit
def buy(s, t, seat, line, slot, install):
    """Pay, settle the tokens, take the card (BUY, X-25, X-26)."""
    card = np.int64(s["line_card"][line][slot])
    price = t["install"][card] if install else t["buy"][card]
    s["money"][seat] -= price + surcharge(s, seat, line, slot)
    tokens = s["line_tokens"][line][slot]
    for owner in range(s["num_players"]):
        if owner != seat:
            s["money"][owner] += tokens[owner]
        s["tokens"][owner] += tokens[owner]
        tokens[owner] = 0
    s["line_card"][line][slot] = NONE
    s["purchases"] += 1
    if s["deal"] == Deal.NONE:
        s["deal"] = Deal.BID if agent_on(s, seat) else Deal.BUY
    if card >= FIRST_PIPELINE:
        s["pipelines"][seat][card - FIRST_PIPELINE] = 1
    elif card >= FIRST_CONTRACT:
        s["contract"][seat] = card - FIRST_CONTRACT
    elif install:
        s["installed"][seat][card - FIRST_UPGRADE] = 1
    else:
        s["discard"][seat][card] += 1


# BID


@jit
def bids_needed(s, seat):
    """Placements or moves that the BID asks for (BID, OVERTIME)."""
    return 2 if s["overtime"][seat] else 1


@jit
def may_bid(s, seat):
    """A placement or move is left this turn (X-22)."""
    if s["deal"] == Deal.BUY or s["bid_none"]:
        return False
    most = bids_needed(s, seat)
    if sales_on(s, seat):
        most *= SALES_FACTOR
    return s["bids"] < most


@jit
def list_bids(s, seat, actions, count):
    """``bid:`` and ``move:`` for every token that can be placed or moved (X-20, X-21)."""
    if not may_bid(s, seat):
        return count
    supply = s["tokens"][seat]
    occupied = 0
    for place in range(LINES * SLOTS):
        if s["line_card"][place // SLOTS][place % SLOTS] != NONE:
            occupied |= 1 << place
            if supply > 0:
                actions[count] = BID + place
                count += 1
    for place in range(LINES * SLOTS):
        if s["line_tokens"][place // SLOTS][place % SLOTS][seat] > 0:
            action = MOVE + place * (LINES * SLOTS - 1)
            for other in range(LINES * SLOTS):
                if other != place:
                    if occupied >> other & 1:
                        actions[count] = action
                        count += 1
                    action += 1
    if s["bids"] < bids_needed(s, seat) and (supply == 0 or occupied == 0):
        actions[count] = BID_NONE
        count += 1
    return count


@jit
def place_token(s, seat, place):
    """A token from the seat's supply onto a slot."""
    s["tokens"][seat] -= 1
    s["line_tokens"][place // SLOTS][place % SLOTS][seat] += 1


@jit
def bid(s, seat, place):
    """Place a token as a BID."""
    place_token(s, seat, place)
    s["bids"] += 1
    s["deal"] = Deal.BID


@jit
def move_token(s, seat, source, target):
    """Move a token as a BID (X-21)."""
    s["line_tokens"][source // SLOTS][source % SLOTS][seat] -= 1
    s["line_tokens"][target // SLOTS][target % SLOTS][seat] += 1
    s["bids"] += 1
    s["deal"] = Deal.BID


@jit
def list_placements(s, actions):
    """Refrigeration's tokens: on any card, or no more (X-14)."""
    actions[0] = BID_NONE
    count = 1
    for place in range(LINES * SLOTS):
        if s["line_card"][place // SLOTS][place % SLOTS] != NONE:
            actions[count] = BID + place
            count += 1
    return count


@jit
def may_end_market(s, seat):
    """BUY or BID has been done as far as it must (BUY or BID, X-20, X-22)."""
    if s["bid_none"]:
        return True
    if s["overtime"][seat]:
        return s["bids"] >= 2
    return s["purchases"] > 0 or s["bids"] > 0
