"""The invariants of Tesla vs. Edison in compiled code, to be looked at after every decision of random play.

``python -m tests.tesla.walker <decisions>`` walks so far in all, and prints what came of it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from core.jit import jit
from tesla_env import Game
from tesla_env.constants import (
    CITIES,
    HIRED,
    INVENTORS,
    LEVELS,
    LUMINARY_DECKS,
    NOBODY,
    NOTHING,
    PROJECTS,
    PROPAGANDA_DECKS,
    SEATS,
    TRACKS,
    Phase,
    Trade,
)
from tesla_env.masks import size
from tests.walker import ALL_WELL, NO_ACTION, Walker

COMPANIES = ("thomson", "maxim", "brush", "tesla", "edison")
RULES = (
    ALL_WELL,
    NO_ACTION,
    "every company in play has six regular certificates",
    "at most four certificates of a rival",
    "prices stay on the stock track, cash is never negative",
    "a luminary is in one place at most",
    "a card is in one place at most",
    "a pool holds its deck until that is revealed, and nothing after",
    "markers stay on their tracks, one a spot",
    "a patent is within its holder's level",
    "claims and distances follow from the owners of projects in play",
    "only the mover has selected luminaries, and only while it acts",
    "in game phase g every company has g + 1 luminaries",
    "certificates lie on all luminaries on offer from phase 2 on",
    "values of a phase belong to that phase",
    "technology, patents and claims are never lost",
    "the present track changes in bookkeeping only, and to the future track",
    "a price falls only by a sale",
)
"""What is checked; ``broken`` gives the place of the first rule that does not hold."""

ONE = np.int64(1)


@jit
def broken(s, before, t):
    """The place in RULES of what does not hold in a record, 0 if all does; see ``tests.walker``."""
    n = np.int64(s["num_players"])
    g = np.int64(s["turn"] + 1) // 2
    if not has_all_certificates(s, t, n):
        return 2
    for p in range(n):
        for q in range(n):
            if p != q and s["shares"][p, q] > t["rival_limit"]:
                return 3
    for q in range(SEATS):
        drafted = s["company"][q] != NOTHING
        if s["cash"][q] < 0 or (drafted and (s["price"][q] < t["price_min"] or s["price"][q] > t["price_max"])):
            return 4
    if is_luminary_twice(s):
        return 5
    if is_card_twice(s):
        return 6
    if not are_pools_whole(s, t, n, g):
        return 7
    if not are_markers_on_track(s, t, n):
        return 8
    for track in range(TRACKS):
        for level in range(LEVELS):
            holder = np.int64(s["patent"][track, level])
            if holder != NOBODY and (level < 2 or holder >= n or s["tech"][holder, track] < level):
                return 9
    if not follow_from_owners(s, t, n):
        return 10
    if s["done"] == 0:
        acting = Phase.ACT <= s["phase"] <= Phase.MARKET
        for p in range(SEATS):
            if (s["selected"][p] != 0) != (acting and p == s["player"]):
                return 11
    if s["phase"] >= Phase.USE:
        for p in range(n):
            if size(s["ready"][p] | s["selected"][p] | s["exhausted"][p]) != g + 1:
                return 12
    if not has_certificates_on_offer(s, n, g):
        return 13
    if not belong_to_phase(s):
        return 14
    if is_something_lost(s, before, n):
        return 15
    if s["skip_forced"]:
        return 0  # one step may be several decisions, of several turns
    for q in range(n):
        if before["phase"] != Phase.DRAFT:
            kept = s["turn"] == before["turn"] and s["done"] == before["done"]
            if s["present"][q] != (before["present"][q] if kept or s["truncated"] else s["future"][q]):
                return 16
        if s["price"][q] < before["price"][q] and s["market"][q] != before["market"][q] + 1:
            return 17
    return 0


@jit
def has_all_certificates(s, t, n):
    for q in range(SEATS):
        count = np.int64(s["market"][q]) + s["aside"][q]
        for p in range(SEATS):
            count += s["shares"][p, q]
            if s["shares"][p, q] < 0:
                return False
        for k in range(HIRED):
            count += s["certificate"][k] == q
        if s["market"][q] < 0 or s["aside"][q] < 0 or count != (t["regular"] if s["company"][q] != NOTHING else 0):
            return False
    return True


@jit
def is_luminary_twice(s):
    together = np.int64(s["offer"])
    twice = together & s["luminary_pool"]
    together |= s["luminary_pool"]
    for p in range(SEATS):
        twice |= together & s["ready"][p]
        together |= s["ready"][p]
        twice |= together & s["selected"][p]
        together |= s["selected"][p]
        twice |= together & s["exhausted"][p]
        together |= s["exhausted"][p]
    return twice != 0


@jit
def is_card_twice(s):
    taken = np.int64(0) if s["card"] == NOTHING else ONE << np.int64(s["card"])
    return s["cards"] & s["propaganda_pool"] != 0 or taken & (s["cards"] | s["propaganda_pool"]) != 0


@jit
def are_pools_whole(s, t, n, g):
    for p in range(1, LUMINARY_DECKS + 1):
        hidden = s["phase"] == Phase.DRAFT if p == 1 else g < p
        count = size(s["luminary_pool"] & t["luminary_phase_mask"][p])
        if count < t["luminary_deck"][n, p] if hidden else count != 0:
            return False
    for p in range(1, PROPAGANDA_DECKS + 1):
        hidden = p > g or (p == g and s["phase"] <= Phase.BID)
        count = size(s["propaganda_pool"] & t["card_phase_mask"][p])
        if count < t["propaganda_deck"][n, p] if hidden else count != 0:
            return False
    return True


@jit
def are_markers_on_track(s, t, n):
    present = np.int64(0)
    future = np.int64(0)
    for q in range(n):
        if s["company"][q] == NOTHING:
            continue
        if not (1 <= s["present"][q] <= t["spots"] and 1 <= s["future"][q] <= t["spots"]):
            return False
        here = ONE << np.int64(s["present"][q])
        there = ONE << np.int64(s["future"][q])
        if present & here != 0 or future & there != 0:
            return False
        present |= here
        future |= there
        for track in range(TRACKS):
            if s["tech"][q, track] < 1 or s["tech"][q, track] > t["top"][track]:
                return False
    return t["current_min"] <= s["current"] <= t["current_max"]


@jit
def follow_from_owners(s, t, n):
    for p in range(SEATS):
        count = 0
        for k in range(PROJECTS):
            count += s["owner"][k] == p
        if s["claims"][p] != count:
            return False
        for city in range(CITIES):
            nearest = np.int64(127)
            for k in range(PROJECTS):
                if s["owner"][k] == p:
                    nearest = min(nearest, np.int64(t["between"][n, city, t["project_city"][k]]))
            if s["between"][p, city] != (nearest if count else 0):
                return False
    playing = np.int64(0)
    for k in range(t["in_play_count"][n]):
        playing |= ONE << np.int64(t["in_play"][n, k])
    for k in range(PROJECTS):
        if s["owner"][k] != NOBODY and playing & (ONE << k) == 0:
            return False
    return True


@jit
def has_certificates_on_offer(s, n, g):
    """And 2n luminaries are on offer as the auction of phase 2 begins, n in phase 3, none after it."""
    certificates = 0
    for k in range(HIRED):
        offered = s["offer"] & (ONE << (INVENTORS + k)) != 0
        certificates += s["certificate"][k] != NOBODY
        if s["certificate"][k] != NOBODY and not offered:
            return False
    if g > 1 and size(s["offer"]) != certificates:
        return False
    acquired = 0
    for p in range(n):
        acquired += s["acquired"][p]
    if g > 1 and s["phase"] <= Phase.BID:
        return certificates == (2 if g == 2 else 1) * n - acquired
    return g < 3 or certificates == 0


@jit
def belong_to_phase(s):
    bidding = s["phase"] == Phase.BID
    if bidding != (s["luminary"] != NOTHING) or (s["bid"] > 0) != (s["bidder"] != NOBODY):
        return False
    if bidding and s["offer"] & (ONE << np.int64(s["luminary"])) == 0:
        return False
    if (s["phase"] == Phase.CARD_MOVE) != (s["card"] != NOTHING):
        return False
    for p in range(SEATS):
        if s["passed"][p] != 0 and (s["bid"] == 0 or s["acquired"][p] != 0 or s["bidder"] == p):
            return False
        if s["acquired"][p] != 0 and s["phase"] != Phase.AUCTION and not bidding:
            return False
        if s["traded"][p] != Trade.NONE and s["phase"] != Phase.MARKET:
            return False
    return bidding or s["bid"] == 0


@jit
def is_something_lost(s, before, n):
    for p in range(n):
        for track in range(TRACKS):
            if s["tech"][p, track] < before["tech"][p, track]:
                return True
    for track in range(TRACKS):
        for level in range(LEVELS):
            if before["patent"][track, level] != NOBODY and before["patent"][track, level] != s["patent"][track, level]:
                return True
    for k in range(PROJECTS):
        if before["owner"][k] != NOBODY and before["owner"][k] != s["owner"][k]:
            return True
    return False


WALKER = Walker(Game.kernels, RULES, broken)


def games() -> list[Game]:
    """Every number of players, drafting and not, skipping forced decisions and not."""
    chosen: list[tuple[int, dict[str, Any]]] = []
    for n in range(2, SEATS + 1):
        chosen += [(n, {}), (n, {"skip_forced": False}), (n, {"companies": COMPANIES[:n], "skip_forced": False})]
    return [Game(n, **options) for n, options in chosen]


def main() -> None:
    played = games()
    WALKER.report(played, int(sys.argv[1]) // len(played))


if __name__ == "__main__":
    main()
