"""Looking ahead by scripts: the rollouts, the critic that values what comes of them, and what a network learns."""

import json
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from agents import critic, load
from agents.appraise import Appraisal
from agents.critic import Critic
from agents.improve import Improvement, lessons
from agents.network import OWN, Network, read, write
from agents.ppo import Policy
from agents.rollout import NONE, Foresight, Rollouts
from agents.scripted import LONE
from agents.tables import win_rate
from core import registry
from core.vector import VectorEnv
from tests.suite import walk


@pytest.fixture
def console():
    return Console(file=StringIO(), width=110)


def flat_critic(script):
    """One that finds all positions worth nothing."""
    return Critic(((np.zeros((1, script.outlook.size), np.float32), np.zeros(1, np.float32)),))


def foresight(game, rollouts=4, turns=10**6):
    greedy = load("greedy", game)
    return Foresight(game, greedy, greedy, flat_critic(greedy), rollouts, turns)


@pytest.mark.parametrize("name", ["xenon", "tesla", "pax"])
def test_outlooks_are_finite_and_those_of_the_mover(name):
    """A script without an outlook of its own looks at the observation."""
    game = registry.game(name, num_players=3)
    greedy = load("greedy", game)
    sight = Foresight(game, greedy, greedy, flat_critic(greedy), 1, 1)
    seen = []

    class Note(Critic):
        def values(self, outlooks):
            seen.append(outlooks.copy())
            return super().values(outlooks)

    sight.critic = Note(sight.critic.layers)
    for state in walk(game, 3, 40):
        sight.results(state.states, np.array([state.legal_actions()[:1]]), np.random.default_rng(0))
    found = np.concatenate(seen)
    assert len(found) > 20 and found.shape[1] == greedy.outlook.size and np.isfinite(found).all()
    assert np.abs(found).max() <= (10**4 if name == "tesla" else 20) and (found.std(axis=0) > 0).sum() > 20
    assert greedy.insight == (0 if name == "tesla" else found.shape[1]) < game.observation_size / 5


@pytest.mark.parametrize("name", ["xenon", "tesla", "pax"])
def test_rollouts_to_the_end_are_returns_of_the_mover(name):
    game = registry.game(name, num_players=2)
    sight = foresight(game)
    rng = np.random.default_rng(0)
    state = next(iter(walk(game, 5, 1)))
    legal = state.legal_actions()
    choices = np.full((1, len(legal) + 2), NONE)
    choices[0, : len(legal)] = legal
    before = state.states.tobytes()
    results = sight.results(state.states, choices, rng)
    assert results.shape == (1, len(legal) + 2, 4) and state.states.tobytes() == before
    assert np.isnan(results[0, len(legal) :]).all()
    assert set(np.unique(results[0, : len(legal)])) <= {-1.0, 0.0, 1.0}


def test_results_do_not_depend_on_threads_and_each_generator_gives_others():
    game = registry.game("xenon", num_players=2)
    batch = game.vector(300, seed=1)
    batch.play_random(20)
    choices = np.array([np.flatnonzero(mask)[[0, -1]] for mask in batch.action_mask])
    sight = foresight(game, rollouts=8)
    alone, many = (sight.results(batch.states, choices, np.random.default_rng(3), threads) for threads in (1, 3))
    np.testing.assert_array_equal(alone, many)
    assert (sight.results(batch.states, choices, np.random.default_rng(4)) != alone).any()


@pytest.mark.parametrize("name", ["xenon", "pax"])
def test_rollouts_see_nothing_hidden_and_not_what_will_be_drawn(name):
    """Positions that look alike to the mover come to the same."""
    game = registry.game(name, num_players=3)
    sight = foresight(game, rollouts=3, turns=1000)
    seen = 0
    for k, state in enumerate(walk(game, 7, 60)):
        if k % 6 or len(state.legal_actions()) < 2:
            continue
        other = state.determinize(state.current_player(), seed=k)
        seen += other != state
        choices = np.array([state.legal_actions()[:2]])
        one, two = (sight.results(each.states, choices, np.random.default_rng(k)) for each in (state, other))
        np.testing.assert_array_equal(one, two)
    assert seen > 3


@pytest.mark.parametrize("name", ["xenon", "pax"])
def test_advice_and_outlook_see_nothing_hidden(name):
    game = registry.game(name, num_players=3)
    greedy = load("greedy", game)
    seen = 0
    for k, state in enumerate(walk(game, 4, 120)):
        before, advice = state.states.tobytes(), greedy.advice(state.states, LONE, game)
        for seed in range(3):
            other = state.determinize(state.current_player(), seed=3 * k + seed)
            seen += other != state
            np.testing.assert_array_equal(greedy.advice(other.states, LONE, game), advice)
        assert state.states.tobytes() == before
    assert seen > 100


@pytest.mark.long
def test_an_agent_that_looks_ahead_beats_its_script(console, tmp_path):
    """With a critic it takes few rollouts; to the end of the game many more would be needed."""
    game = registry.game("xenon", num_players=2)
    greedy = load("greedy", game)
    found = Appraisal("xenon", tmp_path / "a.safetensors", "greedy", games=40_000, players=(2,)).run(console)
    agent = Rollouts("rollout:16", Foresight(game, greedy, greedy, found, 16))
    assert win_rate(game, agent, greedy, 60, seed=1) > 0.65
    state = game.new_initial_state(seed=1)
    assert agent.act(state, np.random.default_rng(0)) in state.legal_actions()


@pytest.mark.long
@pytest.mark.parametrize(("name", "games"), [("xenon", 40), ("pax", 12)])
def test_with_the_shipped_critic_it_beats_greedy(name, games):
    game = registry.game(name, num_players=2)
    agent = load("rollout:8", game)
    assert agent.name == "rollout:8" and agent.foresight.own.name == "tuned"
    assert win_rate(game, agent, load("greedy", game), games, seed=10**6) > 0.6


def test_scripts_of_two_kinds_are_refused():
    game = registry.game("xenon", num_players=2)
    greedy = load("greedy", game)
    with pytest.raises(ValueError, match="expected one script for all players"):
        Foresight(game, greedy, load("greedy", registry.game("pax")), flat_critic(greedy))


def test_a_critic_learns_what_positions_are_worth_and_comes_back_from_its_file(console, tmp_path):
    path = tmp_path / "critic.safetensors"
    found = Appraisal("xenon", path, script="greedy", games=6000, players=(2,), epochs=4).run(console)
    game = registry.game("xenon", num_players=2)
    greedy = load("greedy", game)
    again = critic.read(path, game, greedy)
    outlooks = np.random.default_rng(0).random((5, greedy.outlook.size), np.float32)
    np.testing.assert_array_equal(again.values(outlooks), found.values(outlooks))
    assert again.digest() == found.digest() != flat_critic(greedy).digest()
    story = json.loads(path.with_suffix(".json").read_text())
    assert story["explained_variance"] > 0.03 and story["positions"] > 6000 and story["game"] == "xenon"
    assert "explains" in console.file.getvalue()


def test_files_that_hold_no_critic_of_the_game_are_refused(tmp_path):
    game = registry.game("xenon", num_players=2)
    greedy = load("greedy", game)
    path = tmp_path / "critic.safetensors"
    with pytest.raises(ValueError, match=r"critic .*No such file"):
        critic.read(path, game, greedy)
    critic.write(path, flat_critic(greedy), game, greedy, {})
    pax = registry.game("pax")
    with pytest.raises(ValueError, match="game is 'xenon', pax here has 'pax'"):
        critic.read(path, pax, load("greedy", pax))
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(ValueError, match="damaged"):
        critic.read(path, game, greedy)
    for layers, words in [
        (((np.zeros((1, 3), np.float32), np.zeros(1, np.float32)),), "do not fit together"),
        (((np.zeros((2, greedy.outlook.size), np.float32), np.zeros(2, np.float32)),), "expected one number"),
    ]:
        critic.write(path, Critic(layers), game, greedy, {})
        with pytest.raises(ValueError, match=words):
            critic.read(path, game, greedy)
    with pytest.raises(ValueError, match="no critic is shipped for tesla"):
        load("rollout", registry.game("tesla"))


def small_network(game, base=""):
    rng = np.random.default_rng(0)

    def layer(inputs, outputs, scale=0.1):
        return (rng.normal(0, scale, (outputs, inputs)).astype(np.float32), np.zeros(outputs, np.float32))

    network = Network((layer(game.observation_size, 16),), (layer(16, game.num_actions, 0.0),), (layer(16, 1),))
    return network.with_base(base) if base else network


def test_lessons_are_the_likeliest_legal_actions_and_what_they_come_to():
    game = registry.game("xenon", num_players=2)
    batch = VectorEnv([game], 30, 1, autoreset="disabled")
    policy = Policy(small_network(game), game)
    rng = np.random.default_rng(0)
    lesson, earned = lessons(batch, policy, load("greedy", game), foresight(game, 2), rng, part=0.5, most=4, threads=1)
    rows = len(lesson.outcomes)
    assert rows > 200 and lesson.choices.shape == lesson.results.shape == (rows, 4)
    assert lesson.seen.shape == (rows, game.observation_size) and -1 <= earned <= 1
    assert (lesson.choices[:, :2] != NONE).all() and (lesson.results[lesson.choices == NONE] == 0).all()
    assert np.isfinite(lesson.results).all() and np.abs(lesson.results).max() <= 1


def test_a_network_improves_by_looking_ahead_and_goes_on_from_its_file(console, tmp_path):
    """It begins as its base, but that it prefers one action to all others."""
    game = registry.game("xenon", num_players=2)
    greedy = load("greedy", game)
    network = small_network(game, "greedy")
    network.trust[OWN] = 3.0
    network.policy[-1][1][game.string_to_action("air")] = 5.0
    write(tmp_path / "blank.safetensors", network, game, {"commands": ["by hand"]})
    critic.write(tmp_path / "critic.safetensors", flat_critic(greedy), game, greedy, {})
    out = tmp_path / "improved.safetensors"
    small = {
        "critic": tmp_path / "critic.safetensors",
        "opponent": "greedy",
        "games": 60,
        "players": (2,),
        "rollouts": 6,
        "turns": 1000,
        "choices": 4,
        "evaluation_games": 200,
        "learning_rate": 1e-2,
        "batch": 64,
        "restraint": 0.0,
        "averaging": 0.5,
    }
    Improvement("xenon", tmp_path / "blank.safetensors", out, rounds=4, evaluate_every=4, **small).run(console)
    network, story = read(out, game)
    rates = [row["2 players"] for row in story["curve"]]
    assert rates[-1] > rates[0] + 0.1 and len(story["commands"]) == 2 and story["rounds"] == 4
    assert win_rate(game, Policy(network, game), greedy, 200, seed=1) == rates[-1]
    Improvement("xenon", out, tmp_path / "more.safetensors", rounds=1, evaluate_every=1, **small).run(console)
    assert len(read(tmp_path / "more.safetensors", game)[1]["curve"]) == 4
    assert "wins" in console.file.getvalue()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rounds": 0}, "rounds: expected a whole number of at least 1"),
        ({"part": 0.0}, "part: expected a number above 0"),
        ({"averaging": 1.0}, "averaging: expected a number from 0 to below 1"),
        ({"players": (9,)}, "players: expected numbers from 2 to 5, got 9"),
        ({"precision": "most"}, "precision: expected one of"),
        ({"opponent": "mcts"}, "expected greedy, tuned, got 'mcts'"),
        ({"out": "a.zip"}, "expected a file that ends in .safetensors"),
        ({"init": "missing.safetensors"}, "No such file"),
    ],
)
def test_improvement_refuses_what_does_not_fit(console, tmp_path, settings, words):
    game = registry.game("xenon", num_players=2)
    write(tmp_path / "blank.safetensors", small_network(game), game, {})
    files = {"init": tmp_path / "blank.safetensors", "out": tmp_path / "out.safetensors"}
    given = files | {k: tmp_path / v if k in files else v for k, v in settings.items()}
    with pytest.raises(ValueError, match=words):
        Improvement("xenon", **given).run(console)
