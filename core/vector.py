"""Many games at once: preallocated buffers, one kernel call a step."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.batch import PLAY, PLAY_RANDOM, REFRESH, RESET
from core.game import IllegalActionError, State
from core.rng import seed_words
from core.schema import listed

if TYPE_CHECKING:
    from core.game import Game

__all__ = ["RandomPlay", "Step", "VectorEnv"]

AUTORESETS = ("same_step", "next_step", "disabled")

UNCOUNTED = np.zeros(3, np.int64)
"""The tally of the commands that count nothing."""


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

    They may differ in options and number of players: given several ``Game``, record i plays number ``i % len(games)``.

    Attributes:
        observations: ``float32[num_envs, observation_size]``, of the player to move; of a finished game, of the player
            who moved last. ``(num_envs, 0)`` with ``observe=False``.
        action_mask: ``bool[num_envs, num_actions]``; all false for a finished game.
        current_player: ``int64[num_envs]``; -4 for a finished game.
        rewards: ``float32[num_envs, num_players]``, earned by the last step; as wide as the largest game, zeros beyond
            the players of a smaller one.
        terminated: ``bool[num_envs]``, the game was over by its rules after the last step (before a same-step reset).
        truncated: ``bool[num_envs]``, the same for a game cut at ``max_decisions``.
        states: the records, ``num_envs`` of them.

    Args:
        games: the game played, or several of one class and with the same components.
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
        games: Game | Sequence[Game],
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
        self.games = _alike(games)
        self.game = game = self.games[0]
        self.num_envs = int(num_envs)
        self.autoreset = autoreset
        self.states = np.zeros(self.num_envs, game.dtype)
        self.observations = np.zeros((self.num_envs, game.observation_size if observe else 0), np.float32)
        self.action_mask = np.zeros((self.num_envs, game.num_actions), np.bool_)
        self.current_player = np.zeros(self.num_envs, np.int64)
        most = max(game.num_players for game in self.games)
        self.rewards = np.zeros((self.num_envs, most), np.float32)
        self.terminated = np.zeros(self.num_envs, np.bool_)
        self.truncated = np.zeros(self.num_envs, np.bool_)
        self._every = np.arange(self.num_envs)
        self._blank = (
            game.blank if len(self.games) == 1 else np.concatenate([self._game(i).blank for i in range(self.num_envs)])
        )
        self._actions = np.zeros((self.num_envs, game.num_actions), np.int16)
        self._counts = np.zeros(self.num_envs, np.int64)
        self._policy = np.zeros((self.num_envs, 4), np.uint64)
        self._table = np.zeros((game.parties, game.standing_keys), np.int64)
        self._result = Step(
            self.observations, self.action_mask, self.current_player, self.rewards, self.terminated, self.truncated
        )
        game.kernels.announce()
        self.reset(seed if seed is not None else int(np.random.SeedSequence().generate_state(1)[0]))

    def reset(self, seed: int | None = None, games: ArrayLike | None = None) -> Step:
        """Begin every game, or those of the given numbers; without a seed each goes on with its own generator."""
        begun = self._numbers(games)
        if seed is not None:
            for i in begun:
                self.states["rng"][i] = seed_words(seed + int(i))
            if games is None:
                self._policy[:] = (
                    np.random.SeedSequence([seed, 1]).generate_state(4 * self.num_envs, np.uint64).reshape(-1, 4)
                )
        return self._run(RESET, self.current_player, begun)

    def step(self, actions: ArrayLike, games: ArrayLike | None = None) -> Step:
        """One decision in every game, or in those of the given numbers.

        Args:
            actions: whole numbers, one for each game that moves.
            games: which games move, each at most once; the buffers of the others keep what they show.

        Raises:
            ValueError: a wrong shape or type.
            IllegalActionError: an action is not legal in its game; no game has moved.
        """
        moving = self._numbers(games)
        chosen = np.asarray(actions)
        if chosen.shape != moving.shape or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected {len(moving)} whole numbers, got {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = chosen.astype(np.int64, copy=False)
        bad = self.game.kernels.first_illegal(chosen, moving, self._counts, self.action_mask)
        if bad >= 0:
            self._refuse(int(moving[bad]), int(chosen[bad]))
        return self._run(PLAY, chosen, moving)

    def observe(self, i: int, player: int) -> NDArray[np.float32]:
        """What ``player`` may know of game ``i``, ``float32[observation_size]``; see ``State.observation``."""
        return self.state(i).observation(player)

    def play_random(self, steps: int, threads: int = 1) -> RandomPlay:
        """Play ``steps`` uniformly random decisions in every game inside the kernels; finished games begin anew.

        The choices come from generators of their own, so a run depends on the seed alone, not on ``threads``.
        """
        if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 0:
            raise ValueError(f"steps: expected a whole number of at least 0, got {steps!r}")
        if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
            raise ValueError(f"threads: expected a whole number of at least 1, got {threads!r}")
        begun = time.perf_counter()
        parts = np.array_split(self._every, min(threads, self.num_envs))
        tallies = np.zeros((len(parts), 3), np.int64)

        def play(k: int) -> None:
            self._run(PLAY_RANDOM, self.current_player, parts[k], int(steps), tallies[k])

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
        return State(self._game(self._index(i)), self.states[i : i + 1].copy())

    def load(self, states: State | NDArray[np.void]) -> Step:
        """Put every game to a given position: one ``State`` for all, or an array of ``num_envs`` records."""
        records = states.copies(self.num_envs) if isinstance(states, State) else states
        if not isinstance(records, np.ndarray) or records.dtype != self.game.dtype or records.shape != (self.num_envs,):
            raise ValueError(f"expected a State or {self.num_envs} records of {self.game.name}")
        counts = np.array([game.num_players for game in self.games])
        if (records["num_players"] != np.resize(counts, self.num_envs)).any():
            raise ValueError(f"expected positions for {listed(counts)} players")
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
        return self._run(REFRESH, self.current_player, self._every)

    def _run(
        self,
        command: int,
        chosen: NDArray[np.int64],
        games: NDArray[np.int64],
        steps: int = 0,
        tally: NDArray[np.int64] = UNCOUNTED,
    ) -> Step:
        self.game.kernels.step_batch(
            self.states,
            self.game.tables,
            self._blank,
            command,
            chosen,
            games,
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
            self._policy,
            steps,
            tally,
        )
        return self._result

    def _game(self, i: int) -> Game:
        return self.games[i % len(self.games)]

    def _numbers(self, games: ArrayLike | None) -> NDArray[np.int64]:
        if games is None:
            return self._every
        numbers = np.asarray(games)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise ValueError(f"games: expected a list of whole numbers, got {games!r}")
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.num_envs:
            raise ValueError(f"games: this batch has games 0 to {self.num_envs - 1}")
        return numbers.astype(np.int64, copy=False)

    def _index(self, i: Any) -> int:
        if not isinstance(i, (int, np.integer)) or not 0 <= i < self.num_envs:
            raise IndexError(f"game {i!r}: this batch has games 0 to {self.num_envs - 1}")
        return int(i)

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.state(i).refuse(self.game.action_id(action))
        except IllegalActionError as error:
            raise IllegalActionError(f"game {i} of the batch: {error}") from None


def _alike(games: Game | Sequence[Game]) -> tuple[Game, ...]:
    several = tuple(games) if isinstance(games, Sequence) else (games,)
    if not several:
        raise ValueError("games: expected at least one")
    first = several[0]
    for other in several[1:]:
        if type(other) is not type(first) or other.components_digest() != first.components_digest():
            raise ValueError(f"games: {other!r} has other rules or components than {first!r}")
    return several


def _bytes(records: NDArray[np.void]) -> NDArray[np.uint8]:
    """The records as plain bytes: numpy copies structured arrays field by field, which is several times slower."""
    return np.ascontiguousarray(records).view(np.uint8)
