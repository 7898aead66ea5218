"""A batch plays the same games as single states do."""

from __future__ import annotations

import numpy as np
import pytest

from core.aec import BoardroomAEC
from core.game import IllegalActionError
from tests.suite import Case, every_case, every_game, finished, illegal_action, played


def choices(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for each row; 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks], np.int64)


@every_case
@pytest.mark.parametrize("size", [1, 3, 64])
def test_a_batch_is_so_many_single_games(case: Case, size: int) -> None:
    game = case.game()
    vector = game.vector(size, seed=20, autoreset="disabled")
    states = [game.new_initial_state(20 + i) for i in range(size)]
    rng = np.random.default_rng(size)
    rewards = np.zeros((size, game.num_players), np.float32)
    ended = np.zeros((2, size), np.bool_)
    for _ in range(400 if size < 64 else 40):
        for i, state in enumerate(states):
            assert vector.state(i).digest() == state.digest()
            assert vector.current_player[i] == state.current_player()
            assert (vector.action_mask[i] == state.legal_actions_mask()).all()
            if not state.is_terminal():
                assert vector.observations[i].tobytes() == state.observation(state.current_player()).tobytes()
        assert (vector.rewards == rewards).all()
        assert (vector.terminated == ended[0]).all() and (vector.truncated == ended[1]).all()
        if all(state.is_terminal() for state in states):
            break
        actions = choices(vector.action_mask, rng)
        rewards[:] = 0
        for i, state in enumerate(states):
            if not state.is_terminal():
                state.apply_action(int(actions[i]))
                rewards[i] = state.returns()
                ended[:, i] = state.is_terminal() and not state.is_truncated(), state.is_truncated()
        vector.step(actions)


@every_case
def test_same_step_autoreset(case: Case) -> None:
    """The game that follows is the one that the single environment deals when it is reset without a seed."""
    game = case.game()
    vector = game.vector(2, seed=7)
    env = BoardroomAEC(game)
    env.reset(seed=8)
    rng = np.random.default_rng(7)
    games = 0
    while games < 2:
        mover = vector.current_player[1]
        actions = choices(vector.action_mask, rng)
        vector.step(actions)
        env.step(int(actions[1]))
        state = env.game_state()
        assert vector.rewards[1].tolist() == pytest.approx(state.returns())
        assert vector.terminated[1] == (state.is_terminal() and not state.is_truncated())
        assert vector.truncated[1] == state.is_truncated()
        if state.is_terminal():
            games += 1
            env.reset()
            assert mover >= 0
        assert vector.state(1).digest() == env.game_state().digest()
        assert vector.current_player[1] == env.game_state().current_player() >= 0
        assert vector.action_mask[1].any()


@every_case
def test_next_step_autoreset(case: Case) -> None:
    game = case.game()
    vector = game.vector(1, seed=7, autoreset="next_step")
    twin = game.vector(1, seed=7, autoreset="same_step")
    rng = np.random.default_rng(7)
    for _ in range(2):
        while True:
            actions = choices(vector.action_mask, rng)
            vector.step(actions)
            twin.step(actions)
            assert (vector.rewards == twin.rewards).all()
            if vector.terminated[0] or vector.truncated[0]:
                break
        last = vector.state(0)
        assert last.is_terminal() and vector.current_player[0] == -4 and not vector.action_mask.any()
        assert (vector.terminated, vector.truncated) == (twin.terminated, twin.truncated)
        vector.step(np.array([-1]))  # ignored: this step deals the next game
        assert not vector.terminated[0] and not vector.truncated[0] and not vector.rewards.any()
        assert vector.state(0).digest() == twin.state(0).digest()
        assert (vector.action_mask == twin.action_mask).all()


@every_case
def test_disabled_autoreset(case: Case) -> None:
    game = case.game()
    vector = game.vector(2, seed=1, autoreset="disabled")
    over = finished(game, 1)
    vector.load(over)
    digest = vector.state(0).digest()
    vector.step(np.array([5, -7]))
    assert vector.state(0).digest() == vector.state(1).digest() == digest
    assert not vector.rewards.any()
    vector.reset(seed=3)
    assert vector.state(1).digest() == game.new_initial_state(4).digest()


@every_case
def test_random_play_is_the_same_for_any_number_of_threads(case: Case) -> None:
    game = case.game()
    results = []
    for threads in (1, 2, 5):
        vector = game.vector(5, seed=3)
        played_so = vector.play_random(300, threads=threads)
        assert played_so.decisions == 1500
        results.append((played_so[:3], vector.states.tobytes(), vector.action_mask.tobytes()))
    assert results[0] == results[1] == results[2]
    alone = game.vector(1, seed=3)
    alone.play_random(300)
    assert alone.states["decisions"][0] >= 0 and not alone.state(0).is_terminal()


@every_case
def test_buffers_are_kept(case: Case) -> None:
    vector = case.game().vector(4, seed=0)
    before = [id(part) for part in vector._result]
    rng = np.random.default_rng(0)
    for _ in range(5):
        result = vector.step(choices(vector.action_mask, rng))
        assert [id(part) for part in result] == before
    assert result.observations is vector.observations and result.rewards is vector.rewards


@every_case
def test_save_and_load(case: Case) -> None:
    game = case.game()
    vector = game.vector(6, seed=0)
    vector.play_random(17)
    saved = vector.save()
    digests = [vector.state(i).digest() for i in range(6)]
    vector.play_random(9)
    assert [vector.state(i).digest() for i in range(6)] != digests
    vector.load(saved)
    assert [vector.state(i).digest() for i in range(6)] == digests
    state = played(game, 5, 9)
    vector.load(state)
    assert {vector.state(i).digest() for i in range(6)} == {state.digest()}
    assert (vector.action_mask == state.legal_actions_mask()).all()
    assert vector.observations[5].tobytes() == state.observation(state.current_player()).tobytes()


@every_game
def test_without_observations(case: Case) -> None:
    game = case.game()
    seeing, blind = game.vector(3, seed=1), game.vector(3, seed=1, observe=False)
    rng = np.random.default_rng(1)
    for _ in range(100):
        actions = choices(seeing.action_mask, rng)
        seeing.step(actions)
        blind.step(actions)
    assert blind.observations.shape == (3, 0)
    assert blind.states.tobytes() == seeing.states.tobytes()
    assert (blind.action_mask == seeing.action_mask).all()


@every_case
def test_refused_actions_change_nothing(case: Case) -> None:
    game = case.game()
    vector = game.vector(3, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(200):
        illegal = illegal_action(vector.state(1))
        if illegal is not None:
            break
        vector.step(choices(vector.action_mask, rng))
    good = choices(vector.action_mask, rng)
    before = vector.states.tobytes(), *(part.tobytes() for part in vector._result)
    for wrong in (illegal, -1, game.num_actions, 10**15):
        actions = good.copy()
        actions[1] = wrong
        with pytest.raises(IllegalActionError, match="game 1"):
            vector.step(actions)
        assert (vector.states.tobytes(), *(part.tobytes() for part in vector._result)) == before
    for shape in (good[:2], np.zeros((3, 1), np.int64), good.astype(np.float64), ["a", "b", "c"], 0, None):
        with pytest.raises(ValueError, match="3 whole numbers"):
            vector.step(shape)  # type: ignore[arg-type]
        assert (vector.states.tobytes(), *(part.tobytes() for part in vector._result)) == before


@every_game
def test_bad_settings(case: Case) -> None:
    game = case.game()
    for settings, word in [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 1.5}, "num_envs"),
        ({"num_envs": True}, "num_envs"),
        ({"autoreset": "never"}, "autoreset"),
        ({"seed": -1}, "seed"),
    ]:
        with pytest.raises(ValueError, match=word):
            game.vector(**settings)
    vector = game.vector(2, seed=0)
    for steps, threads, word in [(-1, 1, "steps"), (1.5, 1, "steps"), (1, 0, "threads"), (1, True, "threads")]:
        with pytest.raises(ValueError, match=word):
            vector.play_random(steps, threads)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 records"):
        vector.load(np.zeros(3, game.dtype))
    with pytest.raises(ValueError, match="players"):
        vector.load(case.game(num_players=game.num_players + 1).new_initial_state(0))
    for index in (-1, 2, 0.5):
        with pytest.raises(IndexError, match="0 to 1"):
            vector.state(index)  # type: ignore[arg-type]
