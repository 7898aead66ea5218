"""Looks a turn or two ahead from every action: ``rollout:16`` plays each out sixteen times by scripts.

From a position, each action is followed by what scripts would do, until the player to move has had its next turns; a
critic values what has come about then, see ``agents.critic`` (rollouts of a base policy, Tesauro and Galperin 1996,
Bertsekas 1997). Every time the hidden cards and the chances ahead are dealt anew, with a generator of its own, and
alike for all actions: what remains of chance falls on them in common.

The player itself goes on as the script ``tuned``, or as ``greedy`` where no rules are shipped; the others are taken to
play as ``greedy``.
"""

from __future__ import annotations

import functools
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import critic, tuned
from agents.base import Agent
from agents.critic import Critic
from agents.mcts import whole_number
from agents.scripted import LONE, Scripted, deal_anew, look, play_on, script, script_parts
from core.batch import FIRST, advance, compile_over, returns
from core.game import Game, State
from core.rng import next_word
from core.vector import VectorEnv

__all__ = ["Foresight", "Rollouts", "foresee", "make"]

ROLLOUTS, TURNS = 16, 2
MOST_ROLLOUTS = 10**5
DOUBT = 1.0
"""Standard errors by which an action must be better than the script's to be taken instead."""
NONE = -1
LOT = 4096
"""Outlooks in memory at a time, for each thread."""


def foresee(
    roots,
    tables,
    choices,
    turns,
    rng,
    own,
    others,
    states,
    words,
    actions,
    worths,
    table,
    values,
    results,
    outlooks,
    places,
):
    """Play out each of ``choices: int64[n, most]`` (then ``NONE``) of every position of ``roots``, some times.

    ``results: float64[n, most, rollouts]`` gets what the player to move has earned at the end of a game. Where it still
    runs, what the critic should look at goes to the next row of ``outlooks``, and the place of its result to the same
    of ``places: int64[rows, 3]``.

    Returns:
        The number of those rows.
    """
    rows = 0
    for n in range(roots.shape[0]):
        seat = np.int64(roots[n]["player"])
        for r in range(results.shape[2]):
            for k in range(4):
                words[k] = next_word(rng)
            for k in range(choices.shape[1]):
                if choices[n, k] == NONE:
                    break
                deal_anew(states, roots, n, tables, words)
                advance(states, FIRST, tables, choices[n, k], actions)
                play_on(states, tables, seat, turns, own, others, actions, worths)
                if states[0]["done"]:
                    returns(states, FIRST, tables, table, values)
                    results[n, k, r] = values[seat]
                else:
                    look(states, FIRST, tables, own, outlooks[rows])
                    places[rows, 0] = n
                    places[rows, 1] = k
                    places[rows, 2] = r
                    rows += 1
    return rows


@functools.cache
def _compiled(kind: type[Game], best: Any, sight: Any) -> Any:
    return compile_over(kind.kernels, [foresee], script_parts(best, sight)).foresee


class Foresight:
    """What actions come to, by rollouts.

    Args:
        game: of the positions, with the greatest number of players.
        own: how the player to move goes on.
        others: how the others play: the same script, with any rules.
        critic: of positions, for this script.
        rollouts: of each action.
        turns: of the player to move, until the critic is asked.

    Raises:
        ValueError: the scripts differ.
    """

    def __init__(
        self, game: Game, own: Scripted, others: Scripted, critic: Critic, rollouts: int = ROLLOUTS, turns: int = TURNS
    ) -> None:
        if own.best_action is not others.best_action:
            raise ValueError(f"expected one script for all players, got {own.name} and {others.name}")
        self.game, self.own, self.others, self.critic = game, own, others, critic
        self.rollouts, self.turns = rollouts, turns
        self._kernel = _compiled(type(game), own.best_action, own.outlook.look)

    def results(
        self, records: NDArray[np.void], choices: NDArray[np.int64], rng: np.random.Generator, threads: int = 1
    ) -> NDArray[np.float64]:
        """What each action brings whoever is to move, by rollout, as its return.

        Args:
            records: positions, ``[n]``; they are left alone.
            choices: actions that are legal there, ``[n, most]``, in each row those there are and then ``NONE``.
            rng: the only source of chance.
            threads: how many work side by side; the results are the same with any number.

        Returns:
            ``float64[n, most, rollouts]``, from -1 to 1; NaN where there is no action.
        """
        lot = max(1, LOT // (choices.shape[1] * self.rollouts))
        starts = range(0, len(records), lot)
        words = rng.integers(0, 2**64, (len(starts), 4), np.uint64)
        parts = [(records[k : k + lot], choices[k : k + lot], words[j]) for j, k in enumerate(starts)]
        if threads == 1:
            done = [self._part(*part) for part in parts]
        else:
            with ThreadPoolExecutor(threads) as pool:
                done = list(pool.map(lambda part: self._part(*part), parts))
        shape = (0, choices.shape[1], self.rollouts)
        return np.concatenate([np.zeros(shape), *done])

    def _part(
        self, records: NDArray[np.void], choices: NDArray[np.int64], words: NDArray[np.uint64]
    ) -> NDArray[np.float64]:
        game = self.game
        results = np.full((*choices.shape, self.rollouts), np.nan)
        outlooks = np.zeros((results.size, self.own.outlook.size), np.float32)
        places = np.zeros((results.size, 3), np.int64)
        room = (
            np.zeros(1, game.dtype),
            np.zeros(4, np.uint64),
            np.zeros(game.num_actions, np.int16),
            np.zeros(game.num_actions, np.float32),
            np.zeros((game.parties, game.standing_keys), np.int64),
            np.zeros(type(game).max_players),
        )
        scripts = self.own.room(), self.others.room()
        rows = self._kernel(
            records, game.tables, choices, self.turns, words, *scripts, *room, results, outlooks, places
        )
        values = self.critic.values(outlooks[:rows])
        results[tuple(places[:rows].T)] = np.clip(values, -1.0, 1.0)
        return results


class Rollouts(Agent):
    """Takes the action that comes to most, if it is clearly better than the script's.

    Args:
        name: what tables call it.
        foresight: see there.
    """

    def __init__(self, name: str, foresight: Foresight) -> None:
        self.name, self.foresight = name, foresight

    @property
    def weights(self) -> str:
        sight = self.foresight
        return sight.own.weights + sight.others.weights + sight.critic.digest()

    def act(self, state: State, rng: np.random.Generator) -> int:
        return int(self._choose(state.states, LONE, state.legal_actions_mask()[np.newaxis], rng)[0])

    def act_batch(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        return self._choose(batch.states, games, batch.action_mask[games], rng)

    def _choose(
        self, states: NDArray[np.void], games: NDArray[np.int64], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        sight = self.foresight
        counts = masks.sum(axis=1)
        chosen = sight.own.actions(states, games, sight.game)
        asked = np.flatnonzero(counts > 1)
        if not asked.size:
            return chosen
        order = np.argsort(~masks[asked], axis=1, kind="stable")[:, : counts.max()]
        choices = np.where(np.arange(order.shape[1]) < counts[asked, np.newaxis], order, NONE)
        results = sight.results(states[games[asked]], choices, rng)
        rows = np.arange(len(asked))
        usual = results[rows, (choices == chosen[asked, np.newaxis]).argmax(axis=1)]
        means = results.mean(axis=2)
        best = np.nanargmax(means, axis=1)
        gain = results[rows, best] - usual
        clear = gain.mean(axis=1) > DOUBT * gain.std(axis=1) / math.sqrt(sight.rollouts)
        chosen[asked[clear]] = choices[rows, best][clear]
        return chosen


def make(game: Game, argument: str) -> Rollouts:
    """See ``agents.load``; the argument is the number of rollouts, as ``"16"``, or empty.

    Raises:
        ValueError: it is something else, or the game has no critic.
    """
    agent = f"rollout:{argument}" if argument else "rollout"
    rollouts = whole_number(agent, "rollouts", argument, 1, MOST_ROLLOUTS) if argument else ROLLOUTS
    own, others = script("tuned" if tuned.shipped(game).is_file() else "greedy", game), script("greedy", game)
    return Rollouts(f"rollout:{rollouts}", Foresight(game, own, others, critic.load(game, own), rollouts))
