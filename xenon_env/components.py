"""Loads the component file, checks it, and turns it into the one record of tables that the kernels read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.schema import Fields, listed
from xenon_env.actions import CARD_WORDS, CONTRACT_WORDS, PIPELINE_WORDS
from xenon_env.constants import (
    CARDS,
    ELEMENTS,
    FIRST_CONTRACT,
    FIRST_PIPELINE,
    FIRST_UPGRADE,
    HELD,
    INSTALLABLE,
    NONE,
    PIPELINES,
    SEATS,
    STARTERS,
)

__all__ = ["DATA", "TABLES", "Components"]

DATA = Path(__file__).parent / "data" / "xenon.json"
CARDS_IN_BOX = 216
CONSOLES = 5
"""Cards in the box, and those of them that are consoles (rulebook, Components)."""

TABLES = np.dtype(
    [
        ("buy", "i2", (CARDS,)),  # $; 0 for elements and starters, which are never bought
        ("install", "i2", (CARDS,)),  # total $ to buy and install, NONE if it cannot be installed
        ("copies", "i2", (CARDS,)),  # in the market; of a starter: for each player
        ("xe", "i2", (CARDS,)),  # cost of a contract
        ("reward", "i2", (CARDS,)),  # $ of a completed contract
        ("stars", "i2", (CARDS,)),  # of a completed contract
        ("line_size", "i2", (SEATS + 1,)),  # by number of players
        ("start_system", "i2", (HELD,)),
        ("air_packet", "i2", (ELEMENTS,)),
        ("start_money", "i2"),
        ("bid_tokens", "i2"),
        ("hand_size", "i2"),
        ("air_money", "i2"),
        ("end_upgrades", "i2"),
        ("end_contracts", "i2"),
        ("stars_per_upgrade", "i2"),
        ("money_per_star", "i2"),
        ("money_per_star_portfolio", "i2"),
        ("privilege_stars", "i2"),
        ("osha_stars", "i2"),
        ("mdma_stars", "i2"),  # per completed contract
        ("lobbyist_stars", "i2"),  # per token on a contract
        ("pipeline_stars", "i2", (PIPELINES + 1,)),  # total by number of pipelines
    ],
    align=True,
)

UPGRADE_KEYS = ("id", "name", "buy", "install", "copies", "when", "from_hand", "installed", "starter")
CONTRACT_KEYS = ("id", "type", "buy", "xe", "money", "stars", "copies")
PIPELINE_KEYS = ("id", "colour", "buy", "copies", "deck", "limit_per_player")


class Components:
    """The component data of one file.

    Attributes:
        tables: one record of ``TABLES``, the kernels' argument.
        ids: the id of every card in canonical order.
        names: the printed name of every card; an id where the file has no name.
        provenance: the file's provenance flags, by table and column.

    Raises:
        ValueError: the file is missing, is not JSON, or a value does not fit; the message names file and path.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else DATA
        try:
            raw = json.loads(self.path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"components: cannot read {self.path}: {error.strerror}") from None
        except ValueError as error:
            raise ValueError(f"components: {self.path} is not JSON: {error}") from None
        self.tables: NDArray[np.void] = np.zeros(1, TABLES)
        self.ids: list[str] = []
        self.names: list[str] = []
        try:
            self._read(Fields(raw, "components"))
        except ValueError as error:
            raise ValueError(f"{error} (in {self.path})") from None

    def _read(self, file: Fields) -> None:
        if file.raw("game") != "xenon":
            raise file.error("game", f"expected 'xenon', got {file.raw('game')!r}")
        self.provenance: dict[str, Any] = file.raw("provenance", {})
        t = self.tables[0]
        t["install"][:] = NONE
        self._elements(file)
        self._upgrades(file)
        self._contracts(file)
        self._pipelines(file)
        self._setup(file.fields("setup"))
        self._scoring(file.fields("scoring"))
        with file.fields("end") as end:
            t["end_upgrades"] = end.integer("upgrades", None, 1, INSTALLABLE)
            t["end_contracts"] = end.integer("contracts", None, 1, len(CONTRACT_WORDS))
        for key in ("title", "provenance_flags"):
            file.raw(key)
        file.finish()

    def _rows(self, file: Fields, key: str, words: list[str], columns: tuple[str, ...]) -> list[Fields]:
        """The rows of a table, checked for columns and for the ids, which the rules know by their order."""
        if key not in file:
            raise file.error(key, "this table is missing")
        rows = [Fields(row, f"{file.at(key)}[{k}]") for k, row in enumerate(file.items(key))]
        for row in rows:
            for column in columns:
                if column not in row:
                    raise row.error(column, "this column is missing")
        ids = [str(row.raw("id")) for row in rows]
        if [word.lower() for word in ids] != words:
            raise file.error(key, f"expected the ids {listed(words, 40)} in this order, got {listed(ids, 40)}")
        self.ids += ids
        self.names += [str(row.raw("name", row.raw("id"))) for row in rows]
        return rows

    def _elements(self, file: Fields) -> None:
        words = CARD_WORDS[:ELEMENTS]
        for rank, row in enumerate(self._rows(file, "elements", words, ("id", "rank", "pipeline_colour"))):
            if row.integer("rank", None) != rank + 1:
                raise row.error("rank", f"expected {rank + 1}: elements stand in distilling order")
            row.raw("pipeline_colour")
            row.finish()

    def _upgrades(self, file: Fields) -> None:
        t = self.tables[0]
        for u, row in enumerate(self._rows(file, "upgrades", CARD_WORDS[ELEMENTS:], UPGRADE_KEYS)):
            card = FIRST_UPGRADE + u
            t["buy"][card] = row.integer("buy", None, 0, 1000)
            t["copies"][card] = row.integer("copies", None, 1, 100)
            if u < INSTALLABLE:
                t["install"][card] = row.integer("install", None, int(t["buy"][card]), 1000)
            elif row.raw("install") is not None:
                raise row.error("install", f"expected null: this card cannot be installed, got {row.raw('install')!r}")
            if row.flag("starter", None) != (u < STARTERS):
                raise row.error("starter", f"expected {str(u < STARTERS).lower()}")
            if u < STARTERS and t["copies"][card] != 1:
                raise row.error("copies", "expected 1: every player gets one of each starter")
            for key in ("when", "from_hand", "installed"):
                row.raw(key)
            row.finish()

    def _contracts(self, file: Fields) -> None:
        t = self.tables[0]
        for k, row in enumerate(self._rows(file, "contracts", CONTRACT_WORDS, CONTRACT_KEYS)):
            card = FIRST_CONTRACT + k
            t["buy"][card] = row.integer("buy", None, 0, 1000)
            t["copies"][card] = row.integer("copies", None, 1, 1)
            t["xe"][card] = row.integer("xe", None, 1, 100)
            t["reward"][card] = row.integer("money", None, 0, 1000)
            t["stars"][card] = row.integer("stars", None, 0, 100)
            row.choice("type", ("medical", "electronics", "government"))
            row.finish()

    def _pipelines(self, file: Fields) -> None:
        t = self.tables[0]
        for k, row in enumerate(self._rows(file, "pipelines", PIPELINE_WORDS, PIPELINE_KEYS)):
            card = FIRST_PIPELINE + k
            t["buy"][card] = row.integer("buy", None, 0, 1000)
            t["copies"][card] = row.integer("copies", None, 1, 100)
            row.integer("limit_per_player", None, 1, 1)
            row.choice("deck", ("contract",))
            row.choice("colour", [self.ids[k]])
            row.finish()

    def _setup(self, setup: Fields) -> None:
        t = self.tables[0]
        players = setup.items("players")
        if players != list(range(2, SEATS + 1)):
            raise setup.error("players", f"expected {list(range(2, SEATS + 1))}, got {players}")
        with setup.fields("line_size") as sizes:
            for count in players:
                t["line_size"][count] = sizes.integer(str(count), None, 1, 4 if count > 2 else 3)
        t["start_money"] = setup.integer("money", None, 0, 1000)
        t["bid_tokens"] = setup.integer("bid_tokens", None, 1, 100)
        t["hand_size"] = setup.integer("hand_size", None, 1, 100)
        t["air_money"] = setup.integer("air_money", None, 0, 1000)
        with setup.fields("system") as system:
            for card, word in enumerate(self.ids[:HELD]):
                t["start_system"][card] = system.integer(word, 0, 0, 100)
        starters = t["start_system"][FIRST_UPGRADE:]
        if (starters[:STARTERS] != 1).any() or starters[STARTERS:].any():
            raise setup.error("system", "expected one of each starter and no other upgrade")
        packet = setup.items("air_packet")
        for word in packet:
            if word not in self.ids[:ELEMENTS]:
                raise setup.error("air_packet", f"expected elements, got {word!r}")
            t["air_packet"][self.ids.index(word)] += 1
        setup.integer("first_player", 0, 0, 0)
        setup.raw("element_supply")
        with setup.fields("element_supply_finite") as stacks:
            elements = sum(stacks.integer(word, None, 0, 1000) for word in self.ids[:ELEMENTS])
        setup.finish()
        market = int(t["copies"][FIRST_UPGRADE + STARTERS :].sum())
        total = elements + SEATS * STARTERS + CONSOLES + market
        if total != CARDS_IN_BOX:
            raise setup.error(
                "element_supply_finite",
                f"{elements} elements, {market} market cards, {SEATS * STARTERS} starters and {CONSOLES} consoles "
                f"are {total} cards; the box has {CARDS_IN_BOX}",
            )

    def _scoring(self, scoring: Fields) -> None:
        t = self.tables[0]
        t["stars_per_upgrade"] = scoring.integer("per_installed_upgrade", None, 0, 100)
        t["money_per_star"] = scoring.integer("money_per_star", None, 1, 1000)
        t["money_per_star_portfolio"] = scoring.integer("money_per_star_with_investment_portfolio", None, 1, 1000)
        t["privilege_stars"] = scoring.integer("privilege_stars", None, 0, 100)
        t["osha_stars"] = scoring.integer("osha_inspection", None, 0, 100)
        t["mdma_stars"] = scoring.integer("mdma_representative_per_completed_contract", None, 0, 100)
        t["lobbyist_stars"] = scoring.integer("lobbyist_per_token_on_contract", None, 0, 100)
        totals = scoring.items("pipeline_total_by_count", exactly=PIPELINES + 1)
        for k, total in enumerate(totals):
            if isinstance(total, bool) or not isinstance(total, int) or not 0 <= total <= 100:
                raise scoring.error("pipeline_total_by_count", f"expected whole numbers from 0 to 100, got {total!r}")
            t["pipeline_stars"][k] = total
        if scoring.items("tie_breaks") != ["stored_xe", "money"]:
            raise scoring.error("tie_breaks", "expected ['stored_xe', 'money']")
        scoring.finish()
