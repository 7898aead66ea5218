"""One research from start to end, in the order in which it happens. (F5)

research:<sphere>      ``legal_research``, ``do_research``
work:<arrow>           ``work.legal_work``, ``work.do_work``
sell:<hue>, pay        ``money.legal_payment``, ``money.do_payment``
(stage PAID)           ``research_paid``: the lowest card is removed, the column slides and fills
(stage IMPACT)         ``next_plurality_impact``, if that card was the plurality card
patents:..., think_tank  ``legal_claim``, ``do_claim``
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.actions import PATENTS, PATENTS_BOTH, PATENTS_NONE, RESEARCH, THINK_TANK
from pax_env.constants import ROWS, SPHERES, End, Icon, Kind, Pending, Phase, Side, Zone
from pax_env.ends import finish
from pax_env.market import empty_place, fill_slot, is_syndicated, move_card
from pax_env.money import finance_agents, install
from pax_env.state import action_over, ask_turn_player, others_on, turn_color
from pax_env.work import NO_WORK, cheapest_work

__all__ = ["do_claim", "do_research", "legal_claim", "legal_research", "next_plurality_impact", "research_paid"]


@jit
def lowest_card(s, sphere):
    """The slot of the lowest card of a column, -1 if the column is empty. (F5e)"""
    for slot in range(sphere * ROWS, (sphere + 1) * ROWS):
        if s["card"][slot] >= 0:
            return slot
    return -1


@jit
def legal_research(s, t, actions, count, c, skills, power):
    """Spheres with payable thinker work; a tipping point must be syndicated. An empty column will do. (F5, P-17)"""
    for sphere in range(SPHERES):
        slot = lowest_card(s, sphere)
        if slot >= 0 and t["kind"][s["card"][slot]] == Kind.TIPPING_POINT and not is_syndicated(s, slot, c):
            continue
        cost = cheapest_work(s, t, c, skills, sphere, np.int64(Side.THINKER))
        if cost != NO_WORK and cost <= power:
            actions[count] = RESEARCH + sphere
            count += 1
    return count


@jit
def do_research(s, action):
    """Choose the sphere. (F5a)"""
    s["pending"] = Pending.RESEARCH
    s["sphere"] = action - RESEARCH
    ask_turn_player(s, Phase.WORK)


@jit
def research_paid(s, t):
    """Remove the lowest card, slide, fill the gaps; then the claim, with the new cards in view. (F5e-i, P-17, P-18)"""
    sphere = np.int64(s["sphere"])
    slot = lowest_card(s, sphere)
    if slot >= 0:
        c = turn_color(s)
        if np.int64(s["syndicated"][slot]) & ~(1 << c) != 0 or others_on(s, slot, c):
            s["foreign"] = 1
        card = empty_place(s, slot)
        s["pending_card"] = card
        s["zone"][card] = Zone.RESEARCHED
        if t["kind"][card] == Kind.PLURALITY:
            s["phase"] = Phase.IMPACT
            return
    slide_and_fill(s, t, sphere)
    if slot >= 0:
        ask_turn_player(s, Phase.RESEARCH_CLAIM)
    else:
        action_over(s)


@jit
def slide_and_fill(s, t, sphere):
    """Cards slide down in order; the gaps are filled from the deck, lowest first. (F5f-g)"""
    free = sphere * ROWS
    for slot in range(sphere * ROWS, (sphere + 1) * ROWS):
        if s["card"][slot] >= 0:
            if slot != free:
                move_card(s, slot, free)
            free += 1
    for slot in range(free, (sphere + 1) * ROWS):
        fill_slot(s, t, slot, Zone.TOP, Zone.BOTTOM)


@jit
def next_plurality_impact(s, t):
    """Perform the nuclear exchanges of the plurality card, then end the game. (I4, P-5)"""
    card = np.int64(s["pending_card"])
    if s["impact"] < t["impacts"][card] and t["icon"][card][s["impact"]] == Icon.NUCLEAR_EXCHANGE:
        s["phase"] = Phase.NEXT_EXCHANGE
    else:
        s["zone"][card] = Zone.DISCARD
        finish(s, End.PLURALITY)


@jit
def legal_claim(s, t, actions):
    """Nothing, patents of the card's hues unless a utility worked, the think tank without foreign cubes. (F5h-i)"""
    card = s["pending_card"]
    actions[0] = PATENTS_NONE
    count = 1
    agents = finance_agents(s, turn_color(s))
    if s["utility"] == 0 and agents > 0:
        actions[count] = PATENTS + t["left"][card]
        count += 1
        if t["right"][card] != t["left"][card]:
            actions[count] = PATENTS + t["right"][card]
            count += 1
        if agents > 1:
            actions[count] = PATENTS_BOTH
            count += 1
    if s["foreign"] == 0:
        actions[count] = THINK_TANK
        count += 1
    return count


@jit
def take_patent(s, c, hue):
    """Install a patent. (F5h)"""
    install(s, c)
    s["patents"][c][hue] += 1


@jit
def do_claim(s, t, action):
    """Install the patents and discard the card, or put it on the think tank. (F5h-i, P-20)"""
    c = turn_color(s)
    card = np.int64(s["pending_card"])
    if action == THINK_TANK:
        s["under"][card] = s["think_tank"][c]
        s["think_tank"][c] = card
        s["zone"][card] = Zone.THINK_TANK
    else:
        s["zone"][card] = Zone.DISCARD
        if action == PATENTS_BOTH:
            take_patent(s, c, np.int64(t["left"][card]))
            take_patent(s, c, np.int64(t["right"][card]))
        elif action != PATENTS_NONE:
            take_patent(s, c, action - PATENTS)
    action_over(s)
