"""The record of a position, and what holds in every position of a game from set-up.

Everything is kept by seat: ``price[q]`` is the price of the company of seat q, ``shares[p, q]`` what seat p holds of
it. Sets of luminaries and cards are masks, bit k for number k, so that a set costs no more than a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.batch import record
from tesla_env.constants import (
    CITIES,
    HIRED,
    INVENTORS,
    LEVELS,
    LUMINARIES,
    NOBODY,
    NOTHING,
    PROJECTS,
    SEATS,
    TRACKS,
    TURNS_PER_PHASE,
    Phase,
    Trade,
)

if TYPE_CHECKING:
    from core.game import State
    from tesla_env.game import Game

STATE = record(
    [
        ("turn", "i2"),  # 1..6
        ("cash", "i4", (SEATS,)),  # thousands of dollars
        ("ready", "i4", (SEATS,)),  # luminaries that can still act this turn (mask)
        ("selected", "i4", (SEATS,)),  # luminaries of the action under way (mask); the mover's only
        ("exhausted", "i4", (SEATS,)),  # luminaries that have acted this turn (mask)
        ("offer", "i4"),  # luminaries on offer (mask)
        ("luminary_pool", "i4"),  # candidates of the luminary decks not yet revealed (mask)
        ("propaganda_pool", "i4"),  # candidates of the propaganda decks not yet revealed (mask)
        ("cards", "i4"),  # revealed propaganda cards (mask)
        ("price", "i2", (SEATS,)),  # stock price; 0 before the company is drafted
        ("shares", "i2", (SEATS, SEATS)),  # [holder, company's seat] regular certificates
        ("market", "i2", (SEATS,)),  # certificates in the open market
        ("aside", "i2", (SEATS,)),  # certificates set aside for the phase 2 auction
        ("claims", "i2", (SEATS,)),  # projects claimed
        ("bid", "i2"),  # high bid, 0 before the first
        ("current", "i2"),  # AC/DC marker, above 0 AC is the more famous
        ("option_companies", "i1", (SEATS,)),  # option companies by seat; NOTHING without it
        ("company", "i1", (SEATS,)),  # company of a seat; NOTHING before its draft
        ("seat_of", "i1", (SEATS,)),  # seat of a company; NOBODY if it is out
        ("tech", "i1", (SEATS, TRACKS)),  # technology levels
        ("present", "i1", (SEATS,)),  # spot on the present fame track, 1 is the top; 0 before the draft
        ("future", "i1", (SEATS,)),  # spot on the future fame track
        ("patent", "i1", (TRACKS, LEVELS)),  # seat that filed it, or NOBODY
        ("owner", "i1", (PROJECTS,)),  # seat that claimed the project, or NOBODY
        ("between", "i1", (SEATS, CITIES)),  # cities between a city and the nearest own project; 0 without projects
        ("certificate", "i1", (HIRED,)),  # seat whose company's certificate lies on a luminary on offer, or NOBODY
        ("acquired", "i1", (SEATS,)),  # 1: has acquired a luminary in this auction
        ("passed", "i1", (SEATS,)),  # 1: has left the bidding for this luminary
        ("luminary", "i1"),  # luminary bid for, or NOTHING
        ("bidder", "i1"),  # high bidder, or NOBODY
        ("card", "i1"),  # propaganda card taken and not yet carried out, or NOTHING
        ("traded", "i1", (SEATS,)),  # Trade, by company's seat, in this market action
    ]
)


def clear_table(record: np.void, tables: np.void) -> None:
    """Fill a record, zero but for its settings, with the table before the draft; all decks are still to be revealed."""
    n = int(record["num_players"])
    record["turn"] = 1
    record["current"] = tables["current_start"]
    record["cash"][:n] = tables["start_cash"]
    record["tech"][:n] = tables["start_level"]
    record["luminary_pool"] = tables["luminary_phase_mask"].sum()
    record["propaganda_pool"] = tables["card_phase_mask"].sum()
    for name in ("option_companies", "company", "seat_of", "patent", "owner", "certificate"):
        record[name][:] = NOBODY
    for name in ("luminary", "bidder", "card"):
        record[name] = NOBODY


def bits(mask: int) -> list[int]:
    """The numbers in a mask, ascending."""
    return [k for k in range(LUMINARIES) if int(mask) >> k & 1]


def check_invariants(game: Game, state: State) -> None:
    """Raise AssertionError, naming the rule, if the position cannot occur in a game from set-up."""
    s, t, n = state.states[0], game.tables[0], game.num_players
    phase, turn = int(s["phase"]), int(s["turn"])
    g = (turn + 1) // TURNS_PER_PHASE
    drafted = [q for q in range(n) if s["company"][q] != NOTHING]
    assert phase == Phase.DRAFT or len(drafted) == n, "every seat has a company after the draft"
    _check_shares(s, t, n, drafted)
    _check_places(s, t, n)
    _check_tracks(s, t, n, drafted)
    _check_claims(s, t, n)
    mover = int(s["player"])
    if not s["done"]:
        acting = phase in (Phase.ACT, Phase.MOVE, Phase.CARD, Phase.CARD_MOVE, Phase.MARKET)
        for p in range(n):
            assert bool(s["selected"][p]) == (acting and p == mover), "only the mover has selected luminaries"
        assert state.legal_actions(), "a position that is not over has a legal action"
        if phase >= Phase.USE:
            for p in range(n):
                size = len(bits(s["ready"][p] | s["selected"][p] | s["exhausted"][p]))
                assert size == g + 1, "in game phase g every company has g + 1 luminaries"
    bidding = phase == Phase.BID
    assert bidding == (s["luminary"] != NOTHING), "a luminary is up for auction during the bidding only"
    assert bidding or (s["bid"] == 0 and s["bidder"] == NOBODY and not s["passed"].any()), "no bid outside the bidding"
    assert phase in (Phase.AUCTION, Phase.BID) or not s["acquired"].any(), "acquired is emptied after the auction"
    assert (phase == Phase.CARD_MOVE) == (s["card"] != NOTHING), "a card is taken only while it is carried out"
    assert phase == Phase.MARKET or not s["traded"].any(), "trades are forgotten after the market action"
    assert abs(sum(state.returns())) < 1e-9, "returns sum to 0"


def _check_shares(s: np.void, t: np.void, n: int, drafted: list[int]) -> None:
    on_offer = [int(c) for c in s["certificate"] if c != NOBODY]
    for k in range(HIRED):
        offered = s["offer"] >> (INVENTORS + k) & 1
        assert offered or s["certificate"][k] == NOBODY, "certificates lie on luminaries on offer only"
    for q in range(SEATS):
        total = s["market"][q] + s["aside"][q] + s["shares"][:, q].sum() + on_offer.count(q)
        assert total == (t["regular"] if q in drafted else 0), "six regular certificates of each company in play"
        for p in range(n):
            assert s["shares"][p, q] >= 0
            assert p == q or s["shares"][p, q] <= t["rival_limit"], "at most four certificates of a rival"
        if q in drafted:
            assert t["price_min"] <= s["price"][q] <= t["price_max"], "prices stay on the stock track"
        assert s["cash"][q] >= 0, "cash is never negative"
        assert s["market"][q] >= 0
        assert s["aside"][q] >= 0


def _check_places(s: np.void, t: np.void, n: int) -> None:
    masks = [int(s[name][p]) for name in ("ready", "selected", "exhausted") for p in range(SEATS)]
    masks += [int(s["offer"]), int(s["luminary_pool"])]
    together = 0
    for mask in masks:
        assert mask & together == 0, "a luminary is in one place at most"
        together |= mask
    taken = 1 << int(s["card"]) if s["card"] != NOTHING else 0
    assert s["cards"] & s["propaganda_pool"] == 0, "a card is in one place at most"
    assert taken & (int(s["cards"]) | int(s["propaganda_pool"])) == 0, "a card is in one place at most"
    g = (int(s["turn"]) + 1) // TURNS_PER_PHASE
    for p in (1, 2):
        hidden = s["phase"] == Phase.DRAFT if p == 1 else g < 2
        count = len(bits(s["luminary_pool"] & t["luminary_phase_mask"][p]))
        assert count >= t["luminary_deck"][n, p] if hidden else count == 0, "revealed luminary pools are empty"
    for p in (1, 2, 3):
        hidden = p > g or (p == g and s["phase"] <= Phase.BID)
        count = len(bits(s["propaganda_pool"] & t["card_phase_mask"][p]))
        assert count >= t["propaganda_deck"][n, p] if hidden else count == 0, "revealed propaganda pools are empty"
    if g == 3 and s["phase"] >= Phase.USE:
        assert s["offer"] == 0, "nothing is on offer after the phase 3 auction"
    if s["phase"] == Phase.AUCTION and not s["acquired"].any() and g > 1:
        certificates = sum(1 for c in s["certificate"] if c != NOBODY)
        assert certificates == (2 * n if g == 2 else n), "a certificate lies on every luminary on offer"
        assert len(bits(s["offer"])) == certificates


def _check_tracks(s: np.void, t: np.void, n: int, drafted: list[int]) -> None:
    for fame in ("present", "future"):
        spots = [int(s[fame][q]) for q in drafted]
        assert len(set(spots)) == len(spots), "one marker a spot on the fame tracks"
        assert all(1 <= spot <= t["spots"] for spot in spots), "markers stay on the fame tracks"
    assert t["current_min"] <= s["current"] <= t["current_max"], "the AC/DC marker stays on its track"
    for track in range(TRACKS):
        for p in range(n):
            assert 1 <= s["tech"][p, track] <= t["top"][track]
        for level in range(LEVELS):
            holder = s["patent"][track, level]
            assert holder == NOBODY or s["tech"][holder, track] >= level >= 2, "a patent is within its holder's level"


def _check_claims(s: np.void, t: np.void, n: int) -> None:
    in_play = {int(k) for k in t["in_play"][n, : t["in_play_count"][n]]}
    for p in range(SEATS):
        own = [k for k in range(PROJECTS) if s["owner"][k] == p]
        assert s["claims"][p] == len(own), "claims counts the projects of a seat"
        assert in_play.issuperset(own), "claimed projects are in play"
        for city in range(CITIES):
            nearest = min((int(t["between"][n, city, t["project_city"][k]]) for k in own), default=0)
            assert s["between"][p, city] == nearest, "between follows from the claims"
    assert all(s["traded"][q] in (Trade.NONE, Trade.BOUGHT, Trade.SOLD) for q in range(n))
