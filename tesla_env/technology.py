"""Advancing technology and filing patents (RB 2 - Advance in Technology)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env import actions as ids
from tesla_env.abilities import inventor_has, inventor_helps
from tesla_env.constants import NOBODY, TRACKS, Ability, Need, Rating, Track
from tesla_env.masks import bit
from tesla_env.turns import raise_price


@jit
def total(tables, luminaries, rating):
    """The sum of a rating over a set of luminaries."""
    t = tables[0]
    mask = np.int64(luminaries)
    k = 0
    amount = 0
    while mask != 0:
        if mask & 1 != 0:
            amount += np.int64(t["rating"][k, rating])
        mask >>= 1
        k += 1
    return amount


@jit
def needs_manufacturing(states, i, tables, seat, luminaries):
    """T-19: beside the industrious inventor, another luminary in the set makes manufacturing needless."""
    if not inventor_helps(states, i, tables, seat, Ability.INDUSTRIOUS):
        return True
    return luminaries & ~bit(np.int64(states[i]["company"][seat])) == 0


@jit
def is_visionary(states, i, tables, seat, luminaries):
    """T-20: the visionary himself is in the set; the invention of the AC level reached then counts 0."""
    return (
        inventor_has(states, i, tables, seat, Ability.VISIONARY)
        and luminaries & bit(np.int64(states[i]["company"][seat])) != 0
    )


@jit
def can_advance(states, i, tables, seat, luminaries):
    """Whether a set of luminaries is good for any advance: then it is good for the next level of a track."""
    s = states[i]
    t = tables[0]
    invention = total(tables, luminaries, Rating.INVENTION)
    manufacturing = total(tables, luminaries, Rating.MANUFACTURING)
    ignore_manufacturing = not needs_manufacturing(states, i, tables, seat, luminaries)
    visionary = is_visionary(states, i, tables, seat, luminaries)
    for track in range(TRACKS):
        level = np.int64(s["tech"][seat, track]) + 1
        if (
            level <= t["top"][track]
            and (ignore_manufacturing or manufacturing >= t["need"][track, level, Need.MANUFACTURING])
            and ((visionary and track == Track.AC) or invention >= t["need"][track, level, Need.INVENTION])
        ):
            return True
    return False


@jit
def list_advances(states, i, tables, seat, luminaries, actions, count):
    """T-21: levels whose requirements, added up from the present level, the set meets; with or without filing."""
    s = states[i]
    t = tables[0]
    invention = total(tables, luminaries, Rating.INVENTION)
    manufacturing = total(tables, luminaries, Rating.MANUFACTURING)
    finance = total(tables, luminaries, Rating.FINANCE)
    ignore_manufacturing = not needs_manufacturing(states, i, tables, seat, luminaries)
    ignore_finance = inventor_helps(states, i, tables, seat, Ability.ENTERPRISING)
    visionary = is_visionary(states, i, tables, seat, luminaries)
    for track in range(TRACKS):
        skipped = 0
        to_make = 0
        to_pay = 0
        for level in range(s["tech"][seat, track] + 1, t["top"][track] + 1):
            to_invent = skipped
            if not (visionary and track == Track.AC):
                to_invent += np.int64(t["need"][track, level, Need.INVENTION])
            to_make += np.int64(t["need"][track, level, Need.MANUFACTURING])
            to_pay += np.int64(t["need"][track, level, Need.FINANCE])
            if invention < to_invent or (manufacturing < to_make and not ignore_manufacturing):
                break
            actions[count] = ids.ADVANCE + 4 * track + level
            count += 1
            if s["patent"][track, level] == NOBODY and (ignore_finance or finance >= to_pay):
                actions[count] = ids.FILE + 4 * track + level
                count += 1
            skipped += np.int64(t["need"][track, level, Need.INVENTION])
    return count


@jit
def do_advance(states, i, tables, action):
    """Technology moves; a filed patent raises the price by its level (RB Optional: File a Patent)."""
    s = states[i]
    seat = np.int64(s["player"])
    filed = action >= ids.FIRST_FILE
    k = action - (ids.FIRST_FILE if filed else ids.FIRST_ADVANCE)
    track = k // 4
    level = k % 4 + 2
    s["tech"][seat, track] = level
    if filed:
        s["patent"][track, level] = seat
        raise_price(states, i, tables, seat, level)
