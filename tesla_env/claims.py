"""Claiming projects (RB 1 - Claim a Project)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env import actions as ids
from tesla_env.abilities import inventor_helps
from tesla_env.constants import (
    CITIES,
    CURRENT_CENTRE,
    INVENTORS,
    NOBODY,
    Ability,
    Rating,
    Track,
)
from tesla_env.masks import lowest
from tesla_env.turns import game_phase, raise_price


@jit
def fee(states, i, tables, seat, track):
    """T-13: what a rival's patent on the level held costs, 0 without one; the enterprising pay none (T-18)."""
    s = states[i]
    level = np.int64(s["tech"][seat, track])
    holder = s["patent"][track, level]
    if holder == NOBODY or holder == seat:
        return 0
    if inventor_helps(states, i, tables, seat, Ability.ENTERPRISING):
        return 0
    return level


@jit
def bulb_reach(states, i, tables, seat, luminary):
    """T-20: the highest project level the bulb technology is good for; one more for the arc light pioneer himself."""
    reach = np.int64(states[i]["tech"][seat, Track.BULB])
    if luminary < INVENTORS and tables[0]["ability"][luminary] == Ability.ARC_LIGHT_PIONEER:
        reach += 1
    return reach


@jit
def is_worldly(tables, luminary):
    """T-17: 1 for the luminary who pays half the penalty, else 0."""
    return np.int64(luminary < INVENTORS and tables[0]["ability"][luminary] == Ability.WORLDLY)


@jit
def claim_cost(states, i, tables, seat, luminary, project):
    """T-14, T-16, T-17: size and penalty less the finance discount, paid to the bank."""
    t = tables[0]
    s = states[i]
    g = game_phase(s["turn"])
    worldly = is_worldly(tables, luminary)
    penalty = (s["between"][seat, t["project_city"][project]] * g + worldly) >> worldly
    return max(0, np.int64(t["project_cost"][project]) + penalty - t["rating"][luminary, Rating.FINANCE] * g)


@jit
def list_claims(states, i, tables, seat, luminary, actions, count):
    """T-15: unclaimed projects within technology whose cost and fees the company can pay in full."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    ac = np.int64(s["tech"][seat, Track.AC])
    dc = np.int64(s["tech"][seat, Track.DC])
    g = game_phase(s["turn"])
    worldly = is_worldly(tables, luminary)
    # A company always has the cash for what costs nothing after the discount, if it can pay the fees.
    left = np.int64(s["cash"][seat]) - fee(states, i, tables, seat, Track.BULB)
    ac_left = left - fee(states, i, tables, seat, Track.AC)
    dc_left = left - fee(states, i, tables, seat, Track.DC)
    discount = t["rating"][luminary, Rating.FINANCE] * g
    highest = min(bulb_reach(states, i, tables, seat, luminary), max(ac, dc))
    for k in range(t["up_to_level"][n, highest]):
        project = np.int64(t["in_play"][n, k])
        level = t["project_level"][project]
        penalty = (s["between"][seat, t["project_city"][project]] * g + worldly) >> worldly
        cost = max(0, t["project_cost"][project] + penalty - discount)
        # Every second condition fails, at random: a conditional jump would cost more than writing what is not kept.
        free = s["owner"][project] == NOBODY
        actions[count] = ids.CLAIM + 2 * project
        count += free & (ac >= level) & (cost <= ac_left)
        actions[count] = ids.CLAIM + 2 * project + 1
        count += free & (dc >= level) & (cost <= dc_left)
    return count


@jit
def pay_fee(states, i, tables, seat, track):
    """T-13: the fee goes to the holder of the patent (RB D - Patents)."""
    s = states[i]
    amount = fee(states, i, tables, seat, track)
    if amount > 0:
        s["cash"][seat] -= amount
        s["cash"][np.int64(s["patent"][track, s["tech"][seat, track]])] += amount


@jit
def do_claim(states, i, tables, action):
    """Pay, mark the project, gain stock: T-34 size gain first, then the current track, not below 0."""
    s = states[i]
    t = tables[0]
    seat = np.int64(s["player"])
    project = (action - ids.CLAIM) // 2
    power = (action - ids.CLAIM) % 2
    s["cash"][seat] -= claim_cost(states, i, tables, seat, lowest(s["selected"][seat]), project)
    pay_fee(states, i, tables, seat, Track.BULB)
    pay_fee(states, i, tables, seat, Track.AC if power == 0 else Track.DC)
    put_marker(states, i, tables, seat, project)
    gain = np.int64(t["project_gain"][project]) + t["current_gain"][power, s["current"] + CURRENT_CENTRE]
    raise_price(states, i, tables, seat, max(0, gain))


@jit
def put_marker(states, i, tables, seat, project):
    """A project becomes a seat's, and the regional reputation of the seat follows (RB B - Regional Reputation)."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    base = np.int64(t["project_city"][project])
    first = s["claims"][seat] == 0
    s["owner"][project] = seat
    s["claims"][seat] += 1
    for city in range(CITIES):
        way = t["between"][n, base, city]
        if first or way < s["between"][seat, city]:
            s["between"][seat, city] = way
