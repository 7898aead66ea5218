"""Measure the network of a run against the agents that need no training, and put it where ``ppo`` is found.

    python -m agents.export runs/xenon

Writes ``agents/pretrained/<game>.safetensors`` and its sidecar with the results.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from agents import PRETRAINED, available, load
from agents.games import check_count, player_counts
from agents.network import read, sidecar, write
from agents.ppo import Policy
from agents.report import command_line
from agents.story import command
from agents.tables import win_rate
from core import registry

__all__ = ["MOST_BYTES", "Export"]

MOST_BYTES = 4 * 2**20
"""A checkpoint in the package is no larger."""


@dataclass(frozen=True)
class Export:
    """Measure the network of a run and ship it."""

    run_dir: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(name="run")]
    """The directory of a run, or a file that ends in .safetensors."""
    out: Path | None = None
    """Where it goes; by default the package."""
    games: int = 2000
    """Of each measurement, seats rotated."""
    seed: int = 1000
    """Of the games."""

    def run(self, console: Console) -> dict[str, Any]:
        """Measure, write, print the table and return the sidecar.

        Raises:
            ValueError: there is no network, it does not fit its game, or it is too large to ship.
        """
        source = self.run_dir if self.run_dir.suffix == ".safetensors" else self.run_dir / "policy.safetensors"
        try:
            name = json.loads(sidecar(source).read_text(encoding="utf-8"))["game"]
        except (OSError, ValueError, KeyError, TypeError):
            raise ValueError(f"{source}: there is no network with a sidecar") from None
        kind = registry.game_class(name)
        network, story = read(source, registry.game(name))
        if source.stat().st_size > MOST_BYTES:
            raise ValueError(f"{source} has {source.stat().st_size} bytes; what is shipped has at most {MOST_BYTES}")
        check_count("games", self.games, 1)
        results: dict[str, dict[str, float]] = {}
        table = Table(title=f"{kind.title}: wins of one trained agent", title_justify="left")
        rivals = [rival for rival in ("random", "greedy") if rival in available(registry.game(name))]
        for heading in ("players", *(f"against {rival}" for rival in rivals)):
            table.add_column(heading, justify="right")
        for count in player_counts(name):
            game = registry.game(name, num_players=count)
            row = results[f"{count} players"] = {}
            for rival in rivals:
                row[rival] = win_rate(game, Policy(network, game), load(rival, game), self.games, self.seed)
            table.add_row(str(count), *(f"{rate:.1%}" for rate in row.values()))
        out = self.out or PRETRAINED / f"{name}.safetensors"
        story["commands"] = [*story.get("commands", []), command()]
        story |= {"results": results, "result_games": self.games}
        write(out, network, registry.game(name), story)
        console.print(table)
        console.print(f"written to {out}", highlight=False)
        return story


def main() -> None:
    settings = tyro.cli(Export, prog="python -m agents.export", description=__doc__)
    with command_line() as console:
        settings.run(console)


if __name__ == "__main__":
    main()
