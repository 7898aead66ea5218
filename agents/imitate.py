"""Teach a network to play like a scripted agent, as a start for ``agents.train``.

    python -m agents.imitate xenon --out runs/xenon/imitated.safetensors --samples 4_000_000
    python -m agents.imitate xenon --out runs/xenon/imitated.safetensors --init runs/xenon/imitated.safetensors

What the network learns is always what the teacher would do, but not only where the teacher would come to: the network
itself, as far as it has learnt, plays some of the seats (Ross, Gordon and Bagnell 2011, DAgger), and now and then a
random move is made. The value learns the outcome. The network is written after every lot of games, at most once a
minute, so that a second run can begin with what a stopped one has learnt.

The teacher may be a search that the network itself guides, ``ppo-mcts:400:runs/xenon/policy.safetensors``: then the
network learns what it would find if it had the time (Anthony, Tian and Barber 2017, expert iteration). Where the
network is sure already such a teacher need not be asked. What comes out has no base, see ``agents.network``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from rich.console import Console
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from threadpoolctl import threadpool_limits
from torch.nn import functional as F

from agents import Agent, available, load
from agents.games import check_count, check_out, player_counts
from agents.learning import NEVER, blank_learner, from_policy, into_policy, widths
from agents.network import Network, read, write
from agents.ppo import Policy
from agents.report import command_line
from agents.story import told
from agents.tables import move, win_rate
from agents.training_bar import training_bar
from agents.vec_env import SelfPlayVecEnv
from core import registry
from core.game import Game
from core.vector import VectorEnv

__all__ = ["Imitation", "lessons"]

KEEP_SECONDS = 60.0
TEACHER, PUPIL, STRANGER, OPPONENT = range(4)


class Lesson(NamedTuple):
    """Decisions in random order, with the positions as the player to move sees them; ``asked``: is it the teacher's?"""

    observations: NDArray[np.float16]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    asked: NDArray[np.bool_]
    outcomes: NDArray[np.float32]

    def part(self, rows: slice) -> Lesson:
        columns: Any = (column[rows] for column in self)
        return Lesson(*columns)


def lessons(
    games: list[Game],
    teacher: Agent,
    pupil: Callable[[], Policy],
    *,
    size: int,
    part: float,
    noise: float,
    seed: int,
    opponent: Agent | None = None,
    opponents: float = 0.0,
    sure: float = 1.0,
) -> Iterator[Lesson]:
    """Whole games, ``size`` at a time, for ever, in each of whose positions the teacher says what it would do.

    Args:
        games: what is played, in turn game by game.
        teacher: plays the seats that are nobody else's.
        pupil: makes the agent that plays some of the seats, asked anew for each lot of games.
        size: games at a time.
        part: how many of the seats are the pupil's, 0 to 1.
        noise: how often a random move is made.
        seed: decides games, seats and random moves.
        opponent: plays some of the seats, of which nothing is learnt.
        opponents: how many, 0 to 1.
        sure: where the pupil gives an action at least this chance, that is what the teacher would do.
    """
    batch = VectorEnv(games, size, seed, autoreset="disabled")
    rng = np.random.default_rng([seed, 3])
    strange = load("random", games[0])
    while True:
        learner = pupil()
        roster = (teacher, learner, strange, opponent or strange)
        drawn = rng.random(batch.rewards.shape)
        cast = np.select([drawn < part, drawn >= 1 - opponents], [PUPIL, OPPONENT], TEACHER)
        running = np.arange(size)
        seen: list[tuple[NDArray[Any], ...]] = []
        places: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        while running.size:
            seats = batch.current_player[running]
            who = cast[running, seats]
            here = np.flatnonzero(who != OPPONENT)
            taught = running[here]
            wanted, asked = _answers(batch, taught, teacher, learner, sure, rng)
            seen.append((batch.observations[taught].astype(np.float16), batch.action_mask[taught], wanted, asked))
            places.append((taught, seats[here]))
            who[rng.random(len(running)) < noise] = STRANGER
            others = who != TEACHER
            batch.step(wanted[~others[here]], taught[~others[here]])
            move(batch, running[others], who[others], roster, rng)
            running = running[batch.current_player[running] >= 0]
        outcomes = np.concatenate([batch.rewards[game, seat] for game, seat in places])
        order = rng.permutation(len(outcomes))
        observations, masks, actions, asked = (np.concatenate(column)[order] for column in zip(*seen, strict=True))
        yield Lesson(observations, masks, actions, asked, outcomes[order])
        batch.reset()


def _answers(
    batch: VectorEnv,
    games: NDArray[np.int64],
    teacher: Agent,
    pupil: Policy,
    sure: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """What the teacher would do, and where it was asked."""
    if sure >= 1:
        return teacher.act_batch(batch, games, rng), np.ones(len(games), np.bool_)
    chances = pupil.chances(batch, games, rng)
    wanted, asked = chances.argmax(axis=1), chances.max(axis=1) < sure
    wanted[asked] = teacher.act_batch(batch, games[asked], rng)
    return wanted, asked


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
    init: Path | None = None
    """Begin with this network, a file that ends in .safetensors."""
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
    pupil: float = 0.3
    """How many of the seats the network itself plays."""
    noise: float = 0.05
    """How often a random move is made."""
    opponent: str = "random"
    """An agent for some more of the seats, of whom nothing is learnt; see agents.load."""
    opponents: float = 0.0
    """How many of the seats are the opponent's; the rest is the teacher's."""
    sure: float = 1.0
    """Where the network gives an action at least this chance, the teacher is not asked; for slow teachers."""
    games: int = 256
    """How many games are played at once; all their decisions are held in memory."""
    value_weight: float = 0.5
    """Of the squared error of the value, beside the cross-entropy of the action."""
    seed: int = 0
    """The same seed gives the same network (with the same versions, machine and threads)."""
    threads: int = 1
    """Of torch and numpy."""

    def run(self, console: Console) -> Network:
        """Learn, write the network and return it.

        Raises:
            ValueError: an unknown game or agent, or a number out of range.
        """
        counts = player_counts(self.game, self.players)
        games = [registry.game(self.game, num_players=count) for count in counts]
        for name in ("samples", "batch", "games", "threads"):
            check_count(name, getattr(self, name), 1)
        for name in ("pupil", "noise", "opponents", "sure"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}: expected a number from 0 to 1, got {getattr(self, name)}")
        if self.opponents == 1:
            raise ValueError("opponents: expected less than 1, of whom nothing is learnt")
        check_out(self.out, ".safetensors")
        if self.pupil + self.opponents > 1:
            raise ValueError(
                f"opponents: expected at most 1 together with pupil, got {self.opponents} and {self.pupil}"
            )
        start, before = (None, None) if self.init is None else read(self.init, games[0])
        if start is not None and start.base:
            raise ValueError(f"init: {self.init} has a base, {start.base}; imitation makes networks without one")
        trunk, heads = (self.trunk, self.heads) if start is None else widths(start)
        teacher, opponent = load(self.teacher, games[0]), load(self.opponent, games[0])
        torch.set_num_threads(self.threads)
        torch.manual_seed(self.seed)
        policy = blank_learner(SelfPlayVecEnv(games, len(games), [teacher]), trunk, heads, self.seed)
        if start is not None:
            into_policy(start, policy)
        optimizer = torch.optim.Adam(policy.parameters(), self.learning_rate)
        begun, kept = time.perf_counter(), 0.0
        learnt = 0
        agreed: float | None = None

        def pupil() -> Policy:
            return Policy(from_policy(policy), games[0], sampling=True)

        def keep(**facts: Any) -> Network:
            network, seconds = from_policy(policy), round(time.perf_counter() - begun, 1)
            story = told(
                asdict(self), {"samples": learnt, "wall_seconds": seconds, "agreement": agreed, **facts}, before
            )
            write(self.out, network, games[0], story)
            return network

        with (
            threadpool_limits(self.threads),
            training_bar(console, f"{games[0].title}, imitation of {self.teacher}", self.samples) as show,
        ):
            for lesson in lessons(
                games,
                teacher,
                pupil,
                size=self.games,
                part=self.pupil,
                noise=self.noise,
                seed=self.seed,
                opponent=opponent,
                opponents=self.opponents,
                sure=self.sure,
            ):
                for first in range(0, len(lesson.actions), self.batch):
                    optimizer.param_groups[0]["lr"] = self.learning_rate * (1 - learnt / self.samples)
                    part = lesson.part(slice(first, first + self.batch))
                    agreement = self._learn(policy, optimizer, part)
                    if agreement is not None:
                        agreed = agreement if agreed is None else agreed + 0.02 * (agreement - agreed)
                    learnt += len(part.actions)
                    if learnt >= self.samples:
                        break
                show(learnt, f"agrees {agreed:.1%}" if agreed is not None else "")
                if learnt >= self.samples:
                    break
                if time.perf_counter() - begun > kept + KEEP_SECONDS:
                    kept = time.perf_counter() - begun
                    keep()
            results = {f"{count} players": self._result(count, from_policy(policy)) for count in sorted(set(counts))}
        network = keep(results=results)
        words = "" if agreed is None else f"agrees with {self.teacher} in {agreed:.1%} of the decisions it was asked; "
        console.print(f"{words}{results}", highlight=False)
        return network

    def _learn(
        self, policy: MaskableActorCriticPolicy, optimizer: torch.optim.Optimizer, lesson: Lesson
    ) -> float | None:
        """One step; how much of what the teacher was asked the network would have done like it."""
        observations, masks, wanted, asked, outcomes = (torch.from_numpy(array) for array in lesson)
        hidden, value_hidden = policy.mlp_extractor(policy.extract_features(observations.float()))
        logits = policy.action_net(hidden).masked_fill(~masks, NEVER)
        values = policy.value_net(value_hidden).flatten()
        loss = F.cross_entropy(logits, wanted) + self.value_weight * F.mse_loss(values, outcomes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        same = (logits.argmax(1) == wanted)[asked]
        return float(same.float().mean()) if len(same) else None

    def _result(self, count: int, network: Network) -> dict[str, float]:
        game = registry.game(self.game, num_players=count)
        scripts = [name for name in ("random", "greedy") if name in available(game)]
        rivals = {name: load(name, game) for name in scripts}
        return {name: win_rate(game, Policy(network, game), rival, 400, seed=1) for name, rival in rivals.items()}


def main() -> None:
    settings = tyro.cli(Imitation, prog="python -m agents.imitate", description=__doc__)
    stopped = f"stopped; {settings.out}, if it has been written, holds what was learnt by then: --init goes on from it"
    with command_line(stopped) as console:
        settings.run(console)


if __name__ == "__main__":
    main()
