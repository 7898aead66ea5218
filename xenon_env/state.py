"""The record of a game of Xenon Profiteer, and what must hold in it at every decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.batch import record
from xenon_env.constants import (
    CONTRACTS,
    DECK,
    ELEMENTS,
    FIRST_CONTRACT,
    FIRST_UPGRADE,
    HELD,
    LINES,
    NONE,
    PIPELINES,
    SEATS,
    SLOTS,
    STARTERS,
    UPGRADES,
    USE_CARDS,
    Card,
    Line,
    Phase,
    Privilege,
)

if TYPE_CHECKING:
    from core.game import State
    from xenon_env.game import Game

__all__ = ["STATE", "check_invariants"]

STATE = record(
    [
        # the table
        ("line_card", "i2", (LINES, SLOTS)),  # card in the slot, NONE if empty
        ("line_tokens", "i2", (LINES, SLOTS, SEATS)),  # bid tokens on it by seat
        (
            "deck",
            "i2",
            (LINES, DECK),
        ),  # cards of each kind; contract line: contracts, pipelines; upgrade line: upgrades
        ("deck_discard", "i2", (LINES, DECK)),
        ("stack_size", "i2", (ELEMENTS,)),  # option element_supply, NONE if unlimited
        ("supply", "i2", (ELEMENTS,)),  # elements left in the stacks, NONE if unlimited
        ("trigger", "i2"),  # seat that triggered the end, NONE before
        ("privilege", "i2"),  # Privilege
        # the players, by seat
        ("money", "i2", (SEATS,)),
        ("tokens", "i2", (SEATS,)),  # bid tokens in the own supply
        ("contract", "i2", (SEATS,)),  # open contract (0 is M1), NONE without
        ("stored", "i2", (SEATS,)),  # isolated Xe
        ("system", "i2", (SEATS, HELD)),
        ("hand", "i2", (SEATS, HELD)),
        ("discard", "i2", (SEATS, HELD)),
        ("shown", "i2", (SEATS, HELD)),  # part of the hand the others have seen; 0 for the mover, whose hand lies open
        # the turn
        ("turn_step", "i2"),  # Step
        ("distills_left", "i2"),
        ("played", "i2", (2,)),  # plays of REDRAW_CARDS
        ("reboilers", "i2"),  # plays in this distill step, as the next
        ("refrigerations", "i2"),
        ("placements", "i2"),  # tokens due from Refrigeration
        ("peek", "i2"),  # card seen with the relief valve, NONE outside Phase.PEEK
        ("wiped", "i2"),  # line being filled by the Engineer, NONE outside Phase.CHOOSE
        ("drawn", "i2", (DECK,)),  # the Engineer's cards, kinds as in deck[wiped]
        ("deal", "i2"),  # Deal
        ("purchases", "i2"),
        ("bids", "i2"),
        # flags of the players, by seat
        ("installed", "i1", (SEATS, UPGRADES)),
        ("completed", "i1", (SEATS, CONTRACTS)),
        ("pipelines", "i1", (SEATS, PIPELINES)),
        ("overtime", "i1", (SEATS,)),  # console side
        # flags of the turn
        ("used", "i1", (len(USE_CARDS),)),  # installed abilities used, by Use
        ("bid_none", "i1"),
        ("sales_executive", "i1"),  # played this turn, as the next two
        ("agent", "i1"),
        ("buyer", "i1"),
    ]
)


def check_invariants(game: Game, state: State) -> None:
    """Assert what holds at every decision of a game from set-up (and in a finished one).

    Raises:
        AssertionError: names what is broken.
    """
    s = state.states[0]
    t = game.tables[0]
    n = game.num_players
    assert state.is_terminal() or state.legal_actions(), "every position that is not over has a legal action"
    for zone in ("money", "tokens", "stored", "system", "hand", "discard", "shown", "deck", "deck_discard", "drawn"):
        assert (s[zone] >= 0).all(), f"{zone} is never negative"
    assert (s["shown"] <= s["hand"]).all(), "what was shown is still in hand"
    assert abs(sum(state.returns())) < 1e-9, "returns sum to zero"
    _check_tokens(s, t, n)
    _check_upgrades(s, t, n)
    _check_contract_deck(s, t, n)
    if s["stack_size"][0] != NONE:
        _check_elements(s, n)
    if not state.is_terminal():
        _check_turn(s, t, n)


def _check_tokens(s: np.void, t: np.void, n: int) -> None:
    on_cards = s["line_tokens"].sum(axis=(0, 1))
    assert (s["tokens"][:n] + on_cards[:n] == t["bid_tokens"]).all(), "tokens in supply and on cards are all a seat has"
    assert not s["line_tokens"][s["line_card"] == NONE].any(), "no token lies on an empty slot"
    assert (s["line_card"][:, t["line_size"][n] :] == NONE).all(), "no card lies beyond the line"


def _check_upgrades(s: np.void, t: np.void, n: int) -> None:
    by_seat = s["installed"].astype(np.int64)
    for zone in ("system", "hand", "discard"):
        by_seat += s[zone][:, FIRST_UPGRADE:]
    if s["peek"] >= FIRST_UPGRADE:
        by_seat[max(0, s["player"]), s["peek"] - FIRST_UPGRADE] += 1
    if s["player"] >= 0:  # whose card was looked at when the game was cut is not known
        assert (by_seat[:n, :STARTERS] == t["copies"][FIRST_UPGRADE : FIRST_UPGRADE + STARTERS]).all(), (
            "each player has one Feed and one Reflux"
        )
    cards = by_seat.sum(axis=0) + s["deck"][Line.UPGRADE, :UPGRADES] + s["deck_discard"][Line.UPGRADE, :UPGRADES]
    for card in s["line_card"][Line.UPGRADE]:
        if card != NONE:
            cards[card - FIRST_UPGRADE] += 1
    if s["wiped"] == Line.UPGRADE:
        cards += s["drawn"][:UPGRADES]
    copies = t["copies"][FIRST_UPGRADE:FIRST_CONTRACT].astype(np.int64)
    copies[:STARTERS] *= n
    assert (cards == copies).all(), "every upgrade exists as often as the data file says"


def _check_contract_deck(s: np.void, t: np.void, n: int) -> None:
    cards = s["deck"][Line.CONTRACT].astype(np.int64) + s["deck_discard"][Line.CONTRACT]
    cards[:CONTRACTS] += s["completed"][:n].sum(axis=0)
    cards[CONTRACTS:] += s["pipelines"][:n].sum(axis=0)
    for card in s["line_card"][Line.CONTRACT]:
        if card != NONE:
            cards[card - FIRST_CONTRACT] += 1
    for contract in s["contract"][:n]:
        if contract != NONE:
            cards[contract] += 1
    if s["wiped"] == Line.CONTRACT:
        cards += s["drawn"]
    assert (cards == t["copies"][FIRST_CONTRACT:]).all(), "every contract and pipeline exists as often as it says"


def _check_elements(s: np.void, n: int) -> None:
    elements = s["supply"].astype(np.int64)
    for zone in ("system", "hand", "discard"):
        elements += s[zone][:n, :ELEMENTS].sum(axis=0)
    elements[Card.XE] += s["stored"][:n].sum()
    if 0 <= s["peek"] < ELEMENTS:
        elements[s["peek"]] += 1
    assert (elements == s["stack_size"]).all(), "with a finite supply the number of each element is constant"


def _check_turn(s: np.void, t: np.void, n: int) -> None:
    phase = s["phase"]
    hand = s["hand"][s["player"]]
    if phase in (Phase.START, Phase.DISTILL):
        assert hand[Card.XE] == 0 or hand[: Card.XE].any(), "isolated Xe does not stay in hand"
    if phase != Phase.COMPLETE:
        for seat in range(n):
            contract = s["contract"][seat]
            assert contract == NONE or s["stored"][seat] < t["xe"][FIRST_CONTRACT + contract], "full contracts complete"
    assert not s["shown"][s["player"]].any(), "the mover's hand lies open"
    assert (s["peek"] != NONE) == (phase == Phase.PEEK), "a card is looked at in phase peek only"
    assert (s["wiped"] != NONE) == (phase == Phase.CHOOSE), "cards are chosen in phase choose only"
    assert s["placements"] == 0 or phase in (Phase.PLACE, Phase.COMPLETE), "placements wait in two phases only"
    assert s["bids"] <= 6, "at most six bids"
    assert s["purchases"] <= 3, "at most three purchases"
    chosen = s["privilege"] != Privilege.NONE
    assert (s["trigger"] != NONE) == chosen or phase == Phase.PRIVILEGE, "whoever triggers the end chooses a side"
