"""Advancing technology and filing patents (RB 2 - Advance in Technology)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env import actions as ids
from tesla_env.abilities import inventor_has, inventor_helps
from tesla_env.constants import NOBODY, TRACKS, Ability, Track
from tesla_env.masks import bit
from tesla_env.ratings import (
    ENOUGH,
    ENOUGH_FINANCE,
    ENOUGH_INVENTION,
    ENOUGH_MANUFACTURING,
    INVENTION,
    total,
)
from tesla_env.turns import raise_price


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
def margin(tables, ratings, track, present, level, visionary):
    """T-21: packed ratings less what the levels above the present one ask for: an ``ENOUGH`` bit says they suffice."""
    needs = tables[0]["need_sum"]
    need = needs[track, level] - needs[track, present]
    if visionary and track == Track.AC:
        need -= (needs[track, level] - needs[track, level - 1]) & INVENTION
    return (ratings | ENOUGH) - need


@jit
def to_advance(states, i, tables, seat, luminaries):
    """The ``ENOUGH`` bits without which a set of luminaries does not advance."""
    if needs_manufacturing(states, i, tables, seat, luminaries):
        return ENOUGH_INVENTION | ENOUGH_MANUFACTURING
    return ENOUGH_INVENTION


@jit
def can_advance(states, i, tables, seat, luminaries):
    """Whether a set of luminaries is good for any advance: then it is good for the next level of a track."""
    s = states[i]
    ratings = total(tables, luminaries)
    wanted = to_advance(states, i, tables, seat, luminaries)
    visionary = is_visionary(states, i, tables, seat, luminaries)
    for track in range(TRACKS):
        level = np.int64(s["tech"][seat, track])
        if (
            level < tables[0]["top"][track]
            and margin(tables, ratings, track, level, level + 1, visionary) & wanted == wanted
        ):
            return True
    return False


@jit
def list_advances(states, i, tables, seat, luminaries, actions, count):
    """T-21: levels whose requirements, added up from the present level, the set meets; with or without filing."""
    s = states[i]
    ratings = total(tables, luminaries)
    wanted = to_advance(states, i, tables, seat, luminaries)
    to_file = wanted
    if not inventor_helps(states, i, tables, seat, Ability.ENTERPRISING):
        to_file |= ENOUGH_FINANCE
    visionary = is_visionary(states, i, tables, seat, luminaries)
    for track in range(TRACKS):
        present = np.int64(s["tech"][seat, track])
        for level in range(present + 1, tables[0]["top"][track] + 1):
            left = margin(tables, ratings, track, present, level, visionary)
            if left & wanted != wanted:
                break
            actions[count] = ids.ADVANCE + 4 * track + level
            count += 1
            if s["patent"][track, level] == NOBODY and left & to_file == to_file:
                actions[count] = ids.FILE + 4 * track + level
                count += 1
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
