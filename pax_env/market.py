"""The market: syndications with their heat and surge, placating, importing, and cards that come and go. (F2, F6, F7)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import below
from pax_env.abilities import abilities, has
from pax_env.actions import COVER, IMPORT, LEAVE, NONE, PLACATE, SURGE, SYNDICATE, TO
from pax_env.constants import (
    COLORS,
    ROWS,
    SLOTS,
    Kind,
    Pending,
    Phase,
    Regime,
    Skill,
    Zone,
)
from pax_env.money import charge, finance_agents, install, payable, take_home
from pax_env.state import action_over, ask_turn_player, open_black, open_white, others_on, packed_count, turn_color

__all__ = [
    "do_black_heat",
    "do_import_to",
    "do_placate",
    "do_surge",
    "do_syndicate",
    "draw_from",
    "draw_idea",
    "empty_place",
    "is_idea",
    "legal_black_heat",
    "legal_import",
    "legal_import_to",
    "legal_placate",
    "legal_surge",
    "legal_syndicate",
    "place_syndication",
    "surge_arrows",
    "surge_due",
    "syndicate_paid",
]


@jit
def is_idea(s, t, slot):
    """Whether a slot holds an idea or tipping point: anything but a gap or the plurality card. (P-5, P-6)"""
    card = s["card"][slot]
    return card >= 0 and t["kind"][card] != Kind.PLURALITY


@jit
def is_syndicated(s, slot, c):
    """Whether colour c has a syndication on a slot's card."""
    return (s["syndicated"][slot] >> c) & 1 == 1


# Syndicate


@jit
def market_cost(s, skills, slot, c):
    """What syndicating costs: the row, doubled by opponents' syndications. (F2a, P-7, H3f)"""
    if s["regime"] == Regime.PARADIGM_SHIFT:
        return 0
    cost = slot % ROWS
    if has(skills, Skill.MARKET_DISCOUNT + slot // ROWS):
        cost = max(0, cost - 1)
    if np.int64(s["syndicated"][slot]) & ~(1 << c) != 0 and not has(skills, Skill.NO_DOUBLING):
        cost *= 2
    return cost


@jit
def legal_syndicate(s, t, actions, count, c, skills, power):
    """Cards without one's own syndication that can be paid for, white heat included. (F2)"""
    for slot in range(SLOTS):
        if not is_idea(s, t, slot) or is_syndicated(s, slot, c):
            continue
        if payable(s, t, c, skills, power, market_cost(s, skills, slot, c), 1 + open_white(s, t, slot)):
            actions[count] = SYNDICATE + slot
            count += 1
    return count


@jit
def do_syndicate(s, t, action):
    """Choose the card, then pay. (F2a)"""
    slot = action - SYNDICATE
    c = turn_color(s)
    s["pending"] = Pending.SYNDICATE
    s["slot"] = slot
    charge(s, market_cost(s, abilities(s, t, c), slot, c))


@jit
def syndicate_paid(s, t):
    """The syndication and its white heat are installed; then the black square is asked about. (F2b-c, P-9)"""
    c = turn_color(s)
    slot = np.int64(s["slot"])
    for _ in range(1 + open_white(s, t, slot)):
        install(s, c)
    place_syndication(s, t, slot, c)
    if open_black(s, t, slot) and finance_agents(s, c) > 0:
        ask_turn_player(s, Phase.BLACK_HEAT)
    else:
        s["phase"] = Phase.SYNDICATED


@jit
def place_syndication(s, t, slot, c):
    """Agents already taken go to the card: a syndication and a cube on every open white square. (F2b)"""
    s["white"][slot] += open_white(s, t, slot) << (4 * c)
    s["syndicated"][slot] |= 1 << c


@jit
def legal_black_heat(s, t, actions):
    """Cover the black square or leave it. (F2c)"""
    count = 0
    if open_black(s, t, np.int64(s["slot"])) and finance_agents(s, turn_color(s)) > 0:
        actions[count] = COVER
        count += 1
    actions[count] = LEAVE
    return count + 1


@jit
def do_black_heat(s, action):
    """Install the cube, or not; the surge is next. (F2c, P-9)"""
    if action == COVER:
        c = turn_color(s)
        install(s, c)
        s["black"][s["slot"]] = 1 << c
    s["phase"] = Phase.SYNDICATED


@jit
def surge_arrows(s, t, card):
    """The hues of a card's surge, a mask: its arrows, under transbiology its own hues too. (F2f, H3b)"""
    arrows = np.int64(t["surge"][card])
    if s["regime"] == Regime.TRANSBIOLOGY:
        arrows |= (1 << t["left"][card]) | (1 << t["right"][card])
    return arrows


@jit
def has_hue(t, card, hues):
    """Whether a card has one of the hues of a mask."""
    return ((1 << t["left"][card]) | (1 << t["right"][card])) & hues != 0


@jit
def can_surge(s, t, target, c, arrows):
    """Whether colour c could syndicate a card by a surge with these arrows. (F2f)"""
    return (
        is_idea(s, t, target)
        and not is_syndicated(s, target, c)
        and has_hue(t, s["card"][target], arrows)
        and finance_agents(s, c) >= 1 + open_white(s, t, target)
    )


@jit
def surge_due(s, t):
    """After a syndication: ask for its surge if there is a target, else the action is over. (F2f-g, P-8)"""
    c = turn_color(s)
    slot = np.int64(s["slot"])
    arrows = surge_arrows(s, t, s["card"][slot])
    if arrows != 0:
        for target in range(slot + 1, (slot // ROWS + 1) * ROWS):
            if can_surge(s, t, target, c, arrows):
                ask_turn_player(s, Phase.SURGE)
                return
    action_over(s)


@jit
def legal_surge(s, t, actions):
    """Nothing, or a card further up with a hue of the arrows that one's agents can syndicate. (F2f, P-8)"""
    c = turn_color(s)
    slot = np.int64(s["slot"])
    arrows = surge_arrows(s, t, s["card"][slot])
    actions[0] = NONE
    count = 1
    for target in range(slot + 1, (slot // ROWS + 1) * ROWS):
        if can_surge(s, t, target, c, arrows):
            actions[count] = SURGE + target
            count += 1
    return count


@jit
def do_surge(s, t, action):
    """Syndicate the target without cost, in the same way, or end the action. (F2f-g)"""
    if action == NONE:
        action_over(s)
        return
    s["slot"] = action - SURGE
    syndicate_paid(s, t)


# Placate and import


@jit
def legal_placate(s, actions, count, c):
    """Every square of the market with a cube of one's own. (F6)"""
    for slot in range(SLOTS):
        if packed_count(s["white"][slot], c) > 0:
            actions[count] = PLACATE + 2 * slot
            count += 1
        if (s["black"][slot] >> c) & 1:
            actions[count] = PLACATE + 2 * slot + 1
            count += 1
    return count


@jit
def do_placate(s, action):
    """Take the cube back to wealth. (F6)"""
    c = turn_color(s)
    slot = (action - PLACATE) // 2
    remove_cube(s, slot, (action - PLACATE) % 2, c)


@jit
def remove_cube(s, place, square, c):
    """Divest a cube of colour c from a white (0) or black (1) square."""
    if square == 0:
        s["white"][place] -= 1 << (4 * c)
    else:
        s["black"][place] = 0
    take_home(s, c, np.int64(1))


@jit
def has_gap(s):
    """Whether the market has a gap."""
    for slot in range(SLOTS):
        if s["card"][slot] < 0:
            return True
    return False


@jit
def legal_import(s, t, actions, count, c):
    """Cards without an opponent's cube, if there is a gap. (F7a)"""
    if not has_gap(s):
        return count
    for slot in range(SLOTS):
        if is_idea(s, t, slot) and np.int64(s["syndicated"][slot]) & ~(1 << c) == 0 and not others_on(s, slot, c):
            actions[count] = IMPORT + slot
            count += 1
    return count


@jit
def do_import(s, action):
    """Choose the card; its new place is next. (F7)"""
    s["pending"] = Pending.IMPORT
    s["slot"] = action - IMPORT
    ask_turn_player(s, Phase.IMPORT_TO)


@jit
def legal_import_to(s, actions):
    """Every gap. (F7)"""
    count = 0
    for slot in range(SLOTS):
        if s["card"][slot] < 0:
            actions[count] = TO + slot
            count += 1
    return count


@jit
def do_import_to(s, action):
    """Move the card with its cubes. (F7)"""
    move_card(s, np.int64(s["slot"]), action - TO)
    action_over(s)


# Cards that come and go


@jit
def move_card(s, start, goal):
    """Move a market card with its cubes to a gap."""
    s["card"][goal] = s["card"][start]
    s["white"][goal] = s["white"][start]
    s["black"][goal] = s["black"][start]
    s["syndicated"][goal] = s["syndicated"][start]
    s["card"][start] = -1
    s["white"][start] = 0
    s["black"][start] = 0
    s["syndicated"][start] = 0


@jit
def divest_heat(s, place):
    """Every cube on the heat squares of a place goes home."""
    for c in range(COLORS):
        number = packed_count(s["white"][place], c) + ((s["black"][place] >> c) & 1)
        if number > 0:
            take_home(s, c, number)
    s["white"][place] = 0
    s["black"][place] = 0


@jit
def empty_place(s, slot):
    """Take the card out of a market slot, every cube on it divested; returns the card, which the caller puts away."""
    card = np.int64(s["card"][slot])
    divest_heat(s, slot)
    for c in range(COLORS):
        if is_syndicated(s, slot, c):
            take_home(s, c, np.int64(1))
    s["syndicated"][slot] = 0
    s["card"][slot] = -1
    return card


@jit
def draw_from(s, t, zone):
    """A random card of a pile, -1 if it is empty. The caller moves it."""
    size = np.int64(0)
    for card in range(t["cards"]):
        if s["zone"][card] == zone:
            size += 1
    if size == 0:
        return -1
    left = below(s["rng"], size)
    card = 0
    while s["zone"][card] != zone or left > 0:
        if s["zone"][card] == zone:
            left -= 1
        card += 1
    return card


@jit
def draw_idea(s, t, first, second):
    """The next card of the deck: of one half, else of the other, else the plurality card; -1 if all are gone. (C3)"""
    card = draw_from(s, t, first)
    if card < 0:
        card = draw_from(s, t, second)
    if card < 0 and s["zone"][t["plurality"]] == Zone.DECK_END:
        card = np.int64(t["plurality"])
    return card


@jit
def fill_slot(s, t, slot, first, second):
    """Put the next card of the deck into a gap, if there is one. (F5g, K6g)"""
    card = draw_idea(s, t, first, second)
    if card >= 0:
        s["card"][slot] = card
        s["zone"][card] = Zone.MARKET
