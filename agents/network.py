"""A policy and value network in plain numpy, and the files it is kept in.

``<name>.safetensors`` holds the weights and nothing that could run; ``<name>.json`` beside it says what they were
trained for and how.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from agents.scripted import AHEAD
from agents.story import read_story
from core.files import write_bytes, write_json
from core.game import Game
from core.jit import entry

__all__ = [
    "OWN",
    "WORTH",
    "Layer",
    "Network",
    "choose",
    "digest",
    "forward",
    "identity",
    "read",
    "read_weights",
    "sidecar",
    "write",
    "write_weights",
]

PARTS = ("trunk", "policy", "value")
BASE = "base."
INSIGHT = "trunk.0.insight"
OWN, WORTH = range(2)
"""Rows of the trust in a base: in the action it would take, and in what it finds every action worth."""

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True)
class Network:
    """Layers of rectified linear units: a trunk, and on it a head for the policy and one for the value.

    With a base, a scripted agent, the network is a residual policy (Silver, Allen, Tenenbaum and Kaelbling 2018): it
    sees the base's advice after the observation, see ``agents.scripted.Scripted.advice``. The logit of the base's
    action is raised by ``trust[OWN]``, and every logit by ``trust[WORTH]`` times what the base finds the action worth.
    Of the action it would take the network sees the id; the first layer has a column for each, of which one counts.

    Attributes:
        trunk: ``(weight[out, in], bias[out])`` of each layer; may be empty without a base.
        policy: the same; the last layer, which is not rectified, gives a logit an action.
        value: the same; the last layer gives the expected return.
        base: the name of the base, see ``agents.scripted.script``; empty without one.
        trust: by action, ``float32[2, num_actions]``, see ``OWN`` and ``WORTH``; ``float32[2, 0]`` without a base.
        insight: the size of the base's outlook and forecast, the first part of its advice; 0 without one.
    """

    trunk: tuple[Layer, ...]
    policy: tuple[Layer, ...]
    value: tuple[Layer, ...]
    base: str = ""
    trust: NDArray[np.float32] = field(default_factory=lambda: np.zeros((2, 0), np.float32))
    insight: int = 0

    @property
    def observation_size(self) -> int:
        """Of the game, without the base's advice."""
        return (self.trunk or self.policy)[0][0].shape[1] - self.trust.size - self.insight

    @property
    def num_actions(self) -> int:
        return self.policy[-1][0].shape[0]

    def logits(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of every action, legal or not: ``float32[n, num_actions]`` for ``float32[n, observation_size]``.

        With a base its advice follows, ``insight + num_actions + 1`` columns more; so in the other methods.
        """
        return self._logits(observations, self._body(observations))

    def values(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """The return that the player to move can expect: ``float32[n]``."""
        return forward(self.value, self._body(observations))[:, 0]

    def priors_and_values(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The chance of each action, 0 for the illegal ones, ``float32[n, num_actions]``; and ``values``."""
        body = self._body(observations)
        logits = np.where(masks, self._logits(observations, body), -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return chances, forward(self.value, body)[:, 0]

    def _logits(self, observations: NDArray[np.float32], body: NDArray[np.float32]) -> NDArray[np.float32]:
        logits = forward(self.policy, body)
        if self.base:
            logits += self.trust[WORTH] * observations[:, -1 - self.num_actions : -1]
            rows, actions = _base_actions(observations)
            logits[rows, actions] += self.trust[OWN, actions]
        return logits

    def _body(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.base:
            return _layers(self.trunk, observations)
        (weight, bias), *rest = self.trunk
        size = self.observation_size + self.insight + self.num_actions
        x = observations[:, :-1] @ weight[:, :size].T
        x += bias
        rows, actions = _base_actions(observations)
        x[rows] += weight.T[size + actions]
        np.maximum(x, 0.0, out=x)
        return _layers(tuple(rest), x)

    def with_base(self, base: str, insight: int = 0) -> Network:
        """The same network with a base: it pays no attention to its first one, and to another as to the one before.

        Args:
            base: its name, see ``agents.scripted.script``.
            insight: the size of its outlook and forecast. To those that it has not seen before it pays no attention
                either, and if it has seen an outlook that was shorter, to what has been added at the end.

        Raises:
            ValueError: it has no trunk, has seen a longer outlook, or has seen a forecast and would not, or in other
                places.
        """
        if (base, insight) == (self.base, self.insight):
            return self
        if not self.trunk:
            raise ValueError("a network with a base needs a trunk")
        foresees = AHEAD in self.base and self.insight > 0
        if self.insight > insight or (foresees and (AHEAD not in base or self.insight != insight)):
            raise ValueError(
                f"the network sees {self.insight} numbers of {self.base}, {base} tells {insight}: an outlook can only "
                "grow at its end, and a forecast cannot be given up"
            )
        (weight, bias), *rest = self.trunk
        trust = self.trust if self.base else np.zeros((2, self.num_actions), np.float32)
        size = self.observation_size + self.insight
        sight, advice = (
            np.zeros((len(bias), wanted - seen), np.float32)
            for wanted, seen in ((insight, self.insight), (trust.size, self.trust.size))
        )
        weight = np.hstack((weight[:, :size], sight, weight[:, size:], advice))
        return replace(self, trunk=((weight, bias), *rest), base=base, trust=trust, insight=insight)

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name, ``"trunk.0.weight"``, and the trust in a base as ``"base.greedy"``.

        Those of the base's outlook and forecast stand apart, as ``"trunk.0.insight"``.
        """
        layers = {
            f"{part}.{k}.{kind}": array
            for part in PARTS
            for k, layer in enumerate(getattr(self, part))
            for kind, array in zip(("weight", "bias"), layer, strict=True)
        }
        if self.insight:
            start = self.observation_size
            parts = np.split(layers["trunk.0.weight"], [start, start + self.insight], axis=1)
            layers["trunk.0.weight"] = np.hstack((parts[0], parts[2]))
            layers[INSIGHT] = np.ascontiguousarray(parts[1])
        return layers | ({BASE + self.base: self.trust} if self.base else {})

    def digest(self) -> str:
        """Of the weights, in hexadecimal."""
        return digest(save(self.tensors()))

    def _seeing(self, sight: NDArray[np.float32]) -> Network:
        """The same network with these weights for the outlook and forecast of its base."""
        if not self.base or not self.trunk or sight.ndim != 2 or len(sight) != len(self.trunk[0][1]):
            raise ValueError("the weights for an outlook do not fit")
        network = self.with_base(self.base, sight.shape[1])
        start = network.observation_size
        network.trunk[0][0][:, start : start + network.insight] = sight
        return network

    @staticmethod
    def from_tensors(tensors: Mapping[str, NDArray[Any]]) -> Network:
        """The network with these weights.

        Raises:
            ValueError: they do not make one.
        """
        left = dict(tensors)
        parts: dict[str, Any] = {}
        try:
            for part in PARTS:
                layers: list[Layer] = []
                while f"{part}.{len(layers)}.weight" in left:
                    names = (f"{part}.{len(layers)}.{kind}" for kind in ("weight", "bias"))
                    weight, bias = (np.ascontiguousarray(left.pop(name), np.float32) for name in names)
                    layers.append((weight, bias))
                parts[part] = tuple(layers)
        except KeyError as error:
            raise ValueError(f"the weights lack {error}") from None
        base = next((name for name in left if name.startswith(BASE)), "")
        trust = np.ascontiguousarray(left.pop(base, np.zeros((2, 0))), np.float32)
        sight = np.ascontiguousarray(left.pop(INSIGHT, np.zeros((0, 0))), np.float32)
        network = Network(**parts, base=base.removeprefix(BASE), trust=trust)
        if sight.size:
            network = network._seeing(sight)
        if left:
            raise ValueError(f"weights of no use: {', '.join(sorted(left))}")
        if not network.policy or not network.value or network.value[-1][0].shape[0] != 1:
            raise ValueError("the weights do not make a policy and a value")
        if base and not network.base:
            raise ValueError("the base has no name")
        if network.base and trust.shape != (2, network.num_actions):
            raise ValueError("the trust in the base is not two numbers for each action")
        if network.base and not network.trunk:
            raise ValueError("a network with a base needs a trunk")
        for head in (network.policy, network.value):
            chain = [*network.trunk, *head]
            widths = [chain[0][0].shape[-1], *(weight.shape[0] for weight, _ in chain)]
            for k, (weight, bias) in enumerate(chain):
                if weight.shape != (widths[k + 1], widths[k]) or bias.shape != (widths[k + 1],):
                    raise ValueError("the shapes of the weights do not fit together")
                if not all(np.isfinite(array).all() for array in (weight, bias, trust)):
                    raise ValueError("some weights are not finite")
        return network


def _base_actions(observations: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows with an action of the base, which is not -1, and the actions."""
    actions = observations[:, -1].astype(np.int64)
    rows = np.flatnonzero(actions >= 0)
    return rows, actions[rows]


def _layers(layers: tuple[Layer, ...], x: NDArray[np.float32]) -> NDArray[np.float32]:
    for weight, bias in layers:
        x = x @ weight.T
        x += bias
        np.maximum(x, 0.0, out=x)
    return x


def forward(layers: tuple[Layer, ...], x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Layers of rectified linear units but for the last."""
    weight, bias = layers[-1]
    x = _layers(layers[:-1], x) @ weight.T
    x += bias
    return x


@entry
def choose(logits, masks, uniforms, chosen):
    """A legal action a row: by its softmax chance and a number of ``uniforms`` from [0, 1), or the best if below 0."""
    for i in range(logits.shape[0]):
        best = -1
        for a in range(logits.shape[1]):
            if masks[i, a] and (best < 0 or logits[i, a] > logits[i, best]):
                best = a
        chosen[i] = best
        if uniforms[i] >= 0.0:
            top = np.float64(logits[i, best])
            total = 0.0
            for a in range(logits.shape[1]):
                if masks[i, a]:
                    total += np.exp(logits[i, a] - top)
            left = uniforms[i] * total
            for a in range(logits.shape[1]):
                if masks[i, a]:
                    left -= np.exp(logits[i, a] - top)
                    if left < 0.0:
                        chosen[i] = a
                        break


def identity(game: Game) -> dict[str, Any]:
    """What a checkpoint must agree with to play the game."""
    labels = "\n".join([*game.observation_labels, *game.action_layout.names])
    return {
        "game": game.name,
        "version": game.version,
        "observation_size": game.observation_size,
        "num_actions": game.num_actions,
        "layout": hashlib.blake2b(labels.encode(), digest_size=8).hexdigest(),
    }


def sidecar(path: Path) -> Path:
    """The JSON file beside a file of weights."""
    return path.with_suffix(".json")


def write(path: str | Path, network: Network, game: Game, story: Mapping[str, Any]) -> None:
    """Write the weights and their sidecar, each whole or not at all.

    Args:
        path: ends in ``.safetensors``.
        network: the weights.
        game: what they play, with any number of players.
        story: how they came about; goes into the sidecar after what ``identity`` says.

    Raises:
        ValueError: the network does not fit the game, or the files cannot be written.
    """
    path = Path(path)
    _check_sizes(path, network, game)
    write_weights(path, network.tensors(), identity(game), story)


def read(path: str | Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """The network in a file, and its sidecar.

    Raises:
        ValueError: the files are missing or broken, or of another game, version or layout; the message says what fits.
    """
    path = Path(path)
    data, story = read_weights(path, "checkpoint", identity(game))
    try:
        network = Network.from_tensors(load(data))
    except (SafetensorError, ValueError) as error:
        raise ValueError(f"checkpoint {path}: {error}") from None
    _check_sizes(path, network, game)
    return network, story


def write_weights(
    path: Path, tensors: dict[str, NDArray[np.float32]], wanted: Mapping[str, Any], story: Mapping[str, Any]
) -> None:
    """Write weights and their sidecar, with what must agree for them to be read, and how they came about."""
    data = save(tensors)
    write_bytes(path, data)
    write_json(sidecar(path), {**wanted, "weights": digest(data), **story})


def read_weights(path: Path, what: str, wanted: Mapping[str, Any]) -> tuple[bytes, dict[str, Any]]:
    """A file of weights, unread, and its sidecar.

    Args:
        path: of the weights.
        what: they are, for the message.
        wanted: what the sidecar must agree with, ``"game"`` among it.

    Raises:
        ValueError: a file is missing or broken, or does not agree.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{what} {path}: {error.strerror}") from None
    story = read_story(sidecar(path), what)
    for key, value in wanted.items():
        if story.get(key) != value:
            raise ValueError(f"{what} {path}: {key} is {story.get(key)!r}, {wanted['game']} here has {value!r}")
    if story.get("weights") != digest(data):
        raise ValueError(f"{what} {path}: damaged, or not the file that {sidecar(path).name} tells of")
    return data, story


def digest(data: bytes) -> str:
    """Of a file of weights, as its sidecar has it."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _check_sizes(path: Path, network: Network, game: Game) -> None:
    found = (network.observation_size, network.num_actions)
    if found != (game.observation_size, game.num_actions):
        raise ValueError(
            f"checkpoint {path}: a network from {found[0]} features to {found[1]} actions; {game.name} has "
            f"{game.observation_size} and {game.num_actions}"
        )
