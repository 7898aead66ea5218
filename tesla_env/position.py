"""Positions as dicts, as ``to_dict`` writes and ``state_from_dict`` reads them; the schema is in the README."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.batch import TERMINAL_PLAYER
from core.game import State
from core.schema import Fields, listed
from tesla_env.constants import (
    INVENTORS,
    LUMINARY_DECKS,
    MAX_BID,
    MAX_CASH,
    NOBODY,
    NOTHING,
    PHASES,
    PROPAGANDA_DECKS,
    SEATS,
    TRACK_NAMES,
    TRACKS,
    TURNS,
    TURNS_PER_PHASE,
    Phase,
    Rating,
    Trade,
)
from tesla_env.state import bits

if TYPE_CHECKING:
    from tesla_env.components import Components
    from tesla_env.game import Game

STATUSES = ("ready", "selected", "exhausted")
SELECTING = {
    Phase.ACT: (1, 99),
    Phase.MOVE: (1, 1),
    Phase.CARD: (1, 1),
    Phase.CARD_MOVE: (1, 1),
    Phase.MARKET: (1, 1),
}
"""How many luminaries the mover has selected, at least and at most, in the phases that have any."""

_INT32 = 2**31 - 1


def write_position(parts: Components, record: np.void) -> dict[str, Any]:
    """The game's own part of ``to_dict``."""
    n = int(record["num_players"])
    ids = parts.companies
    seats = [p for p in range(n) if record["company"][p] != NOTHING]
    company = {p: ids[record["company"][p]] for p in seats}
    company[NOBODY] = None

    def by_company(name: str) -> dict[str, int]:
        values = record[name].tolist()
        return {company[q]: values[q] for q in seats}

    def luminaries(p: int) -> dict[str, str]:
        return {parts.luminaries[k]: status for status in STATUSES for k in bits(record[status][p])}

    def pools(mask: int, masks: NDArray[np.int32], names: list[str]) -> dict[str, dict[str, int]]:
        return {str(p): {names[k]: 1 for k in bits(mask & int(masks[p]))} for p in range(1, len(masks))}

    shares, tech, traded = record["shares"].tolist(), record["tech"].tolist(), record["traded"].tolist()
    cash = record["cash"].tolist()
    file_order = sorted(seats, key=lambda q: int(record["company"][q]))
    tables = parts.tables[0]
    return {
        "turn": int(record["turn"]),
        "players": [
            {
                "company": company.get(p),
                "cash": cash[p],
                "shares": {company[q]: shares[p][q] for q in seats},
                "luminaries": luminaries(p),
                "tech": dict(zip(TRACK_NAMES, tech[p], strict=True)),
            }
            for p in range(n)
        ],
        "prices": by_company("price"),
        "market": by_company("market"),
        "set_aside": by_company("aside"),
        "present": by_company("present"),
        "future": by_company("future"),
        "current": int(record["current"]),
        "patents": {
            f"{TRACK_NAMES[track]}:{level}": company[holder]
            for track, row in enumerate(record["patent"].tolist())
            for level, holder in enumerate(row)
            if holder != NOBODY
        },
        "projects": {parts.projects[k]: company[p] for k, p in enumerate(record["owner"].tolist()) if p != NOBODY},
        "offer": {
            parts.luminaries[k]: company[int(record["certificate"][k - INVENTORS])] for k in bits(record["offer"])
        },
        "auction": {
            "acquired": [p for p in range(n) if record["acquired"][p]],
            "luminary": parts.luminaries[record["luminary"]] if record["luminary"] != NOTHING else None,
            "bid": int(record["bid"]),
            "bidder": int(record["bidder"]) if record["bidder"] != NOBODY else None,
            "passed": [p for p in range(n) if record["passed"][p]],
        },
        "cards": [parts.cards[k] for k in bits(record["cards"])],
        "card": parts.cards[record["card"]] if record["card"] != NOTHING else None,
        "trade": {
            "bought": [company[q] for q in file_order if traded[q] == Trade.BOUGHT],
            "sold": [company[q] for q in file_order if traded[q] == Trade.SOLD],
        },
        "luminary_pool": pools(int(record["luminary_pool"]), tables["luminary_phase_mask"], parts.luminaries),
        "propaganda_pool": pools(int(record["propaganda_pool"]), tables["card_phase_mask"], parts.cards),
    }


def read_companies(value: Any, n: int, known: list[str], path: str) -> list[str] | None:
    """Option ``companies``: None, or n different companies by seat; ValueError that names ``path``."""
    if value is None:
        return None
    if (
        not isinstance(value, (list, tuple))
        or len(value) != n
        or any(not isinstance(word, str) or word not in known for word in value)
        or len(set(value)) != n
    ):
        raise ValueError(f"{path}: expected null or {n} different companies of {listed(known)}, got {value!r}")
    return list(value)


def read_position(game: Game, position: Fields, states: NDArray[np.void]) -> None:
    """Fill a record, blank but for its settings and generator; ValueError names the key that does not fit."""
    _Reader(game, position, states).read()


class _Reader:
    """Reads one dict, section by section, in the order of ``to_dict``."""

    def __init__(self, game: Game, position: Fields, states: NDArray[np.void]) -> None:
        self.game = game
        self.parts = game.parts
        self.tables = game.tables[0]
        self.n = game.num_players
        self.position = position
        self.states = states
        self.s = states[0]
        self.placed: set[str] = set()

    def read(self) -> None:
        self._read_options()
        self._read_header()
        with_company = self._read_seats()
        self.seat_of = {name: p for p, name in enumerate(with_company) if name is not None}
        self.companies = list(self.seat_of)
        for p, fields in enumerate(self.player_fields):
            self._read_player(p, fields, with_company[p])
            fields.finish()
        self._read_table()
        self._read_offer()
        self._read_certificates()
        with self.position.fields("auction") as auction:
            self._read_auction(auction)
        self._read_cards()
        with self.position.fields("trade") as trade:
            self._read_trade(trade)
        self._read_pools("luminary_pool", LUMINARY_DECKS, self.tables["luminary_phase_mask"], self.parts.luminaries)
        self._read_pools("propaganda_pool", PROPAGANDA_DECKS, self.tables["card_phase_mask"], self.parts.cards)
        self._read_mover()
        self._check_selected()
        self._check_moves()

    # Options and what comes first in every game

    def _read_options(self) -> None:
        s = self.s
        with self.position.fields("options") as options:
            known = self.parts.companies
            companies = options.raw("companies", self.game.companies)
            self.option = read_companies(companies, self.n, known, options.at("companies"))
            s["option_companies"][:] = NOTHING
            if self.option is not None:
                s["option_companies"][: self.n] = [known.index(name) for name in self.option]
            s["max_decisions"] = options.integer("max_decisions", self.game.max_decisions, 1, _INT32)

    def _read_header(self) -> None:
        position, s = self.position, self.s
        self.phase = Phase(PHASES.index(str(position.choice("phase", PHASES, "use"))))
        s["phase"] = self.phase
        s["decisions"] = position.integer("decisions", 0, 0, _INT32)
        truncated = position.flag("truncated", False)
        over = self.phase == Phase.OVER
        if truncated and over:
            raise position.error("truncated", "a game that is over is not truncated")
        self.done = over or truncated
        if position.flag("terminal", self.done) != self.done:
            raise position.error("terminal", "true if and only if the game is over or truncated")
        s["done"], s["truncated"] = self.done, truncated
        s["turn"] = self.turn = position.integer("turn", 1, 1, TURNS)
        self.g = (self.turn + 1) // TURNS_PER_PHASE
        if self.phase == Phase.DRAFT and self.turn > 1:
            raise position.error("turn", "the draft is in turn 1")
        if self.phase == Phase.DRAFT and self.option is not None:
            raise position.error("phase", "with options.companies there is no draft")
        s["current"] = position.integer(
            "current",
            int(self.tables["current_start"]),
            int(self.tables["current_min"]),
            int(self.tables["current_max"]),
        )

    # Players

    def _read_seats(self) -> list[str | None]:
        """The company of each seat."""
        items = self.position.items("players", exactly=self.n) or [{}] * self.n
        self.player_fields = [Fields(item, f"{self.position.at('players')}[{p}]") for p, item in enumerate(items)]
        known = self.parts.companies
        given = [
            str(name) if (name := fields.choice("company", known, optional=True)) is not None else None
            for fields in self.player_fields
        ]
        for p, name in enumerate(given):
            fields = self.player_fields[p]
            if name is not None and name in given[:p]:
                raise fields.error("company", f"{name} is the company of two seats")
            if self.phase == Phase.DRAFT:
                if name is not None and None in given[:p]:
                    raise fields.error("company", f"seats are drafted in order, seat {given.index(None)} comes first")
                continue
            if name is None and "company" in fields:
                raise fields.error("company", "every seat has a company after the draft")
            if self.option is not None and name is not None and name != self.option[p]:
                raise fields.error("company", f"options.companies says {self.option[p]}, got {name}")
        if self.phase == Phase.DRAFT:
            return given
        if self.option is not None:
            return list(self.option)
        free = [name for name in known if name not in given]
        return [name if name is not None else free.pop(0) for name in given]

    def _read_player(self, p: int, fields: Fields, company: str | None) -> None:
        s = self.s
        number = NOTHING
        if company is not None:
            number = self.parts.companies.index(company)
            s["seat_of"][number] = p
        s["company"][p] = number
        s["cash"][p] = fields.integer("cash", int(self.tables["start_cash"]), 0, MAX_CASH)
        limit = int(self.tables["rival_limit"])
        with fields.fields("shares") as shares:
            for name, q in self.seat_of.items():
                count = shares.integer(name, 0)
                if p != q and count > limit:
                    raise shares.error(name, f"at most {limit} certificates of a rival, got {count}")
                s["shares"][p, q] = min(count, 1000)  # too many is an error of the market, see _read_certificates
        self._read_luminaries(p, fields, number)
        with fields.fields("tech") as tech:
            for k, track in enumerate(TRACK_NAMES):
                start, top = int(self.tables["start_level"][k]), int(self.tables["top"][k])
                s["tech"][p, k] = tech.integer(track, start, start, top)

    def _read_luminaries(self, p: int, fields: Fields, company: int) -> None:
        with fields.fields("luminaries") as given:
            for name in given.value:
                if name not in self.parts.luminaries:
                    raise given.error(str(name), f"unknown luminary; known are {listed(self.parts.luminaries, 40)}")
                k = self.parts.luminaries.index(name)
                if k < INVENTORS and k != company:
                    raise given.error(name, "the inventor of another company")
                self._place(name, given.error(name, "this luminary is in two places"))
                self.s[str(given.choice(name, STATUSES))][p] |= 1 << k
            if company != NOTHING and self.parts.companies[company] not in given:
                self._place(self.parts.companies[company], given.error("", "an inventor in two places"))
                self.s["ready"][p] |= 1 << company

    def _place(self, name: str, error: ValueError) -> None:
        """Note where a luminary or card is; raise the error if it is already elsewhere."""
        if name in self.placed:
            raise error
        self.placed.add(name)

    # The table

    def _read_table(self) -> None:
        s, t, position = self.s, self.tables, self.position
        with position.fields("prices") as prices:
            for name, q in self.seat_of.items():
                s["price"][q] = prices.integer(name, int(t["price_start"]), int(t["price_min"]), int(t["price_max"]))
        spots = int(t["spots"])
        lowest_first = {name: spots - q for name, q in self.seat_of.items()}
        present = self._read_fame("present", lowest_first)
        self._read_fame("future", present)
        self._read_patents()
        with position.fields("projects") as projects:
            in_play = t["in_play"][self.n, : t["in_play_count"][self.n]].tolist()
            names = {self.parts.projects[k]: k for k in sorted(in_play)}
            for name in projects.value:
                if name not in names:
                    raise projects.error(str(name), f"no project in play with {self.n} players")
                s["owner"][names[name]] = self.seat_of[str(projects.choice(name, self.companies))]
        for p in range(SEATS):
            cities = [t["project_city"][k] for k in in_play if s["owner"][k] == p]
            s["claims"][p] = len(cities)
            s["between"][p] = t["between"][self.n, cities].min(axis=0) if cities else 0

    def _read_fame(self, key: str, default: dict[str, int]) -> dict[str, int]:
        spots: dict[str, int] = {}
        given = self.position.raw(key)
        if given is None and key not in self.position:
            spots = default
        else:
            with Fields(given, self.position.at(key)) as track:
                for name in self.companies:
                    if name not in track:
                        raise track.error(name, "every company in play has a marker")
                    spots[name] = track.integer(name, None, 1, int(self.tables["spots"]))
                    if list(spots.values()).count(spots[name]) > 1:
                        raise track.error(name, f"two markers on spot {spots[name]}")
        for name, q in self.seat_of.items():
            self.s[key][q] = spots[name]
        return spots

    def _read_patents(self) -> None:
        names = {
            f"{TRACK_NAMES[k]}:{level}": (k, level)
            for k in range(TRACKS)
            for level in range(2, int(self.tables["top"][k]) + 1)
        }
        with self.position.fields("patents") as patents:
            for name in patents.value:
                if name not in names:
                    raise patents.error(str(name), f"no such patent; there are {listed(names, 20)}")
                track, level = names[name]
                holder = self.seat_of[str(patents.choice(name, self.companies))]
                if self.s["tech"][holder, track] < level:
                    raise patents.error(name, f"its holder has only level {self.s['tech'][holder, track]}")
                self.s["patent"][track, level] = holder

    def _read_offer(self) -> None:
        with self.position.fields("offer") as offer:
            for name in offer.value:
                if name not in self.parts.hired:
                    raise offer.error(str(name), f"no luminary for hire; these are {listed(self.parts.hired, 40)}")
                self._place(name, offer.error(name, "this luminary is in two places"))
                k = self.parts.hired.index(name)
                self.s["offer"] |= 1 << (INVENTORS + k)
                company = offer.choice(name, self.companies, optional=True)
                if company is not None:
                    self.s["certificate"][k] = self.seat_of[company]

    def _read_certificates(self) -> None:
        """Set-aside certificates and the open market: all certificates of a company add up."""
        s, regular = self.s, int(self.tables["regular"])
        aside_default = int(self.tables["set_aside"]) if self.turn <= TURNS_PER_PHASE else 0
        with self.position.fields("set_aside") as aside:
            for name, q in self.seat_of.items():
                s["aside"][q] = min(aside.integer(name, aside_default), 1000)
        with self.position.fields("market") as market:
            for name, q in self.seat_of.items():
                others = int(s["aside"][q]) + int(s["shares"][:, q].sum()) + int((s["certificate"] == q).sum())
                if others > regular:
                    raise market.error(name, f"{others} certificates elsewhere, a company has {regular}")
                s["market"][q] = regular - others
                if market.integer(name, regular - others) != regular - others:
                    raise market.error(name, f"{regular - others} left of {regular}, got {market.value[name]}")

    def _read_auction(self, auction: Fields) -> None:
        s, phase = self.s, self.phase
        acquired = self._seats(auction, "acquired")
        passed = self._seats(auction, "passed")
        luminary = auction.choice("luminary", self.parts.hired, optional=True)
        bid = auction.integer("bid", 0, 0, MAX_BID)
        bidder = auction.raw("bidder")
        if bidder is not None:
            bidder = auction.integer("bidder", None, 0, self.n - 1)
        if acquired and phase not in (Phase.AUCTION, Phase.BID):
            raise auction.error("acquired", "only in auction and bid")
        if phase != Phase.BID:
            for key, value in (("luminary", luminary), ("bid", bid or None), ("bidder", bidder), ("passed", passed)):
                if value is not None and value != []:
                    raise auction.error(key, "only in bid")
        elif luminary is None or not s["offer"] >> (INVENTORS + self.parts.hired.index(luminary)) & 1:
            raise auction.error("luminary", f"bids are for a luminary on offer, got {luminary!r}")
        if phase == Phase.BID and len(acquired) > self.n - 2:
            raise auction.error("acquired", "two seats or more are without a luminary while they bid")
        if phase == Phase.AUCTION and len(acquired) == self.n:
            raise auction.error("acquired", "the auction ends when every seat has acquired a luminary")
        if passed and bid == 0:
            raise auction.error("passed", "nobody passes before the first bid")
        if set(passed) & set(acquired):
            raise auction.error("passed", "a seat that has acquired a luminary (auction.acquired) does not pass")
        if (bid > 0) != (bidder is not None):
            raise auction.error("bidder", "auction.bid and auction.bidder are set together")
        if bidder is not None and (bidder in acquired or bidder in passed or s["cash"][bidder] < bid):
            raise auction.error("bidder", f"seat {bidder} has acquired, has passed, or has less cash than {bid}")
        for p in acquired:
            s["acquired"][p] = 1
        for p in passed:
            s["passed"][p] = 1
        if luminary is not None:
            s["luminary"] = self.parts.luminaries.index(luminary)
        s["bid"] = bid
        s["bidder"] = NOBODY if bidder is None else bidder

    def _seats(self, fields: Fields, key: str) -> list[int]:
        seats = fields.items(key)
        for seat in seats:
            if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.n or seats.count(seat) > 1:
                raise fields.error(key, f"expected different seats from 0 to {self.n - 1}, got {seats!r}")
        return seats

    def _read_cards(self) -> None:
        position, known = self.position, self.parts.cards
        self.card_places: set[str] = set()
        for name in position.words("cards", known):
            self.card_places.add(name)
            self.s["cards"] |= 1 << known.index(name)
        card = position.choice("card", known, optional=True)
        if (card is not None) != (self.phase == Phase.CARD_MOVE):
            raise position.error("card", "a card is taken in card_move, and only there")
        if card is not None:
            if card in self.card_places:
                raise position.error("card", f"{card} is taken, so it is not among the revealed cards")
            self.card_places.add(card)
            self.s["card"] = known.index(card)

    def _read_trade(self, trade: Fields) -> None:
        lists = {key: trade.words(key, self.companies) for key in ("bought", "sold")}
        for key, names in lists.items():
            if names and self.phase != Phase.MARKET:
                raise trade.error(key, "only in market")
        for name in lists["sold"]:
            if name in lists["bought"]:
                raise trade.error("sold", f"{name} is bought and sold in one action")
        for name in lists["bought"]:
            self.s["traded"][self.seat_of[name]] = Trade.BOUGHT
        for name in lists["sold"]:
            self.s["traded"][self.seat_of[name]] = Trade.SOLD

    def _is_hidden(self, key: str, phase: int) -> bool:
        """Whether the deck of a game phase is still to be revealed."""
        if key == "luminary_pool":
            return self.phase == Phase.DRAFT if phase == 1 else self.turn <= TURNS_PER_PHASE
        return phase > self.g or (phase == self.g and self.phase in (Phase.DRAFT, Phase.AUCTION, Phase.BID))

    def _read_pools(self, key: str, decks: int, masks: NDArray[np.int32], known: list[str]) -> None:
        placed = self.placed if key == "luminary_pool" else self.card_places
        sizes = self.tables["luminary_deck" if key == "luminary_pool" else "propaganda_deck"][self.n]
        mask = 0
        with self.position.fields(key) as pools:
            for phase in range(1, decks + 1):
                candidates = [known[k] for k in bits(int(masks[phase]))]
                hidden = self._is_hidden(key, phase)
                free = [name for name in candidates if name not in placed] if hidden else []
                pool = pools.counts(str(phase), candidates, dict.fromkeys(free, 1))
                for name, count in pool.items():
                    if count > 1 or name in placed:
                        raise pools.error(str(phase), f"{name} is there once, and in one place")
                if hidden and len(pool) < sizes[phase]:
                    raise pools.error(str(phase), f"the deck takes {sizes[phase]} of it, got {len(pool)}")
                if not hidden and pool:
                    raise pools.error(str(phase), "the deck is revealed, so nothing is left in its pool")
                mask |= sum(1 << known.index(name) for name in pool)
        self.s[key] = mask

    # The mover and what he can do

    def _read_mover(self) -> None:
        s, position = self.s, self.position
        if self.done:
            if position.raw("current_player", TERMINAL_PLAYER) != TERMINAL_PLAYER:
                raise position.error("current_player", f"nobody moves any more: {TERMINAL_PLAYER}")
            s["player"] = TERMINAL_PLAYER
            return
        due = self._due_player()
        mover = position.integer("current_player", 0 if due is None else due, 0, self.n - 1)
        if due is not None and mover != due:
            raise position.error("current_player", f"it is for seat {due}, got {mover}")
        s["player"] = mover

    def _due_player(self) -> int | None:
        """The seat to move where the rules leave no choice: in the draft and the auction."""
        s = self.s
        if self.phase == Phase.DRAFT:
            if len(self.companies) == self.n:
                raise self.position.error("current_player", "every seat has drafted (phase)")
            return len(self.companies)
        if self.phase not in (Phase.AUCTION, Phase.BID):
            return None
        waiting = [p for p in range(self.n) if not s["acquired"][p]]
        if s["bidder"] == NOBODY:
            return min(waiting, key=lambda p: (s["cash"][p] < 1, s["present"][p]))
        bidder = int(s["bidder"])
        after = [(bidder + k) % self.n for k in range(1, self.n)]
        able = [p for p in after if p in waiting and not s["passed"][p]]
        if not able:
            raise self.position.error("current_player", "no seat is left to answer the bid")
        return able[0]

    def _check_selected(self) -> None:
        if self.done:
            return
        low, high = SELECTING.get(self.phase, (0, 0))
        for p, fields in enumerate(self.player_fields):
            count = len(bits(self.s["selected"][p]))
            if p != self.s["player"] and count:
                raise fields.error("luminaries", "only the mover has selected luminaries")
            if p == self.s["player"] and not low <= count <= high:
                wanted = "none" if high == 0 else "exactly one" if high == 1 else "at least one"
                raise fields.error("luminaries", f"{wanted} is selected in {self.phase.name.lower()}, got {count}")

    def _check_moves(self) -> None:
        if self.done:
            return
        if self.phase == Phase.MOVE:
            luminary = bits(self.s["selected"][self.s["player"]])[0]
            if self.tables["rating"][luminary, Rating.PROPAGANDA] == 0:
                raise self.position.error("phase", "a luminary without a propaganda rating does not move a marker")
        if not State(self.game, self.states).legal_actions():
            raise self.position.error("phase", f"the mover has no legal action in {self.phase.name.lower()}")
