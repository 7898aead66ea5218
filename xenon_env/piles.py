"""Cards and tokens changing place: Systems, decks, lines, the supply."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import draw_from_counts
from xenon_env.constants import DECK, ELEMENTS, FIRST_CONTRACT, FIRST_UPGRADE, HELD, NONE, SEATS, Line


@jit
def total(counts):
    """Cards in a pile."""
    cards = 0
    for kind in range(counts.shape[0]):
        cards += np.int64(counts[kind])
    return cards


@jit
def move_all(source, target):
    """Every card of one pile onto another of the same kinds."""
    for kind in range(source.shape[0]):
        target[kind] += source[kind]
        source[kind] = 0


@jit
def draw(rng, deck, discard):
    """A random card of ``deck``, taken out; the discard pile becomes the deck first if that is empty. NONE if both are.

    Reshuffling, X-5.
    """
    cards = total(deck)
    if cards == 0:
        move_all(discard, deck)
        cards = total(deck)
        if cards == 0:
            return NONE
    kind = draw_from_counts(rng, deck, cards)
    deck[kind] -= 1
    return kind


@jit
def draw_to_hand(s, seat, cards):
    """Up to ``cards`` cards from the seat's System (Draw)."""
    for _ in range(cards):
        card = draw(s["rng"], s["system"][seat], s["discard"][seat])
        if card == NONE:
            return
        s["hand"][seat][card] += 1


@jit
def has_cards_to_draw(s, seat):
    """Whether the seat's System or discard pile holds a card."""
    system = s["system"][seat]
    discard = s["discard"][seat]
    for card in range(HELD):
        if system[card] > 0 or discard[card] > 0:
            return True
    return False


@jit
def discard_card(s, seat, card):
    """One card from the seat's hand to its discard pile."""
    s["hand"][seat][card] -= 1
    s["discard"][seat][card] += 1


@jit
def has_element(s, element):
    """Whether the supply has a card of the element (X-4)."""
    return s["supply"][element] != 0


@jit
def gain_element(s, seat, element):
    """One card of the element from the supply to the discard pile, if there is one (X-4, X-29)."""
    if has_element(s, element):
        if s["supply"][element] > 0:
            s["supply"][element] -= 1
        s["discard"][seat][element] += 1


@jit
def return_elements(s, element, cards):
    """Cards of the element back to the supply."""
    if s["supply"][element] != NONE:
        s["supply"][element] += cards


@jit
def introduce_air(s, t, seat, packets):
    """AIR packets and their money (AIR, X-4, X-17)."""
    for _ in range(packets):
        for element in range(ELEMENTS):
            for _ in range(t["air_packet"][element]):
                gain_element(s, seat, element)
        s["money"][seat] += t["air_money"]


@jit
def first_card(line):
    """The card that kind 0 of a line's deck stands for."""
    return FIRST_CONTRACT if line == Line.CONTRACT else FIRST_UPGRADE


@jit
def restock(s, t, line):
    """Fill the empty slots in ascending order (Restock, X-2, X-5)."""
    for slot in range(t["line_size"][s["num_players"]]):
        if s["line_card"][line][slot] == NONE:
            kind = draw(s["rng"], s["deck"][line], s["deck_discard"][line])
            if kind == NONE:
                return
            s["line_card"][line][slot] = first_card(line) + kind


@jit
def discard_untaken(s, line):
    """Cards of a line without a bid token go to its discard pile (WIPE)."""
    for slot in range(s["line_card"].shape[1]):
        card = s["line_card"][line][slot]
        if card != NONE and not has_token(s, line, slot):
            s["deck_discard"][line][card - first_card(line)] += 1
            s["line_card"][line][slot] = NONE


@jit
def has_token(s, line, slot):
    """Whether anybody has a bid token on the slot."""
    tokens = s["line_tokens"][line][slot]
    for seat in range(SEATS):
        if tokens[seat] > 0:
            return True
    return False


@jit
def lines_are_empty(s):
    """Whether no slot of either line holds a card."""
    for line in range(s["line_card"].shape[0]):
        for slot in range(s["line_card"].shape[1]):
            if s["line_card"][line][slot] != NONE:
                return False
    return True


@jit
def discard_drawn(s, line):
    """The Engineer's cards that were not chosen go to the line's discard pile (X-19)."""
    for kind in range(DECK):
        s["deck_discard"][line][kind] += s["drawn"][kind]
        s["drawn"][kind] = 0
