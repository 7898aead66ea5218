"""The action table: block starts for the kernels, and the layout with the names of a component file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.layout import ActionLayout, Block
from pax_env.constants import (
    ARROWS,
    BARRIERS,
    COLOR_NAMES,
    COLORS,
    HUE_NAMES,
    HUES,
    PROBLEMS,
    ROWS,
    SLOTS,
    SOURCE_NAMES,
    SPACES,
    SPHERE_NAMES,
    SPHERES,
    SPLAY,
    SQUARE_NAMES,
    WORK_SPACES,
    SpaceKind,
)

if TYPE_CHECKING:
    from pax_env.components import Components

__all__ = ["action_layout"]

_SIZES = {
    "end_turn": 1,
    "done": 1,
    "none": 1,
    "pay": 1,
    "cover": 1,
    "leave": 1,
    "hide": SPHERES,
    "fundraise": 1,
    "syndicate": SLOTS,
    "commercialize": SLOTS,
    "hire": WORK_SPACES,
    "research": SPHERES,
    "placate": 2 * SLOTS,
    "import": SLOTS,
    "rotate": SPLAY,
    "to": SLOTS,
    "divest:market": SLOTS,
    "divest:employee": SPACES,
    "divest:patent": HUES,
    "source": 2,
    "via": 3,
    "via:espionage": COLORS,
    "work": ARROWS,
    "sell": HUES,
    "surge": SLOTS,
    "or": 2,
    "company": BARRIERS,
    "claim": PROBLEMS,
    "relieve": SLOTS,
    "relieve:splay": SPLAY,
    "square": 2 * COLORS,
    "show": HUES,
    "kill": SPLAY,
    "defuse": SLOTS,
    "defuse:splay": SPLAY,
    "layoff": SPACES,
    "lose:company": BARRIERS,
    "lose:problem": PROBLEMS,
    "patents:none": 1,
    "patents": HUES,
    "patents:both": 1,
    "think_tank": 1,
}


def _starts() -> dict[str, np.int64]:
    """The first id of each block, of the type kernels use: numba compiles anew for every plain ``int``."""
    starts, total = {}, 0
    for name, size in _SIZES.items():
        starts[name] = np.int64(total)
        total += size
    return starts


_START = _starts()
NUM_ACTIONS = sum(_SIZES.values())
END_TURN = _START["end_turn"]
DONE = _START["done"]
NONE = _START["none"]
PAY = _START["pay"]
COVER = _START["cover"]
LEAVE = _START["leave"]
HIDE = _START["hide"]
FUNDRAISE = _START["fundraise"]
SYNDICATE = _START["syndicate"]
COMMERCIALIZE = _START["commercialize"]
HIRE = _START["hire"]
RESEARCH = _START["research"]
PLACATE = _START["placate"]
IMPORT = _START["import"]
ROTATE = _START["rotate"]
TO = _START["to"]
DIVEST_MARKET = _START["divest:market"]
DIVEST_EMPLOYEE = _START["divest:employee"]
DIVEST_PATENT = _START["divest:patent"]
SOURCE = _START["source"]
VIA = _START["via"]
WORK = _START["work"]
SELL = _START["sell"]
SURGE = _START["surge"]
OR = _START["or"]
COMPANY = _START["company"]
CLAIM = _START["claim"]
RELIEVE = _START["relieve"]  # by place: the splay block follows at once
SQUARE = _START["square"]
SHOW = _START["show"]
KILL = _START["kill"]
DEFUSE = _START["defuse"]  # by place
LAYOFF = _START["layoff"]
LOSE_COMPANY = _START["lose:company"]
LOSE_PROBLEM = _START["lose:problem"]
PATENTS_NONE = _START["patents:none"]
PATENTS = _START["patents"]
PATENTS_BOTH = _START["patents:both"]
THINK_TANK = _START["think_tank"]


def action_layout(components: Components) -> ActionLayout:
    """The 625 actions with the names of a component file."""
    slots = [f"{sphere}:{row}" for sphere in SPHERE_NAMES for row in range(ROWS)]
    squares = [f"{slot}:{square}" for slot in slots for square in SQUARE_NAMES]
    spaces, kinds = components.space_names, components.space_kinds
    barriers = [name for name, kind in zip(spaces, kinds, strict=True) if kind == SpaceKind.BARRIER]
    work = [name for name, kind in zip(spaces, kinds, strict=True) if kind != SpaceKind.UNEMPLOYMENT]
    problems, ks = components.problem_names, range(SPLAY)
    blocks = [
        Block.of("end_turn", doc="end the turn"),
        Block.of("done", doc="divest no more; collateral and accumulation follow"),
        Block.of("none", doc="no surge, or no relief"),
        Block.of("pay", doc="pay what is still due from the finance board"),
        Block.of("cover", doc="put an agent on the black square"),
        Block.of("leave", doc="leave the black square open"),
        Block.of("hide", SPHERE_NAMES, "choose the hidden sphere"),
        Block.of("fundraise", doc="begin a fundraiser"),
        Block.of("syndicate", slots, "syndicate the card in a market slot"),
        Block.of("commercialize", slots, "commercialize the card in a market slot"),
        Block.of("hire", work, "hire into a space"),
        Block.of("research", SPHERE_NAMES, "research a column"),
        Block.of("placate", squares, "take back one's own heat"),
        Block.of("import", slots, "move this card"),
        Block.of("rotate", ks, "turn a splay card to its other hue"),
        Block.of("to", slots, "the gap to which the imported card goes"),
        Block.of("divest:market", slots, "take back a syndication"),
        Block.of("divest:employee", spaces, "take back an employee"),
        Block.of("divest:patent", HUE_NAMES, "take back a patent"),
        Block.of("source", SOURCE_NAMES, "where the hired agent comes from"),
        Block.of("via", ("splay", "patents", "think_tank"), "what makes the card viable"),
        Block.of("via:espionage", COLOR_NAMES, "viable by an opponent's think tank"),
        Block.of("work", components.arrow_names, "the move that produces the work"),
        Block.of("sell", HUE_NAMES, "sell a patent towards the cost"),
        Block.of("surge", slots, "the card syndicated by surge"),
        Block.of("or", (1, 2), "which of two impacts"),
        Block.of("company", barriers, "where the company goes"),
        Block.of("claim", problems, "which problem to claim"),
        Block.of("relieve", slots, "a market card from which a cube is divested"),
        Block.of("relieve:splay", ks, "a splay card from which a cube is divested"),
        Block.of(
            "square", [f"{square}:{color}" for square in SQUARE_NAMES for color in COLOR_NAMES], "the cube divested"
        ),
        Block.of("show", HUE_NAMES, "the hue to show (or the disruptive one)"),
        Block.of("kill", ks, "the splay card discarded by a disruption"),
        Block.of("defuse", slots, "a market card whose black square is covered"),
        Block.of("defuse:splay", ks, "a splay card whose black square is covered"),
        Block.of("layoff", spaces, "the employee lost to a recession"),
        Block.of("lose:company", barriers, "the company lost or replaced"),
        Block.of("lose:problem", problems, "the problem lost to an exchange"),
        Block.of("patents:none", doc="discard the researched card for nothing"),
        Block.of("patents", HUE_NAMES, "take one patent from the researched card"),
        Block.of("patents:both", doc="take two patents from the researched card"),
        Block.of("think_tank", doc="put the researched card on the think tank"),
    ]
    for block in blocks:
        assert len(block.entries) == _SIZES[block.name], block.name
    return ActionLayout(blocks)
