"""Deals anew what a seat cannot know. (section 10)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import below, shuffle
from pax_env.constants import COLORS, HUES, MAX_CARDS, Kind, Zone
from pax_env.state import in_game

__all__ = ["determinize"]


@jit(arrays=True)
def determinize(states, i, tables, seat):
    """Redraw hidden cards and spheres; see ``core.batch.determinize``.

    Every idea that the seat cannot see may be in every hidden place: the unused ideas, the deck, the exoglobal deck
    and the cards of others. Tipping points and the plurality card stay, their places are known.
    """
    s = states[i]
    t = tables[0]
    own = np.int64(s["color_of"][seat])
    unseen = np.zeros(MAX_CARDS, np.int16)
    zones = np.zeros(MAX_CARDS, np.int8)
    number = np.int64(0)
    for card in range(t["cards"]):
        if t["kind"][card] == Kind.IDEA and is_unseen(s, card, own):
            unseen[number] = card
            place_sorted(zones, number, s["zone"][card])
            number += 1
    shuffle(s["rng"], unseen, number)
    for k in range(number):
        s["zone"][unseen[k]] = zones[k]
    for c in range(COLORS):
        if in_game(s, c) and c != own and s["hidden"][c] >= 0:
            s["hidden"][c] = guess_sphere(s, t, c)


@jit
def place_sorted(zones, number, zone):
    """Put a zone among the first ``number``, which are sorted: who holds which card must not matter to the deal."""
    k = number
    while k > 0 and zones[k - 1] > zone:
        zones[k] = zones[k - 1]
        k -= 1
    zones[k] = zone


@jit
def is_unseen(s, card, own):
    """Whether a colour cannot tell where an idea is."""
    zone = s["zone"][card]
    if zone >= Zone.DEALT:
        return zone != Zone.DEALT + own
    return zone == Zone.UNUSED or zone == Zone.TOP or zone == Zone.BOTTOM or zone == Zone.EXO_REST


@jit
def guess_sphere(s, t, c):
    """A hidden sphere that fits the cards a party now holds; without cards any. (P-38, P-44)"""
    hues = 0
    for card in range(t["cards"]):
        if s["zone"][card] == Zone.DEALT + c:
            hues |= 1 << t["left"][card]
            if s["exoglobal"][c] == 0:
                hues |= 1 << t["right"][card]
    if hues == 0:
        return below(s["rng"], HUES)
    choices = 0
    for hue in range(HUES):
        choices += (hues >> hue) & 1
    left = below(s["rng"], choices)
    hue = 0
    while (hues >> hue) & 1 == 0 or left > 0:
        left -= (hues >> hue) & 1
        hue += 1
    return hue
