"""The recorded games of Xenon Profiteer: ``python -m tests.xenon.golden`` records them anew.

Do that only when the rules, the record or the generator change on purpose; a replay that fails otherwise is a bug.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from agents import load
from core.game import State
from core.replay import Replay
from tests.xenon.cards import FINITE
from xenon_env import Game

REPLAYS = Path(__file__).parents[1] / "replays"

RECORDED: dict[str, tuple[dict[str, Any], bool, int]] = {
    "xenon_2_greedy": ({"num_players": 2}, True, 11),
    "xenon_3_cut": (
        {"num_players": 3, "element_supply": FINITE, "skip_forced": False, "max_decisions": 250, "reward": "rank"},
        False,
        12,
    ),
    "xenon_4_random": ({"num_players": 4, "reward": "margin"}, False, 13),
    "xenon_5_greedy": ({"num_players": 5, "skip_forced": False}, True, 14),
}
"""Options, whether greedy plays (else anybody at random), seed."""


def chooser(game: Game, greedy: bool, seed: int) -> Callable[[State], int]:
    """How the recorded games choose their actions."""
    rng = np.random.default_rng(seed)
    if greedy:
        agent = load("greedy", game)
        return lambda state: agent.act(state, rng)
    return lambda state: int(rng.choice(state.legal_actions()))


def main() -> None:
    REPLAYS.mkdir(exist_ok=True)
    for name, (options, greedy, seed) in RECORDED.items():
        game = Game(**options)
        Replay.record(game, seed, chooser(game, greedy, seed)).save(REPLAYS / f"{name}.jsonl")


if __name__ == "__main__":
    main()
