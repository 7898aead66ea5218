"""Greedy for Tesla vs. Edison: it wins, it plays by the rules, and it does not peep."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from agents import load
from agents.selfplay import play_match
from core import registry
from tesla_env.components import DATA

PLAY = """
import numpy as np
from agents import load
from core import registry

game = registry.game("tesla", num_players=3, max_decisions=70)
agents = [load(name, game) for name in ("greedy", "random", "greedy")]
rng = np.random.default_rng(1)
state = game.new_initial_state(seed=8)
while not state.is_terminal():
    state.apply_action(agents[state.current_player()].act(state, rng))
print(state.digest())
"""


def wander(game, seed, greed):
    """Positions at which greedy is to move; some random moves lead to those that greedy play alone does not."""
    chance, greedy = np.random.default_rng(seed), load("greedy", game)
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        yield state, greedy
        random = chance.random() > greed
        state.apply_action(int(chance.choice(state.legal_actions())) if random else greedy.act(state, chance))


@pytest.mark.parametrize(("agents", "players"), [(["greedy", "random"], 2), (["greedy", *["random"] * 4], 5)])
def test_greedy_beats_random(agents, players):
    match = play_match(registry.game("tesla", num_players=players), agents, games=100, seed=1)
    assert match.entries[0].name == "greedy"
    assert match.entries[0].wins >= 95


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_among_greedy_players_end_by_the_rules(players):
    match = play_match(registry.game("tesla", num_players=players), ["greedy"], games=20, seed=2)
    assert match.truncated == 0
    assert match.entries[0].mean_score > 400


@pytest.mark.parametrize("greed", [0.0, 0.7])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_choice_is_legal(players, greed):
    game = registry.game("tesla", num_players=players, skip_forced=False)
    phases = set()
    for seed in range(20):
        for state, greedy in wander(game, seed, greed):
            action = greedy.act(state, np.random.default_rng(0))
            assert action in state.legal_actions(), (state.to_dict(), game.action_to_string(action))
            phases.add(state.phase)
    assert phases == {*game.phases} - {"over"}


def test_other_components_are_played_by_their_own_values(tmp_path):
    data = json.loads(DATA.read_text(encoding="utf-8"))
    for company in data["companies"]:
        company["ability"] = {"enterprising": "worldly", "worldly": "enterprising"}.get(
            company["ability"], company["ability"]
        )
    data["edges"].append({"a": "niagara", "b": "albany", "provenance": "reconstructed"})
    data["fame"]["spots"] = 9
    for city in data["cities"]:
        for project in city["projects"]:
            project["stock_x2"] = not project["stock_x2"]
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    for players in (2, 4):
        game = registry.game("tesla", num_players=players, components=path)
        for seed in range(10):
            for state, greedy in wander(game, seed, 0.8):
                assert greedy.act(state, np.random.default_rng(0)) in state.legal_actions()


@pytest.mark.parametrize("players", [2, 4])
def test_greedy_does_not_look_at_draws_to_come(players):
    game, chance = registry.game("tesla", num_players=players), np.random.default_rng(3)
    pools = 0
    for seed in range(3):
        for state, greedy in wander(game, seed, 0.7):
            before = state.to_bytes()
            action = greedy.act(state, chance)
            assert state.to_bytes() == before
            assert greedy.act(state.determinize(state.current_player(), seed=seed), chance) == action
            other = state.to_dict()
            for name, deck in (("luminary_pool", "luminary_deck"), ("propaganda_pool", "propaganda_deck")):
                sizes = game.tables[0][deck][players]
                for phase, pool in other[name].items():
                    kept = chance.permutation(list(pool))[: sizes[int(phase)]] if pool else []
                    pools += len(kept) < len(pool)
                    other[name][phase] = dict.fromkeys(map(str, kept), 1)
            assert greedy.act(game.state_from_dict(other, seed=seed), chance) == action
    assert pools > 100


def test_greedy_uses_no_chance():
    game = registry.game("tesla")
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
