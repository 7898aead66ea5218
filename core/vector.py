"""Many games at once: preallocated buffers, one kernel call a step."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.batch import PLAY, REFRESH, RESET
from core.game import IllegalActionError, State
from core.rng import seed_words
from core.schema import listed

if TYPE_CHECKING:
    from core.game import Game

__all__ = ["RandomPlay", "Step", "VectorEnv"]

AUTORESETS = ("same_step", "next_step", "disabled")


class Step(NamedTuple):
    """What ``VectorEnv.step`` gives: views of the batch's buffers, overwritten by the next call."""

    observations: NDArray[np.float32]
    action_mask: NDArray[np.bool_]
    current_player: NDArray[np.int64]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class RandomPlay(NamedTuple):
    """What ``VectorEnv.play_random`` did."""

    decisions: int
    games: int
    truncated_games: int
    seconds: float


class VectorEnv:
    """A batch of games of one kind, each at its own decision.

    Attributes:
        observations: ``float32[num_envs, observation_size]``, of the player to move; of a finished game, of the player
            who moved last. ``(num_envs, 0)`` with ``observe=False``.
        action_mask: ``bool[num_envs, num_actions]``; all false for a finished game.
        current_player: ``int64[num_envs]``; -4 for a finished game.
        rewards: ``float32[num_envs, num_players]``, earned by the last step.
        terminated: ``bool[num_envs]``, the game was over by its rules after the last step (before a same-step reset).
        truncated: ``bool[num_envs]``, the same for a game cut at ``max_decisions``.
        states: the records, ``num_envs`` of them.

    Args:
        game: the game played.
        num_envs: how many at once.
        seed: game i begins as ``game.new_initial_state(seed + i)``; None draws a seed.
        autoreset: ``"same_step"`` begins a new game within the step that ends one (buffers show the new game, rewards
            and flags the old one); ``"next_step"`` in the step after, whose action is ignored; ``"disabled"`` leaves
            finished games as they are and ignores their actions.
        observe: whether to fill ``observations``.

    The arrays are the same objects for the life of the environment: copy what must outlast the next step.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        seed: int | None = None,
        *,
        autoreset: str = "same_step",
        observe: bool = True,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise ValueError(f"num_envs: expected a whole number of at least 1, got {num_envs!r}")
        if autoreset not in AUTORESETS:
            raise ValueError(f"autoreset: expected one of {listed(AUTORESETS)}, got {autoreset!r}")
        self.game = game
        self.num_envs = int(num_envs)
        self.autoreset = autoreset
        self.states = np.zeros(self.num_envs, game.dtype)
        self.observations = np.zeros((self.num_envs, game.observation_size if observe else 0), np.float32)
        self.action_mask = np.zeros((self.num_envs, game.num_actions), np.bool_)
        self.current_player = np.zeros(self.num_envs, np.int64)
        self.rewards = np.zeros((self.num_envs, game.num_players), np.float32)
        self.terminated = np.zeros(self.num_envs, np.bool_)
        self.truncated = np.zeros(self.num_envs, np.bool_)
        self._actions = np.zeros((self.num_envs, game.num_actions), np.int16)
        self._counts = np.zeros(self.num_envs, np.int64)
        self._policy = np.zeros((self.num_envs, 4), np.uint64)
        self._table = np.zeros((game.parties, game.standing_keys), np.int64)
        self._result = Step(
            self.observations, self.action_mask, self.current_player, self.rewards, self.terminated, self.truncated
        )
        game.kernels.announce()
        self.reset(seed if seed is not None else int(np.random.SeedSequence().generate_state(1)[0]))

    def reset(self, seed: int | None = None) -> Step:
        """Begin every game; without a seed each goes on with its own generator."""
        if seed is not None:
            for i in range(self.num_envs):
                self.states["rng"][i] = seed_words(seed + i)
            self._policy[:] = (
                np.random.SeedSequence([seed, 1]).generate_state(4 * self.num_envs, np.uint64).reshape(-1, 4)
            )
        return self._run(RESET, self.current_player)

    def step(self, actions: ArrayLike) -> Step:
        """One decision in every game.

        Args:
            actions: whole numbers, ``(num_envs,)``.

        Raises:
            ValueError: a wrong shape or type.
            IllegalActionError: an action is not legal in its game; no game has moved.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected {self.num_envs} whole numbers, got {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = chosen.astype(np.int64, copy=False)
        bad = self.game.kernels.first_illegal(chosen, self._counts, self.action_mask)
        if bad >= 0:
            self._refuse(int(bad), int(chosen[bad]))
        return self._run(PLAY, chosen)

    def play_random(self, steps: int, threads: int = 1) -> RandomPlay:
        """Play ``steps`` uniformly random decisions in every game inside the kernels; finished games begin anew.

        The choices come from generators of their own, so a run depends on the seed alone, not on ``threads``.
        """
        if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 0:
            raise ValueError(f"steps: expected a whole number of at least 0, got {steps!r}")
        if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
            raise ValueError(f"threads: expected a whole number of at least 1, got {threads!r}")
        begun = time.perf_counter()
        parts = np.array_split(np.arange(self.num_envs), min(threads, self.num_envs))
        tallies = np.zeros((len(parts), 3), np.int64)

        def play(k: int) -> None:
            part = slice(parts[k][0], parts[k][-1] + 1)
            self.game.kernels.play_random_batch(
                self.states[part],
                self.game.tables,
                self.game.blank,
                self._policy[part],
                int(steps),
                self._actions[part],
                tallies[k],
            )

        if len(parts) == 1:
            play(0)
        else:
            with ThreadPoolExecutor(len(parts)) as pool:
                list(pool.map(play, range(len(parts))))
        seconds = time.perf_counter() - begun
        self._refresh()
        decisions, games, cut = (int(value) for value in tallies.sum(axis=0))
        return RandomPlay(decisions, games, cut, seconds)

    def state(self, i: int) -> State:
        """A copy of game ``i`` as a ``State``."""
        return State(self.game, self.states[self._index(i) : i + 1].copy())

    def load(self, states: State | NDArray[np.void]) -> Step:
        """Put every game to a given position: one ``State`` for all, or an array of ``num_envs`` records."""
        records = states.copies(self.num_envs) if isinstance(states, State) else states
        if not isinstance(records, np.ndarray) or records.dtype != self.game.dtype or records.shape != (self.num_envs,):
            raise ValueError(f"expected a State or {self.num_envs} records of {self.game.name}")
        if (records["num_players"] != self.game.num_players).any():
            raise ValueError(f"expected positions for {self.game.num_players} players")
        _bytes(self.states)[:] = _bytes(records)
        return self._refresh()

    def save(self) -> NDArray[np.void]:
        """An exact copy of all positions, generators included; ``load`` brings them back."""
        return _bytes(self.states).copy().view(self.game.dtype)

    def __len__(self) -> int:
        return self.num_envs

    def __repr__(self) -> str:
        return f"VectorEnv({self.game!r}, num_envs={self.num_envs}, autoreset={self.autoreset!r})"

    def _refresh(self) -> Step:
        return self._run(REFRESH, self.current_player)

    def _run(self, command: int, chosen: NDArray[np.int64]) -> Step:
        self.game.kernels.step_batch(
            self.states,
            self.game.tables,
            self.game.blank,
            command,
            chosen,
            AUTORESETS.index(self.autoreset),
            self._actions,
            self._counts,
            self.action_mask,
            self.observations,
            self.current_player,
            self.rewards,
            self.terminated,
            self.truncated,
            self._table,
        )
        return self._result

    def _index(self, i: Any) -> int:
        if not isinstance(i, (int, np.integer)) or not 0 <= i < self.num_envs:
            raise IndexError(f"game {i!r}: this batch has games 0 to {self.num_envs - 1}")
        return int(i)

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.state(i).refuse(self.game.action_id(action))
        except IllegalActionError as error:
            raise IllegalActionError(f"game {i} of the batch: {error}") from None


def _bytes(records: NDArray[np.void]) -> NDArray[np.uint8]:
    """The records as plain bytes: numpy copies structured arrays field by field, which is several times slower."""
    return np.ascontiguousarray(records).view(np.uint8)
