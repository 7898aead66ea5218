"""Regime, singularity, and the end of a game. (H2, I1)"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.constants import CUTTING_EDGE, HUES, SINGULARITY_RUN, End, Phase, Regime
from pax_env.state import clear_pending

__all__ = ["check_splay", "finish", "regime_of_splay"]


@jit
def regime_of_splay(s):
    """The regime of the cutting edge: the last three visible hues, or two if there are no more. (H1, H2, P-32)"""
    length = np.int64(s["splay_length"])
    edge = min(length, CUTTING_EDGE)
    regime = np.int64(Regime.GLOBALIZATION)
    for hue in range(HUES):
        alike = 0
        for k in range(length - edge, length):
            if s["visible"][k] == hue:
                alike += 1
        if alike == CUTTING_EDGE:
            regime = np.int64(Regime.PARADIGM_SHIFT)
        elif alike == CUTTING_EDGE - 1:
            regime = np.int64(Regime.TRANSBIOLOGY) + hue
    return regime


@jit
def is_singularity(s):
    """Whether five neighbouring cards of the splay show one hue. (I1b)"""
    run = 0
    for k in range(s["splay_length"]):
        run = run + 1 if k > 0 and s["visible"][k] == s["visible"][k - 1] else 1
        if run == SINGULARITY_RUN:
            return True
    return False


@jit
def check_splay(s):
    """The splay has changed: set the regime; returns whether a singularity ended the game. (F3i-j, P-32)"""
    s["regime"] = regime_of_splay(s)
    if is_singularity(s):
        finish(s, End.SINGULARITY)
        return True
    return False


@jit
def finish(s, end):
    """The game is over; all stays as it stands but for the action under way. (I1)"""
    clear_pending(s)
    s["phase"] = Phase.OVER
    s["end"] = end
    s["done"] = 1
