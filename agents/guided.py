"""Tree search with a trained network as prior and value: ``ppo-mcts:100`` looks 100 simulations ahead.

The search of ``agents.mcts`` with two parts replaced. Among the legal actions of a node ``select`` takes the one that
is best by PUCT (Silver and others 2017), with the chances that the policy gave them when the node was new; a new node
is valued by the network for whoever is to move there, instead of a rollout. The value is that of reward ``"win"``; what
one player is taken to win, the others lose in equal parts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import ppo
from agents.mcts import (
    FIRST,
    MOST_SIMULATIONS,
    NONE,
    ROOT,
    Search,
    evaluate,
    forget_children,
    note_children,
    scaled,
    whole_number,
)
from agents.network import OWN, WORTH, Layer, Network
from agents.scripted import LONE, Scripted, advise, foretell, script_parts, view
from core.batch import observe
from core.game import Game
from core.layout import at

__all__ = ["make"]

SIMULATIONS = 100
PRIOR_WEIGHT = 1.5
"""Of PUCT's second term, beside means on a scale from 0 to 1."""

TRUNK, POLICY, VALUE = range(3)
SOURCE, INPUTS, OUTPUTS, START = range(4)
"""Columns of a plan: the row of a layer's inputs in the scratch space, its sizes, where its weights begin."""
HEAD_ROW = np.int64(2)
"""A head works in this row and the next; the trunk in the two before."""


def layer(weights, plan, k, scratch, target, rectified):
    """Layer ``k`` from its row of ``scratch`` to row ``target``; inputs that are 0 cost nothing."""
    source, inputs, outputs, start = plan[k, SOURCE], plan[k, INPUTS], plan[k, OUTPUTS], plan[k, START]
    bias = start + inputs * outputs
    for j in range(outputs):
        scratch[target, at(0, j)] = weights[at(bias, j)]
    for i in range(inputs):
        x = scratch[source, i]
        if x != 0.0:
            row = start + i * outputs
            for j in range(outputs):
                scratch[target, at(0, j)] += x * weights[at(row, j)]
    if rectified:
        for j in range(outputs):
            if scratch[target, at(0, j)] < 0.0:
                scratch[target, at(0, j)] = 0.0


def no_advice(states, games, tables, notes, chosen, worths):
    """In place of ``agents.scripted.advise`` where there is no base."""


def no_view(states, games, tables, notes, outlooks):
    """In place of ``agents.scripted.view``."""


def no_foretell(states, games, tables, notes, future, forecasts):
    """In place of ``agents.scripted.foretell`` where there are no forecasts; ``future`` is empty."""


def run_network(states, tables, node, guide):
    """Write the logits of the position's actions to the row of a node, and return the value for the player to move."""
    (
        weights,
        plan,
        counts,
        observation,
        scratch,
        logits,
        trust,
        lone,
        notes,
        future,
        chosen,
        worths,
        insight,
        outlook,
    ) = guide
    observe(states, FIRST, tables, np.int64(states[0]["player"]), observation)
    size = observation.shape[0]
    for j in range(size):
        scratch[0, at(0, j)] = observation[at(0, j)]
    choices = trust.shape[1]
    for j in range(choices):
        worths[0, at(0, j)] = 0.0
    advise(states, lone, tables, notes, chosen, worths)
    view(states, lone, tables, notes, insight[:, :outlook])
    foretell(states, lone, tables, notes, future, insight[:, outlook:])
    action = chosen[0]
    for row in range(insight.shape[0]):
        for j in range(insight.shape[1]):
            scratch[0, at(size, j)] = insight[row, at(0, j)]
    size += insight.shape[1]
    for j in range(choices):
        scratch[0, at(size, j)] = worths[0, at(0, j)]
        scratch[0, at(size + choices, j)] = 1.0 if j == action else 0.0
    k = 0
    for part in range(3):
        for step in range(counts[part]):
            last = part != TRUNK and step == counts[part] - 1
            layer(weights, plan, k, scratch, plan[k, SOURCE] ^ 1 if step or part == TRUNK else HEAD_ROW, not last)
            k += 1
        row = HEAD_ROW + (counts[part] - 1) % 2
        if part == POLICY:
            for j in range(logits.shape[1]):
                logits[node, at(0, j)] = scratch[row, at(0, j)]
            for j in range(choices):
                logits[node, at(0, j)] += trust[WORTH, at(0, j)] * worths[0, at(0, j)]
            if choices:
                logits[node, action] += trust[OWN, action]
    return np.float64(scratch[row, 0])


def prepare(states, tables, guide):
    """The chances of the root's actions; none yet of any other node's.

    A node that is new in a deal where the game is over there may be passed in another.
    """
    logits = guide[5]
    for node in range(logits.shape[0]):
        for action in range(logits.shape[1]):
            logits[node, at(0, action)] = 0.0
    run_network(states, tables, np.int64(ROOT), guide)


def select(tree, totals, bounds, parent, mover, actions, count, child_of, rng, guide):
    """Where to go from a node, by PUCT: an action not tried yet, or a child. See ``agents.mcts.select``."""
    logits = guide[5]
    note_children(tree, parent, child_of)
    low, high = bounds[mover, 0], bounds[mover, 1]
    visits = tree[parent]["visits"]
    hope = scaled(totals[parent, mover] / visits, low, high) if visits > 0 else 0.5
    top = -math.inf
    for k in range(count):
        top = max(top, np.float64(logits[parent, actions[k]]))
    total = 0.0
    for k in range(count):
        total += math.exp(logits[parent, actions[k]] - top)
    weight = PRIOR_WEIGHT * math.sqrt(visits + 1.0) / total
    fresh, best, most = np.int64(NONE), np.int64(NONE), -math.inf
    for k in range(count):
        action = np.int64(actions[k])
        child = child_of[action]
        seen, worth = np.int64(0), hope
        if child != NONE:
            seen = np.int64(tree[child]["visits"])
            worth = scaled(totals[child, mover] / seen, low, high)
        worth += weight * math.exp(logits[parent, action] - top) / (1.0 + seen)
        if worth > most:
            most, best, fresh = worth, child, action if child == NONE else np.int64(NONE)
    forget_children(tree, parent, child_of)
    return fresh, best


def value_leaf(states, tables, actions, count, node, table, values, rng, guide):
    """Value a new node, with ``count`` legal actions, by the network; a finished game as it ended."""
    if count == 0:
        evaluate(states, tables, table, values)
        return
    mover = np.int64(states[0]["player"])
    value = min(max(run_network(states, tables, node, guide), -1.0), 1.0)
    for seat in range(values.shape[0]):
        values[seat] = value if seat == mover else -value / max(1, values.shape[0] - 1)


def flat(
    network: Network,
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64], int]:
    """The network as kernels read it: all weights in a row, the plan of its layers, their number in each part, and the
    widest of them."""
    parts: tuple[tuple[Layer, ...], ...] = (network.trunk, network.policy, network.value)
    rows, arrays, start = [], [], 0
    trunk_row = len(network.trunk) % 2
    for number, part in enumerate(parts):
        for k, (weight, bias) in enumerate(part):
            outputs, inputs = weight.shape
            source = k % 2 if number == TRUNK else (trunk_row if k == 0 else int(HEAD_ROW) + (k - 1) % 2)
            rows.append((source, inputs, outputs, start))
            arrays += [weight.T.ravel(), bias]
            start += inputs * outputs + outputs
    widest = max(max(row[INPUTS], row[OUTPUTS]) for row in rows)
    return np.concatenate(arrays), np.array(rows, np.int64), np.array([len(part) for part in parts], np.int64), widest


class Guided(Search):
    """A search with a network, which ``guide`` holds as kernels read it; otherwise as ``agents.mcts.Search``."""

    def __init__(
        self,
        network: Network,
        base: Scripted | None,
        name: str,
        game: Game,
        simulations: int,
        guide: tuple[Any, ...],
        **parts: Any,
    ) -> None:
        super().__init__(name, game, simulations, guide, base, **parts)
        self.network = network

    @property
    def weights(self) -> str:
        return self.network.digest() + super().weights


def make(game: Game, argument: str) -> Guided:
    """See ``agents.load``; the argument is as ``"100"``, ``"100:runs/xenon/policy.safetensors"``, or empty.

    Raises:
        ValueError: it is something else, or the checkpoint does not fit the game.
    """
    agent = f"ppo-mcts:{argument}" if argument else "ppo-mcts"
    number, _, path = argument.partition(":")
    simulations = whole_number(agent, "simulations", number, 1, MOST_SIMULATIONS) if argument else SIMULATIONS
    network, base = ppo.load_network(game, path)
    weights, plan, counts, widest = flat(network)
    guide = (
        weights,
        plan,
        counts,
        np.zeros(game.observation_size, np.float32),
        np.zeros((4, widest), np.float32),
        np.zeros((simulations + 1, game.num_actions), np.float32),
        network.trust,
        LONE,
        base.notes if base else (),
        base.future if base else (),
        np.zeros(1, np.int64),
        np.zeros((1, network.trust.shape[1]), np.float32),
        # without a row nobody asks: a script with no outlook of its own would write the observation past its end
        np.zeros((min(1, network.insight), network.insight), np.float32),
        base.outlook.size if base else 0,
    )
    name = f"ppo-mcts:{simulations}" + (f":{path}" if path else "")
    parts: dict[str, Any] = {part.__name__: part for part in (layer, run_network, prepare, select, value_leaf)}
    if base:
        parts |= {"advise": advise, "view": view, **script_parts(base.best_action, base.outlook.look)}
    else:
        parts |= {"advise": no_advice, "view": no_view}
    parts |= {"foretell": foretell if base and base.turns else no_foretell}
    return Guided(network, base, name, game, simulations, guide, **parts)
