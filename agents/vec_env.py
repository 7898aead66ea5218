"""The environment that PPO learns in: one seat in each of many games, the others played inside the step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray
from stable_baselines3.common.vec_env import VecEnv

from agents.base import Agent
from agents.scripted import Scripted
from agents.tables import move
from core.game import Game
from core.vector import VectorEnv

__all__ = ["SelfPlayVecEnv"]

LEARNER = -1
NONE = -1


class SelfPlayVecEnv(VecEnv):
    """A Stable-Baselines3 ``VecEnv`` on a batch of games.

    In each game the learner has one seat, drawn anew for every episode, and each other seat an agent drawn from the
    roster. ``step`` carries out the learner's actions and then everybody else's up to the learner's next decision. The
    reward is all that its seat has earned until then, so a game lost by an opponent's reply is charged to the action
    before it. Episodes follow each other without a pause: the observation after the last step of one is the first of
    the next, ``info["terminal_observation"]`` is what the learner's seat saw at the end and ``info["cut"]`` says if the
    game was cut. A cut game counts as its scores stand, so there is nothing left that a learner should estimate.

    Attributes:
        roster: the opponents; an entry may be replaced at any time, even by an agent that plays on in a running game.
        weights: the chance of each entry of the roster; used when a game begins.

    Args:
        games: the game, or several for different numbers of players: environment i plays ``games[i % len(games)]``.
        num_envs: how many games at once.
        roster: agents that remember nothing.
        weights: their chances, by default equal.
        margin: the reward at the end is that of the game plus this times the score's distance from the mean of the
            others, measured in the game's ``margin_scale`` and kept within -1 to 1.
        seed: decides games, seats and opponents; the actions of the learner are its own affair.
        base: a scripted agent; the learner sees its advice after the observation, and at the end zeros with an
            action of -1.
    """

    def __init__(
        self,
        games: Game | Sequence[Game],
        num_envs: int,
        roster: Sequence[Agent],
        weights: ArrayLike | None = None,
        margin: float = 0.0,
        seed: int = 0,
        base: Scripted | None = None,
    ) -> None:
        self.batch = VectorEnv(games, num_envs, seed, autoreset="disabled")
        self.game = game = self.batch.game
        self.roster = list(roster)
        self.weights = np.ones(len(self.roster)) if weights is None else np.asarray(weights, np.float64)
        self.margin = margin
        self.base = base
        self.render_mode = None
        self._rng = np.random.default_rng([seed, 2])
        self._players = self.batch.states["num_players"].astype(np.int64)
        self._seat = np.zeros(num_envs, np.int64)
        self._cast = np.zeros((num_envs, self.batch.rewards.shape[1]), np.int64)
        self._length = np.zeros(num_envs, np.int64)
        self._actions = np.zeros(num_envs, np.int64)
        low, high = (np.full(game.observation_size, bound, np.float32) for bound in game.observation_range)
        if base is not None:
            unbounded = np.full(base.insight + game.num_actions, np.inf, np.float32)
            low = np.hstack((low, -unbounded, np.float32(NONE)))
            high = np.hstack((high, unbounded, np.float32(game.num_actions - 1)))
        super().__init__(
            num_envs,
            spaces.Box(low, high, dtype=np.float32),
            spaces.Discrete(game.num_actions),
        )

    def reset(self) -> NDArray[np.float32]:
        """Begin every game and play up to the learner's first decision; ``float32[num_envs, features]``."""
        seed = self._seeds[0]
        if seed is not None:
            self._rng = np.random.default_rng([seed, 2])
        every = np.arange(self.num_envs)
        self.batch.reset(seed)
        self._seat_all(every)
        self._play_on(every)
        self._reset_seeds()
        self._reset_options()
        return self._observations()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """See the class. Nothing that is returned changes with the next step.

        Raises:
            IllegalActionError: an action is not legal; no game has moved.
        """
        batch = self.batch
        batch.step(self._actions)
        self._length += 1
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i, reward, info in self._play_on(np.arange(self.num_envs)):
            if not dones[i]:  # a game that ends before the learner has decided anything is not its affair
                rewards[i], dones[i], infos[i] = reward, True, info
        return self._observations(), rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal: ``bool[num_envs, num_actions]``, a copy."""
        return self.batch.action_mask.copy()

    def save_state(self) -> dict[str, Any]:
        """Everything but roster and weights, in arrays and plain values; ``load_state`` goes on from there."""
        return {
            "records": self.batch.save().view(np.uint8),
            "seat": self._seat.copy(),
            "cast": self._cast.copy(),
            "length": self._length.copy(),
            "rng": json.dumps(self._rng.bit_generator.state),
        }

    def load_state(self, saved: dict[str, Any]) -> NDArray[np.float32]:
        """Go on where ``save_state`` was called; the observations that were due then."""
        self.batch.load(np.ascontiguousarray(saved["records"]).view(self.game.dtype))
        self._seat[:], self._cast[:], self._length[:] = saved["seat"], saved["cast"], saved["length"]
        self._rng.bit_generator.state = json.loads(saved["rng"])
        return self._observations()

    def _observations(self) -> NDArray[np.float32]:
        """What the learner sees, a copy."""
        observations = self.batch.observations
        if self.base is None:
            return observations.copy()
        every = np.arange(self.num_envs)
        return self.base.beside(observations, self.batch.states, every, self.game)

    def _play_on(self, games: NDArray[np.int64]) -> list[tuple[int, float, dict[str, Any]]]:
        """Play ``games`` up to a decision of the learner; number, reward and info of each episode that ended."""
        batch, ended = self.batch, []
        while games.size:
            over = games[batch.current_player[games] < 0]
            if over.size:
                ended += [(i, *self._result(i)) for i in over.tolist()]
                batch.reset(games=over)
                self._seat_all(over)
            who = self._cast[games, batch.current_player[games]]
            others = who != LEARNER
            games = games[others]
            if games.size:
                move(batch, games, who[others], self.roster, self._rng)
        return ended

    def _seat_all(self, games: NDArray[np.int64]) -> None:
        """Draw the learner's seat and its opponents in games that begin."""
        chances = self.weights / self.weights.sum()
        self._cast[games] = self._rng.choice(len(self.roster), (len(games), self._cast.shape[1]), p=chances)
        self._seat[games] = self._rng.integers(self._players[games])
        self._cast[games, self._seat[games]] = LEARNER
        self._length[games] = 0

    def _result(self, i: int) -> tuple[float, dict[str, Any]]:
        batch, seat = self.batch, int(self._seat[i])
        reward = float(batch.rewards[i, seat])
        state = batch.state(i)
        if self.margin and self._players[i] > 1:
            scores = state.scores()
            lead = scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
            reward += self.margin * float(np.clip(lead / self.game.margin_scale, -1.0, 1.0))
        last = state.observation(seat)
        if self.base is not None:
            last = np.append(last, np.zeros(self.base.insight + self.game.num_actions + 1, np.float32))
            last[-1] = NONE
        info = {
            "terminal_observation": last,
            "cut": bool(batch.truncated[i]),
            "episode": {"r": reward, "l": int(self._length[i])},
        }
        return reward, info

    # What the base class asks for

    def close(self) -> None:
        """Nothing is held that must be given back."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """An attribute of the whole: the games have none of their own."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """A method that gives a row a game, as ``action_masks``."""
        rows = getattr(self, method_name)(*method_args, **method_kwargs)
        return [rows[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))
