"""Work: employees that move down an arrow, and what that costs. (E5)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import at
from pax_env.abilities import abilities, has
from pax_env.actions import WORK
from pax_env.constants import COLORS, SPACES, Pending, Regime, Side, Skill, Solo, SpaceKind, Sphere
from pax_env.money import charge
from pax_env.state import first_of, packed_count, size_of, turn_color

__all__ = ["NO_WORK", "cheapest_work", "do_work", "legal_work", "survey"]

NO_WORK = -1


@jit
def survey(s, c):
    """The spaces as masks: with employees of colour c, of anyone; with companies of c, of anyone, of exoglobals."""
    own, manned, mine, companies, closed = 0, 0, 0, 0, 0
    for space in range(SPACES):
        employees, owner = s["employees"][at(0, space)], s["company"][at(0, space)]
        own |= np.int64((employees >> (4 * c)) & 15 != 0) << space
        manned |= np.int64(employees != 0) << space
        mine |= np.int64(owner == c) << space
        companies |= np.int64(owner >= 0) << space
    if s["solo"] != Solo.NONE:
        for space in range(SPACES):
            if s["company"][space] >= 0 and s["exoglobal"][s["company"][space]] == 1:
                closed |= 1 << space
    return own, manned, mine, companies, closed


@jit
def workers_of(t, view, sphere):
    """The spaces of a sphere from which a colour can send an agent, as a mask.

    From a utility one's own; from a barrier its employee, if he or the company there is one's own. (E5d, P-14)
    """
    own, manned, mine, _, _ = view
    return (own | (manned & mine)) & np.int64(t["workplaces"][sphere])


@jit
def agent_at(s, space, c):
    """The colour of the agent that colour c sends from a space: its own if there is one."""
    for other in range(COLORS):
        if packed_count(s["employees"][space], other) > 0 and packed_count(s["employees"][space], c) == 0:
            return other
    return c


@jit
def goals_of(s, t, view, c, space, side):
    """The spaces to which colour c can send an agent from a space by work of a kind, as a mask. (E5c, K4b)"""
    own, manned, _, _, closed = view
    goals = np.int64(t["goals"][side][space])
    filled = own
    if (own >> space) & 1 == 0:  # an opponent's agent, for whom other utilities are full
        agent = agent_at(s, space, c)
        filled = 0
        for utility in range(SPACES):
            filled |= np.int64(packed_count(s["employees"][utility], agent) > 0) << utility
    barriers, utilities = np.int64(t["barriers"]), np.int64(t["utilities"])
    return goals & ~(barriers & (manned | closed)) & ~(utilities & filled)


@jit
def barrier_cost(s, t, skills, view, sphere, side, space):
    """What work of a kind from a space costs: open barriers, doubled unless subsidized. (F3c, F5b, H3)"""
    maker = side == Side.MAKER
    if s["regime"] == Regime.COMPUTING and not maker:
        return 0
    _, manned, _, companies, _ = view
    cost = size_of(np.int64(t["workplaces"][sphere]) & np.int64(t["barriers"]) & ~manned & ~companies)
    if has(skills, Skill.BARRIER_DISCOUNT + sphere):
        cost = max(0, cost - 1)
    subsidized = ((np.int64(t["utilities"]) | companies) >> space) & 1 == 1
    if s["regime"] == Regime.GLOBALIZATION and sphere == Sphere.DEVELOPING_WORLD:
        subsidized = True
    elif maker:
        subsidized = subsidized or s["regime"] == Regime.ASSEMBLY or has(skills, Skill.SUBSIDIZE_COMMERCIALIZE + sphere)
    else:
        subsidized = subsidized or has(skills, Skill.SUBSIDIZE_RESEARCH + sphere)
    return cost if subsidized else 2 * cost


@jit
def cheapest_work(s, t, c, skills, view, sphere, side):
    """The least that work of a kind in a sphere costs colour c; ``NO_WORK`` if nobody can do it."""
    cheapest = NO_WORK
    workers = workers_of(t, view, sphere)
    while workers != 0:
        space = first_of(workers)
        workers &= workers - 1
        if goals_of(s, t, view, c, space, side) != 0:
            cost = barrier_cost(s, t, skills, view, sphere, side, space)
            if cheapest == NO_WORK or cost < cheapest:
                cheapest = cost
    return cheapest


@jit
def work_side(s):
    """The kind of work the action under way takes."""
    return np.int64(Side.THINKER) if s["pending"] == Pending.RESEARCH else np.int64(Side.MAKER)


@jit
def legal_work(s, t, actions, c, skills, power):
    """The arrows along which somebody can move for this action, at a cost that can be paid. (E5a-d, P-15)"""
    view = survey(s, c)
    sphere = np.int64(s["sphere"])
    side = work_side(s)
    count = 0
    workers = workers_of(t, view, sphere)
    while workers != 0:
        space = first_of(workers)
        workers &= workers - 1
        goals = goals_of(s, t, view, c, space, side)
        if goals == 0 or barrier_cost(s, t, skills, view, sphere, side, space) > power:
            continue
        for n in range(t["arrows_out"][space]):
            arrow = t["arrow_out"][space][n]
            if (goals >> t["arrow_to"][arrow]) & 1:
                actions[count] = WORK + arrow
                count += 1
    return count


@jit
def do_work(s, t, action):
    """Reckon the cost, move the agent, then ask for the payment. (P-2)"""
    arrow = action - WORK
    start = np.int64(t["arrow_from"][arrow])
    c = turn_color(s)
    cost = barrier_cost(s, t, abilities(s, t, c), survey(s, c), np.int64(s["sphere"]), work_side(s), start)
    agent = 1 << (4 * agent_at(s, start, c))
    s["employees"][start] -= agent
    s["employees"][t["arrow_to"][arrow]] += agent
    s["utility"] = 1 if t["space_kind"][start] == SpaceKind.UTILITY else 0
    charge(s, cost)
