"""The recorded games of Pax Transhumanity: ``python -m tests.pax.golden`` records them anew.

Do that only when the rules, the record or the generator change on purpose; a replay that fails otherwise is a bug.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from core.replay import Replay
from pax_env import Game
from tests.pax.helpers import eager

REPLAYS = Path(__file__).parents[1] / "replays"

RECORDED: dict[str, tuple[dict[str, Any], int]] = {
    "pax_1_easy": ({"num_players": 1, "solo": "easy", "max_decisions": 400}, 31),
    "pax_1_hard": ({"num_players": 1, "solo": "hard", "max_decisions": 400}, 32),
    "pax_2": ({"num_players": 2, "max_decisions": 400}, 33),
    "pax_2_beginner": ({"num_players": 2, "variant": "beginner", "max_decisions": 400}, 34),
    "pax_3_forced": ({"num_players": 3, "skip_forced": False, "reward": "rank", "max_decisions": 400}, 35),
    "pax_4": ({"num_players": 4, "reward": "margin", "max_decisions": 400}, 36),
}
"""Options and seed; the players prefer actions that lead to impacts, and are random otherwise."""


def record(name: str) -> Replay:
    """Play one of the games."""
    options, seed = RECORDED[name]
    rng = np.random.default_rng(seed)
    return Replay.record(Game(**options), seed, lambda state: eager(state, rng))


def main() -> None:
    REPLAYS.mkdir(exist_ok=True)
    for name in RECORDED:
        record(name).save(REPLAYS / f"{name}.jsonl")


if __name__ == "__main__":
    main()
