"""Play against agents in the terminal.

    python -m agents.play GAME                                  against greedy, if the game has it
    python -m agents.play GAME --opponents greedy mcts:200      against two, in the first seat
    python -m agents.play GAME --resume PATH                    a game that was left

An action is its number in the list, its name, or the beginning of one name alone. ``help`` lists the commands.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from agents import Agent, available, load
from agents.games import check_count
from core import registry, render
from core.files import write_json
from core.game import Game
from core.schema import Fields, listed

__all__ = ["Play", "Session", "Terminal"]

FORMAT = "boardroom-play-1"
HELP = """\
NUMBER or NAME   take that action; the beginning of a name is enough if it is the only one
hint [AGENT]     what an agent would do, as: hint mcts:1000
undo             back to your decision before
save [PATH]      keep the game
board            show it again
quit             leave; the game is kept"""


class Session:
    """A game between a person and agents, which can be undone and kept.

    Args:
        game: what is played.
        seat: of the person.
        opponents: the agents of the other seats from the first on; fewer come round again.
        seed: of the deal and of the agents' choices.

    Attributes:
        state: the position.
        moves: seat and action of each decision so far.

    Raises:
        ValueError: no such seat or agent, or more opponents than seats for them.
    """

    def __init__(self, game: Game, seat: int, opponents: Sequence[str], seed: int) -> None:
        if not 0 <= seat < game.num_players:
            raise ValueError(f"seat: expected 0 to {game.num_players - 1}, got {seat}")
        if len(opponents) > game.num_players - 1:
            raise ValueError(f"opponents: {len(opponents)} are more than the {game.num_players - 1} other seats")
        if not opponents and game.num_players > 1:
            raise ValueError("opponents: name at least one")
        check_count("seed", seed, 0)
        self.game, self.seat, self.opponents, self.seed = game, seat, tuple(opponents), seed
        others = [other for other in range(game.num_players) if other != seat]
        self.agents = {other: load(opponents[k % len(opponents)], game) for k, other in enumerate(others)}
        self._advisers: dict[str, Agent] = {}
        self._play([])

    def _play(self, actions: Sequence[str]) -> None:
        """From the deal on with these actions."""
        self.state = self.game.new_initial_state(self.seed)
        self.moves: list[tuple[int, str]] = []
        for seat, agent in self.agents.items():
            agent.reset(seat)
        for action in actions:
            self.take(action)

    def take(self, action: int | str) -> None:
        """Carry out an action of the player to move; IllegalActionError leaves all as it was."""
        number, mover = self.game.action_id(action), self.state.current_player()
        self.state.apply_action(number)
        self.moves.append((mover, self.game.action_to_string(number)))

    def go_on(self) -> None:
        """Let the agents play until it is the person's turn or the game is over."""
        while self.state.current_player() in self.agents:
            self.take(self.agents[self.state.current_player()].act(self.state, self._chance()))

    def since(self) -> list[tuple[int, list[str]]]:
        """What the others have done since the person's last decision: seat and actions, turn by turn."""
        last = list(takewhile(lambda move: move[0] != self.seat, reversed(self.moves)))[::-1]
        return [(seat, [name for _, name in moves]) for seat, moves in groupby(last, key=lambda move: move[0])]

    def undo(self) -> bool:
        """Back to the person's last decision; False if there was none."""
        own = [k for k, (seat, _) in enumerate(self.moves) if seat == self.seat]
        if own:
            self._play([name for _, name in self.moves[: own[-1]]])
        return bool(own)

    def hint(self, spec: str) -> str:
        """The action that an agent would take for the person; ValueError if there is no such agent."""
        if spec not in self._advisers:
            self._advisers[spec] = load(spec, self.game)
            self._advisers[spec].reset(self.seat)
        return self.game.action_to_string(self._advisers[spec].act(self.state, self._chance()))

    def meant(self, text: str) -> str:
        """The legal action that a person's words mean: its number from 1 on, its name, or how that alone begins.

        Raises:
            ValueError: none, or more than one; the message says which.
        """
        names = [self.game.action_to_string(action) for action in self.state.legal_actions()]
        if text.isdecimal():
            if 1 <= int(text) <= len(names):
                return names[int(text) - 1]
            raise ValueError(f"the numbers are 1 to {len(names)}, not {text}")
        fit = [name for name in names if name.startswith(text)]
        if text in fit or len(fit) == 1:
            return text if text in fit else fit[0]
        if fit:
            raise ValueError(f"{text!r} begins {len(fit)} names: {listed(fit)}")
        raise ValueError(f"{text!r} is no legal action or command; help lists the commands")

    def save(self, path: Path) -> None:
        """Write the game to a file, whole or not at all; ValueError if that cannot be done."""
        settings = {"seed": self.seed, "seat": self.seat, "opponents": list(self.opponents)}
        played = {"actions": [name for _, name in self.moves], "digest": self.state.digest()}
        write_json(path, _identity(self.game) | settings | played)

    @classmethod
    def load(cls, path: Path, name: str) -> Session:
        """The game that ``save`` wrote.

        Raises:
            ValueError: the file is missing, broken or of another game, or the rules play the game in another way.
        """
        try:
            with Fields(json.loads(path.read_bytes())) as fields:
                if fields.raw("game") != name:
                    raise fields.error("game", f"expected {name!r}, got {fields.raw('game')!r}")
                game = registry.game(name, num_players=fields.raw("num_players"))
                for key, value in _identity(game).items():
                    if fields.raw(key) != value:
                        raise fields.error(key, f"expected {value!r}, got {fields.raw(key)!r}")
                seat, seed = fields.integer("seat", None), fields.integer("seed", None)
                session = cls(game, seat, _words(fields, "opponents"), seed)
                session._play(_words(fields, "actions"))
                if fields.raw("digest") != session.state.digest():
                    raise fields.error("digest", "the rules lead to another position than when it was saved")
        except OSError as error:
            raise ValueError(f"cannot read {path}: {error.strerror}") from None
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        return session

    def _chance(self) -> np.random.Generator:
        """Of the decision that is due, so that a game undone or resumed goes on as it would have."""
        return np.random.default_rng([self.seed, len(self.moves)])


def _identity(game: Game) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "num_players": game.num_players,
        "components": game.components_digest(),
    }


def _words(fields: Fields, key: str) -> list[str]:
    words = fields.raw(key)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise fields.error(key, f"expected a list of names, got {words!r}")
    return words


class Terminal:
    """Shows a session and reads what the person types.

    Args:
        session: the game.
        path: the file it is kept in.
        console: for all but the board.
        ask: gives a line for a prompt; EOFError or KeyboardInterrupt leave the game.
    """

    def __init__(self, session: Session, path: Path, console: Console, ask: Callable[[str], str]) -> None:
        self.session, self.path, self.console, self.ask = session, path, console, ask
        kinds = available(session.game)
        self._adviser = "greedy" if "greedy" in kinds else "mcts"
        self._fresh = True

    def run(self) -> None:
        """Until the game is over or the person leaves it."""
        session = self.session
        try:
            while True:
                session.go_on()
                if self._fresh:
                    self._show()
                    self._fresh = False
                if session.state.is_terminal():
                    self._end()
                    return
                if self._obey():
                    break
        except (EOFError, KeyboardInterrupt):
            self._say()
        self._leave()

    def _obey(self) -> bool:
        """Do what a line says; True if that is to leave."""
        try:
            line = self.ask("> ").strip()
            word, _, rest = line.partition(" ")
            rest = rest.strip()
            if word == "quit":
                return True
            if word in ("help", "?", ""):
                self._say(HELP)
            elif word == "board":
                self._fresh = True
            elif word == "hint":
                spec = rest or self._adviser
                self._say(f"{spec} would take {self.session.hint(spec)}")
            elif word == "undo":
                self._fresh = self.session.undo()
                if not self._fresh:
                    self._say("there is nothing to undo")
            elif word == "save":
                path = Path(rest) if rest else self.path
                self.session.save(path)
                self.path = path
                self._say(f"kept in {self.path}")
            else:
                self.session.take(self.session.meant(line))
                self._fresh = True
        except ValueError as error:
            self._say(str(error))
        return False

    def _show(self) -> None:
        session, state = self.session, self.session.state
        game = session.game
        for seat, names in session.since():
            self._say(f"player {seat} ({session.agents[seat].name}): {', '.join(names)}")
        render.show(game.draw(state, session.seat), f"{game.title}: you are player {session.seat}")
        names = [game.action_to_string(action) for action in state.legal_actions()]
        self.console.print(Columns([Text(f"{k:>3} {name}") for k, name in enumerate(names, 1)], column_first=True))

    def _end(self) -> None:
        state, seat = self.session.state, self.session.seat
        winners = state.winners()
        if winners == [seat]:
            won = "you have won"
        elif winners:
            won = f"won by {' and '.join('you' if p == seat else f'player {p}' for p in winners)}"
        else:
            won = "lost"
        self._say(f"The game is over: {won}. Scores by seat: {listed(state.scores())}")

    def _leave(self) -> None:
        session = self.session
        if not session.moves:
            return
        try:
            session.save(self.path)
            self._say(f"Kept: go on with python -m agents.play {session.game.name} --resume {self.path}")
        except ValueError as error:
            self._say(f"The game is lost: {error}")

    def _say(self, text: str = "") -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Play:
    """Play a game against agents."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    opponents: tuple[str, ...] = ()
    """The agents of the other seats, as "greedy mcts:200"; fewer than seats come round again."""
    seat: int = 0
    """Yours; 0 moves first."""
    players: int | None = None
    """Number of players, you among them; by default as many as are named, at least two."""
    seed: int | None = None
    """Of the deal; a new game each time by default."""
    resume: Path | None = None
    """Go on with the game in this file; nothing else is asked then."""

    def session(self) -> Session:
        """The game to be played.

        Raises:
            ValueError: an unknown game or agent, a number out of range, a broken file.
        """
        if self.resume is not None:
            return Session.load(self.resume, self.game)
        kind = registry.game_class(self.game)
        named = max(2, kind.min_players, len(self.opponents) + 1)
        game = registry.game(self.game, num_players=named if self.players is None else self.players)
        opponents = self.opponents
        if not opponents and game.num_players > 1:
            opponents = ("greedy" if "greedy" in available(game) else "random",)
        seed = int(np.random.SeedSequence().generate_state(1)[0]) if self.seed is None else self.seed
        return Session(game, self.seat, opponents, seed)


def main() -> None:
    settings = tyro.cli(Play, prog="python -m agents.play", description=__doc__)
    try:
        session = settings.session()
        path = settings.resume or Path(f"{session.game.name}-{session.seed}.json")
        Terminal(session, path, Console(), input).run()
    except KeyboardInterrupt:
        sys.exit("stopped")
    except ValueError as error:
        sys.exit("; ".join([f"error: {error}", *getattr(error, "__notes__", [])]))


if __name__ == "__main__":
    main()
