"""Inventors' abilities that more than one action asks for; the others stand where they apply."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env.masks import bit


@jit
def inventor_has(states, i, tables, seat, ability):
    """Whether a seat's inventor has this ability."""
    company = np.int64(states[i]["company"][seat])
    return company >= 0 and tables[0]["ability"][company] == ability


@jit
def inventor_helps(states, i, tables, seat, ability):
    """T-18: a company-wide ability holds while the inventor has not been exhausted by an earlier action."""
    s = states[i]
    return (
        inventor_has(states, i, tables, seat, ability) and s["exhausted"][seat] & bit(np.int64(s["company"][seat])) == 0
    )
