"""Weigh the rules of thumb of a scripted agent anew, so that it wins more games: an evolution strategy, CMA-ES.

    python -m agents.tune pax --out runs/pax/rules.json --generations 100
    python -m agents.tune pax --out runs/pax/more.json --init runs/pax/rules.json     begins with what a run has found
    python -m agents.tune pax --out pax.json --init runs/pax/more.json --generations 0             measures it, no more

Each generation draws some sets of rules, lets each play the same games against the agent as it is, and moves towards
those that won most (Hansen and Ostermeier 2001). What the file holds plays as ``tuned:runs/pax/rules.json``; it is
written after every generation.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import cma
import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from agents import load
from agents.games import check_count, check_out, player_counts
from agents.report import command_line, share
from agents.scripted import Rules, script, tupled
from agents.story import told
from agents.tables import win_rate
from agents.training_bar import training_bar
from agents.tuned import read, write
from core import registry

__all__ = ["Tuning"]


@dataclass(frozen=True)
class Tuning:
    """Weigh the rules of thumb of a scripted agent anew."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    out: Path
    """Where the rules go, a file that ends in .json."""
    init: Path | None = None
    """Begin with these rules."""
    generations: int = 60
    """How often sets of rules are drawn; 0 only measures those it begins with."""
    population: int = 24
    """Sets of rules in a generation."""
    games: int = 1000
    """Games of each set with each number of players."""
    players: tuple[int, ...] = ()
    """Numbers of players. Default: the least and the greatest."""
    opponent: str = "greedy"
    """Who has the other seats, see agents.load."""
    step: float = 0.2
    """How far the first sets lie from the rules they begin with, in parts of each number that the script has itself."""
    minutes: float | None = None
    """Stop after so long; --init goes on from there."""
    evaluation_games: int = 4000
    """Games of the measurement at the end, with each number of players."""
    seed: int = 0
    """The same seed gives the same rules (with the same versions and machine); a run that goes on with others' rules
    needs another for other deals."""

    def run(self, console: Console) -> Rules:
        """Evolve, with a progress bar; write the rules and return them.

        Raises:
            ValueError: an unknown game or agent, or a number out of range.
        """
        every = player_counts(self.game, self.players)
        counts = tuple(dict.fromkeys(self.players or (every[0], every[-1])))
        games = [registry.game(self.game, num_players=count) for count in counts]
        least = {"generations": 0, "population": 4, "games": 1, "evaluation_games": 1, "seed": 0}
        for name, low in least.items():
            check_count(name, getattr(self, name), low)
        if not self.step > 0:
            raise ValueError(f"step: expected a number above 0, got {self.step}")
        check_out(self.out, ".json")
        plain = script("greedy", games[0])
        start, before = (plain.rules, None) if self.init is None else read(self.init, games[0], plain.rules)
        rivals = [load(self.opponent, game) for game in games]
        origin, scale = flat(start), steps(plain.rules)
        apart = max(self.games, self.evaluation_games)  # seeds so far apart have no deal in common, see win_rate

        def shares(numbers: NDArray[np.float64], count: int, seed: int) -> list[float]:
            rules = folded(numbers, start)
            return [
                win_rate(game, plain.with_rules("candidate", rules), rival, count, seed)
                for game, rival in zip(games, rivals, strict=True)
            ]

        def worth(rates: list[float]) -> float:
            """The mean gain on an equal share of the wins, in parts of that share."""
            return float(np.mean([rate * game.num_players - 1 for rate, game in zip(rates, games, strict=True)]))

        options = {"popsize": self.population, "seed": self.seed + 1, "verbose": -9}
        search: Any = cma.CMAEvolutionStrategy(np.zeros(len(origin)), self.step, options)
        begun = time.perf_counter()
        curve: list[dict[str, float]] = [*(before or {}).get("curve", [])]
        rules: Rules = start

        def keep(**facts: Any) -> None:
            seconds = round(time.perf_counter() - begun, 1)
            write(
                self.out,
                games[0],
                rules,
                told(asdict(self), {"wall_seconds": seconds, **facts, "curve": curve}, before),
            )

        with training_bar(console, f"{games[0].title}, rules of thumb", self.generations, unit="generations") as show:
            for generation in range(self.generations):
                drawn = search.ask()
                seed = self.seed + (1 + generation) * apart
                gains = [worth(shares(origin + scale * z, self.games, seed)) for z in drawn]
                search.tell(drawn, [-gain for gain in gains])
                rules = folded(origin + scale * search.result.xfavorite, start)
                curve.append({"generation": len(curve) + 1, "mean": float(np.mean(gains)), "best": max(gains)})
                keep()
                show(generation + 1, f"gain on average {np.mean(gains):+.1%}, at best {max(gains):+.1%}")
                if self.minutes is not None and time.perf_counter() - begun > 60 * self.minutes:
                    break
        rates = shares(flat(rules), self.evaluation_games, self.seed)
        results = {f"{count} players": {self.opponent: rate} for count, rate in zip(counts, rates, strict=True)}
        keep(results=results, result_games=self.evaluation_games)
        table = Table(title=f"{games[0].title}: wins", title_justify="left")
        for heading in ("players", f"against {self.opponent}"):
            table.add_column(heading, justify="right")
        for count, rate in zip(counts, rates, strict=True):
            table.add_row(str(count), share(rate, self.evaluation_games))
        console.print(table)
        console.print(f"{self.out} plays as tuned:{self.out}", highlight=False, soft_wrap=True)
        return rules


def flat(rules: Rules) -> NDArray[np.float64]:
    """All numbers of the rules in a row."""
    return np.concatenate([np.ravel(np.array(value, np.float64)) for value in rules.values()])


def steps(rules: Rules) -> NDArray[np.float64]:
    """The unit of each number: its size; of a 0, half the mean size of the numbers beside it, or 1."""
    units = []
    for value in rules.values():
        sizes = np.ravel(np.abs(np.array(value, np.float64)))
        mean = sizes[sizes > 0].mean() if sizes.any() else 2.0
        units.append(np.where(sizes > 0, sizes, mean / 2))
    return np.concatenate(units)


def folded(numbers: NDArray[np.float64], like: Rules) -> Rules:
    """Rules with the names and shapes of others, and these numbers."""
    rules, first = {}, 0
    for name, value in like.items():
        size = int(np.size(value))
        part = np.reshape(numbers[first : first + size], np.shape(value)).tolist()
        rules[name] = tupled(part)
        first += size
    return rules


def main() -> None:
    settings = tyro.cli(Tuning, prog="python -m agents.tune", description=__doc__)
    stopped = f"stopped; {settings.out}, if it has been written, holds what was found by then: --init goes on from it"
    with command_line(stopped) as console:
        settings.run(console)


if __name__ == "__main__":
    main()
