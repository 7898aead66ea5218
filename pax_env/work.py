"""Work: employees that move down an arrow, and what that costs. (E5)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.abilities import abilities, has
from pax_env.actions import WORK
from pax_env.constants import COLORS, Pending, Regime, Side, Skill, SpaceKind, Sphere
from pax_env.money import charge, purchasing_power
from pax_env.state import packed_count, turn_color

__all__ = ["cheapest_work", "do_work", "legal_work"]

NO_WORK = -1


@jit
def agent_to_move(s, t, space, c):
    """The colour of the agent that colour c could send from a space; -1 if there is none.

    From a utility one's own; from a barrier its employee, if he or the company there is one's own. (E5d, P-14)
    """
    employees = s["employees"][space]
    if employees == 0:
        return -1
    if packed_count(employees, c) > 0:
        return c
    if t["space_kind"][space] == SpaceKind.BARRIER and s["company"][space] == c:
        for other in range(COLORS):
            if packed_count(employees, other) > 0:
                return other
    return -1


@jit
def can_enter(s, t, space, agent):
    """Whether an agent of a colour may move to a space. (E5c, K4b)"""
    kind = t["space_kind"][space]
    if kind == SpaceKind.BARRIER:
        owner = s["company"][space]
        return s["employees"][space] == 0 and (owner < 0 or s["exoglobal"][owner] == 0)
    return kind == SpaceKind.UNEMPLOYMENT or packed_count(s["employees"][space], agent) == 0


@jit
def open_barriers(s, t, sphere):
    """Barriers of a sphere with neither company nor employee. (Glossary Barrier Cost)"""
    count = 0
    for k in range(t["spaces_in"][sphere]):
        space = t["space_in"][sphere][k]
        if t["space_kind"][space] == SpaceKind.BARRIER and s["company"][space] < 0 and s["employees"][space] == 0:
            count += 1
    return count


@jit
def barrier_cost(s, t, skills, sphere, side, space):
    """What work of a kind from a space costs: open barriers, doubled unless subsidized. (F3c, F5b, H3)"""
    maker = side == Side.MAKER
    if s["regime"] == Regime.COMPUTING and not maker:
        return 0
    cost = open_barriers(s, t, sphere)
    if has(skills, Skill.BARRIER_DISCOUNT + sphere):
        cost = max(0, cost - 1)
    subsidized = t["space_kind"][space] == SpaceKind.UTILITY or s["company"][space] >= 0
    if s["regime"] == Regime.GLOBALIZATION and sphere == Sphere.DEVELOPING_WORLD:
        subsidized = True
    elif maker:
        subsidized = subsidized or s["regime"] == Regime.ASSEMBLY or has(skills, Skill.SUBSIDIZE_COMMERCIALIZE + sphere)
    else:
        subsidized = subsidized or has(skills, Skill.SUBSIDIZE_RESEARCH + sphere)
    return cost if subsidized else 2 * cost


@jit
def cheapest_work(s, t, c, skills, sphere, side):
    """The least that work of a kind in a sphere costs colour c; ``NO_WORK`` if nobody can do it."""
    cheapest = NO_WORK
    for k in range(t["spaces_in"][sphere]):
        space = np.int64(t["space_in"][sphere][k])
        agent = agent_to_move(s, t, space, c)
        if agent < 0:
            continue
        for n in range(t["arrows_out"][space]):
            arrow = t["arrow_out"][space][n]
            if (t["arrow_work"][arrow] >> side) & 1 and can_enter(s, t, t["arrow_to"][arrow], agent):
                cost = barrier_cost(s, t, skills, sphere, side, space)
                if cheapest == NO_WORK or cost < cheapest:
                    cheapest = cost
                break
    return cheapest


@jit
def work_side(s):
    """The kind of work the action under way takes."""
    return np.int64(Side.THINKER) if s["pending"] == Pending.RESEARCH else np.int64(Side.MAKER)


@jit
def legal_work(s, t, actions):
    """The arrows along which somebody can move for this action, at a cost that can be paid. (E5a-d, P-15)"""
    c = turn_color(s)
    skills = abilities(s, t, c)
    power = purchasing_power(s, t, c, skills)
    sphere = np.int64(s["sphere"])
    side = work_side(s)
    count = 0
    for k in range(t["spaces_in"][sphere]):
        space = np.int64(t["space_in"][sphere][k])
        agent = agent_to_move(s, t, space, c)
        if agent < 0 or barrier_cost(s, t, skills, sphere, side, space) > power:
            continue
        for n in range(t["arrows_out"][space]):
            arrow = t["arrow_out"][space][n]
            if (t["arrow_work"][arrow] >> side) & 1 and can_enter(s, t, t["arrow_to"][arrow], agent):
                actions[count] = WORK + arrow
                count += 1
    return count


@jit
def do_work(s, t, action):
    """Reckon the cost, move the agent, then ask for the payment. (P-2)"""
    arrow = action - WORK
    start = np.int64(t["arrow_from"][arrow])
    goal = t["arrow_to"][arrow]
    c = turn_color(s)
    cost = barrier_cost(s, t, abilities(s, t, c), np.int64(s["sphere"]), work_side(s), start)
    agent = 1 << (4 * agent_to_move(s, t, start, c))
    s["employees"][start] -= agent
    s["employees"][goal] += agent
    s["utility"] = 1 if t["space_kind"][start] == SpaceKind.UTILITY else 0
    charge(s, cost)
