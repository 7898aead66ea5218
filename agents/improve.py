"""Improve a network by looking ahead: it learns what the actions it considers come to.

    python -m agents.improve pax --init runs/pax/policy.safetensors --out runs/pax/improved.safetensors --rounds 60

In each round the network plays one seat of many games, by its chances. In some of its decisions the actions that it
finds likeliest are played out by scripts until a critic values them, see ``agents.rollout``. Then the network learns to
expect more: it climbs the mean result over its chances, held back by how far it moves in a round. So all actions of a
decision are learnt from at once, with little left of chance, where ``agents.train`` learns from one and its game.

The network is written after every evaluation, so that a second run can begin with what a stopped one has learnt.
"""

from __future__ import annotations

import copy
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from rich.console import Console
from threadpoolctl import threadpool_limits
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from agents import Agent, critic
from agents.games import check_count, check_out, player_counts
from agents.learning import MaskedPolicy, blank_learner, check_precision, from_policy, into_policy, widths
from agents.network import Network, choose, read, write
from agents.ppo import Policy, based
from agents.report import command_line, share
from agents.rollout import NONE, Foresight
from agents.scripted import script
from agents.story import told
from agents.tables import win_rate
from agents.training_bar import training_bar
from agents.vec_env import SelfPlayVecEnv
from core import registry
from core.vector import VectorEnv

__all__ = ["Improvement", "lessons"]


class Lesson(NamedTuple):
    """Decisions, and what the likeliest actions come to.

    Attributes:
        seen: what the network saw, ``float16[n, features]``.
        choices: the actions, ``int64[n, choices]``, then ``NONE``.
        results: what each comes to, as a return, ``float32[n, choices]``; 0 where there is none.
        outcomes: the return of the game, ``float32[n]``.
    """

    seen: NDArray[np.float16]
    choices: NDArray[np.int64]
    results: NDArray[np.float32]
    outcomes: NDArray[np.float32]


def lessons(
    batch: VectorEnv,
    policy: Policy,
    opponent: Agent,
    foresight: Foresight,
    rng: np.random.Generator,
    *,
    part: float,
    most: int,
    threads: int,
) -> tuple[Lesson, float]:
    """Play the games of a batch, which have just begun, to their ends.

    Args:
        batch: the games.
        policy: plays one seat of each, by its chances.
        opponent: plays the others.
        foresight: says what actions come to.
        rng: seats and choices.
        part: of its decisions are looked into, 0 to 1.
        most: actions are looked into in each.
        threads: of the foresight.

    Returns:
        The lesson, and the mean return of the policy's seats.
    """
    seat = rng.integers(batch.states["num_players"])
    running = np.arange(len(seat))
    found: list[tuple[NDArray[Any], ...]] = []
    places: list[NDArray[np.int64]] = []
    while running.size:
        own = batch.current_player[running] == seat[running]
        mine, theirs = running[own], running[~own]
        chosen = np.empty(len(running), np.int64)
        if mine.size:
            masks = batch.action_mask[mine]
            seen = policy.seen(batch, mine)
            logits = np.where(masks, policy.network.logits(seen), -np.inf)
            drawn = np.empty(len(mine), np.int64)
            choose(logits, masks, rng.random(len(mine)), drawn)
            chosen[own] = drawn
            picked = np.flatnonzero((masks.sum(axis=1) > 1) & (rng.random(len(mine)) < part))
            if picked.size:
                likeliest = np.argsort(-logits[picked], axis=1, kind="stable")[:, :most]
                likely = np.take_along_axis(masks[picked], likeliest, axis=1)
                choices = np.where(likely, likeliest, NONE)
                results = foresight.results(batch.states[mine[picked]], choices, rng, threads).mean(axis=2)
                found.append((seen[picked].astype(np.float16), choices, np.nan_to_num(results).astype(np.float32)))
                places.append(mine[picked])
        if theirs.size:
            chosen[~own] = opponent.act_batch(batch, theirs, rng)
        batch.step(chosen, running)
        running = running[batch.current_player[running] >= 0]
    outcomes = batch.rewards[np.arange(len(seat)), seat].astype(np.float32)
    where = np.concatenate(places)
    columns: Any = [np.concatenate(column) for column in zip(*found, strict=True)]
    return Lesson(columns[0], columns[1], columns[2], outcomes[where]), float(outcomes.mean())


@dataclass(frozen=True)
class Improvement:
    """Improve a network by looking ahead."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    init: Path
    """The network to begin with, a file that ends in .safetensors."""
    out: Path
    """Where the network goes, a file that ends in .safetensors."""
    critic: Path | None = None
    """Of positions of the script, a file that agents.appraise wrote. Default: the one that is shipped."""
    script: str = ""
    """Goes on after the actions. Default: the network's base, or greedy if it has none."""
    base: str = ""
    """The network listens to this script as to its base before; see agents.network.Network."""
    opponent: str = "greedy"
    """The script that has the other seats."""
    rounds: int = 60
    """How often games are played and learnt from."""
    games: int = 768
    """In a round, all at once."""
    players: tuple[int, ...] = ()
    """Numbers of players, in turn game by game; a number given twice is played twice as often. Default: all."""
    part: float = 0.5
    """How many of the decisions are looked into."""
    choices: int = 8
    """Actions looked into, the likeliest."""
    rollouts: int = 2
    """Of each action."""
    turns: int = 2
    """How far ahead: turns of the player to move until the critic is asked."""
    memory: int = 150_000
    """Decisions that are learnt from in a round, those of the last rounds."""
    learning_rate: float = 4e-4
    """At the start; it falls to a tenth in a line."""
    batch: int = 1024
    """Decisions in a step of learning."""
    passes: float = 1.0
    """How often a round goes through the memory."""
    restraint: float = 0.02
    """What a nat of distance to the network as it was before the round must bring, as a return."""
    entropy: float = 0.001
    """What a nat of entropy is taken to bring."""
    averaging: float = 0.998
    """What is kept of the mean of the weights in a step of learning, with which games are played: the network is the
    mean of the learner's last weights, so that what chance moved is evened out. 0: it is the learner as it stands."""
    value_weight: float = 0.1
    """Of the squared error of the value of the game's outcome."""
    evaluate_every: int = 5
    """Rounds between two evaluations."""
    evaluation_games: int = 2000
    """Games of each evaluation with each number of players."""
    minutes: float | None = None
    """Stop after so long; --init goes on from there."""
    seed: int = 0
    """The same seed gives the same network (with the same versions, machine, threads and precision); a run that goes on
    with another's network needs another for other deals."""
    threads: int = 1
    """Of rollouts, torch and numpy."""
    precision: str = "highest"
    """Of torch's products of matrices, see agents.train."""

    def run(self, console: Console) -> Network:
        """Play and learn, write the network and return it.

        Raises:
            ValueError: an unknown game or agent, a number out of range, or a file that does not fit.
        """
        least = {"rounds": 1, "games": 1, "choices": 2, "rollouts": 1, "turns": 1, "memory": 2, "batch": 2, "seed": 0}
        for name, low in (least | {"evaluate_every": 1, "evaluation_games": 1, "threads": 1}).items():
            check_count(name, getattr(self, name), low)
        if not 0 <= self.averaging < 1:
            raise ValueError(f"averaging: expected a number from 0 to below 1, got {self.averaging}")
        if not 0 < self.part <= 1:
            raise ValueError(f"part: expected a number above 0, at most 1, got {self.part}")
        check_out(self.out, ".safetensors")
        check_precision(self.precision)
        counts = player_counts(self.game, self.players)
        games = {count: registry.game(self.game, num_players=count) for count in counts}
        first = games[counts[0]]
        start, before = read(self.init, first)
        start, base = based(start, self.base, first)
        own = script(self.script, first) if self.script else base or script("greedy", first)
        opponent = script(self.opponent, first)
        judge = critic.load(first, own) if self.critic is None else critic.read(self.critic, first, own)
        foresight = Foresight(first, own, opponent, judge, self.rollouts, self.turns)
        torch.set_num_threads(self.threads)
        torch.set_float32_matmul_precision(self.precision)
        torch.manual_seed(self.seed)
        learner = blank_learner(SelfPlayVecEnv(first, 1, [opponent], base=base), *widths(start), self.seed, start.base)
        into_policy(start, learner)
        mean = AveragedModel(learner, multi_avg_fn=get_ema_multi_avg_fn(self.averaging))
        mean.update_parameters(learner)
        average = cast(MaskedPolicy, mean.module)
        optimizer = torch.optim.Adam(learner.parameters(), self.learning_rate)
        batch = VectorEnv([games[count] for count in counts], self.games, self.seed, autoreset="disabled")
        rng = np.random.default_rng([self.seed, 7])
        memory: list[Lesson] = []
        curve: list[dict[str, Any]] = []
        begun = time.perf_counter()

        def evaluate(done: int) -> tuple[Network, dict[str, float]]:
            network = from_policy(average)
            rates = {
                f"{count} players": win_rate(game, Policy(network, game, base=base), opponent, self.evaluation_games, 1)
                for count, game in sorted(games.items())
            }
            curve.append({"round": done, "seconds": round(time.perf_counter() - begun, 1), **rates})
            facts = {"rounds": done, "wall_seconds": curve[-1]["seconds"], "curve": [*before.get("curve", []), *curve]}
            write(self.out, network, first, told(asdict(self), facts, before))
            return network, rates

        with (
            threadpool_limits(self.threads),
            training_bar(console, f"{first.title}, improvement", self.rounds, unit="rounds") as show,
        ):
            network, rates = evaluate(0)
            for done in range(1, self.rounds + 1):
                lesson, earned = lessons(
                    batch,
                    Policy(from_policy(average), first, base=base),
                    opponent,
                    foresight,
                    rng,
                    part=self.part,
                    most=self.choices,
                    threads=self.threads,
                )
                memory.append(lesson)
                while sum(len(each.outcomes) for each in memory[1:]) >= self.memory:
                    memory.pop(0)
                rate = self.learning_rate * (1 - 0.9 * (done - 1) / self.rounds)
                gain, distance = self._learn(learner, mean, optimizer, rate, memory, rng)
                stopping = self.minutes is not None and time.perf_counter() - begun > 60 * self.minutes
                if done % self.evaluate_every == 0 or done == self.rounds or stopping:
                    network, rates = evaluate(done)
                wins = ", ".join(f"{rate:.1%} with {count}" for count, rate in rates.items())
                hope = f"hopes for {gain:+.4f} more a decision, {distance:.4f} nats away"
                show(done, f"wins {wins}; mean return {earned:+.3f}, {hope}")
                if stopping:
                    break
                batch.reset()
        for count, rate in rates.items():
            console.print(
                f"{count}: wins {share(rate, self.evaluation_games)} against {self.opponent}", highlight=False
            )
        console.print(f"{self.out} plays as ppo:{self.out}", highlight=False, soft_wrap=True)
        return network

    def _learn(
        self,
        learner: MaskedPolicy,
        mean: AveragedModel,
        optimizer: torch.optim.Optimizer,
        rate: float,
        memory: list[Lesson],
        rng: np.random.Generator,
    ) -> tuple[float, float]:
        """Go through the memory; how much more it expects of a decision than before, and how far it has moved."""
        optimizer.param_groups[0]["lr"] = rate
        lesson = [torch.from_numpy(np.concatenate(column)) for column in zip(*memory, strict=True)]
        old = copy.deepcopy(learner)
        gains: list[tuple[float, float]] = []
        total = len(lesson[0])
        order = np.concatenate([rng.permutation(total) for _ in range(int(np.ceil(self.passes)))])
        for rows in torch.from_numpy(order[: max(2, int(total * self.passes))]).split(self.batch):
            seen, choices, results, outcomes = (column[rows] for column in lesson)
            there = choices != NONE
            chances, values = _considered(learner, seen, choices, there)
            with torch.no_grad():
                before, _ = _considered(old, seen, choices, there)
            shares = chances.exp()
            level = (before.exp() * results).sum(1, keepdim=True)
            gain = (shares * (results - level) * there).sum(1).mean()
            distance = (shares * (chances - before) * there).sum(1).mean()
            entropy = -(shares * chances * there).sum(1).mean()
            loss = self.restraint * distance - gain - self.entropy * entropy
            loss = loss + self.value_weight * F.mse_loss(values.flatten(), outcomes)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean.update_parameters(learner)
            gains.append((float(gain.detach()), float(distance.detach())))
        return tuple(np.mean(gains, axis=0).tolist())


FAINTEST = -50.0
"""Logarithm of the least chance that is told from none."""


def _considered(
    learner: MaskedPolicy, seen: torch.Tensor, choices: torch.Tensor, there: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Logarithms of the chances of each row's choices, as if there were no others; and the values."""
    chances, values = learner.log_chances(seen.float(), apart=True)
    considered = chances.gather(1, choices.clamp(min=0)).masked_fill(~there, -torch.inf)
    return torch.log_softmax(considered, 1).clamp(min=FAINTEST), values


def main() -> None:
    settings = tyro.cli(Improvement, prog="python -m agents.improve", description=__doc__)
    stopped = f"stopped; {settings.out}, if it has been written, holds what was learnt by then: --init goes on from it"
    with command_line(stopped) as console:
        settings.run(console)


if __name__ == "__main__":
    main()
