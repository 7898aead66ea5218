"""Greedy for Xenon: it wins, it plays by the rules, and it does not peep."""

import os
import subprocess
import sys

import numpy as np
import pytest

from agents import load
from agents.selfplay import play_match
from core import registry

PLAY = """
import hashlib, sys
import numpy as np
from agents import load
from core import registry

game = registry.game("xenon", num_players=3, max_decisions=60)
agents = [load(name, game) for name in ("greedy", "random", "greedy")]
rng = np.random.default_rng(1)
state = game.new_initial_state(seed=8)
while not state.is_terminal():
    state.apply_action(agents[state.current_player()].act(state, rng))
print(state.digest())
"""


@pytest.mark.parametrize(("agents", "players"), [(["greedy", "random"], 2), (["greedy", *["random"] * 4], 5)])
def test_greedy_beats_random(agents, players):
    match = play_match(registry.game("xenon", num_players=players), agents, games=100, seed=1)
    assert match.entries[0].name == "greedy"
    assert match.entries[0].wins >= 90


@pytest.mark.parametrize("options", [{}, {"element_supply": dict.fromkeys(("N", "O", "Kr", "Xe"), 10)}])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_among_greedy_players_end_by_the_rules(players, options):
    match = play_match(registry.game("xenon", num_players=players, **options), ["greedy"], games=20, seed=2)
    assert match.truncated == 0


@pytest.mark.parametrize("players", [2, 4])
def test_greedy_does_not_look_at_what_its_seat_cannot_know(players):
    game = registry.game("xenon", num_players=players)
    greedy, chance = load("greedy", game), np.random.default_rng(3)
    seen = 0
    for seed in range(3):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            before = state.to_bytes()
            action = greedy.act(state, chance)
            assert state.to_bytes() == before
            other = state.determinize(state.current_player(), seed=int(chance.integers(2**32)))
            seen += other != state
            assert greedy.act(other, chance) == action
            # some random moves lead to positions that greedy play alone does not
            state.apply_action(action if chance.random() < 0.7 else int(chance.choice(state.legal_actions())))
    assert seen > 100


def test_greedy_uses_no_chance():
    game = registry.game("xenon")
    state, greedy = game.new_initial_state(seed=0), load("greedy", game)
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    greedy.act(state, rng)
    assert rng.bit_generator.state == before


def test_the_compiled_and_the_plain_agent_play_the_same():
    def digest(**extra):
        run = subprocess.run(
            [sys.executable, "-c", PLAY],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **extra},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert digest(NUMBA_DISABLE_JIT="1") == digest()
