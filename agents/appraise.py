"""Learn what positions are worth to a script: a critic for ``agents.rollout`` and ``agents.improve``.

    python -m agents.appraise pax --out runs/pax/critic.safetensors --games 200_000

A script plays one seat of many games. At some point in each it makes random moves for a while; the positions after it,
whenever the seat is to move after others, and how the game ends, are what the critic learns from. Without the random
moves it would know only what the script does anyway, and misjudge what comes of anything else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from rich.console import Console
from threadpoolctl import threadpool_limits
from torch import nn

from agents import Agent, critic, load
from agents.critic import Critic
from agents.games import check_count, check_out, player_counts
from agents.learning import arrays
from agents.report import command_line
from agents.scripted import Scripted, script
from agents.story import told
from agents.tables import move
from agents.training_bar import training_bar
from core import registry
from core.game import Game
from core.vector import VectorEnv

__all__ = ["Appraisal", "appraised"]

LOT = 2000
"""Games at a time."""
LATEST, LONGEST = 90, 30
"""Decisions of the seat after which the random moves are over at the latest, and among how many they are."""
RATES = (0.05, 0.2, 0.4)
"""How often a move is random then; one of these for each game."""
POSITIONS = 6
"""Most positions that are taken from a game."""
DROPOUT, DECAY = 0.1, 0.01
HELD_OUT = 0.1
SCRIPT, OTHERS, STRANGER = range(3)


def appraised(
    games: list[Game], own: Scripted, others: Agent, size: int, seed: int
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Whole games, ``size`` at a time, for ever: outlooks, ``float32[n, size]``, and returns, ``float32[n]``."""
    batch = VectorEnv(games, size, seed, autoreset="disabled")
    rng = np.random.default_rng([seed, 6])
    roster = (own, others, load("random", games[0]))
    while True:
        players = batch.states["num_players"]
        seat = rng.integers(players)
        end = rng.integers(LATEST, size=size)
        start = np.maximum(0, end - rng.integers(1, LONGEST, size=size))
        strangeness = rng.choice(RATES, size=size)
        taken, noted = np.zeros(size, np.int64), np.zeros(size, np.int64)
        away = np.ones(size, np.bool_)
        running = np.arange(size)
        seen: list[NDArray[np.float32]] = []
        places: list[NDArray[np.int64]] = []
        while running.size:
            own_turn = batch.current_player[running] == seat[running]
            mine = running[own_turn]
            due = mine[away[mine] & (taken[mine] > end[mine]) & (noted[mine] < POSITIONS)]
            if due.size:
                seen.append(own.outlooks(batch.states, due, batch.game).astype(np.float16))
                places.append(due)
                noted[due] += 1
            exploring = (taken[mine] >= start[mine]) & (taken[mine] <= end[mine])
            exploring &= rng.random(len(mine)) < strangeness[mine]
            who = np.full(len(running), OTHERS)
            who[own_turn] = np.where(exploring, STRANGER, SCRIPT)
            taken[mine] += 1
            away[running] = ~own_turn
            move(batch, running, who, roster, rng)
            running = running[batch.current_player[running] >= 0]
        where = np.concatenate(places)
        yield np.concatenate(seen), batch.rewards[where, seat[where]].astype(np.float32)
        batch.reset()


@dataclass(frozen=True)
class Appraisal:
    """Learn what positions are worth to a script."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    out: Path
    """Where the critic goes, a file that ends in .safetensors."""
    script: str = "tuned"
    """Whose positions and outlook they are: greedy or tuned."""
    opponent: str = "greedy"
    """Who has the other seats, see agents.load."""
    games: int = 200_000
    """How many are played."""
    players: tuple[int, ...] = ()
    """Numbers of players, in turn game by game; a number given twice is played twice as often. Default: all."""
    widths: tuple[int, ...] = (128, 128)
    """Of the layers."""
    epochs: int = 8
    """How often the positions are gone through."""
    learning_rate: float = 1e-3
    """At the start; it falls to 0 in a line."""
    batch: int = 2048
    """Positions in a step of learning."""
    seed: int = 0
    """The same seed gives the same critic (with the same versions, machine and threads)."""
    threads: int = 1
    """Of torch and numpy."""

    def run(self, console: Console) -> Critic:
        """Play, learn, write the critic and return it.

        Raises:
            ValueError: an unknown game or agent, or a number out of range.
        """
        for name in ("games", "epochs", "batch", "threads"):
            check_count(name, getattr(self, name), 1)
        check_out(self.out, ".safetensors")
        games = [registry.game(self.game, num_players=count) for count in player_counts(self.game, self.players)]
        own, others = script(self.script, games[0]), load(self.opponent, games[0])
        torch.manual_seed(self.seed)
        begun = time.perf_counter()
        seen, outcomes, played = [], [], 0
        size = min(LOT, self.games)
        with (
            threadpool_limits(self.threads),
            training_bar(console, f"{games[0].title}, games to appraise", self.games, unit="games") as show,
        ):
            for outlooks, returns in appraised(games, own, others, size, self.seed):
                seen.append(outlooks)
                outcomes.append(returns)
                played += size
                show(played, f"{sum(map(len, outcomes)):,} positions")
                if played >= self.games:
                    break
        inputs, wanted = torch.from_numpy(np.concatenate(seen)), torch.from_numpy(np.concatenate(outcomes))
        with threadpool_limits(self.threads):
            found, explained = self._learn(console, games[0].title, inputs, wanted)
        facts = {
            "positions": len(wanted),
            "explained_variance": explained,
            "wall_seconds": round(time.perf_counter() - begun, 1),
        }
        critic.write(self.out, found, games[0], own, told(asdict(self), facts))
        console.print(
            f"{self.out} explains {explained:.1%} of the variance of the outcomes of positions it has not seen",
            highlight=False,
        )
        return found

    def _learn(self, console: Console, title: str, inputs: torch.Tensor, wanted: torch.Tensor) -> tuple[Critic, float]:
        """The critic, and what it explains of the outcomes of the last games, which it does not learn from."""
        sizes = [inputs.shape[1], *self.widths]
        modules: list[nn.Module] = []
        for before, after in pairwise(sizes):
            modules += [nn.Linear(before, after), nn.ReLU(), nn.Dropout(DROPOUT)]
        network = nn.Sequential(*modules, nn.Linear(sizes[-1], 1))
        optimizer = torch.optim.AdamW(network.parameters(), self.learning_rate, weight_decay=DECAY)
        known = max(1, int(len(wanted) * (1 - HELD_OUT)))
        steps = -(-known // self.batch) * self.epochs
        done = 0
        with training_bar(console, f"{title}, critic", steps) as show:
            for _ in range(self.epochs):
                for part in torch.randperm(known).split(self.batch):
                    optimizer.param_groups[0]["lr"] = self.learning_rate * (1 - done / steps)
                    loss = nn.functional.mse_loss(network(inputs[part].float())[:, 0], wanted[part])
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    done += 1
                    show(done, "")
        found = Critic(tuple(arrays(layer) for layer in network if isinstance(layer, nn.Linear)))
        rest, outcome = inputs[known:].float().numpy(), wanted[known:].numpy()
        spread = float(outcome.var()) if len(outcome) else 0.0
        explained = 1 - float(((found.values(rest) - outcome) ** 2).mean()) / spread if spread > 0 else 0.0
        return found, explained


def main() -> None:
    settings: Any = tyro.cli(Appraisal, prog="python -m agents.appraise", description=__doc__)
    with command_line() as console:
        settings.run(console)


if __name__ == "__main__":
    main()
