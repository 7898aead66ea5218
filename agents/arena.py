"""Every agent against every other: win rates with intervals, and ratings.

    python -m agents.arena GAME --agents greedy random mcts:200 --games 2000 --workers 2 --json arena.json

With two players every pairing of the agents plays the same deals. With more, every choice of so many agents does; fewer
agents than seats fill the seats in every way that leaves nobody out. Each deal is played once from every seat.

With ``--json PATH`` each game is kept in ``PATH`` with the ending ``.games.jsonl`` as soon as it is over; ``--resume``
goes on from there, also with more games. A seed gives the same games with any number of workers.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from itertools import combinations, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from agents import Agent, load
from agents.games import Played, check_count, distinct, play_game, wilson
from agents.report import progress_bar, rate
from core import registry
from core.files import write_bytes, write_json, write_text
from core.game import Game

__all__ = ["Arena", "Lineup", "Rating", "Result", "lineups", "ratings", "results", "seats_of"]

FORMAT = "boardroom-arena-1"
WAITING = 4
"""Games handed to each worker in advance."""

Lineup = tuple[int, ...]
"""The numbers of the agents that play, one a seat, whoever sits where."""


def lineups(agents: int, seats: int) -> list[Lineup]:
    """Who plays whom: every choice of ``seats`` agents, or every way to fill the seats with all of fewer agents."""
    if agents >= seats:
        return list(combinations(range(agents), seats))
    cuts = combinations(range(1, seats), agents - 1)
    return [tuple(sum(seat >= cut for cut in cut_at) for seat in range(seats)) for cut_at in cuts]


def seats_of(lineup: Lineup, seed: int, number: int) -> list[int]:
    """The agent of each seat in a game: in an order by the deal, then a seat on in each game with that deal."""
    seats = len(lineup)
    order = np.random.default_rng([seed, number // seats, 1]).permutation(seats)
    return [lineup[order[(seat + number) % seats]] for seat in range(seats)]


@dataclass(frozen=True)
class Record:
    """A game that was played: which, the agent of each seat, how it ended."""

    lineup: int
    number: int
    seats: list[int]
    played: Played


class Tables:
    """What a process needs to play: the game and its agents, ready and warmed up."""

    def __init__(self, name: str, players: int, specs: Sequence[str], seed: int) -> None:
        self.game = registry.game(name, num_players=players)
        self.seed = seed
        self.lineups = lineups(len(specs), players)
        most = [max(lineup.count(k) for lineup in self.lineups) for k in range(len(specs))]
        # an agent that remembers its game can sit at a table more than once
        self.agents: list[list[Agent]] = [
            [load(spec, self.game) for _ in range(count)] for spec, count in zip(specs, most, strict=True)
        ]

    def warm_up(self) -> None:
        """Let every agent act once, so that what is compiled or loaded then does not count as thinking."""
        state = self.game.new_initial_state(0)
        for agent, *_ in self.agents:
            agent.reset(state.current_player())
            agent.act(state, np.random.default_rng(0))

    def play(self, lineup: int, number: int) -> Record:
        """Play one game of a line-up."""
        seats = seats_of(self.lineups[lineup], self.seed, number)
        table = [self.agents[k][seats[:seat].count(k)] for seat, k in enumerate(seats)]
        deal = np.random.SeedSequence([self.seed, number // len(seats), 0]).generate_state(1)[0]
        played = play_game(self.game, table, int(deal), np.random.default_rng([self.seed, number, 2]))
        return Record(lineup, number, seats, played)


_tables: Tables


def _begin_worker(*plan: Any) -> None:
    global _tables
    importlib.import_module("threadpoolctl").threadpool_limits(1)  # the workers share the cores already
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process hears Ctrl-C and ends the others
    _tables = Tables(*plan)
    _tables.warm_up()


def _play_in_worker(lineup: int, number: int) -> Record:
    return _tables.play(lineup, number)


def play_all(tables: Tables, plan: tuple[Any, ...], tasks: Iterable[tuple[int, int]], workers: int) -> Iterator[Record]:
    """Play the games ``(lineup, number)``, and give each when it is over.

    Args:
        tables: for one worker, which plays in this process.
        plan: arguments of ``Tables``, for more of them.
        tasks: the games.
        workers: how many processes.
    """
    if workers == 1:
        yield from (tables.play(*task) for task in tasks)
        return
    left = iter(tasks)
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker, plan) as pool:
        try:
            running: set[Future[Record]] = set()
            while True:
                for task in islice(left, WAITING * workers - len(running)):
                    running.add(pool.submit(_play_in_worker, *task))
                if not running:
                    return
                over, running = wait(running, return_when=FIRST_COMPLETED)
                for future in over:
                    yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


# What the games say


@dataclass
class Result:
    """How one line-up did.

    Attributes:
        agents: the names, one a seat.
        games: played so far.
        wins: by name; of a victory shared by k seats, 1/k for each of the agent's seats among them.
        truncated: games that were cut.
    """

    agents: list[str]
    games: int = 0
    wins: dict[str, float] = field(default_factory=dict)
    truncated: int = 0

    def win_rate(self, name: str) -> float:
        return self.wins[name] / self.games

    def interval(self, name: str) -> tuple[float, float]:
        """The 95 % interval of the share of games won."""
        return wilson(min(self.wins[name], self.games), self.games)  # shares add up to a rounding error more


@dataclass
class Rating:
    """How good one agent is among the others.

    Attributes:
        mu: OpenSkill's estimate (Plackett-Luce); an agent of average strength has 25.
        sigma: its standard deviation.
        games: it sat in, one count a seat.
        moves: decisions taken.
        seconds: thought about them.
    """

    mu: float
    sigma: float
    games: int = 0
    moves: int = 0
    seconds: float = 0.0


def results(records: Iterable[Record], names: Sequence[str], choices: Sequence[Lineup]) -> list[Result]:
    """The results of the line-ups that have played, in their order."""
    found = [Result([names[k] for k in lineup], wins={names[k]: 0.0 for k in lineup}) for lineup in choices]
    for record in records:
        result = found[record.lineup]
        result.games += 1
        result.truncated += record.played.truncated
        for seat in record.played.winners:
            result.wins[names[record.seats[seat]]] += 1 / len(record.played.winners)
    return [result for result in found if result.games]


def ratings(records: Iterable[Record], names: Sequence[str]) -> dict[str, Rating]:
    """The ratings of the agents, best first.

    The games count in the order of their numbers, line-up by line-up, whenever they were played. Abilities are taken
    not to change with time (``tau=0``). An agent in several seats moves by the mean of what they would move it.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    current = [model.rating() for _ in names]
    found = [Rating(0.0, 0.0) for _ in names]
    for record in sorted(records, key=lambda record: (record.number, record.lineup)):
        teams = model.rate([[current[k]] for k in record.seats], ranks=[float(p) for p in record.played.places])
        for k in set(record.seats):
            own = [team[0] for team, other in zip(teams, record.seats, strict=True) if other == k]
            mu, sigma = (float(np.mean([getattr(one, key) for one in own])) for key in ("mu", "sigma"))
            current[k] = model.rating(mu=mu, sigma=sigma)
        for seat, k in enumerate(record.seats):
            found[k].games += 1
            found[k].moves += record.played.moves[seat]
            found[k].seconds += record.played.seconds[seat]
    for rating, now in zip(found, current, strict=True):
        rating.mu, rating.sigma = now.mu, now.sigma
    return dict(sorted(zip(names, found, strict=True), key=lambda item: -item[1].mu))


# The file of games


class Log:
    """Games kept in a file, a line each, as soon as they are over.

    Args:
        path: the file; None keeps nothing.
        header: what a run to be continued must agree with.
        resume: go on with the file if it is there; otherwise it must not be.

    Attributes:
        records: the games found there.

    Raises:
        ValueError: the file is there and shall not be continued, is of another run, or is damaged.
    """

    def __init__(self, path: Path | None, header: dict[str, Any], resume: bool) -> None:
        self.path = path
        self.records: list[Record] = []
        if path is None:
            return
        if path.exists():
            if not resume:
                raise ValueError(f"{path} holds the games of an earlier run: go on with --resume, or remove it")
            self._read(path, header)
        # what is left of a line that a kill cut short goes, too
        write_text(path, "".join(json.dumps(line) + "\n" for line in (header, *map(asdict, self.records))))

    def _read(self, path: Path, header: dict[str, Any]) -> None:
        number = 1
        try:
            first, *rest = path.read_bytes().split(b"\n")[:-1] or [b""]
            found = json.loads(first)
            for key, value in header.items():
                if found[key] != value:
                    raise ValueError(f"{path}: its games have {key} {found[key]!r}, not {value!r}")
            for number, line in enumerate(rest, 2):  # noqa: B007
                row = json.loads(line)
                self.records.append(Record(**row | {"played": Played(**row["played"])}))
        except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number}: not a game of the arena") from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[Record], None]]:
        """A function that adds a game, within the block."""
        if self.path is None:
            yield self.records.append
            return
        with open(self.path, "ab", buffering=0) as file:

            def add(record: Record) -> None:
                file.write(json.dumps(asdict(record)).encode() + b"\n")  # one write: whole, or cut at the very end
                self.records.append(record)

            yield add


# The command


@dataclass(frozen=True)
class Arena:
    """Let agents play each other in every combination, and rate them."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    agents: tuple[str, ...]
    """Who plays, as "greedy random mcts:200"."""
    games: int = 2000
    """Of each line-up."""
    players: int | None = None
    """Number of players, at least 2; by default the game's least."""
    seed: int = 0
    """The same seed gives the same games."""
    workers: int = 1
    """Processes that play."""
    json: Path | None = None
    """Write the results to this file, and each game to one beside it."""
    plot: Path | None = None
    """Draw the ratings and win rates to this file; its ending says how: .png, .svg, .pdf."""
    resume: bool = False
    """Go on with the games beside the file of results."""

    def run(self, console: Console) -> None:
        """Play, print the tables and write the files.

        Raises:
            ValueError: an unknown game or agent, a number out of range, files that cannot be used.
        """
        if not self.agents:
            raise ValueError("agents: name at least one")
        for name, value, least in (("games", self.games, 1), ("workers", self.workers, 1), ("seed", self.seed, 0)):
            check_count(name, value, least)
        if self.resume and self.json is None:
            raise ValueError("resume: the games are kept beside the file of --json, which is not given")
        if self.plot is not None and self.plot.suffix not in PLOT_FORMATS:
            raise ValueError(f"plot: expected a name that ends in one of {', '.join(PLOT_FORMATS)}, got {self.plot}")
        _need("openskill", *(["matplotlib"] if self.plot is not None else []))
        kind = registry.game_class(self.game)
        players = max(2, kind.min_players) if self.players is None else self.players
        check_count("players", players, 2)
        plan = (self.game, players, self.agents, self.seed)
        tables = Tables(*plan)
        log = Log(self.json and self.json.with_suffix(".games.jsonl"), self._header(tables), self.resume)
        names = distinct(self.agents)
        self._play(tables, plan, log, console)
        records = [record for record in log.records if record.number < self.games]
        found, rated = results(records, names, tables.lineups), ratings(records, names)
        for table in (_ratings_table(tables.game, rated), _results_table(found)):
            console.print(table)
        if self.json is not None:
            write_json(self.json, summary(tables.game, found, rated))
        if self.plot is not None:
            write_bytes(self.plot, drawn(tables.game, found, rated, self.plot.suffix[1:]))

    def _header(self, tables: Tables) -> dict[str, Any]:
        game = tables.game
        return {
            "format": FORMAT,
            "game": game.name,
            "version": game.version,
            "num_players": game.num_players,
            "components": game.components_digest(),
            "agents": list(self.agents),
            "weights": [one[0].weights for one in tables.agents],
            "seed": self.seed,
        }

    def _play(self, tables: Tables, plan: tuple[Any, ...], log: Log, console: Console) -> None:
        done = {(record.lineup, record.number) for record in log.records}
        wanted = [(lineup, number) for number in range(self.games) for lineup in range(len(tables.lineups))]
        tasks = [task for task in wanted if task not in done]
        if not tasks:
            return
        tables.warm_up()  # fills the cache of compiled code before several workers look there
        begun = time.perf_counter()
        with progress_bar(console) as bar, log.writing() as add:
            text = f"{tables.game.title}, {tables.game.num_players} players"
            line = bar.add_task(text, total=len(wanted), completed=len(wanted) - len(tasks), speed="")
            for number, record in enumerate(play_all(tables, plan, tasks, self.workers), 1):
                add(record)
                seconds = time.perf_counter() - begun
                left = time.strftime("%H:%M:%S", time.gmtime(seconds / number * (len(tasks) - number)))
                speed = f"{number + len(wanted) - len(tasks):,} of {len(wanted):,} games, {rate(number, seconds)}/s"
                bar.update(line, advance=1, speed=f"{speed}, {left} left, since")


def summary(game: Game, found: Sequence[Result], rated: dict[str, Rating]) -> dict[str, Any]:
    """What goes into the file of results."""
    return {
        "game": game.name,
        "num_players": game.num_players,
        "results": [
            {
                "agents": result.agents,
                "games": result.games,
                "win_rate": {name: result.win_rate(name) for name in result.wins},
                "ci95": {name: list(result.interval(name)) for name in result.wins},
            }
            for result in found
        ],
        "ratings": {name: {"mu": rating.mu, "sigma": rating.sigma} for name, rating in rated.items()},
    }


def _ratings_table(game: Game, rated: dict[str, Rating]) -> Table:
    table = Table(title=f"{game.title}, {game.num_players} players", title_justify="left")
    table.add_column("agent")
    for heading in ("rating", "sigma", "decisions a game", "ms a move"):
        table.add_column(heading, justify="right")
    for name, rating in rated.items():
        moves, thought = rating.moves / rating.games, 1000 * rating.seconds / max(rating.moves, 1)
        table.add_row(name, f"{rating.mu:.2f}", f"{rating.sigma:.2f}", f"{moves:.1f}", f"{thought:.3f}")
    return table


def _results_table(found: Sequence[Result]) -> Table:
    table = Table()
    for heading in ("line-up", "agent"):
        table.add_column(heading)
    for heading in ("games", "won", "95 % interval", "cut"):
        table.add_column(heading, justify="right")
    for result in found:
        first = (", ".join(result.agents), f"{result.games:,}", str(result.truncated))
        for name in result.wins:
            low, high = result.interval(name)
            lineup, games, cut = first
            table.add_row(lineup, name, games, f"{result.win_rate(name):.1%}", f"{low:.1%} to {high:.1%}", cut)
            first = ("", "", "")
        table.add_section()
    return table


PLOT_FORMATS = (".png", ".svg", ".pdf")


def drawn(game: Game, found: Sequence[Result], rated: dict[str, Rating], form: str) -> bytes:
    """A picture of the ratings and the win rates, in one of the formats of matplotlib."""
    from matplotlib.figure import Figure

    rows = [(result, name) for result in found for name in result.wins]
    figure = Figure(figsize=(11, 1.6 + 0.3 * max(len(rows), len(rated))), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    left.errorbar(
        [rating.mu for rating in rated.values()],
        range(len(rated)),
        xerr=[2 * rating.sigma for rating in rated.values()],
        fmt="o",
        capsize=3,
    )
    left.set_yticks(range(len(rated)), list(rated))
    left.set_xlabel("OpenSkill rating, with two standard deviations")
    for row, (result, name) in enumerate(rows):
        low, high = result.interval(name)
        share = result.win_rate(name)
        colour = f"C{list(rated).index(name)}"
        right.errorbar(share, row, xerr=[[max(0.0, share - low)], [max(0.0, high - share)]], fmt="o", color=colour)
    labels = [f"{name}  in  {', '.join(result.agents)}" for result, name in rows]
    right.set_yticks(range(len(rows)), labels)
    right.axvline(1 / game.num_players, color="0.7", linewidth=1, zorder=0)
    right.set_xlim(-0.02, 1.02)
    right.set_xlabel("share of games won, with 95 % intervals")
    for axes in (left, right):
        axes.invert_yaxis()
        axes.grid(axis="x", color="0.9")
    figure.suptitle(f"{game.title}, {game.num_players} players")
    picture = io.BytesIO()
    figure.savefig(picture, format=form, dpi=150)
    return picture.getvalue()


def _need(*packages: str) -> None:
    from importlib.util import find_spec

    for package in packages:
        if find_spec(package) is None:
            raise ValueError(f"the arena needs {package}: pip install 'boardroom-envs[arena]'")


def main() -> None:
    settings = tyro.cli(Arena, prog="python -m agents.arena", description=__doc__)
    console = Console(width=None if sys.stdout.isatty() else 110)
    try:
        settings.run(console)
    except KeyboardInterrupt:
        kept = " The games that were over are kept: go on with --resume." if settings.json is not None else ""
        sys.exit(f"stopped.{kept}")
    except BrokenProcessPool:
        sys.exit("error: a worker process died; go on with --resume, perhaps with fewer workers")
    except ValueError as error:
        sys.exit("; ".join([f"error: {error}", *getattr(error, "__notes__", [])]))


if __name__ == "__main__":
    main()
