"""Timing of pieces of work against each other, and what to say about the machine they ran on."""

from __future__ import annotations

import gc
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["Task", "Timing", "interleave", "machine"]

# CPU time leaves out what other programs take meanwhile, but some systems count it in coarse ticks.
CPU_CLOCK = time.get_clock_info("process_time").resolution <= 1e-6
clock = time.process_time if CPU_CLOCK else time.perf_counter


@dataclass(frozen=True)
class Task:
    """A piece of work that can be done in any amount.

    Attributes:
        key: names it.
        run: does about so many rounds of it (at least one) and returns how many units that were.
    """

    key: str
    run: Callable[[int], int]


@dataclass
class Timing:
    """The rates of one task, units a second, one a repeat."""

    rates: list[float]

    @property
    def rate(self) -> float:
        return median(self.rates)

    def ratio(self, floor: Timing) -> float:
        """The median of the ratios taken repeat by repeat, so that a machine that changes its speed does no harm."""
        return median(mine / other for mine, other in zip(self.rates, floor.rates, strict=True))


def interleave(
    tasks: Sequence[Task], seconds: float, repeats: int, watch: Callable[[], None] = lambda: None
) -> dict[str, Timing]:
    """Time all tasks in turn, ``repeats`` times over, each for about ``seconds`` in all.

    ``watch`` is called after each repeat.

    Returns:
        The timings by the keys of the tasks.
    """
    portion = seconds / repeats
    rounds = {task.key: _rounds(task, portion) for task in tasks}
    timings = {task.key: Timing([]) for task in tasks}
    # What compiling left behind is millions of objects: a collection of all of them would be charged to one row.
    gc.collect()
    gc.freeze()
    for _ in range(repeats):
        for task in tasks:
            timings[task.key].rates.append(_timed(task, rounds[task.key])[0])
        watch()
    gc.unfreeze()
    return timings


def _rounds(task: Task, portion: float) -> int:
    """How many rounds take about ``portion`` seconds; the first round, which may compile, is not counted."""
    task.run(1)
    rounds = 1
    while True:
        _, seconds = _timed(task, rounds)
        if seconds >= portion / 4:
            return max(1, round(rounds * portion / seconds))
        rounds *= 2


def _timed(task: Task, rounds: int) -> tuple[float, float]:
    begun = clock()
    units = task.run(rounds)
    seconds = max(clock() - begun, 1e-9)
    return units / seconds, seconds


def machine() -> dict[str, Any]:
    """What a figure depends on besides the code: processor, versions, clock, date, and the command that ran."""
    packages = ("boardroom-envs", "numpy", "numba", "pettingzoo", "gymnasium")
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {package: _version(package) for package in packages},
        "clock": "CPU time of the process" if CPU_CLOCK else "wall clock",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": ["python", "-m", _main_module(), *sys.argv[1:]],
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _main_module() -> str:
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec.name if spec is not None else Path(sys.argv[0]).name
