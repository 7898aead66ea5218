"""The batch environment, on a game small enough to say what must come out."""

from __future__ import annotations

import numpy as np
import pytest

from core.vector import VectorEnv
from tests.toy_game import ToyGame


def position(**changes) -> dict:
    return {"pile": 3, "taken": [4, 4], "card": [5, 0], "current_player": 0} | changes


def loaded(size: int = 2, **settings) -> VectorEnv:
    """Games that player 0 wins if it takes the last three tokens."""
    game = ToyGame(2)
    vector = game.vector(size, seed=0, **settings)
    vector.load(game.state_from_dict(position(), seed=1))
    return vector


def test_shapes_and_types() -> None:
    game = ToyGame(3)
    vector = game.vector(5, seed=0)
    result = vector.reset(seed=1)
    for part, shape, dtype in [
        (result.observations, (5, game.observation_size), np.float32),
        (result.action_mask, (5, 3), np.bool_),
        (result.current_player, (5,), np.int64),
        (result.rewards, (5, 3), np.float32),
        (result.terminated, (5,), np.bool_),
        (result.truncated, (5,), np.bool_),
    ]:
        assert part.shape == shape and part.dtype == dtype
    assert len(vector) == 5 and "num_envs=5" in repr(vector)


def test_the_rewards_of_a_game_that_ends() -> None:
    vector = loaded()
    result = vector.step([2, 0])  # three tokens: game over; one token: the game goes on
    assert result.rewards.tolist() == [[1.0, -1.0], [0.0, 0.0]]
    assert result.terminated.tolist() == [True, False] and not result.truncated.any()


def test_the_three_ways_to_go_on() -> None:
    same, following, stopped = (loaded(autoreset=mode) for mode in ("same_step", "next_step", "disabled"))
    for vector in (same, following, stopped):
        vector.step([2, 0])
        assert vector.rewards[0].tolist() == [1.0, -1.0] and vector.terminated[0]
    assert same.states["pile"][0] >= 21 and same.current_player[0] == 0
    for vector in (following, stopped):
        assert vector.states["pile"][0] == 0 and vector.current_player[0] == -4
        assert not vector.action_mask[0].any()
        vector.step([99, 0])
        assert vector.rewards[0].tolist() == [0.0, 0.0]
    assert following.states["pile"][0] >= 21 and following.current_player[0] == 0 and not following.terminated[0]
    assert stopped.states["pile"][0] == 0 and stopped.current_player[0] == -4


@pytest.mark.parametrize("ignored", [-1, -2, 0, 10**9])
def test_no_action_of_a_finished_game_means_anything(ignored: int) -> None:
    vector = loaded(autoreset="disabled")
    vector.step([2, 2])
    before = vector.states.tobytes()
    vector.step([ignored, ignored])
    assert vector.states.tobytes() == before


def test_truncation() -> None:
    game = ToyGame(2, max_decisions=1)
    vector = game.vector(1, seed=3, autoreset="disabled")
    result = vector.step([0])
    assert result.truncated[0] and not result.terminated[0]
    assert result.rewards[0].sum() == 0 and result.rewards[0].any()


def test_without_a_seed_games_go_on_with_their_generators() -> None:
    game = ToyGame(2)
    one, two = game.vector(3, seed=5), game.vector(3, seed=5)
    first = one.states.tobytes()
    one.reset()
    two.reset()
    assert one.states.tobytes() == two.states.tobytes() != first
    one.reset(seed=5)
    assert one.states.tobytes() == first
    assert game.vector(1).states.tobytes() != game.vector(1).states.tobytes()


def test_random_play_is_even_and_counted() -> None:
    game = ToyGame(2, max_decisions=1)
    vector = game.vector(30, seed=2)
    tally = vector.play_random(200)
    assert (tally.decisions, tally.games, tally.truncated_games) == (6000, 6000, 6000)
    assert tally.seconds > 0
    long = ToyGame(2).vector(30, seed=2).play_random(200)
    assert long.decisions == 6000 and 0 < long.games < 6000 and long.truncated_games == 0
    taken = np.zeros(3)
    for seed in range(300):
        vector = ToyGame(2).vector(4, seed=10 * seed)
        before = vector.states["pile"].copy()
        vector.play_random(1)
        taken += np.bincount(before - vector.states["pile"] - 1, minlength=3)
    assert ((taken - 400) ** 2 / 400).sum() < 27.6, "chi-square, two degrees of freedom, once in a million"


def test_copies_of_a_state_are_exact() -> None:
    state = ToyGame(2).new_initial_state(4)
    records = state.copies(1000)
    assert records.shape == (1000,) and {record.tobytes() for record in records} == {state.states[0].tobytes()}
    records["pile"][0] = 1
    assert state.states["pile"][0] > 1
