"""Recorded games are still played alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.replay import Replay
from tests.golden import RECORDED, REPLAYS


def test_every_recording_is_known() -> None:
    assert {path.stem for path in REPLAYS.glob("*.jsonl")} == set(RECORDED)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_is_played_alike(name: str) -> None:
    replay, recorded = Replay.load(REPLAYS / f"{name}.jsonl"), RECORDED[name]
    game = recorded.new_game()
    assert replay.seed == recorded.seed and replay.game.blank.tobytes() == game.blank.tobytes()
    for number, state in enumerate(replay.states()):
        if number % 10 == 0 or state.is_terminal():
            game.check_invariants(state)
    assert state.is_terminal() and number == len(replay.steps)
    assert state.is_truncated() == recorded.cut
    assert list(replay.returns) == state.returns()
    assert any(replay.returns) or recorded.cut
    assert sum(replay.returns) == pytest.approx(0) or game.num_players == 1


@pytest.mark.parametrize("name", ["xenon_2_greedy", "tesla_2_greedy", "pax_2_greedy"])
def test_a_recorded_game_notices_another_rule(name: str, tmp_path: Path) -> None:
    text = (REPLAYS / f"{name}.jsonl").read_text().splitlines()
    step = json.loads(text[5])
    text[5] = json.dumps(step | {"digest": "0" * 16})
    path = tmp_path / "other.jsonl"
    path.write_text("\n".join(text))
    with pytest.raises(ValueError, match="step 5"):
        Replay.load(path).verify()
