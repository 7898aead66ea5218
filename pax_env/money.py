"""Money: what an action can cost, patents sold for it, and agents that move to and from the finance board. (E)

The purchasing power of a party is what all its patents and its finance board bring: each patent its value and the one
step its agent can then make to debt, each capital agent two steps, each wealth agent one. A cost is affordable exactly
if it is not above that, so ``legal`` reckons the power once and compares.
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.abilities import abilities, has
from pax_env.actions import PAY, SELL
from pax_env.constants import HUES, Pending, Phase, Skill, Source
from pax_env.state import ask_turn_player, open_white, turn_color

__all__ = [
    "charge",
    "do_payment",
    "finance_agents",
    "from_pool",
    "hues_shown",
    "install",
    "legal_payment",
    "patent_value",
    "patents_of",
    "payable",
    "purchasing_power",
    "take_home",
]


@jit
def hues_shown(s):
    """How many splay cards show each hue, eight bits a hue. (E2a)"""
    shown = 0
    for k in range(s["splay_length"]):
        shown += 1 << (8 * np.int64(s["visible"][k]))
    return shown


@jit
def patent_value(s, t, skills, shown, hue):
    """What a patent of a hue sells for: splay cards that show it, doubled by the regime, plus the ability. (E2a-b)"""
    value = (shown >> (8 * hue)) & 255
    if (t["doubles"][s["regime"]] >> hue) & 1:
        value *= 2
    if has(skills, Skill.PATENT_BONUS + hue):
        value += 1
    return value


@jit
def purchasing_power(s, t, c, skills):
    """The most that a party could pay for one action. (E1, E2)"""
    power = 2 * np.int64(s["capital"][c]) + np.int64(s["wealth"][c])
    shown = hues_shown(s)
    for hue in range(HUES):
        if s["patents"][c][hue] > 0:
            power += np.int64(s["patents"][c][hue]) * (patent_value(s, t, skills, shown, hue) + 1)
    return power


@jit
def finance_agents(s, c):
    """Agents that could be installed. (E3)"""
    return np.int64(s["capital"][c]) + np.int64(s["wealth"][c]) + np.int64(s["debt"][c])


@jit
def patents_of(s, c):
    """How many patents a party has."""
    count = np.int64(0)
    for hue in range(HUES):
        count += np.int64(s["patents"][c][hue])
    return count


@jit
def patents_sold(s, t, c, skills, cost):
    """How many patents a party can sell for a cost: the cheapest first, until they cover it. (P-3)"""
    shown = hues_shown(s)
    sold = 0
    tried = 0
    while cost > 0 and tried != 15:
        cheapest = -1
        least = 0
        for hue in range(HUES):
            if (tried >> hue) & 1 == 0:
                value = patent_value(s, t, skills, shown, hue)
                if cheapest < 0 or value < least:
                    cheapest = hue
                    least = value
        tried |= 1 << cheapest
        number = np.int64(s["patents"][c][cheapest])
        if least > 0:
            number = min(number, (cost + least - 1) // least)
        sold += number
        cost -= number * least
    return sold


@jit
def payable(s, t, c, skills, power, cost, need):
    """Whether a party can pay a cost and then install ``need`` agents. ``power``: its purchasing power. (P-4)"""
    if cost > 0 and cost > power:
        return False
    agents = finance_agents(s, c)
    return agents >= need or agents + patents_sold(s, t, c, skills, cost) >= need


@jit
def install(s, c):
    """Take an agent from the finance board: from capital, else wealth, else debt. (E3a)"""
    if s["capital"][c] > 0:
        s["capital"][c] -= 1
    elif s["wealth"][c] > 0:
        s["wealth"][c] -= 1
    else:
        s["debt"][c] -= 1


@jit
def take_home(s, c, number):
    """Divested agents go to their owner's wealth, an exoglobal's to its pool. (P-42, E4)"""
    if s["exoglobal"][c] == 1:
        s["pool"][c] += number
    else:
        s["wealth"][c] += number


@jit
def from_pool(s, c):
    """A new agent comes into play: from the pool to wealth. (G1)"""
    s["pool"][c] -= 1
    s["wealth"][c] += 1


# The payment of the action under way


@jit
def charge(s, cost):
    """The action under way costs so much: ask for the payment, or go on at once if it costs nothing. (E1)"""
    if cost > 0:
        s["cost"] = cost
        ask_turn_player(s, Phase.PAYMENT)
    else:
        s["cost"] = 0
        s["phase"] = Phase.PAID


@jit
def agents_needed(s, t):
    """How many agents the action under way still has to install. (E3)"""
    if s["pending"] == Pending.SYNDICATE:
        return 1 + open_white(s, t, np.int64(s["slot"]))
    if s["pending"] == Pending.HIRE and s["source"] == Source.FINANCE:
        return 1
    return 0


@jit
def can_sell(s, t, c, skills, hue, need):
    """Whether the cost can still be met once a patent of this hue is sold. (P-3, P-4)"""
    if s["patents"][c][hue] == 0:
        return False
    value = patent_value(s, t, skills, hues_shown(s), hue)
    s["patents"][c][hue] -= 1  # try the sale, and take it back
    s["wealth"][c] += 1
    power = purchasing_power(s, t, c, skills)
    enough = payable(s, t, c, skills, power, np.int64(s["cost"]) - value, need)
    s["patents"][c][hue] += 1
    s["wealth"][c] -= 1
    return enough


@jit
def legal_payment(s, t, actions, c, skills):
    """Sell a patent that leaves the cost payable, or pay it from the finance board. (E1, E2)"""
    need = agents_needed(s, t)
    count = 0
    for hue in range(HUES):
        if can_sell(s, t, c, skills, hue, need):
            actions[count] = SELL + hue
            count += 1
    if s["cost"] <= 2 * s["capital"][c] + s["wealth"][c] and finance_agents(s, c) >= need:
        actions[count] = PAY
        count += 1
    return count


@jit
def do_payment(s, t, action):
    """Sell one patent, or move agents down the finance board until the cost is met. (E1, E2)"""
    c = turn_color(s)
    if action == PAY:
        from_capital = min(np.int64(s["cost"]), np.int64(s["capital"][c]))
        from_wealth = np.int64(s["cost"]) - from_capital
        s["capital"][c] -= from_capital
        s["wealth"][c] += from_capital - from_wealth
        s["debt"][c] += from_wealth
        charge(s, np.int64(0))
        return
    hue = action - SELL
    value = patent_value(s, t, abilities(s, t, c), hues_shown(s), hue)
    s["patents"][c][hue] -= 1
    s["wealth"][c] += 1
    charge(s, np.int64(s["cost"]) - value)
