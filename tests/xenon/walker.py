"""The invariants of Xenon Profiteer in compiled code, to be looked at after every decision of random play.

``python -m tests.xenon.walker <decisions>`` walks that far with each number of players, and prints what came of it.
"""

from __future__ import annotations

import sys

import numpy as np

from core.jit import jit
from tests.walker import ALL_WELL, NO_ACTION, Walker
from tests.xenon.cards import FINITE
from xenon_env import Game
from xenon_env.constants import (
    CARDS,
    CONTRACTS,
    DECK,
    ELEMENTS,
    FIRST_CONTRACT,
    FIRST_PIPELINE,
    FIRST_UPGRADE,
    HELD,
    LINES,
    NONE,
    PIPELINES,
    SEATS,
    SLOTS,
    STARTERS,
    UPGRADES,
    Card,
    Line,
    Phase,
)

TOKENS = 5
RULES = (
    ALL_WELL,
    NO_ACTION,
    "no count is negative",
    "what the others have seen is in the hand",
    "a seat has five tokens",
    "tokens lie on cards, and cards within the line",
    "every card exists as often as the data file says",
    "every player has one Feed and one Reflux",
    "with a finite supply the number of each element is constant",
    "Xe does not stay isolated in hand",
    "a contract whose Xe is stored is complete",
    "an upgrade is installed once, a pipeline owned once",
    "at most six bids and three purchases",
    "values of a phase belong to that phase",
)
"""What is checked; ``broken`` gives the place of the first rule that does not hold."""


@jit(arrays=True)
def broken(s, before, t):
    """The place in RULES of what does not hold in a record, 0 if all does; see ``tests.walker``."""
    n = np.int64(s["num_players"])
    done = s["done"] != 0
    phase = s["phase"]
    mover = np.int64(s["player"])
    if has_negative(s, n):
        return 2
    for seat in range(n):
        for card in range(HELD):
            if s["shown"][seat][card] > s["hand"][seat][card]:
                return 3
    for seat in range(n):
        if count_tokens(s, seat) != TOKENS:
            return 4
    if is_misplaced(s, t, n):
        return 5
    cards = np.zeros(CARDS, np.int64)
    count_cards(s, n, cards)
    for card in range(FIRST_UPGRADE, CARDS):
        if cards[card] != t["copies"][card] * (n if card < FIRST_UPGRADE + STARTERS else 1):
            return 6
    if not s["truncated"]:
        for seat in range(n):
            for card in range(FIRST_UPGRADE, FIRST_UPGRADE + STARTERS):
                if count_own(s, seat, card) + (seat == mover and s["peek"] == card) != 1:
                    return 7
    for element in range(ELEMENTS):
        if s["stack_size"][element] != NONE and cards[element] + s["supply"][element] != s["stack_size"][element]:
            return 8
    if not done and phase <= Phase.DISTILL:
        hand = s["hand"][mover]
        if hand[Card.XE] > 0 and hand[Card.N] + hand[Card.O] + hand[Card.KR] == 0:
            return 9
    if phase != Phase.COMPLETE and not s["truncated"]:
        for seat in range(n):
            contract = np.int64(s["contract"][seat])
            if contract != NONE and s["stored"][seat] >= t["xe"][FIRST_CONTRACT + contract]:
                return 10
    for seat in range(n):
        for upgrade in range(UPGRADES):
            if s["installed"][seat][upgrade] < 0 or s["installed"][seat][upgrade] > 1:
                return 11
        for pipeline in range(PIPELINES):
            if s["pipelines"][seat][pipeline] < 0 or s["pipelines"][seat][pipeline] > 1:
                return 11
    if s["bids"] > 6 or s["purchases"] > 3:
        return 12
    if not done:
        if (s["peek"] != NONE) != (phase == Phase.PEEK) or (s["wiped"] != NONE) != (phase == Phase.CHOOSE):
            return 13
        if s["placements"] > 0 and phase != Phase.PLACE and phase != Phase.COMPLETE:
            return 13
    return 0


@jit
def has_negative(s, n):
    for seat in range(n):
        if s["money"][seat] < 0 or s["tokens"][seat] < 0 or s["stored"][seat] < 0:
            return True
        for card in range(HELD):
            if s["system"][seat][card] < 0 or s["hand"][seat][card] < 0 or s["discard"][seat][card] < 0:
                return True
    for line in range(LINES):
        for kind in range(DECK):
            if s["deck"][line][kind] < 0 or s["deck_discard"][line][kind] < 0 or s["drawn"][kind] < 0:
                return True
    for element in range(ELEMENTS):
        if s["stack_size"][element] != NONE and s["supply"][element] < 0:
            return True
    return s["placements"] < 0 or s["distills_left"] < 0


@jit
def count_tokens(s, seat):
    """Tokens of a seat in its supply and on cards."""
    tokens = np.int64(s["tokens"][seat])
    for line in range(LINES):
        for slot in range(SLOTS):
            tokens += s["line_tokens"][line][slot][seat]
    return tokens


@jit
def is_misplaced(s, t, n):
    """A card beyond the line or of the other line, or a token without a card or an owner."""
    for line in range(LINES):
        for slot in range(SLOTS):
            card = s["line_card"][line][slot]
            if card != NONE and (slot >= t["line_size"][n] or (card < FIRST_CONTRACT) != (line == Line.UPGRADE)):
                return True
            for seat in range(SEATS):
                tokens = s["line_tokens"][line][slot][seat]
                if tokens < 0 or (tokens > 0 and (card == NONE or seat >= n)):
                    return True
    return False


@jit
def count_own(s, seat, card):
    """Copies of an element or upgrade that a player has, but for one looked at."""
    count = np.int64(s["system"][seat][card]) + s["hand"][seat][card] + s["discard"][seat][card]
    if card >= FIRST_UPGRADE:
        count += s["installed"][seat][card - FIRST_UPGRADE]
    elif card == Card.XE:
        count += s["stored"][seat]
    return count


@jit
def count_cards(s, n, cards):
    """Copies of every card over all zones but the element supply."""
    for seat in range(n):
        for card in range(HELD):
            cards[card] += count_own(s, seat, card)
        for contract in range(CONTRACTS):
            cards[FIRST_CONTRACT + contract] += s["completed"][seat][contract]
        for pipeline in range(PIPELINES):
            cards[FIRST_PIPELINE + pipeline] += s["pipelines"][seat][pipeline]
        if s["contract"][seat] != NONE:
            cards[FIRST_CONTRACT + s["contract"][seat]] += 1
    if s["peek"] != NONE:
        cards[s["peek"]] += 1
    for line in range(LINES):
        first = FIRST_CONTRACT if line == Line.CONTRACT else FIRST_UPGRADE
        for kind in range(DECK if line == Line.CONTRACT else UPGRADES):
            cards[first + kind] += np.int64(s["deck"][line][kind]) + s["deck_discard"][line][kind]
            if s["wiped"] == line:
                cards[first + kind] += s["drawn"][kind]
        for slot in range(SLOTS):
            if s["line_card"][line][slot] != NONE:
                cards[s["line_card"][line][slot]] += 1


WALKER = Walker(Game.kernels, RULES, broken)


def main() -> None:
    options = ({}, {"element_supply": FINITE}, {"element_supply": FINITE, "skip_forced": False})
    games = [Game(seats, **chosen) for seats in range(2, 6) for chosen in options]  # type: ignore[arg-type]
    WALKER.report(games, int(sys.argv[1]) // len(games))


if __name__ == "__main__":
    main()
