"""The draft, the start of a game phase and the luminary auctions (RB Getting Started, Luminary Auctions)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import at
from core.rng import draw_from_counts
from tesla_env import actions as ids
from tesla_env.constants import (
    INVENTORS,
    LUMINARY_DECKS,
    MAX_BID,
    NOBODY,
    NOTHING,
    PROPAGANDA_DECKS,
    SEATS,
    TRACKS,
    Phase,
)
from tesla_env.masks import bit, draw, list_ids
from tesla_env.turns import game_phase, start_turn

# The draft


@jit
def list_draft(states, i, actions):
    """Companies nobody has taken (RB Company Draft)."""
    s = states[i]
    count = 0
    for company in range(INVENTORS):
        if s["seat_of"][company] == NOBODY:
            actions[count] = ids.DRAFT + company
            count += 1
    return count


@jit
def take_company(states, i, tables, seat, company):
    """A seat receives its company with all that belongs to it (RB Company Draft)."""
    s = states[i]
    t = tables[0]
    s["company"][seat] = company
    s["seat_of"][company] = seat
    s["ready"][seat] |= bit(company)
    s["price"][seat] = t["price_start"]
    s["market"][seat] = t["open_market"]
    s["aside"][seat] = t["set_aside"]
    for track in range(TRACKS):
        s["tech"][seat, track] = t["start_level"][track]
    s["present"][seat] = lowest_free_spot(s["present"], np.int64(t["spots"]))
    s["future"][seat] = lowest_free_spot(s["future"], np.int64(t["spots"]))


@jit
def lowest_free_spot(track, spot):
    """The lowest spot of a fame track without a marker; ``spot`` is the bottom (RB Company Draft)."""
    for _ in range(SEATS):
        free = True
        for seat in range(SEATS):
            if track[seat] == spot:
                free = False
        if free:
            break
        spot -= 1
    return spot


@jit
def do_draft(states, i, tables, company):
    """T-1: the draft goes by seat; after the last one the first auction begins."""
    s = states[i]
    seat = np.int64(s["player"])
    take_company(states, i, tables, seat, company)
    if seat + 1 < s["num_players"]:
        s["player"] = seat + 1
    else:
        start_phase(states, i, tables)


# The start of a game phase


@jit
def start_phase(states, i, tables):
    """New luminaries come on offer, in phase 2 with the certificates, and the auction opens (RB Luminary Auctions)."""
    s = states[i]
    g = game_phase(s["turn"])
    if g <= LUMINARY_DECKS:
        reveal_luminaries(states, i, tables, g)
    if g == 2:
        deal_certificates(states, i)
    open_auction(states, i, tables)


@jit
def reveal_luminaries(states, i, tables, g):
    """T-3: a deck is drawn from the cards of its own phase; the others are out of the game."""
    s = states[i]
    t = tables[0]
    candidates = np.int64(t["luminary_phase_mask"][g])
    size = np.int64(t["luminary_deck"][s["num_players"], g])
    s["offer"] |= draw(s["rng"], s["luminary_pool"] & candidates, size)
    s["luminary_pool"] &= ~candidates


@jit
def deal_certificates(states, i):
    """T-7, T-9: the certificates set aside are dealt to the luminaries on offer that carry none."""
    s = states[i]
    left = 0
    for seat in range(SEATS):
        left += np.int64(s["aside"][seat])
    offer = np.int64(s["offer"]) >> INVENTORS
    k = 0
    while offer != 0 and left > 0:
        if offer & 1 != 0 and s["certificate"][k] == NOBODY:
            seat = draw_from_counts(s["rng"], s["aside"], left)
            s["aside"][seat] -= 1
            s["certificate"][k] = seat
            left -= 1
        offer >>= 1
        k += 1


# The auction


@jit
def opener(states, i):
    """T-4: the highest on the present track that has acquired nothing and has cash; the highest if none has cash."""
    s = states[i]
    found = NOBODY
    found_cash = False
    for seat in range(s["num_players"]):
        if s["acquired"][seat] == 0:
            has_cash = s["cash"][seat] >= 1
            if (
                found == NOBODY
                or (has_cash and not found_cash)
                or (has_cash == found_cash and s["present"][seat] < s["present"][found])
            ):
                found = seat
                found_cash = has_cash
    return found


@jit
def open_auction(states, i, tables):
    """The next luminary is chosen by the opener, or the auction ends (RB Luminary Auctions)."""
    s = states[i]
    seat = opener(states, i)
    if seat == NOBODY or s["offer"] == 0:
        end_auction(states, i, tables)
    else:
        s["phase"] = Phase.AUCTION
        s["player"] = seat


@jit
def end_auction(states, i, tables):
    """T-35: the old propaganda cards leave, those of the game phase are revealed, and the turn starts."""
    s = states[i]
    t = tables[0]
    for seat in range(SEATS):
        s["acquired"][seat] = 0
    g = min(game_phase(s["turn"]), PROPAGANDA_DECKS)
    candidates = np.int64(t["card_phase_mask"][g])
    size = np.int64(t["propaganda_deck"][s["num_players"], g])
    s["cards"] = draw(s["rng"], s["propaganda_pool"] & candidates, size)
    s["propaganda_pool"] &= ~candidates
    start_turn(states, i, tables)


@jit
def list_auction(states, i, actions):
    """Every luminary on offer can be put up (RB Luminary Auctions)."""
    return list_ids(np.int64(states[i]["offer"]) >> INVENTORS, ids.AUCTION + INVENTORS, actions, 0)


@jit
def do_auction(states, i, tables, luminary):
    """Put a luminary up; T-4 and T-5: the last seat, or one without cash, takes it at once for at most 1."""
    s = states[i]
    seat = np.int64(s["player"])
    left = 0
    for other in range(s["num_players"]):
        left += 1 - s["acquired"][other]
    s["luminary"] = luminary
    if left == 1 or s["cash"][seat] == 0:
        acquire(states, i, tables, seat, min(1, np.int64(s["cash"][seat])))
    else:
        s["phase"] = Phase.BID


@jit
def list_bids(states, i, actions):
    """T-6: higher bids within the bidder's cash, and a pass once there is a bid."""
    s = states[i]
    low = np.int64(s["bid"]) + 1
    high = min(np.int64(s["cash"][s["player"]]), MAX_BID)
    count = max(0, high + 1 - low)
    for k in range(count):
        actions[at(0, k)] = ids.BID + low + k
    if s["bidder"] != NOBODY:
        actions[count] = ids.PASS
        count += 1
    return count


@jit
def next_bidder(states, i, seat):
    """The next seat after one, in ascending order, that can still bid for the luminary."""
    s = states[i]
    n = np.int64(s["num_players"])
    other = seat
    for _ in range(n):
        other += 1
        if other == n:
            other = 0
        if s["acquired"][other] == 0 and s["passed"][other] == 0:
            break
    return other


@jit
def do_bid(states, i, tables, action):
    """A bid or a pass; when only the high bidder is left he takes the luminary (RB Luminary Auctions)."""
    s = states[i]
    seat = np.int64(s["player"])
    if action == ids.PASS:
        s["passed"][seat] = 1
    else:
        s["bid"] = action - ids.BID
        s["bidder"] = seat
    following = next_bidder(states, i, seat)
    if following == s["bidder"]:
        acquire(states, i, tables, following, np.int64(s["bid"]))
    else:
        s["player"] = following


@jit
def acquire(states, i, tables, seat, payment):
    """Pay, take the luminary and the certificate on it; then the auction goes on (RB Luminary Auctions)."""
    s = states[i]
    luminary = np.int64(s["luminary"])
    s["cash"][seat] -= payment
    s["ready"][seat] |= bit(luminary)
    s["offer"] &= ~bit(luminary)
    take_certificate(states, i, tables, seat, luminary - INVENTORS)
    s["acquired"][seat] = 1
    s["luminary"] = NOTHING
    s["bid"] = 0
    s["bidder"] = NOBODY
    for other in range(SEATS):
        s["passed"][other] = 0
    open_auction(states, i, tables)


@jit
def take_certificate(states, i, tables, seat, k):
    """T-8: a certificate beyond the limit on a rival's company goes to the open market, at the same price."""
    s = states[i]
    company = np.int64(s["certificate"][k])
    if company == NOBODY:
        return
    s["certificate"][k] = NOBODY
    if company != seat and s["shares"][seat, company] >= tables[0]["rival_limit"]:
        s["market"][company] += 1
    else:
        s["shares"][seat, company] += 1
