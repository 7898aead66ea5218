"""The action table: 420 ids, the same for every number of players."""

from __future__ import annotations

from collections.abc import Sequence

from core.layout import ActionLayout, Block
from tesla_env.constants import (
    CARDS,
    HIRED,
    INVENTORS,
    MAX_BID,
    MAX_STEPS,
    POWERS,
    PROJECTS,
    SEATS,
    TOP_LEVELS,
    TRACK_NAMES,
)

LEVELS_UP = [(track, level) for track, top in enumerate(TOP_LEVELS) for level in range(2, top + 1)]
STEPS = [f"{sign}{steps}" for sign in "+-" for steps in range(1, MAX_STEPS + 1)]


def action_layout(
    companies: Sequence[str], hired: Sequence[str], cards: Sequence[str], projects: Sequence[str]
) -> ActionLayout:
    """The actions of a game with these components, in the order of the component file."""
    advances = [f"{TRACK_NAMES[track]}:{level}" for track, level in LEVELS_UP]
    return ActionLayout(
        [
            Block.of("draft", companies, "take a company at the start"),
            Block.of("auction", hired, "put a luminary on offer up for auction"),
            Block.of("bid", range(1, MAX_BID + 1), "bid so many thousand dollars"),
            Block.of("pass", doc="leave the bidding for this luminary"),
            Block.of("use", [*companies, *hired], "choose a ready luminary to act with"),
            Block.of("claim", [f"{p}:{power}" for p in projects for power in POWERS], "claim a project with AC or DC"),
            Block.of("advance", advances, "advance a technology to a level"),
            Block("file", tuple(f"advance:{a}:patent" for a in advances), "advance and file the level's patent"),
            Block.of("propaganda", doc="engage in propaganda"),
            Block.of("market", doc="visit the stock market"),
            Block.of("exhaust", doc="pass with the chosen luminary"),
            Block.of(
                "fame", [f"{c}:{n}" for c in companies for n in STEPS], "move a company's future fame marker (+ is up)"
            ),
            Block.of("current", STEPS, "move the AC/DC marker (+ is towards AC)"),
            Block.of("skip", doc="move no marker"),
            Block.of("card", cards, "take a revealed propaganda card"),
            Block.of("buy", companies, "buy a certificate from the open market"),
            Block.of("sell", companies, "sell a certificate to the open market"),
            Block.of("done", doc="end the visit to the stock market"),
        ]
    )


_numbered = action_layout(*([f"{size}.{k}" for k in range(size)] for size in (SEATS, HIRED, CARDS, PROJECTS)))

DRAFT = _numbered.start("draft")
AUCTION = _numbered.start("auction") - INVENTORS  # + luminary
BID = _numbered.start("bid") - 1  # + amount
PASS = _numbered.start("pass")
USE = _numbered.start("use")
CLAIM = _numbered.start("claim")  # + 2 * project + (0 for AC, 1 for DC)
ADVANCE = _numbered.start("advance") - 2  # + 4 * track + level
FILE = _numbered.start("file") - 2  # + 4 * track + level
PROPAGANDA = _numbered.start("propaganda")
MARKET = _numbered.start("market")
EXHAUST = _numbered.start("exhaust")
FAME = _numbered.start("fame") - 1  # + 6 * company + steps, 3 more for a move down
CURRENT = _numbered.start("current") - 1  # + steps, 3 more for a move towards DC
SKIP = _numbered.start("skip")
CARD = _numbered.start("card")
BUY = _numbered.start("buy")
SELL = _numbered.start("sell")
DONE = _numbered.start("done")

# Ids below which an action of the phase at hand is of the family before
FIRST_ADVANCE = ADVANCE + 2
FIRST_FILE = FILE + 2
