"""What a position is worth to the player to move: a small network on a script's outlook, and its files.

The outlook is what a script makes of a position, in a few numbers, or the observation; see ``agents.scripted.look``.
``agents.appraise`` trains critics, ``agents.rollout`` asks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save

from agents import PRETRAINED
from agents.network import Layer, digest, forward, read_weights, write_weights
from agents.scripted import Scripted
from core.game import Game

__all__ = ["Critic", "load", "read", "write"]


@dataclass(frozen=True)
class Critic:
    """Layers of rectified linear units, the last of which gives the expected return.

    Attributes:
        layers: ``(weight[out, in], bias[out])`` of each.
    """

    layers: tuple[Layer, ...]

    def values(self, outlooks: NDArray[np.float32]) -> NDArray[np.float32]:
        """The return that the player to move can expect: ``float32[n]`` for ``float32[n, size]``."""
        return forward(self.layers, outlooks)[:, 0]

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        return {
            f"{k}.{kind}": array
            for k, layer in enumerate(self.layers)
            for kind, array in zip(("weight", "bias"), layer, strict=True)
        }

    def digest(self) -> str:
        """Of the weights, in hexadecimal."""
        return digest(save(self.tensors()))


def _identity(game: Game, script: Scripted) -> dict[str, Any]:
    """What a critic must agree with to be of use."""
    return {"game": game.name, "version": game.version, "outlook_size": script.outlook.size}


def write(path: str | Path, critic: Critic, game: Game, script: Scripted, story: Mapping[str, Any]) -> None:
    """Write the weights to a file that ends in ``.safetensors`` and their sidecar, each whole or not at all."""
    write_weights(Path(path), critic.tensors(), _identity(game, script), story)


def read(path: str | Path, game: Game, script: Scripted) -> Critic:
    """The critic in a file.

    Raises:
        ValueError: the files are missing or broken, or of another game, version or outlook; the message says what fits.
    """
    path = Path(path)
    data, _ = read_weights(path, "critic", _identity(game, script))
    try:
        tensors = load_tensors(data)
        layers = tuple((tensors[f"{k}.weight"], tensors[f"{k}.bias"]) for k in range(len(tensors) // 2))
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"critic {path}: these are not the weights of one ({error})") from None
    sizes = [script.outlook.size, *(weight.shape[0] for weight, _ in layers)]
    for k, (weight, bias) in enumerate(layers):
        if weight.shape != (sizes[k + 1], sizes[k]) or bias.shape != (sizes[k + 1],):
            raise ValueError(f"critic {path}: the shapes of the weights do not fit together")
    if sizes[-1] != 1:
        raise ValueError(f"critic {path}: expected one number from the last layer, got {sizes[-1]}")
    return Critic(layers)


def load(game: Game, script: Scripted) -> Critic:
    """The shipped critic of a game.

    Raises:
        ValueError: there is none, or it does not fit; the message says what does.
    """
    path = PRETRAINED / f"{game.name}.critic.safetensors"
    if not path.is_file():
        raise ValueError(f"no critic is shipped for {game.name}; agents.appraise trains one")
    return read(path, game, script)
