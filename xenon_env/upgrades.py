"""Upgrades in play: played from hand, used when installed, installed from hand."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from xenon_env.actions import INSTALL, INSTALL_FREE, PLAY, USE
from xenon_env.constants import (
    FIRST_UPGRADE,
    INSTALLABLE,
    NONE,
    PLAY_CARDS,
    REDRAW_CARDS,
    USE_CARDS,
    Card,
    Deal,
    Line,
    Phase,
    Step,
)
from xenon_env.distilling import can_complete_one_short, complete, remove
from xenon_env.market import agent_on, sales_on
from xenon_env.piles import discard_card, draw, draw_to_hand, gain_element, has_cards_to_draw, has_element

MASS_FLOW_CARDS = 3


@jit
def is_installed(s, seat, card):
    return s["installed"][seat][card - FIRST_UPGRADE] == 1


@jit
def copies_in_system(s, seat, card):
    """Copies of a card in the seat's hand, System and discard pile."""
    return s["hand"][seat][card] + s["system"][seat][card] + s["discard"][seat][card]


@jit
def redraws(card):
    """The place of a card in ``played`` if it draws from its own System, else NONE."""
    for k in range(len(REDRAW_CARDS)):
        if card == REDRAW_CARDS[k]:
            return k
    return NONE


@jit
def may_redraw(s, seat, card):
    """A card that draws from its own System is played at most as often as there are copies (X-16)."""
    k = redraws(card)
    return k == NONE or s["played"][k] < copies_in_system(s, seat, card)


@jit
def holds_another(s, seat, card):
    """The hand has a card besides one copy of ``card``."""
    hand = s["hand"][seat]
    cards = 0
    for kind in range(hand.shape[0]):
        cards += np.int64(hand[kind])
    return cards > 1


@jit
def condition_holds(s, t, seat, card):
    """The condition that the card's effect names, the same from hand and installed (X-34)."""
    hand = s["hand"][seat]
    if card == Card.SILICA_GEL:
        return hand[Card.O] > 0
    if card == Card.SWING_ADSORPTION:
        return hand[Card.N] > 0
    if card == Card.RELIEF_VALVE or card == Card.MASS_FLOW:
        return has_cards_to_draw(s, seat)
    if card == Card.EXPANSION_TURBINE:
        return has_element(s, Card.KR) or has_element(s, Card.XE)
    if card == Card.RECLAIMING:
        return has_element(s, Card.XE)
    if card == Card.PACKED_COLUMNS:
        return can_complete_one_short(s, t, seat)
    if card == Card.SALES_EXECUTIVE:
        return not sales_on(s, seat) and s["deal"] != Deal.BUY and not s["bid_none"]
    if card == Card.AGENT:
        return not agent_on(s, seat) and s["deal"] != Deal.BUY
    if card == Card.BUYER:
        return not s["buyer"] and (s["deal"] != Deal.BID or agent_on(s, seat))
    return True


@jit
def may_play(s, t, seat, card):
    """The condition of a card in hand, with what only a play needs (X-15, X-16)."""
    if card == Card.REFLUX:
        return holds_another(s, seat, card)
    return may_redraw(s, seat, card) and condition_holds(s, t, seat, card)


@jit
def may_use(s, t, seat, card):
    """The condition of an installed card (X-15)."""
    if card == Card.REFLUX:
        hand = s["hand"][seat]
        for kind in range(hand.shape[0]):
            if hand[kind] > 0:
                return True
        return False
    return condition_holds(s, t, seat, card)


@jit
def step_of(card):
    """The step in which a card is played or used; Step.END stands for any of the four."""
    if (
        card == Card.EXPANSION_TURBINE
        or card == Card.PACKED_COLUMNS
        or card == Card.MASS_FLOW
        or card == Card.RECLAIMING
    ):
        return Step.END
    if card == Card.SALES_EXECUTIVE or card == Card.AGENT or card == Card.BUYER:
        return Step.MARKET
    return Step.DISTILL


@jit
def list_upgrades(s, t, seat, actions):
    """``play:``, ``use:``, ``install:`` and ``install_free:`` in the step the turn is in."""
    hand = s["hand"][seat]
    installed = s["installed"][seat]
    turn_step = s["turn_step"]
    count = 0
    for k in range(len(PLAY_CARDS)):
        card = PLAY_CARDS[k]
        if hand[card] > 0:
            when = step_of(card)
            if (when == Step.END or when == turn_step) and may_play(s, t, seat, card):
                actions[count] = PLAY + k
                count += 1
    for k in range(len(USE_CARDS)):
        card = USE_CARDS[k]
        if installed[card - FIRST_UPGRADE] and not s["used"][k]:
            when = step_of(card)
            if (when == Step.END or when == turn_step) and may_use(s, t, seat, card):
                actions[count] = USE + k
                count += 1
    free = hand[Card.CONTRACTOR] > 0
    for k in range(INSTALLABLE):
        card = FIRST_UPGRADE + k
        if hand[card] > 0 and installed[k] == 0:
            if t["install"][card] - t["buy"][card] <= s["money"][seat]:
                actions[count] = INSTALL + k
                count += 1
            if free:
                actions[count] = INSTALL_FREE + k
                count += 1
    return count


@jit
def play(s, t, seat, card):
    """Play a card from hand; it is on the discard pile when its effect is over (Abilities & Upgrades)."""
    k = redraws(card)
    if k != NONE:
        # the card stays out of a reshuffle that it causes (Reshuffling)
        s["hand"][seat][card] -= 1
        s["played"][k] += 1
        perform(s, t, seat, card)
        s["discard"][seat][card] += 1
    else:
        discard_card(s, seat, card)
        perform(s, t, seat, card)


@jit
def use(s, t, seat, k):
    """Use an installed upgrade (X-16)."""
    s["used"][k] = 1
    perform(s, t, seat, USE_CARDS[k])


@jit
def perform(s, t, seat, card):
    """The effect of a played or used card, up to the settling; Reflux and the valve ask a question instead."""
    if card == Card.REFLUX:
        s["phase"] = Phase.REFLUX
    elif card == Card.RELIEF_VALVE:
        s["peek"] = draw(s["rng"], s["system"][seat], s["discard"][seat])
        s["phase"] = Phase.PEEK
    elif card == Card.SILICA_GEL:
        remove(s, seat, Card.O)
    elif card == Card.SWING_ADSORPTION:
        remove(s, seat, Card.N)
    elif card == Card.EXPANSION_TURBINE:
        gain_element(s, seat, Card.KR)
        gain_element(s, seat, Card.XE)
    elif card == Card.RECLAIMING:
        gain_element(s, seat, Card.XE)
    elif card == Card.MASS_FLOW:
        draw_to_hand(s, seat, np.int64(MASS_FLOW_CARDS))
    elif card == Card.PACKED_COLUMNS:
        complete(s, t, seat, np.int64(s["stored"][seat]))
    elif card == Card.REBOILER:
        s["reboilers"] += 1
    elif card == Card.REFRIGERATION:
        s["refrigerations"] += 1
    elif card == Card.SALES_EXECUTIVE:
        s["sales_executive"] = 1
    elif card == Card.AGENT:
        s["agent"] = 1
    elif card == Card.BUYER:
        s["buyer"] = 1


@jit
def install(s, t, seat, k, free):
    """Install a card from hand, for the difference of its prices or with the Contractor (INSTALLing, X-27, X-28)."""
    card = FIRST_UPGRADE + k
    if free:
        s["hand"][seat][Card.CONTRACTOR] -= 1
        s["deck_discard"][Line.UPGRADE][Card.CONTRACTOR - FIRST_UPGRADE] += 1
    else:
        s["money"][seat] -= t["install"][card] - t["buy"][card]
    s["hand"][seat][card] -= 1
    s["installed"][seat][k] = 1
