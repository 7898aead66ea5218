"""The recorded games: ``python -m tests.golden [NAME ...]`` records them anew.

Do that only when the rules, the record or the generator of a game change on purpose; a replay that fails otherwise is a
bug.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import agents
from core import registry
from core.game import Game
from core.replay import Replay

REPLAYS = Path(__file__).parent / "replays"


@dataclass(frozen=True)
class Recorded:
    """How a game was recorded.

    Attributes:
        game: its name.
        options: it is played with, number of players and all.
        agent: who plays all seats.
        seed: of the game and of the agent.
        cut: whether it ends at ``max_decisions``.
    """

    game: str
    options: dict[str, Any]
    agent: str
    seed: int
    cut: bool = False

    def new_game(self) -> Game:
        return registry.game(self.game, **self.options)

    def play(self) -> Replay:
        game, rng = self.new_game(), np.random.default_rng(self.seed)
        agent = agents.load(self.agent, game)
        return Replay.record(game, self.seed, lambda state: agent.act(state, rng))


FINITE = {"N": 36, "O": 36, "Kr": 36, "Xe": 39}
RECORDED = {
    "xenon_2_greedy": Recorded("xenon", {"num_players": 2}, "greedy", 11),
    "xenon_3_cut": Recorded(
        "xenon",
        {"num_players": 3, "element_supply": FINITE, "skip_forced": False, "max_decisions": 250, "reward": "rank"},
        "random",
        12,
        cut=True,
    ),
    "xenon_4_random": Recorded("xenon", {"num_players": 4, "reward": "margin"}, "random", 13),
    "xenon_5_greedy": Recorded("xenon", {"num_players": 5, "skip_forced": False}, "greedy", 14),
    "tesla_2_greedy": Recorded("tesla", {"num_players": 2}, "greedy", 21),
    "tesla_3_companies_random": Recorded(
        "tesla",
        {"num_players": 3, "companies": ["tesla", "edison", "brush"], "skip_forced": False, "reward": "rank"},
        "random",
        22,
    ),
    "tesla_3_cut": Recorded("tesla", {"num_players": 3, "max_decisions": 60}, "random", 23, cut=True),
    "tesla_4_companies_greedy": Recorded(
        "tesla",
        {"num_players": 4, "companies": ["maxim", "thomson", "brush", "edison"], "reward": "margin"},
        "greedy",
        24,
    ),
    "tesla_5_greedy": Recorded("tesla", {"num_players": 5, "skip_forced": False}, "greedy", 25),
    "tesla_5_random": Recorded("tesla", {"num_players": 5}, "random", 26),
    "pax_1_easy_greedy": Recorded("pax", {"num_players": 1}, "greedy", 31),
    "pax_1_hard_greedy": Recorded("pax", {"num_players": 1, "solo": "hard"}, "greedy", 32),
    "pax_2_greedy": Recorded("pax", {"num_players": 2}, "greedy", 33),
    "pax_2_beginner_greedy": Recorded("pax", {"num_players": 2, "variant": "beginner"}, "greedy", 34),
    "pax_3_cut": Recorded(
        "pax",
        {"num_players": 3, "skip_forced": False, "max_decisions": 150, "reward": "margin"},
        "greedy",
        35,
        cut=True,
    ),
    "pax_4_greedy": Recorded("pax", {"num_players": 4, "reward": "rank"}, "greedy", 36),
}


def main() -> None:
    for name in sys.argv[1:] or RECORDED:
        RECORDED[name].play().save(REPLAYS / f"{name}.jsonl")


if __name__ == "__main__":
    main()
