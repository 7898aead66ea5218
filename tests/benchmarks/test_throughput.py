"""The throughput benchmark, with the toy game and next to no time."""

import io
import json
import sys

import pytest
from rich.console import Console

from benchmarks import throughput
from benchmarks.throughput import Row, Throughput, measure_game
from core import registry
from tests.toy_game import ToyGame


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(registry, "game", lambda name, **options: ToyGame(**options))


def test_every_way_to_play_is_measured_beside_its_floor():
    heard = []
    rows = measure_game(ToyGame(2), seconds=0.02, repeats=2, watch=lambda: heard.append(1))
    assert len(heard) == 2
    ways = {(row.measure, row.batch) for row in rows}
    assert ways == {
        *(("random play", batch) for batch in (64, 256, 1024, 4096)),
        *(("vector step", batch) for batch in (1, 64, 1024, 4096)),
        *((way, 1) for way in ("State API", "raw_env", "env")),
        ("copies of a state", 1024),
        ("slowest random play", 0),
    }
    for row in rows:
        assert row.rate > 0
        if row.floor_rate is not None:
            assert row.floor and row.floor_rate > 0 and row.value > 0
    wanted = {(row.measure, row.batch): row.target for row in rows if row.target is not None}
    assert wanted[("vector step", 1024)] == 0.3
    assert wanted[("random play", 64)] == 0.5
    assert wanted[("raw_env", 1)] == 0.4
    assert wanted[("env", 1)] == 4.0
    assert wanted[("copies of a state", 1024)] == 1e6
    assert wanted[("slowest random play", 0)] == 0.7
    assert ("vector step", 64) not in wanted


def test_the_target_for_random_play_is_for_two_players():
    rows = measure_game(ToyGame(3), seconds=0.01, repeats=1)
    assert {row.target for row in rows if row.measure == "random play"} == {None}


def test_a_target_is_met_or_missed():
    assert Row("x", 1, 5.0, "f", 10.0, 0.5, 0.5).met is True
    assert Row("x", 1, 4.9, "f", 10.0, 0.49, 0.5).met is False
    assert Row("x", 1, 5.0).met is None


def test_the_command_prints_tables_and_writes_json(toy, monkeypatch, capsys, tmp_path):
    path = tmp_path / "throughput.json"
    arguments = [
        "toy",
        "--players",
        "2",
        "3",
        "--seconds",
        "0.01",
        "--repeats",
        "1",
        "--seed",
        "5",
        "--json",
        str(path),
    ]
    monkeypatch.setattr(sys, "argv", ["throughput", *arguments])
    throughput.main()
    printed = capsys.readouterr().out
    for words in ("Countdown, 2 players", "Countdown, 3 players", "random play", "vector step", "88 bytes"):
        assert words in printed
    report = json.loads(path.read_text())
    assert report["settings"] == {"seconds": 0.01, "repeats": 1, "seed": 5}
    assert [(r["game"], r["num_players"]) for r in report["results"]] == [("toy", 2), ("toy", 3)]
    for result in report["results"]:
        assert result["record_bytes"] == ToyGame.dtype.itemsize
        assert all(row["rate"] > 0 for row in result["rows"])
    assert {"cpu", "cores", "python", "versions", "date", "command"} <= set(report["machine"])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seconds": 0.0}, "seconds"),
        ({"repeats": 0}, "repeats"),
        ({"seed": -1}, "seed"),
        ({"players": (9,)}, "num_players"),
    ],
)
def test_what_cannot_be_measured_is_refused(toy, settings, words):
    with pytest.raises(ValueError, match=words):
        Throughput(games=("toy",), **settings).run(Console(file=io.StringIO()))


def test_an_unknown_game_ends_the_command_with_a_message(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["throughput", "chess"])
    with pytest.raises(SystemExit, match="chess"):
        throughput.main()


@pytest.mark.parametrize(("value", "text"), [(4.234e6, "4.23 M"), (270088, "270 k"), (0.5, "0.5"), (1e6, "1 M")])
def test_numbers_have_three_digits(value, text):
    assert throughput._number(value) == text
