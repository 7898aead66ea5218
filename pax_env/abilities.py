"""What abilities a party has; one place for the question, so that an ability is never stored and never stale."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.constants import SLOTS

__all__ = ["abilities", "has"]


@jit
def abilities(s, t, c):
    """The abilities of a colour as a mask over ``Skill``: of its syndications and its top think tank card.

    None in the beginner's variant and for exoglobals. (P-39, section 7, C8)
    """
    skills = 0
    if s["beginner"] == 1 or s["exoglobal"][c] == 1:
        return skills
    for slot in range(SLOTS):
        if (s["syndicated"][slot] >> c) & 1:
            skills |= np.int64(t["skill"][s["card"][slot]])
    if s["think_tank"][c] >= 0:
        skills |= np.int64(t["skill"][s["think_tank"][c]])
    return skills


@jit
def has(skills, skill):
    """Whether a mask of abilities holds one (plus its sphere or hue)."""
    return (skills >> skill) & 1 == 1
