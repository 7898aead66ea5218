"""Monte Carlo tree search for every game: ``mcts:200`` looks at each decision with 200 simulations.

Each simulation deals anew what the searcher cannot know, with the searcher's own generator; descends the tree by UCB1
among the actions that are legal in that deal; adds one node; plays on, at random or as a scripted agent would, up to a
horizon; and credits what each seat can expect then to the nodes on its way. Whoever is to move in a node looks at its
own share (Cowling, Powley and Whitehouse 2012, information set search with a single observer). Draws happen on the way
down, so a node stands for a sequence of actions, not for a position.

What differs between searches are two functions, ``select`` and ``value_leaf``, and their ``guide``, a tuple of what
these need; ``agents.guided`` has both from a trained network.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from agents.base import Agent
from agents.scripted import Scripted, best_action, deal_anew, script
from core.batch import FIRST, REWARD_MARGIN, REWARD_RANK, advance, compile_over, legal, returns, standings
from core.game import Game, State
from core.rng import below, next_word

__all__ = ["Search", "kernels", "make", "whole_number"]

SIMULATIONS, HORIZON = 200, 30
MOST_SIMULATIONS, MOST_HORIZON = 10**7, 10**6
EXPLORATION = 0.7
"""Weight of UCB1's second term; the first is scaled to 0 to 1 by the means met in the tree."""

ROOT, NONE = 0, -1
NODE = np.dtype(
    [
        ("visits", "i4"),
        ("available", "i4"),  # how often its action was legal when its parent was passed, since it is in the tree
        ("child", "i4"),  # the first of its children, NONE without any
        ("sibling", "i4"),  # the next child of its parent, NONE for the last
        ("action", "i4"),  # that leads to it
    ]
)


def grow(tree, totals, size, parent, action):
    """Make node number ``size``, and return the number of nodes there are then."""
    node = tree[size]
    node["visits"] = 0
    node["available"] = 1
    node["child"] = NONE
    node["action"] = action
    node["sibling"] = NONE
    if parent != NONE:
        node["sibling"] = tree[parent]["child"]
        tree[parent]["child"] = size
    for seat in range(totals.shape[1]):
        totals[size, seat] = 0.0
    return size + 1


def note_children(tree, parent, child_of):
    """Write the child that each action leads to into ``child_of: int64[num_actions]``, which holds NONE before."""
    child = np.int64(tree[parent]["child"])
    while child != NONE:
        child_of[tree[child]["action"]] = child
        child = np.int64(tree[child]["sibling"])


def forget_children(tree, parent, child_of):
    """Put NONE back where ``note_children`` wrote."""
    child = np.int64(tree[parent]["child"])
    while child != NONE:
        child_of[tree[child]["action"]] = NONE
        child = np.int64(tree[child]["sibling"])


def scaled(mean, low, high):
    """A mean, on a scale from the least to the greatest of its seat that were met in the tree."""
    return (mean - low) / (high - low) if high > low else 0.5


def select(tree, totals, bounds, parent, mover, actions, count, child_of, rng, guide):
    """Where to go from a node: a random action among those not tried yet, or the child that is best by UCB1.

    ``child_of: int64[num_actions]`` holds NONE throughout, before and after.

    Returns:
        The untried action or NONE, the best child.
    """
    note_children(tree, parent, child_of)
    low, high = bounds[mover, 0], bounds[mover, 1]
    untried, fresh = 0, NONE
    best, most = NONE, -math.inf
    for k in range(count):
        child = child_of[actions[k]]
        if child == NONE:
            untried += 1
            if below(rng, untried) == 0:
                fresh = np.int64(actions[k])
            continue
        node = tree[child]
        node["available"] += 1
        worth = scaled(totals[child, mover] / node["visits"], low, high)
        worth += EXPLORATION * math.sqrt(math.log(node["available"]) / node["visits"])
        if worth > most:
            best, most = child, worth
    forget_children(tree, parent, child_of)
    return fresh, best


def descend(states, tables, actions, count, tree, totals, bounds, size, path, child_of, rng, guide):
    """From the root to a new node, or to the end of the game; the nodes passed are written to ``path``.

    Returns:
        How many nodes were passed, how many there are, how many actions are legal at the last.
    """
    path[0] = ROOT
    length = 1
    fresh = NONE
    while count > 0 and fresh == NONE:
        parent, mover = path[length - 1], np.int64(states[0]["player"])
        fresh, node = select(tree, totals, bounds, parent, mover, actions, count, child_of, rng, guide)
        if fresh != NONE:
            node = size
            size = grow(tree, totals, size, parent, fresh)
        count = advance(states, FIRST, tables, np.int64(tree[node]["action"]), actions)
        path[length] = node
        length += 1
    return length, size, count


def value_leaf(states, tables, actions, count, node, table, values, rng, guide):
    """Value a new node, with ``count`` legal actions, by a rollout: at most ``guide[0]`` decisions."""
    for _ in range(guide[0]):
        if count == 0:
            break
        action = next_action(states, tables, actions, count, rng, guide)
        count = advance(states, FIRST, tables, action, actions)
    evaluate(states, tables, table, values)


def next_action(states, tables, actions, count, rng, guide):
    """Of a rollout: any legal action."""
    return np.int64(actions[below(rng, count)])


def scripted_action(states, tables, actions, count, rng, guide):
    """Of a scripted rollout: what the script takes, whose notes and room for worths are ``guide[1:]``."""
    return np.int64(best_action(states, FIRST, tables, guide[1], guide[2]))


def evaluate(states, tables, table, values):
    """Write what each seat can expect to ``values``: its return, or in a running game an estimate from the scores.

    The chances of two parties are taken to be as ``exp(score / margin_scale)``. With reward ``"win"`` and in solo
    games the estimate is the expected return of a seat that wins with its share of these, with ``"rank"`` that of a
    place among the others by the chances against each of them; with ``"margin"`` the margin as it stands.
    """
    s = states[0]
    running = s["done"] == 0
    s["done"] = 1
    returns(states, FIRST, tables, table, values)
    seats = values.shape[0]
    if not running or (s["reward"] == REWARD_MARGIN and seats > 1):
        return
    parties = standings(states, FIRST, tables, table)
    if parties == 1:
        return
    for seat in range(seats):
        if s["reward"] == REWARD_RANK and seats > 1:
            before = -0.5  # against itself
            for other in range(seats):
                before += 1.0 / (1.0 + odds(table, seat, other, s["margin_scale"]))
            values[seat] = 1.0 - 2.0 * before / (seats - 1)
        else:
            against = 0.0
            for other in range(parties):
                against += 1.0 / odds(table, seat, other, s["margin_scale"])
            values[seat] = (parties / against - 1.0) / (parties - 1)


def odds(table, a, b, scale):
    """Of party a against party b."""
    return math.exp(min(max((table[a, 0] - table[b, 0]) / scale, -50.0), 50.0))


def back_up(tree, totals, bounds, path, length, values):
    """Credit ``values`` to the nodes passed, and note the least and greatest mean of each seat."""
    for k in range(length):
        node = path[k]
        tree[node]["visits"] += 1
        for seat in range(values.shape[0]):
            totals[node, seat] += values[seat]
            mean = totals[node, seat] / tree[node]["visits"]
            bounds[seat, 0] = min(bounds[seat, 0], mean)
            bounds[seat, 1] = max(bounds[seat, 1], mean)


def favourite(tree, totals, seat):
    """The action of the root that was visited most; of several, the one with the best mean for ``seat``."""
    action, visits, best = NONE, 0, -math.inf
    child = np.int64(tree[ROOT]["child"])
    while child != NONE:
        node = tree[child]
        mean = totals[child, seat] / node["visits"]
        if node["visits"] > visits or (node["visits"] == visits and mean > best):
            action, visits, best = np.int64(node["action"]), np.int64(node["visits"]), mean
        child = np.int64(tree[child]["sibling"])
    return action


def prepare(states, tables, guide):
    """What ``guide`` needs to know of the root before the first simulation: nothing."""


def search(
    root, tables, states, words, actions, tree, totals, bounds, path, child_of, table, values, rng, simulations, guide
):
    """The action to take in ``root[0]``, which is left alone.

    Neither its generator nor what the mover cannot know is used; ``rng: uint64[4]`` is the only source of chance.
    """
    seat = np.int64(root[0]["player"])
    states[0] = root[0]
    if legal(states, FIRST, tables, actions) == 1:
        return np.int64(actions[0])
    for p in range(bounds.shape[0]):
        bounds[p, 0] = math.inf
        bounds[p, 1] = -math.inf
    size = grow(tree, totals, ROOT, NONE, NONE)
    prepare(states, tables, guide)
    for _ in range(simulations):
        for k in range(4):
            words[k] = next_word(rng)
        deal_anew(states, root, FIRST, tables, words)
        count = legal(states, FIRST, tables, actions)
        length, size, count = descend(
            states, tables, actions, count, tree, totals, bounds, size, path, child_of, rng, guide
        )
        value_leaf(states, tables, actions, count, path[length - 1], table, values, rng, guide)
        back_up(tree, totals, bounds, path, length, values)
    return favourite(tree, totals, seat)


PARTS: tuple[Any, ...] = (grow, note_children, forget_children, scaled, select, descend, next_action, value_leaf)
PARTS += (evaluate, odds, back_up, favourite, prepare, deal_anew)


def kernels(game: Game, **parts: Any) -> SimpleNamespace:
    """The search over a game's kernels, some of its parts replaced by others."""
    return _compiled(type(game), tuple(parts.items()))


@functools.cache
def _compiled(kind: type[Game], parts: tuple[tuple[str, Any], ...]) -> SimpleNamespace:
    inner: Mapping[str, Any] = {part.__name__: part for part in PARTS} | dict(parts)
    return compile_over(kind.kernels, [search], inner)


class Search(Agent):
    """Searches anew in each decision, with the same number of simulations.

    Args:
        name: what tables call it.
        game: the game it will play, any number of players.
        simulations: a decision, each of which adds at most one node to the tree.
        guide: what ``select``, ``value_leaf`` and ``prepare`` are given.
        scripted: whose advice they ask, if anybody's.
        parts: those that are not this module's.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        simulations: int,
        guide: tuple[Any, ...],
        scripted: Scripted | None = None,
        **parts: Any,
    ) -> None:
        self.name, self.simulations, self.guide, self.scripted = name, simulations, guide, scripted
        self._search = kernels(game, **parts).search
        self._buffers: dict[int, tuple[Any, ...]] = {}

    @property
    def weights(self) -> str:
        return self.scripted.weights if self.scripted else ""

    def act(self, state: State, rng: np.random.Generator) -> int:
        game = state.game
        if game.num_players not in self._buffers:
            self._buffers[game.num_players] = self._room(game)
        buffers, words = self._buffers[game.num_players], rng.integers(0, 2**64, 4, np.uint64)
        return int(self._search(state.states, game.tables, *buffers, words, self.simulations, self.guide))

    def _room(self, game: Game) -> tuple[Any, ...]:
        """Space for a search with the game's number of players."""
        seats, nodes = game.num_players, self.simulations + 1
        return (
            np.zeros(1, game.dtype),
            np.zeros(4, np.uint64),
            np.zeros(game.num_actions, np.int16),
            np.zeros(nodes, NODE),
            np.zeros((nodes, seats)),
            np.zeros((seats, 2)),
            np.zeros(nodes, np.int64),
            np.full(game.num_actions, NONE, np.int64),
            np.zeros((game.parties, game.standing_keys), np.int64),
            np.zeros(seats),
        )


def whole_number(agent: str, name: str, given: str, least: int, most: int) -> int:
    """A number in an agent's name.

    Raises:
        ValueError: it is none, or out of range.
    """
    if not given.isdecimal() or not least <= int(given) <= most:
        raise ValueError(f"agent {agent!r}: {name}: expected a whole number from {least} to {most}, got {given!r}")
    return int(given)


def make(game: Game, argument: str) -> Search:
    """See ``agents.load``; the argument is as ``"200"``, ``"200:horizon=50:rollout=greedy"``, or empty.

    Raises:
        ValueError: it is something else.
    """
    agent = f"mcts:{argument}" if argument else "mcts"
    number, *parts = argument.split(":")
    simulations = whole_number(agent, "simulations", number, 1, MOST_SIMULATIONS) if argument else SIMULATIONS
    options = dict(part.partition("=")[::2] for part in parts)
    if len(options) < len(parts) or not set(options) <= {"horizon", "rollout"}:
        raise ValueError(f"agent {agent!r}: after the simulations may follow horizon=N and rollout=AGENT, once each")
    horizon = whole_number(agent, "horizon", options.get("horizon", str(HORIZON)), 0, MOST_HORIZON)
    rollout = options.get("rollout", "random")
    name = ":".join([f"mcts:{simulations}", *(f"{key}={value}" for key, value in options.items())])
    if rollout == "random":
        return Search(name, game, simulations, (horizon,))
    try:
        guide = script(rollout, game, ["random"])
    except ValueError as error:
        raise ValueError(f"agent {agent!r}: rollout: {error}") from None
    room = np.zeros(game.num_actions, np.float32)  # never cleared: nobody reads it
    inner = {"next_action": scripted_action, "best_action": guide.best_action}
    return Search(name, game, simulations, (horizon, guide.notes, room), guide, **inner)
