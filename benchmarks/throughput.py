"""Decisions a second of every way to play a game, each beside its floor.

    python -m benchmarks.throughput [GAME ...] [--players 2 4] [--seconds 1] [--json PATH]

Everything runs on one core. A row and its floor are timed in turn, several times over; rates and ratios are medians.
All of them choose actions at random within the time: random play and the floors inside the compiled loop, the vector
step by one compiled scan of its masks before each step, the AEC loops by ``numpy.flatnonzero`` of the mask.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from numpy.typing import NDArray
from pettingzoo import AECEnv
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.floors import ACTIONS, FEATURES, TrivialEnv, floor_records, pick_random, play_floor, step_floor
from benchmarks.measure import Task, Timing, interleave, machine
from core import registry
from core.aec import BoardroomAEC
from core.files import write_json
from core.game import Game
from core.rng import seed_words

__all__ = ["Row", "Targets", "measure_game", "show"]

PLAY_BATCHES = (64, 256, 1024, 4096)
STEP_BATCHES = (1, 64, 1024, 4096)
COPIES = 1024
PLAY_STEPS = 32


@dataclass(frozen=True)
class Targets:
    """What a game should reach: ratios to the floors, copies a second, bytes."""

    play: float = 0.5
    step: float = 0.3
    raw_env: float = 0.4
    env: float = 4.0
    copies: float = 1e6
    flatness: float = 0.7
    record: int = 2048


TARGETS = {"pax": Targets(play=0.4, step=0.25, record=3072)}


@dataclass
class Row:
    """One line of the table.

    Attributes:
        measure: what was timed.
        batch: games at once.
        rate: units (decisions, copies) a second.
        floor: the name of the floor; empty if there is none.
        floor_rate: its rate.
        value: what the target is about: the ratio to the floor, or the rate where there is no floor.
        target: the least wanted; None where nothing is asked.
    """

    measure: str
    batch: int
    rate: float
    floor: str = ""
    floor_rate: float | None = None
    value: float | None = None
    target: float | None = None
    met: bool | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.target is not None and self.value is not None:
            self.met = self.value >= self.target


@dataclass(frozen=True)
class _Plan:
    """A row to be measured: the task, its floor if any, and the target."""

    measure: str
    batch: int
    task: Task
    floor: Task | None = None
    target: float | None = None

    def row(self, timings: dict[str, Timing]) -> Row:
        timing = timings[self.task.key]
        if self.floor is None:
            return Row(self.measure, self.batch, timing.rate, value=timing.rate, target=self.target)
        floor = timings[self.floor.key]
        name = self.floor.key.partition(" x")[0]
        return Row(self.measure, self.batch, timing.rate, name, floor.rate, timing.ratio(floor), self.target)


def measure_game(
    game: Game, seconds: float = 1.0, repeats: int = 7, seed: int = 0, watch: Callable[[], None] = lambda: None
) -> list[Row]:
    """Time every way to play ``game``.

    Args:
        game: with its number of players.
        seconds: for each way and each floor.
        repeats: over which the seconds are spread.
        seed: of all games and choices.
        watch: called after each repeat.
    """
    targets = TARGETS.get(game.name, Targets())
    plans = _plans(game, targets, seed)
    tasks = {task.key: task for plan in plans for task in (plan.task, plan.floor) if task is not None}
    timings = interleave(list(tasks.values()), seconds, repeats, watch)
    rows = [plan.row(timings) for plan in plans]
    plays = [row.rate for row in rows if row.measure == "random play"]
    least, most = min(plays), max(plays)
    slowest = Row("slowest random play", 0, least, "fastest", most, least / most, targets.flatness)
    return [*rows, slowest]


def _plans(game: Game, targets: Targets, seed: int) -> list[_Plan]:
    trivial = TrivialEnv(game.num_players, game.observation_size, game.num_actions)
    raw_floor = Task("(c) trivial AEC", _aec_loop(trivial, seed))
    wrapped = TrivialEnv(game.num_players, game.observation_size, game.num_actions).wrapped()
    env_floor = Task("(c) in 3 wrappers", _aec_loop(wrapped, seed))
    plans = [
        _Plan(
            "random play",
            batch,
            Task(f"random play x{batch}", _random_play(game, batch, seed)),
            Task(f"(a) mask, pick x{batch}", _play_floor(batch, seed)),
            targets.play if game.num_players == 2 else None,
        )
        for batch in PLAY_BATCHES
    ]
    plans += [
        _Plan(
            "vector step",
            batch,
            Task(f"vector step x{batch}", _vector_step(game, batch, seed)),
            Task(f"(b) mask, pick, observe x{batch}", _step_floor(batch, seed)),
            targets.step if batch == 1024 else None,
        )
        for batch in STEP_BATCHES
    ]
    return [
        *plans,
        _Plan("State API", 1, Task("State API", _state_loop(game, seed)), raw_floor),
        _Plan(
            "raw_env",
            1,
            Task("raw_env", _aec_loop(BoardroomAEC(game, illegal="raise"), seed)),
            raw_floor,
            targets.raw_env,
        ),
        _Plan("env", 1, Task("env", _aec_loop(BoardroomAEC(game, illegal="terminate"), seed)), env_floor, targets.env),
        _Plan("copies of a state", COPIES, Task("copies", _copies(game, seed)), None, targets.copies),
    ]


def _policy(batch: int, seed: int) -> NDArray[np.uint64]:
    return np.stack([seed_words(np.random.SeedSequence([seed, i])) for i in range(batch)])


def _random_play(game: Game, batch: int, seed: int) -> Callable[[int], int]:
    env = game.vector(batch, seed)
    return lambda rounds: env.play_random(PLAY_STEPS * rounds).decisions


def _play_floor(batch: int, seed: int) -> Callable[[int], int]:
    records, policy, mask = floor_records(batch, seed), _policy(batch, seed), np.zeros(ACTIONS, np.bool_)

    def run(rounds: int) -> int:
        play_floor(records, policy, PLAY_STEPS * rounds, mask)
        return batch * PLAY_STEPS * rounds

    return run


def _vector_step(game: Game, batch: int, seed: int) -> Callable[[int], int]:
    env, policy, actions = game.vector(batch, seed), _policy(batch, seed), np.zeros(batch, np.int64)

    def run(rounds: int) -> int:
        for _ in range(rounds):
            pick_random(env.action_mask, policy, actions)
            env.step(actions)
        return batch * rounds

    return run


def _step_floor(batch: int, seed: int) -> Callable[[int], int]:
    records, policy = floor_records(batch, seed), _policy(batch, seed)
    masks, observations = np.zeros((batch, ACTIONS), np.bool_), np.zeros((batch, FEATURES), np.float32)

    def run(rounds: int) -> int:
        for _ in range(rounds):
            step_floor(records, policy, masks, observations)
        return batch * rounds

    return run


def _state_loop(game: Game, seed: int) -> Callable[[int], int]:
    chance = random.Random(seed)
    state = game.new_initial_state(seed)

    def run(rounds: int) -> int:
        nonlocal state
        for _ in range(rounds):
            legal = state.legal_actions()
            state.apply_action(legal[int(chance.random() * len(legal))])
            if state.is_terminal():
                state = game.new_initial_state(chance.getrandbits(32))
        return rounds

    return run


def _aec_loop(env: AECEnv[str, Any, Any], seed: int) -> Callable[[int], int]:
    chance = random.Random(seed)
    env.reset(seed=seed)

    def run(rounds: int) -> int:
        for _ in range(rounds):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[int(chance.random() * len(legal))])
        return rounds

    return run


def _copies(game: Game, seed: int) -> Callable[[int], int]:
    state = game.new_initial_state(seed)

    def run(rounds: int) -> int:
        for _ in range(rounds):
            state.copies(COPIES)
        return COPIES * rounds

    return run


def show(game: Game, rows: list[Row], console: Console) -> None:
    """Print the table of one game and number of players."""
    table = Table(title=f"{game.title}, {game.num_players} players", title_justify="left")
    table.add_column("measure")
    table.add_column("floor", style="dim")
    for heading in ("batch", "a second", "floor", "ratio", "target"):
        table.add_column(heading, justify="right")
    for row in rows:
        ratio = "" if row.floor_rate is None or row.value is None else f"{row.value:.2f}"
        wanted = "" if row.target is None else _number(row.target)
        colour = {True: "[green]", False: "[red]", None: ""}[row.met]
        floor_rate = "" if row.floor_rate is None else _number(row.floor_rate)
        batch = str(row.batch) if row.batch else ""
        table.add_row(row.measure, row.floor, batch, _number(row.rate), floor_rate, colour + ratio, colour + wanted)
    console.print(table)
    size, limit = game.dtype.itemsize, TARGETS.get(game.name, Targets()).record
    spaces = f"{game.num_actions} actions, {game.observation_size} features"
    console.print(f"a state is a record of {size} bytes (target: at most {limit}); {spaces}\n", highlight=False)


def _number(value: float) -> str:
    """Three digits that count: 4.23 M, 270 k, 0.5."""
    for unit, size in ((" M", 1e6), (" k", 1e3)):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


@dataclass(frozen=True)
class Throughput:
    """Measure decisions a second of every way to play, each beside its floor."""

    games: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Names of games; all of them if none is given."""
    players: tuple[int, ...] = (2, 4)
    """Numbers of players."""
    seconds: float = 1.0
    """For each way to play and each floor."""
    repeats: int = 7
    """Rounds over which the seconds are spread; figures are medians over the rounds."""
    seed: int = 0
    """Of all games and choices."""
    json: Path | None = None
    """Write the figures, with the machine and the versions, to this file."""

    def run(self, console: Console) -> dict[str, Any]:
        """Measure, print the tables and return what goes into the file.

        Raises:
            ValueError: an unknown game, a number of players it does not have, or no time to measure in.
        """
        if self.seconds <= 0 or self.repeats < 1:
            raise ValueError("seconds must be above 0 and repeats at least 1")
        if self.seed < 0:
            raise ValueError(f"seed: expected a whole number of at least 0, got {self.seed}")
        names = self.games or tuple(registry.games())
        games = [registry.game(name, num_players=players) for name in names for players in self.players]
        described = machine()
        versions = ", ".join(f"{name} {version}" for name, version in described["versions"].items())
        console.print(f"{described['cpu']}, one core; {described['clock']}; Python {described['python']}, {versions}\n")
        results = []
        for game in games:
            with Progress(console=console, transient=True) as progress:
                bar = progress.add_task(f"{game.title}, {game.num_players} players", total=self.repeats)
                rows = measure_game(game, self.seconds, self.repeats, self.seed, lambda bar=bar: progress.advance(bar))  # type: ignore[misc]
            show(game, rows, console)
            results.append(
                {
                    "game": game.name,
                    "num_players": game.num_players,
                    "record_bytes": game.dtype.itemsize,
                    "num_actions": game.num_actions,
                    "observation_size": game.observation_size,
                    "rows": [asdict(row) for row in rows],
                }
            )
        settings = {"seconds": self.seconds, "repeats": self.repeats, "seed": self.seed}
        return {"machine": described, "settings": settings, "results": results}


def main() -> None:
    settings = tyro.cli(Throughput, prog="python -m benchmarks.throughput", description=__doc__)
    console = Console(width=None if sys.stdout.isatty() else 100)
    try:
        report = settings.run(console)
        if settings.json is not None:
            write_json(settings.json, report)
    except ValueError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
