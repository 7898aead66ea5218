"""Sizes and the meanings of small numbers.

The sizes are those of the component schema: a file with another map, other cards or another stock track has the same.
"""

from __future__ import annotations

from enum import IntEnum

SEATS = 5
"""Most players; also the number of companies, each with its inventor."""

LUMINARIES = 23
"""Inventors (0-4, numbered as their companies) and the luminaries for hire (5-22)."""

INVENTORS = 5
HIRED = LUMINARIES - INVENTORS
CARDS = 18
CITIES = 25
PROJECTS = 41
TRACKS = 3
LEVELS = 6
"""Length of arrays that are indexed by a technology level, 0 unused."""

TURNS = 6
TURNS_PER_PHASE = 2
LUMINARY_DECKS = 2
PROPAGANDA_DECKS = 3
MAX_RATING = 3
MAX_STEPS = 3
MAX_BID = 200
MAX_SPOTS = 12
PRICES = 256
"""Length of arrays that are indexed by a stock price."""

CURRENT_SPOTS = 21
CURRENT_CENTRE = 10
"""A position of the AC/DC marker is stored in component arrays at position + CURRENT_CENTRE."""

MAX_CASH = 1_000_000_000
NOBODY = -1
NOTHING = -1


class Phase(IntEnum):
    """The pending decision."""

    DRAFT = 0
    AUCTION = 1
    BID = 2
    USE = 3
    ACT = 4
    MOVE = 5
    CARD = 6
    CARD_MOVE = 7
    MARKET = 8
    OVER = 9


class Rating(IntEnum):
    """Columns of a luminary's ratings."""

    INVENTION = 0
    MANUFACTURING = 1
    FINANCE = 2
    PROPAGANDA = 3


class Track(IntEnum):
    """Technology tracks; AC and DC are the power technologies."""

    AC = 0
    BULB = 1
    DC = 2


class Need(IntEnum):
    """Columns of what a technology level asks for."""

    INVENTION = 0
    MANUFACTURING = 1
    FINANCE = 2


class Fame(IntEnum):
    """What a propaganda card moves."""

    COMPANY = 0
    CURRENT = 1


class Ability(IntEnum):
    """What an inventor can do beyond his ratings."""

    ARC_LIGHT_PIONEER = 0
    ENTERPRISING = 1
    WORLDLY = 2
    VISIONARY = 3
    INDUSTRIOUS = 4


class Trade(IntEnum):
    """What was done with a company's certificates in the market action under way."""

    NONE = 0
    BOUGHT = 1
    SOLD = 2


PHASES = tuple(phase.name.lower() for phase in Phase)
RATINGS = tuple(rating.name.lower() for rating in Rating)
TRACK_NAMES = tuple(track.name.lower() for track in Track)
POWERS = ("ac", "dc")
FAMES = ("fame", "current")
ABILITIES = tuple(ability.name.lower() for ability in Ability)
TOP_LEVELS = (5, 5, 4)
"""The highest level of each technology track; the action table has one entry a level."""
