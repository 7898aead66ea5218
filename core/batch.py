"""The kernel interface of a game, and the loops over a batch of games, written once for all of them.

A game is seven compiled functions over one record. The stubs below say what each must do; ``bind`` puts a game's own
in their place and compiles the loops around them.

Every kernel takes ``states``, a one-dimensional array of the game's records, and ``i``, the record meant; ``tables`` is
an array of one record with the component data. A kernel never checks its arguments: the Python side does.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from core.jit import cache_directory, config, entry, jit
from core.rng import below

__all__ = ["HEADER", "TERMINAL_PLAYER", "Kernels", "bind", "compile_over", "record"]

TERMINAL_PLAYER = -4
"""``player`` of a finished game."""

FORCED_LIMIT = 10_000
"""Most forced actions taken within one step; it only keeps a faulty game from hanging."""

FIRST = np.int64(0)
"""Index of a lone state; numba would compile every kernel once more for a literal 0."""

REWARD_WIN, REWARD_RANK, REWARD_MARGIN = 0, 1, 2
AUTORESET_SAME_STEP, AUTORESET_NEXT_STEP, AUTORESET_DISABLED = 0, 1, 2
PLAY, REFRESH, RESET, PLAY_RANDOM = 0, -1, -2, -3
"""Commands: one decision; fill the buffers for the position as it stands; begin a new game; random decisions."""

HEADER: list[tuple[Any, ...]] = [
    ("rng", "u8", (4,)),  # the generator of core.rng
    ("margin_scale", "f8"),  # reward="margin" divides by this
    ("max_decisions", "i4"),  # truncation
    ("skip_forced", "i1"),  # 1: a decision with one legal action is taken at once
    ("reward", "i1"),  # REWARD_*
    ("num_players", "i2"),
    ("decisions", "i4"),  # taken so far, forced ones not counted when skip_forced
    ("player", "i2"),  # to move; TERMINAL_PLAYER when done
    ("phase", "i2"),  # the game's own Phase
    ("done", "i1"),  # 1: finished, by the rules or by truncation
    ("truncated", "i1"),  # 1: finished by truncation
]
"""The first fields of every game's record: settings up to ``num_players``, the position from ``decisions`` on."""


def record(fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """The dtype of a game's record: ``HEADER``, then ``fields``; aligned and without a hidden byte.

    Raises:
        ValueError: a field would be preceded by padding; the message says which, so that it can be moved.
    """
    dtype = np.dtype([*HEADER, *fields], align=True)
    end = 0
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2]  # type: ignore[index]
        if offset != end:
            raise ValueError(f"{offset - end} bytes of padding before {name!r}: put wider fields first")
        end = offset + field.itemsize
    if end != dtype.itemsize:
        return record([*fields, ("unused", "u1", (dtype.itemsize - end,))])
    return dtype


# What a game supplies


def deal(states, i, tables):
    """Set up a game. The record is blank but for its settings and generator; sets ``player`` and ``phase``."""


def legal(states, i, tables, actions):
    """Write the ids of the legal actions to ``actions: int16[num_actions]`` and return how many they are.

    Called only while the game is not done; there is always at least one. Any order; the same position gives the same.
    """


def step(states, i, tables, action):
    """Carry out a legal action up to the next decision; sets ``player`` and ``phase``, or ``done`` = 1 at the end."""


def truncate(states, i, tables):
    """Adjust the record when the game is cut at ``max_decisions`` (``done`` and ``player`` are set by the caller)."""


def standings(states, i, tables, table):
    """Write a row per party to ``table: int64[parties, keys]``: score, then tie-breaks; return the number of parties.

    The first ``num_players`` rows are the seats; more rows are opponents the game itself plays. More is better.
    """


def observe(states, i, tables, seat, out):
    """Write what ``seat`` may know to ``out: float32[observation_size]``, every entry of it."""


def determinize(states, i, tables, seat):
    """Deal anew what ``seat`` cannot know, with the record's generator."""


# The loops


def settle(states, i, tables, actions):
    """Take forced actions; the number of legal actions of the decision that is then due, 0 if the game is done."""
    s = states[i]
    if s["done"]:
        return 0
    count = legal(states, i, tables, actions)
    if s["skip_forced"]:
        taken = 0
        while count == 1 and taken < FORCED_LIMIT:
            step(states, i, tables, np.int64(actions[0]))
            if s["done"]:
                return 0
            count = legal(states, i, tables, actions)
            taken += 1
    return count


def advance(states, i, tables, action, actions):
    """One decision and all that follows from it; returns the number of legal actions then, listed in ``actions``."""
    s = states[i]
    s["decisions"] += 1
    step(states, i, tables, action)
    count = settle(states, i, tables, actions)
    if s["done"] == 0 and s["decisions"] >= s["max_decisions"]:
        truncate(states, i, tables)
        s["truncated"] = 1
        s["done"] = 1
        count = 0
    if s["done"]:
        s["player"] = TERMINAL_PLAYER
    return count


def begin(states, i, tables, blank, actions):
    """A new game in record ``i``, going on with its generator.

    ``blank`` holds the settings: one record for all games, or one for each.
    """
    s = states[i]
    rng = s["rng"]
    w0, w1, w2, w3 = rng[0], rng[1], rng[2], rng[3]
    states[i] = blank[i % blank.shape[0]]
    rng[0] = w0
    rng[1] = w1
    rng[2] = w2
    rng[3] = w3
    deal(states, i, tables)
    count = settle(states, i, tables, actions)
    if s["done"]:
        s["player"] = TERMINAL_PLAYER
    return count


def ahead(table, a, b):
    """1 if party a stands before b, -1 if behind, 0 if level in every key."""
    for key in range(table.shape[1]):
        if table[a, key] > table[b, key]:
            return 1
        if table[a, key] < table[b, key]:
            return -1
    return 0


def place(table, parties, a):
    """How many parties stand before a, and how many are level with it (itself included)."""
    before = 0
    level = 0
    for b in range(parties):
        order = ahead(table, b, a)
        if order > 0:
            before += 1
        elif order == 0:
            level += 1
    return before, level


def returns(states, i, tables, table, out):
    """Write the return of each seat to ``out``; zeros while the game runs. Several seats: they sum to 0."""
    s = states[i]
    n = np.int64(s["num_players"])
    for seat in range(n):
        out[seat] = 0.0
    if s["done"] == 0:
        return
    parties = standings(states, i, tables, table)
    if n == 1:
        before, level = place(table, parties, FIRST)
        if before > 0:
            out[0] = -1.0
        elif level == 1:
            out[0] = 1.0
    elif s["reward"] == REWARD_MARGIN:
        total = 0
        for seat in range(n):
            total += table[seat, 0]
        for seat in range(n):
            own = table[seat, 0]
            out[seat] = (own - (total - own) / (n - 1)) / s["margin_scale"]
    elif s["reward"] == REWARD_RANK:
        for seat in range(n):
            before, level = place(table, n, seat)
            out[seat] = 1.0 - 2.0 * (before + (level - 1) / 2.0) / (n - 1)
    else:
        winners = 0
        for seat in range(n):
            before, level = place(table, n, seat)
            if before == 0:
                winners = level
        for seat in range(n):
            before, level = place(table, n, seat)
            if before == 0:
                out[seat] = (n - winners) / (winners * (n - 1))
            else:
                out[seat] = -1.0 / (n - 1)


def _fill_mask(actions, count, mask):
    for a in range(mask.shape[0]):
        mask[a] = 0
    for k in range(count):
        mask[actions[k]] = 1


def _is_listed(action, actions, count):
    for k in range(count):
        if actions[k] == action:
            return True
    return False


def play_one(states, tables, blank, action, actions, count, mask, observation):
    """One decision in ``states[0]``, if it is among ``actions[:count]``; or ``RESET`` or ``REFRESH`` in its place.

    ``mask`` and ``observation`` are filled for the player then to move, or left alone if they are empty.

    Returns:
        The new number of legal actions, or -1 if the action is not legal (nothing is changed then).
    """
    if action == RESET:
        count = begin(states, FIRST, tables, blank, actions)
    elif action == REFRESH:
        count = 0 if states[0]["done"] else legal(states, FIRST, tables, actions)
    elif _is_listed(action, actions, count):
        count = advance(states, FIRST, tables, action, actions)
    else:
        return -1
    if mask.shape[0] > 0:
        _fill_mask(actions, count, mask)
    if observation.shape[0] > 0 and count > 0:
        observe(states, FIRST, tables, np.int64(states[0]["player"]), observation)
    return count


def observe_one(states, tables, seat, observation):
    observe(states, FIRST, tables, seat, observation)


def determinize_one(states, tables, seat):
    determinize(states, FIRST, tables, seat)


def standings_one(states, tables, table):
    return standings(states, FIRST, tables, table)


def returns_one(states, tables, table, out):
    returns(states, FIRST, tables, table, out)


def place_one(table, parties, places):
    """Write how many of ``parties`` stand before each to ``places: int64[parties]``."""
    for a in range(parties):
        before, level = place(table, parties, a)
        places[a] = before


def first_illegal(chosen, games, counts, masks):
    """The first place whose chosen action is not legal, -1 if there is none; finished games take any action."""
    for k in range(games.shape[0]):
        i, action = games[k], chosen[k]
        if counts[i] > 0 and (action < 0 or action >= masks.shape[1] or not masks[i, action]):
            return k
    return -1


def _play_random(states, i, tables, blank, policy, steps, actions, tally):
    """``steps`` uniformly random decisions in game ``i``, begun anew at once when it is finished.

    ``policy: uint64[4]`` is the generator of the choices, apart from the game's own. ``tally`` counts decisions,
    finished games and truncated games.
    """
    s = states[i]
    count = begin(states, i, tables, blank, actions) if s["done"] else legal(states, i, tables, actions)
    for _ in range(steps):
        count = advance(states, i, tables, np.int64(actions[below(policy, count)]), actions)
        if s["done"]:
            tally[1] += 1
            tally[2] += s["truncated"]
            count = begin(states, i, tables, blank, actions)
    tally[0] += steps


def step_batch(
    states,
    tables,
    blank,
    command,
    chosen,
    games,
    autoreset,
    actions,
    counts,
    masks,
    observations,
    players,
    rewards,
    terminated,
    truncated,
    table,
    policy,
    steps,
    tally,
):
    """One decision in each of ``games``, and their rows of the buffers filled for the decisions that are then due.

    ``command`` is ``PLAY``; or ``RESET``, which begins the games anew; or ``REFRESH``, which only fills the buffers; or
    ``PLAY_RANDOM``: ``steps`` uniformly random decisions in each game, finished ones begun anew at once, after which
    the buffers are out of date. These choices come from ``policy: uint64[num_envs, 4]``, generators apart from the
    games' own, and ``tally`` counts decisions, finished games and truncated games.

    That is all in one function because each that Python calls holds the code of the whole game, compiled anew.
    """
    for k in range(games.shape[0]):
        i = games[k]
        if command == PLAY_RANDOM:
            _play_random(states, i, tables, blank, policy[i], steps, actions[i], tally)
            continue
        s = states[i]
        seat = np.int64(s["player"])
        was_done = s["done"] == 1
        for p in range(rewards.shape[1]):
            rewards[i, p] = 0.0
        if command == RESET or (was_done and command == PLAY and autoreset == AUTORESET_NEXT_STEP):
            counts[i] = begin(states, i, tables, blank, actions[i])
        elif was_done or command == REFRESH:
            counts[i] = 0 if was_done else legal(states, i, tables, actions[i])
        else:
            counts[i] = advance(states, i, tables, chosen[k], actions[i])
        terminated[i] = s["done"] == 1 and s["truncated"] == 0
        truncated[i] = s["truncated"] == 1
        if s["done"] == 1 and not was_done:
            returns(states, i, tables, table, rewards[i])
            if autoreset == AUTORESET_SAME_STEP:
                counts[i] = begin(states, i, tables, blank, actions[i])
        players[i] = s["player"]
        _fill_mask(actions[i], counts[i], masks[i])
        if observations.shape[1] > 0:
            if s["done"] == 0:
                seat = np.int64(s["player"])
            if seat >= 0:
                observe(states, i, tables, seat, observations[i])


_SUPPLIED = ("deal", "legal", "step", "truncate", "standings", "observe", "determinize")
_LAYERS: tuple[Any, ...] = (settle, advance, begin)
_INNER: dict[str, Any] = {
    f.__name__: f for f in (*_LAYERS, ahead, place, returns, _fill_mask, _is_listed, _play_random)
}
_ENTRIES: tuple[Any, ...] = (
    play_one,
    observe_one,
    determinize_one,
    standings_one,
    returns_one,
    place_one,
    first_illegal,
    step_batch,
)


class Kernels(SimpleNamespace):
    """The compiled loops of one game, by the names they have in this module, and the game's own seven kernels."""

    package: str

    def announce(self) -> None:
        """Tell the user, once, that the first call will take a while because nothing is cached yet."""
        if config.DISABLE_JIT or getattr(self, "_announced", False):
            return
        self._announced = True
        directory = cache_directory(self.play_one.py_func, self.package)
        if directory is None or not any(directory.rglob("*.nbi")):
            print(
                f"{self.package}: compiling the kernels, once; later starts load them from the cache", file=sys.stderr
            )


def bind(package: str, kernels: Mapping[str, Any]) -> Kernels:
    """Compile the loops of this module around a game's kernels.

    Args:
        package: the game's package; it names the cache directory.
        kernels: the seven functions of the interface, compiled with ``core.jit.jit``, by name.

    Raises:
        ValueError: a kernel is missing or unknown.
    """
    if set(kernels) != set(_SUPPLIED):
        raise ValueError(f"a game supplies exactly {', '.join(_SUPPLIED)}; got {', '.join(sorted(kernels))}")
    loops = _compile({**globals(), **kernels}, _INNER, _ENTRIES, package)
    return Kernels(package=package, **kernels, **loops)


def compile_over(kernels: Kernels, entries: Sequence[Any], inner: Mapping[str, Any]) -> SimpleNamespace:
    """Compile further loops over a game's kernels, written in other modules in the manner of this one.

    They import what they call from here (``legal``, ``determinize``, ``advance`` ...); the game's own take the places
    of the stubs. What they read is looked up in all their modules together. Nothing is compiled before an entry is
    first called.

    Args:
        kernels: of the game.
        entries: functions for Python to call.
        inner: what the entries call, by the name it has there; a function that is compiled already stays as it is.

    Returns:
        The compiled functions by name.
    """
    namespace: dict[str, Any] = {}
    for function in (*inner.values(), *entries):
        if not hasattr(function, "py_func"):  # what is compiled has found its globals; they might hide others
            namespace.update(function.__globals__)
    namespace.update({name: getattr(kernels, name) for name in (*_SUPPLIED, *_INNER)})
    return SimpleNamespace(**_compile(namespace, inner, entries, kernels.package))


def _compile(
    namespace: dict[str, Any], inner: Mapping[str, Any], entries: Sequence[Any], package: str
) -> dict[str, Any]:
    """Put the compiled functions into the namespace that they read; all of them by name."""
    for name, function in inner.items():
        compiled = hasattr(function, "py_func")
        namespace[name] = function if compiled else jit(_over(namespace, function), inline=function in _LAYERS)
    for function in entries:
        namespace[function.__name__] = entry(_over(namespace, function), package=package)
    return {name: namespace[name] for name in (*inner, *(function.__name__ for function in entries))}


def _over(namespace: dict[str, Any], function: Any) -> Any:
    """The same function, reading its globals from ``namespace``."""
    rebuilt = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    rebuilt.__doc__ = function.__doc__
    return rebuilt
