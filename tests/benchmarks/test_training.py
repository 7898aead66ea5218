"""The benchmark of training measures both learners and says where their time goes."""

import json

import pytest
import torch
from rich.console import Console

import tests.toy_game
from benchmarks import training
from benchmarks.training import PARTS, TrainingSpeed
from core import registry
from tests.toy_game import ToyGame

SMALL = {"envs": 8, "rollout": 8, "minibatch": 32, "trunk": (8,), "heads": (8,), "repeats": 2}


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(tests.toy_game, "Game", ToyGame, raising=False)
    monkeypatch.setitem(registry.GAMES, "toy", ("tests.toy_game", 0))


def test_both_learners_are_measured(toy, tmp_path, monkeypatch, capsys):
    torch.set_float32_matmul_precision("highest")
    path = tmp_path / "speed.json"
    options = [part for name, value in SMALL.items() for part in (f"--{name}", str(value).strip("(,)"))]
    monkeypatch.setattr("sys.argv", ["training", "toy", "--json", str(path), *options])
    training.main()
    assert "times as fast" in capsys.readouterr().out
    assert torch.get_float32_matmul_precision() == "highest"
    result = json.loads(path.read_text())
    assert set(result["learners"]) == {"batch", "one-seat"}
    for split in result["learners"].values():
        assert split["steps"] == 8 * 8 * 2 and len(split["rates"]) == 2
        assert set(split["parts"]) == set(PARTS) and min(split["parts"].values()) > 0
        assert sum(split["shares"].values()) == pytest.approx(1.0)
    batch, one_seat = (result["learners"][name]["rates"] for name in ("batch", "one-seat"))
    assert result["ratio"] == pytest.approx(sum(a / b for a, b in zip(batch, one_seat, strict=True)) / 2)


def test_what_it_refuses(toy):
    with pytest.raises(ValueError, match="repeats: expected a whole number of at least 1, got 0"):
        TrainingSpeed("toy", repeats=0).run(Console())
    with pytest.raises(ValueError, match=r"precision: expected one of .*, got 'low'"):
        TrainingSpeed("toy", precision="low").run(Console())
    with pytest.raises(ValueError, match="unknown game"):
        TrainingSpeed("chess").run(Console())
