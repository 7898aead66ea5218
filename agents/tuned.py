"""The scripted agent with other rules of thumb, which ``agents.tune`` found: ``tuned``, or ``tuned:PATH``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents import PRETRAINED
from agents.scripted import Rules, Scripted, script, tupled
from agents.story import read_story
from core.files import write_json
from core.game import Game
from core.schema import listed

__all__ = ["make", "read", "shipped", "write"]

MOST = 1e9
"""No rule of thumb is greater; ``abs(nan) <= MOST`` is false too."""


def write(path: str | Path, game: Game, rules: Rules, story: Mapping[str, Any]) -> None:
    """Write rules of thumb, and after them how they came about; the file is whole or as before."""
    write_json(path, {"game": game.name, "rules": dict(rules), **story})


def read(path: str | Path, game: Game, own: Rules) -> tuple[Rules, dict[str, Any]]:
    """The rules of thumb in a file, and all that it holds.

    Args:
        path: of the file.
        game: whose script will use them.
        own: the rules that the script has; a file for it has the same names, and as many numbers for each.

    Raises:
        ValueError: the file is missing, or does not hold such rules; the message says what fits.
    """
    story = read_story(Path(path), "rules")
    if not isinstance(story.get("rules"), dict):
        raise ValueError(f"rules {path}: expected an object with the rules under 'rules'")
    if story.get("game") != game.name:
        raise ValueError(f"rules {path}: game is {story.get('game')!r}, expected {game.name!r}")
    found = story["rules"]
    if sorted(found) != sorted(own):
        raise ValueError(f"rules {path}: expected {listed(sorted(own))}; got {listed(sorted(found))}")
    for name, value in own.items():
        if not _alike(found[name], value):
            raise ValueError(f"rules {path}: {name}: expected finite numbers as in {value}, got {found[name]!r}")
    return {name: tupled(found[name]) for name in own}, story


def _alike(found: Any, own: Any) -> bool:
    """Whether both are a finite number, or as many of them."""
    if isinstance(own, tuple):
        return isinstance(found, list) and len(found) == len(own) and all(map(_alike, found, own))
    return type(found) in (int, float) and abs(found) <= MOST


def shipped(game: Game) -> Path:
    """Where the rules of thumb that are shipped for a game would be."""
    return PRETRAINED / f"{game.name}.rules.json"


def make(game: Game, argument: str) -> Scripted:
    """See ``agents.load``; the argument is a file that ``agents.tune`` wrote, or empty for the shipped one.

    Raises:
        ValueError: the game has no script, or no such file; the message says what fits.
    """
    greedy = script("greedy", game)
    path = Path(argument) if argument else shipped(game)
    if not argument and not path.is_file():
        raise ValueError(f"tuned: no rules are shipped for {game.name}; the agent tuned:PATH takes those of a file")
    rules, _ = read(path, game, greedy.rules)
    return greedy.with_rules(f"tuned:{path.stem}" if argument else "tuned", rules)
