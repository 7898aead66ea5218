"""Games between agents, or random games as fast as the kernels go.

    python -m agents.selfplay GAME                                      random self-play at full speed
    python -m agents.selfplay GAME --agents greedy random --games 1000  wins of agents, seats rotated

Intervals are Wilson score intervals at 95 %. A shared victory counts as the winner's share of it, which varies less
than a whole one, so they are on the safe side.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from agents import load
from agents.games import check_count, distinct, play_game, seating, wilson
from agents.report import progress_bar, rate
from core import registry
from core.files import write_json
from core.game import Game

__all__ = ["Entry", "Match", "Speed", "play_match", "play_random"]

BATCH = 256
STEPS = 256


@dataclass
class Entry:
    """How one agent of a match did.

    Attributes:
        name: of the agent.
        seats: how many it has in each game.
        wins: games won; of a victory shared by k seats, 1/k for each of its seats among them.
        score: sum over games and its seats.
        games: played so far.
    """

    name: str
    seats: int = 0
    wins: float = 0.0
    score: float = 0.0
    games: int = 0

    @property
    def mean_score(self) -> float:
        return self.score / (self.games * self.seats)

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share of games won."""
        return wilson(min(self.wins, self.games), self.games)  # shares add up to a rounding error more


@dataclass
class Match:
    """The result of a match, complete after each game."""

    entries: list[Entry]
    games: int = 0
    decisions: int = 0
    truncated: int = 0
    seconds: float = 0.0


def play_match(
    game: Game, specs: Sequence[str], games: int, seed: int = 0, watch: Callable[[Match], None] = lambda match: None
) -> Match:
    """Play a match, seats rotated.

    Args:
        game: the game, with its number of players.
        specs: the agents, see ``agents.load``; fewer than seats come round again.
        games: how many.
        seed: decides every game and every choice.
        watch: called after each game.

    Raises:
        ValueError: an unknown agent, more agents than seats, no agents or no games.
    """
    if not specs:
        raise ValueError("agents: name at least one")
    if len(specs) > game.num_players:
        raise ValueError(f"agents: {len(specs)} are more than the {game.num_players} seats; set players")
    check_count("games", games, 1)
    check_count("seed", seed, 0)
    # each seat has an agent of its own, so that one that remembers its game can sit twice at a table
    tables = [[load(spec, game) for _ in range(game.num_players)] for spec in specs]
    names = [agents[0].name for agents in tables]
    match = Match([Entry(name) for name in distinct(names)])
    for first in seating(len(specs), game.num_players, 0):
        match.entries[first].seats += 1
    begun = time.perf_counter()
    for number in range(games):
        who = seating(len(specs), game.num_players, number)
        deal, choices = np.random.SeedSequence([seed, number]).spawn(2)
        lineup = [tables[k][seat] for seat, k in enumerate(who)]
        played = play_game(game, lineup, int(deal.generate_state(1)[0]), np.random.default_rng(choices))
        for seat, k in enumerate(who):
            match.entries[k].score += played.scores[seat]
        for seat in played.winners:
            match.entries[who[seat]].wins += 1 / len(played.winners)
        for entry in match.entries:
            entry.games += 1
        match.games += 1
        match.decisions += sum(played.moves)
        match.truncated += played.truncated
        match.seconds = time.perf_counter() - begun
        watch(match)
    return match


@dataclass
class Speed:
    """How fast random play went, with one number of players."""

    players: int
    decisions: int = 0
    games: int = 0
    truncated: int = 0
    seconds: float = 0.0


def play_random(
    game: Game,
    seconds: float | None = None,
    games: int | None = None,
    seed: int = 0,
    threads: int = 1,
    watch: Callable[[Speed], None] = lambda speed: None,
) -> Speed:
    """Random self-play inside the kernels.

    Args:
        game: the game, with its number of players.
        seconds: stop after so many, or
        games: as soon as so many are finished; then the seed alone decides the result.
        seed: of all games and choices.
        threads: the batch is split among so many.
        watch: called a few times a second.

    Raises:
        ValueError: neither or both limits, or one that is not above 0.
    """
    if (seconds is None) == (games is None):
        raise ValueError("give either seconds or games")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds: expected a number above 0, got {seconds}")
    if games is not None:
        check_count("games", games, 1)
    check_count("seed", seed, 0)
    batch = game.vector(BATCH, seed, observe=False)
    batch.play_random(1, threads)  # compiles or loads the kernels
    speed = Speed(game.num_players)
    while (speed.seconds < seconds) if seconds is not None else (speed.games < (games or 0)):
        played = batch.play_random(STEPS, threads)
        speed.decisions += played.decisions
        speed.games += played.games
        speed.truncated += played.truncated_games
        speed.seconds += played.seconds
        watch(speed)
    return speed


@dataclass(frozen=True)
class SelfPlay:
    """Let agents play each other, or play at random at full speed."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    agents: tuple[str, ...] = ()
    """Who plays, as "greedy random"; nobody: random play inside the kernels."""
    games: int | None = None
    """Games in all; 1000 for agents. Random play stops after the seconds instead if it is not given."""
    players: int | None = None
    """Number of players; for agents as many as there are, at least the game's least; for random play every number."""
    seed: int = 0
    """The same seed gives the same games."""
    seconds: float = 5.0
    """Of random play, for each number of players."""
    threads: int = 1
    """Of random play."""
    json: Path | None = None
    """Write the figures to this file."""

    def run(self, console: Console) -> dict[str, Any]:
        """Play, print the table and return what goes into the file.

        Raises:
            ValueError: an unknown game or agent, or a number out of range.
        """
        kind = registry.game_class(self.game)
        if self.agents:
            wanted = max(kind.min_players, min(len(self.agents), kind.max_players))
            players = wanted if self.players is None else self.players
            return self._match(registry.game(self.game, num_players=players), console)
        counts = range(kind.min_players, kind.max_players + 1) if self.players is None else [self.players]
        return self._speed([registry.game(self.game, num_players=count) for count in counts], console)

    def _match(self, game: Game, console: Console) -> dict[str, Any]:
        games = 1000 if self.games is None else self.games
        with progress_bar(console) as progress:
            line = progress.add_task(f"{game.title}, {game.num_players} players", total=games, speed="")

            def watch(match: Match) -> None:
                speed = (
                    f"{rate(match.games, match.seconds)} games/s, {rate(match.decisions, match.seconds)} decisions/s"
                )
                progress.update(line, completed=match.games, speed=speed)

            match = play_match(game, self.agents, games, self.seed, watch)
        table = Table(title=f"{game.title}, {game.num_players} players, {games} games", title_justify="left")
        table.add_column("agent")
        for heading in ("seats", "wins", "of games", "95 % interval", "mean score"):
            table.add_column(heading, justify="right")
        entries = []
        for entry in match.entries:
            low, high = entry.interval()
            share = entry.wins / entry.games
            interval = f"{low:.1%} to {high:.1%}"
            table.add_row(
                entry.name, str(entry.seats), f"{entry.wins:g}", f"{share:.1%}", interval, f"{entry.mean_score:.1f}"
            )
            values = {"share": share, "low": low, "high": high, "mean_score": entry.mean_score}
            entries.append({"name": entry.name, "seats": entry.seats, "wins": entry.wins, **values})
        console.print(table)
        cut = f", {match.truncated} cut at {game.max_decisions} decisions" if match.truncated else ""
        console.print(
            f"{match.decisions / match.games:.1f} decisions a game{cut}; {match.seconds:.1f} s, "
            f"{rate(match.decisions, match.seconds)} decisions/s",
            highlight=False,
        )
        result = {key: value for key, value in asdict(match).items() if key != "entries"}
        return {"game": game.name, "players": game.num_players, "seed": self.seed, **result, "agents": entries}

    def _speed(self, games: list[Game], console: Console) -> dict[str, Any]:
        limits = {"seconds": None, "games": self.games} if self.games is not None else {"seconds": self.seconds}
        speeds = []
        with progress_bar(console) as progress:
            for game in games:
                line = progress.add_task(f"{game.title}, {game.num_players} players", total=1.0, speed="")

                def watch(speed: Speed, line: Any = line) -> None:
                    done = speed.seconds / self.seconds if self.games is None else speed.games / self.games
                    text = f"{rate(speed.decisions, speed.seconds)} decisions/s, {speed.games} games"
                    progress.update(line, completed=min(done, 1.0), speed=text)

                speeds.append(play_random(game, **limits, seed=self.seed, threads=self.threads, watch=watch))
        title = f"{games[0].title}, random self-play, {self.threads} thread{'s' * (self.threads > 1)}"
        table = Table(title=title, title_justify="left")
        for heading in ("players", "decisions/s", "games/s", "decisions a game", "games", "decisions", "seconds"):
            table.add_column(heading, justify="right")
        for speed in speeds:
            table.add_row(
                str(speed.players),
                rate(speed.decisions, speed.seconds),
                rate(speed.games, speed.seconds),
                f"{speed.decisions / speed.games:.0f}" if speed.games else "",
                f"{speed.games:,}",
                f"{speed.decisions:,}",
                f"{speed.seconds:.1f}",
            )
        console.print(table)
        return {
            "game": games[0].name,
            "seed": self.seed,
            "threads": self.threads,
            "random": [asdict(s) for s in speeds],
        }


def main() -> None:
    settings = tyro.cli(SelfPlay, prog="python -m agents.selfplay", description=__doc__)
    console = Console(width=None if sys.stdout.isatty() else 110)
    try:
        result = settings.run(console)
        if settings.json is not None:
            write_json(settings.json, result)
    except ValueError as error:
        sys.exit("; ".join([f"error: {error}", *getattr(error, "__notes__", [])]))


if __name__ == "__main__":
    main()
