"""What a seat sees: everything but the draws to come, its own seat first, absent seats zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.jit import jit
from core.layout import Block, ObservationLayout, at
from tesla_env.constants import (
    CARDS,
    CITIES,
    CURRENT_CENTRE,
    HIRED,
    INVENTORS,
    LEVELS,
    LUMINARIES,
    MAX_SPOTS,
    NOBODY,
    NOTHING,
    PHASES,
    PROJECTS,
    RATINGS,
    SEATS,
    TOP_LEVELS,
    TRACK_NAMES,
    TRACKS,
    TURNS,
    Trade,
)
from tesla_env.masks import bit, size
from tesla_env.ratings import show_ratings, total

MONEY = 1 / 100
CASH_SHOWN = 10_000  # no game gets near it; it keeps artificial positions within the observation's bounds
PRICE = 1 / 100
PROFIT = 1 / 50
SCORE = 1 / 1000
COUNT = 1 / 6
CLAIMS = 1 / 10
LEVEL = 1 / (LEVELS - 1)
SPOT = 1 / MAX_SPOTS
RATING = 1 / 10
GAIN = 1 / 3
WAY = 1 / 10

SEAT_FEATURES = (
    "seated",
    *(f"company{k}" for k in range(INVENTORS)),
    "cash",
    "price",
    "profit",
    "score",
    "market",
    "set_aside",
    "present",
    "future",
    *TRACK_NAMES,
    "claims",
    "acquired",
    "passed",
    "bidder",
    "bought",
    "sold",
    "inventor_active",
    "ready",
    "exhausted",
    *(f"ready_{rating}" for rating in RATINGS),
    *(f"all_{rating}" for rating in RATINGS),
)
LUMINARY_FEATURES = ("own_ready", "own_selected", "own_exhausted", "rival")
OFFER_FEATURES = ("offered", "own_certificate", "rival_certificate", "certificate_price")
PROJECT_FEATURES = ("open", "own", "rival")
PATENTS = sum(TOP_LEVELS) - TRACKS


def _grid(name: str, rows: Sequence[str], columns: Sequence[str], doc: str) -> Block:
    return Block.of(name, [f"{row}.{column}" for row in rows for column in columns], doc, joint=".")


def observation_layout(
    companies: Sequence[str],
    hired: Sequence[str],
    cards: Sequence[str],
    cities: Sequence[str],
    projects: Sequence[str],
) -> ObservationLayout:
    """The features of a game with these components. Seats are relative: seat 0 is the observer."""
    seats = [f"seat{k}" for k in range(SEATS)]
    patents = [f"{TRACK_NAMES[k]}_{level}" for k in range(TRACKS) for level in range(2, TOP_LEVELS[k] + 1)]
    return ObservationLayout(
        [
            Block.of("phase", PHASES, "the pending decision, one-hot", joint="."),
            Block.of("turn", range(1, TURNS + 1), "one-hot", joint="."),
            Block.of("mover", seats, "seat to move, one-hot; zero when the game is over", joint="."),
            _grid("seat", seats, SEAT_FEATURES, "state of each seat and of its company"),
            _grid("shares", seats, seats, "certificates / 6, [holder, company's seat]"),
            _grid("luminary", LUMINARY_FEATURES, [*companies, *hired], "where each luminary is"),
            _grid("offer", OFFER_FEATURES, hired, "luminaries on offer; price of the certificate's company / 100"),
            Block.of("up", hired, "the luminary bid for, one-hot", joint="."),
            Block.of("bid", doc="high bid / 100"),
            Block.of("rating", RATINGS, "of the selected luminaries together, or of the one bid for, / 10", joint="."),
            Block.of("card", cards, "revealed propaganda cards", joint="."),
            Block.of("taken", cards, "propaganda card being carried out", joint="."),
            Block.of("card_pool", cards, "candidates of the decks to come", joint="."),
            Block.of("luminary_pool", hired, "candidates of the decks to come", joint="."),
            Block.of("current", ("marker", "ac", "dc"), "AC/DC marker and its stock gains / 3", joint="."),
            _grid("patent", patents, seats, "holder of each patent, one-hot"),
            _grid("project", PROJECT_FEATURES, projects, "unclaimed and in play, own, or a rival's"),
            Block.of("between", cities, "cities between this one and the nearest own project / 10", joint="."),
        ]
    )


OBSERVATION = observation_layout(
    *([f"{count}_{k}" for k in range(count)] for count in (INVENTORS, HIRED, CARDS, CITIES, PROJECTS))
)
"""The layout with numbers for names; a game's own has the ids of its components."""

_PHASE = OBSERVATION.start("phase")
_TURN = OBSERVATION.start("turn") - 1
_MOVER = OBSERVATION.start("mover")
_SEAT = OBSERVATION.start("seat")
_SEAT_WIDTH = len(SEAT_FEATURES)
_SHARES = OBSERVATION.start("shares")
_LUMINARY = OBSERVATION.start("luminary")
_OFFER = OBSERVATION.start("offer")
_UP = OBSERVATION.start("up")
_BID = OBSERVATION.start("bid")
_RATING = OBSERVATION.start("rating")
_CARD = OBSERVATION.start("card")
_TAKEN = OBSERVATION.start("taken")
_CARD_POOL = OBSERVATION.start("card_pool")
_LUMINARY_POOL = OBSERVATION.start("luminary_pool")
_CURRENT = OBSERVATION.start("current")
_PATENT = OBSERVATION.start("patent")
_PROJECT = OBSERVATION.start("project")
_BETWEEN = OBSERVATION.start("between")

# Where the features of a seat begin in its row
_AT_COMPANY = SEAT_FEATURES.index("company0")
_AT_CASH = SEAT_FEATURES.index("cash")
_AT_PRICE = SEAT_FEATURES.index("price")
_AT_PROFIT = SEAT_FEATURES.index("profit")
_AT_SCORE = SEAT_FEATURES.index("score")
_AT_MARKET = SEAT_FEATURES.index("market")
_AT_SET_ASIDE = SEAT_FEATURES.index("set_aside")
_AT_PRESENT = SEAT_FEATURES.index("present")
_AT_FUTURE = SEAT_FEATURES.index("future")
_AT_TECH = SEAT_FEATURES.index("ac")
_AT_CLAIMS = SEAT_FEATURES.index("claims")
_AT_ACQUIRED = SEAT_FEATURES.index("acquired")
_AT_PASSED = SEAT_FEATURES.index("passed")
_AT_BIDDER = SEAT_FEATURES.index("bidder")
_AT_BOUGHT = SEAT_FEATURES.index("bought")
_AT_SOLD = SEAT_FEATURES.index("sold")
_AT_INVENTOR_ACTIVE = SEAT_FEATURES.index("inventor_active")
_AT_READY = SEAT_FEATURES.index("ready")
_AT_EXHAUSTED = SEAT_FEATURES.index("exhausted")
_AT_READY_RATINGS = SEAT_FEATURES.index("ready_invention")
_AT_ALL_RATINGS = SEAT_FEATURES.index("all_invention")


@jit
def places_after(seat, other, n):
    """How many places a seat sits after the observer; cheaper than a remainder."""
    k = np.int64(other) - seat
    return k + n if k < 0 else k


@jit
def show_set(mask, start, width, out):
    """One feature a number: whether it is in the mask."""
    for k in range(width):
        out[at(start, k)] = np.float32(mask & bit(k) != 0)


@jit
def observe(states, i, tables, seat, out):
    """Write the observation of a seat; see ``core.batch.observe``."""
    s = states[i]
    for k in range(out.shape[0]):
        out[at(0, k)] = 0.0
    n = np.int64(s["num_players"])
    out[at(_PHASE, s["phase"])] = 1.0
    out[at(_TURN, s["turn"])] = 1.0
    if s["player"] >= 0:
        out[at(_MOVER, places_after(seat, s["player"], n))] = 1.0
    p = seat
    for k in range(n):
        see_seat(states, i, tables, seat, p, _SEAT + _SEAT_WIDTH * k, _SHARES + SEATS * k, out)
        p += 1
        if p == n:
            p = np.int64(0)
    see_luminaries(states, i, tables, seat, out)
    see_offer(states, i, seat, out)
    see_cards(states, i, out)
    see_technology(states, i, tables, seat, out)
    see_map(states, i, tables, seat, out)


@jit
def see_seat(states, i, tables, seat, p, row, shares, out):
    """Seat p as another sees it, from features ``row`` and ``shares`` on."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    company = np.int64(s["company"][p])
    price = np.int64(s["price"][p])
    ready = np.int64(s["ready"][p])
    exhausted = np.int64(s["exhausted"][p])
    score = np.int64(t["preferred_worth"]) * price
    for other in range(n):
        held = np.int64(s["shares"][p, other])
        score += held * s["price"][other]
        out[at(shares, places_after(seat, other, n))] = held * COUNT
    out[at(row, 0)] = 1.0
    if company != NOTHING:
        out[at(row, _AT_COMPANY + company)] = 1.0
        out[at(row, _AT_INVENTOR_ACTIVE)] = np.float32(exhausted & bit(company) == 0)
    out[at(row, _AT_CASH)] = min(np.int64(s["cash"][p]), CASH_SHOWN) * MONEY
    out[at(row, _AT_PRICE)] = price * PRICE
    out[at(row, _AT_PROFIT)] = t["profit"][price] * PROFIT
    out[at(row, _AT_SCORE)] = score * SCORE
    out[at(row, _AT_MARKET)] = s["market"][p] * COUNT
    out[at(row, _AT_SET_ASIDE)] = s["aside"][p] * COUNT
    out[at(row, _AT_PRESENT)] = s["present"][p] * SPOT
    out[at(row, _AT_FUTURE)] = s["future"][p] * SPOT
    for track in range(TRACKS):
        out[at(row, _AT_TECH + track)] = s["tech"][p, track] * LEVEL
    out[at(row, _AT_CLAIMS)] = s["claims"][p] * CLAIMS
    out[at(row, _AT_ACQUIRED)] = s["acquired"][p]
    out[at(row, _AT_PASSED)] = s["passed"][p]
    out[at(row, _AT_BIDDER)] = np.float32(s["bidder"] == p)
    out[at(row, _AT_BOUGHT)] = np.float32(s["traded"][p] == Trade.BOUGHT)
    out[at(row, _AT_SOLD)] = np.float32(s["traded"][p] == Trade.SOLD)
    out[at(row, _AT_READY)] = size(ready) * COUNT
    out[at(row, _AT_EXHAUSTED)] = size(exhausted) * COUNT
    show_ratings(total(tables, ready), RATING, row + _AT_READY_RATINGS, out)
    show_ratings(total(tables, ready | s["selected"][p] | exhausted), RATING, row + _AT_ALL_RATINGS, out)


@jit
def see_luminaries(states, i, tables, seat, out):
    """Where each luminary is, and what those in use or up for auction are good for."""
    s = states[i]
    in_use = np.int64(0)
    others = np.int64(0)
    for p in range(s["num_players"]):
        in_use |= s["selected"][p]
        if p != seat:
            others |= np.int64(s["ready"][p]) | s["selected"][p] | s["exhausted"][p]
    show_set(np.int64(s["ready"][seat]), _LUMINARY, LUMINARIES, out)
    show_set(np.int64(s["selected"][seat]), _LUMINARY + LUMINARIES, LUMINARIES, out)
    show_set(np.int64(s["exhausted"][seat]), _LUMINARY + 2 * LUMINARIES, LUMINARIES, out)
    show_set(others, _LUMINARY + 3 * LUMINARIES, LUMINARIES, out)
    if s["luminary"] != NOTHING:
        in_use |= bit(s["luminary"])
        out[at(_UP, s["luminary"] - INVENTORS)] = 1.0
    out[_BID] = s["bid"] * MONEY
    show_ratings(total(tables, in_use), RATING, _RATING, out)


@jit
def see_offer(states, i, seat, out):
    """Luminaries on offer with the certificates on them, and those that may yet come."""
    s = states[i]
    show_set(np.int64(s["offer"]) >> INVENTORS, _OFFER, HIRED, out)
    show_set(np.int64(s["luminary_pool"]) >> INVENTORS, _LUMINARY_POOL, HIRED, out)
    for k in range(HIRED):
        company = np.int64(s["certificate"][k])
        if company != NOBODY:
            out[at(_OFFER + HIRED, k)] = np.float32(company == seat)
            out[at(_OFFER + 2 * HIRED, k)] = np.float32(company != seat)
            out[at(_OFFER + 3 * HIRED, k)] = s["price"][company] * PRICE


@jit
def see_cards(states, i, out):
    """Propaganda cards on the table, in hand and yet to come."""
    s = states[i]
    show_set(np.int64(s["cards"]), _CARD, CARDS, out)
    show_set(np.int64(s["propaganda_pool"]), _CARD_POOL, CARDS, out)
    if s["card"] != NOTHING:
        out[at(_TAKEN, s["card"])] = 1.0


@jit
def see_technology(states, i, tables, seat, out):
    """The AC/DC marker, and the holder of each patent."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    spot = np.int64(s["current"]) + CURRENT_CENTRE
    out[_CURRENT] = s["current"] * GAIN
    out[_CURRENT + 1] = t["current_gain"][0, spot] * GAIN
    out[_CURRENT + 2] = t["current_gain"][1, spot] * GAIN
    start = _PATENT
    for track in range(TRACKS):
        for level in range(2, t["top"][track] + 1):
            holder = np.int64(s["patent"][track, level])
            if holder != NOBODY:
                out[at(start, places_after(seat, holder, n))] = 1.0
            start += SEATS


@jit
def see_map(states, i, tables, seat, out):
    """Who claimed which project in play, and how far each city is from the observer's own."""
    s = states[i]
    in_play = tables[0]["in_play_mask"][s["num_players"]]
    for k in range(PROJECTS):
        owner = np.int64(s["owner"][at(0, k)])
        out[at(_PROJECT, k)] = np.float32((owner == NOBODY) & (in_play & bit(k) != 0))
        out[at(_PROJECT + PROJECTS, k)] = np.float32(owner == seat)
        out[at(_PROJECT + 2 * PROJECTS, k)] = np.float32((owner != NOBODY) & (owner != seat))
    for city in range(CITIES):
        out[at(_BETWEEN, city)] = s["between"][seat, at(0, city)] * WAY
