"""Sets of luminaries or cards as masks: bit k for number k."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.rng import below

_ONE = np.int64(1)


@jit
def bit(k):
    """The mask of one number."""
    return _ONE << np.int64(k)


@jit
def is_single(mask):
    """Whether there is exactly one number in the mask."""
    m = np.int64(mask)
    return m != 0 and m & (m - 1) == 0


@jit
def size(mask):
    """How many numbers are in the mask; LLVM makes this loop one instruction."""
    m = np.int64(mask)
    count = 0
    while m != 0:
        m &= m - 1
        count += 1
    return count


@jit
def lowest(mask):
    """The smallest number in a mask that is not empty."""
    m = np.int64(mask)
    return size((m & -m) - 1)


@jit
def list_ids(mask, start, actions, count):
    """Append ``start + k`` for every k in the mask to ``actions``; returns the new count."""
    m = np.int64(mask)
    while m != 0:
        actions[count] = start + lowest(m)
        count += 1
        m &= m - 1
    return count


@jit
def draw(rng, pool, number):
    """A mask of ``number`` different members of ``pool``, every choice with the same chance."""
    left = np.int64(pool)
    drawn = np.int64(0)
    for _ in range(min(number, size(left))):
        member = left
        for _ in range(below(rng, size(left))):
            member &= member - 1
        member &= -member
        drawn |= member
        left &= ~member
    return drawn
