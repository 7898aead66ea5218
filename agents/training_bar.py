"""The progress bar of a training, or a line now and then where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

__all__ = ["training_bar"]

LINE_SECONDS = 30.0


@contextmanager
def training_bar(
    console: Console, title: str, total: int, done: int = 0, unit: str = "steps"
) -> Iterator[Callable[[int, str], None]]:
    """Show how far a training is; yields ``show(steps done, words)``.

    Args:
        console: a terminal gets a bar, a file a line every half minute.
        title: what is trained.
        total: steps in all.
        done: steps that an earlier run made.
        unit: what the steps are.
    """
    begun, printed = time.perf_counter(), 0.0
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as progress:
        line = progress.add_task(title, total=total, completed=done, words="")

        def show(steps: int, words: str) -> None:
            nonlocal printed
            seconds = max(time.perf_counter() - begun, 1e-9)
            speed = (steps - done) / seconds
            rate = f"{f'{speed:,.0f}' if speed >= 10 else f'{speed:.2g}'} {unit}/s, {words}"
            progress.update(line, completed=min(steps, total), words=rate)
            if not console.is_terminal and seconds - printed > LINE_SECONDS:
                printed = seconds
                console.print(f"{title}: {steps:,} of {total:,} {unit}, {rate}, {seconds:.0f} s", highlight=False)

        yield show
