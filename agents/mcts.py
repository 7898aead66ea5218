"""Monte Carlo tree search for every game: information set search with one tree of the searcher's choices and replies.

Each simulation deals anew what the searcher cannot know, with the searcher's own generator, descends the tree by UCB1
among the actions that are legal in that deal, adds one node, and plays on at random up to a horizon (Cowling, Powley and
Whitehouse 2012, single observer). Draws and shuffles happen on the way, so a node stands for a sequence of actions, not
for a position. Values are vectors with an entry a seat, and each player who moves looks at its own.
"""

from __future__ import annotations

import functools
import math
from types import SimpleNamespace

import numpy as np

from agents.base import Agent
from core.batch import FIRST, REWARD_MARGIN, REWARD_RANK, advance, compile_over, determinize, legal, returns, standings
from core.game import Game, State
from core.rng import below, next_word

__all__ = ["Search", "make"]

SIMULATIONS, HORIZON = 200, 30
EXPLORATION = 0.7
TURN = True
TEMP = 1.0

ROOT, NONE = 0, -1
NODE = np.dtype(
    [
        ("visits", "i4"),
        ("available", "i4"),  # how often the action was legal when the parent chose
        ("child", "i4"),  # the first of them, NONE without
        ("sibling", "i4"),  # the next child of the parent, NONE for the last
        ("action", "i4"),  # that leads here
    ],
    align=True,
)


def select(tree, totals, bounds, node, mover, actions, count, child_of, rng, exploration):
    """The child to go to: one for an untried action, NONE if there is no such action, or else the best by UCB1.

    Returns:
        The child if all legal actions were tried, NONE otherwise; and the untried action.
    """
    child = tree[node]["child"]
    while child != NONE:
        child_of[tree[child]["action"]] = child
        child = tree[child]["sibling"]
    low, high = bounds[mover, 0], bounds[mover, 1]
    untried, fresh = 0, NONE
    best, chosen = -np.inf, NONE
    for k in range(count):
        action = np.int64(actions[k])
        child = child_of[action]
        if child == NONE:
            untried += 1
            if below(rng, untried) == 0:
                fresh = action
            continue
        entry = tree[child]
        entry["available"] += 1
        visits = entry["visits"]
        worth = totals[child, mover] / visits
        worth = (worth - low) / (high - low) if high > low else 0.5
        worth += exploration * math.sqrt(math.log(entry["available"]) / visits)
        if worth > best:
            best, chosen = worth, np.int64(child)
    child = tree[node]["child"]
    while child != NONE:
        child_of[tree[child]["action"]] = NONE
        child = tree[child]["sibling"]
    return (chosen if untried == 0 else NONE), fresh


def grow(tree, totals, node, action, size):
    """Add node number ``size`` under ``node``."""
    entry = tree[size]
    entry["visits"] = 0
    entry["available"] = 1
    entry["child"] = NONE
    entry["sibling"] = tree[node]["child"]
    entry["action"] = action
    tree[node]["child"] = size
    for seat in range(totals.shape[1]):
        totals[size, seat] = 0.0


def descend(states, tables, actions, count, tree, totals, bounds, size, path, child_of, rng, exploration):
    """From the root to a new node, or to the end of the game; the nodes passed are written to ``path``.

    Returns:
        The number of nodes passed, of nodes in the tree, and of legal actions at the leaf.
    """
    path[0] = ROOT
    length, node, grown = 1, ROOT, False
    while count > 0 and not grown:
        mover = np.int64(states[0]["player"])
        child, action = select(tree, totals, bounds, node, mover, actions, count, child_of, rng, exploration)
        if child == NONE:
            grow(tree, totals, node, action, size)
            child = size
            size += 1
            grown = True
        count = advance(states, FIRST, tables, np.int64(tree[child]["action"]), actions)
        node = child
        path[length] = node
        length += 1
    return length, size, count


def roll_out(states, tables, actions, count, rng, horizon, seat, turn):
    """Random play for so many decisions."""
    for _ in range(horizon):
        if count == 0:
            return
        count = advance(states, FIRST, tables, np.int64(actions[below(rng, count)]), actions)
    if turn:
        last = seat
        for _ in range(100):
            if count == 0:
                return
            mover = states[0]["player"]
            if mover == seat and last != seat:
                return
            last = mover
            count = advance(states, FIRST, tables, np.int64(actions[below(rng, count)]), actions)


def evaluate(states, tables, table, out, temp):
    """What each seat can expect: its return if the game is over, else an estimate of it from the standings."""
    returns(states, FIRST, tables, table, out)
    s = states[0]
    if s["done"]:
        return
    parties = standings(states, FIRST, tables, table)
    scale = s["margin_scale"] * temp
    n = out.shape[0]
    top = table[0, 0]
    for p in range(1, parties):
        top = max(top, table[p, 0])
    total = 0.0
    for p in range(parties):
        total += math.exp((table[p, 0] - top) / scale)
    for seat in range(n):
        share = math.exp((table[seat, 0] - top) / scale) / total
        out[seat] = (share * parties - 1.0) / (parties - 1)


def back_up(tree, totals, bounds, path, length, values):
    """Credit the values to the nodes passed."""
    for k in range(length):
        node = path[k]
        tree[node]["visits"] += 1
        for seat in range(values.shape[0]):
            totals[node, seat] += values[seat]
            mean = totals[node, seat] / tree[node]["visits"]
            bounds[seat, 0] = min(bounds[seat, 0], mean)
            bounds[seat, 1] = max(bounds[seat, 1], mean)


def search(root, states, tables, actions, tree, totals, bounds, path, child_of, table, values, rng, simulations, horizon, exploration, turn, temp):
    """The most visited action of the root after so many simulations."""
    seat = np.int64(root[0]["player"])
    grow(tree, totals, ROOT, NONE, ROOT)
    tree[ROOT]["child"] = NONE
    for p in range(bounds.shape[0]):
        bounds[p, 0] = np.inf
        bounds[p, 1] = -np.inf
    size = 1
    for _ in range(simulations):
        states[0] = root[0]
        s = states[0]
        s["skip_forced"] = 1
        for k in range(4):
            s["rng"][k] = next_word(rng)
        determinize(states, FIRST, tables, seat)
        count = legal(states, FIRST, tables, actions)
        length, size, count = descend(
            states, tables, actions, count, tree, totals, bounds, size, path, child_of, rng, exploration
        )
        roll_out(states, tables, actions, count, rng, horizon, seat, turn)
        evaluate(states, tables, table, values, temp)
        back_up(tree, totals, bounds, path, length, values)
    chosen, most, best = NONE, 0, -np.inf
    child = tree[ROOT]["child"]
    while child != NONE:
        visits = tree[child]["visits"]
        mean = totals[child, seat] / visits
        if visits > most or (visits == most and mean > best):
            chosen, most, best = np.int64(tree[child]["action"]), visits, mean
        child = tree[child]["sibling"]
    return chosen


@functools.cache
def compiled(kind: type[Game]) -> SimpleNamespace:
    return compile_over(kind.kernels, [search], [select, grow, descend, roll_out, evaluate, back_up])


class Search(Agent):
    def __init__(self, game: Game, simulations: int = SIMULATIONS, horizon: int = HORIZON, exploration=None, turn=None, temp=None) -> None:
        self.name = f"mcts:{simulations}"
        self.simulations, self.horizon = simulations, horizon
        self.exploration = EXPLORATION if exploration is None else exploration
        self.turn = TURN if turn is None else turn
        self.temp = TEMP if temp is None else temp
        nodes = simulations + 1
        n = game.num_players
        self._states = np.zeros(1, game.dtype)
        self._actions = np.zeros(game.num_actions, np.int16)
        self._tree = np.zeros(nodes, NODE)
        self._totals = np.zeros((nodes, n))
        self._bounds = np.zeros((n, 2))
        self._path = np.zeros(nodes + 1, np.int64)
        self._child_of = np.full(game.num_actions, NONE, np.int64)
        self._table = np.zeros((game.parties, game.standing_keys), np.int64)
        self._values = np.zeros(n)
        self._search = compiled(type(game)).search

    def act(self, state: State, rng: np.random.Generator) -> int:
        words = rng.integers(0, 2**64, 4, np.uint64)
        return int(
            self._search(
                state.states, self._states, state.game.tables, self._actions, self._tree, self._totals, self._bounds,
                self._path, self._child_of, self._table, self._values, words, self.simulations, self.horizon,
                self.exploration, self.turn, self.temp,
            )
        )


def make(game: Game, argument: str) -> Search:
    parts = argument.split(":") if argument else []
    options = {}
    for part in parts:
        k, eq, v = part.partition("=")
        options[k if eq else "simulations"] = int(v) if k == "horizon" or k=="turn" else (float(v) if eq else int(k))
    return Search(game, **options)
