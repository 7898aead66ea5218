"""Tree search: what it adds up, that it plays well, by the rules, and without peeping."""

import os
import subprocess
import sys

import numpy as np
import pytest

from agents import load, mcts
from agents.selfplay import play_match
from core import registry
from core.batch import compile_over
from core.rng import seed_words
from tests.suite import SMALLEST, walk
from tests.toy_game import ToyGame

PLAY = """
import numpy as np
from agents import load
from tests.toy_game import ToyGame

for reward in ("win", "rank", "margin"):
    game = ToyGame(3, reward=reward)
    rng = np.random.default_rng(1)
    for seed in range(3):
        state, agent = game.new_initial_state(seed), load("mcts:30:horizon=2", game)
        while not state.is_terminal():
            state.apply_action(agent.act(state, rng))
        print(state.digest())
"""


def test_it_takes_the_only_winning_action():
    """Two tokens are left: both together give 3 points and the win, one gives 2 points and the loss."""
    game = ToyGame(2)
    position = {"pile": 2, "taken": [1, 3], "card": [1, 0]}
    state = game.state_from_dict(position)
    agent = load("mcts:300", game)
    for seed in range(5):
        assert agent.act(state, np.random.default_rng(seed)) == game.string_to_action("take:2")
    assert state == game.state_from_dict(position)


@pytest.mark.parametrize("pile", [5, 7])
@pytest.mark.parametrize("lead", [0, 1, 2, 3])
def test_each_player_is_taken_to_look_at_its_own_share(pile, lead):
    """Who leaves an odd pile has nothing to fear from an opponent who wants points too, whatever the cards."""
    game = ToyGame(2)
    agent, two = load("mcts:3000", game), game.string_to_action("take:2")
    matters = 0
    for card in range(6):
        state = game.state_from_dict({"pile": pile, "taken": [4 + lead, 4], "card": [2, card]})
        values = {}
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            values[action] = best_return(after, 0)
        assert values[two] == max(values.values())
        matters += values[two] > min(values.values())
    assert matters > 0
    for seed in range(3):
        assert agent.act(state, np.random.default_rng(seed)) == two


def best_return(state, seat):
    """What seat gets if both know both cards and play perfectly."""
    if state.is_terminal():
        return state.returns()[seat]
    results = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        results.append(best_return(after, seat))
    return max(results) if state.current_player() == seat else min(results)


@pytest.mark.parametrize("case", SMALLEST, ids=str)
def test_it_looks_at_nothing_that_its_seat_cannot_know(case):
    """Neither hidden cards nor the generator: positions that look the same get the same answer from the same chance."""
    game = case.game()
    agent = load("mcts:40:horizon=10", game)
    seen = 0
    for number, state in enumerate(walk(game, 3, 200)):
        if number % 10 or state.is_terminal():
            continue
        before = state.to_bytes()
        action = agent.act(state, np.random.default_rng(number))
        assert state.to_bytes() == before
        assert action in state.legal_actions()
        for seed in range(3):
            other = state.determinize(state.current_player(), seed)
            seen += other != state
            assert agent.act(other, np.random.default_rng(number)) == action
    assert seen > 0 or case.name.startswith(("tesla", "pax"))


def test_its_generator_alone_decides():
    game = registry.game("xenon")
    agent = load("mcts:60", game)
    state = next(state for k, state in enumerate(walk(game, 1, 60)) if len(state.legal_actions()) > 8)
    reseeded = state.clone()
    reseeded.states["rng"][0] = seed_words(99)
    choices = [agent.act(state, np.random.default_rng(k)) for k in range(12)]
    assert [agent.act(reseeded, np.random.default_rng(k)) for k in range(12)] == choices
    assert [load("mcts:60", game).act(state, np.random.default_rng(k)) for k in range(12)] == choices
    assert len(set(choices)) > 1


@pytest.mark.parametrize("name", ["xenon", "tesla"])
def test_it_beats_random(name):
    match = play_match(registry.game(name), ["mcts:60", "random"], games=12, seed=1)
    assert match.entries[0].wins >= 11
    assert match.truncated == 0


@pytest.mark.parametrize("players", [3, 4])
def test_it_beats_several(players):
    match = play_match(ToyGame(players), ["mcts:100", *["random"] * (players - 1)], games=120, seed=1)
    assert match.entries[0].wins / match.games > 1.35 / players


def test_scripted_rollouts_are_better_than_random_ones():
    match = play_match(registry.game("tesla"), ["mcts:30:rollout=greedy", "mcts:30"], games=16, seed=1)
    assert match.entries[0].wins >= 13


def test_scripted_rollouts_look_at_nothing_that_the_seat_cannot_know():
    game = registry.game("xenon")
    agent = load("mcts:20:rollout=greedy:horizon=6", game)
    for number, state in enumerate(walk(game, 4, 60)):
        if number % 6 == 0:
            action = agent.act(state, np.random.default_rng(number))
            other = state.determinize(state.current_player(), number)
            assert agent.act(other, np.random.default_rng(number)) == action


def test_more_simulations_are_better():
    match = play_match(ToyGame(2), ["mcts:300", "mcts:3"], games=150, seed=2)
    assert match.entries[0].interval()[0] > 0.5


def test_the_compiled_and_the_plain_search_play_the_same():
    def digests(**extra):
        run = subprocess.run(
            [sys.executable, "-c", PLAY],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **extra},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.split()

    compiled = digests()
    assert len(set(compiled)) == 9
    assert digests(NUMBA_DISABLE_JIT="1") == compiled


def valued(game, position, done=False):
    """What ``evaluate`` says about a position."""
    kernels = compile_over(type(game).kernels, [mcts.evaluate], {"odds": mcts.odds})
    states = game.state_from_dict(position).states
    states["done"] = done
    values = np.zeros(game.num_players)
    kernels.evaluate(states, game.tables, np.zeros((game.parties, game.standing_keys), np.int64), values)
    return values.tolist()


def test_a_running_game_is_valued_by_its_scores():
    position = {"pile": 9, "taken": [3, 8, 3], "card": [0, 5, 0]}  # scores 3, 13, 3; margin_scale 10
    e = np.exp(1.0)
    win = [(3 * share - 1) / 2 for share in (1 / (2 + e), e / (2 + e), 1 / (2 + e))]
    assert valued(ToyGame(3), position) == pytest.approx(win)
    behind = 1 - (e / (1 + e) + 0.5)  # two others stand before it with these chances
    assert valued(ToyGame(3, reward="rank"), position) == pytest.approx([behind, 1 - 2 / (1 + e), behind])
    assert valued(ToyGame(3, reward="margin"), position) == pytest.approx([-0.5, 1.0, -0.5])


def test_a_finished_game_is_valued_by_its_returns():
    position = {"pile": 0, "taken": [3, 8, 3], "card": [0, 5, 0]}
    assert valued(ToyGame(3), position, done=True) == [-0.5, 1.0, -0.5]
    assert valued(ToyGame(3, reward="rank"), position, done=True) == [-0.5, 1.0, -0.5]


def test_a_lone_legal_action_is_taken_without_a_search():
    game = ToyGame(2, skip_forced=False)
    state = game.state_from_dict({"pile": 1, "taken": [0, 0], "card": [0, 1]})
    assert load("mcts:10000000", ToyGame(2)).simulations == 10**7
    assert load("mcts:1", game).act(state, np.random.default_rng(0)) == game.string_to_action("take:1")


def test_its_name_says_how_it_searches():
    game = ToyGame()
    assert load("mcts", game).name == "mcts:200"
    assert load("toy/mcts:17", game).name == "mcts:17"
    agent = load("mcts:50:horizon=9", game)
    assert (agent.name, agent.simulations, agent.guide) == ("mcts:50:horizon=9", 50, (9,))
    assert load("mcts:20:rollout=random", game).guide == load("mcts:20", game).guide


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mcts:0", "'mcts:0': simulations: expected a whole number from 1 to 10000000, got '0'"),
        ("mcts:many", "simulations: .* got 'many'"),
        ("mcts:-5", "simulations: .* got '-5'"),
        ("mcts:50:horizon=", "horizon: .* from 0 to 1000000, got ''"),
        ("mcts:50:depth=3", "may follow horizon=N and rollout=AGENT, once each"),
        ("mcts:50:9", "may follow horizon=N"),
        ("mcts:50:horizon=1:horizon=2", "once each"),
        ("mcts:horizon=3", "simulations: .* got 'horizon=3'"),
        ("mcts:9:rollout=greedy", "rollout: expected random, got 'greedy'"),
        ("mcts:9:rollout=mcts", "rollout: expected random, got 'mcts'"),
    ],
)
def test_bad_settings_are_refused(spec, words):
    with pytest.raises(ValueError, match=words):
        load(spec, ToyGame())
