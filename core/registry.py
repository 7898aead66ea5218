"""The games by name. A game is imported when it is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from core.schema import listed

if TYPE_CHECKING:
    from core.game import Game

__all__ = ["GAMES", "NAMESPACE", "game", "game_class", "games", "register_environments"]

NAMESPACE = "boardroom"

GAMES: dict[str, tuple[str, int]] = {
    "xenon": ("xenon_env", 0),
    "tesla": ("tesla_env", 0),
    "pax": ("pax_env", 0),
}
"""Name -> (package, version of its environments). The package has ``Game`` and a module ``<name>_v<version>``."""


def games() -> list[str]:
    """The names of all games."""
    return list(GAMES)


def game_class(name: str) -> type[Game]:
    """The ``Game`` of a name.

    Raises:
        ValueError: there is no such game; the message lists those that exist.
    """
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}; there are {listed(games())}")
    found: type[Game] = importlib.import_module(GAMES[name][0]).Game
    return found


def game(name: str, **options: Any) -> Game:
    """A game with its options, as ``game("xenon", num_players=3)``."""
    return game_class(name)(**options)


def register_environments() -> None:
    """Make every game known to PettingZoo (``boardroom/xenon-v0``) and Gymnasium (``boardroom/Xenon-v0``).

    Each game's package calls this when it is imported: neither library looks for plugins by itself. Only names are
    registered, so no other game is imported. Calling it again changes nothing.
    """
    import gymnasium
    import pettingzoo

    for name, (package, version) in GAMES.items():
        aec = f"{NAMESPACE}/{name}-v{version}"
        if aec not in pettingzoo.aec_registry:
            pettingzoo.register("aec", aec, f"{package}.{name}_v{version}:env")
        seat = f"{NAMESPACE}/{name.capitalize()}-v{version}"
        if seat not in gymnasium.registry:
            gymnasium.register(seat, "core.gym_env:BoardroomGymEnv", kwargs={"game": name})
