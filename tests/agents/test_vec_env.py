"""The environment of PPO against the rules played out state by state."""

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents import Agent, load
from agents.tables import win_rate
from agents.vec_env import SelfPlayVecEnv
from core.game import IllegalActionError
from tests.toy_game import ToyGame


class Most(Agent):
    """Takes as many tokens as it may."""

    name = "most"

    def act(self, state, rng):
        return state.legal_actions()[-1]


def at_the_end(**changes):
    """Two games at the learner's last decision: the opponent's reply ends them."""
    env = SelfPlayVecEnv(ToyGame(2), 2, [Most()], seed=0)
    env.reset()
    position = {"pile": 4, "taken": [4, 4], "card": [2, 5], "current_player": 0}
    state = env.game.state_from_dict(position | changes, seed=1)
    saved = env.save_state()
    saved["records"] = state.copies(2).view(np.uint8)
    saved["seat"] = np.zeros(2, np.int64)
    saved["cast"] = np.tile([-1, 0, 0, 0], (2, 1))[:, : saved["cast"].shape[1]]
    env.load_state(saved)
    return env


def test_the_opponents_reply_is_charged_to_the_action_before_it():
    env = at_the_end()
    # 1 token: 5 + 2 points against 4 + 5; 3 tokens: 7 + 2 against 9, and the smaller card wins
    observations, rewards, dones, infos = env.step(np.array([0, 2]))
    assert rewards.tolist() == [-1.0, 1.0] and dones.tolist() == [True, True]
    for info, taken in zip(infos, (5, 7), strict=True):
        pile, card, own, other = info["terminal_observation"][:4]
        assert (pile, card) == (0, np.float32(2 / 5)) and (own, other) == (np.float32(taken / 30), np.float32(4 / 30))
        assert info["cut"] is False
    assert (observations[:, 0] > 0).all()  # the next games


def test_the_margin_is_added_at_the_end():
    env = at_the_end()
    env.margin = 0.5
    assert env.step(np.array([0, 2]))[1].tolist() == [pytest.approx(-1 - 0.5 * 2 / 10), 1.0]


def test_a_cut_game_says_so():
    env = at_the_end(decisions=99)
    assert env.game.max_decisions == 100
    _, rewards, dones, infos = env.step(np.array([0, 0]))
    assert dones.all() and infos[0]["cut"] is True
    assert "TimeLimit.truncated" not in infos[0]  # or SB3 would add what it expects to the reward
    assert rewards.tolist() == [-1.0, -1.0]  # as the scores stand: 7 to 9
    assert infos[0]["terminal_observation"][0] == np.float32(3 / 30)


@pytest.mark.parametrize("players", [(2,), (4,), (2, 3, 4)])
def test_every_step_is_what_the_rules_say(players):
    games = [ToyGame(n) for n in players]
    env = SelfPlayVecEnv(games, 12, [Most()], seed=5)
    observations = env.reset()
    rng = np.random.default_rng(0)
    states = [games[i % len(games)].state_from_bytes(env.batch.state(i).to_bytes()) for i in range(12)]
    seats, episodes = env.save_state()["seat"], 0
    for _ in range(60):
        masks = env.action_masks()
        for i, state in enumerate(states):
            assert state.current_player() == seats[i]
            assert (observations[i] == state.observation(seats[i])).all()
            assert (masks[i] == state.legal_actions_mask()).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        observations, rewards, dones, infos = env.step(actions)
        for i, state in enumerate(states):
            state.apply_action(int(actions[i]))
            while state.current_player() not in (seats[i], -4):
                state.apply_action(state.legal_actions()[-1])
            assert dones[i] == state.is_terminal()
            assert rewards[i] == np.float32(state.returns()[seats[i]])
            if dones[i]:
                episodes += 1
                assert (infos[i]["terminal_observation"] == state.observation(seats[i])).all()
                assert infos[i]["episode"]["r"] == pytest.approx(state.returns()[seats[i]])
                states[i] = env.batch.state(i)
                assert states[i].decisions < states[i].game.num_players
            else:
                assert not infos[i]
        seats = env.save_state()["seat"]
    assert episodes > 30


def test_seats_and_opponents_are_drawn_by_their_chances():
    env = SelfPlayVecEnv(ToyGame(3), 4000, [Most(), load("random", ToyGame())], [3, 1], seed=0)
    env.reset()
    saved = env.save_state()
    assert (abs(np.bincount(saved["seat"]) - 4000 / 3) < 180).all()
    assert ((saved["cast"] == -1).sum(axis=1) == 1).all()
    assert abs((saved["cast"] == 1).sum() / 8000 - 0.25) < 0.03


def test_nothing_returned_changes_with_the_next_step():
    env = SelfPlayVecEnv(ToyGame(2), 8, [load("random", ToyGame())], seed=0)
    env.reset()
    results = env.step(env.action_masks().argmax(axis=1))[:3]
    masks = env.action_masks()
    before = [part.copy() for part in (*results, masks)]
    for _ in range(10):
        env.step(env.action_masks().argmax(axis=1))
    assert all((now == then).all() for now, then in zip((*results, masks), before, strict=True))


def test_a_saved_environment_goes_on_bit_for_bit():
    first, second = (SelfPlayVecEnv(ToyGame(3), 8, [load("random", ToyGame())], seed=s) for s in (0, 9))
    first.reset()
    second.reset()
    for _ in range(7):
        first.step(first.action_masks().argmax(axis=1))
    assert (second.load_state(first.save_state()) == first.batch.observations).all()
    for _ in range(40):
        mine, other = (env.step(env.action_masks().argmax(axis=1)) for env in (first, second))
        assert all((a == b).all() for a, b in zip(mine[:3], other[:3], strict=True))


def test_what_sb3_asks_for():
    env = SelfPlayVecEnv(ToyGame(2), 3, [Most()], seed=0)
    env.seed(4)
    first = env.reset()
    env.seed(4)
    assert (env.reset() == first).all()
    assert is_masking_supported(env) and not env.has_attr("nothing")
    assert (get_action_masks(env) == env.batch.action_mask).all()
    assert len(env.env_method("action_masks", indices=[1])) == 1
    assert env.observation_space.shape == (6,) and env.action_space.n == 3
    with pytest.raises(IllegalActionError, match="game 1 of the batch"):
        env.step(np.array([0, 5, 0]))


def test_the_win_rate_is_that_of_games_played_one_by_one():
    game = ToyGame(3)
    won = 0.0
    for i in range(60):
        state = game.new_initial_state(7 + i)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[-1] if state.current_player() == i % 3 else legal[0])
        won += (i % 3 in state.winners()) / len(state.winners())

    class Least(Agent):
        name = "least"

        def act(self, state, rng):
            return state.legal_actions()[0]

    assert win_rate(game, Most(), Least(), 60, seed=7) == pytest.approx(won / 60)
