"""Loads a component file, checks it, and turns it into the record ``TABLES`` that the kernels read.

Spaces, arrows, problems and cards are numbered in file order. ``Components`` keeps the names for action names, dicts
and boards.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.schema import Fields, listed
from pax_env.constants import (
    ARROWS,
    BARRIERS,
    COLOR_NAMES,
    COLORS,
    HUE_NAMES,
    HUES,
    KIND_NAMES,
    MAX_CARDS,
    MAX_ICONS,
    MAX_IMPACTS,
    MAX_WHITE,
    OUT_ARROWS,
    PROBLEMS,
    REGIME_NAMES,
    REGIMES,
    ROWS,
    SIDE_NAMES,
    SKILL_PARAMETERS,
    SPACE_KIND_NAMES,
    SPACES,
    SPHERE_NAMES,
    SPHERES,
    SPLAY,
    UTILITIES,
    WORK_SPACES,
    Icon,
    Kind,
    Side,
    Skill,
    SpaceKind,
)

__all__ = ["CARD_FEATURES", "TABLES", "Components", "load"]

PACKAGED = Path(__file__).parent / "data" / "pax.json"
TIPPING_POINTS = 4
MAX_SEATS = 4

IMPACT_FEATURES = (
    *(f"problem_{sphere}" for sphere in SPHERE_NAMES),
    *(f"company_{sphere}" for sphere in SPHERE_NAMES),
    "brash",
    "growth",
    "wild_problem",
    "social_resilience",
    "disruption",
    "recession",
    "defusal_growth",
    "exchange",
    "or",
)
CARD_FEATURES = (
    *HUE_NAMES,
    *IMPACT_FEATURES,
    "kind",
    "white_squares",
    "black_squares",
    *(f"surge_{hue}" for hue in HUE_NAMES),
    *(f"ability_{skill.name.lower()}" for skill in Skill),
)
"""What an observation says of a card: hues first, then impacts, then the rest. Counts are divided by small numbers.

Hues: 1 on both sides, 0.6 left, 0.4 right. A company counts 0.5 thinker, 1 maker. ``kind``: 1/3 an idea, 2/3 a
tipping point, 1 the plurality card. An ability with a sphere or hue p counts (p + 1) / 4, one without counts 1.
"""

TABLES = np.dtype(
    [
        ("features", "f4", (MAX_CARDS, len(CARD_FEATURES))),  # CARD_FEATURES
        ("skill", "i4", (MAX_CARDS,)),  # ability as a bit mask over Skill
        ("cards", "i2"),  # how many there are
        ("plurality", "i2"),  # the plurality card
        ("agents", "i2"),  # of each colour
        ("disks", "i2"),  # of each colour
        ("kind", "i2", (MAX_CARDS,)),  # Kind
        ("left", "i2", (MAX_CARDS,)),  # hue; -1 none
        ("right", "i2", (MAX_CARDS,)),
        ("white", "i2", (MAX_CARDS,)),  # squares
        ("black", "i2", (MAX_CARDS,)),
        ("surge", "i2", (MAX_CARDS,)),  # hues of its arrows, a mask
        ("impacts", "i2", (MAX_CARDS,)),  # how many; an "or" is one
        ("first_icon", "i2", (MAX_CARDS, MAX_IMPACTS + 1)),  # of each impact; an "or" has two icons, others one
        ("icon", "i2", (MAX_CARDS, MAX_ICONS)),  # Icon
        ("icon_of", "i2", (MAX_CARDS, MAX_ICONS)),  # its sphere or problem
        ("icon_side", "i2", (MAX_CARDS, MAX_ICONS)),  # Side of a company
        ("icon_brash", "i2", (MAX_CARDS, MAX_ICONS)),  # space of a brash company; -1 none
        ("space_kind", "i2", (SPACES,)),  # SpaceKind
        ("space_sphere", "i2", (SPACES,)),
        ("space_side", "i2", (SPACES,)),  # Side; -1 unemployment
        ("barrier_of", "i2", (SPACES,)),  # number among the barriers; -1 none
        ("work_of", "i2", (SPACES,)),  # number among barriers and utilities; -1 none
        ("barrier", "i2", (BARRIERS,)),  # space of a barrier
        ("work_space", "i2", (WORK_SPACES,)),  # space of a barrier or utility
        ("unemployment", "i2", (SPHERES,)),  # space of a sphere's unemployment
        ("spaces_in", "i2", (SPHERES,)),  # how many barriers and utilities a sphere has
        ("space_in", "i2", (SPHERES, WORK_SPACES)),  # which they are
        ("arrow_from", "i2", (ARROWS,)),
        ("arrow_to", "i2", (ARROWS,)),
        ("arrow_work", "i2", (ARROWS,)),  # kinds of work, a mask over Side
        ("arrows_out", "i2", (SPACES,)),  # how many arrows leave a space
        ("arrow_out", "i2", (SPACES, OUT_ARROWS)),  # which they are
        ("problem_sphere", "i2", (PROBLEMS,)),
        ("copies", "i2", (PROBLEMS,)),
        ("capital", "i2", (COLORS,)),  # at the start
        ("wealth", "i2", (COLORS,)),
        ("debt", "i2", (COLORS,)),
        ("patent", "i2", (COLORS,)),
        ("doubles", "i2", (REGIMES,)),  # hues whose patents a regime doubles, a mask
        ("dominant", "i2", (REGIMES,)),  # sphere; -1 none
        ("deck_ideas", "i2"),
        ("bottom_ideas", "i2"),
        ("market_start", "i2", (SPHERES,)),
        ("sparse_row", "i2"),
        ("hidden_dealt", "i2"),
    ],
    align=True,
)
"""The component data as the kernels read it, one record."""


@dataclass
class Components:
    """A component file: the kernels' record and the names.

    Attributes:
        tables: ``TABLES[1]``.
        card_names, problem_names, space_names: ids in file order; ``arrow_names`` as ``<from>:<to>``.
        space_kinds: ``SpaceKind`` of each space.
        colors: the colours of the seats by number of players; ``exoglobals`` by solo level.
        titles: printed names by id (cards, spaces and problems); the board shows them.
        provenance: for cards, spaces and problems, the flag of each field in the file.
    """

    tables: NDArray[np.void]
    card_names: list[str] = field(default_factory=list)
    problem_names: list[str] = field(default_factory=list)
    space_names: list[str] = field(default_factory=list)
    space_kinds: list[int] = field(default_factory=list)
    arrow_names: list[str] = field(default_factory=list)
    colors: dict[int, list[str]] = field(default_factory=dict)
    exoglobals: dict[str, list[str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


def load(path: str | Path | None = None) -> Components:
    """Read and check a component file.

    Args:
        path: a JSON file of the schema of ``data/pax.json``; None for that file itself.

    Raises:
        ValueError: the file cannot be read, or an entry is missing, of a wrong kind or against the rules; the message
            names the entry.
    """
    file = PACKAGED if path is None else Path(path)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"components: cannot read {file}: {problem}") from problem
    top = Fields(data, "components")
    if top.raw("game", "pax") != "pax":
        raise top.error("game", f"expected 'pax', got {top.raw('game')!r}")
    parts = Components(np.zeros(1, TABLES))
    _read_setup(top, parts)
    _read_regimes(top, parts)
    _read_players(top, parts)
    _read_problems(top, parts)
    _read_spaces(top, parts)
    _read_arrows(top, parts)
    _read_cards(top, parts)
    _check_totals(top, parts)
    _write_features(parts.tables[0])
    return parts


def _rows(top: Fields, key: str, exactly: int | None = None) -> list[Fields]:
    rows = top.items(key)
    if exactly is not None and len(rows) != exactly:
        raise top.error(key, f"expected {exactly} entries, got {len(rows)}")
    return [Fields(row, f"{top.at(key)}[{k}]") for k, row in enumerate(rows)]


def _names(top: Fields, key: str, rows: list[Fields], parts: Components) -> list[str]:
    """The ids of a list of components, each once and fit to be part of an action name."""
    names: list[str] = []
    for row in rows:
        name = row.raw("id")
        if not isinstance(name, str) or not name or ":" in name:
            raise row.error("id", f"expected a word without a colon, got {name!r}")
        if name in names:
            raise row.error("id", f"{name} occurs twice in {top.at(key)}")
        names.append(name)
        title = row.raw("name")
        parts.titles[name] = title if isinstance(title, str) and title else name.replace("_", " ").upper()
    return names


def _index(row: Fields, key: str, names: tuple[str, ...] | list[str], optional: bool = False) -> int:
    """The number of a name; -1 for null if that is allowed."""
    word = row.choice(key, names, optional=optional)
    return -1 if word is None else list(names).index(word)


def _mask(row: Fields, key: str, names: tuple[str, ...]) -> int:
    if key not in row:
        raise row.error(key, "missing")
    return sum(1 << names.index(word) for word in row.words(key, names))


def _read_setup(top: Fields, parts: Components) -> None:
    t, setup = parts.tables[0], top.fields("setup")
    t["agents"] = setup.integer("agents_per_color", None, 1, 15)
    t["disks"] = setup.integer("disks_per_color", None, 1, BARRIERS)
    if setup.integer("market_rows", None) != ROWS:
        raise setup.error("market_rows", f"the action table is made for {ROWS} rows")
    t["deck_ideas"] = setup.integer("deck_ideas", None, 1, SPLAY)
    t["bottom_ideas"] = setup.integer("bottom_half_ideas", None)
    t["hidden_dealt"] = setup.integer("hidden_cards_dealt", None, 1)
    t["sparse_row"] = setup.integer("sparse_row", None, 0, ROWS - 1)
    start = setup.fields("market_start")
    for sphere, name in enumerate(SPHERE_NAMES):
        cards = start.integer(name, None, 0, ROWS)
        if cards != ROWS and cards > t["sparse_row"] + 1:
            raise start.error(name, f"{cards} cards do not fit from row {t['sparse_row']} down")
        t["market_start"][sphere] = cards
    seats = setup.fields("colors_by_players")
    for n in range(1, MAX_SEATS + 1):
        parts.colors[n] = _colors(seats, str(n), n)
    exoglobals = setup.fields("exoglobals")
    for level in ("easy", "hard"):
        parts.exoglobals[level] = _colors(exoglobals, level, None)
        if set(parts.exoglobals[level]) & set(parts.colors[1]):
            raise exoglobals.error(level, "an exoglobal has the colour of the human player")


def _colors(row: Fields, key: str, exactly: int | None) -> list[str]:
    words = row.words(key, COLOR_NAMES)
    if not words or (exactly is not None and len(words) != exactly):
        raise row.error(key, f"expected {exactly or 'some'} colours, got {len(words)}")
    if words != sorted(words, key=COLOR_NAMES.index):
        raise row.error(key, f"the player order is {listed(COLOR_NAMES)}")
    return words


def _read_regimes(top: Fields, parts: Components) -> None:
    t = parts.tables[0]
    for number, row in enumerate(_rows(top, "regimes", REGIMES)):
        if row.raw("id") != REGIME_NAMES[number]:
            raise row.error("id", f"the order of the regimes is {listed(REGIME_NAMES)}")
        t["dominant"][number] = _index(row, "dominant", SPHERE_NAMES, optional=True)
        t["doubles"][number] = _mask(row, "double_patents", HUE_NAMES)


def _read_players(top: Fields, parts: Components) -> None:
    t = parts.tables[0]
    for color, row in enumerate(_rows(top, "players", COLORS)):
        if row.raw("color") != COLOR_NAMES[color]:
            raise row.error("color", f"the player order is {listed(COLOR_NAMES)}")
        for key in ("capital", "wealth", "debt"):
            t[key][color] = row.integer(key, None)
        t["patent"][color] = _index(row, "patent", HUE_NAMES)
        used = int(t["capital"][color] + t["wealth"][color] + t["debt"][color]) + 1
        if used > t["agents"]:
            raise row.error("debt", f"{COLOR_NAMES[color]} starts with {used} agents, more than {t['agents']}")


def _read_problems(top: Fields, parts: Components) -> None:
    t, rows = parts.tables[0], _rows(top, "problems", PROBLEMS)
    parts.problem_names = _names(top, "problems", rows, parts)
    for number, row in enumerate(rows):
        t["problem_sphere"][number] = _index(row, "sphere", SPHERE_NAMES)
        t["copies"][number] = row.integer("copies", None, 1, 99)


def _read_spaces(top: Fields, parts: Components) -> None:
    t, rows = parts.tables[0], _rows(top, "spaces", SPACES)
    parts.space_names = _names(top, "spaces", rows, parts)
    t["barrier_of"], t["work_of"], t["unemployment"] = -1, -1, -1
    count = dict.fromkeys(SpaceKind, 0)
    for space, row in enumerate(rows):
        kind = SpaceKind(_index(row, "kind", SPACE_KIND_NAMES))
        sphere = _index(row, "sphere", SPHERE_NAMES)
        side = _index(row, "side", SIDE_NAMES, optional=True)
        row.integer("tier", None, 1)
        parts.space_kinds.append(kind)
        t["space_kind"][space], t["space_sphere"][space], t["space_side"][space] = kind, sphere, side
        if (kind == SpaceKind.UNEMPLOYMENT) != (side < 0):
            raise row.error("side", "a side is named for barriers and utilities, and for them only")
        if kind == SpaceKind.UNEMPLOYMENT:
            if t["unemployment"][sphere] >= 0:
                raise row.error("kind", f"a second unemployment space in {SPHERE_NAMES[sphere]}")
            if parts.space_names[space] != f"{SPHERE_NAMES[sphere]}_unemployment":
                raise row.error("id", f"expected {SPHERE_NAMES[sphere]}_unemployment")
            t["unemployment"][sphere] = space
        else:
            t["work_of"][space] = work = count[SpaceKind.BARRIER] + count[SpaceKind.UTILITY]
            if work < WORK_SPACES:
                t["work_space"][work] = space
                t["space_in"][sphere][t["spaces_in"][sphere]] = space
                t["spaces_in"][sphere] += 1
            if kind == SpaceKind.BARRIER and count[kind] < BARRIERS:
                t["barrier_of"][space] = count[kind]
                t["barrier"][count[kind]] = space
        count[kind] += 1
    for kind, expected in (
        (SpaceKind.BARRIER, BARRIERS),
        (SpaceKind.UTILITY, UTILITIES),
        (SpaceKind.UNEMPLOYMENT, SPHERES),
    ):
        if count[kind] != expected:
            raise top.error("spaces", f"expected {expected} of kind {SPACE_KIND_NAMES[kind]}, got {count[kind]}")


def _read_arrows(top: Fields, parts: Components) -> None:
    t, names = parts.tables[0], parts.space_names
    tier = [row["tier"] for row in top.items("spaces")]
    arrows = top.fields("arrows")
    for number, row in enumerate(_rows(arrows, "list", ARROWS)):
        start, goal = _index(row, "from", names), _index(row, "to", names)
        work = _mask(row, "work", SIDE_NAMES[:2])
        if work == 0:
            raise row.error("work", "an arrow gives thinker work, maker work or both")
        if t["space_sphere"][start] != t["space_sphere"][goal]:
            raise row.error("to", f"{names[goal]} is not in the sphere of {names[start]}")
        if tier[goal] != tier[start] + 1:
            raise row.error("to", f"{names[goal]} is not one tier below {names[start]}")
        unemployed = t["space_kind"][goal] == SpaceKind.UNEMPLOYMENT
        name = f"{names[start]}:{'unemployment' if unemployed else names[goal]}"
        if name in parts.arrow_names:
            raise row.error("to", f"a second arrow from {names[start]} to {names[goal]}")
        parts.arrow_names.append(name)
        if t["arrows_out"][start] == OUT_ARROWS:
            raise row.error("from", f"more than {OUT_ARROWS} arrows leave {names[start]}")
        t["arrow_from"][number], t["arrow_to"][number], t["arrow_work"][number] = start, goal, work
        t["arrow_out"][start][t["arrows_out"][start]] = number
        t["arrows_out"][start] += 1


def _read_cards(top: Fields, parts: Components) -> None:
    t, rows = parts.tables[0], _rows(top, "cards")
    if len(rows) > MAX_CARDS:
        raise top.error("cards", f"at most {MAX_CARDS} cards, got {len(rows)}")
    parts.card_names = _names(top, "cards", rows, parts)
    t["cards"] = len(rows)
    t["left"], t["right"], t["icon_brash"], t["icon_side"], t["icon_of"] = -1, -1, -1, -1, -1
    abilities = [row.choice("id", [skill.name.lower() for skill in Skill]) for row in _rows(top, "abilities")]
    for card, row in enumerate(rows):
        kind = _index(row, "kind", KIND_NAMES)
        plain = kind == Kind.PLURALITY
        t["kind"][card] = kind
        t["left"][card] = _index(row, "left", HUE_NAMES, optional=plain)
        t["right"][card] = _index(row, "right", HUE_NAMES, optional=plain)
        if plain and (t["left"][card] >= 0 or t["right"][card] >= 0):
            raise row.error("left", "the plurality card has no hues")
        t["white"][card] = row.integer("white", None, 0, 0 if plain else MAX_WHITE)
        t["black"][card] = row.integer("black", None, 0, 0 if plain else 1)
        t["surge"][card] = _mask(row, "surge", HUE_NAMES)
        if row.raw("ability") is not None:
            t["skill"][card] = 1 << _skill(row.fields("ability"), abilities)
        _read_impacts(row, card, parts)
        if plain:
            t["plurality"] = card


def _skill(row: Fields, abilities: list[str | None]) -> int:
    """The bit of an ability."""
    name = row.choice("id", [word for word in abilities if word is not None])
    assert name is not None
    bit = int(Skill[name.upper()])
    parameter = SKILL_PARAMETERS.get(name)
    if parameter is None:
        return bit
    return bit + _index(row, parameter, SPHERE_NAMES if parameter == "sphere" else HUE_NAMES)


def _read_impacts(row: Fields, card: int, parts: Components) -> None:
    t = parts.tables[0]
    impacts = _rows(row, "impacts")
    if not 1 <= len(impacts) <= MAX_IMPACTS:
        raise row.error("impacts", f"expected 1 to {MAX_IMPACTS} impacts, got {len(impacts)}")
    icons: list[Fields] = []
    for number, impact in enumerate(impacts):
        t["first_icon"][card][number] = len(icons)
        if impact.raw("type") == "or":
            options = _rows(impact, "options", 2)
            for option in options:
                if option.raw("type") == "or":
                    raise option.error("type", "an or within an or")
            icons += options
        else:
            icons.append(impact)
    t["first_icon"][card][len(impacts)] = len(icons)
    t["impacts"][card] = len(impacts)
    if len(icons) > MAX_ICONS:
        raise row.error("impacts", f"at most {MAX_ICONS} icons, got {len(icons)}")
    for number, icon in enumerate(icons):
        _read_icon(icon, card, number, parts)
    ends = icons[-1].raw("type") == "game_end"
    if ends != (t["kind"][card] != Kind.IDEA) or any(icon.raw("type") == "game_end" for icon in icons[:-1]):
        raise row.error("impacts", "the last impact of tipping points and plurality, and no other, ends the game")
    if t["kind"][card] == Kind.PLURALITY and any(
        k not in (Icon.NUCLEAR_EXCHANGE, Icon.GAME_END) for k in t["icon"][card][: len(icons)]
    ):
        raise row.error("impacts", "the plurality card has nuclear exchanges only")


def _read_icon(icon: Fields, card: int, number: int, parts: Components) -> None:
    t = parts.tables[0]
    name = icon.choice("type", [kind.name.lower() for kind in Icon])
    assert name is not None
    kind = Icon[name.upper()]
    t["icon"][card][number] = kind
    if kind == Icon.PROBLEM:
        t["icon_of"][card][number] = _index(icon, "problem", parts.problem_names)
    elif kind == Icon.NUCLEAR_EXCHANGE:
        t["icon_of"][card][number] = _index(icon, "sphere", SPHERE_NAMES)
    elif kind == Icon.COMPANY:
        sphere = _index(icon, "sphere", SPHERE_NAMES)
        t["icon_of"][card][number] = sphere
        t["icon_side"][card][number] = _index(icon, "side", SIDE_NAMES[:2])
        brash = _index(icon, "brash", parts.space_names, optional=True)
        if brash >= 0 and (t["barrier_of"][brash] < 0 or t["space_sphere"][brash] != sphere):
            raise icon.error("brash", f"{parts.space_names[brash]} is no barrier of {SPHERE_NAMES[sphere]}")
        t["icon_brash"][card][number] = brash


def _check_totals(top: Fields, parts: Components) -> None:
    t = parts.tables[0]
    kinds = t["kind"][: t["cards"]].tolist()
    for kind, expected in ((Kind.TIPPING_POINT, TIPPING_POINTS), (Kind.PLURALITY, 1)):
        if kinds.count(kind) != expected:
            raise top.error("cards", f"expected {expected} of kind {KIND_NAMES[kind]}, got {kinds.count(kind)}")
    ideas = kinds.count(Kind.IDEA)
    least = int(t["deck_ideas"]) + MAX_SEATS * int(t["hidden_dealt"])
    if ideas < least:
        raise top.error("cards", f"set-up needs at least {least} ideas, got {ideas}")
    rest = int(t["deck_ideas"]) - int(t["market_start"].sum()) - int(t["bottom_ideas"])
    if rest < 1:
        raise top.error("setup", "the deck has too few ideas for the market, its bottom half and the first splay card")


def _write_features(t: np.void) -> None:
    """Fill ``features``: what an observation says of each card."""
    place = {name: k for k, name in enumerate(CARD_FEATURES)}
    for card in range(int(t["cards"])):
        row: Any = t["features"][card]
        for side, part in (("left", 0.6), ("right", 0.4)):
            if t[side][card] >= 0:
                row[t[side][card]] += part
        row[place["kind"]] = (t["kind"][card] + 1) / 3
        row[place["white_squares"]] = t["white"][card] / 3
        row[place["black_squares"]] = t["black"][card]
        for hue in range(HUES):
            row[place[f"surge_{HUE_NAMES[hue]}"]] = t["surge"][card] >> hue & 1
        for skill in Skill:
            width = 4 if skill.name.lower() in SKILL_PARAMETERS else 1
            for parameter in range(width):
                if t["skill"][card] >> (skill + parameter) & 1:
                    row[place[f"ability_{skill.name.lower()}"]] = (parameter + 1) / width
        _write_icon_features(t, card, row, place)


def _write_icon_features(t: np.void, card: int, row: Any, place: dict[str, int]) -> None:
    last = int(t["first_icon"][card][t["impacts"][card]])
    row[place["or"]] = (last - int(t["impacts"][card])) / 2
    for number in range(last):
        kind, of = Icon(t["icon"][card][number]), int(t["icon_of"][card][number])
        if kind == Icon.PROBLEM:
            row[place[f"problem_{SPHERE_NAMES[t['problem_sphere'][of]]}"]] += 0.5
        elif kind == Icon.COMPANY:
            row[place[f"company_{SPHERE_NAMES[of]}"]] += 1.0 if t["icon_side"][card][number] == Side.MAKER else 0.5
            row[place["brash"]] += t["icon_brash"][card][number] >= 0
        elif kind == Icon.NUCLEAR_EXCHANGE:
            row[place["exchange"]] += (of + 1) / 4
        elif kind != Icon.GAME_END:
            row[place[kind.name.lower()]] += 0.5
