"""Ratings of a set of luminaries, and what technology levels ask for, packed four to a number.

One addition adds all four, and one subtraction compares them: the top bit of each rating's place is free, and where it
is set before the subtraction and still there after it, the rating was enough.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.jit import jit
from tesla_env.constants import RATINGS, Rating

PLACE = 12
"""Bits of a rating. All luminaries have 69 together and the levels of a track ask for 400 at most."""


def packed(values: Iterable[int]) -> int:
    """Numbers in the order of ``Rating``, each below ``2 ** (PLACE - 1)``, in one."""
    return sum(int(value) << PLACE * k for k, value in enumerate(values))


def _enough(rating: int) -> np.int64:
    return np.int64(1 << PLACE * rating + PLACE - 1)


INVENTION = np.int64((1 << PLACE) - 1)
ENOUGH_INVENTION = _enough(Rating.INVENTION)
ENOUGH_MANUFACTURING = _enough(Rating.MANUFACTURING)
ENOUGH_FINANCE = _enough(Rating.FINANCE)
ENOUGH = ENOUGH_INVENTION | ENOUGH_MANUFACTURING | ENOUGH_FINANCE


@jit
def total(tables, luminaries):
    """The ratings of a set of luminaries, each added up, packed."""
    sums = tables[0]["rating_sum"]
    mask = np.int64(luminaries)
    return sums[0, mask & 255] + sums[1, (mask >> 8) & 255] + sums[2, mask >> 16]


@jit
def show_ratings(ratings, scale, start, out):
    """Write packed ratings to ``out``, from ``start`` on."""
    for k in range(len(RATINGS)):
        out[start + k] = ((ratings >> PLACE * k) & INVENTION) * scale
