"""Recorded games: one JSON line of settings, one a decision, one with the result.

Each line of a decision holds the action's name and the digest of the record that it led to, so a replay does not only
show a game: it proves that the rules still play it in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core import registry
from core.files import write_text
from core.game import Game, IllegalActionError, State
from core.schema import Fields

__all__ = ["Replay"]

FORMAT = "boardroom-replay-1"


@dataclass(frozen=True)
class Replay:
    """A game as it was played.

    Attributes:
        game: the game, with the options it was played with.
        seed: what it was dealt from.
        start: digest of the first position.
        steps: (action's name, digest of the position after it) of each decision.
        returns: the return of each seat; zeros if the recording stops before the end.
    """

    game: Game
    seed: int
    start: str
    steps: tuple[tuple[str, str], ...]
    returns: tuple[float, ...]

    @classmethod
    def record(cls, game: Game, seed: int, choose: Callable[[State], int | str]) -> Replay:
        """Play a game to its end.

        Args:
            game: the game played.
            seed: what it is dealt from.
            choose: gives the id or name of a legal action for the player to move.

        Raises:
            IllegalActionError: ``choose`` gave something else.
        """
        state = game.new_initial_state(seed)
        start = state.digest()
        steps = []
        while not state.is_terminal():
            action = game.action_id(choose(state))
            state.apply_action(action)
            steps.append((game.action_to_string(action), state.digest()))
        return cls(game, int(seed), start, tuple(steps), tuple(state.returns()))

    def states(self) -> Iterator[State]:
        """The positions from the first to the last, each an independent state.

        Raises:
            ValueError: the rules play this game in another way; the message names the first step that differs.
        """
        state = self.game.new_initial_state(self.seed)
        self._compare("the deal", state.digest(), self.start)
        yield state.clone()
        for number, (action, digest) in enumerate(self.steps, 1):
            try:
                state.apply_action(action)
            except IllegalActionError as error:
                raise ValueError(f"step {number}: {error}") from error
            self._compare(f"step {number} ({action})", state.digest(), digest)
            yield state.clone()
        self._compare("the returns", tuple(state.returns()), self.returns)

    def verify(self) -> None:
        """Play it again; ValueError names the first step that differs."""
        for _ in self.states():
            pass

    def save(self, path: str | Path) -> None:
        """Write the file; it is there whole or not at all."""
        header = _settings(self.game) | {"seed": self.seed, "digest": self.start}
        steps = [{"action": action, "digest": digest} for action, digest in self.steps]
        lines = [header, *steps, {"returns": list(self.returns)}]
        write_text(path, "".join(json.dumps(line) + "\n" for line in lines))

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> Replay:
        """Read a file that ``save`` wrote.

        Args:
            path: the file.
            game: the game it belongs to; by default made by name from ``core.registry``. A game with other components
                than the package's must be given.

        Raises:
            ValueError: the file is broken or belongs to another game; the message names file and line.
            OSError: it cannot be read.
        """
        path = Path(path)
        lines = path.read_bytes().splitlines()
        if len(lines) < 2:
            raise ValueError(f"{path}: {len(lines)} lines; a replay has a header and a line with the returns")
        with _line(path, lines, 0) as header:
            game = _checked_game(header, game)
            seed = header.integer("seed", None)
            start = _digest(header)
        steps = []
        for number in range(1, len(lines) - 1):
            with _line(path, lines, number) as step:
                action = step.raw("action")
                game.string_to_action(action)
                steps.append((action, _digest(step)))
        with _line(path, lines, len(lines) - 1) as last:
            returns = last.items("returns", exactly=game.num_players)
            if len(returns) != game.num_players or not all(type(value) in (int, float) for value in returns):
                raise last.error("returns", f"expected {game.num_players} numbers, got {returns!r}")
        return cls(game, seed, start, tuple(steps), tuple(map(float, returns)))

    def _compare(self, what: str, now: Any, then: Any) -> None:
        if now != then:
            raise ValueError(f"{what}: recorded {then}, replayed {now}")


@contextmanager
def _line(path: Path, lines: list[bytes], number: int) -> Iterator[Fields]:
    """A line's dict, all of it read within the block; errors name file and line."""
    try:
        with Fields(json.loads(lines[number])) as fields:
            yield fields
    except ValueError as error:
        raise ValueError(f"{path}, line {number + 1}: {error}") from error


def _settings(game: Game) -> dict[str, Any]:
    """What must agree between the game recorded and the game replayed."""
    return {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "num_players": game.num_players,
        "options": game.options(game.blank[0]) | {"skip_forced": game.skip_forced, "reward": game.reward},
        "components": game.components_digest(),
    }


def _checked_game(header: Fields, game: Game | None) -> Game:
    if header.raw("format") != FORMAT:
        raise header.error("format", f"expected {FORMAT!r}, got {header.raw('format')!r}")
    if game is None:
        name, options = header.raw("game"), header.raw("options")
        if not isinstance(options, dict):
            raise header.error("options", f"expected a dict, got {options!r}")
        try:
            game = registry.game(name, num_players=header.raw("num_players"), **options)
        except TypeError as error:
            raise header.error("options", str(error)) from error
    for key, value in _settings(game).items():
        if header.raw(key) != value:
            raise header.error(key, f"recorded {header.raw(key)!r}, the game has {value!r}")
    return game


def _digest(fields: Fields) -> str:
    value = fields.raw("digest")
    if not isinstance(value, str):
        raise fields.error("digest", f"expected a hash, got {value!r}")
    return value
