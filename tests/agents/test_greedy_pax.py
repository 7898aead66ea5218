"""Greedy for Pax Transhumanity: it wins, its games end, and it does not peep."""

import os
import subprocess
import sys

import numpy as np
import pytest

from agents import load
from agents.greedy import pax
from agents.scripted import LONE
from agents.selfplay import play_match
from core import registry

OPTIONS = [
    {"num_players": 2},
    {"num_players": 4},
    {"num_players": 3, "variant": "beginner"},
    {"num_players": 1},
    {"num_players": 1, "solo": "hard"},
]

PLAY = """
import numpy as np
from agents import load
from core import registry

game = registry.game("pax", num_players=3, max_decisions=70)
agents = [load(name, game) for name in ("greedy", "random", "greedy")]
rng = np.random.default_rng(1)
state = game.new_initial_state(seed=8)
outlooks = 0.0
while not state.is_terminal():
    outlooks += agents[0].outlooks(state.states, np.zeros(1, np.int64), game)[0].astype(float)
    state.apply_action(agents[state.current_player()].act(state, rng))
print(state.digest(), outlooks.round(2).tolist())
"""


def wander(game, seed, greed):
    """Positions at which greedy is to move; some random moves lead to those that greedy play alone does not."""
    chance, greedy = np.random.default_rng(seed), load("greedy", game)
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        yield state, greedy
        random = chance.random() > greed
        state.apply_action(int(chance.choice(state.legal_actions())) if random else greedy.act(state, chance))


@pytest.mark.parametrize(
    ("agents", "options"),
    [
        (["greedy", "random"], {"num_players": 2}),
        (["greedy", "random"], {"num_players": 2, "variant": "beginner"}),
        (["greedy", *["random"] * 3], {"num_players": 4}),
    ],
)
def test_greedy_beats_random(agents, options):
    match = play_match(registry.game("pax", **options), agents, games=60, seed=1)
    assert match.entries[0].name == "greedy"
    assert match.entries[0].wins >= 55


@pytest.mark.parametrize("variant", ["standard", "beginner"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_among_greedy_players_end_by_the_rules(players, variant):
    match = play_match(registry.game("pax", num_players=players, variant=variant), ["greedy"], games=40, seed=2)
    assert match.truncated <= 1
    assert match.decisions < 400 * 40


@pytest.mark.parametrize("options", OPTIONS)
def test_every_choice_is_legal(options):
    game = registry.game("pax", skip_forced=False, max_decisions=300, **options)
    for seed in range(8):
        for state, greedy in wander(game, seed, 0.7):
            action = greedy.act(state, np.random.default_rng(0))
            assert action in state.legal_actions(), (state.to_dict(), game.action_to_string(action))


def test_every_phase_is_met():
    phases = set()
    for options in OPTIONS:
        game = registry.game("pax", skip_forced=False, max_decisions=500, **options)
        for seed in range(10):
            phases.update(state.phase for state, _ in wander(game, seed, 0.9))
    assert phases >= {*game.phases} - {"over", "replace"}  # replace takes a fifth company and a rival's ability


@pytest.mark.parametrize("options", OPTIONS)
def test_greedy_does_not_look_at_what_its_seat_cannot_know(options):
    game, chance = registry.game("pax", max_decisions=300, **options), np.random.default_rng(3)
    seen = 0
    for seed in range(3):
        for state, greedy in wander(game, seed, 0.8):
            before = state.to_bytes()
            action = greedy.act(state, chance)
            assert state.to_bytes() == before
            other = state.determinize(state.current_player(), seed=int(chance.integers(2**32)))
            seen += other != state
            assert greedy.act(other, chance) == action
    assert seen > 100


def test_greedy_uses_no_chance():
    game = registry.game("pax")
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


def test_the_outlook_tells_what_each_card_promises():
    """In all, the mover and the other are promised as much by their best cards as by their best plans or victories."""
    game = registry.game("pax", num_players=2)
    greedy, rng = load("greedy", game), np.random.default_rng(1)
    victories = remotes = parties = 0
    for seed in range(12):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            outlook = greedy.advice(state.states, LONE, game)[0, : greedy.insight]
            for party in range(2):
                first = pax.PROMISES + pax.SLOTS * party
                promise = outlook[first : first + pax.SLOTS].max()
                effort, wins, best, second = outlook[pax.PARTY_NUMBERS * party :][:4]
                rate = pax.WIN / max(pax.QUICK, 4 * effort) if wins else 4 * best
                remote = not wins and 4 * best < np.expm1(2 * promise) < 1.05 * pax.WIN / pax.REMOTE
                assert remote or promise == pytest.approx(np.log1p(rate) / 2, abs=0.01)
                assert second <= best
                victories += int(wins)
                remotes += int(remote)
                parties += 1
            empty = state.states["card"][0, : pax.SLOTS] < 0
            assert not outlook[pax.PROMISES :].reshape(2, pax.SLOTS)[:, empty].any()
            state.apply_action(greedy.act(state, rng))
    assert victories > 20 and remotes < parties / 4
