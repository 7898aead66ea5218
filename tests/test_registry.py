"""Games by name, and the names in PettingZoo and Gymnasium."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

from core import registry
from core.aec import BoardroomAEC
from core.gym_env import BoardroomGymEnv
from tests.suite import CLASSES, RandomAgent

ROOT = Path(__file__).parent.parent
INSTALLED = [name for name in CLASSES if name in registry.GAMES]
every_installed = pytest.mark.parametrize("name", INSTALLED)


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_unknown_games_are_answered_with_the_known_ones() -> None:
    for ask in (registry.game, registry.game_class):
        with pytest.raises(ValueError, match=r"'chess'.*xenon"):
            ask("chess")
    assert registry.games() == list(registry.GAMES)


def test_a_game_needs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", ("tests.toy_game", 0))
    assert "toy" in registry.games()
    monkeypatch.setattr("tests.toy_game.Game", CLASSES["toy"])
    assert registry.game("toy", num_players=3).num_players == 3
    with pytest.raises(ValueError, match="num_players"):
        registry.game("toy", num_players=9)
    assert BoardroomGymEnv("toy", opponents=[RandomAgent()] * 3).game.num_players == 4


def test_nothing_is_imported_before_it_is_needed() -> None:
    loaded = run(
        "import core.registry, sys; print([m for m in ('gymnasium', 'pettingzoo', 'numba') if m in sys.modules])"
    )
    assert loaded == "[]"


@every_installed
def test_importing_a_game_registers_it(name: str) -> None:
    package = registry.GAMES[name][0]
    code = f"""
import sys
import {package}
assert not any(m in sys.modules for m in ("torch", "PIL", "rich", "matplotlib", "agents")), sys.modules.keys()
others = {[p for p, _ in registry.GAMES.values() if p != package]!r}
assert not any(m in sys.modules for m in others)
import gymnasium, pettingzoo
print(pettingzoo.make("aec", "boardroom/{name}-v0", num_players=3).possible_agents)
print(gymnasium.make("boardroom/{name.capitalize()}-v0", num_players=2, opponents=["random"]).reset(seed=1)[1]["seat"])
"""
    lines = run(code).splitlines()
    assert lines[0] == "['player_0', 'player_1', 'player_2']" and lines[1] in "01"


@every_installed
def test_both_libraries_make_it(name: str) -> None:
    registry.register_environments()
    env = pettingzoo.make("aec", f"boardroom/{name}-v0", num_players=3, render_mode="ansi")
    assert isinstance(env, BoardroomAEC) and env.game.num_players == 3 and env.illegal == "terminate"
    assert str(env) == f"{name}_v0"
    seat = gymnasium.make(
        f"boardroom/{name.capitalize()}-v0", opponents=[RandomAgent(), RandomAgent()], max_decisions=50
    )
    assert isinstance(seat.unwrapped, BoardroomGymEnv)
    assert seat.unwrapped.game.num_players == 3 and seat.unwrapped.game.max_decisions == 50
    by_module = gymnasium.make(f"{registry.GAMES[name][0]}:boardroom/{name.capitalize()}-v0", opponents=RandomAgent())
    assert by_module.unwrapped.game.name == name
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("boardroom/Chess-v0")
