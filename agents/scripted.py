"""An agent whose rules of thumb are compiled: what every ``agents.greedy.<game>`` makes."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from agents import available, load
from agents.base import Agent
from core.batch import FIRST, REWARD_WIN, advance, compile_over, determinize, observe, returns
from core.game import Game, State
from core.jit import jit
from core.layout import at
from core.rng import seed_words
from core.schema import listed
from core.vector import VectorEnv

__all__ = [
    "AHEAD",
    "ENDING",
    "LONE",
    "Outlook",
    "Rules",
    "Scripted",
    "advise",
    "best_action",
    "deal_anew",
    "foretell",
    "look",
    "play_on",
    "put",
    "record",
    "script",
    "script_parts",
    "tupled",
    "view",
]

SCRIPTS = ("greedy", "tuned")
AHEAD, MOST_TURNS = "+", 100
"""In a base's name, what stands before the turns that its forecasts look ahead, and how many these may be."""
CHANCES = seed_words(0)
"""Of the generator with which forecasts are dealt: the same for all, so that a position always has the same one."""
ENDING = 3
"""Numbers of a forecast before those of the outlook."""
Rules = Mapping[str, Any]
"""Numbers by name: a number, or a tuple of numbers, which may be of tuples."""
LONE = np.zeros(1, np.int64)
"""The number of the only game there is."""


def best_action(states, i, tables, notes, worths):
    """The id of a legal action for the player to move in record ``i``: a stub, each script has its own.

    ``notes`` is a tuple of arrays: the rules of thumb, see ``record``, and room to work in. A script may write what it
    finds actions worth to ``worths: float32``, by their ids; it does not read what stood there before. Only worths of
    one decision can be compared, and of actions that are not legal only if they are steps of the same plans.
    """


def look(states, i, tables, notes, out):
    """What critics look at, into ``out: float32[size]``: the observation of the player to move in record ``i``.

    A script may have one of its own, that says in fewer numbers what it makes of the position; see ``Outlook``.
    Residual networks see that too.
    """
    observe(states, i, tables, np.int64(states[i]["player"]), out)


def advise(states, games, tables, notes, chosen, worths):
    """What the script would do in each of ``games: int64[n]``, into ``chosen: int64[n]``.

    And what it finds actions worth, into ``worths: float32[n, num_actions]``, 0 before; x as sign(x) log(1 + |x|),
    since a win is worth thousands of times as much as a good move. With fewer rows the first is only room to work in.
    """
    told = worths.shape[0] == games.shape[0]
    for k in range(games.shape[0]):
        row = np.int64(k) if told else np.int64(0)
        chosen[k] = best_action(states, games[k], tables, notes, worths[row])
        if told:
            for a in range(worths.shape[1]):
                worth = worths[row, at(0, a)]
                if worth != 0.0:
                    worths[row, at(0, a)] = math.copysign(math.log1p(abs(worth)), worth)


def view(states, games, tables, notes, outlooks):
    """The outlook of the player to move in each of ``games: int64[n]``, into ``outlooks: float32[n, size]``.

    Without rows nobody asks for it; so in ``foretell``.
    """
    for k in range(outlooks.shape[0]):
        look(states, games[k], tables, notes, outlooks[k])


def foretell(states, games, tables, notes, future, forecasts):
    """The forecast for the player to move in each of ``games: int64[n]``, ``float32[n, ENDING + size]``."""
    for k in range(forecasts.shape[0]):
        forecast(states, games[k], tables, notes, future, forecasts[k])


def forecast(states, i, tables, own, future, out):
    """What comes about if all go on by scripts, until the player to move in record ``i`` begins one of its next turns.

    One deal of what it cannot know, and one course of chance, the same for every position. If the game is over before,
    ``out: float32[ENDING + size]`` gets the return of that player, of reward "win", 1, and the part of the turns that
    were left, then zeros; else three zeros, and its outlook then. Alone a player has one turn, to the end of the game.

    ``own`` and ``future`` are the ``notes`` and ``future`` of ``Scripted``.
    """
    turns, others, imagined, actions, worths, table, values = future
    for k in range(out.shape[0]):
        out[k] = 0.0
    seat = np.int64(states[i]["player"])
    deal_anew(imagined, states, i, tables, CHANCES)
    imagined[0]["reward"] = REWARD_WIN
    left = play_on(imagined, tables, seat, turns, own, others, actions, worths)
    if imagined[0]["done"]:
        returns(imagined, FIRST, tables, table, values)
        out[0] = values[seat]
        out[1] = 1.0
        out[2] = left / turns
    else:
        look(imagined, FIRST, tables, own, out[ENDING:])


def deal_anew(imagined, states, i, tables, words):
    """Copy record ``i`` to ``imagined[0]``, with what its player to move cannot know dealt anew.

    ``words: uint64[4]`` become its generator, from which chances come too. Decisions without a choice are skipped.
    """
    imagined[0] = states[i]
    s = imagined[0]
    s["skip_forced"] = 1
    for k in range(4):
        s["rng"][k] = words[k]
    determinize(imagined, FIRST, tables, np.int64(s["player"]))


def play_on(states, tables, seat, turns, own, others, actions, worths):
    """Go on by scripts in ``states[0]``, until ``seat`` is to move after others ``turns`` times, or the game is over.

    ``own`` and ``others`` are the notes of the scripts for the seat and for all others; ``actions: int16[num_actions]``
    and ``worths: float32[num_actions]`` are room to work in.

    Returns:
        The number of those turns that were left.
    """
    s = states[0]
    away = False
    while s["done"] == 0:
        if s["player"] != seat:
            away = True
            action = best_action(states, FIRST, tables, others, worths)
        else:
            turns -= away
            if turns == 0:
                break
            away = False
            action = best_action(states, FIRST, tables, own, worths)
        advance(states, FIRST, tables, np.int64(action), actions)
    return turns


def script_parts(best_action: Any, look: Any) -> dict[str, Any]:
    """What ``core.batch.compile_over`` needs of a script, beside its entries, for all that is written here."""
    return {
        "best_action": best_action,
        "look": look,
        "forecast": forecast,
        "deal_anew": deal_anew,
        "play_on": play_on,
    }


class Outlook(NamedTuple):
    """What a script makes of a position.

    Networks and critics know its numbers by their places: further ones may only be added at the end. Critics, and
    networks that see a forecast, must then be trained anew.

    Attributes:
        look: compiled, or a function over the game's kernels; see ``look`` of this module.
        size: how many numbers it writes, each of the order of 1.
    """

    look: Any
    size: int


@jit
def put(out, k, value):
    """Write a number of an outlook; where the next one goes."""
    out[k] = value
    return k + 1


def record(rules: Rules) -> NDArray[np.void]:
    """Rules of thumb as kernels read them: an array of one record with a field for each, in 64-bit numbers."""
    return np.array([tuple(rules.values())], [(name, "f8", np.shape(value)) for name, value in rules.items()])


def tupled(numbers: Any) -> Any:
    """Lists of numbers, which may be of lists, as tuples of floats."""
    return tuple(map(tupled, numbers)) if isinstance(numbers, list) else float(numbers)


@functools.cache
def _compiled(kind: type[Game], best_action: Any, sight: Any) -> Any:
    return compile_over(kind.kernels, [advise, view, foretell], script_parts(best_action, sight))


class Scripted(Agent):
    """Takes the action that its rules of thumb find worth most. No chance is involved.

    It works in arrays of its own: not for several threads at once.

    Args:
        name: what tables call it.
        game: the game it plays, with any options.
        best_action: the script, compiled with ``core.jit.jit``; see the stub of this module.
        rules: its rules of thumb.
        room: more arrays; what the script is called with are the rules, as ``record`` makes them, and these.
        outlook: its own, if it has one.
        common: the rules that others are taken to go by in forecasts. Default: its own.
        turns: that forecasts look ahead; 0: there are none.

    Attributes:
        outlook: its own, or the observation.
        insight: how many numbers its advice begins with: its own outlook, and the forecast; 0 if it has none.
        common: the rules that others are taken to go by in forecasts.
        turns: that forecasts look ahead.
        future: what ``forecast`` unpacks: the turns, the others' notes, a record to play in, and room for ``play_on``
            and ``core.batch.returns``; empty if there are no forecasts.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        best_action: Any,
        rules: Rules,
        room: tuple[NDArray[Any], ...],
        outlook: Outlook | None = None,
        common: Rules | None = None,
        turns: int = 0,
    ) -> None:
        self.name, self.best_action, self.rules, self.common = name, best_action, rules, common or rules
        self.outlook = outlook or Outlook(look, game.observation_size)
        self.insight = outlook.size if outlook else 0
        self.turns = turns if outlook else 0
        self.notes = (record(rules), *room)
        self.future: tuple[Any, ...] = ()
        if self.turns:
            self.insight += ENDING + self.outlook.size
            self.future = (
                turns,
                (record(self.common), *room),
                np.zeros(1, game.dtype),
                np.zeros(game.num_actions, np.int16),
                np.zeros(game.num_actions, np.float32),
                np.zeros((game.parties, game.standing_keys), np.int64),
                np.zeros(type(game).max_players),
            )
        self._game = game
        self._room = np.zeros((1, game.num_actions), np.float32)
        self._kernels = _compiled(type(game), best_action, self.outlook.look)

    @property
    def weights(self) -> str:
        rules = [self.notes[0], *([record(self.common)] if self.turns else [])]
        return hashlib.blake2b(b"".join(each.tobytes() for each in rules), digest_size=16).hexdigest()

    def with_rules(self, name: str, rules: Rules) -> Scripted:
        """The same script with other rules of thumb, under another name.

        Raises:
            ValueError: they have other names, or not as many numbers for each.
        """
        if {key: np.shape(value) for key, value in rules.items()} != {
            key: np.shape(value) for key, value in self.rules.items()
        }:
            raise ValueError(f"rules: expected the names and shapes of {dict(self.rules)}, got {dict(rules)}")
        ordered = {key: rules[key] for key in self.rules}
        return self._with(name, ordered, self.turns)

    def with_forecast(self, turns: int) -> Scripted:
        """The same script, whose advice tells what comes about in so many turns, 1 to ``MOST_TURNS``; see ``forecast``.

        Raises:
            ValueError: it has no outlook of its own, or that is no such number.
        """
        if not 1 <= turns <= MOST_TURNS:
            raise ValueError(f"expected a number of turns from 1 to {MOST_TURNS}, got {turns}")
        if not self.insight:
            raise ValueError(f"{self.name} of {self._game.name} has no outlook of its own, and so no forecast")
        return self._with(self.name, self.rules, turns)

    def _with(self, name: str, rules: Rules, turns: int) -> Scripted:
        own = self.outlook if self.insight else None
        room = self.room()[1:]
        return Scripted(name, self._game, self.best_action, rules, room, own, self.common, turns)

    def room(self) -> tuple[NDArray[Any], ...]:
        """What it is called with, for a thread of its own: the rules, and room to work in."""
        return (self.notes[0], *(np.zeros_like(array) for array in self.notes[1:]))

    def act(self, state: State, rng: np.random.Generator) -> int:
        return int(self.actions(state.states, LONE, state.game)[0])

    def act_batch(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        return self.actions(batch.states, games, batch.game)

    def actions(self, states: NDArray[np.void], games: NDArray[np.int64], game: Game) -> NDArray[np.int64]:
        """What it would do in each of ``games`` of a batch of records, without its reasons; see ``advice``."""
        return self._chosen(states, games, game, self._room)

    def outlooks(self, states: NDArray[np.void], games: NDArray[np.int64], game: Game) -> NDArray[np.float32]:
        """The outlook of each of ``games`` of a batch of records: ``float32[len(games), outlook.size]``."""
        outlooks = np.zeros((len(games), self.outlook.size), np.float32)
        self._kernels.view(states, games, game.tables, self.notes, outlooks)
        return outlooks

    def forecasts(self, states: NDArray[np.void], games: NDArray[np.int64], game: Game) -> NDArray[np.float32]:
        """What comes of each of ``games`` of a batch of records: ``float32[len(games), ENDING + outlook.size]``."""
        forecasts = np.zeros((len(games), ENDING + self.outlook.size), np.float32)
        self._kernels.foretell(states, games, game.tables, self.notes, self.future, forecasts)
        return forecasts

    def advice(self, states: NDArray[np.void], games: NDArray[np.int64], game: Game) -> NDArray[np.float32]:
        """What it makes of each of ``games`` of a batch of records, what it would do, and why.

        Returns:
            ``float32[len(games), insight + num_actions + 1]``: its own outlook, and the forecast; what it finds each
            action worth, x as sign(x) log(1 + |x|), and 0 for those it did not weigh, which are all where there is no
            choice; then the id of the action it would take.
        """
        worths = np.zeros((len(games), game.num_actions), np.float32)
        chosen = self._chosen(states, games, game, worths)
        own = [self.outlooks(states, games, game)] if self.insight else []
        if self.turns:
            own.append(self.forecasts(states, games, game))
        return np.column_stack((*own, worths, chosen.astype(np.float32)))

    def _chosen(
        self, states: NDArray[np.void], games: NDArray[np.int64], game: Game, worths: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        """See ``advise``."""
        chosen = np.empty(len(games), np.int64)
        self._kernels.advise(states, games, game.tables, self.notes, chosen, worths)
        return chosen

    def beside(
        self, observations: NDArray[np.float32], states: NDArray[np.void], games: NDArray[np.int64], game: Game
    ) -> NDArray[np.float32]:
        """What a network with this base sees: the observations of those games, and after them the advice."""
        return np.hstack((observations, self.advice(states, games, game)))


def script(name: str, game: Game, others: Sequence[str] = (), *, as_base: bool = False) -> Scripted:
    """A scripted agent by name.

    Args:
        name: see ``agents.load``.
        game: the game it will play.
        others: what else the caller would have taken, for the message.
        as_base: it is the base of a network, whose name may end in a number of turns: the advice of ``"tuned+3"`` tells
            what comes about in three turns too, see ``forecast``.

    Raises:
        ValueError: there is no such scripted agent for this game, the message lists those there are; or it has no
            forecasts, or not for so many turns.
    """
    plain, ahead, turns = name.partition(AHEAD) if as_base else (name, "", "")
    scripts = [kind for kind in SCRIPTS if kind in available(game)]
    if plain not in scripts:
        raise ValueError(f"expected {listed([*others, *scripts])}, got {name!r}; {game.name} has no such script")
    found = cast(Scripted, load(plain, game))
    if not ahead:
        return found
    if turns not in map(str, range(1, MOST_TURNS + 1)):
        raise ValueError(f"expected a number of turns from 1 to {MOST_TURNS} after {plain}{AHEAD}, got {name!r}")
    return found.with_forecast(int(turns))
