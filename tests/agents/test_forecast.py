"""What comes about if all go on by scripts: networks with such a base see it."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from agents import load
from agents.network import Network
from agents.ppo import Policy
from agents.scripted import ENDING, LONE, Scripted, script
from agents.train import Training
from core import registry
from tests.suite import walk

GAMES = ("xenon", "pax")


def based(name, game):
    return script(name, game, as_base=True)


def of(state):
    """As ``advice`` takes it."""
    return state.states, LONE, state.game


def play_on(state, mover, others, turns):
    """The forecast by State and agents alone: what the seat has at the end, or what it sees after its turns."""
    seat, rng = state.current_player(), np.random.default_rng(0)
    state, left, away = state.determinize(seat, 0), turns, False
    while not state.is_terminal():
        away, came_back = state.current_player() != seat, away and state.current_player() == seat
        left -= came_back
        if left == 0:
            return [0, 0, 0, *mover.outlooks(state.states, LONE, state.game)[0]]
        state.apply_action((others if away else mover).act(state, rng))
    return [state.returns()[seat], 1, left / turns, *np.zeros(mover.outlook.size)]


def steered(game, seed):
    """The positions of a game that a script plays, with some random moves."""
    state, greedy, rng = game.new_initial_state(seed), load("greedy", game), np.random.default_rng(seed)
    while not state.is_terminal():
        yield state
        state.apply_action(int(rng.choice(state.legal_actions())) if rng.random() < 0.1 else greedy.act(state, rng))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("players", [2, 3])
def test_a_forecast_is_what_scripts_would_play(name, players):
    game = registry.game(name, num_players=players)
    plain, others, ended = load("tuned", game), load("greedy", game), set()
    base = based("tuned+2", game)
    for state in (state for seed in range(3) for state in steered(game, seed)):
        if state.decisions % 5 == 0:
            before = state.to_bytes()
            advice = base.advice(state.states, LONE, game)[0]
            assert state.to_bytes() == before
            size = plain.outlook.size
            expected = np.array(play_on(state, plain, others, 2), np.float32)
            np.testing.assert_array_equal(advice[size : size + ENDING + size], expected)
            np.testing.assert_array_equal(np.delete(advice, np.s_[size : base.insight]), plain.advice(*of(state))[0])
            ended.add(bool(expected[1]))
    assert ended == {False, True}


@pytest.mark.parametrize("name", GAMES)
def test_a_forecast_knows_nothing_that_the_mover_cannot(name):
    game, others = registry.game(name, num_players=3), 0
    base = based("greedy+3", game)
    for state in walk(game, 6, 160):
        if state.decisions % 8 == 0 and not state.is_terminal():
            seen = base.advice(*of(state))
            for seed in range(3):
                dealt = state.determinize(state.current_player(), seed)
                others += dealt != state
                np.testing.assert_array_equal(base.advice(*of(dealt)), seen)
    assert others > 20


@pytest.mark.parametrize("name", GAMES)
def test_a_forecast_is_the_same_in_a_batch_and_for_every_reward(name):
    """For any rows, and a script that was made for another number of players."""
    game = registry.game(name, num_players=4 if name == "pax" else 5)
    base, rng = based("tuned+2", registry.game(name, num_players=2)), np.random.default_rng(1)
    batch = game.vector(12, seed=3)
    for _ in range(30):
        batch.step(base.actions(batch.states, np.arange(12), game))
    rows = rng.permutation(12)[:7]
    together = base.advice(batch.states, rows, game)
    for reward in ("win", "rank", "margin"):
        other = registry.game(name, num_players=game.num_players, reward=reward)
        for row, k in zip(together, rows, strict=True):
            records = batch.states[k : k + 1].copy()
            records["reward"] = other.blank["reward"]
            np.testing.assert_array_equal(base.advice(records, LONE, other)[0], row)


def test_alone_a_forecast_is_the_end_of_the_game():
    game = registry.game("pax", num_players=1)
    base, state = based("tuned+2", game), game.new_initial_state(seed=1)
    size, rng = base.outlook.size, np.random.default_rng(0)
    result, over, left, *then = base.advice(*of(state))[0, size : size + ENDING + size]
    state = state.determinize(0, 0)
    while not state.is_terminal():
        state.apply_action(base.act(state, rng))
    assert [result, over, left] == [state.returns()[0], 1, 1] and not any(then)


def test_a_forecast_goes_on_to_where_the_game_is_cut():
    game = registry.game("pax", max_decisions=20, skip_forced=False)
    base, state = based("tuned+2", game), game.new_initial_state(seed=1)
    size, rng, ended = base.outlook.size, np.random.default_rng(0), []
    while not state.is_terminal():
        result, over = base.advice(*of(state))[0, size : size + 2]
        assert over or result == 0
        ended.append(bool(over))
        state.apply_action(base.act(state, rng))
    assert not ended[0] and ended[-1]


def test_whose_rules_others_go_by_counts_in_forecasts():
    game = registry.game("pax")
    greedy = load("greedy", game)
    other = Scripted(
        "greedy", game, greedy.best_action, greedy.rules, greedy.room()[1:], greedy.outlook, load("tuned", game).rules
    )
    assert greedy.weights == other.weights
    assert greedy.with_forecast(2).weights != other.with_forecast(2).weights
    assert greedy.with_forecast(2).with_rules("tuned", load("tuned", game).rules).turns == 2


@pytest.mark.parametrize("name", ["tuned+", "tuned+0", "tuned+03", "tuned+101", "tuned+two", "greedy+-1"])
def test_a_forecast_has_a_number_of_turns(name):
    with pytest.raises(ValueError, match=r"expected a number of turns from 1 to 100 after \w+\+, got"):
        based(name, registry.game("pax"))


def test_only_a_base_with_an_outlook_has_forecasts():
    pax = registry.game("pax")
    with pytest.raises(ValueError, match="greedy of tesla has no outlook of its own, and so no forecast"):
        based("greedy+2", registry.game("tesla"))
    with pytest.raises(ValueError, match="expected a number of turns from 1 to 100, got 0"):
        load("greedy", pax).with_forecast(0)
    with pytest.raises(ValueError, match=r"unknown agent 'tuned\+2'"):
        load("tuned+2", pax)
    with pytest.raises(ValueError, match=r"expected random, greedy, tuned, got 'tuned\+2'"):
        load("mcts:5:rollout=tuned+2", pax)
    with pytest.raises(ValueError, match=r"base: expected a number of turns from 1 to 100 after tuned\+"):
        Training("pax", Path("run"), base="tuned+0")


def test_a_network_learns_to_look_ahead(tmp_path):
    """One that did not plays as before when it begins to; it keeps its turns in its file."""
    console = Console(file=StringIO())
    settings = {"envs": 8, "rollout": 4, "minibatch": 16, "evaluation_games": 2, "players": (2,)}
    first = Training("pax", tmp_path / "a", base="tuned", steps=32, **settings).train(console)
    game = registry.game("pax")
    size = load("tuned", game).outlook.size
    ahead = first.with_base("tuned+2", 2 * size + ENDING)
    state = game.new_initial_state(seed=2)
    for _ in range(30):
        action = Policy(first, game).act(state, np.random.default_rng(0))
        assert Policy(ahead, game).act(state, np.random.default_rng(0)) == action
        state.apply_action(action)
    Training("pax", tmp_path / "b", init=tmp_path / "a/policy.safetensors", base="tuned+2", steps=64, **settings).train(
        console
    )
    agent = load(f"ppo:{tmp_path}/b/policy.safetensors", game)
    assert agent.network.base == "tuned+2" and agent.network.insight == 2 * size + ENDING
    assert (agent.network.trunk[0][0][:, game.observation_size + size :][:, : ENDING + size] != 0).any()
    assert agent.act(state, np.random.default_rng(0)) in state.legal_actions()


def test_an_outlook_cannot_grow_before_a_forecast():
    one, none = np.ones((1, 1), np.float32), np.zeros(1, np.float32)
    blind = Network(((one, none),), ((one, none),), ((one, none),))
    seeing = blind.with_base("tuned+2", 7)
    assert seeing.with_base("tuned+3", 7).insight == 7
    for base, size in (("tuned+2", 9), ("tuned", 9), ("tuned", 7), ("tuned", 3)):
        with pytest.raises(ValueError, match=r"sees 7 numbers of tuned\+2, .* a forecast cannot be given up"):
            seeing.with_base(base, size)
