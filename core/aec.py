"""PettingZoo: any game as an AEC environment.

PettingZoo's three checking wrappers forward every attribute through ``__getattr__``, which costs many times what a game
does. Here the same checks (order of calls, range of actions, illegal actions) are part of the environment itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv, AECIterable, AECIterator

from core import render
from core.batch import REFRESH, RESET
from core.game import Game, IllegalActionError, State
from core.jit import direct
from core.rng import seed_words
from core.schema import listed

__all__ = ["BoardroomAEC", "make_env"]

ILLEGAL = ("terminate", "raise")

Observation = dict[str, NDArray[Any]]


class BoardroomAEC(AECEnv[str, Observation, int]):
    """A game as a PettingZoo environment.

    Agents are ``"player_0"`` and so on, by seat. An observation is ``{"observation": float32[observation_size],
    "action_mask": int8[num_actions]}``; the mask is all zero for whoever is not to move. Rewards are zero until the end
    of the game, then its returns. Copies and pickles keep the position, generator included.

    Attributes:
        game: the game played.
        render_mode: how ``render`` shows the board.
        illegal: what an illegal action does.

    Args:
        game: the game played.
        render_mode: ``"ansi"``, ``"human"``, ``"rgb_array"`` or None.
        illegal: ``"terminate"``: an action that is not legal now ends the game at once, with -1 for the offender, 0 for
            the others and a warning; ``"raise"``: it raises ``IllegalActionError`` and changes nothing. What is no
            action of the game at all (an id out of range, an unknown name, another type) raises it in either case.
    """

    def __init__(self, game: Game, render_mode: str | None = None, illegal: str = "terminate") -> None:
        super().__init__()
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal: expected one of {listed(ILLEGAL)}, got {illegal!r}")
        self.game = game
        self.render_mode = render.checked_mode(render_mode)
        self.illegal = illegal
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(render.MODES),
            "is_parallelizable": False,
            "render_fps": render.FPS,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        low, high = game.observation_range
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, (game.observation_size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._dealt = False
        self._hold(game.blank.copy())

    def _hold(self, states: NDArray[np.void]) -> None:
        """Take over a record, with buffers that will show it to the player to move."""
        self._states = states
        self._player = states["player"]
        self._actions = np.zeros(self.game.num_actions, np.int16)
        self._mask = np.zeros(self.game.num_actions, np.int8)
        self._observation = np.zeros(self.game.observation_size, np.float32)
        self._count = 0  # legal actions; 0: no game is running
        self._play = self.game.kernels.play_one

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions, the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: the game begins as ``game.new_initial_state(seed)``; None goes on with the generator as it stands.
            options: ``{"state": dict}`` begins at that position (see ``Game.state_from_dict``); other keys are ignored.

        Raises:
            ValueError: the position or the seed is not valid; the environment is unchanged then.
        """
        position = options.get("state") if options else None
        states = self.game.blank.copy() if position is None else self.game.state_from_dict(position).states
        going_on = seed is None and self._dealt
        states["rng"][0] = self._states["rng"][0] if going_on else seed_words(seed)
        self._hold(states)
        self.game.kernels.announce()
        self._fill(RESET if position is None else REFRESH)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._dealt = True
        self._moved = True
        if not self._count:
            self._end()

    def _fill(self, command: int) -> None:
        """Carry out ``RESET`` or ``REFRESH``, which fill the buffers, and select the player to move."""
        game = self.game
        self._count = int(
            self._play(self._states, game.tables, game.blank, command, self._actions, 0, self._mask, self._observation)
        )
        self._play = direct(self.game.kernels.play_one)
        if self._count:
            self.agent_selection = self.possible_agents[self._player.item()]

    def step(self, action: int | str | None) -> None:
        """Carry out an action of ``agent_selection``, given by id or name; None for an agent whose game is over.

        Raises:
            IllegalActionError: there is no such action, or it is not legal now and ``illegal`` is ``"raise"``; nothing
                is changed.
            ResetNeeded: no agent is left.
        """
        if not self._count:
            self._step_over(action)
            return
        game = self.game
        # The kernel compares an int64 with the legal ids; it takes no other type, and what is negative is a command to
        # it: both are looked at here.
        if type(action) is not np.int64 or action < 0:
            action = game.action_id(action)
        count = self._play(
            self._states, game.tables, game.blank, action, self._actions, self._count, self._mask, self._observation
        )
        if count < 0:
            self._refuse(int(action))
        elif count:
            # No reward before the end: there is nothing to clear and nothing to add up.
            self._count = count
            self.agent_selection = self.possible_agents[self._player.item()]
        else:
            self._end()
        self._moved = True

    def _step_over(self, action: int | str | None) -> None:
        if not self._dealt:
            raise ResetNeeded("call reset() before step()")
        if not self.agents:
            raise ResetNeeded("the game is over for every player: call reset()")
        if action is not None:
            raise IllegalActionError(f"the game is over for {self.agent_selection}: step takes only None")
        self._was_dead_step(None)
        self._moved = True

    def _refuse(self, action: int) -> None:
        try:
            self.game_state().refuse(self.game.action_id(action))
        except IllegalActionError as error:
            if self.illegal == "raise" or not 0 <= action < self.game.num_actions:
                raise
            logger.warn(f"illegal action, the game ends and {self.agent_selection} loses: {error}")
        losses = [-1.0 if agent == self.agent_selection else 0.0 for agent in self.possible_agents]
        self._finish(losses, truncated=False)

    def _end(self) -> None:
        returns = np.zeros(self.game.num_players, np.float64)
        table = np.zeros((self.game.parties, self.game.standing_keys), np.int64)
        self.game.kernels.returns_one(self._states, self.game.tables, table, returns)
        self._finish(returns.tolist(), truncated=bool(self._states["truncated"][0]))

    def _finish(self, rewards: list[float], *, truncated: bool) -> None:
        self._count = 0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, terminated, truncated and info of ``agent_selection``."""
        if not self._count:
            if not self._dealt or not self.agents:
                raise ResetNeeded("call reset() before last()")
            return super().last(observe)
        shown: Observation | None = None
        if observe:
            shown = {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        return shown, 0.0, False, False, self.infos[self.agent_selection]

    def observe(self, agent: str) -> Observation:
        """What an agent may know, at any time, without side effects, in new arrays.

        Raises:
            ValueError: there is no such agent.
        """
        if agent not in self.action_spaces:
            raise ValueError(f"unknown agent {agent!r}; the agents are {listed(self.possible_agents)}")
        if not self._dealt:
            raise ResetNeeded("call reset() before observe()")
        if self._count and agent == self.agent_selection:
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        observation = np.zeros(self.game.observation_size, np.float32)
        seat = self.possible_agents.index(agent)
        self.game.kernels.observe_one(self._states, self.game.tables, seat, observation)
        return {"observation": observation, "action_mask": np.zeros(self.game.num_actions, np.int8)}

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """Yields ``agent_selection`` for a loop that calls ``step`` once each time round."""
        if not self._dealt:
            raise ResetNeeded("call reset() before agent_iter()")
        return _Turns(self, max_iter)

    def game_state(self) -> State:
        """The position as a ``State`` of its own: changing it does not change the environment."""
        if not self._dealt:
            raise ResetNeeded("call reset() before game_state()")
        return State(self.game, self._states.copy())

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as ``render_mode`` says: text, an image ``uint8[height, width, 3]``, or printed (None)."""
        if self.render_mode is None:
            logger.warn("render() shows nothing: the environment was made without a render_mode")
            return None
        return render.frame(str(self.game_state()), self.render_mode, self.game.title)

    def close(self) -> None:
        """Nothing is held open; the environment can still be used."""

    def __getattr__(self, name: str) -> Any:
        # Only names that reset() has not set yet come here.
        if name in AECEnv.__annotations__ or name == "num_agents":
            raise AttributeError(f"call reset() before reading {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        saved = {name: value for name, value in self.__dict__.items() if name not in _BUFFERS}
        for name, value in saved.items():
            if name not in _SHARED and isinstance(value, (dict, list, np.ndarray)):
                saved[name] = value.copy()
        return saved

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        running = self._count
        self._hold(self._states)
        if running:
            self._fill(REFRESH)


_BUFFERS = ("_player", "_actions", "_mask", "_observation", "_play")
_SHARED = ("observation_spaces", "action_spaces")


class _Turns(AECIterable[str, Observation, int]):
    def __iter__(self) -> AECIterator[str, Observation, int]:
        return _Turn(self.env, self.max_iter)


class _Turn(AECIterator[str, Observation, int]):
    """Ends when no agent is left; complains about a loop that never steps."""

    env: BoardroomAEC

    def __next__(self) -> str:
        agent = super().__next__()
        if not self.env._moved:
            raise RuntimeError("call step() or reset() once in each round of a loop over agent_iter()")
        self.env._moved = False
        return agent


def make_env(game_class: type[Game]) -> tuple[Callable[..., BoardroomAEC], Callable[..., BoardroomAEC]]:
    """The two functions of a game's PettingZoo module: ``env`` and ``raw_env``.

    They differ in the default for ``illegal``: ``"terminate"`` for ``env``, ``"raise"`` for ``raw_env``.
    """

    def env(
        num_players: int = 2, render_mode: str | None = None, illegal: str = "terminate", **options: Any
    ) -> BoardroomAEC:
        """The game as a PettingZoo AEC environment; an illegal action ends it with -1 for the offender.

        Args:
            num_players: seats in the game.
            render_mode: ``"ansi"``, ``"human"``, ``"rgb_array"`` or None.
            illegal: ``"terminate"`` or ``"raise"``; see ``core.aec.BoardroomAEC``.
            options: of the game.
        """
        return BoardroomAEC(game_class(num_players, **options), render_mode, illegal)

    def raw_env(
        num_players: int = 2, render_mode: str | None = None, illegal: str = "raise", **options: Any
    ) -> BoardroomAEC:
        """The same as ``env``, but an illegal action raises ``IllegalActionError``."""
        return BoardroomAEC(game_class(num_players, **options), render_mode, illegal)

    return env, raw_env
