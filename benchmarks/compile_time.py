"""How long a game takes to start, with an empty cache of compiled code and with a full one.

    python -m benchmarks.compile_time [GAME ...] [--repeats 5] [--json PATH]

Every start is a process of its own: imports included, the start of the interpreter not. "First step" is a new game and
one decision through the State API; "everything" goes on to the observation, the redrawn hidden parts, the scores, the
batch and random play, so that every kernel has been compiled or loaded.
"""

from __future__ import annotations

import json as json_module
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from benchmarks.measure import machine
from core import registry
from core.files import write_json
from core.jit import CACHE_VARIABLE

__all__ = ["Targets", "start", "timings"]

START = """
import json, sys, time
begun, used = time.perf_counter(), time.process_time()

def passed():
    return {"seconds": time.perf_counter() - begun, "cpu_seconds": time.process_time() - used}

from core import registry

game = registry.game(sys.argv[1])
state = game.new_initial_state(seed=0)
state.apply_action(state.legal_actions()[0])
first = passed()
state.observation(0), state.determinize(0, seed=0), state.scores(), state.returns(), state.winners()
batch = game.vector(2, seed=0)
batch.step(batch.action_mask.argmax(axis=1))
batch.play_random(2)
print(json.dumps({"first step": first, "everything": passed()}))
"""


@dataclass(frozen=True)
class Targets:
    """The most that a start should take, in seconds."""

    cold: float = 30.0
    warm: float = 1.5


TARGETS = {"pax": Targets(cold=45.0, warm=2.0)}


def start(name: str, cache: Path) -> dict[str, dict[str, float]]:
    """Start a game in a new process that keeps its compiled code in ``cache``.

    Returns:
        ``{"first step": {"seconds": .., "cpu_seconds": ..}, "everything": {..}}``, counted from the start.

    Raises:
        RuntimeError: the process failed; the message holds what it said.
    """
    done = subprocess.run(
        [sys.executable, "-c", START, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), CACHE_VARIABLE: str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{name} did not start:\n{done.stderr}")
    result: dict[str, dict[str, float]] = json_module.loads(done.stdout)
    return result


def timings(name: str, repeats: int) -> dict[str, dict[str, dict[str, float]]]:
    """One cold start of a game and the medians of ``repeats`` warm ones, under ``"cold"`` and ``"warm"``."""
    with tempfile.TemporaryDirectory(prefix="cold-start-") as cache:
        cold = start(name, Path(cache))
        warm = [start(name, Path(cache)) for _ in range(repeats)]
    medians = {point: {unit: median(run[point][unit] for run in warm) for unit in cold[point]} for point in cold}
    return {"cold": cold, "warm": medians}


@dataclass(frozen=True)
class CompileTime:
    """Measure how long games take to start, cold and warm."""

    games: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Names of games; all of them if none is given."""
    repeats: int = 5
    """Warm starts; the figure is their median."""
    json: Path | None = None
    """Write the figures, with the machine and the versions, to this file."""

    def run(self, console: Console) -> dict[str, Any]:
        """Measure, print the table and return what goes into the file.

        Raises:
            ValueError: an unknown game, or no repeats.
        """
        if self.repeats < 1:
            raise ValueError(f"repeats: expected at least 1, got {self.repeats}")
        names = self.games or tuple(registry.games())
        for name in names:
            registry.game(name)
        table = Table(title="Start of a game, seconds (CPU seconds)", title_justify="left")
        for heading in ("game", "cache", "first step", "everything", "target"):
            table.add_column(heading, justify="left" if heading in ("game", "cache") else "right")
        results = []
        for name in names:
            with console.status(f"starting {name}"):
                result = timings(name, self.repeats)
            targets = TARGETS.get(name, Targets())
            goals = {"cold": ("everything", targets.cold), "warm": ("first step", targets.warm)}
            for cache, (point, most) in goals.items():
                cells = {
                    key: f"{value['seconds']:.2f} ({value['cpu_seconds']:.2f})" for key, value in result[cache].items()
                }
                met = result[cache][point]["cpu_seconds"] <= most
                cells[point] = f"[{'green' if met else 'red'}]{cells[point]}"
                table.add_row(name, cache, cells["first step"], cells["everything"], f"{point} {most:g}")
            results.append({"game": name, **result, "targets": {c: {p: most} for c, (p, most) in goals.items()}})
        console.print(table)
        return {"machine": machine(), "settings": {"repeats": self.repeats}, "results": results}


def main() -> None:
    settings = tyro.cli(CompileTime, prog="python -m benchmarks.compile_time", description=__doc__)
    try:
        report = settings.run(Console())
        if settings.json is not None:
            write_json(settings.json, report)
    except (ValueError, RuntimeError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
