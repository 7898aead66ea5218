"""How fast PPO learns on a batch of games, against the same learner on one-seat environments, and where the time goes.

    python -m benchmarks.training xenon

Both learners are MaskablePPO with the same network, number of games, rollout and opponents (a past network and a
scripted agent, or a random one where there is none). One has ``SelfPlayVecEnv``, the other a ``DummyVecEnv`` of
Gymnasium environments. Each repeat is one rollout and its update, taken in turn, all on one thread. Number of games and
precision are by default those with which the shipped networks of Xenon and Pax were trained; the update is the same for
both learners, so the faster it is, the more the environments count.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import torch
import tyro
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
from threadpoolctl import threadpool_limits

from agents import Agent, available, load
from agents.learning import MaskedPolicy, check_precision, from_policy, policy_settings
from agents.ppo import Policy
from agents.vec_env import SelfPlayVecEnv
from benchmarks.measure import clock, machine
from core import registry
from core.files import write_json
from core.game import Game
from core.gym_env import BoardroomGymEnv

__all__ = ["Split", "TrainingSpeed"]

PARTS = ("environment", "opponents", "forward", "update", "rest")


@dataclass
class Split:
    """Where the seconds of a learner went."""

    steps: int = 0
    seconds: float = 0.0
    rates: list[float] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))

    @property
    def rate(self) -> float:
        """Steps of the learner a second, the median of the repeats."""
        return median(self.rates)

    def shares(self) -> dict[str, float]:
        return {part: seconds / self.seconds for part, seconds in self.parts.items()}


class _Clocked:
    """A learner whose parts are timed from inside."""

    def __init__(self, env: VecEnv, roster: list[Agent], settings: TrainingSpeed) -> None:
        self.split = Split()
        self.learner = _learner(env, settings)
        self.learner.set_logger(Logger(None, []))
        self._inside = 0.0
        policy = self.learner.policy
        for agent in roster:
            for name in ("act", "act_batch"):
                setattr(agent, name, self._timed("opponents", getattr(agent, name)))
        env.step = self._timed("environment", env.step)  # type: ignore[method-assign]
        policy.forward = self._timed("forward", policy.forward)  # type: ignore[method-assign]
        self.learner.train = self._timed("update", self.learner.train)  # type: ignore[method-assign]

    def run(self, steps: int) -> None:
        """One rollout and its update."""
        begun = clock()
        self.learner.learn(steps, reset_num_timesteps=False, log_interval=10**9)
        seconds = max(clock() - begun, 1e-9)
        self.split.steps += steps
        self.split.seconds += seconds
        self.split.rates.append(steps / seconds)
        self.split.parts["rest"] = self.split.seconds - sum(
            value for part, value in self.split.parts.items() if part != "rest"
        )

    def _timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            outer, self._inside = self._inside, 0.0
            begun = clock()
            result = function(*args, **kwargs)
            seconds = clock() - begun
            self.split.parts[part] += seconds - self._inside
            self._inside = outer + seconds
            return result

        return run


@dataclass(frozen=True)
class TrainingSpeed:
    """Measure the speed of training."""

    game: Annotated[str, tyro.conf.Positional] = "xenon"
    """The name of the game."""
    players: int = 2
    """Number of players."""
    envs: int = 1024
    """Games at once."""
    rollout: int = 32
    """Decisions of the learner in each game between two updates."""
    minibatch: int = 4096
    """Decisions in a step of learning."""
    epochs: int = 2
    """How often an update goes through the decisions."""
    trunk: tuple[int, ...] = (256,)
    """Widths of the layers that policy and value share."""
    heads: tuple[int, ...] = (256,)
    """Widths of the hidden layers of policy and value each."""
    precision: str = "medium"
    """Of torch's products of matrices, see agents.train."""
    repeats: int = 3
    """Rollouts that are measured, after one that is not."""
    json: Path | None = None
    """Write the figures to this file."""

    def run(self, console: Console) -> dict[str, Any]:
        """Measure, print the table and return what goes into the file.

        Raises:
            ValueError: an unknown game, or a number out of range.
        """
        for name in ("envs", "rollout", "minibatch", "epochs", "repeats"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected a whole number of at least 1, got {getattr(self, name)}")
        check_precision(self.precision)
        torch.set_num_threads(1)
        game = registry.game(self.game, num_players=self.players)
        learners = {"batch": self._batch(game), "one-seat": self._one_seat(game)}
        steps = self.envs * self.rollout
        with threadpool_limits(1), _products(self.precision):
            for learner in learners.values():
                learner.learner.learn(steps, log_interval=10**9)
                learner.split = Split()
            for _ in range(self.repeats):
                for learner in learners.values():
                    learner.run(steps)
        splits = {name: learner.split for name, learner in learners.items()}
        pairs = zip(splits["batch"].rates, splits["one-seat"].rates, strict=True)
        ratio = median(mine / other for mine, other in pairs)
        table = Table(title=f"{game.title}, {self.players} players, {self.envs} games at once", title_justify="left")
        table.add_column("learner on")
        for heading in ("steps/s", *PARTS):
            table.add_column(heading, justify="right")
        for name, split in splits.items():
            shares = (f"{share:.0%}" for share in split.shares().values())
            table.add_row(f"{name} environments", f"{split.rate:,.0f}", *shares)
        console.print(table)
        console.print(f"training on the batch is {ratio:.2f} times as fast", highlight=False)
        return {
            "game": game.name,
            "settings": {name: value for name, value in asdict(self).items() if name != "json"},
            "ratio": ratio,
            "learners": {name: asdict(s) | {"rate": s.rate, "shares": s.shares()} for name, s in splits.items()},
            "machine": machine(),
        }

    def _roster(self, game: Game) -> list[Agent]:
        past = Policy(
            from_policy(_learner(SelfPlayVecEnv(game, 1, [load("random", game)]), self).policy), game, sampling=True
        )
        return [past, load("greedy" if "greedy" in available(game) else "random", game)]

    def _batch(self, game: Game) -> _Clocked:
        roster = self._roster(game)
        return _Clocked(SelfPlayVecEnv(game, self.envs, roster), roster, self)

    def _one_seat(self, game: Game) -> _Clocked:
        roster = self._roster(game)
        makers: list[Callable[[], Any]] = [
            lambda k=k: BoardroomGymEnv(game, opponents=roster[k % 2])  # type: ignore[misc]
            for k in range(self.envs)
        ]
        return _Clocked(DummyVecEnv(makers), roster, self)


@contextmanager
def _products(precision: str) -> Iterator[None]:
    """Torch multiplies matrices so, for as long as it lasts."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def _learner(env: VecEnv, settings: TrainingSpeed) -> MaskablePPO:
    return MaskablePPO(
        MaskedPolicy,
        env,
        n_steps=settings.rollout,
        batch_size=settings.minibatch,
        n_epochs=settings.epochs,
        policy_kwargs=policy_settings(settings.trunk, settings.heads),
        seed=0,
        device="cpu",
    )


def main() -> None:
    settings = tyro.cli(TrainingSpeed, prog="python -m benchmarks.training", description=__doc__)
    begun = time.perf_counter()
    console = Console(width=None if sys.stdout.isatty() else 110)
    try:
        result = settings.run(console)
        if settings.json is not None:
            write_json(settings.json, result)
    except ValueError as error:
        sys.exit(f"error: {error}")
    console.print(f"{time.perf_counter() - begun:.0f} s", highlight=False)


if __name__ == "__main__":
    main()
