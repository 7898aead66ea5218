"""The component file: read, checked and turned into one record for the kernels.

Another file of the same schema and sizes may have another map, other cards or another stock track. Every error is a
``ValueError`` that names the path of the entry in the file.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.schema import Fields
from tesla_env.constants import (
    ABILITIES,
    CARDS,
    CITIES,
    CURRENT_CENTRE,
    CURRENT_SPOTS,
    FAMES,
    HIRED,
    INVENTORS,
    LEVELS,
    LUMINARIES,
    LUMINARY_DECKS,
    MAX_BID,
    MAX_CASH,
    MAX_RATING,
    MAX_SPOTS,
    MAX_STEPS,
    POWERS,
    PRICES,
    PROJECTS,
    PROPAGANDA_DECKS,
    RATINGS,
    SEATS,
    TOP_LEVELS,
    TRACK_NAMES,
    TRACKS,
    TURNS,
    TURNS_PER_PHASE,
)
from tesla_env.ratings import packed

DATA = Path(__file__).parent / "data" / "tesla.json"
"""The component file of the package."""

PROVENANCES = ("rulebook", "sourced", "reconstructed")

_N = SEATS + 1

TABLES = np.dtype(
    [
        (
            "rating_sum",
            "i8",
            (-(-LUMINARIES // 8), 256),
        ),  # [eight luminaries, which of them] packed (tesla_env.ratings)
        ("need_sum", "i8", (TRACKS, LEVELS)),  # [track, level] what all levels up to this one ask for, packed
        ("in_play_mask", "i8", (_N,)),  # [players] projects in play
        ("luminary_phase_mask", "i4", (LUMINARY_DECKS + 1,)),  # luminaries of each phase's deck
        ("card_phase_mask", "i4", (PROPAGANDA_DECKS + 1,)),  # propaganda cards of each phase's deck
        ("start_cash", "i4"),
        ("rating", "i2", (LUMINARIES, len(RATINGS))),
        ("ability", "i2", (INVENTORS,)),  # Ability
        ("luminary_deck", "i2", (_N, LUMINARY_DECKS + 1)),  # [players, phase] cards dealt
        ("propaganda_deck", "i2", (_N, PROPAGANDA_DECKS + 1)),
        ("card_track", "i2", (CARDS,)),  # Fame
        ("card_steps", "i2", (CARDS,)),
        ("card_cash", "i2", (CARDS,)),
        ("project_city", "i2", (PROJECTS,)),
        ("project_level", "i2", (PROJECTS,)),
        ("project_cost", "i2", (PROJECTS,)),  # by the city's size
        ("project_gain", "i2", (PROJECTS,)),  # by the city's size, doubled where the project says so
        ("in_play_count", "i2", (_N,)),
        ("in_play", "i2", (_N, PROJECTS)),  # [players] projects in play by level, then in file order
        ("up_to_level", "i2", (_N, LEVELS)),  # [players, level] how many of them are of this level at most
        ("need", "i2", (TRACKS, LEVELS, 3)),  # [track, level] Need
        ("top", "i2", (TRACKS,)),  # highest level
        ("start_level", "i2", (TRACKS,)),
        ("price_min", "i2"),
        ("price_max", "i2"),
        ("price_start", "i2"),
        ("profit", "i2", (PRICES,)),  # by price
        ("left", "i2", (PRICES,)),  # the price one column to the left
        ("spots", "i2"),  # of a fame track
        ("current_min", "i2"),
        ("current_max", "i2"),
        ("current_start", "i2"),
        ("current_gain", "i2", (len(POWERS), CURRENT_SPOTS)),  # [power, position + CURRENT_CENTRE] spots of stock
        ("regular", "i2"),  # certificates of a company
        ("open_market", "i2"),  # of these in the open market at the start
        ("set_aside", "i2"),  # and set aside
        ("preferred_worth", "i2"),  # what the preferred certificate counts as
        ("rival_limit", "i2"),  # most certificates of a rival's company
        ("between", "i1", (_N, CITIES, CITIES)),  # [players] cities between two cities in play
    ],
    align=True,
)
"""What the kernels know of the components; an array of one such record is their ``tables``."""


@dataclass
class Region:
    """A part of the map."""

    id: str
    name: str
    min_players: int
    cities: list[int] = field(default_factory=list)


@dataclass
class Components:
    """A component file, checked.

    Attributes:
        tables: the record for the kernels, an array of one.
        companies, hired, cards, cities, projects: ids in the order of the file.
        names: per section of the file, the printed names in the same order (of a company: its inventor's).
        regions: the parts of the map with their cities.
        city_projects: the projects of each city.
        doubled: whether a project doubles the stock gain.
        columns: bottom, top and profit of each column of the stock track.
        provenance: per section of the file, how many fields are known from where.
    """

    tables: NDArray[np.void]
    companies: list[str] = field(default_factory=list)
    hired: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    cities: list[str] = field(default_factory=list)
    projects: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    city_projects: list[list[int]] = field(default_factory=list)
    doubled: list[bool] = field(default_factory=list)
    columns: list[tuple[int, int, int]] = field(default_factory=list)
    provenance: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def luminaries(self) -> list[str]:
        """Inventors, whose ids are those of their companies, then the luminaries for hire."""
        return [*self.companies, *self.hired]


def load(path: str | Path | None = None) -> Components:
    """Read and check a component file; None for the one in the package.

    Raises:
        ValueError: the file cannot be read or an entry does not fit; the message names it.
    """
    source = DATA if path is None else Path(path)
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"components: cannot read {source}: {error}") from None
    return read(data)


def read(data: Any) -> Components:
    """The components from a file's content; ValueError as in ``load``."""
    made = Components(np.zeros(1, TABLES))
    with Fields(data) as file:
        file.raw("meta")
        _read_setup(file, made)
        _read_companies(file, made)
        _read_luminaries(file, made)
        _read_cards(file, made)
        _read_map(file, made)
        _read_technology(file, made)
        _read_stock(file, made)
        _read_fame(file, made)
        with file.fields("bid_cap") as cap:
            _provenance(cap, made, "bid_cap")
            _fixed(cap, "value", MAX_BID)
    _check_unique(made)
    made.tables.flags.writeable = False
    return made


def _fixed(fields: Fields, key: str, value: int) -> None:
    """A number that the action table or the course of the game is built on."""
    if fields.integer(key, None) != value:
        raise fields.error(key, f"this schema has {value}, got {fields.raw(key)}")


def _provenance(fields: Fields, made: Components, section: str) -> None:
    value = fields.raw("provenance")
    words = list(value.values()) if isinstance(value, dict) else [value]
    tally = made.provenance.setdefault(section, dict.fromkeys(PROVENANCES, 0))
    for word in words:
        if word not in PROVENANCES:
            raise fields.error("provenance", f"expected {', '.join(PROVENANCES)} (or a map to them), got {word!r}")
        tally[word] += 1


def _entries(file: Fields, key: str, exactly: int | None = None) -> Iterable[Fields]:
    """The maps of a list in the file, each with its path."""
    items = file.items(key)
    if exactly is not None and len(items) != exactly:
        raise file.error(key, f"this schema has {exactly} entries, got {len(items)}")
    if not items:
        raise file.error(key, "expected at least one entry")
    for k, item in enumerate(items):
        with Fields(item, f"{file.at(key)}[{k}]") as entry:
            yield entry


def _word(fields: Fields, key: str) -> str:
    value = fields.raw(key)
    if not isinstance(value, str) or not value or (key == "id" and (":" in value or value.split() != [value])):
        raise fields.error(key, f"expected a word, got {value!r}")
    return value


def _id(fields: Fields, known: list[str]) -> str:
    value = _word(fields, "id")
    if value in known:
        raise fields.error("id", f"duplicate id {value!r}")
    known.append(value)
    return value


def _choice(fields: Fields, key: str, allowed: Iterable[str]) -> int:
    words = list(allowed)
    return words.index(str(fields.choice(key, words)))


def _read_setup(file: Fields, made: Components) -> None:
    t = made.tables[0]
    with file.fields("setup") as setup:
        _provenance(setup, made, "setup")
        _fixed(setup, "min_players", 2)
        _fixed(setup, "max_players", SEATS)
        _fixed(setup, "turns", TURNS)
        _fixed(setup, "turns_per_phase", TURNS_PER_PHASE)
        setup.integer("company_markers", None, 0)
        t["start_cash"] = setup.integer("start_cash", None, 0, MAX_CASH)
        t["rival_limit"] = setup.integer("max_shares_of_an_opponent", None, 0, 100)
        with setup.fields("certificates") as certificates:
            _fixed(certificates, "preferred", 1)
            t["regular"] = certificates.integer("regular", None, 1, 100)
            t["open_market"] = certificates.integer("open_market", None, 0, 100)
            t["set_aside"] = certificates.integer("set_aside", None, 0, 100)
            t["preferred_worth"] = certificates.integer("preferred_counts_as", None, 0, 100)
            if t["open_market"] + t["set_aside"] != t["regular"]:
                raise certificates.error("regular", "open_market and set_aside must add up to the regular certificates")
        _read_deck(setup, "luminary_deck", t["luminary_deck"], HIRED // LUMINARY_DECKS)
        _read_deck(setup, "propaganda_deck", t["propaganda_deck"], CARDS // PROPAGANDA_DECKS)
        for n in range(2, SEATS + 1):
            first, second = (int(size) for size in t["luminary_deck"][n, 1:])
            if first < n or first + second != 3 * n:
                raise setup.error(
                    "luminary_deck", f"{n} players need {n} or more, {3 * n} in both; got {first}, {second}"
                )


def _read_deck(setup: Fields, key: str, sizes: NDArray[np.int16], most: int) -> None:
    with setup.fields(key) as decks:
        for n in range(2, SEATS + 1):
            row = decks.items(str(n))
            if len(row) != sizes.shape[1] - 1:
                raise decks.error(str(n), f"expected {sizes.shape[1] - 1} deck sizes, got {row!r}")
            for phase, size in enumerate(row, 1):
                if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= most:
                    raise decks.error(str(n), f"a deck has 1 to {most} cards, got {size!r}")
                sizes[n, phase] = size


def _read_ratings(entry: Fields, row: NDArray[np.int16]) -> None:
    for k, rating in enumerate(RATINGS):
        row[k] = entry.integer(rating, None, 0, MAX_RATING)


def _read_companies(file: Fields, made: Components) -> None:
    t = made.tables[0]
    for k, entry in enumerate(_entries(file, "companies", INVENTORS)):
        _provenance(entry, made, "companies")
        _id(entry, made.companies)
        made.names.setdefault("companies", []).append(_word(entry, "inventor"))
        _read_ratings(entry, t["rating"][k])
        t["ability"][k] = _choice(entry, "ability", ABILITIES)
        entry.raw("ability_effect")


def _phase(entry: Fields, masks: NDArray[np.int32], bit: int) -> None:
    masks[entry.integer("phase", None, 1, len(masks) - 1)] |= 1 << bit


def _check_phases(file: Fields, key: str, masks: NDArray[np.int32], each: int) -> None:
    for phase in range(1, len(masks)):
        count = int(masks[phase]).bit_count()
        if count != each:
            raise file.error(key, f"phase {phase} has {count} cards, this schema has {each} a phase")


def _read_luminaries(file: Fields, made: Components) -> None:
    t = made.tables[0]
    for k, entry in enumerate(_entries(file, "luminaries", HIRED), INVENTORS):
        _provenance(entry, made, "luminaries")
        _id(entry, made.hired)
        made.names.setdefault("luminaries", []).append(_word(entry, "name"))
        _phase(entry, t["luminary_phase_mask"], k)
        _read_ratings(entry, t["rating"][k])
    _check_phases(file, "luminaries", t["luminary_phase_mask"], HIRED // LUMINARY_DECKS)
    each = [packed(row) for row in t["rating"]]
    for eight, row in enumerate(t["rating_sum"]):
        for which in range(256):
            row[which] = sum(ratings for k, ratings in enumerate(each[8 * eight : 8 * eight + 8]) if which >> k & 1)


def _read_cards(file: Fields, made: Components) -> None:
    t = made.tables[0]
    for k, entry in enumerate(_entries(file, "propaganda", CARDS)):
        _provenance(entry, made, "propaganda")
        _id(entry, made.cards)
        made.names.setdefault("propaganda", []).append(_word(entry, "name"))
        _phase(entry, t["card_phase_mask"], k)
        t["card_track"][k] = _choice(entry, "track", FAMES)
        t["card_steps"][k] = entry.integer("steps", None, 1, MAX_STEPS)
        t["card_cash"][k] = entry.integer("cash", None, 0, 1000)
    _check_phases(file, "propaganda", t["card_phase_mask"], CARDS // PROPAGANDA_DECKS)


def _read_map(file: Fields, made: Components) -> None:
    t = made.tables[0]
    sizes: dict[str, tuple[int, int]] = {}
    with file.fields("project_sizes") as listed:
        for size in list(listed.value):
            with listed.fields(size) as entry:
                _provenance(entry, made, "map")
                sizes[size] = entry.integer("cost", None, 0, 1000), entry.integer("stock", None, 0, 100)
    region_ids: list[str] = []
    for entry in _entries(file, "regions"):
        _provenance(entry, made, "map")
        name = _id(entry, region_ids)
        made.regions.append(Region(name, _word(entry, "name"), entry.integer("min_players", None, 2, SEATS)))
    city_min = []
    for city, entry in enumerate(_entries(file, "cities", CITIES)):
        _provenance(entry, made, "map")
        _id(entry, made.cities)
        made.names.setdefault("cities", []).append(_word(entry, "name"))
        region = made.regions[_choice(entry, "region", region_ids)]
        region.cities.append(city)
        city_min.append(region.min_players)
        cost, gain = sizes[str(entry.choice("size", list(sizes)))]
        _read_projects(entry, made, city, cost, gain)
    if len(made.projects) != PROJECTS:
        raise file.error("cities", f"this schema has {PROJECTS} projects, got {len(made.projects)}")
    _read_edges(file, made, city_min)
    for n in range(2, SEATS + 1):
        ids = [k for k in range(PROJECTS) if city_min[t["project_city"][k]] <= n]
        ids.sort(key=lambda k: int(t["project_level"][k]))
        t["in_play"][n, : len(ids)] = ids
        t["in_play_count"][n] = len(ids)
        t["in_play_mask"][n] = sum(1 << k for k in ids)
        for level in range(LEVELS):
            t["up_to_level"][n, level] = sum(1 for k in ids if t["project_level"][k] <= level)


def _read_projects(city: Fields, made: Components, number: int, cost: int, gain: int) -> None:
    t = made.tables[0]
    own = []
    for entry in _entries(city, "projects"):
        _provenance(entry, made, "map")
        k = len(made.projects)
        name = _id(entry, made.projects)
        if k >= PROJECTS:
            raise entry.error("id", f"this schema has {PROJECTS} projects, {name} is one too many")
        level = entry.integer("level", None, 1, LEVELS - 1)
        if name != f"{made.cities[number]}_{level}":
            raise entry.error("id", f"a project is called after its city and level, got {name!r}")
        t["project_city"][k] = number
        t["project_level"][k] = level
        t["project_cost"][k] = cost
        made.doubled.append(entry.flag("stock_x2", None))
        t["project_gain"][k] = 2 * gain if made.doubled[k] else gain
        own.append(k)
    made.city_projects.append(own)


def _read_edges(file: Fields, made: Components, city_min: list[int]) -> None:
    edges: list[tuple[int, int]] = []
    for entry in _entries(file, "edges"):
        _provenance(entry, made, "map")
        a, b = (_choice(entry, end, made.cities) for end in "ab")
        if a == b:
            raise entry.error("b", f"an edge joins two cities, got {made.cities[a]} twice")
        edge = min(a, b), max(a, b)
        if edge in edges:
            raise entry.error("b", f"duplicate edge {made.cities[a]} - {made.cities[b]}")
        edges.append(edge)
    for n in range(2, SEATS + 1):
        playing = [city for city in range(CITIES) if city_min[city] <= n]
        if not playing:
            raise file.error("regions", f"no city is in play with {n} players")
        for start in playing:
            steps = _distances(start, set(playing), edges)
            for city in playing:
                if city not in steps:
                    pair = f"{made.cities[start]} and {made.cities[city]}"
                    raise file.error("edges", f"the map for {n} players is not connected: no way between {pair}")
                made.tables[0]["between"][n, start, city] = max(0, steps[city] - 1)


def _distances(start: int, playing: set[int], edges: list[tuple[int, int]]) -> dict[int, int]:
    """Edges on the shortest way from one city to each city it reaches over cities in play."""
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        city = waiting.popleft()
        for edge in edges:
            if city in edge:
                other = edge[0] + edge[1] - city
                if other in playing and other not in steps:
                    steps[other] = steps[city] + 1
                    waiting.append(other)
    return steps


def _read_technology(file: Fields, made: Components) -> None:
    t = made.tables[0]
    with file.fields("technology") as technology:
        for k, track in enumerate(TRACK_NAMES):
            with technology.fields(track) as entry:
                _provenance(entry, made, "technology")
                _fixed(entry, "start_level", 1)
                _fixed(entry, "max_level", TOP_LEVELS[k])
                t["start_level"][k] = 1
                t["top"][k] = TOP_LEVELS[k]
                for level, row in enumerate(_entries(entry, "levels", TOP_LEVELS[k] - 1), 2):
                    _provenance(row, made, "technology")
                    _fixed(row, "level", level)
                    for column, need in enumerate(("invention", "manufacturing", "finance_for_patent")):
                        t["need"][k, level, column] = row.integer(need, None, 0, 100)
                    t["need_sum"][k, level] = t["need_sum"][k, level - 1] + packed(t["need"][k, level])


def _read_stock(file: Fields, made: Components) -> None:
    t = made.tables[0]
    with file.fields("stock") as stock:
        _provenance(stock, made, "stock")
        low = stock.integer("min", None, 1, PRICES - 1)
        high = stock.integer("max", None, low, PRICES - 1)
        t["price_min"], t["price_max"] = low, high
        t["price_start"] = stock.integer("start", None, low, high)
        due = low
        for entry in _entries(stock, "columns"):
            _provenance(entry, made, "stock")
            bottom = entry.integer("bottom", None, 1, PRICES - 1)
            top = entry.integer("top", None, 1, PRICES - 1)
            profit = entry.integer("profit", None, 0, 1000)
            if bottom != due or top < bottom:
                raise entry.error("bottom", f"the columns must cover {low} to {high} without a gap: {due} is due here")
            for price in range(bottom, top + 1):
                t["profit"][price] = profit
                if made.columns:
                    left_bottom, left_top, _ = made.columns[-1]
                    t["left"][price] = min(left_bottom + price - bottom, left_top)
                else:
                    t["left"][price] = low
            made.columns.append((bottom, top, profit))
            due = top + 1
        if due != high + 1:
            raise stock.error("columns", f"the columns must end at {high}, got {due - 1}")


def _read_fame(file: Fields, made: Components) -> None:
    t = made.tables[0]
    with file.fields("fame") as fame:
        _provenance(fame, made, "fame")
        t["spots"] = fame.integer("spots", None, SEATS, MAX_SPOTS)
    with file.fields("current_track") as current:
        _provenance(current, made, "current_track")
        low = current.integer("min", None, -CURRENT_CENTRE, 0)
        high = current.integer("max", None, 0, CURRENT_CENTRE)
        t["current_min"], t["current_max"] = low, high
        t["current_start"] = current.integer("start", None, low, high)
        due = low
        for entry in _entries(current, "positions", high - low + 1):
            _provenance(entry, made, "current_track")
            if entry.integer("pos", None, -CURRENT_CENTRE, CURRENT_CENTRE) != due:
                raise entry.error("pos", f"the positions must go from {low} to {high}: {due} is due here")
            for power, name in enumerate(POWERS):
                t["current_gain"][power, due + CURRENT_CENTRE] = entry.integer(name, None, -100, 100)
            due += 1


def _check_unique(made: Components) -> None:
    """Luminaries and inventors share one list of ids; the other families only need to be distinct in themselves."""
    for name in made.hired:
        if name in made.companies:
            raise ValueError(f"luminaries: duplicate id {name!r}, a company is called so")
