"""Sizes and enumerations of Pax Transhumanity.

The counts of spaces, arrows and problems are those of the action table and the same for every component file; the
number of cards may differ up to ``MAX_CARDS``.
"""

from enum import IntEnum

COLORS = 4
HUES = 4
SPHERES = 4
ROWS = 6
SLOTS = SPHERES * ROWS
SPLAY = 38
PLACES = SLOTS + SPLAY
"""Market slots and splay positions in one numbering: sphere * ROWS + row, then SLOTS + k."""

SPACES = 27
BARRIERS = 18
UTILITIES = 5
WORK_SPACES = BARRIERS + UTILITIES
ARROWS = 41
OUT_ARROWS = 8
PROBLEMS = 13
REGIMES = 6

MAX_CARDS = 128
MAX_IMPACTS = 8
MAX_ICONS = 16
MAX_WHITE = 7

TURN_ACTIONS = 2
HIRE_COST = 3
DISCOUNTED_HIRE_COST = 1
CUTTING_EDGE = 3
SINGULARITY_RUN = 5

COLOR_NAMES = ("blue", "black", "pink", "red")
HUE_NAMES = ("gold", "green", "blue", "orange")
SPHERE_NAMES = ("first_world", "developing_world", "cloud", "space")
REGIME_NAMES = ("globalization", "transbiology", "group_dynamics", "computing", "assembly", "paradigm_shift")
SQUARE_NAMES = ("white", "black")


class Phase(IntEnum):
    """What is to be decided; from ``PAID`` on: stages within a step, never the phase of a position at rest."""

    HIDDEN = 0
    TURN = 1
    DIVEST = 2
    SOURCE = 3
    PAYMENT = 4
    BLACK_HEAT = 5
    SURGE = 6
    IMPORT_TO = 7
    VIABILITY = 8
    WORK = 9
    RESEARCH_CLAIM = 10
    OR = 11
    COMPANY = 12
    REPLACE = 13
    PROBLEM = 14
    RELIEF = 15
    RELIEF_SQUARE = 16
    DISRUPTION = 17
    SPLAY_KILL = 18
    RECESSION = 19
    EXCHANGE = 20
    DEFUSE = 21
    ORIENTATION = 22
    OVER = 23
    PAID = 24  # the cost of the pending action is settled
    SYNDICATED = 25  # the black square of the card just syndicated is settled
    IMPACT = 26  # the impact number ``impact`` of the acting card is due
    NEXT_RECESSION = 27  # the recession goes on to the colours after ``victim``
    NEXT_EXCHANGE = 28  # so does the nuclear exchange
    SPLAYED = 29  # the commercialized card goes to the splay, showing ``color``
    EXO_SPLAYED = 30  # the card an exoglobal commercializes goes to the splay, or ends the game


PHASE_NAMES = tuple(phase.name.lower() for phase in Phase if phase <= Phase.OVER)


class Pending(IntEnum):
    """The action that is under way."""

    NONE = 0
    FUNDRAISE = 1
    HIRE = 2
    SYNDICATE = 3
    IMPORT = 4
    COMMERCIALIZE = 5
    RESEARCH = 6
    EXO = 7


PENDING_NAMES = ("none", "fundraise", "hire", "syndicate", "import", "commercialize", "research", "exo")


class Via(IntEnum):
    """Viability sources; espionage on colour c is ``ESPIONAGE + c``."""

    NONE = -1
    SPLAY = 0
    PATENTS = 1
    THINK_TANK = 2
    ESPIONAGE = 3


class Source(IntEnum):
    """Where a hired agent comes from."""

    NONE = -1
    FINANCE = 0
    UNEMPLOYMENT = 1


SOURCE_NAMES = ("finance", "unemployment")


class Kind(IntEnum):
    """Kinds of market cards."""

    IDEA = 0
    TIPPING_POINT = 1
    PLURALITY = 2


KIND_NAMES = ("idea", "tipping_point", "plurality")


class Zone(IntEnum):
    """Where a card is; the cards dealt to colour c are in ``DEALT + c``."""

    UNUSED = 0
    TOP = 1
    BOTTOM = 2
    DECK_END = 3  # the plurality card, under the whole deck
    MARKET = 4
    SPLAY = 5
    THINK_TANK = 6
    DISCARD = 7
    RESEARCHED = 8
    EXO_NEXT = 9
    EXO_REST = 10
    EXO_USED = 11
    DEALT = 12


class SpaceKind(IntEnum):
    """Kinds of infrastructure spaces."""

    BARRIER = 0
    UTILITY = 1
    UNEMPLOYMENT = 2


SPACE_KIND_NAMES = ("barrier", "utility", "unemployment")


class Side(IntEnum):
    """Sides of the infrastructure, and kinds of work."""

    THINKER = 0
    MAKER = 1
    BOTH = 2


SIDE_NAMES = ("thinker", "maker", "both")


class Regime(IntEnum):
    """Regimes; the one of hue h is ``TRANSBIOLOGY + h``."""

    GLOBALIZATION = 0
    TRANSBIOLOGY = 1
    GROUP_DYNAMICS = 2
    COMPUTING = 3
    ASSEMBLY = 4
    PARADIGM_SHIFT = 5


class Sphere(IntEnum):
    """Spheres, in the order of their hues."""

    FIRST_WORLD = 0
    DEVELOPING_WORLD = 1
    CLOUD = 2
    SPACE = 3


class Skill(IntEnum):
    """Bit numbers of abilities; one with a parameter has four bits, one a sphere or hue."""

    SUBSIDIZE_RESEARCH = 0
    SUBSIDIZE_COMMERCIALIZE = 4
    MARKET_DISCOUNT = 8
    BARRIER_DISCOUNT = 12
    PATENT_BONUS = 16
    HIRE_DISCOUNT = 20
    NO_DOUBLING = 21
    FREE_PLACATE = 22
    ROTATE_SPLAY = 23
    TYCOON_BLOCK = 24
    ESPIONAGE = 25


SKILL_PARAMETERS = {
    "subsidize_research": "sphere",
    "subsidize_commercialize": "sphere",
    "market_discount": "sphere",
    "barrier_discount": "sphere",
    "patent_bonus": "color",
}
"""The abilities that have a parameter, and what it is called in the component file."""


class Icon(IntEnum):
    """Impacts that take effect; an ``or`` is two of them."""

    GROWTH = 0
    PROBLEM = 1
    WILD_PROBLEM = 2
    COMPANY = 3
    SOCIAL_RESILIENCE = 4
    DISRUPTION = 5
    RECESSION = 6
    DEFUSAL_GROWTH = 7
    NUCLEAR_EXCHANGE = 8
    GAME_END = 9


class End(IntEnum):
    """How a game ended."""

    NONE = 0
    TIPPING_POINT = 1
    SINGULARITY = 2
    PLURALITY = 3
    TYCOON = 4
    TRUNCATED = 5


END_NAMES = ("none", "tipping_point", "singularity", "plurality", "tycoon", "truncated")


class Solo(IntEnum):
    """The solo game's levels."""

    NONE = 0
    EASY = 1
    HARD = 2


SOLO_NAMES = ("none", "easy", "hard")
