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
    """Whoever plays a seat. If it has a method ``reset(seat)``, that is called when a game begins."""

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

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(render.MODES),
        "render_fps": render.FPS,
    }

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
        if not _is_one(opponents) and not isinstance(opponents, Sequence):
            raise ValueError(f"opponents: expected an agent, or a list of them, got {opponents!r}")
        if isinstance(game, str):
            if num_players is None:
                num_players = 2 if _is_one(opponents) else len(opponents) + 1  # type: ignore[arg-type]
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
        self.action_space: spaces.Discrete[np.int64] = spaces.Discrete(game.num_actions)  # type: ignore[assignment]
        self._state: State | None = None
        self._running = False

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
        seat = self._checked_seat(options.get("seat", self._fixed_seat))
        position = options.get("state")
        if position is not None:
            self.game.state_from_dict(position)  # raises before anything has changed
        super().reset(seed=seed)
        if seat is None:
            seat = int(self.np_random.integers(self.game.num_players))
        while True:
            dealt_from = int(self.np_random.integers(2**63)) if seed is None else seed
            if position is None:
                state = self.game.new_initial_state(dealt_from)
            else:
                state = self.game.state_from_dict(position, dealt_from)
            for distance, opponent in enumerate(self.opponents, 1):
                if hasattr(opponent, "reset"):
                    opponent.reset((seat + distance) % self.game.num_players)
            self._play_others(state, seat)
            if not state.is_terminal():
                break
            if position is not None:
                raise ValueError(f"state: the game ends before seat {seat} has anything to decide")
            seed = None
        self.seat, self._state, self._running = seat, state, True
        return state.observation(seat), self._info()

    def step(
        self, action: int | str | NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Carry out an action of the seat, given by id or name, and all decisions of the others up to its next one.

        Raises:
            IllegalActionError: there is no such action, or it is not legal now and ``illegal`` is ``"raise"``; nothing
                is changed.
            ResetNeeded: no episode is running.
        """
        if self._state is None or not self._running:
            raise ResetNeeded("no episode is running: call reset() before step()")
        state, seat, complaint = self._state, self.seat, {}
        chosen = self.game.action_id(action)
        try:
            state.apply_action(chosen)
        except IllegalActionError as error:
            if self.illegal == "raise":
                raise
            complaint = {"illegal_action": str(error)}
            if self.illegal == "terminate":
                self._running = False
                return state.observation(seat), -1.0, True, False, self._info() | complaint
            state.apply_action(int(self.np_random.choice(state.legal_actions())))
        self._play_others(state, seat)
        self._running = not state.is_terminal()
        cut = state.is_truncated()
        ended = not self._running and not cut
        return state.observation(seat), state.returns()[seat], ended, cut, self._info() | complaint

    def action_masks(self) -> NDArray[np.bool_]:
        """``bool[num_actions]``, true for what is legal; all false when no episode is running."""
        if self._state is None or not self._running:
            return np.zeros(self.game.num_actions, np.bool_)
        return self._state.legal_actions_mask()

    def game_state(self) -> State:
        """The position as a ``State`` of its own: changing it does not change the environment."""
        if self._state is None:
            raise ResetNeeded("call reset() before game_state()")
        return self._state.clone()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as ``render_mode`` says: text, an image ``uint8[height, width, 3]``, or printed (None)."""
        if self.render_mode is None:
            logger.warn("render() shows nothing: the environment was made without a render_mode")
            return None
        return render.frame(str(self.game_state()), self.render_mode, self.game.title)

    def _play_others(self, state: State, seat: int) -> None:
        n = self.game.num_players
        while not state.is_terminal() and state.current_player() != seat:
            mover = state.current_player()
            opponent = self.opponents[(mover - seat) % n - 1]
            try:
                state.apply_action(opponent.act(state, self.np_random))
            except IllegalActionError as error:
                raise IllegalActionError(f"opponent {opponent!r} in seat {mover}: {error}") from None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}

    def _checked_seat(self, seat: Any) -> int | None:
        n = self.game.num_players
        if seat is None:
            return None
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < n:
            raise ValueError(f"seat: expected a whole number from 0 to {n - 1} or None, got {seat!r}")
        return int(seat)


def _is_one(opponents: object) -> bool:
    return isinstance(opponents, str) or hasattr(opponents, "act")


def _agents(opponents: Any, game: Game) -> list[Opponent]:
    """An agent for each seat but one."""
    wanted = [opponents] * (game.num_players - 1) if _is_one(opponents) else list(opponents)
    if len(wanted) != game.num_players - 1:
        raise ValueError(f"opponents: {game.num_players} players need {game.num_players - 1}, got {len(wanted)}")
    return [_agent(opponent, game) for opponent in wanted]


def _agent(opponent: Any, game: Game) -> Opponent:
    if isinstance(opponent, str):
        found: Opponent = importlib.import_module("agents").load(opponent, game)
        return found
    if not callable(getattr(opponent, "act", None)):
        raise ValueError(f"opponents: expected an agent's name or an object with act(state, rng), got {opponent!r}")
    return opponent
