"""The board as a person reads it: plain text, at most 110 columns, by the ids that actions are written with."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from tesla_env.constants import (
    CURRENT_CENTRE,
    FAMES,
    INVENTORS,
    NOBODY,
    NOTHING,
    PHASES,
    POWERS,
    RATINGS,
    TRACK_NAMES,
    TURNS,
    TURNS_PER_PHASE,
    Phase,
    Trade,
)
from tesla_env.state import bits

if TYPE_CHECKING:
    from core.game import State
    from tesla_env.components import Components
    from tesla_env.game import Game

WIDTH = 110
ROMAN = ("", "I", "II", "III", "IV", "V")


def draw_board(game: Game, state: State) -> str:
    """The position: players, stock, fame, technology, map, auction and cards."""
    board = _Board(game, state.states[0], state.scores())
    blocks = [
        board.heading(),
        board.players(),
        board.luminaries(),
        board.stock(),
        board.fame(),
        board.technology(),
        board.map(),
        board.auction(),
        board.cards(),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _table(rows: list[list[str]]) -> list[str]:
    """Rows with aligned columns: the first column to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(line)).rstrip()
        for line in (list(zip(row, widths, strict=True)) for row in rows)
    ]


def _wrapped(label: str, items: Iterable[str], separator: str = "   ") -> list[str]:
    """A label and a list of items that are never broken, with the following lines indented."""
    text = separator.join(item.replace(" ", "\0") for item in items) or "-"
    lines = textwrap.wrap(text, WIDTH - 16, break_long_words=False, break_on_hyphens=False)
    return [f"{label if k == 0 else '':<15} {line}".replace("\0", " ").rstrip() for k, line in enumerate(lines)]


class _Board:
    def __init__(self, game: Game, s: np.void, scores: list[int]) -> None:
        self.s = s
        self.t = game.tables[0]
        self.n = game.num_players
        self.parts: Components = game.parts
        self.scores = scores
        self.g = (int(s["turn"]) + 1) // TURNS_PER_PHASE
        self.seats = [p for p in range(self.n) if s["company"][p] != NOTHING]

    def company(self, seat: int) -> str:
        return self.parts.companies[self.s["company"][seat]] if self.s["company"][seat] != NOTHING else f"seat {seat}"

    def heading(self) -> list[str]:
        s = self.s
        first = f"Tesla vs. Edison   turn {s['turn']} of {TURNS} (phase {self.g})   decision {s['decisions']}   "
        if s["truncated"]:
            return [first + "cut off"]
        if s["done"]:
            return [first + "game over"]
        mover = int(s["player"])
        return [first + f"seat {mover} ({self.company(mover)}) to move: {PHASES[s['phase']]}"]

    def players(self) -> list[str]:
        s, names = self.s, [self.company(q) for q in self.seats]
        heads = ["seat", "cash", "score", *TRACK_NAMES, "projects", *(f"{name}'s" for name in names)]
        rows = [heads]
        for p in range(self.n):
            mark = "*" if p == s["player"] else " "
            shares = [f"{s['shares'][p, q]}+P" if p == q else str(s["shares"][p, q]) for q in self.seats]
            tech = [ROMAN[level] for level in s["tech"][p]]
            values = [str(s["cash"][p]), str(self.scores[p]), *tech, str(s["claims"][p])]
            rows.append([f"{mark}{p} {self.company(p)}", *values, *shares])
        blank = [""] * (len(heads) - 1 - len(names))
        rows.append([" open market", *blank, *(str(s["market"][q]) for q in self.seats)])
        if s["aside"].any():
            rows.append([" set aside", *blank, *(str(s["aside"][q]) for q in self.seats)])
        return _table(rows)

    def rated(self, k: int) -> str:
        """A luminary with its four ratings."""
        return f"{self.parts.luminaries[k]} {'/'.join(str(rating) for rating in self.t['rating'][k])}"

    def luminaries(self) -> list[str]:
        lines = [f"luminaries ({' / '.join(RATINGS)}); used: those exhausted this turn"]
        for p in range(self.n):
            groups = [("", "ready"), ("acting: ", "selected"), ("used: ", "exhausted")]
            items = [mark + self.rated(k) for mark, name in groups for k in bits(self.s[name][p])]
            lines += _wrapped(f"{p} {self.company(p)}", items)
        return lines

    def stock(self) -> list[str]:
        lines, columns = ["stock track"], self.parts.columns
        for start in range(0, len(columns), 16):
            part = columns[start : start + 16]
            lines.append("price".ljust(10) + "".join(f"{f'{low}-{high}':>6}" for low, high, _ in part))
            lines.append("profit".ljust(10) + "".join(f"{profit:>6}" for _, _, profit in part))
            for q in self.seats:
                price = int(self.s["price"][q])
                cells = [f"{price if low <= price <= high else '.':>6}" for low, high, _ in part]
                lines.append(self.company(q).ljust(10) + "".join(cells))
        traded = [
            f"{self.company(q)} {'bought' if self.s['traded'][q] == Trade.BOUGHT else 'sold'}"
            for q in self.seats
            if self.s["traded"][q] != Trade.NONE
        ]
        return lines + (_wrapped("this action", traded) if traded else [])

    def fame(self) -> list[str]:
        s, spots = self.s, range(1, int(self.t["spots"]) + 1)
        rows = [["fame", *(str(spot) for spot in spots)]]
        for track in ("present", "future"):
            at = {int(s[track][q]): self.company(q) for q in self.seats}
            rows.append([track, *(at.get(spot, ".") for spot in spots)])
        low, high, now = int(self.t["current_min"]), int(self.t["current_max"]), int(s["current"])
        marks = " ".join(f"[{k:+d}]" if k == now else f"{k:+d}" for k in range(low, high + 1))
        gains = [
            f"{power.upper()} claims {self.t['current_gain'][k, now + CURRENT_CENTRE]:+d}"
            for k, power in enumerate(POWERS)
        ]
        return [*_table(rows), f"AC/DC    DC {marks} AC   ({', '.join(gains)})"]

    def technology(self) -> list[str]:
        s = self.s
        rows = [["technology", *ROMAN[1:]]]
        for track, name in enumerate(TRACK_NAMES):
            cells = []
            for level in range(1, len(ROMAN)):
                here = "".join(str(p) for p in range(self.n) if s["tech"][p, track] == level)
                holder = int(s["patent"][track, level])
                patent = f" patent {self.company(holder)}" if holder != NOBODY else ""
                cells.append((here or ".") + patent if level <= self.t["top"][track] else "")
            rows.append([name, *cells])
        return [*_table(rows), "(seats at each level, holder of its patent)"]

    def map(self) -> list[str]:
        lines = ["projects by region: city (cost) level owner; x2 doubles the stock gain"]
        for region in self.parts.regions:
            if region.min_players <= self.n:
                lines += _wrapped(region.name[:15], [self.city(city) for city in region.cities])
        return lines

    def city(self, city: int) -> str:
        parts, t = self.parts, self.t
        projects = parts.city_projects[city]
        cells = []
        for k in projects:
            owner = int(self.s["owner"][k])
            double = "x2" if parts.doubled[k] else ""
            cells.append(f"{ROMAN[t['project_level'][k]]}{double} {self.company(owner) if owner != NOBODY else '.'}")
        return f"{parts.cities[city]} ({t['project_cost'][projects[0]]}) {', '.join(cells)}"

    def auction(self) -> list[str]:
        s = self.s
        lines = []
        if s["offer"]:
            items = []
            for k in bits(s["offer"]):
                certificate = int(s["certificate"][k - INVENTORS])
                items.append(self.rated(k) + (f" +{self.company(certificate)}" if certificate != NOBODY else ""))
            lines += _wrapped("on offer", items)
        if s["phase"] in (Phase.AUCTION, Phase.BID):
            lines += _wrapped("acquired", [self.company(p) for p in range(self.n) if s["acquired"][p]])
        if s["phase"] == Phase.BID:
            high = f"{s['bid']} by {self.company(int(s['bidder']))}" if s["bidder"] != NOBODY else "no bid yet"
            passed = [f"{self.company(p)} passed" for p in range(self.n) if s["passed"][p]]
            lines += _wrapped("bidding", [f"{self.parts.luminaries[s['luminary']]}: {high}", *passed])
        return lines

    def cards(self) -> list[str]:
        lines = _wrapped("propaganda", [self.card(k) for k in bits(self.s["cards"])])
        if self.s["card"] != NOTHING:
            lines += _wrapped("taken", [self.card(int(self.s["card"]))])
        return lines

    def card(self, k: int) -> str:
        t = self.t
        return f"{self.parts.cards[k]} ({FAMES[t['card_track'][k]]} {t['card_steps'][k]}, cash {t['card_cash'][k]})"
