"""Rules of thumb in a file, and the strategy that evolves them."""

import json
import subprocess
import sys
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from agents import load
from agents.scripted import LONE
from agents.tables import win_rate
from agents.tune import Tuning, flat, folded, steps
from agents.tuned import read, write
from core import registry
from tests.suite import walk


@pytest.fixture
def console():
    return Console(file=StringIO(), width=110)


@pytest.mark.parametrize("name", ["xenon", "tesla", "pax"])
def test_rules_are_numbers_in_a_row_and_back(name):
    rules = load("greedy", registry.game(name)).rules
    again = folded(flat(rules), rules)
    assert list(again) == list(rules)
    for key, value in rules.items():
        np.testing.assert_array_equal(again[key], value)
    assert len(steps(rules)) == len(flat(rules)) and (steps(rules) > 0).all()


@pytest.mark.parametrize("name", ["xenon", "tesla", "pax"])
def test_rules_from_a_file_play_as_the_script_and_others_otherwise(tmp_path, name):
    game = registry.game(name, num_players=2)
    greedy = load("greedy", game)
    write(tmp_path / "same.json", game, greedy.rules, {})
    write(tmp_path / "other.json", game, folded(-flat(greedy.rules), greedy.rules), {})
    same, other = (load(f"tuned:{tmp_path / word}.json", game) for word in ("same", "other"))
    assert same.name == "tuned:same" and same.weights == greedy.weights != other.weights
    rng, differ = np.random.default_rng(0), 0
    for state in walk(game, 1, 80):
        action = greedy.act(state, rng)
        assert same.act(state, rng) == action
        changed = other.act(state, rng)
        assert changed in state.legal_actions()
        differ += changed != action
    assert differ > 0


@pytest.mark.parametrize("name", ["xenon", "pax"])
def test_advice_is_the_action_and_what_the_others_are_worth(name):
    game = registry.game(name, num_players=3)
    greedy, rng, weighed = load("greedy", game), np.random.default_rng(0), 0
    for state in walk(game, 2, 80):
        advice = greedy.advice(state.states, LONE, game)
        assert advice.shape == (1, greedy.insight + game.num_actions + 1) and advice.dtype == np.float32
        action = int(advice[0, -1])
        assert action == greedy.act(state, rng)
        legal, worths = state.legal_actions(), advice[0, greedy.insight : -1]
        if len(legal) > 1 and name == "xenon":
            assert worths[action] == worths[legal].max() and not np.delete(worths, legal).any()
        weighed += bool(worths.any())
        assert advice[0, : greedy.insight].any()
    assert weighed > 10


def test_evolution_finds_rules_that_win_and_goes_on_from_its_file(console, tmp_path):
    """It begins with rules that shun money, and win one game in five."""
    game = registry.game("xenon", num_players=2)
    greedy = load("greedy", game)
    poor = {**greedy.rules, "money": -greedy.rules["money"]}
    write(tmp_path / "poor.json", game, poor, {"commands": ["by hand"]})
    before = win_rate(game, load(f"tuned:{tmp_path / 'poor.json'}", game), greedy, 400, seed=10**6)
    out = tmp_path / "rules.json"
    small = {"population": 8, "games": 60, "players": (2,), "evaluation_games": 400, "step": 0.5}
    Tuning("xenon", out, init=tmp_path / "poor.json", generations=8, **small).run(console)
    after = win_rate(game, load(f"tuned:{out}", game), greedy, 400, seed=10**6)
    assert after > before + 0.1
    story = json.loads(out.read_text())
    assert len(story["curve"]) == 8 and len(story["commands"]) == 2 and story["result_games"] == 400
    assert abs(story["results"]["2 players"]["greedy"] - after) < 0.1
    measured = Tuning("xenon", tmp_path / "again.json", init=out, generations=0, **small).run(console)
    assert measured == load(f"tuned:{out}", game).rules == load(f"tuned:{tmp_path / 'again.json'}", game).rules
    assert len(json.loads((tmp_path / "again.json").read_text())["curve"]) == 8
    said = console.file.getvalue()
    assert f"plays as tuned:{out}" in said and "against greedy" in said


def test_the_same_seed_finds_the_same_rules(console, tmp_path):
    small = {"population": 4, "games": 10, "players": (2,), "generations": 2, "evaluation_games": 10}
    first, second = (Tuning("xenon", tmp_path / f"{k}.json", **small).run(console) for k in range(2))
    assert first == second != load("greedy", registry.game("xenon")).rules
    assert Tuning("xenon", tmp_path / "other.json", seed=1, **small).run(console) != first


def test_files_that_hold_no_rules_of_the_game_are_refused(tmp_path):
    game = registry.game("xenon")
    rules = dict(load("greedy", game).rules)
    path = tmp_path / "rules.json"
    with pytest.raises(ValueError, match="No such file"):
        read(path, game, rules)
    for text, words in [
        ("{", "this is not JSON"),
        ("[]", "expected an object"),
        (json.dumps({"game": "pax", "rules": {}}), "game is 'pax', expected 'xenon'"),
        (json.dumps({"game": "xenon", "rules": {"money": 1}}), "expected ability, .*; got money"),
        (
            json.dumps({"game": "xenon", "rules": rules | {"money": [1, 2]}}),
            "money: expected finite numbers as in 0.25",
        ),
        (json.dumps({"game": "xenon", "rules": rules | {"money": "1.5"}}), "got '1.5'"),
        (json.dumps({"game": "xenon", "rules": rules | {"money": True}}), "got True"),
        (json.dumps({"game": "xenon", "rules": rules | {"money": 10**400}}), "got 1000"),
        (json.dumps({"game": "xenon", "rules": rules | {"token": [0.1, 0.1, 0.5]}}), "token: expected finite"),
        (json.dumps({"game": "xenon", "rules": rules | {"money": float("nan")}}), "got nan"),
    ]:
        path.write_text(text)
        with pytest.raises(ValueError, match=words):
            read(path, game, rules)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"population": 3}, "population: expected a whole number of at least 4, got 3"),
        ({"generations": -1}, "generations: expected a whole number of at least 0, got -1"),
        ({"games": 0}, "games: expected"),
        ({"step": 0.0}, "step: expected a number above 0"),
        ({"out": "rules.txt"}, r"expected a file that ends in \.json"),
        ({"players": (1,)}, "players: expected numbers from 2 to 5, got 1"),
        ({"seed": -1}, "seed: expected"),
        ({"game": "chess"}, "chess"),
        ({"opponent": "nobody"}, "unknown agent 'nobody'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(console, tmp_path, changes, words):
    settings = {"game": "xenon", "out": tmp_path / "rules.json"} | changes
    settings["out"] = tmp_path / settings["out"]
    with pytest.raises(ValueError, match=words):
        Tuning(**settings).run(console)
    assert not list(tmp_path.iterdir())


def test_the_shipped_rules_win_more_than_those_of_the_script():
    for name, least in (("xenon", 0.52), ("pax", 0.5)):
        game = registry.game(name, num_players=2)
        assert win_rate(game, load("tuned", game), load("greedy", game), 1000, seed=10**6) > least
    with pytest.raises(ValueError, match="no rules are shipped for tesla; the agent tuned:PATH"):
        load("tuned", registry.game("tesla"))


def test_rules_of_another_script_are_refused():
    xenon, pax = (load("greedy", registry.game(name)) for name in ("xenon", "pax"))
    with pytest.raises(ValueError, match="rules: expected the names and shapes of"):
        xenon.with_rules("other", pax.rules)
    turned = xenon.with_rules("turned", dict(reversed(list(xenon.rules.items()))))
    assert list(turned.rules) == list(xenon.rules) and turned.weights == xenon.weights


def test_tuned_needs_no_more_than_greedy_does():
    program = (
        "import sys; sys.modules['safetensors'] = sys.modules['torch'] = sys.modules['cma'] = None\n"
        "from agents import load; from core import registry; print(load('tuned', registry.game('pax')).name)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "tuned"
