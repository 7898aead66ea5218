"""Games and rich positions played at random: invariants, round trips, every action reached, batch as single."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from core.game import State
from pax_env import Game
from pax_env.components import load
from pax_env.constants import SPHERE_NAMES
from tests.pax.helpers import at, do, eager, game, rich_position

VARIANTS = [
    {"n": 1},
    {"n": 1, "solo": "hard"},
    {"n": 2},
    {"n": 3},
    {"n": 4},
    {"n": 2, "variant": "beginner"},
    {"n": 1, "variant": "beginner"},
    {"n": 3, "skip_forced": False},
]
every_variant = pytest.mark.parametrize("options", VARIANTS, ids=lambda o: "-".join(str(v) for v in o.values()))


def walk(state: State, rng: np.random.Generator, decisions: int) -> Iterator[State]:
    """The state itself, moved on at random."""
    yield state
    for _ in range(decisions):
        if state.is_terminal():
            return
        state.apply_action(eager(state, rng))
        yield state


def check(state: State) -> None:
    """What must hold in every position."""
    of = state.game
    of.check_invariants(state)
    written = state.to_dict()
    read = of.state_from_dict(written)
    assert read == state
    assert read.to_dict() == written
    assert read.legal_actions() == state.legal_actions()
    assert abs(sum(state.returns())) < 1e-9 or of.num_players == 1
    for player in range(of.num_players):
        view = state.observation(player)
        assert view.shape == (of.observation_size,) and np.isfinite(view).all() and np.abs(view).max() <= 10


@every_variant
def test_games_from_the_deal(options: dict[str, object]) -> None:
    of = game(**options)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        for number, state in enumerate(walk(of.new_initial_state(seed), rng, 150)):
            if number % 3 == 0:
                check(state)


@every_variant
def test_rich_positions(options: dict[str, object]) -> None:
    of = game(**options)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        for state in walk(of.state_from_dict(rich_position(of, rng), seed), rng, 40):
            check(state)


def test_every_action_is_reached() -> None:
    reached: set[int] = set()
    for options in ({"n": 4}, {"n": 2}, {"n": 1}, {"n": 1, "solo": "hard"}):
        of = game(**options, skip_forced=False)
        for seed in range(200):
            rng = np.random.default_rng(seed)
            state = of.state_from_dict(rich_position(of, rng), seed)
            for position in walk(state, rng, 60):
                reached.update(position.legal_actions())
    for seed in range(12):
        reached.update(game(2).new_initial_state(seed).legal_actions())
    missing = [name for a, name in enumerate(game().action_layout.names) if a not in reached]
    never = [f"surge:{sphere}:0" for sphere in SPHERE_NAMES]  # a surge goes up, so never to the lowest row
    assert [name for name in missing if not is_far_in_the_splay(name)] == never


def is_far_in_the_splay(name: str) -> bool:
    """Positions of the tests have splays up to about this long; higher indices are the same code."""
    index = name.rpartition(":")[2]
    return index.isdigit() and int(index) >= 5


def test_every_ending_occurs() -> None:
    ends = set()
    for options in VARIANTS:
        of = game(**options)
        for seed in range(25):
            rng = np.random.default_rng(seed)
            state = of.state_from_dict(rich_position(of, rng), seed)
            for _ in range(150):
                if state.is_terminal():
                    ends.add(state.to_dict()["result"]["end"])
                    break
                state.apply_action(eager(state, rng))
    assert ends == {"tipping_point", "singularity", "plurality", "tycoon"}


def test_truncation_stops_where_it_stands() -> None:
    state = Game(2, max_decisions=25).new_initial_state(4)
    rng = np.random.default_rng(0)
    while not state.is_terminal():
        before = state.to_dict()
        state.apply_action(int(rng.choice(state.legal_actions())))
    after = state.to_dict()
    assert state.is_truncated() and after["decisions"] == 25 and before["decisions"] == 24
    assert after["phase"] == "over" and after["pending"] is None and after["result"]["end"] == "truncated"


def test_a_game_can_be_cut_in_the_middle_of_an_action() -> None:
    state = at(
        2,
        {"max_decisions": 10},
        decisions=9,
        market={"cloud": ["cryonics"]},
        infrastructure={"filter_bubbles": {"employees": ["blue"]}},
        regime="computing",
    )
    after = do(state, "research:cloud")  # the claim is never made
    assert after["truncated"] and after["pending"] is None and after["discard"] == {}
    assert after["market"]["cloud"] == [None] * 6


def test_a_record_is_small_and_an_observation_compact() -> None:
    assert game().dtype.itemsize <= 3 * 1024
    assert game().observation_size < 1000
    assert game().num_actions == 625
    assert load().tables.itemsize < 64 * 1024
