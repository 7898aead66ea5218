"""One commercialization from start to end, in the order in which it happens. (F3)

commercialize:<slot>   ``legal_commercialize``, ``do_commercialize``     the card
via:<source>           ``legal_viability``, ``do_viability``             what makes it viable
work:<arrow>           ``work.legal_work``, ``work.do_work``             the agent moves, the cost is set
sell:<hue>, pay        ``money.legal_payment``, ``money.do_payment``     until the cost is met
(stage IMPACT)         ``next_impact``                                   each impact in turn; those that ask are in
                                                                         ``impacts``, and come back by ``impact_done``
show:<hue>             ``impacts.legal_hues``, ``do_orientation``        unless a disruption has set the hue
(stage SPLAYED)        ``enter_splay``                                   splay, patents, think tank, regime, ends
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.abilities import has
from pax_env.actions import COMMERCIALIZE, OR, SHOW, VIA
from pax_env.constants import (
    COLORS,
    HUES,
    ROWS,
    SLOTS,
    SPLAY,
    End,
    Icon,
    Pending,
    Phase,
    Side,
    Skill,
    Via,
    Zone,
)
from pax_env.ends import check_splay, finish
from pax_env.impacts import (
    begin_company,
    begin_defusal,
    begin_resilience,
    begin_wild_problem,
    claim_problem,
    current_icon,
    grow,
    impact_done,
)
from pax_env.market import is_syndicated
from pax_env.money import hues_shown, patent_value, take_home
from pax_env.state import acting_color, action_over, ask_turn_player, first_of, open_black, others_on, turn_color
from pax_env.work import NO_WORK, cheapest_work, survey

__all__ = [
    "do_commercialize",
    "do_or",
    "do_orientation",
    "do_viability",
    "enter_splay",
    "legal_commercialize",
    "legal_or",
    "legal_viability",
    "next_impact",
    "splay_pairs",
    "to_splay",
]

COLUMN = (1 << ROWS) - 1


# 1. The card: syndicated and viable (F3a-b)


@jit
def same_pair(t, card, other):
    """Whether two cards have the same two hues, in either order."""
    left, right = t["left"][card], t["right"][card]
    return (t["left"][other] == left and t["right"][other] == right) or (
        t["left"][other] == right and t["right"][other] == left
    )


@jit
def is_usable(s, k, c):
    """Whether a splay card counts for colour c: no future shock, or c's among it. (F3b, P-13)"""
    place = SLOTS + k
    mine = (np.int64(s["white"][place]) >> (4 * c)) & 15 or (s["black"][place] >> c) & 1
    return mine != 0 or not others_on(s, place, c)


@jit
def splay_pairs(s, c):
    """The pairs of hues that neighbours in the splay show to colour c: bit ``x * HUES + y``, both orders. (F3b)"""
    pairs = 0
    usable = False
    for k in range(s["splay_length"]):
        before = usable
        usable = is_usable(s, k, c)
        if before and usable:
            x, y = np.int64(s["visible"][k - 1]), np.int64(s["visible"][k])
            pairs |= (1 << (x * HUES + y)) | (1 << (y * HUES + x))
    return pairs


@jit
def card_pair(t, card):
    """A card's hues as a bit of ``splay_pairs``."""
    return 1 << (np.int64(t["left"][card]) * HUES + np.int64(t["right"][card]))


@jit
def tank_pairs(s, t, c, skills):
    """Pairs from c's top think tank card and, with espionage, from those of opponents. (F3b)"""
    pairs = 0
    for other in range(COLORS):
        card = s["think_tank"][other]
        if card >= 0 and (other == c or has(skills, Skill.ESPIONAGE)):
            x, y = np.int64(t["left"][card]), np.int64(t["right"][card])
            pairs |= (1 << (x * HUES + y)) | (1 << (y * HUES + x))
    return pairs


@jit
def has_patent_pair(s, t, c, card):
    """Whether c has the two patents of a card. (F3b)"""
    x, y = t["left"][card], t["right"][card]
    return s["patents"][c][x] > (1 if x == y else 0) and s["patents"][c][y] > 0


@jit
def power_after_patents(s, t, skills, power, card):
    """The purchasing power left once the card's two patents have gone home unsold. (P-11)"""
    shown = hues_shown(s)
    left = patent_value(s, t, skills, shown, np.int64(t["left"][card]))
    right = patent_value(s, t, skills, shown, np.int64(t["right"][card]))
    return power - left - right


@jit
def legal_commercialize(s, t, actions, count, c, skills, power, view, cards):
    """Cards one has syndicated (beginner: all) that some source of viability leaves payable. (F3a-d, C8)"""
    if s["splay_length"] == SPLAY:
        return count
    ideas, mine, _, _, _, _ = cards
    left = ideas if s["beginner"] == 1 else ideas & mine
    pairs = -1
    while left != 0:
        sphere = first_of(left) // ROWS
        here = left & (COLUMN << (sphere * ROWS))
        left ^= here
        cost = cheapest_work(s, t, c, skills, view, sphere, np.int64(Side.MAKER))
        if cost == NO_WORK:
            continue
        if pairs < 0:
            pairs = splay_pairs(s, c) | tank_pairs(s, t, c, skills)
        while here != 0:
            slot = first_of(here)
            here &= here - 1
            card = np.int64(s["card"][slot])
            if (pairs & card_pair(t, card) != 0 and cost <= power) or (
                has_patent_pair(s, t, c, card) and cost <= power_after_patents(s, t, skills, power, card)
            ):
                actions[count] = COMMERCIALIZE + slot
                count += 1
    return count


@jit
def do_commercialize(s, action):
    """Choose the card. (F3a)"""
    s["pending"] = Pending.COMMERCIALIZE
    s["slot"] = action - COMMERCIALIZE
    s["sphere"] = (action - COMMERCIALIZE) // ROWS
    ask_turn_player(s, Phase.VIABILITY)


# 2. What makes it viable (F3b)


@jit
def legal_viability(s, t, actions, c, skills, power):
    """The sources that leave the work payable. (F3b)"""
    card = np.int64(s["card"][s["slot"]])
    cost = cheapest_work(s, t, c, skills, survey(s, c), np.int64(s["sphere"]), np.int64(Side.MAKER))
    count = 0
    if cost == NO_WORK:
        return count
    if has_patent_pair(s, t, c, card) and cost <= power_after_patents(s, t, skills, power, card):
        actions[count] = VIA + Via.PATENTS
        count += 1
    if cost > power:
        return count
    if splay_pairs(s, c) & card_pair(t, card) != 0:
        actions[count] = VIA + Via.SPLAY
        count += 1
    for other in range(COLORS):
        top = s["think_tank"][other]
        if top < 0 or not same_pair(t, card, top):
            continue
        if other == c:
            actions[count] = VIA + Via.THINK_TANK
            count += 1
        elif has(skills, Skill.ESPIONAGE):
            actions[count] = VIA + Via.ESPIONAGE + other
            count += 1
    return count


@jit
def do_viability(s, t, action):
    """Note the source; patents go home at once. The work is next, then its payment. (F3b-d, P-2, P-11)"""
    s["via"] = action - VIA
    if s["via"] == Via.PATENTS:
        c = turn_color(s)
        card = s["card"][s["slot"]]
        s["patents"][c][t["left"][card]] -= 1
        s["patents"][c][t["right"][card]] -= 1
        take_home(s, c, np.int64(2))
    ask_turn_player(s, Phase.WORK)


# 3. The impacts, top down (F3e, G)


@jit
def next_impact(s, t):
    """Perform the impact that is due; after the last one the card goes to the splay. (F3e-f)"""
    card = np.int64(s["card"][s["slot"]])
    if s["impact"] == t["impacts"][card]:
        s["impact"] = 0
        if s["color"] >= 0:
            s["phase"] = Phase.SPLAYED
        else:
            ask_turn_player(s, Phase.ORIENTATION)
        return
    first = t["first_icon"][card][s["impact"]]
    if t["first_icon"][card][s["impact"] + 1] - first > 1 and s["option"] == 0:
        ask_turn_player(s, Phase.OR)
        return
    perform_impact(s, t, card, current_icon(s, t))


@jit
def perform_impact(s, t, card, icon):
    """One impact of a commercialized card: at once, or up to the question it asks. (G1-G9)"""
    kind = t["icon"][card][icon]
    c = turn_color(s)
    if kind == Icon.GROWTH:
        grow(s, c)
        impact_done(s)
    elif kind == Icon.PROBLEM:
        claim_problem(s, c, np.int64(t["icon_of"][card][icon]))
        impact_done(s)
    elif kind == Icon.WILD_PROBLEM:
        begin_wild_problem(s)
    elif kind == Icon.COMPANY:
        begin_company(s, t)
    elif kind == Icon.SOCIAL_RESILIENCE:
        begin_resilience(s)
    elif kind == Icon.DISRUPTION:
        ask_turn_player(s, Phase.DISRUPTION)
    elif kind == Icon.RECESSION:
        if open_black(s, t, np.int64(s["slot"])):
            s["phase"] = Phase.NEXT_RECESSION
        else:
            impact_done(s)
    elif kind == Icon.DEFUSAL_GROWTH:
        begin_defusal(s, t)
    elif kind == Icon.NUCLEAR_EXCHANGE:
        s["phase"] = Phase.NEXT_EXCHANGE
    else:
        finish(s, End.TIPPING_POINT)


@jit
def legal_or(actions):
    """Both options, whatever they would do. (G And/Or)"""
    actions[0] = OR
    actions[1] = OR + 1
    return 2


@jit
def do_or(s, action):
    """Perform the chosen option. (G And/Or)"""
    s["option"] = action - OR + 1
    s["phase"] = Phase.IMPACT


# 4. Into the splay, and what follows (F3f-j)


@jit
def do_orientation(s, action):
    """Choose the visible hue. (F3f)"""
    s["color"] = action - SHOW
    s["phase"] = Phase.SPLAYED


@jit
def enter_splay(s, t):
    """The card joins the splay; patents, think tank, regime and the ends follow. (F3f-j, P-25)"""
    c = acting_color(s)
    slot = np.int64(s["slot"])
    to_splay(s, slot, np.int64(s["color"]), np.int64(s["utility"]))
    if s["via"] == Via.THINK_TANK:
        return_think_tank(s, c, slot)
    elif s["via"] >= Via.ESPIONAGE:
        return_think_tank(s, s["via"] - Via.ESPIONAGE, slot)
    if check_splay(s):
        return
    if s["tycoon"] == 1:
        s["winner"] = c
        finish(s, End.TYCOON)
    else:
        action_over(s)


@jit
def to_splay(s, slot, hue, utility):
    """Move a card to the end of the splay with its heat; each syndication becomes a patent of the visible hue.

    After work from a utility, and for exoglobals, it is divested instead. (F3f-h, P-49)
    """
    k = np.int64(s["splay_length"])
    card = s["card"][slot]
    s["card"][SLOTS + k] = card
    s["white"][SLOTS + k] = s["white"][slot]
    s["black"][SLOTS + k] = s["black"][slot]
    s["visible"][k] = hue
    s["splay_length"] = k + 1
    s["zone"][card] = Zone.SPLAY
    for c in range(COLORS):
        if is_syndicated(s, slot, c):
            if utility == 1 or s["exoglobal"][c] == 1:
                take_home(s, c, np.int64(1))
            else:
                s["patents"][c][hue] += 1
    s["card"][slot] = -1
    s["white"][slot] = 0
    s["black"][slot] = 0
    s["syndicated"][slot] = 0


@jit
def return_think_tank(s, c, slot):
    """The top think tank card of colour c goes to the vacated slot. (F3b, P-12)"""
    card = np.int64(s["think_tank"][c])
    s["think_tank"][c] = s["under"][card]
    s["under"][card] = -1
    s["card"][slot] = card
    s["zone"][card] = Zone.MARKET
