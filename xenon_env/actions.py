"""The 209 actions: declared once, in id order; the rules read the starts of the blocks from here."""

from __future__ import annotations

from core.layout import ActionLayout, Block
from xenon_env.constants import (
    DECK,
    ELEMENTS,
    INSTALLABLE,
    PLAY_CARDS,
    SLOTS,
    STARTERS,
    USE_CARDS,
    Card,
)

__all__ = ["ACTIONS"]

CARD_WORDS = [card.name.lower() for card in Card]
CONTRACT_WORDS = [f"{kind}{k}" for kind, count in (("m", 6), ("e", 7), ("g", 8)) for k in range(1, count + 1)]
PIPELINE_WORDS = ["pipe_n", "pipe_o", "pipe_kr"]
SLOT_WORDS = [f"{line}:{k}" for line in ("contract", "upgrade") for k in range(1, SLOTS + 1)]
INSTALLABLE_WORDS = CARD_WORDS[ELEMENTS : ELEMENTS + INSTALLABLE]

ACTIONS = ActionLayout(
    [
        Block.of("overtime", ["no", "yes"], "choose the side of the console, before distilling"),
        Block.of("distill", doc="return all of the first of N, O, Kr in hand to the supply"),
        Block.of("end:distill", doc="go on to AIR or WIPE, in overtime to the two BIDs"),
        Block.of("peek", ["draw", "discard"], "what becomes of the card seen with the relief valve"),
        Block.of("complete:full", doc="complete the contract without the Packed Columns in hand"),
        Block.of("air", doc="introduce one packet of AIR"),
        Block.of("air:feed", doc="introduce two packets with Feed"),
        Block.of("wipe", ["contract", "upgrade"], "wipe a line"),
        Block("wipe:engineer", ("wipe:contract:engineer", "wipe:upgrade:engineer"), "wipe it and choose the new cards"),
        Block.of("privilege", ["stars", "turn"], "the side of the privilege token"),
        Block.of("end:market", doc="end the turn's actions"),
        Block.of("end:discard", doc="keep the rest of the hand and draw"),
        Block.of("bid:none", doc="a void BID (X-20), or no more tokens from Refrigeration"),
        Block.of("bid", SLOT_WORDS, "place a token from the supply"),
        Block.of("move", [f"{a}:{b}" for a in SLOT_WORDS for b in SLOT_WORDS if a != b], "move a token as a BID"),
        Block.of("buy", SLOT_WORDS, "buy a card"),
        Block.of("buy_install", SLOT_WORDS[SLOTS:], "buy an upgrade and install it"),
        Block.of("play", [CARD_WORDS[c] for c in PLAY_CARDS], "play a card from hand"),
        Block.of("use", [CARD_WORDS[c] for c in USE_CARDS], "use an installed upgrade"),
        Block.of("install", INSTALLABLE_WORDS, "install a card from hand for the difference of its prices"),
        Block.of("install_free", INSTALLABLE_WORDS, "install a card from hand with the Contractor"),
        Block.of("discard", CARD_WORDS, "put a card from hand on the own discard pile"),
        Block.of(
            "choose",
            CONTRACT_WORDS + PIPELINE_WORDS + CARD_WORDS[ELEMENTS + STARTERS :],
            "put a drawn card into the wiped line",
        ),
    ]
)

OVERTIME_NO = ACTIONS.id("overtime:no")
OVERTIME_YES = ACTIONS.id("overtime:yes")
DISTILL = ACTIONS.id("distill")
END_DISTILL = ACTIONS.id("end:distill")
PEEK_DRAW = ACTIONS.id("peek:draw")
PEEK_DISCARD = ACTIONS.id("peek:discard")
COMPLETE_FULL = ACTIONS.id("complete:full")
AIR = ACTIONS.id("air")
AIR_FEED = ACTIONS.id("air:feed")
WIPE = ACTIONS.start("wipe")
WIPE_ENGINEER = ACTIONS.start("wipe:engineer")
PRIVILEGE_STARS = ACTIONS.id("privilege:stars")
PRIVILEGE_TURN = ACTIONS.id("privilege:turn")
END_MARKET = ACTIONS.id("end:market")
END_DISCARD = ACTIONS.id("end:discard")
BID_NONE = ACTIONS.id("bid:none")
BID = ACTIONS.start("bid")
MOVE = ACTIONS.start("move")
BUY = ACTIONS.start("buy")
BUY_INSTALL = ACTIONS.start("buy_install")
PLAY = ACTIONS.start("play")
USE = ACTIONS.start("use")
INSTALL = ACTIONS.start("install")
INSTALL_FREE = ACTIONS.start("install_free")
DISCARD = ACTIONS.start("discard")
CHOOSE = ACTIONS.start("choose")

CHOOSE_UPGRADE = CHOOSE + DECK - STARTERS
"""Add an upgrade's place among the upgrades for its ``choose:`` action; ``CHOOSE`` serves for the contract deck."""
