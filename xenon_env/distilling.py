"""Distilling, isolating Xe, completing the contract, and the settling that follows every action of a step."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from xenon_env.constants import FIRST_CONTRACT, FIRST_UPGRADE, NONE, Card, Phase, Step, Use
from xenon_env.piles import lines_are_empty, return_elements


@jit
def can_distill(s, seat):
    """A distill is left and the hand has N, O or Kr (X-8)."""
    return s["distills_left"] > 0 and first_impurity(s, seat) != NONE


@jit
def first_impurity(s, seat):
    """The first of N, O, Kr that the hand has, NONE without one (DISTILL)."""
    hand = s["hand"][seat]
    for element in range(Card.XE):
        if hand[element] > 0:
            return element
    return NONE


@jit
def distill(s, seat):
    """Remove the first of N, O, Kr (DISTILL)."""
    s["distills_left"] -= 1
    remove(s, seat, first_impurity(s, seat))


@jit
def remove(s, seat, element):
    """All cards of the element in hand go to the supply; Reboiler and Refrigeration pay for them (X-13, X-14)."""
    cards = np.int64(s["hand"][seat][element])
    s["hand"][seat][element] = 0
    return_elements(s, element, cards)
    if element == Card.O:
        rate = s["reboilers"] + s["installed"][seat][Card.REBOILER - FIRST_UPGRADE]
        s["money"][seat] += cards * rate
    elif element == Card.N:
        rate = s["refrigerations"] + s["installed"][seat][Card.REFRIGERATION - FIRST_UPGRADE]
        if rate > 0 and not lines_are_empty(s):
            s["placements"] = min(cards * rate, np.int64(s["tokens"][seat]))


@jit
def isolate(s, seat):
    """If Xe is the only element in hand, all of it goes to storage (Isolating Xenon, X-10)."""
    hand = s["hand"][seat]
    if hand[Card.XE] > 0 and first_impurity(s, seat) == NONE:
        s["stored"][seat] += hand[Card.XE]
        hand[Card.XE] = 0


@jit
def complete(s, t, seat, xe):
    """Complete the open contract for ``xe`` stored Xe (Contracts, X-11)."""
    contract = s["contract"][seat]
    s["stored"][seat] -= xe
    return_elements(s, Card.XE, xe)
    s["money"][seat] += t["reward"][FIRST_CONTRACT + contract]
    s["completed"][seat][contract] = 1
    s["contract"][seat] = NONE


@jit
def can_complete_one_short(s, t, seat):
    """One Xe is missing and the cost is at least 2: Packed Columns would complete the contract (X-12)."""
    contract = s["contract"][seat]
    if contract == NONE:
        return False
    cost = t["xe"][FIRST_CONTRACT + contract]
    return cost >= 2 and s["stored"][seat] == cost - 1


@jit
def complete_if_full(s, t, seat):
    """Complete the contract if the stored Xe suffices; True if the player must be asked (X-11, X-12)."""
    contract = s["contract"][seat]
    if contract == NONE:
        return False
    cost = np.int64(t["xe"][FIRST_CONTRACT + contract])
    if s["stored"][seat] < cost:
        return False
    if cost >= 2:
        installed = s["installed"][seat][Card.PACKED_COLUMNS - FIRST_UPGRADE]
        if installed and not s["used"][Use.PACKED_COLUMNS]:
            s["used"][Use.PACKED_COLUMNS] = 1
            complete(s, t, seat, cost - 1)
            return False
        if s["hand"][seat][Card.PACKED_COLUMNS] > 0:
            return True
    complete(s, t, seat, cost)
    return False


@jit
def settle(s, t, seat):
    """What follows every action of a step: isolation, completion, then the next phase (X-10, X-11)."""
    if s["turn_step"] <= Step.DISTILL:
        isolate(s, seat)
    if complete_if_full(s, t, seat):
        s["phase"] = Phase.COMPLETE
    else:
        resume(s)


@jit
def resume(s):
    """Back to placing Refrigeration's tokens if some are due, else to the step of the turn."""
    if s["placements"] > 0:
        s["phase"] = Phase.PLACE
    else:
        s["phase"] = s["turn_step"]
