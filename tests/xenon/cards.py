"""What is printed on the cards, written down from the rulebook's card list and the list of contracts."""

from __future__ import annotations

ELEMENTS = ("N", "O", "Kr", "Xe")

PRICES: dict[str, tuple[int | None, int | None]] = {
    "feed": (None, 8),
    "reflux": (None, 4),
    "silica_gel": (3, 7),
    "relief_valve": (0, 5),
    "expansion_turbine": (2, 7),
    "swing_adsorption": (3, 8),
    "reboiler": (1, 6),
    "refrigeration": (3, 7),
    "sales_executive": (2, 6),
    "agent": (2, 7),
    "investment_portfolio": (1, 7),
    "mdma_representative": (2, 9),
    "osha_inspection": (3, 8),
    "lobbyist": (2, 8),
    "packed_columns": (4, 9),
    "contractor": (2, None),
    "engineer": (1, None),
    "mass_flow": (3, None),
    "buyer": (1, None),
    "reclaiming": (2, None),
}
"""BUY and INSTALL price of every upgrade; a starter is never bought, a pink card never installed."""

UPGRADES = tuple(PRICES)
STARTERS = UPGRADES[:2]
MARKET_UPGRADES = UPGRADES[2:]
INSTALLABLE = tuple(card for card, (_, install) in PRICES.items() if install is not None)
PINK = tuple(card for card, (_, install) in PRICES.items() if install is None)
TWICE = (*MARKET_UPGRADES[:8], "packed_columns")
UPGRADE_COPIES = {card: 2 if card in TWICE else 1 for card in MARKET_UPGRADES}

CONTRACTS: dict[str, tuple[int, int, int]] = {
    "M1": (1, 0, 3),
    "M2": (2, 1, 4),
    "M3": (3, 1, 6),
    "M4": (4, 1, 7),
    "M5": (4, 0, 8),
    "M6": (5, 0, 11),
    "E1": (2, 4, 1),
    "E2": (3, 7, 2),
    "E3": (2, 3, 2),
    "E4": (3, 4, 3),
    "E5": (3, 3, 4),
    "E6": (3, 2, 5),
    "E7": (4, 4, 6),
    "G1": (1, 1, 2),
    "G2": (2, 2, 3),
    "G3": (2, 1, 3),
    "G4": (2, 0, 4),
    "G5": (3, 1, 5),
    "G6": (3, 0, 6),
    "G7": (4, 2, 7),
    "G8": (5, 1, 9),
}
"""Cost in Xe, $ and stars of every contract."""

PIPELINES = ("pipe_N", "pipe_O", "pipe_Kr")
CONTRACT_DECK = dict.fromkeys(CONTRACTS, 1) | dict.fromkeys(PIPELINES, 2)
START_SYSTEM = dict.fromkeys(ELEMENTS, 2) | dict.fromkeys(STARTERS, 1)
FINITE = {"N": 36, "O": 36, "Kr": 36, "Xe": 39}
