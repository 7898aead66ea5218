"""What a seat cannot know, dealt anew."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import draw_from_counts
from xenon_env.constants import HELD, NONE
from xenon_env.piles import total


@jit
def determinize(states, i, tables, seat):
    """Deal each opponent's pool into the card looked at, the unseen part of the hand, and the System."""
    s = states[i]
    mover = np.int64(s["player"])
    for other in range(np.int64(s["num_players"])):
        if other != seat:
            redeal(s, other, other == mover)


@jit
def redeal(s, other, is_mover):
    """Deal one opponent's pool anew; a mover's whole hand has been seen."""
    system = s["system"][other]
    hand = s["hand"][other]
    unseen = 0
    if not is_mover:
        for card in range(HELD):
            hidden = hand[card] - s["shown"][other][card]
            unseen += np.int64(hidden)
            system[card] += hidden
            hand[card] -= hidden
    looked_at = is_mover and s["peek"] != NONE
    if looked_at:
        system[s["peek"]] += 1
        s["peek"] = take_random(s["rng"], system)
    for _ in range(unseen):
        hand[take_random(s["rng"], system)] += 1


@jit
def take_random(rng, pile):
    """A random card out of a pile that is not empty."""
    card = draw_from_counts(rng, pile, total(pile))
    pile[card] -= 1
    return card
