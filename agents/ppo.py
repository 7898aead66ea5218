"""The trained agent: a network plays its best action. See ``agents.train`` for how one is made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents import PRETRAINED, network
from agents.base import Agent
from agents.network import Network
from agents.scripted import LONE, Scripted, script
from core.game import Game, State
from core.vector import VectorEnv

__all__ = ["Policy", "based", "load_network", "make"]


class Policy(Agent):
    """Plays what a network finds best, or draws from its chances.

    Args:
        network: fits the game.
        game: with any number of players.
        name: what tables call it.
        sampling: whether to draw an action by its chance, as in training, rather than take the likeliest.
        base: the network's base, if it is at hand; else it is loaded.
    """

    def __init__(
        self,
        network: Network,
        game: Game,
        name: str = "ppo",
        sampling: bool = False,
        base: Scripted | None = None,
    ) -> None:
        self.name, self.sampling = name, sampling
        self.base = (base or script(network.base, game, as_base=True)) if network.base else None
        self.network = network.with_base(network.base, self.base.insight) if self.base else network

    @property
    def weights(self) -> str:
        return self.network.digest() + (self.base.weights if self.base else "")

    def act(self, state: State, rng: np.random.Generator) -> int:
        observations = state.observation(state.current_player())[np.newaxis]
        if self.base is not None:
            observations = self.base.beside(observations, state.states, LONE, state.game)
        return int(self._choose(observations, state.legal_actions_mask()[np.newaxis], rng)[0])

    def act_batch(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        return self._choose(self.seen(batch, games), batch.action_mask[games], rng)

    def chances(self, batch: VectorEnv, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float32]:
        """That of each action in many positions, ``float32[len(games), num_actions]``; see ``act_batch``."""
        return self.network.priors_and_values(self.seen(batch, games), batch.action_mask[games])[0]

    def seen(self, batch: VectorEnv, games: NDArray[np.int64]) -> NDArray[np.float32]:
        """What the network looks at: the observations of ``games``, and the advice of its base."""
        observations = batch.observations[games]
        if self.base is None:
            return observations
        return self.base.beside(observations, batch.states, games, batch.game)

    def _choose(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        count = len(observations)
        chosen = np.empty(count, np.int64)
        uniforms = rng.random(count) if self.sampling else np.full(count, -1.0)
        network.choose(self.network.logits(observations), masks, uniforms, chosen)
        return chosen


def based(network: Network, base: str, game: Game) -> tuple[Network, Scripted | None]:
    """A network with a base, or with its own if the name is empty, and that script, if there is any.

    The network sees all of the advice, see ``with_base``.

    Raises:
        ValueError: the game has no such script, or it does not fit.
    """
    name = base or network.base
    if not name:
        return network, None
    found = script(name, game, as_base=True)
    return network.with_base(name, found.insight), found


def load_network(game: Game, argument: str = "") -> tuple[Network, Scripted | None]:
    """The shipped network of a game, or the one in a file, and its base if it has one.

    Raises:
        ValueError: there is none, or it does not fit the game; the message says what does.
    """
    path = Path(argument) if argument else PRETRAINED / f"{game.name}.safetensors"
    if not argument and not path.is_file():
        stems = sorted(file.stem for file in PRETRAINED.glob("*.safetensors"))
        there = ", ".join(stem for stem in stems if "." not in stem) or "none"  # <game>.critic is none
        raise ValueError(f"ppo: no checkpoint is shipped for {game.name} (there are: {there}); name one, as ppo:PATH")
    found = network.read(path, game)[0]
    try:
        return based(found, "", game)
    except ValueError as error:
        raise ValueError(f"checkpoint {path}: base: {error}") from None


def make(game: Game, argument: str) -> Policy:
    """See ``agents.load``."""
    name = f"ppo:{Path(argument).stem}" if argument else "ppo"
    network, base = load_network(game, argument)
    return Policy(network, game, name, base=base)
