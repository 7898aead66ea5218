"""Random numbers held in the state: xoshiro256++ (Blackman and Vigna, 2019), four ``uint64`` words a generator.

Every function takes the words as an array ``rng: uint64[4]`` and moves them on, so a game's whole randomness is part
of its record: copies replay exactly, and no thread or process shares anything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.jit import jit

__all__ = ["below", "draw_from_counts", "next_word", "seed_words", "shuffle"]

_23 = np.uint64(23)
_17 = np.uint64(17)
_45 = np.uint64(45)
_19 = np.uint64(19)
_41 = np.uint64(41)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def seed_words(seed: int | np.random.SeedSequence | None) -> NDArray[np.uint64]:
    """Four well-mixed words, ``uint64[4]``, from a seed (None: from the operating system).

    Raises:
        ValueError: the seed is a negative number.
        TypeError: the seed is not a whole number.
    """
    if seed is not None and not isinstance(seed, np.random.SeedSequence):
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
            raise TypeError(f"seed must be a whole number or None, not {seed!r}")
        if seed < 0:
            raise ValueError(f"seed must not be negative, got {seed}")
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return sequence.generate_state(4, np.uint64).astype(np.uint64, copy=False)


@jit
def next_word(rng):
    """The next 64 random bits, ``uint64``; moves ``rng`` on by one."""
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    mixed = s0 + s3
    word = ((mixed << _23) | (mixed >> _41)) + s0
    shifted = s1 << _17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2
    rng[3] = (s3 << _45) | (s3 >> _19)
    return word


@jit
def below(rng, n):
    """A whole number from 0 to n - 1, each with exactly the same chance (Lemire 2019); n from 1 to 2**32 - 1."""
    bound = np.uint64(n)
    product = (next_word(rng) >> _32) * bound
    low = product & _LOW
    if low < bound:
        rest = ((_LOW - bound) + np.uint64(1)) % bound
        while low < rest:
            product = (next_word(rng) >> _32) * bound
            low = product & _LOW
    return np.int64(product >> _32)


@jit
def shuffle(rng, items, n):
    """Put the first n entries of ``items`` into a random order, every order with the same chance."""
    for last in range(n - 1, 0, -1):
        other = below(rng, last + 1)
        item = items[last]
        items[last] = items[other]
        items[other] = item


@jit
def draw_from_counts(rng, counts, total):
    """The kind of a card drawn from a pile in which ``counts[kind]`` cards of each kind lie, ``total >= 1`` in all.

    Each card has the same chance. The pile is left as it is: the caller moves the card.
    """
    left = below(rng, total)
    kind = 0
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    return kind
