"""Teach a network to play like a scripted agent, as a start for ``agents.train``.

    python -m agents.imitate xenon --out runs/xenon/imitated.safetensors --samples 4_000_000

The teacher plays all seats; now and then a random move is made in its place, so that it is seen to play on from
positions that it would not have come to, but what the network learns is always the teacher's choice. The value learns
the outcome.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from rich.console import Console
from torch.nn import functional as F

from agents import Agent, load
from agents.learning import blank_learner, from_policy
from agents.network import Network, write
from agents.ppo import Policy
from agents.story import told
from agents.tables import move, win_rate
from agents.training_bar import training_bar
from agents.vec_env import SelfPlayVecEnv
from core import registry
from core.game import Game
from core.vector import VectorEnv

__all__ = ["Imitation", "lessons"]

Lesson = tuple[NDArray[np.float16], NDArray[np.bool_], NDArray[np.int64], NDArray[np.float32]]


def lessons(games: list[Game], teacher: Agent, size: int, noise: float, seed: int) -> Iterator[Lesson]:
    """Whole games of the teacher, ``size`` at a time, for ever.

    Yields:
        observations ``[n, observation_size]``, masks ``[n, num_actions]``, the teacher's actions ``[n]`` and the
        outcomes ``[n]`` for the player to move, in random order.
    """
    batch = VectorEnv(games, size, seed, autoreset="disabled")
    rng = np.random.default_rng([seed, 3])
    roster = (teacher, load("random", games[0]))
    while True:
        running = np.arange(size)
        seen: list[tuple[NDArray[np.float16], NDArray[np.bool_], NDArray[np.int64]]] = []
        places: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        while running.size:
            action = teacher.act_batch(batch, running, rng)
            seen.append((batch.observations[running].astype(np.float16), batch.action_mask[running], action))
            places.append((running, batch.current_player[running].copy()))
            strays = rng.random(len(running)) < noise
            if not strays.all():
                batch.step(action[~strays], running[~strays])
            if strays.any():
                move(batch, running[strays], np.ones(strays.sum(), np.int64), roster, rng)
            running = running[batch.current_player[running] >= 0]
        outcomes = np.concatenate([batch.rewards[game, seat] for game, seat in places])
        order = rng.permutation(len(outcomes))
        observations, masks, actions = (np.concatenate(part)[order] for part in zip(*seen, strict=True))
        yield observations, masks, actions, outcomes[order]
        batch.reset()


@dataclass(frozen=True)
class Imitation:
    """Teach a network to play like a scripted agent."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    out: Path
    """Where the network goes, a file that ends in .safetensors."""
    teacher: str = "greedy"
    """An agent, see agents.load."""
    samples: int = 4_000_000
    """Decisions to learn from, each seen once."""
    players: tuple[int, ...] = ()
    """Numbers of players, in turn game by game; a number given twice is played twice as often. Default: all."""
    trunk: tuple[int, ...] = (256,)
    """Widths of the layers that policy and value share."""
    heads: tuple[int, ...] = (256,)
    """Widths of the hidden layers of policy and value each."""
    learning_rate: float = 1e-3
    """At the start; it falls to 0 in a line."""
    batch: int = 1024
    """Decisions in a step of learning."""
    noise: float = 0.1
    """How often a random move is made."""
    games: int = 256
    """How many games are played at once; all their decisions are held in memory."""
    value_weight: float = 0.5
    """Of the squared error of the value, beside the cross-entropy of the action."""
    seed: int = 0
    """The same seed gives the same network (with the same versions, machine and threads)."""
    threads: int = 1
    """Of torch."""

    def run(self, console: Console) -> Network:
        """Learn, write the network and return it.

        Raises:
            ValueError: an unknown game or agent, or a number out of range.
        """
        kind = registry.game_class(self.game)
        counts = self.players or tuple(range(max(2, kind.min_players), kind.max_players + 1))
        games = [registry.game(self.game, num_players=count) for count in counts]
        for name in ("samples", "batch", "games", "threads"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected a whole number of at least 1, got {getattr(self, name)}")
        if not 0 <= self.noise <= 1:
            raise ValueError(f"noise: expected a number from 0 to 1, got {self.noise}")
        teacher = load(self.teacher, games[0])
        torch.set_num_threads(self.threads)
        torch.manual_seed(self.seed)
        policy = blank_learner(SelfPlayVecEnv(games, len(games), [teacher]), self.trunk, self.heads, self.seed)
        optimizer = torch.optim.Adam(policy.parameters(), self.learning_rate)
        begun, learnt, agreed = time.perf_counter(), 0, 0.0
        with training_bar(console, f"{games[0].title}, imitation of {self.teacher}", self.samples) as show:
            for observations, masks, actions, outcomes in lessons(games, teacher, self.games, self.noise, self.seed):
                for start in range(0, len(actions), self.batch):
                    part = slice(start, start + self.batch)
                    optimizer.param_groups[0]["lr"] = self.learning_rate * (1 - learnt / self.samples)
                    features = policy.extract_features(torch.from_numpy(observations[part]).float())
                    hidden, value_hidden = policy.mlp_extractor(features)
                    logits = policy.action_net(hidden).masked_fill(~torch.from_numpy(masks[part]), -1e8)
                    wanted = torch.from_numpy(actions[part])
                    values = policy.value_net(value_hidden).flatten()
                    loss = F.cross_entropy(logits, wanted) + self.value_weight * F.mse_loss(
                        values, torch.from_numpy(outcomes[part])
                    )
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    agreed += 0.02 * (float((logits.argmax(1) == wanted).float().mean()) - agreed)
                    learnt += len(wanted)
                    if learnt >= self.samples:
                        break
                show(learnt, f"agrees {agreed:.1%}")
                if learnt >= self.samples:
                    break
        network = from_policy(policy)
        seconds = time.perf_counter() - begun
        results = {f"{count} players": self._result(count, network) for count in sorted(set(counts))}
        story = told(asdict(self), {"samples": learnt, "wall_seconds": round(seconds, 1), "results": results})
        write(self.out, network, games[0], story)
        console.print(
            f"agrees with {self.teacher} in {agreed:.1%} of decisions; {results}; {seconds:.0f} s", highlight=False
        )
        return network

    def _result(self, count: int, network: Network) -> dict[str, float]:
        game = registry.game(self.game, num_players=count)
        rivals = {name: load(name, game) for name in dict.fromkeys(("random", self.teacher))}
        return {name: win_rate(game, Policy(network), rival, 400, seed=1) for name, rival in rivals.items()}


def main() -> None:
    settings = tyro.cli(Imitation, prog="python -m agents.imitate", description=__doc__)
    try:
        settings.run(Console(width=None if sys.stdout.isatty() else 110))
    except ValueError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
