"""What abilities a party has; one place for the question, so that an ability is never stored and never stale."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import at
from pax_env.constants import SLOTS
from pax_env.state import first_of

__all__ = ["abilities", "has"]


@jit
def abilities(s, t, c):
    """The abilities of a colour as a mask over ``Skill``: of its syndications and its top think tank card.

    None in the beginner's variant and for exoglobals. (P-39, section 7, C8)
    """
    skills = 0
    if s["beginner"] == 1 or s["exoglobal"][c] == 1:
        return skills
    mine = 0
    for slot in range(SLOTS):
        mine |= np.int64((s["syndicated"][at(0, slot)] >> c) & 1) << slot
    while mine != 0:
        skills |= np.int64(t["skill"][s["card"][first_of(mine)]])
        mine &= mine - 1
    if s["think_tank"][c] >= 0:
        skills |= np.int64(t["skill"][s["think_tank"][c]])
    return skills


@jit
def has(skills, skill):
    """Whether a mask of abilities holds one (plus its sphere or hue)."""
    return (skills >> skill) & 1 == 1
