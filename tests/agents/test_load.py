"""Agents by name."""

import numpy as np
import pytest

from agents import available, load
from core import registry
from tests.toy_game import ToyGame


def test_random_plays_every_game_and_greedy_those_it_was_written_for():
    assert available(ToyGame()) == ["random", "ppo", "mcts", "ppo-mcts"]
    assert available(registry.game("xenon")) == ["random", "greedy", "tuned", "rollout", "ppo", "mcts", "ppo-mcts"]
    assert load("random", ToyGame()).name == "random"
    assert load("xenon/greedy", registry.game("xenon")).name == "greedy"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("greedy", "unknown agent 'greedy'; toy has random"),
        ("", "unknown agent ''; toy has random"),
        ("Random", "toy has random"),
        ("xenon/random", "agent 'xenon/random' is one of xenon, not of toy"),
        ("random:3", "random takes nothing after a colon"),
        ("random:", "random takes nothing after a colon"),
    ],
)
def test_what_is_no_agent_of_the_game_is_refused(spec, words):
    with pytest.raises(ValueError, match=words):
        load(spec, ToyGame())


def test_random_takes_every_legal_action_equally_often_and_repeats_with_its_seed():
    game = ToyGame()
    state, agent = game.new_initial_state(seed=0), load("random", game)
    rng = np.random.default_rng(5)
    taken = [agent.act(state, rng) for _ in range(3000)]
    counts = np.bincount(taken, minlength=3)
    assert counts.sum() == 3000
    assert (abs(counts - 1000) < 150).all()  # nearly six standard deviations
    again = np.random.default_rng(5)
    assert [agent.act(state, again) for _ in range(20)] == taken[:20]
