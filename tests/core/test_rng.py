"""The generator: the published sequence, and draws in which everything has the same chance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core import rng as generator
from core.jit import entry
from core.rng import seed_words

# From the reference implementation in C (Blackman and Vigna), state {1, 2, 3, 4}.
REFERENCE = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


def plain(function):
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


next_word, below, shuffle, draw_from_counts = (
    entry(plain(function))
    for function in (generator.next_word, generator.below, generator.shuffle, generator.draw_from_counts)
)


def chi_square(observed: np.ndarray, expected: np.ndarray) -> float:
    return float(((observed - expected) ** 2 / expected).sum())


def limit(freedom: int) -> float:
    """Above this once in a million (Wilson and Hilferty's approximation): seeds are fixed, so it never flickers."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + 4.75 * part**0.5) ** 3


def test_published_sequence() -> None:
    rng = np.array([1, 2, 3, 4], np.uint64)
    assert [int(next_word(rng)) for _ in REFERENCE] == REFERENCE


def test_the_python_code_gives_the_same_words() -> None:
    compiled, python = np.array([1, 2, 3, 4], np.uint64), np.array([1, 2, 3, 4], np.uint64)
    with np.errstate(over="ignore"):
        for _ in range(1000):
            assert int(next_word(compiled)) == int(plain(next_word)(python))
    assert (compiled == python).all()


def test_seed_words() -> None:
    assert seed_words(7).tolist() == np.random.SeedSequence(7).generate_state(4, np.uint64).tolist()
    assert seed_words(7).dtype == np.uint64 and seed_words(7).shape == (4,)
    assert seed_words(np.random.SeedSequence(7)).tolist() == seed_words(np.int64(7)).tolist()
    assert seed_words(None).tolist() != seed_words(None).tolist()
    assert len({seed_words(seed).tobytes() for seed in range(1000)}) == 1000
    assert seed_words(2**200).any()
    with pytest.raises(ValueError, match="negative"):
        seed_words(-1)
    for wrong in (1.5, "1", True):
        with pytest.raises(TypeError, match="whole number"):
            seed_words(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 8, 10, 36, 100, 209, 1000])
def test_below_is_even(n: int) -> None:
    rng = seed_words(n)
    draws = 200 * n + 10_000
    counts = np.bincount([below(rng, n) for _ in range(draws)], minlength=n)
    assert counts.size == n and counts.sum() == draws
    if n > 1:
        assert chi_square(counts, np.full(n, draws / n)) < limit(n - 1)


def test_below_rejects_what_would_favour_some_numbers() -> None:
    """With n = 3 * 2**30, plain multiplication would give every third number twice the chance of the others."""
    rng, n = seed_words(1), 3 * 2**30
    draws = 60_000
    counts = np.bincount([below(rng, n) % 3 for _ in range(draws)], minlength=3)
    assert chi_square(counts, np.full(3, draws / 3)) < limit(2)


def test_below_reaches_its_ends_and_no_further() -> None:
    rng = seed_words(2)
    for n in (1, 2, 2**31, 2**32 - 1):
        drawn = [below(rng, n) for _ in range(2000)]
        assert min(drawn) >= 0 and max(drawn) < n
        assert max(drawn) >= (n - 1) * 0.99
    assert all(below(rng, 1) == 0 for _ in range(100))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_shuffle_gives_every_order_the_same_chance(n: int) -> None:
    rng = seed_words(n)
    orders = dict.fromkeys(itertools.permutations(range(n)), 0)
    draws = 300 * len(orders)
    for _ in range(draws):
        items = np.arange(n, dtype=np.int16)
        shuffle(rng, items, n)
        orders[tuple(items.tolist())] += 1
    assert chi_square(np.array(list(orders.values())), np.full(len(orders), 300)) < limit(len(orders) - 1)


def test_shuffle_leaves_the_rest_alone() -> None:
    items = np.arange(10, dtype=np.int16)
    shuffle(seed_words(0), items, 4)
    assert sorted(items[:4].tolist()) == [0, 1, 2, 3] and items[4:].tolist() == list(range(4, 10))
    for n in (0, 1):
        before = items.copy()
        shuffle(seed_words(0), items, n)
        assert (items == before).all()


@pytest.mark.parametrize("counts", [[1], [3, 1], [0, 5, 0, 2, 1], [36, 36, 36, 39], [0, 0, 7]])
def test_a_draw_gives_every_card_the_same_chance(counts: list[int]) -> None:
    pile = np.array(counts, np.int16)
    total, draws, rng = int(pile.sum()), 20_000, seed_words(len(counts))
    drawn = np.bincount([draw_from_counts(rng, pile, total) for _ in range(draws)], minlength=len(counts))
    assert pile.tolist() == counts, "the pile is left as it is"
    there = pile > 0
    assert drawn[~there].sum() == 0 and drawn.sum() == draws
    if there.sum() > 1:
        assert chi_square(drawn[there], draws * pile[there] / total) < limit(int(there.sum()) - 1)
    else:
        assert drawn[there] == draws


def test_the_python_code_draws_the_same() -> None:
    compiled, python = seed_words(3), seed_words(3)
    counts = np.array([3, 0, 2, 9], np.int16)
    with np.errstate(over="ignore"):
        for n in (1, 3, 7, 1000, 3 * 2**30):
            assert below(compiled, n) == plain(below)(python, n)
        for _ in range(50):
            assert draw_from_counts(compiled, counts, 14) == plain(draw_from_counts)(python, counts, 14)
        one, two = np.arange(20), np.arange(20)
        shuffle(compiled, one, 20)
        plain(shuffle)(python, two, 20)
    assert (one == two).all() and (compiled == python).all()
