"""Every game as a PettingZoo environment."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test

from core.aec import BoardroomAEC, make_env
from core.game import IllegalActionError
from tests.suite import CLASSES, Case, every_case, every_game, finished, illegal_action, played

# What PettingZoo says of every environment with masks that is not in its own list of names.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def make(case: Case, raw: bool = False, **settings) -> BoardroomAEC:
    env, raw_env = make_env(CLASSES[case.name])
    return (raw_env if raw else env)(**case.options, **settings)


def play(env: BoardroomAEC, seed: int, turns: int = 10_000) -> None:
    """Legal random moves until the game is over or so many are made."""
    rng = np.random.default_rng(seed)
    for _ in range(turns):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        env.step(rng.choice(np.flatnonzero(observation["action_mask"])))


def everything(env: BoardroomAEC) -> tuple:
    """All that a user can read."""
    seen = [(env.observe(agent)["observation"].tobytes(), env.observe(agent)["action_mask"].tobytes()) for agent in
            env.possible_agents]  # fmt: skip
    tables = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    return env.game_state().digest(), env.agent_selection, list(env.agents), seen, copy.deepcopy(tables)


@every_case
@pytest.mark.parametrize("raw", [False, True], ids=["env", "raw_env"])
def test_pettingzoo_api(case: Case, raw: bool) -> None:
    api_test(make(case, raw), num_cycles=200)


@every_case
def test_pettingzoo_seeds(case: Case) -> None:
    seed_test(lambda: make(case), num_cycles=100)


@every_case
def test_pettingzoo_rendering(case: Case) -> None:
    render_test(lambda render_mode: make(case, render_mode=render_mode))


@every_game
def test_bad_settings(case: Case) -> None:
    with pytest.raises(ValueError, match="render_mode"):
        make(case, render_mode="3d")
    with pytest.raises(ValueError, match="illegal"):
        make(case, illegal="ignore")


@every_case
def test_it_plays_the_same_game_as_the_state(case: Case) -> None:
    env = make(case, raw=True)
    env.reset(seed=9)
    state = env.game.new_initial_state(9)
    rng = np.random.default_rng(9)
    while True:
        assert env.game_state().digest() == state.digest()
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert seen["observation"].tobytes() == state.observation(seat).tobytes()
            legal = state.legal_actions() if seat == state.current_player() else []
            assert seen["action_mask"].dtype == np.int8 and np.flatnonzero(seen["action_mask"]).tolist() == legal
        if state.is_terminal():
            break
        assert env.agent_selection == f"player_{state.current_player()}"
        observation, reward, terminated, truncated, info = env.last()
        assert observation["observation"].tobytes() == state.observation(state.current_player()).tobytes()
        assert (reward, terminated, truncated, info) == (0, False, False, {})
        action = int(rng.choice(state.legal_actions()))
        env.step(rng.choice([env.game.action_to_string(action)]) if state.decisions % 3 else action)
        state.apply_action(action)
    assert [env.rewards[agent] for agent in env.possible_agents] == state.returns()


@every_case
def test_the_end(case: Case) -> None:
    env = make(case)
    env.reset(seed=4)
    play(env, 4)
    state = env.game_state()
    assert state.is_terminal() and env.agents == env.possible_agents
    expected = dict(zip(env.possible_agents, state.returns(), strict=True))
    assert env.rewards == expected
    seen = set()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation["action_mask"].sum() == 0
        assert reward == expected[agent]
        assert (terminated, truncated) == (not state.is_truncated(), state.is_truncated())
        with pytest.raises(IllegalActionError, match="None"):
            env.step(0)
        env.step(None)
        seen.add(agent)
    assert seen == set(env.possible_agents) and env.agents == []
    for call in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=4)
    assert env.agents == env.possible_agents and not any(env.rewards.values())


@every_case
def test_truncation(case: Case) -> None:
    env = make(case, max_decisions=2)
    env.reset(seed=0)
    play(env, 0)
    assert all(value is True for value in env.truncations.values())
    assert all(value is False for value in env.terminations.values())


@every_game
def test_calls_out_of_order(case: Case) -> None:
    env = make(case)
    agent = env.possible_agents[0]
    calls = [lambda: env.step(0), env.last, lambda: env.observe(agent), env.agent_iter, env.game_state]
    for call in calls:
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    for name in ("agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"):
        with pytest.raises(AttributeError, match="reset"):
            getattr(env, name)
    env.reset(seed=0)
    with pytest.raises(RuntimeError, match="step"):
        for _ in env.agent_iter():
            pass
    with pytest.raises(ValueError, match="player_0"):
        env.observe("nobody")


@every_game
def test_looking_changes_nothing(case: Case) -> None:
    env = make(case, render_mode="ansi")
    env.reset(seed=1)
    play(env, 1, 5)
    before = everything(env)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        seen["observation"][:] = 9
        seen["action_mask"][:] = 9
    env.last()[0]["action_mask"][:] = 9
    env.game_state().apply_action(env.game_state().legal_actions()[0])
    assert isinstance(env.render(), str)
    assert everything(env) == before


@every_case
def test_no_action_at_all_is_always_an_error(case: Case) -> None:
    for illegal in ("terminate", "raise"):
        env = make(case, illegal=illegal)
        env.reset(seed=1)
        before = everything(env)
        n = env.game.num_actions
        for action in (-1, n, np.int64(n), np.int64(-1), np.int32(-1), 10**30, "no_such", None, 0.0, True, [1]):
            with pytest.raises(IllegalActionError):
                env.step(action)  # type: ignore[arg-type]
            assert everything(env) == before


def illegal_position(case: Case, illegal: str) -> tuple[BoardroomAEC, int]:
    """An environment at a decision that has an illegal action, and that action."""
    env = make(case, illegal=illegal)
    for seed in range(100):
        env.reset(seed=seed)
        play(env, seed, seed)
        action = illegal_action(env.game_state())
        if action is not None and not env.game_state().is_terminal():
            return env, action
    raise AssertionError("no position with an illegal action found")


@every_case
def test_an_illegal_action_raises(case: Case) -> None:
    env, action = illegal_position(case, "raise")
    before = everything(env)
    for given in (action, np.int64(action), np.int32(action), np.array(action), env.game.action_to_string(action)):
        with pytest.raises(IllegalActionError, match="not legal"):
            env.step(given)  # type: ignore[arg-type]
        assert everything(env) == before


@every_case
def test_an_illegal_action_loses(case: Case) -> None:
    env, action = illegal_position(case, "terminate")
    offender = env.agent_selection
    with pytest.warns(UserWarning, match=offender):
        env.step(action)
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values()) and not any(env.truncations.values())
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        assert terminated and observation["action_mask"].sum() == 0
        assert reward == (-1.0 if agent == offender else 0.0)
        env.step(None)
    assert env.agents == []


@every_case
def test_without_a_seed_the_generator_goes_on(case: Case) -> None:
    first, second = make(case), make(case)
    games = []
    for env in (first, second):
        env.reset(seed=6)
        digests = [env.game_state().digest()]
        for _ in range(3):
            env.reset()
            digests.append(env.game_state().digest())
        games.append(digests)
    assert games[0] == games[1] and len(set(games[0])) == 4
    first.reset(seed=6)
    assert first.game_state().digest() == games[0][0]
    unseeded = make(case)
    unseeded.reset()
    first.reset(seed=None)
    assert unseeded.game_state().digest() != first.game_state().digest()


@every_case
def test_reset_to_a_position(case: Case) -> None:
    env = make(case)
    wanted = played(env.game, 3, 12)
    env.reset(seed=1, options={"state": wanted.to_dict()})
    assert env.game_state() == wanted
    assert env.agent_selection == f"player_{wanted.current_player()}"
    assert np.flatnonzero(env.last()[0]["action_mask"]).tolist() == wanted.legal_actions()
    assert env.game_state().digest() == env.game.state_from_dict(wanted.to_dict(), seed=1).digest()
    before = everything(env)
    with pytest.raises(ValueError, match="no_such_key"):
        env.reset(options={"state": {"no_such_key": 1}})
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    assert everything(env) == before
    over = finished(env.game, 3)
    env.reset(options={"state": over.to_dict()})
    assert [env.rewards[agent] for agent in env.possible_agents] == over.returns()
    assert all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)


@every_case
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_the_position(case: Case, duplicate) -> None:
    env = make(case)
    duplicate(env)
    for turns in (0, 9, 100_000):
        env.reset(seed=2)
        play(env, 2, turns)
        before = everything(env)
        twin = duplicate(env)
        assert everything(twin) == before
        if env.game_state().is_terminal():
            twin.step(None)
            assert twin.agents == twin.possible_agents[1:]
        else:
            play(twin, 5, 4)
            assert everything(env) == before != everything(twin)
            play(env, 5, 4)
            assert everything(env) == everything(twin)
        twin.reset()
        env.reset()
        assert everything(env) == everything(twin)


@every_game
def test_render(case: Case) -> None:
    env = make(case, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == str(env.game_state())
    silent = make(case)
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert silent.render() is None
