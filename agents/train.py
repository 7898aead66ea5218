"""Train a network by self-play: MaskablePPO of sb3-contrib against a pool of its own past and scripted agents.

    python -m agents.train xenon --run runs/xenon --steps 2_000_000
    python -m agents.train xenon --run runs/xenon --resume                    goes on after a stop of any kind
    python -m agents.train xenon --run runs/xenon --init imitated.safetensors  begins with a network that is there

The run's directory holds ``checkpoint.pt`` (all of the training, to go on from), ``policy.safetensors`` and its sidecar
(the network so far, playable as ``ppo:runs/xenon/policy.safetensors``), ``curve.jsonl`` and ``tensorboard/``.
"""

from __future__ import annotations

import io
import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits

from agents import KINDS, available, kind_of, load
from agents.games import check_count, player_counts
from agents.learning import MaskedPolicy, check_precision, from_policy, into_policy, policy_settings, widths
from agents.network import Network, identity, read, write
from agents.ppo import Policy, based
from agents.report import command_line, share
from agents.scripted import script
from agents.story import command, told
from agents.tables import win_rate
from agents.training_bar import training_bar
from agents.vec_env import SelfPlayVecEnv
from core import registry
from core.files import write_bytes, write_text
from core.game import REWARDS
from core.schema import listed

__all__ = ["Training"]

CHECKPOINT, POLICY, CURVE = "checkpoint.pt", "policy.safetensors", "curve.jsonl"


@dataclass(frozen=True)
class Training:
    """Train a network by self-play."""

    game: Annotated[str, tyro.conf.Positional]
    """The name of the game."""
    run: Path
    """The directory of the run."""
    resume: bool = False
    """Go on with the run, with its settings; only steps, minutes, threads, device, precision and the intervals may be
    changed, and what is given as it is by default counts as not given."""
    init: Path | None = None
    """Begin with this network, a file that ends in .safetensors."""
    steps: int = 1_000_000
    """Decisions of the learner in all."""
    minutes: float | None = None
    """Stop after so long; --resume goes on."""
    players: tuple[int, ...] = ()
    """Numbers of players, in turn game by game; a number given twice is played twice as often. Default: all."""
    trunk: tuple[int, ...] = (256,)
    """Widths of the layers that policy and value share."""
    heads: tuple[int, ...] = (256,)
    """Widths of the hidden layers of policy and value each."""
    envs: int = 512
    """Games at once."""
    rollout: int = 32
    """Decisions of the learner in each game between two updates."""
    minibatch: int = 1024
    """Decisions in a step of learning."""
    epochs: int = 4
    """How often an update goes through the decisions."""
    learning_rate: float = 1e-3
    """At the start; it falls to 0 in a line. Less is better for long runs, and for those that begin with a network."""
    gamma: float = 0.999
    """Discount of a decision."""
    gae_lambda: float = 0.95
    """Of generalised advantage estimation."""
    clip: float = 0.2
    """Of PPO's ratio."""
    entropy: float = 0.005
    """Weight of the entropy bonus."""
    target_kl: float | None = 0.03
    """An update stops early when the policy has moved by half as much again."""
    reward: str = "win"
    """Of the game: win, rank or margin."""
    margin: float = 0.0
    """Weight of the score's lead in the reward at the end; see agents.vec_env."""
    base: str = ""
    """A scripted agent to begin with: the network learns when to do otherwise; see agents.network.Network. With
    "tuned+3" it sees what comes about in three turns too if all go on by scripts. With --init, a network that has none
    learns to listen to it, and one that has another listens to this one as to that."""
    scripted: tuple[str, ...] = ("greedy", "random")
    """Agents among the opponents, see agents.load; those that the game does not have are left out."""
    shares: tuple[float, ...] = (0.3, 0.05)
    """How often each of them has a seat; the rest is left to the learner and its past."""
    latest: float = 0.5
    """Of that rest, the part of the learner as it was at the last update; the other part is its past's."""
    stage: int = 3
    """How many past networks play at a time; others are drawn from the pool for each update."""
    pool: int = 20
    """How many past networks are kept, the latest ones."""
    snapshot_every: int = 10
    """Updates between two networks that join the pool."""
    checkpoint_every: int = 5
    """Updates between two checkpoints."""
    evaluate_every: int = 20
    """Updates between two evaluations."""
    evaluation_games: int = 400
    """Games of each evaluation, with the least number of players."""
    seed: int = 0
    """The same seed gives the same network (with the same versions, machine, threads and precision)."""
    device: str = "cpu"
    """Of torch."""
    threads: int = 1
    """Of torch and numpy."""
    precision: str = "highest"
    """Of torch's products of matrices: highest, high or medium, which multiplies in bfloat16 where the processor can
    and is faster there."""

    def __post_init__(self) -> None:
        least = {"steps": 1, "envs": 1, "rollout": 2, "minibatch": 2, "epochs": 1, "stage": 0, "pool": 1, "threads": 1}
        least |= {"snapshot_every": 1, "checkpoint_every": 1, "evaluate_every": 1, "evaluation_games": 1, "seed": 0}
        for name, low in least.items():
            check_count(name, getattr(self, name), low)
        for name in ("gamma", "gae_lambda", "latest"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}: expected a number from 0 to 1, got {getattr(self, name)}")
        for name in ("learning_rate", "clip"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: expected a number above 0, got {getattr(self, name)}")
        if len(self.shares) != len(self.scripted) or min(self.shares, default=0) < 0 or sum(self.shares) > 1:
            raise ValueError("shares: expected a number for each scripted agent, from 0 to 1, together at most 1")
        check_precision(self.precision)
        if self.reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {self.reward!r}")
        for name in self.scripted:
            if kind_of(name) not in KINDS:
                raise ValueError(f"scripted: unknown agent {name!r}; there are {listed(list(KINDS))}")
        if len(set(self.scripted)) < len(self.scripted):
            raise ValueError(f"scripted: expected each agent once, got {listed(list(self.scripted))}")
        if self.base:
            try:
                script(self.base, registry.game(self.game), as_base=True)
            except ValueError as error:
                raise ValueError(f"base: {error}") from None
        player_counts(self.game, self.players)

    def train(self, console: Console) -> Network:
        """Train to the end, with a progress bar; the network.

        Raises:
            ValueError: a setting or file does not fit; the message says what does.
        """
        return _Run(self, console).train()


FREE = ("run", "resume", "steps", "minutes", "threads", "device", "precision", "checkpoint_every", "evaluate_every")
"""Settings that may change when a run goes on."""


class _Run(BaseCallback):
    """One run: what happens between the updates, and how it is kept."""

    def __init__(self, settings: Training, console: Console) -> None:
        super().__init__()
        self.console = console
        saved = _read_checkpoint(settings.run / CHECKPOINT) if settings.resume else None
        if saved is not None:
            settings = _settings_to_resume(settings, saved)
        elif (settings.run / CHECKPOINT).exists():
            raise ValueError(f"run: {settings.run} holds a run already; add --resume, or name another directory")
        self.before: dict[str, Any] = {}
        counts = player_counts(settings.game, settings.players)
        self.games = [registry.game(settings.game, num_players=n, reward=settings.reward) for n in counts]
        start = None
        if settings.init is not None and saved is None:
            start, self.before = read(settings.init, self.games[0])
            start, _ = based(start, settings.base, self.games[0])
            trunk, heads = widths(start)
            settings = replace(settings, trunk=trunk, heads=heads, base=start.base)
        self.settings = settings
        self.judges = {
            name: load(name, self.games[0]) for name in ("random", "greedy") if name in available(self.games[0])
        }
        self.pool: list[Network] = []
        self.staged: list[int] = []
        self.curve: list[dict[str, Any]] = []
        self.updates, self.seconds, self.resumed, self.noted = 0, 0.0, saved is not None, False
        self.rng = np.random.default_rng([settings.seed, 4])
        self.learner = self._learner()
        if start is not None:
            into_policy(start, self.learner.policy)
        if saved is not None:
            self._restore(saved)

    def train(self) -> Network:
        settings, learner = self.settings, self.learner
        settings.run.mkdir(parents=True, exist_ok=True)
        learner.set_logger(configure(str(settings.run / "tensorboard"), ["tensorboard"]))
        self.begun = time.perf_counter()
        self.stopping = False
        done = learner.num_timesteps
        with (
            threadpool_limits(settings.threads),
            training_bar(self.console, self.games[0].title, settings.steps, done) as self.show,
        ):
            if done < settings.steps:
                learner.learn(settings.steps - done, self, reset_num_timesteps=False)
        network = from_policy(learner.policy)
        if done < settings.steps and not self.stopping:
            # a run that stops has its checkpoint already, and the rollout that was begun after it does not count
            self._evaluate(network)
            self._keep(network, noted=False)
        self.console.print(self._table())
        self.console.print(f"{settings.run / POLICY} plays as ppo:{settings.run / POLICY}", highlight=False)
        return network

    def _learner(self) -> MaskablePPO:
        settings = self.settings
        torch.set_num_threads(settings.threads)
        torch.set_float32_matmul_precision(settings.precision)
        there = available(self.games[0])
        shares = {
            name: share
            for name, share in zip(settings.scripted, settings.shares, strict=True)
            if kind_of(name) in there
        }
        rest = 1 - sum(shares.values())
        past = (1 - settings.latest) * rest / settings.stage if settings.stage else 0.0
        self.fixed = len(shares)
        roster = [load(name, self.games[0]) for name in shares]
        latest = settings.latest * rest if settings.stage else rest
        weights = [*shares.values(), latest, *[past] * settings.stage]
        base = script(settings.base, self.games[0], as_base=True) if settings.base else None
        self.env = SelfPlayVecEnv(
            self.games,
            settings.envs,
            [*roster, *[load("random", self.games[0])] * (1 + settings.stage)],
            weights,
            settings.margin,
            settings.seed,
            base,
        )
        return MaskablePPO(
            MaskedPolicy,
            self.env,
            learning_rate=lambda left: settings.learning_rate * left,
            n_steps=settings.rollout,
            batch_size=settings.minibatch,
            n_epochs=settings.epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            ent_coef=settings.entropy,
            target_kl=settings.target_kl,
            policy_kwargs=policy_settings(
                settings.trunk, settings.heads, settings.base, self.games[0].num_actions, base.insight if base else 0
            ),
            seed=settings.seed,
            device=settings.device,
        )

    # Between the updates

    def _on_training_start(self) -> None:
        if not self.resumed:  # the first games begin with the first network in all seats of the learner and its past
            self._set_stage(from_policy(self.learner.policy))
            self.learner._last_obs = self.env.reset()

    def _on_rollout_start(self) -> None:
        if self.noted:  # all this was done before the checkpoint
            self.noted = False
            self.updates += 1
            return
        settings, network = self.settings, from_policy(self.learner.policy)
        if self.updates % settings.snapshot_every == 0:
            self.pool = [*self.pool, network][-settings.pool :]
        self._set_stage(network)
        if self.updates % settings.evaluate_every == 0:
            self._evaluate(network)
        self.stopping = settings.minutes is not None and time.perf_counter() - self.begun > 60 * settings.minutes
        if self.updates % settings.checkpoint_every == 0 or self.stopping:
            self._keep(network, noted=True)
        self.updates += 1

    def _on_step(self) -> bool:
        self.show(self.learner.num_timesteps, self._words())
        return not self.stopping

    def _set_stage(self, network: Network) -> None:
        """Who plays for the learner's present and past in the next update."""
        self.staged = [int(k) for k in self.rng.integers(max(1, len(self.pool)), size=self.settings.stage)]
        self._take_seats(network)

    def _take_seats(self, network: Network) -> None:
        past = [self.pool[k] if self.pool else network for k in self.staged]
        self.env.roster[self.fixed :] = [
            Policy(each, self.games[0], sampling=True, base=self.env.base) for each in (network, *past)
        ]

    def _evaluate(self, network: Network) -> None:
        game, settings = min(self.games, key=lambda game: game.num_players), self.settings
        rates: dict[str, float] = {
            name: win_rate(game, Policy(network, game, base=self.env.base), judge, settings.evaluation_games, seed=1)
            for name, judge in self.judges.items()
        }
        row: dict[str, float] = {"steps": self.learner.num_timesteps, "seconds": round(self._elapsed(), 1)}
        row |= rates
        self.curve.append(row)
        for name, rate in rates.items():
            self.learner.logger.record(f"win_rate/{name}", rate)

    def _words(self) -> str:
        last = self.curve[-1] if self.curve else {}
        rates = ", ".join(f"{last[name]:.1%} against {name}" for name in self.judges if name in last)
        return f"wins {rates}" if rates else ""

    def _table(self) -> Table:
        first, last, games = self.curve[0], self.curve[-1], self.settings.evaluation_games
        table = Table(title=f"{self.games[0].title}: wins of {games} games", title_justify="left")
        for heading in ("against", "before", f"after {last['steps']:,} steps"):
            table.add_column(heading, no_wrap=True)
        for name in self.judges:
            table.add_row(name, *(share(row[name], games) for row in (first, last)))
        return table

    def _elapsed(self) -> float:
        return self.seconds + time.perf_counter() - self.begun

    # Files

    def _keep(self, network: Network, noted: bool) -> None:
        """Write the checkpoint, and the network as it is; ``noted`` if what a rollout begins with has been done."""
        settings, learner = self.settings, self.learner
        name, keys, *numbers = np.random.get_state(legacy=True)
        saved = {
            "identity": identity(self.games[0]),
            "settings": json.dumps(_plain(settings)),
            "policy": learner.policy.state_dict(),
            "optimizer": learner.policy.optimizer.state_dict(),
            "torch_rng": torch.get_rng_state(),
            "numpy_rng": json.dumps([name, np.asarray(keys).tolist(), *numbers]),
            "rng": json.dumps(self.rng.bit_generator.state),
            "counters": {
                "steps": learner.num_timesteps,
                "learner_updates": learner._n_updates,
                "updates": self.updates,
                "seconds": self._elapsed(),
                "progress": learner._current_progress_remaining,
            },
            "episodes": list(learner.ep_info_buffer or ()),
            "starts": torch.from_numpy(np.asarray(learner._last_episode_starts, np.bool_)),
            "env": {
                k: torch.from_numpy(v) if isinstance(v, np.ndarray) else v for k, v in self.env.save_state().items()
            },
            "pool": [{k: torch.from_numpy(v) for k, v in each.tensors().items()} for each in self.pool],
            "staged": self.staged,
            "curve": json.dumps(self.curve),
            "before": json.dumps({**self.before, "commands": [*self.before.get("commands", []), command()]}),
            "noted": noted,
        }
        buffer = io.BytesIO()
        torch.save(saved, buffer)
        write_bytes(settings.run / CHECKPOINT, buffer.getvalue())
        facts = {"steps": learner.num_timesteps, "wall_seconds": round(self._elapsed(), 1), "curve": self.curve}
        write(settings.run / POLICY, network, self.games[0], told(_plain(settings), facts, self.before))
        write_text(settings.run / CURVE, "".join(json.dumps(row) + "\n" for row in self.curve))

    def _restore(self, saved: Mapping[str, Any]) -> None:
        learner, counters = self.learner, saved["counters"]
        if saved["identity"] != identity(self.games[0]):
            raise ValueError(
                f"run: the checkpoint is of {saved['identity']}, the game here is {identity(self.games[0])}"
            )
        try:
            learner.policy.load_state_dict(saved["policy"])
        except RuntimeError:
            raise ValueError("resume: the checkpoint has other weights than this version of the program") from None
        learner.policy.optimizer.load_state_dict(saved["optimizer"])
        learner.num_timesteps, learner._n_updates = counters["steps"], counters["learner_updates"]
        learner._current_progress_remaining = counters["progress"]
        learner.ep_info_buffer = deque(saved["episodes"], maxlen=learner._stats_window_size)
        learner.ep_success_buffer = deque(maxlen=learner._stats_window_size)
        self.updates, self.seconds, self.noted = counters["updates"], counters["seconds"], saved["noted"]
        self.curve, self.before = json.loads(saved["curve"]), json.loads(saved["before"])
        self.pool = [Network.from_tensors({k: v.numpy() for k, v in each.items()}) for each in saved["pool"]]
        self.staged = saved["staged"]
        self._take_seats(from_policy(learner.policy))
        env = {k: v.numpy() if isinstance(v, torch.Tensor) else v for k, v in saved["env"].items()}
        learner._last_obs = self.env.load_state(env)
        learner._last_episode_starts = saved["starts"].numpy()
        self.rng.bit_generator.state = json.loads(saved["rng"])
        name, keys, *numbers = json.loads(saved["numpy_rng"])
        np.random.set_state((name, np.array(keys, np.uint32), *numbers))
        torch.set_rng_state(saved["torch_rng"])


def _read_checkpoint(path: Path) -> dict[str, Any]:
    try:
        saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise ValueError(f"resume: {path}: {error.strerror or error}") from None
    except Exception as error:  # torch raises many kinds for a damaged file
        raise ValueError(f"resume: {path} is damaged or no checkpoint ({type(error).__name__})") from None
    return saved


def _settings_to_resume(given: Training, saved: Mapping[str, Any]) -> Training:
    """The settings of the checkpoint, with those changed that may be."""
    kept = Training(**{name: _typed(name, value) for name, value in json.loads(saved["settings"]).items()})
    if given.game != kept.game:
        raise ValueError(f"resume: the run is of {kept.game}, not of {given.game}")
    changes: dict[str, Any] = {}
    for field in fields(Training):
        value = getattr(given, field.name)
        if field.name in ("run", "resume", "minutes"):
            changes[field.name] = value
        elif value != field.default and value != getattr(kept, field.name):
            if field.name == "game":
                continue
            if field.name not in FREE:
                raise ValueError(
                    f"{field.name}: the run has {getattr(kept, field.name)}, which cannot be changed to {value}"
                )
            changes[field.name] = value
    return replace(kept, **changes)


def _plain(settings: Training) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(settings).items()}


def _typed(name: str, value: Any) -> Any:
    if name in ("run", "init") and value is not None:
        return Path(value)
    return tuple(value) if isinstance(value, list) else value


def main() -> None:
    with command_line("stopped; add --resume to go on from the last checkpoint") as console:
        settings = tyro.cli(Training, prog="python -m agents.train", description=__doc__)
        settings.train(console)


if __name__ == "__main__":
    main()
