"""Fundraising and hiring: the two actions that need no card. (F1, F4)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import at
from pax_env.abilities import abilities, has
from pax_env.actions import DIVEST_EMPLOYEE, DIVEST_MARKET, DIVEST_PATENT, DONE, HIRE, SOURCE
from pax_env.constants import (
    DISCOUNTED_HIRE_COST,
    HIRE_COST,
    HUES,
    SLOTS,
    SPACES,
    SPHERES,
    WORK_SPACES,
    Pending,
    Phase,
    Regime,
    Skill,
    Source,
)
from pax_env.money import charge, install, payable, take_home
from pax_env.state import action_over, ask_turn_player, packed_count, turn_color

__all__ = [
    "do_divest",
    "do_fundraise",
    "do_hire",
    "do_source",
    "hire_paid",
    "is_own_company",
    "legal_divest",
    "legal_hire",
    "legal_source",
]


@jit
def do_fundraise(s):
    """Divesting comes first. (F1a)"""
    s["pending"] = Pending.FUNDRAISE
    ask_turn_player(s, Phase.DIVEST)


@jit
def legal_divest(s, actions):
    """Done, or an own syndication, employee or patent; never heat or future shock. (F1a)"""
    c = turn_color(s)
    actions[0] = DONE
    count = 1
    for slot in range(SLOTS):
        actions[at(0, count)] = DIVEST_MARKET + slot
        count += (s["syndicated"][at(0, slot)] >> c) & 1
    for space in range(SPACES):
        actions[at(0, count)] = DIVEST_EMPLOYEE + space
        count += packed_count(s["employees"][at(0, space)], c) > 0
    for hue in range(HUES):
        actions[at(0, count)] = DIVEST_PATENT + hue
        count += s["patents"][c][hue] > 0
    return count


@jit
def do_divest(s, action):
    """One agent to wealth; or done: collateral, then accumulation. (F1)"""
    c = turn_color(s)
    if action == DONE:
        pairs = min(np.int64(s["capital"][c]), np.int64(s["debt"][c]))
        s["capital"][c] += pairs + s["wealth"][c]  # the capital agents bought back come home with the rest
        s["debt"][c] -= pairs
        s["wealth"][c] = 0
        action_over(s)
        return
    if action >= DIVEST_PATENT:
        s["patents"][c][action - DIVEST_PATENT] -= 1
    elif action >= DIVEST_EMPLOYEE:
        s["employees"][action - DIVEST_EMPLOYEE] -= 1 << (4 * c)
    else:
        s["syndicated"][action - DIVEST_MARKET] &= ~(1 << c)
    take_home(s, c, np.int64(1))


# Hire


@jit
def hire_cost(s, skills):
    """What hiring costs. (F4a, H3c)"""
    if s["regime"] == Regime.GROUP_DYNAMICS:
        return 0
    return DISCOUNTED_HIRE_COST if has(skills, Skill.HIRE_DISCOUNT) else HIRE_COST


@jit
def is_own_company(s, space, c):
    """Whether hiring into a space takes no action. (F4c, P-22)"""
    return s["company"][space] == c


@jit
def vacant_spaces(t, view):
    """The spaces into which a colour may hire, as a mask. (F4, F4b, K4b)"""
    own, manned, _, _, closed = view
    return (np.int64(t["utilities"]) & ~own) | (np.int64(t["barriers"]) & ~manned & ~closed)


@jit
def is_unemployed(s, t, sphere, c):
    """Whether colour c has an agent in the unemployment of a sphere. (F4)"""
    return packed_count(s["employees"][t["unemployment"][sphere]], c) > 0


@jit
def legal_hire(s, t, actions, count, c, skills, power, view):
    """Vacant spaces, if the agent can come from somewhere; without an action left own companies only. (F4, P-21)"""
    cost = hire_cost(s, skills)
    if cost > power:
        return count
    vacant = vacant_spaces(t, view)
    own, _, mine, _, _ = view
    if s["actions_left"] == 0:
        vacant &= mine
    if not payable(s, t, c, skills, power, cost, np.int64(1)):
        reached = 0
        for sphere in range(SPHERES):
            if (own >> t["unemployment"][sphere]) & 1:
                reached |= np.int64(t["workplaces"][sphere])
        vacant &= reached
    if vacant != 0:
        for k in range(WORK_SPACES):
            actions[at(0, count)] = HIRE + k
            count += (vacant >> t["work_space"][at(0, k)]) & 1
    return count


@jit
def do_hire(s, t, action):
    """Choose the space; the source is next. (F4)"""
    s["pending"] = Pending.HIRE
    s["space"] = t["work_space"][action - HIRE]
    ask_turn_player(s, Phase.SOURCE)


@jit
def legal_source(s, t, actions, c, skills, power):
    """From the finance board or from unemployment in the sphere. (F4, P-21)"""
    cost = hire_cost(s, skills)
    count = 0
    if payable(s, t, c, skills, power, cost, np.int64(1)):
        actions[count] = SOURCE + Source.FINANCE
        count += 1
    if cost <= power and is_unemployed(s, t, t["space_sphere"][s["space"]], c):
        actions[count] = SOURCE + Source.UNEMPLOYMENT
        count += 1
    return count


@jit
def do_source(s, t, action):
    """Then pay. (F4a)"""
    s["source"] = action - SOURCE
    charge(s, hire_cost(s, abilities(s, t, turn_color(s))))


@jit
def hire_paid(s, t):
    """The agent takes its place. (F4)"""
    c = turn_color(s)
    space = s["space"]
    if s["source"] == Source.FINANCE:
        install(s, c)
    else:
        s["employees"][t["unemployment"][t["space_sphere"][space]]] -= 1 << (4 * c)
    s["employees"][space] += 1 << (4 * c)
    action_over(s)
