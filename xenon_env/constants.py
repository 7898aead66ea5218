"""Words for the numbers in a Xenon Profiteer record.

Cards are numbered in canonical order: elements, upgrades, contracts, pipelines. A player's zones hold the first two
groups, an upgrade deck upgrades, a contract deck contracts and pipelines.
"""

from __future__ import annotations

from enum import IntEnum

SEATS = 5
SLOTS = 4


class Card(IntEnum):
    """Elements and upgrades: what a player's System, hand and discard pile can hold."""

    N = 0
    O = 1
    KR = 2
    XE = 3
    FEED = 4
    REFLUX = 5
    SILICA_GEL = 6
    RELIEF_VALVE = 7
    EXPANSION_TURBINE = 8
    SWING_ADSORPTION = 9
    REBOILER = 10
    REFRIGERATION = 11
    SALES_EXECUTIVE = 12
    AGENT = 13
    INVESTMENT_PORTFOLIO = 14
    MDMA_REPRESENTATIVE = 15
    OSHA_INSPECTION = 16
    LOBBYIST = 17
    PACKED_COLUMNS = 18
    CONTRACTOR = 19
    ENGINEER = 20
    MASS_FLOW = 21
    BUYER = 22
    RECLAIMING = 23


ELEMENTS = 4
UPGRADES = 20
INSTALLABLE = 15
"""The first so many upgrades have an INSTALL price; the rest are the pink cards."""
STARTERS = 2
"""The first so many upgrades are dealt to every player and never lie in the market."""
CONTRACTS = 21
PIPELINES = 3

HELD = ELEMENTS + UPGRADES
FIRST_UPGRADE = ELEMENTS
FIRST_CONTRACT = HELD
FIRST_PIPELINE = FIRST_CONTRACT + CONTRACTS
CARDS = FIRST_PIPELINE + PIPELINES
DECK = CONTRACTS + PIPELINES
"""Kinds in the larger of the two market decks; the upgrade deck uses the first ``UPGRADES`` of as many."""

NONE = -1


class Line(IntEnum):
    """The two rows of cards for sale; also their decks and discard piles."""

    CONTRACT = 0
    UPGRADE = 1


LINES = 2


class Phase(IntEnum):
    """The pending decision. The first four are also the steps of a turn."""

    START = 0
    DISTILL = 1
    AIR = 2
    MARKET = 3
    REFLUX = 4
    PEEK = 5
    COMPLETE = 6
    PLACE = 7
    CHOOSE = 8
    PRIVILEGE = 9
    DISCARD = 10
    OVER = 11


class Step(IntEnum):
    """``turn.step``."""

    START = 0
    DISTILL = 1
    AIR = 2
    MARKET = 3
    END = 4


class Deal(IntEnum):
    """``turn.action``: what the market step has become."""

    NONE = 0
    BUY = 1
    BID = 2


class Privilege(IntEnum):
    """The side of the privilege token."""

    NONE = 0
    STARS = 1
    TURN = 2


class Use(IntEnum):
    """Installed abilities that are used at most once a turn (X-16), in the order of the ``use:`` actions."""

    REFLUX = 0
    SILICA_GEL = 1
    RELIEF_VALVE = 2
    EXPANSION_TURBINE = 3
    SWING_ADSORPTION = 4
    PACKED_COLUMNS = 5


USE_CARDS = (
    Card.REFLUX,
    Card.SILICA_GEL,
    Card.RELIEF_VALVE,
    Card.EXPANSION_TURBINE,
    Card.SWING_ADSORPTION,
    Card.PACKED_COLUMNS,
)


REDRAW_CARDS = (Card.RELIEF_VALVE, Card.MASS_FLOW)
"""Cards that draw from the own System and so could redraw themselves; their plays are counted (X-16)."""

PLAY_CARDS = (
    Card.REFLUX,
    Card.SILICA_GEL,
    Card.RELIEF_VALVE,
    Card.EXPANSION_TURBINE,
    Card.SWING_ADSORPTION,
    Card.REBOILER,
    Card.REFRIGERATION,
    Card.SALES_EXECUTIVE,
    Card.AGENT,
    Card.PACKED_COLUMNS,
    Card.MASS_FLOW,
    Card.BUYER,
    Card.RECLAIMING,
)
"""Cards with a ``play:`` action, in the order of the ids."""
