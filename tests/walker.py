"""Uniform random play in compiled code, with the invariants of the record looked at after every decision.

A game's own part is a kernel ``broken`` and the names of its rules: see ``tests.xenon.walker``, ``tests.tesla.walker``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.batch import FIRST, Kernels, advance, begin, compile_over, legal
from core.game import Game
from core.rng import below, seed_words

LAST = np.int64(1)
ALL_WELL = "all is well"
NO_ACTION = "a position that is not over has a legal action"


def broken(s, before, t):
    """Stub. The place in a game's rules of what does not hold in record ``s``, 0 if all does.

    ``before`` is the record before the last decision, or ``s`` itself where there was none.
    """


def first_broken(states, tables):
    """``broken`` of ``states[0]``, with ``states[1]`` before it."""
    return broken(states[FIRST], states[LAST], tables[FIRST])


def start(states, starts, tables, blank, policy, actions):
    """Begin a game in ``states[0]``: with the deal, or in one of the positions of ``starts`` if there are any."""
    if starts.shape[0] == 0:
        return begin(states, FIRST, tables, blank, actions)
    states[FIRST] = starts[below(policy, np.int64(starts.shape[0]))]
    rng = states[FIRST]["rng"]
    for word in range(4):
        rng[word] = policy[3 - word]
    return legal(states, FIRST, tables, actions)


def walk_on(states, starts, tables, blank, policy, decisions, actions, tally, lengths):
    """Random decisions in ``states[0]``, finished games begun anew; ``states[1]`` is always the record before.

    ``tally: int64[actions]`` counts the actions taken, ``lengths: int64[games, 2]`` the decisions of each game and
    whether it was cut. Returns the first rule broken, the decisions, the games, and the most decisions in one turn.
    """
    s = states[FIRST]
    games = 0
    begun = 0
    longest = 0
    turn = 0
    count = start(states, starts, tables, blank, policy, actions)
    for decision in range(decisions):
        action = np.int64(actions[below(policy, count)])
        tally[action] += 1
        mover = np.int64(s["player"])
        states[LAST] = states[FIRST]
        count = advance(states, FIRST, tables, action, actions)
        turn = turn + 1 if s["player"] == mover else 1
        longest = max(longest, turn)
        rule = broken(s, states[LAST], tables[FIRST])
        if rule == 0 and count < 1 and s["done"] == 0:
            rule = 1
        if rule != 0:
            return rule, decision + 1, games, longest
        if s["done"]:
            if games < lengths.shape[0]:
                lengths[games, 0] = decision + 1 - begun
                lengths[games, 1] = s["truncated"]
            begun = decision + 1
            games += 1
            count = start(states, starts, tables, blank, policy, actions)
    return 0, decisions, games, longest


@dataclass(frozen=True)
class Walk:
    """What came of a walk.

    Attributes:
        rule: the first rule that was broken, or ``ALL_WELL``.
        decisions: how many were taken.
        games: how many games were finished.
        longest_turn: the most decisions in one turn.
        tally: how often each action was taken, ``int64[num_actions]``.
        lengths: decisions of each finished game, ``int64[games]``.
        truncated: finished games that were cut.
        last: the record at the end, for a look at what is broken, and the one before it.
    """

    rule: str
    decisions: int
    games: int
    longest_turn: int
    tally: NDArray[np.int64]
    lengths: NDArray[np.int64]
    truncated: int
    last: NDArray[np.void]


class Walker:
    """Walks through a game and checks its rules.

    Args:
        kernels: of the game.
        rules: what is checked; the first two are ``ALL_WELL`` and ``NO_ACTION``.
        check: the game's ``broken``, compiled with ``core.jit.jit``.
    """

    def __init__(self, kernels: Kernels, rules: Sequence[str], check: Any) -> None:
        assert tuple(rules[:2]) == (ALL_WELL, NO_ACTION)
        self.rules = tuple(rules)
        self._compiled = compile_over(kernels, [first_broken, walk_on], {"broken": check, "start": start})

    def rule_broken(self, game: Game, states: NDArray[np.void], before: NDArray[np.void] | None = None) -> str:
        """The rule that does not hold in a record, or ``ALL_WELL``."""
        pair = np.concatenate([states, states if before is None else before])
        return self.rules[self._compiled.first_broken(pair, game.tables)]

    def walk(self, game: Game, decisions: int, seed: int = 0, starts: NDArray[np.void] | None = None) -> Walk:
        """Take so many random decisions, but stop at the first that breaks a rule.

        Games begin with the deal, or in the positions ``starts`` (records of the game, none of them over).
        """
        states = np.concatenate([game.blank, game.blank])
        states["rng"][0] = seed_words(seed)
        policy = seed_words(seed + 1_000_000)
        actions = np.zeros(game.num_actions, np.int16)
        tally = np.zeros(game.num_actions, np.int64)
        lengths = np.zeros((decisions // 20 + 1, 2), np.int64)
        rule, taken, games, longest = self._compiled.walk_on(
            states,
            game.blank[:0] if starts is None else starts,
            game.tables,
            game.blank,
            policy,
            decisions,
            actions,
            tally,
            lengths,
        )
        cut = int(lengths[:games, 1].sum())
        return Walk(self.rules[rule], int(taken), int(games), int(longest), tally, lengths[:games, 0], cut, states)

    def report(self, games: Iterable[Game], decisions: int, starts: NDArray[np.void] | None = None) -> None:
        """Walk through each of the games, and print a JSON line of what came of it."""
        for game in games:
            done = self.walk(game, decisions, starts=starts)
            shown = {"seats": game.num_players, "rule": done.rule, "decisions": done.decisions, "games": done.games}
            print(json.dumps(shown))
