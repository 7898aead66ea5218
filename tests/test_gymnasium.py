"""Every game as a Gymnasium environment: one seat, given opponents."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from core.game import IllegalActionError, State
from core.gym_env import BoardroomGymEnv
from tests.suite import CLASSES, Case, RandomAgent, every_case, every_game, illegal_action, played


class FirstLegal:
    """Plays the legal action with the lowest id."""

    def act(self, state: State, rng: np.random.Generator) -> int:
        return state.legal_actions()[0]


class Broken:
    """Plays what is no action."""

    def act(self, state: State, rng: np.random.Generator) -> int:
        return -5


def make(case: Case, more: dict | None = None, **settings) -> BoardroomGymEnv:
    settings.setdefault("opponents", RandomAgent())
    return BoardroomGymEnv(case.game(**(more or {})), **settings)


@every_case
@pytest.mark.parametrize("illegal", ["terminate", "random"])
def test_check_env(case: Case, illegal: str) -> None:
    identity = f"test/{case.name.capitalize()}-v0"
    gymnasium.register(identity, BoardroomGymEnv)
    try:
        env = gymnasium.make(identity, game=case.game(), opponents=RandomAgent(), illegal=illegal)
        check_env(env.unwrapped)
    finally:
        del gymnasium.registry[identity]


@every_case
def test_the_seat_is_credited_with_the_game(case: Case) -> None:
    """The environment, beside a game in which the same choices are made by hand."""
    for seat in range(case.options["num_players"]):
        env = make(case, opponents=FirstLegal(), seat=seat)
        observation, info = env.reset(seed=seat)
        state = env.game.new_initial_state(seat)
        rng = np.random.default_rng(1)
        while True:
            while not state.is_terminal() and state.current_player() != seat:
                state.apply_action(state.legal_actions()[0])
            assert env.game_state().digest() == state.digest()
            assert observation.tobytes() == state.observation(seat).tobytes()
            assert observation in env.observation_space and info["seat"] == seat
            assert info["action_mask"].dtype == np.int8 and env.action_masks().dtype == np.bool_
            assert np.flatnonzero(info["action_mask"]).tolist() == state.legal_actions()
            assert np.flatnonzero(env.action_masks()).tolist() == state.legal_actions()
            if state.is_terminal():
                break
            action = int(rng.choice(state.legal_actions()))
            observation, reward, terminated, truncated, info = env.step(action)
            state.apply_action(action)
            assert reward == 0.0 or terminated or truncated
        assert (terminated, truncated) == (not state.is_truncated(), state.is_truncated())
        assert reward == state.returns()[seat]
        with pytest.raises(ResetNeeded):
            env.step(0)


@every_case
def test_truncation(case: Case) -> None:
    env = make(case, more={"max_decisions": case.options["num_players"] * 3})
    env.reset(seed=0)
    for _ in range(1000):
        _, _, terminated, truncated, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        if terminated or truncated:
            break
    assert (terminated, truncated) == (not env.game_state().is_truncated(), env.game_state().is_truncated())


@every_case
def test_random_seats(case: Case) -> None:
    env = make(case)
    seats = []
    for seed in range(40):
        _, info = env.reset(seed=seed)
        assert info["seat"] == env.seat == env.game_state().current_player()
        seats.append(info["seat"])
    assert set(seats) == set(range(env.game.num_players))
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(40)]
    assert env.reset(options={"seat": env.game.num_players - 1})[1]["seat"] == env.game.num_players - 1


@every_case
def test_seeds(case: Case) -> None:
    def episode(env: BoardroomGymEnv, seed: int | None) -> list:
        observation, info = env.reset(seed=seed)
        seen = [observation.tobytes(), info["seat"]]
        for _ in range(30):
            observation, reward, terminated, truncated, _ = env.step(int(np.flatnonzero(env.action_masks())[-1]))
            seen += [observation.tobytes(), reward]
            if terminated or truncated:
                break
        return seen

    first, second = make(case), make(case)
    assert [episode(first, 3), episode(first, None)] == [episode(second, 3), episode(second, None)]
    assert episode(first, 3) != episode(first, 4)
    first.reset(seed=5, options={"seat": 0})
    deal = first.game.new_initial_state(5)
    if deal.current_player() == 0:
        assert first.game_state().digest() == deal.digest()


@every_case
def test_refused_actions(case: Case) -> None:
    for illegal in ("terminate", "random", "raise"):
        env = make(case, illegal=illegal)
        for seed in range(60):
            env.reset(seed=seed)
            state = played_in(env, seed)
            before = env.game_state().digest(), env.action_masks().tobytes()
            for action in (-1, env.game.num_actions, "no_such", None, 1.0, True):
                with pytest.raises(IllegalActionError):
                    env.step(action)  # type: ignore[arg-type]
                assert (env.game_state().digest(), env.action_masks().tobytes()) == before
            if (action := illegal_action(state)) is not None:
                break
        name = env.game.action_to_string(action)
        if illegal == "raise":
            for given in (action, np.int64(action), np.array(action), name):
                with pytest.raises(IllegalActionError, match=name):
                    env.step(given)
                assert (env.game_state().digest(), env.action_masks().tobytes()) == before
            continue
        _, reward, terminated, truncated, info = env.step(action)
        assert name in info["illegal_action"]
        if illegal == "terminate":
            assert (reward, terminated, truncated) == (-1.0, True, False)
            assert not env.action_masks().any() and env.game_state().digest() == before[0]
            with pytest.raises(ResetNeeded):
                env.step(0)
        else:
            assert env.game_state().digest() != before[0]


def played_in(env: BoardroomGymEnv, turns: int) -> State:
    """The position after some turns of the seat, the last one before the end."""
    for _ in range(turns):
        state = env.game_state()
        choice = state.legal_actions()[-1]
        state.apply_action(choice)
        if state.is_terminal():
            break
        if env.step(choice)[2]:
            env.reset(seed=turns)
            break
    return env.game_state()


@every_game
def test_calls_out_of_order(case: Case) -> None:
    env = make(case)
    for call in (lambda: env.step(0), env.game_state):
        with pytest.raises(ResetNeeded):
            call()
    assert not env.action_masks().any()


@every_game
def test_reset_to_a_position(case: Case) -> None:
    env = make(case)
    wanted = played(env.game, 3, 8)
    _, info = env.reset(seed=1, options={"state": wanted.to_dict(), "seat": wanted.current_player()})
    assert env.game_state() == wanted and info["seat"] == wanted.current_player()
    with pytest.raises(ValueError, match="no_such_key"):
        env.reset(options={"state": {"no_such_key": 1}})
    with pytest.raises(ValueError, match="seat"):
        env.reset(options={"seat": 9})
    assert env.game_state() == wanted


@every_game
def test_bad_settings(case: Case) -> None:
    for settings, word in [
        ({"opponents": [RandomAgent()] * 7}, "opponents"),
        ({"opponents": 3}, "opponents"),
        ({"opponents": [object()]}, "opponents"),
        ({"seat": 2}, "seat"),
        ({"seat": "first"}, "seat"),
        ({"illegal": "ignore"}, "illegal"),
        ({"render_mode": "3d"}, "render_mode"),
        ({"num_players": 4}, "num_players"),
    ]:
        with pytest.raises(ValueError, match=word):
            make(case, **settings)
    with pytest.raises(ValueError, match=r"chess.*xenon"):
        BoardroomGymEnv("chess")


@every_game
def test_a_broken_opponent_is_named(case: Case) -> None:
    if case.game().num_players == 1:
        return
    env = make(case, opponents=Broken(), seat=1)
    with pytest.raises(IllegalActionError, match=r"Broken.*seat 0"):
        env.reset(seed=0)


@every_game
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_the_position(case: Case, duplicate) -> None:
    env = make(case)
    env.reset(seed=2)
    played_in(env, 3)
    twin = duplicate(env)
    for _ in range(3):
        action = int(np.flatnonzero(env.action_masks())[0])
        assert twin.game_state().digest() == env.game_state().digest()
        results = [each.step(action) for each in (env, twin)]
        assert results[0][0].tobytes() == results[1][0].tobytes()
        if results[0][2]:
            break


@every_case
def test_opponents_sit_in_turn_order_and_are_told_their_seats(case: Case) -> None:
    class Named(RandomAgent):
        def reset(self, seat: int) -> None:
            self.seat = seat

        def act(self, state: State, rng: np.random.Generator) -> int:
            assert state.current_player() == self.seat
            return super().act(state, rng)

    opponents = [Named() for _ in range(case.options["num_players"] - 1)]
    env = make(case, opponents=opponents)
    for seed in range(10):
        seat = env.reset(seed=seed)[1]["seat"]
        n = env.game.num_players
        assert [opponent.seat for opponent in opponents] == [(seat + k) % n for k in range(1, n)]
        played_in(env, 3)


@every_game
def test_solo_games(case: Case) -> None:
    if CLASSES[case.name].min_players > 1:
        with pytest.raises(ValueError, match="num_players"):
            case.game(num_players=1)
        return
    env = BoardroomGymEnv(case.game(num_players=1))
    observation, info = env.reset(seed=0)
    terminated = truncated = False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    assert info["seat"] == 0 and reward in (-1.0, 0.0, 1.0)
