"""An exoglobal's turn in the solo game, in the order in which it happens. (K5, K6)

    ``begin_exo_turn``     the card is drawn, the actor found, its syndication and surge placed
    (stage IMPACT)         ``next_exo_icon``: each icon, both options of an "or"; those that ask are in ``impacts``
    (stage EXO_SPLAYED)    ``exo_splayed``: the end of a commercialization

All choices are the human's.
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.commercialize import same_pair, to_splay
from pax_env.constants import (
    COLORS,
    ROWS,
    SLOTS,
    SPACES,
    SPHERES,
    SPLAY,
    TURN_ACTIONS,
    End,
    Icon,
    Kind,
    Pending,
    Phase,
    Solo,
    Zone,
)
from pax_env.ends import check_splay, finish
from pax_env.impacts import begin_company, claim_problem, exchange_icon, impact_done
from pax_env.market import (
    draw_from,
    empty_place,
    fill_slot,
    has_hue,
    is_idea,
    is_syndicated,
    place_syndication,
    surge_arrows,
)
from pax_env.research import lowest_card
from pax_env.state import (
    ask_color,
    ask_turn_player,
    clear_pending,
    has_employee,
    open_white,
    packed_count,
    packed_total,
)

__all__ = ["begin_exo_turn", "draw_exo_card", "exo_splayed", "find_zone", "next_exo_icon", "next_turn", "reveal_next"]


@jit
def next_turn(s):
    """The next seat begins its turn. (D)"""
    clear_pending(s)
    s["turn"] = (s["turn"] + 1) % s["num_players"]
    s["actions_left"] = TURN_ACTIONS
    s["placate_used"] = 0
    ask_turn_player(s, Phase.TURN)


# The card and the actor (K5a-b)


@jit
def find_zone(s, t, zone):
    """The first card of a zone, -1 if there is none."""
    for card in range(t["cards"]):
        if s["zone"][card] == zone:
            return card
    return -1


@jit
def reveal_next(s, t):
    """On the easy level the next card lies face up. (K2a)"""
    if s["solo"] == Solo.EASY:
        card = draw_from(s, t, Zone.EXO_REST)
        if card >= 0:
            s["zone"][card] = Zone.EXO_NEXT


@jit
def draw_exo_card(s, t):
    """The card of this exoglobal turn, -1 if there is none; an exhausted deck is shuffled anew first. (K5b, P-45)"""
    card = find_zone(s, t, Zone.EXO_NEXT)
    if card < 0:
        if find_zone(s, t, Zone.EXO_REST) < 0:
            for used in range(t["cards"]):
                if s["zone"][used] == Zone.EXO_USED:
                    s["zone"][used] = Zone.EXO_REST
        card = draw_from(s, t, Zone.EXO_REST)
    if card >= 0:
        s["zone"][card] = Zone.EXO_USED
        reveal_next(s, t)
    return card


@jit
def cubes_of(s, c):
    """Cubes of a colour on market and splay. (K5a)"""
    count = 0
    for place in range(SLOTS + s["splay_length"]):
        count += packed_count(s["white"][place], c) + ((np.int64(s["black"][place]) >> c) & 1)
        if place < SLOTS and is_syndicated(s, place, c):
            count += 1
    return count


@jit
def phasing_exoglobal(s):
    """The exoglobal with the fewest cubes in play; ties in player order. (K5a)"""
    actor = -1
    fewest = 0
    for c in range(COLORS):
        if s["exoglobal"][c] == 1:
            cubes = cubes_of(s, c)
            if actor < 0 or cubes < fewest:
                actor = c
                fewest = cubes
    return actor


@jit
def begin_exo_turn(s, t):
    """Draw a card, place a syndication of its pair, and go on to its icons. (K5)"""
    card = draw_exo_card(s, t)
    if card < 0:
        next_turn(s)
        return
    actor = phasing_exoglobal(s)
    s["pending"] = Pending.EXO
    s["pending_card"] = card
    s["actor"] = actor
    slot = exo_target(s, t, actor, card)
    if slot >= 0:
        exo_syndicate(s, t, actor, slot)
    s["phase"] = Phase.IMPACT


# Syndication and surge (K3, K5c-d)


@jit
def can_exo_syndicate(s, t, slot, actor):
    """Whether an exoglobal could syndicate a market card. (P-46, P-47)"""
    return is_idea(s, t, slot) and not is_syndicated(s, slot, actor) and 1 + open_white(s, t, slot) <= s["pool"][actor]


@jit
def exo_target(s, t, actor, card):
    """The market card with the drawn card's pair that an exoglobal syndicates: tipping points first. (K3, P-46)"""
    first = -1
    for slot in range(SLOTS):
        if can_exo_syndicate(s, t, slot, actor) and same_pair(t, card, s["card"][slot]):
            if t["kind"][s["card"][slot]] == Kind.TIPPING_POINT:
                return slot
            if first < 0:
                first = slot
    return first


@jit
def exo_syndicate(s, t, actor, slot):
    """A syndication and white heat; then every card further up that the arrows gathered so far reach. (K5c-d, P-47)"""
    arrows = np.int64(0)
    for target in range(slot, (slot // ROWS + 1) * ROWS):
        if target == slot or (can_exo_syndicate(s, t, target, actor) and has_hue(t, s["card"][target], arrows)):
            s["pool"][actor] -= 1 + open_white(s, t, target)
            place_syndication(s, t, target, actor)
            arrows |= surge_arrows(s, t, s["card"][target])


# Icons (K5e, K6)


@jit
def next_exo_icon(s, t):
    """Perform the icon that is due; after the last one the human's next turn begins. (K6)"""
    card = np.int64(s["pending_card"])
    if s["impact"] >= t["first_icon"][card][t["impacts"][card]]:
        next_turn(s)
        return
    icon = np.int64(s["impact"])
    kind = t["icon"][card][icon]
    if kind == Icon.COMPANY:
        begin_company(s, t)
    elif kind == Icon.GROWTH or kind == Icon.DEFUSAL_GROWTH:
        exo_commercialize(s, t)
    elif kind == Icon.PROBLEM:
        claim_problem(s, np.int64(s["actor"]), np.int64(t["icon_of"][card][icon]))
        impact_done(s)
    elif kind == Icon.WILD_PROBLEM:
        exo_wild_problem(s, t)
        impact_done(s)
    elif kind == Icon.SOCIAL_RESILIENCE:
        exo_resilience(s, t)
        impact_done(s)
    elif kind == Icon.DISRUPTION:
        ask_turn_player(s, Phase.DISRUPTION)
    elif kind == Icon.RECESSION:
        exo_recession(s)
    elif kind == Icon.NUCLEAR_EXCHANGE:
        s["phase"] = Phase.NEXT_EXCHANGE
    else:
        impact_done(s)


@jit
def exo_commercialize(s, t):
    """The actor's syndicated card of highest priority: its nuclear exchange first, if it has one. (K6b, P-48)"""
    first = -1
    actor = np.int64(s["actor"])
    for slot in range(SLOTS):
        if is_syndicated(s, slot, actor):
            if t["kind"][s["card"][slot]] == Kind.TIPPING_POINT:
                first = slot
                break
            if first < 0:
                first = slot
    if first < 0 or s["splay_length"] == SPLAY:
        impact_done(s)
        return
    s["slot"] = first
    s["phase"] = Phase.NEXT_EXCHANGE if exchange_icon(t, np.int64(s["card"][first])) >= 0 else Phase.EXO_SPLAYED


@jit
def exo_splayed(s, t):
    """A tipping point ends the game; another card goes to the splay with its left hue visible. (K6b, P-48, P-49)"""
    slot = np.int64(s["slot"])
    card = np.int64(s["card"][slot])
    if t["kind"][card] == Kind.TIPPING_POINT:
        finish(s, End.TIPPING_POINT)
        return
    s["slot"] = -1
    to_splay(s, slot, np.int64(t["left"][card]), np.int64(0))
    if not check_splay(s):
        impact_done(s)


@jit
def exo_wild_problem(s, t):
    """The first gap gets a card from the bottom of the deck. (K6g, P-52)"""
    for slot in range(SLOTS):
        if s["card"][slot] < 0:
            fill_slot(s, t, slot, Zone.BOTTOM, Zone.TOP)
            return


@jit
def exo_resilience(s, t):
    """The lowest card of the busiest sphere is discarded, unless it is the plurality card. (K6e, P-53)"""
    busy = 0  # eight bits a sphere
    for space in range(SPACES):
        number = packed_total(s["employees"][space]) + (s["company"][space] >= 0)
        busy += number << (8 * np.int64(t["space_sphere"][space]))
    busiest = np.int64(0)
    for sphere in range(SPHERES):
        if (busy >> (8 * sphere)) & 255 > (busy >> (8 * busiest)) & 255:
            busiest = sphere
    slot = lowest_card(s, busiest)
    if slot >= 0 and is_idea(s, t, slot):
        s["zone"][empty_place(s, slot)] = Zone.DISCARD


@jit
def exo_recession(s):
    """The human loses an employee, if he has any. (K6c, P-50)"""
    human = np.int64(s["color_of"][0])
    if has_employee(s, human):
        s["victim"] = human
        ask_color(s, Phase.RECESSION, human)
    else:
        impact_done(s)
