"""Recorded games."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.game import Game, IllegalActionError
from core.replay import Replay
from tests.suite import Case, RandomAgent, every_case
from tests.toy_game import ToyGame


def recorded(game: Game, seed: int = 5) -> Replay:
    agent, rng = RandomAgent(), np.random.default_rng(seed)
    return Replay.record(game, seed, lambda state: agent.act(state, rng))


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    recorded(ToyGame(3)).save(tmp_path / "good.jsonl")
    return (tmp_path / "good.jsonl").read_text().splitlines()


@every_case
def test_a_replay_is_read_as_it_was_written(case: Case, tmp_path: Path) -> None:
    game = case.game()
    replay = recorded(game)
    replay.save(tmp_path / "game.jsonl")
    loaded = Replay.load(tmp_path / "game.jsonl", game)
    assert loaded == replay
    loaded.verify()
    states = list(loaded.states())
    assert len(states) == len(replay.steps) + 1
    assert states[0].digest() == game.new_initial_state(5).digest()
    assert states[-1].is_terminal() and tuple(states[-1].returns()) == replay.returns
    assert [state.digest() for state in states[1:]] == [digest for _, digest in replay.steps]
    if case.name != "toy":
        by_name = Replay.load(tmp_path / "game.jsonl")
        by_name.verify()
        assert by_name.game.options(by_name.game.blank[0]) == game.options(game.blank[0])
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]


def test_the_file(lines: list[str]) -> None:
    header, step, last = json.loads(lines[0]), json.loads(lines[1]), json.loads(lines[-1])
    assert header["game"] == "toy" and header["num_players"] == 3 and header["seed"] == 5
    assert header["options"] == {"max_decisions": 100, "skip_forced": True, "reward": "win"}
    assert set(step) == {"action", "digest"} and step["action"].startswith("take:")
    assert set(last) == {"returns"} and sum(last["returns"]) == pytest.approx(0)


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (1, lambda line: "{", "line 1: "),
        (1, lambda line: "[]", "line 1: .*expected a dict"),
        (1, lambda line: line.replace("boardroom-replay", "x"), "line 1: format"),
        (1, lambda line: line.replace('"toy"', '"chess"'), "line 1: game: recorded 'chess'"),
        (1, lambda line: line.replace('"version": 0', '"version": 9'), "line 1: version"),
        (1, lambda line: line.replace('"num_players": 3', '"num_players": 2'), "line 1: num_players"),
        (1, lambda line: line.replace('"win"', '"rank"'), "line 1: options"),
        (1, lambda line: line.replace('"components": "', '"components": "0'), "line 1: components"),
        (1, lambda line: line.replace('"seed": 5', '"seed": -5'), "line 1: seed"),
        (1, lambda line: line.replace('"seed": 5', '"seed": "5"'), "line 1: seed"),
        (1, lambda line: line[:-1] + ', "more": 1}', "line 1: more: unknown key"),
        (3, lambda line: line.replace("take", "steal"), "line 3: unknown action 'steal"),
        (3, lambda line: json.dumps({"action": 1, "digest": "00"}), "line 3: unknown action 1"),
        (3, lambda line: json.dumps({"action": "take:1"}), "line 3: digest"),
        (3, lambda line: line[:20], "line 3: "),
        (3, lambda line: "", "line 3: "),
        (3, lambda line: "\udcff", "line 3: "),
        (-1, lambda line: json.dumps({"returns": [0, 0]}), "returns: expected 3"),
        (-1, lambda line: json.dumps({"returns": ["0", 0, 0]}), "returns: expected 3"),
        (-1, lambda line: json.dumps({"returns": 3}), "returns: expected a list"),
        (-1, lambda line: json.dumps({"action": "take:1", "digest": "00"}), "returns: expected 3"),
    ],
)
def test_broken_files_are_named_with_the_line(lines: list[str], tmp_path: Path, number, change, message) -> None:
    place = number - 1 if number > 0 else -1
    lines[place] = change(lines[place])
    file = tmp_path / "bad.jsonl"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=rf"bad\.jsonl, .*{message}"):
        Replay.load(file, ToyGame(3))


def test_files_cut_short(lines: list[str], tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    for kept in range(len(lines)):
        file.write_text("\n".join(lines[:kept]))
        with pytest.raises(ValueError, match=r"bad\.jsonl"):
            Replay.load(file, ToyGame(3))
    file.write_text("\n".join(lines))
    with pytest.raises(ValueError, match=r"line 1: unknown game 'toy'; there are "):
        Replay.load(file)
    with pytest.raises(OSError, match=r"nowhere\.jsonl"):
        Replay.load(tmp_path / "nowhere.jsonl", ToyGame(3))


def test_verify_names_the_first_step_that_differs() -> None:
    game = ToyGame(3)
    good = recorded(game)
    good.verify()

    def changed(number: int, action: str | None = None, digest: str | None = None) -> Replay:
        steps = list(good.steps)
        was = steps[number - 1]
        steps[number - 1] = (action or was[0], digest or was[1])
        return Replay(game, good.seed, good.start, tuple(steps), good.returns)

    with pytest.raises(ValueError, match=r"^step 4 .*recorded 0123, replayed "):
        changed(4, digest="0123").verify()
    other = next(f"take:{k}" for k in (1, 2, 3) if good.steps[1][0] != f"take:{k}")
    with pytest.raises(ValueError, match=r"^step 2 "):
        changed(2, action=other).verify()
    with pytest.raises(ValueError, match=r"^the deal"):
        Replay(game, good.seed + 1, good.start, good.steps, good.returns).verify()
    with pytest.raises(ValueError, match=r"^the returns"):
        Replay(game, good.seed, good.start, good.steps, (0.0, 0.0, 0.0)).verify()
    with pytest.raises(ValueError, match=f"^step {len(good.steps) + 1}: .*the game is over"):
        Replay(game, good.seed, good.start, (*good.steps, ("take:1", "")), good.returns).verify()


def test_recording_refuses_illegal_choices() -> None:
    with pytest.raises(IllegalActionError):
        Replay.record(ToyGame(2), 1, lambda state: 99)


def test_choices_may_be_names() -> None:
    replay = Replay.record(ToyGame(2), 1, lambda state: "take:1")
    assert {action for action, _ in replay.steps} == {"take:1"}


def test_states_of_a_replay_are_independent() -> None:
    states = recorded(ToyGame(2)).states()
    first = next(states)
    first.apply_action("take:1")
    assert len(list(states)) > 3


def test_a_replay_that_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    replay = recorded(ToyGame(2))
    replay.save(tmp_path / "sub" / "game.jsonl")
    with pytest.raises(ValueError, match="cannot write"):
        replay.save(tmp_path / "sub")
    with pytest.raises(ValueError, match="cannot write"):
        replay.save(tmp_path / "sub" / "game.jsonl" / "deeper.jsonl")
    Replay.load(tmp_path / "sub" / "game.jsonl", ToyGame(2)).verify()
