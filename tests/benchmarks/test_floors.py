"""The floors do all the work that they are said to do."""

import numpy as np
import pytest

from benchmarks.floors import (
    ACTIONS,
    CELLS,
    FEATURES,
    RECORD,
    WRITES,
    TrivialEnv,
    floor_records,
    pick_random,
    play_floor,
    step_floor,
)
from core.rng import seed_words


def policies(count):
    return np.stack([seed_words(seed) for seed in range(count)])


def test_a_record_is_two_kilobytes():
    assert RECORD.itemsize == 2048


def test_a_decision_fills_the_mask_and_writes_sixteen_cells():
    records, mask = floor_records(3, seed=1), np.zeros(ACTIONS, np.bool_)
    before = records["cells"].copy()
    play_floor(records, policies(3), 1, mask)
    assert (mask == (before[2, :ACTIONS] % 4 == 0)).all()
    assert ((records["cells"] - before).sum(axis=1) == WRITES).all()
    assert ((records["cells"] != before).sum(axis=1) == WRITES).all()


def test_the_action_taken_is_legal():
    records, mask = floor_records(1, seed=2), np.zeros(ACTIONS, np.bool_)
    policy = policies(1)
    for _ in range(200):
        before = records["cells"][0].copy()
        play_floor(records, policy, 1, mask)
        first = np.flatnonzero(records["cells"][0] != before)
        taken = {a for a in range(ACTIONS) if a * WRITES % CELLS in first and mask[a]}
        assert len(first) == WRITES and taken


def test_the_step_floor_writes_every_feature():
    records = floor_records(4, seed=3)
    masks, observations = np.zeros((4, ACTIONS), np.bool_), np.full((4, FEATURES), np.nan, np.float32)
    before = records["cells"].copy()
    step_floor(records, policies(4), masks, observations)
    assert (observations == records["cells"][:, :FEATURES]).all()
    assert (masks == (before[:, :ACTIONS] % 4 == 0)).all()


def test_picks_are_legal_and_uniform():
    masks = np.zeros((1, 50), np.bool_)
    masks[0, [0, 7, 8, 49]] = True
    policy, actions = policies(1), np.zeros(1, np.int64)
    seen = np.zeros(50, int)
    for _ in range(4000):
        pick_random(masks, policy, actions)
        seen[actions[0]] += 1
    assert np.flatnonzero(seen).tolist() == [0, 7, 8, 49]
    assert seen[[0, 7, 8, 49]].min() > 850  # expected 1000 each; five standard deviations are 137


def test_a_finished_game_gets_action_0():
    actions = np.full(1, 9, np.int64)
    pick_random(np.zeros((1, 5), np.bool_), policies(1), actions)
    assert actions[0] == 0


@pytest.mark.parametrize("wrapped", [False, True])
def test_the_trivial_environment_is_an_aec_environment(wrapped):
    env = TrivialEnv(3, features=10, actions=40)
    env = env.wrapped() if wrapped else env
    env.reset(seed=0)
    turns = []
    for agent in env.agent_iter(max_iter=7):
        observation, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        assert (reward, terminated, truncated) == (0, False, False)
        turns.append(agent)
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    assert turns == [f"player_{seat}" for seat in (0, 1, 2, 0, 1, 2, 0)]
