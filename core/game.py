"""``Game`` and ``State``: the Python face of the kernels, the same for every game."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from core.batch import REFRESH, RESET, Kernels
from core.layout import ActionLayout, ObservationLayout
from core.rng import seed_words
from core.schema import Fields, listed

if TYPE_CHECKING:
    from core.vector import VectorEnv

__all__ = ["Game", "IllegalActionError", "State"]

REWARDS = ("win", "rank", "margin")
MAGIC = b"BRDRM\x01"
CHECKSUM_BYTES = 8

_NO_MASK = np.zeros(0, np.int8)
_NO_OBSERVATION = np.zeros(0, np.float32)


class IllegalActionError(ValueError):
    """An action that is not legal now, or no action at all. The state is as it was."""


class Game(ABC):
    """The rules, options and components of one game; makes states and environments.

    A subclass names its parts as class attributes and says how a position is written, read and drawn.

    Args:
        num_players: seats in the game.
        max_decisions: after this many decisions an unfinished game is truncated.
        skip_forced: take a decision that has one legal action at once, as part of the step before.
        reward: ``"win"``, ``"rank"`` or ``"margin"``; what ``returns()`` gives at the end.
        components: a component file of the game's schema; None for the one in the package.

    Raises:
        ValueError: an option is unknown or out of range; the message names it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    default_max_decisions: ClassVar[int]
    margin_scale: ClassVar[float]
    dtype: ClassVar[np.dtype]
    kernels: ClassVar[Kernels]
    parties: ClassVar[int]
    standing_keys: ClassVar[int]
    observation_range: ClassVar[tuple[float, float]] = (-100.0, 100.0)
    phases: ClassVar[tuple[str, ...]]

    observation_layout: ObservationLayout
    action_layout: ActionLayout
    tables: NDArray[np.void]

    def __init__(
        self,
        num_players: int = 2,
        *,
        max_decisions: int | None = None,
        skip_forced: bool = True,
        reward: str = "win",
        components: str | Path | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            known = [name for name in inspect.signature(type(self)).parameters if name != "unknown"]
            raise ValueError(f"unknown option {listed(unknown)}; the options of {self.name} are {listed(known)}")
        self.num_players = _whole("num_players", num_players, self.min_players, self.max_players)
        limit = self.default_max_decisions if max_decisions is None else max_decisions
        self.max_decisions = _whole("max_decisions", limit, 1, 2**31 - 1)
        if not isinstance(skip_forced, (bool, np.bool_)):
            raise ValueError(f"skip_forced: expected true or false, got {skip_forced!r}")
        self.skip_forced = bool(skip_forced)
        if reward not in REWARDS:
            raise ValueError(f"reward: expected one of {listed(REWARDS)}, got {reward!r}")
        self.reward = reward
        self.components = components
        self.load_components(components)
        self.blank = np.zeros(1, self.dtype)
        settings = self.blank[0]
        settings["num_players"] = self.num_players
        settings["max_decisions"] = self.max_decisions
        settings["skip_forced"] = self.skip_forced
        settings["reward"] = REWARDS.index(reward)
        settings["margin_scale"] = self.margin_scale
        self.configure(settings)

    # What a subclass says

    @abstractmethod
    def load_components(self, path: str | Path | None) -> None:
        """Set ``tables`` and ``action_layout`` from a component file; ValueError for a broken one."""

    def configure(self, settings: np.void) -> None:
        """Write the game's own options to the blank record."""

    @abstractmethod
    def options(self, record: np.void) -> dict[str, Any]:
        """The rules' own options of a position, as ``to_dict`` shows them."""

    @abstractmethod
    def write_position(self, record: np.void) -> dict[str, Any]:
        """The game's own part of ``to_dict``."""

    @abstractmethod
    def read_position(self, position: Fields, states: NDArray[np.void]) -> None:
        """Fill a record, blank but for its settings and generator, from a dict; ValueError names the key."""

    @abstractmethod
    def draw(self, state: State, observer: int | None = None) -> str:
        """The board as a person reads it, the whole of it or only what the seat ``observer`` may know."""

    @abstractmethod
    def check_invariants(self, state: State) -> None:
        """Raise AssertionError, naming the rule, if the position cannot occur in a game from set-up."""

    # What users call

    @property
    def num_actions(self) -> int:
        """Size of the flat action space."""
        return len(self.action_layout)

    @property
    def observation_size(self) -> int:
        """Length of an observation vector, the same for every number of players."""
        return len(self.observation_layout)

    @property
    def observation_labels(self) -> list[str]:
        """One name a feature of ``State.observation``."""
        return list(self.observation_layout.names)

    @property
    def observation_slices(self) -> dict[str, slice]:
        """The slice of each named block of ``State.observation``."""
        return dict(self.observation_layout.slices)

    def new_initial_state(self, seed: int | None = None) -> State:
        """A dealt game at its first decision.

        Args:
            seed: the same seed gives the same game; None draws one from the operating system.
        """
        self.kernels.announce()
        states = self.blank.copy()
        states["rng"][0] = seed_words(seed)
        state = State(self, states)
        state._count = state._play(RESET)
        return state

    def state_from_dict(self, position: Mapping[str, Any], seed: int | None = 0) -> State:
        """A state from (part of) a dict as ``State.to_dict`` writes it; missing keys take their defaults.

        Args:
            position: the dict; its schema is in the game's README.
            seed: for the generator of the new state.

        Raises:
            ValueError: names the key that does not fit and says why.
        """
        state = State(self, self.blank.copy())
        state.states[0]["rng"] = seed_words(seed)
        with Fields(position) as fields:
            if fields.raw("game", self.name) != self.name:
                raise fields.error("game", f"expected {self.name!r}, got {position['game']!r}")
            if fields.integer("num_players", self.num_players) != self.num_players:
                raise fields.error("num_players", f"this game has {self.num_players}, got {position['num_players']}")
            self.read_position(fields, state.states)
        return state

    def state_from_bytes(self, data: bytes) -> State:
        """The state that ``State.to_bytes`` wrote, generator included.

        Raises:
            ValueError: the bytes are damaged, or of another game, version, number of players or component file.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise ValueError(f"expected bytes, got {type(data).__name__}")
        data = bytes(data)
        if not data.startswith(MAGIC):
            raise ValueError("these bytes are not a saved state of this library")
        body, checksum = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
        if _checksum(body) != checksum:
            raise ValueError("the bytes of the saved state are damaged or cut short")
        length = int.from_bytes(body[len(MAGIC) : len(MAGIC) + 2], "little")
        start = len(MAGIC) + 2
        saved = json.loads(body[start : start + length])
        for key, value in self._identity().items():
            if saved.get(key) != value:
                raise ValueError(f"saved state has {key} {saved.get(key)!r}, this game has {value!r}")
        return State(self, np.frombuffer(body[start + length :], self.dtype).copy())

    def string_to_action(self, name: str) -> int:
        """The id of an action; IllegalActionError for an unknown name."""
        action = self.action_layout.get(name) if isinstance(name, str) else None
        if action is None:
            family = str(name).partition(":")[0]
            near = [known for known in self.action_layout.names if known.partition(":")[0] == family]
            hint = f"; actions of this family: {listed(near)}" if near else ""
            raise IllegalActionError(f"unknown action {name!r} in {self.name}{hint}")
        return action

    def action_to_string(self, action: int) -> str:
        """The name of an action; IllegalActionError for an id out of range."""
        return self.action_layout.names[self.action_id(action)]

    def action_id(self, action: Any) -> int:
        """The id of an action given by id or name; IllegalActionError if there is no such action."""
        if isinstance(action, str):
            return self.string_to_action(action)
        if isinstance(action, np.ndarray) and action.ndim == 0:  # as learning libraries predict it
            action = action[()]
        if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
            raise IllegalActionError(f"an action is an id or a name, not {action!r}")
        if not 0 <= action < self.num_actions:
            raise IllegalActionError(
                f"action {action} is out of range: {self.name} has ids 0 to {self.num_actions - 1}"
            )
        return int(action)

    def vector(self, num_envs: int = 1, seed: int | None = None, **settings: Any) -> VectorEnv:
        """A batch of this game; see ``core.vector.VectorEnv``."""
        from core.vector import VectorEnv

        return VectorEnv(self, num_envs, seed, **settings)

    def components_digest(self) -> str:
        """A short hash of the component tables the game is played with."""
        return self._components_digest

    @functools.cached_property
    def _components_digest(self) -> str:
        fields = np.zeros(self.tables.shape, self.tables.dtype)  # a copy of a record may have anything between fields
        for name in self.tables.dtype.names or ():
            fields[name] = self.tables[name]
        return hashlib.blake2b(fields.tobytes(), digest_size=8).hexdigest()

    def __repr__(self) -> str:
        return f"Game({self.name!r}, num_players={self.num_players})"

    def _identity(self) -> dict[str, Any]:
        """What a saved state must agree with."""
        layout = hashlib.blake2b(repr(self.dtype.descr).encode(), digest_size=8).hexdigest()
        return {
            "game": self.name,
            "version": self.version,
            "num_players": self.num_players,
            "layout": layout,
            "components": self.components_digest(),
        }


class State:
    """A position of a game. Made by ``Game``; changed only by ``apply_action``.

    Two states are equal if they are the same position of the same game: everything ``to_dict`` shows, but not the
    generator that decides draws to come.
    """

    __slots__ = ("_actions", "_count", "game", "states")

    def __init__(self, game: Game, states: NDArray[np.void]) -> None:
        self.game = game
        self.states = states
        self._actions = np.zeros(game.num_actions, np.int16)
        self._count = -1

    def current_player(self) -> int:
        """The seat to move, or -4 when the game is over."""
        return int(self.states["player"][0])

    @property
    def phase(self) -> str:
        """The word for the pending decision."""
        return self.game.phases[self.states["phase"][0]]

    @property
    def decisions(self) -> int:
        """Decisions taken so far."""
        return int(self.states["decisions"][0])

    def legal_actions(self) -> list[int]:
        """The ids of the legal actions in ascending order; empty when the game is over."""
        return sorted(self._actions[: self._legal_count()].tolist())

    def legal_actions_mask(self) -> NDArray[np.bool_]:
        """``bool[num_actions]``, true for the legal actions."""
        mask = np.zeros(self.game.num_actions, np.bool_)
        mask[self._actions[: self._legal_count()]] = True
        return mask

    def action_to_string(self, action: int) -> str:
        """The name of an action; IllegalActionError for an id out of range."""
        return self.game.action_to_string(action)

    def string_to_action(self, name: str) -> int:
        """The id of an action; IllegalActionError for an unknown name."""
        return self.game.string_to_action(name)

    def apply_action(self, action: int | str) -> None:
        """Carry out an action, given by id or name, and go on to the next decision.

        Raises:
            IllegalActionError: the action is not legal now; the message says what is. The state is unchanged.
        """
        chosen = self.game.action_id(action)
        self._legal_count()
        count = self._play(chosen)
        if count < 0:
            self.refuse(chosen)
        self._count = count

    def refuse(self, action: int) -> NoReturn:
        """Raise the IllegalActionError that says what is legal instead of ``action``."""
        name = self.game.action_to_string(action)
        if self.is_terminal():
            raise IllegalActionError(f"{name!r} (id {action}): the game is over, no action is legal")
        legal = [self.game.action_to_string(a) for a in self.legal_actions()]
        raise IllegalActionError(
            f"{name!r} (id {action}) is not legal for player {self.current_player()} in phase {self.phase!r}; "
            f"legal are {listed(legal, 40)}"
        )

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules or cut at ``max_decisions``."""
        return bool(self.states["done"][0])

    def is_truncated(self) -> bool:
        """Whether the game was cut at ``max_decisions``."""
        return bool(self.states["truncated"][0])

    def scores(self) -> list[int]:
        """The score of each seat as the position stands."""
        table, _ = self._standings()
        return [int(score) for score in table[: self.game.num_players, 0]]

    def places(self) -> list[int]:
        """How many parties stand before each seat as the position stands, by score and tie-breaks."""
        table, parties = self._standings()
        places = np.zeros(parties, np.int64)
        self.game.kernels.place_one(table, parties, places)
        return [int(place) for place in places[: self.game.num_players]]

    def winners(self) -> list[int]:
        """The seats that share the victory; empty while the game runs."""
        return [seat for seat, place in enumerate(self.places()) if place == 0] if self.is_terminal() else []

    def returns(self) -> list[float]:
        """The return of each seat: zeros while the game runs, then by the game's ``reward``."""
        table = np.zeros((self.game.parties, self.game.standing_keys), np.int64)
        out = np.zeros(self.game.num_players, np.float64)
        self.game.kernels.returns_one(self.states, self.game.tables, table, out)
        return [float(value) for value in out]

    def clone(self) -> State:
        """An independent copy, generator included."""
        copy = State(self.game, self.copies(1))
        copy._actions[:] = self._actions
        copy._count = self._count
        return copy

    def copies(self, count: int) -> NDArray[np.void]:
        """``count`` exact copies of the record, generator included, as one array; feed them to ``VectorEnv.load``."""
        plain = self.states.view(np.uint8).reshape(1, -1)
        return np.repeat(plain, count, axis=0).reshape(-1).view(self.game.dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game._identity() == other.game._identity() and self._position() == other._position()

    def __hash__(self) -> int:
        return hash(self._position())

    def observation(self, player: int) -> NDArray[np.float32]:
        """What ``player`` may know, ``float32[observation_size]``: self first, then by seat.

        Raises:
            ValueError: there is no such seat.
        """
        out = np.zeros(self.game.observation_size, np.float32)
        self.game.kernels.observe_one(self.states, self.game.tables, self._seat(player), out)
        return out

    def determinize(self, player: int, seed: int | None = None) -> State:
        """A new state that looks the same to ``player``: hidden parts dealt anew, generator seeded with ``seed``."""
        state = self.clone()
        state.states[0]["rng"] = seed_words(seed)
        self.game.kernels.determinize_one(state.states, self.game.tables, self._seat(player))
        state._count = -1
        return state

    def to_dict(self) -> dict[str, Any]:
        """The whole position as JSON-able data; the schema is in the game's README."""
        record = self.states[0]
        return {
            "game": self.game.name,
            "num_players": self.game.num_players,
            "options": self.game.options(record),
            "current_player": self.current_player(),
            "phase": self.phase,
            "decisions": self.decisions,
            "terminal": self.is_terminal(),
            "truncated": self.is_truncated(),
            **self.game.write_position(record),
        }

    def to_bytes(self) -> bytes:
        """The exact state, generator included, with a checksum; read by ``Game.state_from_bytes``."""
        head = json.dumps(self.game._identity()).encode()
        body = MAGIC + len(head).to_bytes(2, "little") + head + self.states.tobytes()
        return body + _checksum(body)

    def digest(self) -> str:
        """A short hash of the exact record, generator included, the same on every machine."""
        return hashlib.blake2b(self.states.tobytes(), digest_size=8).hexdigest()

    def __str__(self) -> str:
        return self.game.draw(self)

    def __repr__(self) -> str:
        return (
            f"<{self.game.name} state: phase {self.phase}, player {self.current_player()}, decision {self.decisions}>"
        )

    def __getstate__(self) -> tuple[Game, bytes]:
        return self.game, self.states.tobytes()

    def __setstate__(self, saved: tuple[Game, bytes]) -> None:
        game, record = saved
        self.__init__(game, np.frombuffer(record, game.dtype).copy())  # type: ignore[misc]

    def _legal_count(self) -> int:
        if self._count < 0:
            self._count = self._play(REFRESH)
        return self._count

    def _play(self, action: int) -> int:
        game = self.game
        return game.kernels.play_one(
            self.states, game.tables, game.blank, action, self._actions, self._count, _NO_MASK, _NO_OBSERVATION
        )

    def _position(self) -> bytes:
        start = self.game.dtype.fields["decisions"][1]  # type: ignore[index]
        return self.states.tobytes()[start:]

    def _standings(self) -> tuple[NDArray[np.int64], int]:
        table = np.zeros((self.game.parties, self.game.standing_keys), np.int64)
        return table, int(self.game.kernels.standings_one(self.states, self.game.tables, table))

    def _seat(self, player: int) -> int:
        if (
            isinstance(player, bool)
            or not isinstance(player, (int, np.integer))
            or not 0 <= player < self.game.num_players
        ):
            raise ValueError(f"player: expected a seat from 0 to {self.game.num_players - 1}, got {player!r}")
        return int(player)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return int(value)


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=CHECKSUM_BYTES).digest()
