"""The READMEs of the games say what the code says."""

from __future__ import annotations

import importlib
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import tyro

from core import registry
from tests.suite import Case, every_game

ROOT = Path(__file__).parent.parent


def readme(name: str) -> str:
    return (ROOT / registry.GAMES[name][0] / "README.md").read_text(encoding="utf-8")


@every_game
def test_tables_of_actions_and_features(case: Case) -> None:
    if case.name not in registry.GAMES:
        return
    game, text = case.game(), readme(case.name)
    assert game.action_layout.markdown() in text
    assert game.observation_layout.markdown() in text
    assert f"float32[{game.observation_size}]" in text


@every_game
def test_every_ruling_that_the_code_cites_is_in_the_readme(case: Case) -> None:
    if case.name not in registry.GAMES:
        return
    text = readme(case.name)
    folder = ROOT / registry.GAMES[case.name][0]
    code = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    cited = set(re.findall(r"\b[XTP]-\d+\b", code))
    assert cited, "the code cites rulings"
    listed = set(re.findall(r"^\| ([XTP]-\d+) \|", text, re.MULTILINE))
    assert cited <= listed, f"not in the README: {sorted(cited - listed)}"


COMMANDS = sorted(
    {
        (match[1], match[2])
        for file in (ROOT / "README.md", *(ROOT / package / "README.md" for package, _ in registry.GAMES.values()))
        for match in re.finditer(r"python -m ((?:agents|benchmarks)\.\w+)([^`\n]*)", file.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize(("module", "arguments"), COMMANDS, ids=[" ".join(command) for command in COMMANDS])
def test_each_command_of_the_readmes_has_such_options(module: str, arguments: str, monkeypatch: Any) -> None:
    read = tyro.cli

    def only_read(*args: Any, **options: Any) -> None:
        read(*args, **options)
        raise EOFError

    monkeypatch.setattr(tyro, "cli", only_read)
    monkeypatch.setattr(sys, "argv", [module, *shlex.split(arguments, comments=True)])
    with pytest.raises(EOFError):
        importlib.import_module(module).main()


def test_there_are_commands_in_the_readme() -> None:
    assert {"agents.train", "agents.arena", "agents.play"} <= {module for module, _ in COMMANDS}
