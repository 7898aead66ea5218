"""The start-up benchmark, with the toy game."""

import io
import json
import sys

import pytest
from rich.console import Console

from benchmarks import compile_time
from core import registry
from tests.toy_game import ToyGame

REGISTER = """
from core import registry
from tests.toy_game import ToyGame
registry.game = lambda name, **options: ToyGame(**options)
"""


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(registry, "game", lambda name, **options: ToyGame(**options))
    monkeypatch.setattr(compile_time, "START", REGISTER + compile_time.START)


def test_a_cold_start_compiles_and_a_warm_one_loads(toy, monkeypatch, capsys, tmp_path):
    path = tmp_path / "start.json"
    monkeypatch.setattr(sys, "argv", ["compile_time", "toy", "--repeats", "1", "--json", str(path)])
    compile_time.main()
    printed = capsys.readouterr().out
    assert "toy" in printed and "cold" in printed and "warm" in printed
    (result,) = json.loads(path.read_text())["results"]
    for cache in ("cold", "warm"):
        first, everything = result[cache]["first step"], result[cache]["everything"]
        assert 0 < first["cpu_seconds"] < everything["cpu_seconds"]
    assert result["cold"]["everything"]["cpu_seconds"] > 2 * result["warm"]["everything"]["cpu_seconds"]
    assert result["targets"] == {"cold": {"everything": 30.0}, "warm": {"first step": 1.5}}


def test_a_start_that_fails_says_why(monkeypatch, tmp_path):
    monkeypatch.setattr(compile_time, "START", "raise SystemExit('no such luck')")
    with pytest.raises(RuntimeError, match="toy did not start:\nno such luck"):
        compile_time.start("toy", tmp_path)


def test_no_repeats_are_refused(toy):
    with pytest.raises(ValueError, match="repeats"):
        compile_time.CompileTime(games=("toy",), repeats=0).run(Console(file=io.StringIO()))


def test_an_unknown_game_ends_the_command_with_a_message(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["compile_time", "chess"])
    with pytest.raises(SystemExit, match="chess"):
        compile_time.main()
