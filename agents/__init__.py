"""Players for every game, found by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from agents.base import Agent
from core.game import Game
from core.schema import listed

__all__ = ["KINDS", "PRETRAINED", "Agent", "available", "kind_of", "load"]

PRETRAINED = Path(__file__).parent / "pretrained"
"""What is shipped: a checkpoint for each game, and rules of thumb for some."""


@dataclass(frozen=True)
class Kind:
    """A kind of agent.

    Attributes:
        module: has ``make(game, argument) -> Agent``; ``{game}`` stands for the game's name.
        argument: what may follow the kind in a spec, after a colon; empty if nothing may.
        builds_on: another kind that the game must have for this one, before it in ``KINDS``; empty if none.
    """

    module: str
    argument: str = ""
    builds_on: str = ""


KINDS = {
    "random": Kind("agents.uniform"),
    "greedy": Kind("agents.greedy.{game}"),
    "tuned": Kind("agents.tuned", "PATH of rules", builds_on="greedy"),
    "rollout": Kind("agents.rollout", "rollouts", builds_on="greedy"),
    "ppo": Kind("agents.ppo", "PATH of a checkpoint"),
    "mcts": Kind("agents.mcts", "simulations"),
    "ppo-mcts": Kind("agents.guided", "simulations"),
}


def available(game: Game) -> list[str]:
    """The kinds of agents that can play the game."""
    there: list[str] = []
    for name, kind in KINDS.items():
        if kind.builds_on in ("", *there) and find_spec(kind.module.format(game=game.name)) is not None:
            there.append(name)
    return there


def kind_of(spec: str) -> str:
    """The kind in an agent's name, see ``load``: that of ``"xenon/ppo:a.safetensors"`` is ``"ppo"``."""
    return spec.partition(":")[0].rpartition("/")[2]


def load(spec: str, game: Game) -> Agent:
    """An agent for a game, by name.

    Args:
        spec: the kind (``"random"``, ``"greedy"``), with an argument if it takes one (``"ppo:a.safetensors"``), and the
            game before it if that should be checked (``"xenon/greedy"``).
        game: the game it will play.

    Raises:
        ValueError: there is no such agent for this game; the message lists those there are.
    """
    head, colon, argument = spec.partition(":")
    owner, _, name = head.rpartition("/")
    if owner not in ("", game.name):
        raise ValueError(f"agent {spec!r} is one of {owner}, not of {game.name}")
    kinds = available(game)
    if name not in kinds:
        raise ValueError(f"unknown agent {spec!r}; {game.name} has {listed(kinds)}")
    kind = KINDS[name]
    if bool(colon) and not kind.argument:
        raise ValueError(f"agent {spec!r}: {name} takes nothing after a colon")
    agent: Agent = import_module(kind.module.format(game=game.name)).make(game, argument)
    return agent
