"""Greedy for Pax Transhumanity: it wins, its games end, and it does not peep."""

import numpy as np
import pytest

from agents import load
from agents.selfplay import play_match
from core import registry


def test_greedy_beats_random():
    match = play_match(registry.game("pax"), ["greedy", "random"], games=40, seed=1)
    assert match.entries[0].name == "greedy"
    assert match.entries[0].wins >= 32


def test_games_among_greedy_players_end_by_the_rules():
    match = play_match(registry.game("pax"), ["greedy"], games=20, seed=2)
    assert match.truncated <= 1


@pytest.mark.parametrize(
    "options",
    [{}, {"num_players": 4}, {"variant": "beginner"}, {"num_players": 1}, {"num_players": 1, "solo": "hard"}],
)
def test_greedy_is_legal_and_does_not_look_at_what_its_seat_cannot_know(options):
    game = registry.game("pax", max_decisions=200, **options)
    greedy, chance = load("greedy", game), np.random.default_rng(3)
    seen = 0
    state = game.new_initial_state(seed=4)
    while not state.is_terminal():
        before = state.to_bytes()
        action = greedy.act(state, chance)
        assert state.to_bytes() == before
        assert action in state.legal_actions()
        other = state.determinize(state.current_player(), seed=int(chance.integers(2**32)))
        seen += other != state
        assert greedy.act(other, chance) == action
        # some random moves lead to positions that greedy play alone does not
        state.apply_action(action if chance.random() < 0.7 else int(chance.choice(state.legal_actions())))
    assert seen > 20


def test_greedy_uses_no_chance():
    game = registry.game("pax")
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    load("greedy", game).act(game.new_initial_state(seed=0), rng)
    assert rng.bit_generator.state == before
