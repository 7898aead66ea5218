"""The READMEs of the games say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

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
