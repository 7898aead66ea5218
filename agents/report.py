"""What the commands print while they run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from agents.games import wilson

__all__ = ["command_line", "progress_bar", "rate", "share"]


def progress_bar(console: Console) -> Progress:
    """A bar with the time elapsed; each task has a field ``speed``, a text."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )


def rate(count: float, seconds: float) -> str:
    """So many a second, as ``1.25 M``."""
    value = count / max(seconds, 1e-9)
    for unit, size in ((" M", 1e6), (" k", 1e3)):
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value:.1f}"


def share(part: float, games: int) -> str:
    """A share of games won and its 95 % interval, as ``52.0 % (47.1 to 56.9)``."""
    low, high = wilson(part * games, games)
    return f"{part:.1%} ({100 * low:.1f} to {100 * high:.1f})"


@contextmanager
def command_line(stopped: str = "stopped") -> Iterator[Console]:
    """The console of a command that runs inside; a ValueError or a stop by the user ends the program with a sentence.

    Args:
        stopped: what is said after a stop.
    """
    try:
        yield Console(width=None if sys.stdout.isatty() else 110)
    except ValueError as error:
        sys.exit("; ".join([f"error: {error}", *getattr(error, "__notes__", [])]))
    except KeyboardInterrupt:
        sys.exit(stopped)
