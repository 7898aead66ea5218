"""Gymnasium: one seat of any game, the other seats played by given opponents."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from core import registry, render
from core.game import Game, IllegalActionError, State
from core.schema import listed

__all__ = ["BoardroomGymEnv", "Opponent"]

ILLEGAL = ("terminate", "raise", "random")


class Opponent(Protocol):
    """Whoever plays a seat."""

    def act(self, state: State, rng: np.random.Generator) -> int:
        """The id of a legal action for the player to move. The state is the game itself: it must not be changed."""


class BoardroomGymEnv(gymnasium.Env[NDArray[np.float32], int]):
    """One seat of a game; the opponents move inside ``reset`` and ``step``.

    The observation is the plain vector ``float32[observation_size]``; ``action_masks()`` says what is legal, as
    MaskablePPO of sb3-contrib asks for it, and so does ``info["action_mask"]`` (``int8[num_actions]``, as
    ``action_space.sample`` takes it). The reward is all that the seat earns up to its next decision, so a game lost
    by an opponent's reply is credited to the action before it. ``info["seat"]`` is the seat played.

    Attributes:
        game: the game played.
        seat: the seat of the running episode.
        opponents: who plays the other seats, in turn order after ``seat``.

    Args:
        game: a game, or the name of one in ``core.registry``.
        opponents: an agent's name (``"random"``, ``"greedy"``, see ``agents``) or an ``Opponent`` for every other seat,
            or a list of them, one for each in turn order after the seat.
        seat: the seat played, or None for a random one in each episode.
        num_players: seats in the game; by default as many as the list of opponents needs, or else 2.
        render_mode: ``"ansi"``, ``"human"``, ``"rgb_array"`` or None.
        illegal: what an action that is not legal now does. ``"terminate"``: the episode ends with reward -1, and
            ``info["illegal_action"]`` says why; ``"random"``: a random legal action is taken instead, and the info says
            so; ``"raise"``: ``IllegalActionError``, nothing changed. What is no action of the game at all (an id out of
            range, an unknown name) raises it in any case.
        options: of the game, if it is given by name.

    Raises:
        ValueError: an argument is not valid; the message names it.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(render.MODES), "render_fps": render.FPS}

    def __init__(
        self,
        game: Game | str,
        opponents: str | Opponent | Sequence[str | Opponent] = "random",
        seat: int | None = None,
        num_players: int | None = None,
        render_mode: str | None = None,
        illegal: str = "terminate",
        **options: Any,
    ) -> None:
        if isinstance(game, str):
            if num_players is None:
                num_players = 2 if isinstance(opponents, str) or _is_agent(opponents) else len(opponents) + 1  # type: ignore[arg-type]
            game = registry.game(game, num_players=num_players, **options)
        elif options or num_players not in (None, game.num_players):
            raise ValueError("num_players and options belong to a game that is given by name")
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal: expected one of {listed(ILLEGAL)}, got {illegal!r}")
        self.game = game
        self.render_mode = render.checked_mode(render_mode)
        self.illegal = illegal
        self.opponents = _agents(opponents, game)
        self._fixed_seat = self._checked_seat(seat)
        self.seat = self._fixed_seat or 0
        low, high = game.observation_range
        self.observation_space = spaces.Box(low, high, (game.observation_size,), np.float32)
        self.action_space = spaces.Discrete(game.num_actions)
        self._state: State | None = None
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game and play up to the seat's first decision.

        Args:
            seed: the game begins as ``game.new_initial_state(seed)``; None draws one from ``np_random``, as do random
                seats and opponents.
            options: ``{"state": dict}`` begins at that position (see ``Game.state_from_dict``), ``{"seat": int}`` sets
                the seat of this episode.

        Raises:
            ValueError: an option is not valid, or the position leaves the seat nothing to decide.
        """
        options = options or {}
        fixed = self._checked_seat(options.get("seat", self._fixed_seat))
        position = options.get("state")
        given = None if position is None else self.game.state_from_dict(position, seed)
        super().reset(seed=seed)
        seat = fixed if fixed is not None else int(self.np_random.integers(self.game.num_players))
        state = given or self.game.new_initial_state(self._draw_seed() if seed is None else seed)
        if given is not None and seed is None:
            given = state = self.game.state_from_dict(position, self._draw_seed())  # type: ignore[arg-type]
        self._play_others(state, seat)
        while state.is_terminal():
            if given is not None:
                raise ValueError(f"state: the game ends before seat {seat} has anything to decide")
            state = self.game.new_initial_state(self._draw_seed())
            self._play_others(state, seat)
        self.seat, self._state, self._over = seat, state, False
        return state.observation(seat), self._info()
