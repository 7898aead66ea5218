"""What a seat sees: everything but the draws to come, its own seat first, absent seats zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.jit import jit
from core.layout import Block, ObservationLayout
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
from tesla_env.masks import size

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
            _grid("luminary", [*companies, *hired], LUMINARY_FEATURES, "where each luminary is"),
            _grid("offer", hired, OFFER_FEATURES, "luminaries on offer; price of the certificate's company / 100"),
            Block.of("up", hired, "the luminary bid for, one-hot", joint="."),
            Block.of("bid", doc="high bid / 100"),
            Block.of("rating", RATINGS, "of the selected luminaries together, or of the one bid for, / 10", joint="."),
            Block.of("card", cards, "revealed propaganda cards", joint="."),
            Block.of("taken", cards, "propaganda card being carried out", joint="."),
            Block.of("card_pool", cards, "candidates of the decks to come", joint="."),
            Block.of("luminary_pool", hired, "candidates of the decks to come", joint="."),
            Block.of("current", ("marker", "ac", "dc"), "AC/DC marker and its stock gains / 3", joint="."),
            _grid("patent", patents, seats, "holder of each patent, one-hot"),
            _grid("project", projects, PROJECT_FEATURES, "unclaimed and in play, own, or a rival's"),
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
def observe(states, i, tables, seat, out):
    """Write the observation of a seat; see ``core.batch.observe``."""
    s = states[i]
    for k in range(out.shape[0]):
        out[k] = 0.0
    n = np.int64(s["num_players"])
    out[_PHASE + s["phase"]] = 1.0
    out[_TURN + s["turn"]] = 1.0
    if s["player"] >= 0:
        out[_MOVER + places_after(seat, s["player"], n)] = 1.0
    for k in range(n):
        see_seat(states, i, tables, seat, k, out)
    see_luminaries(states, i, tables, seat, out)
    see_offer(states, i, tables, seat, out)
    see_cards(states, i, out)
    see_technology(states, i, tables, seat, out)
    see_map(states, i, tables, seat, out)


@jit
def see_seat(states, i, tables, seat, k, out):
    """The seat that is k places after the observer."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    p = (seat + k) % n
    at = _SEAT + _SEAT_WIDTH * k
    company = np.int64(s["company"][p])
    price = np.int64(s["price"][p])
    score = np.int64(t["preferred_worth"]) * price
    for other in range(n):
        held = np.int64(s["shares"][p, other])
        score += held * s["price"][other]
        out[_SHARES + SEATS * k + places_after(seat, other, n)] = held * COUNT
    out[at] = 1.0
    if company != NOTHING:
        out[at + _AT_COMPANY + company] = 1.0
        out[at + _AT_INVENTOR_ACTIVE] = np.float32((np.int64(s["exhausted"][p]) >> company) & 1 == 0)
    out[at + _AT_CASH] = min(np.int64(s["cash"][p]), CASH_SHOWN) * MONEY
    out[at + _AT_PRICE] = price * PRICE
    out[at + _AT_PROFIT] = t["profit"][price] * PROFIT
    out[at + _AT_SCORE] = score * SCORE
    out[at + _AT_MARKET] = s["market"][p] * COUNT
    out[at + _AT_SET_ASIDE] = s["aside"][p] * COUNT
    out[at + _AT_PRESENT] = s["present"][p] * SPOT
    out[at + _AT_FUTURE] = s["future"][p] * SPOT
    for track in range(TRACKS):
        out[at + _AT_TECH + track] = s["tech"][p, track] * LEVEL
    out[at + _AT_CLAIMS] = s["claims"][p] * CLAIMS
    out[at + _AT_ACQUIRED] = s["acquired"][p]
    out[at + _AT_PASSED] = s["passed"][p]
    out[at + _AT_BIDDER] = np.float32(s["bidder"] == p)
    out[at + _AT_BOUGHT] = np.float32(s["traded"][p] == Trade.BOUGHT)
    out[at + _AT_SOLD] = np.float32(s["traded"][p] == Trade.SOLD)
    out[at + _AT_READY] = size(s["ready"][p]) * COUNT
    out[at + _AT_EXHAUSTED] = size(s["exhausted"][p]) * COUNT
    everyone = s["ready"][p] | s["selected"][p] | s["exhausted"][p]
    add_ratings(tables, s["ready"][p], at + _AT_READY_RATINGS, out)
    add_ratings(tables, everyone, at + _AT_ALL_RATINGS, out)


@jit
def add_ratings(tables, luminaries, at, out):
    """The four ratings of a set of luminaries, each added up."""
    t = tables[0]
    mask = np.int64(luminaries)
    k = 0
    while mask != 0:
        if mask & 1 != 0:
            for rating in range(len(RATINGS)):
                out[at + rating] += t["rating"][k, rating] * RATING
        mask >>= 1
        k += 1


@jit
def see_luminaries(states, i, tables, seat, out):
    """Where each luminary is, and what those in use or up for auction are good for."""
    s = states[i]
    ready = np.int64(s["ready"][seat])
    selected = np.int64(s["selected"][seat])
    exhausted = np.int64(s["exhausted"][seat])
    in_use = np.int64(0)
    others = np.int64(0)
    for p in range(s["num_players"]):
        in_use |= s["selected"][p]
        if p != seat:
            others |= np.int64(s["ready"][p]) | s["selected"][p] | s["exhausted"][p]
    for k in range(LUMINARIES):
        at = _LUMINARY + len(LUMINARY_FEATURES) * k
        out[at] = (ready >> k) & 1
        out[at + 1] = (selected >> k) & 1
        out[at + 2] = (exhausted >> k) & 1
        out[at + 3] = (others >> k) & 1
    if s["luminary"] != NOTHING:
        in_use |= np.int64(1) << np.int64(s["luminary"])
        out[_UP + s["luminary"] - INVENTORS] = 1.0
    out[_BID] = s["bid"] * MONEY
    add_ratings(tables, in_use, _RATING, out)


@jit
def see_offer(states, i, tables, seat, out):
    """Luminaries on offer with the certificates on them, and those that may yet come."""
    s = states[i]
    offer = np.int64(s["offer"]) >> INVENTORS
    pool = np.int64(s["luminary_pool"]) >> INVENTORS
    for k in range(HIRED):
        at = _OFFER + len(OFFER_FEATURES) * k
        out[at] = (offer >> k) & 1
        out[_LUMINARY_POOL + k] = (pool >> k) & 1
        company = np.int64(s["certificate"][k])
        if company != NOBODY:
            out[at + 1] = np.float32(company == seat)
            out[at + 2] = np.float32(company != seat)
            out[at + 3] = s["price"][company] * PRICE


@jit
def see_cards(states, i, out):
    """Propaganda cards on the table, in hand and yet to come."""
    s = states[i]
    cards = np.int64(s["cards"])
    pool = np.int64(s["propaganda_pool"])
    for k in range(CARDS):
        out[_CARD + k] = (cards >> k) & 1
        out[_CARD_POOL + k] = (pool >> k) & 1
    if s["card"] != NOTHING:
        out[_TAKEN + s["card"]] = 1.0


@jit
def see_technology(states, i, tables, seat, out):
    """The AC/DC marker, and the holder of each patent."""
    s = states[i]
    t = tables[0]
    spot = np.int64(s["current"]) + CURRENT_CENTRE
    out[_CURRENT] = s["current"] * GAIN
    out[_CURRENT + 1] = t["current_gain"][0, spot] * GAIN
    out[_CURRENT + 2] = t["current_gain"][1, spot] * GAIN
    at = _PATENT
    for track in range(TRACKS):
        for level in range(2, t["top"][track] + 1):
            holder = np.int64(s["patent"][track, level])
            if holder != NOBODY:
                out[at + places_after(seat, holder, np.int64(s["num_players"]))] = 1.0
            at += SEATS


@jit
def see_map(states, i, tables, seat, out):
    """Who claimed which project in play, and how far each city is from the observer's own."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    for k in range(t["in_play_count"][n]):
        project = np.int64(t["in_play"][n, k])
        at = _PROJECT + len(PROJECT_FEATURES) * project
        owner = s["owner"][project]
        if owner == NOBODY:
            out[at] = 1.0
        elif owner == seat:
            out[at + 1] = 1.0
        else:
            out[at + 2] = 1.0
    for city in range(CITIES):
        out[_BETWEEN + city] = s["between"][seat, city] * WAY
