"""A position as a dict, and back. (section 12)

Reading builds the record zone by zone and checks what the rules of the table demand; then the legal actions of the
position are listed once, so that a position in which nobody could go on is refused as well.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.game import State
from core.schema import Fields, listed
from pax_env.constants import (
    COLOR_NAMES,
    COLORS,
    END_NAMES,
    HUE_NAMES,
    PENDING_NAMES,
    PHASE_NAMES,
    PROBLEMS,
    REGIME_NAMES,
    ROWS,
    SLOTS,
    SOURCE_NAMES,
    SPHERE_NAMES,
    SPLAY,
    SQUARE_NAMES,
    TURN_ACTIONS,
    Icon,
    Kind,
    Pending,
    Phase,
    Solo,
    SpaceKind,
    Via,
    Zone,
)
from pax_env.ends import regime_of_splay
from pax_env.state import PENDING_NEUTRAL, agents_by_color, members

if TYPE_CHECKING:
    from pax_env.game import Game

__all__ = ["read_position", "write_position"]

MOST_DECISIONS = 2**31 - 1
VIA_NAMES = ("splay", "patents", "think_tank", *(f"espionage:{color}" for color in COLOR_NAMES))

IMPACT_ICONS = {
    Phase.COMPANY: (Icon.COMPANY,),
    Phase.REPLACE: (Icon.COMPANY,),
    Phase.PROBLEM: (Icon.WILD_PROBLEM,),
    Phase.RELIEF: (Icon.SOCIAL_RESILIENCE,),
    Phase.RELIEF_SQUARE: (Icon.SOCIAL_RESILIENCE,),
    Phase.DISRUPTION: (Icon.DISRUPTION,),
    Phase.SPLAY_KILL: (Icon.DISRUPTION,),
    Phase.RECESSION: (Icon.RECESSION,),
    Phase.EXCHANGE: (Icon.NUCLEAR_EXCHANGE,),
    Phase.DEFUSE: (Icon.DEFUSAL_GROWTH,),
}
"""The impact that is being performed in a phase."""

PHASES_OF = {
    Pending.FUNDRAISE: (Phase.DIVEST,),
    Pending.HIRE: (Phase.SOURCE, Phase.PAYMENT),
    Pending.SYNDICATE: (Phase.PAYMENT, Phase.BLACK_HEAT, Phase.SURGE),
    Pending.IMPORT: (Phase.IMPORT_TO,),
    Pending.COMMERCIALIZE: (Phase.VIABILITY, Phase.WORK, Phase.PAYMENT, Phase.OR, Phase.ORIENTATION, *IMPACT_ICONS),
    Pending.RESEARCH: (Phase.WORK, Phase.PAYMENT, Phase.RESEARCH_CLAIM, Phase.EXCHANGE),
    Pending.EXO: (
        Phase.COMPANY,
        Phase.REPLACE,
        Phase.DISRUPTION,
        Phase.SPLAY_KILL,
        Phase.RECESSION,
        Phase.EXCHANGE,
    ),
}
"""The phases in which an action can be under way."""


# Writing


def write_position(game: Game, s: np.void) -> dict[str, Any]:
    """The game's part of ``to_dict``."""
    return _Writer(game, s).position()


class _Writer:
    def __init__(self, game: Game, s: np.void) -> None:
        self.game, self.s, self.t, self.parts = game, s, game.tables[0], game.parts
        self.by_zone: dict[int, list[str]] = {}
        for card, zone in enumerate(s["zone"].tolist()):
            if zone != Zone.UNUSED:
                self.by_zone.setdefault(zone, []).append(self.parts.card_names[card])

    def position(self) -> dict[str, Any]:
        s = self.s
        exoglobals = [c for c in range(COLORS) if s["exoglobal"][c]]
        return {
            "players": [self.player(int(s["color_of"][seat])) for seat in range(self.game.num_players)],
            "exoglobals": [self.exoglobal(c) for c in exoglobals],
            "turn": int(s["turn"]),
            "actions_left": int(s["actions_left"]),
            "placate_used": bool(s["placate_used"]),
            "regime": REGIME_NAMES[s["regime"]],
            "market": {
                sphere: [self.slot(k * ROWS + row) for row in range(ROWS)] for k, sphere in enumerate(SPHERE_NAMES)
            },
            "infrastructure": self.infrastructure(),
            "splay": [self.splay_card(k) for k in range(int(s["splay_length"]))],
            "problems": self.problems(s["stock"]),
            "deck": {
                "top": self.pile(Zone.TOP),
                "bottom": self.pile(Zone.BOTTOM),
                "plurality": Zone.DECK_END in self.by_zone,
            },
            "exo_deck": self.exo_deck(),
            "discard": self.pile(Zone.DISCARD),
            "pending": self.pending(),
            "result": self.result(),
        }

    def pile(self, zone: int) -> dict[str, int]:
        return dict.fromkeys(sorted(self.by_zone.get(zone, [])), 1)

    def problems(self, numbers: NDArray[np.int16]) -> dict[str, int]:
        return {name: n for name, n in zip(self.parts.problem_names, numbers.tolist(), strict=True) if n > 0}

    def secrets(self, c: int) -> dict[str, Any]:
        hidden = int(self.s["hidden"][c])
        return {
            "hidden": SPHERE_NAMES[hidden] if hidden >= 0 else None,
            "dealt": sorted(self.by_zone.get(Zone.DEALT + c, [])),
        }

    def player(self, c: int) -> dict[str, Any]:
        s = self.s
        tank, card = [], int(s["think_tank"][c])
        while card >= 0:
            tank.append(self.parts.card_names[card])
            card = int(s["under"][card])
        return {
            "color": COLOR_NAMES[c],
            **{key: int(s[key][c]) for key in ("capital", "wealth", "debt", "pool")},
            "patents": dict(zip(HUE_NAMES, s["patents"][c].tolist(), strict=True)),
            "problems": self.problems(s["claimed"][c]),
            "think_tank": tank[::-1],
            **self.secrets(c),
        }

    def exoglobal(self, c: int) -> dict[str, Any]:
        return {
            "color": COLOR_NAMES[c],
            "pool": int(self.s["pool"][c]),
            "problems": self.problems(self.s["claimed"][c]),
            **self.secrets(c),
        }

    def cubes(self, place: int) -> dict[str, list[str]]:
        return {
            "white": _colors_in(agents_by_color(self.s["white"][place])),
            "black": _colors_in(members(self.s["black"][place])),
        }

    def slot(self, slot: int) -> dict[str, Any] | None:
        card = int(self.s["card"][slot])
        if card < 0:
            return None
        syndications = _colors_in(members(self.s["syndicated"][slot]))
        return {"card": self.parts.card_names[card], "syndications": syndications, **self.cubes(slot)}

    def splay_card(self, k: int) -> dict[str, Any]:
        return {
            "card": self.parts.card_names[self.s["card"][SLOTS + k]],
            "visible": HUE_NAMES[self.s["visible"][k]],
            **self.cubes(SLOTS + k),
        }

    def infrastructure(self) -> dict[str, Any]:
        spaces = {}
        for space, name in enumerate(self.parts.space_names):
            company, employees = int(self.s["company"][space]), _colors_in(agents_by_color(self.s["employees"][space]))
            if company >= 0 or employees:
                spaces[name] = {"company": COLOR_NAMES[company] if company >= 0 else None, "employees": employees}
        return spaces

    def exo_deck(self) -> dict[str, Any] | None:
        if self.s["solo"] == Solo.NONE:
            return None
        revealed = self.by_zone.get(Zone.EXO_NEXT)
        return {
            "next": revealed[0] if revealed else None,
            "rest": self.pile(Zone.EXO_REST),
            "used": self.pile(Zone.EXO_USED),
        }

    def pending(self) -> dict[str, Any] | None:
        """The action under way: the keys that apply and are set. (section 12, table)"""
        s, action = self.s, Pending(self.s["pending"])
        if action == Pending.NONE:
            return None
        shown: dict[str, Any] = {"action": PENDING_NAMES[action]}
        if action == Pending.EXO:
            shown["actor"] = COLOR_NAMES[s["actor"]]
        if s["slot"] >= 0:
            shown |= {"sphere": SPHERE_NAMES[s["slot"] // ROWS], "row": int(s["slot"] % ROWS)}
        elif s["sphere"] >= 0:
            shown["sphere"] = SPHERE_NAMES[s["sphere"]]
        if s["space"] >= 0:
            shown["space"] = self.parts.space_names[s["space"]]
        if s["source"] >= 0:
            shown["source"] = SOURCE_NAMES[s["source"]]
        if s["via"] >= 0:
            shown["via"] = VIA_NAMES[s["via"]]
        if s["pending_card"] >= 0:
            shown["card"] = self.parts.card_names[s["pending_card"]]
        shown |= {key: True for key in ("utility", "foreign", "tycoon") if s[key]}
        shown |= {key: int(s[key]) for key in ("cost", "impact", "option", "losses") if s[key]}
        if s["color"] >= 0:
            shown["color"] = HUE_NAMES[s["color"]]
        if s["target"] >= 0:
            shown["target"] = _place_name(int(s["target"]))
        if s["victim"] >= 0:
            shown["victim"] = COLOR_NAMES[s["victim"]]
        return shown

    def result(self) -> dict[str, Any] | None:
        return result_of(self.game, self.s) if self.s["done"] else None


def result_of(game: Game, s: np.void) -> dict[str, Any]:
    """How a finished game ended, every party's score, and who won. (section 6)"""
    states = np.zeros(1, game.dtype)
    states[0] = s
    table = np.zeros((game.parties, game.standing_keys), np.int64)
    parties = int(game.kernels.standings_one(states, game.tables, table))
    colors = s["color_of"].tolist()
    ranks = {color: tuple(table[party]) for party, color in enumerate(colors[:parties])}
    best = max(ranks.values())
    return {
        "end": END_NAMES[s["end"]],
        "scores": {COLOR_NAMES[c]: int(rank[0]) for c, rank in ranks.items()},
        "winners": [COLOR_NAMES[c] for c in sorted(ranks) if ranks[c] == best],
    }


def _colors_in(counts: list[int]) -> list[str]:
    return [COLOR_NAMES[c] for c in range(COLORS) for _ in range(counts[c])]


def _place_name(place: int) -> str:
    if place >= SLOTS:
        return f"splay:{place - SLOTS}"
    return f"{SPHERE_NAMES[place // ROWS]}:{place % ROWS}"


# Reading


def read_position(game: Game, position: Fields, states: NDArray[np.void]) -> None:
    """Fill a record that is blank but for its settings; ValueError names the key that does not fit."""
    _Reader(game, position, states).read()


class _Reader:
    def __init__(self, game: Game, position: Fields, states: NDArray[np.void]) -> None:
        self.game, self.position, self.states = game, position, states
        self.s, self.t, self.parts = states[0], game.tables[0], game.parts
        self.players = [COLOR_NAMES.index(color) for color in game.colors]
        self.exoglobals = [COLOR_NAMES.index(color) for color in game.exoglobals]
        self.parties = [COLOR_NAMES[c] for c in sorted([*self.players, *self.exoglobals])]
        self.zone_of: dict[str, str] = {}
        self.cards = {name: card for card, name in enumerate(self.parts.card_names)}

    def read(self) -> None:
        s = self.s
        s["hidden"] = s["think_tank"] = s["under"] = s["card"] = s["visible"] = s["company"] = -1
        s["winner"] = -1
        for key, neutral in PENDING_NEUTRAL.items():
            s[key] = neutral
        self.options()
        self.infrastructure()
        self.market()
        self.splay()
        self.decks()
        self.people()
        self.stock()
        self.progress()
        self.pending()
        self.mover()
        self.result()
        if not s["done"]:
            self.must_go_on()

    def options(self) -> None:
        with self.position.fields("options") as given:
            for key, value in self.game.options(self.s).items():
                if given.raw(key, value) != value or isinstance(given.raw(key, value), bool):
                    raise given.error(key, f"this game has {value!r}, got {given.raw(key)!r}")

    # The table

    def infrastructure(self) -> None:
        s, given = self.s, self.position.fields("infrastructure")
        workers = [COLOR_NAMES[c] for c in self.players]
        for space, name in enumerate(self.parts.space_names):
            if name not in given:
                continue
            kind = self.t["space_kind"][space]
            with given.fields(name) as entry:
                company = entry.choice("company", self.parties, optional=True)
                employees = entry.words("employees", workers, distinct=kind == SpaceKind.UTILITY)
                if company is not None and kind != SpaceKind.BARRIER:
                    raise entry.error("company", f"{name} is no barrier")
                if kind == SpaceKind.BARRIER and len(employees) > 1:
                    raise entry.error("employees", f"a barrier holds one employee, got {len(employees)}")
                s["company"][space] = COLOR_NAMES.index(company) if company else -1
                s["employees"][space] = self.packed(employees, entry, "employees")
        for key in given.value:
            if key not in self.parts.space_names:
                raise given.error(str(key), f"there is no such space; there are {listed(self.parts.space_names, 40)}")
        for c, number in Counter(s["company"].tolist()).items():
            if c >= 0 and number > self.t["disks"]:
                raise self.position.error("infrastructure", f"{COLOR_NAMES[c]} has {number} companies, more than disks")

    def packed(self, colors: list[str], entry: Fields, key: str) -> int:
        counts = Counter(colors)
        if counts and max(counts.values()) > self.t["agents"]:
            raise entry.error(key, f"more than {self.t['agents']} agents of a colour")
        return sum(number << (4 * COLOR_NAMES.index(color)) for color, number in counts.items())

    def card(self, name: Any, zone: int, path: str, kinds: tuple[int, ...] = (Kind.IDEA, Kind.TIPPING_POINT)) -> int:
        """Put a card into a zone; it must exist, be of one of the kinds, and lie nowhere else."""
        if not isinstance(name, str) or name not in self.cards:
            raise ValueError(f"{path}: there is no card {name!r}")
        card = self.cards[name]
        if self.t["kind"][card] not in kinds:
            raise ValueError(f"{path}: {name} cannot be here")
        if name in self.zone_of:
            raise ValueError(f"{path}: card {name} is also in {self.zone_of[name]}")
        self.zone_of[name] = path
        self.s["zone"][card] = zone
        return card

    def pile(
        self, fields: Fields, key: str, zone: int, kinds: tuple[int, ...] = (Kind.IDEA, Kind.TIPPING_POINT)
    ) -> None:
        value = fields.raw(key, {})
        names = value
        if isinstance(value, dict):
            for name, number in value.items():
                if isinstance(number, bool) or number != 1:
                    raise fields.error(key, f"every card exists once, got {number!r} of {name}")
            names = list(value)
        elif not isinstance(value, list):
            raise fields.error(key, f"expected a pile of cards, got {value!r}")
        for name in names:
            self.card(name, zone, fields.at(key), kinds)

    def cubes(self, entry: Fields, place: int, card: int) -> None:
        for square in SQUARE_NAMES:
            colors, squares = entry.words(square, self.parties, distinct=False), int(self.t[square][card])
            if len(colors) > squares:
                raise entry.error(square, f"{len(colors)} cubes on {squares} squares of {self.parts.card_names[card]}")
            if square == "white":
                self.s["white"][place] = self.packed(colors, entry, square)
            elif colors:
                self.s["black"][place] = 1 << COLOR_NAMES.index(colors[0])

    def market(self) -> None:
        with self.position.fields("market") as market:
            for sphere, name in enumerate(SPHERE_NAMES):
                for row, value in enumerate(market.items(name, most=ROWS)):
                    if value is not None:
                        self.slot(sphere * ROWS + row, value, f"{market.at(name)}[{row}]")

    def slot(self, slot: int, value: Any, path: str) -> None:
        with Fields({"card": value} if isinstance(value, str) else value, path) as entry:
            card = self.card(entry.raw("card"), Zone.MARKET, entry.at("card"), tuple(Kind))
            self.s["card"][slot] = card
            owners = entry.words("syndications", self.parties)
            if owners and self.t["kind"][card] == Kind.PLURALITY:
                raise entry.error("syndications", "no cube lies on the plurality card")
            self.s["syndicated"][slot] = sum(1 << COLOR_NAMES.index(color) for color in owners)
            self.cubes(entry, slot, card)

    def splay(self) -> None:
        entries = self.position.items("splay", most=SPLAY)
        for k, value in enumerate(entries):
            with Fields({"card": value} if isinstance(value, str) else value, f"splay[{k}]") as entry:
                card = self.card(entry.raw("card"), Zone.SPLAY, entry.at("card"))
                hues = [HUE_NAMES[self.t[side][card]] for side in ("left", "right")]
                visible = entry.choice("visible", hues, hues[0])
                assert visible is not None
                self.s["card"][SLOTS + k] = card
                self.s["visible"][k] = HUE_NAMES.index(visible)
                self.cubes(entry, SLOTS + k, card)
        self.s["splay_length"] = len(entries)
        regime = self.position.choice("regime", REGIME_NAMES, REGIME_NAMES[_python(regime_of_splay)(self.s)])
        assert regime is not None
        self.s["regime"] = REGIME_NAMES.index(regime)

    def decks(self) -> None:
        with self.position.fields("deck") as deck:
            self.pile(deck, "top", Zone.TOP)
            self.pile(deck, "bottom", Zone.BOTTOM)
            if deck.flag("plurality", False):
                name = self.parts.card_names[self.t["plurality"]]
                self.card(name, Zone.DECK_END, deck.at("plurality"), (Kind.PLURALITY,))
        self.pile(self.position, "discard", Zone.DISCARD, tuple(Kind))
        exo_deck = self.position.raw("exo_deck")
        if exo_deck is None:
            return
        if self.s["solo"] == Solo.NONE:
            raise self.position.error("exo_deck", "there is one in the solo game only")
        with self.position.fields("exo_deck") as exo:
            revealed = exo.raw("next")
            if revealed is not None:
                self.card(revealed, Zone.EXO_NEXT, exo.at("next"), (Kind.IDEA,))
            self.pile(exo, "rest", Zone.EXO_REST, (Kind.IDEA,))
            self.pile(exo, "used", Zone.EXO_USED, (Kind.IDEA,))

    # The parties

    def people(self) -> None:
        players = self.position.items("players", exactly=len(self.players)) or [{}] * len(self.players)
        for seat, (c, value) in enumerate(zip(self.players, players, strict=True)):
            with Fields(value, f"players[{seat}]") as entry:
                self.color(entry, c)
                self.finance(entry, c)
                self.think_tank(entry, c)
                self.secrets(entry, c, int(self.t["hidden_dealt"]), SPHERE_NAMES[self.t["patent"][c]])
                self.claims(entry, c)
                self.pool(entry, c)
        exoglobals = self.position.items("exoglobals", exactly=len(self.exoglobals)) or [{}] * len(self.exoglobals)
        for number, (c, value) in enumerate(zip(self.exoglobals, exoglobals, strict=True)):
            with Fields(value, f"exoglobals[{number}]") as entry:
                self.color(entry, c)
                self.secrets(entry, c, 1, SPHERE_NAMES[self.t["patent"][c]])
                self.claims(entry, c)
                self.pool(entry, c)

    def color(self, entry: Fields, c: int) -> None:
        if entry.raw("color", COLOR_NAMES[c]) != COLOR_NAMES[c]:
            raise entry.error("color", f"expected {COLOR_NAMES[c]}, got {entry.raw('color')!r}")

    def finance(self, entry: Fields, c: int) -> None:
        most = int(self.t["agents"])
        for key in ("capital", "wealth", "debt"):
            self.s[key][c] = entry.integer(key, int(self.t[key][c]), 0, most)
        if "patents" not in entry:
            entry.raw("patents")
            self.s["patents"][c][self.t["patent"][c]] = 1
            return
        with entry.fields("patents") as patents:
            for hue, name in enumerate(HUE_NAMES):
                self.s["patents"][c][hue] = patents.integer(name, 0, 0, most)

    def think_tank(self, entry: Fields, c: int) -> None:
        top = -1
        for name in entry.items("think_tank"):
            card = self.card(name, Zone.THINK_TANK, entry.at("think_tank"))
            self.s["under"][card] = top
            top = card
        self.s["think_tank"][c] = top

    def secrets(self, entry: Fields, c: int, most: int, sphere: str) -> None:
        hidden = entry.choice("hidden", SPHERE_NAMES, sphere, optional=True)
        self.s["hidden"][c] = SPHERE_NAMES.index(hidden) if hidden else -1
        for name in entry.items("dealt", most=most):
            self.card(name, Zone.DEALT + c, entry.at("dealt"), (Kind.IDEA,))

    def claims(self, entry: Fields, c: int) -> None:
        for name, number in entry.counts("problems", self.parts.problem_names).items():
            problem = self.parts.problem_names.index(name)
            if number > self.t["copies"][problem]:
                raise entry.error(
                    "problems", f"{number} claims of {name}, of which there are {self.t['copies'][problem]}"
                )
            self.s["claimed"][c][problem] = number

    def pool(self, entry: Fields, c: int) -> None:
        """The agents that are nowhere else."""
        s, agents = self.s, int(self.t["agents"])
        used = sum(int(s[key][c]) for key in ("capital", "wealth", "debt")) + int(s["patents"][c].sum())
        used += sum(agents_by_color(packed)[c] for key in ("white", "employees") for packed in s[key])
        used += sum(members(mask)[c] for key in ("black", "syndicated") for mask in s[key])
        if used > agents:
            raise ValueError(f"{entry.path}: {COLOR_NAMES[c]} has {used} agents in play, there are {agents}")
        if entry.integer("pool", agents - used, 0, agents) != agents - used:
            raise entry.error("pool", f"{used} of {agents} agents are in play, the pool cannot be {entry.raw('pool')}")
        s["pool"][c] = agents - used

    def stock(self) -> None:
        s = self.s
        left = self.t["copies"] - s["claimed"].sum(axis=0)
        for problem, number in enumerate(left.tolist()):
            if number < 0:
                raise self.position.error("problems", f"too many claims of {self.parts.problem_names[problem]}")
        default = {name: int(n) for name, n in zip(self.parts.problem_names, left, strict=True)}
        given = self.position.counts("problems", self.parts.problem_names, default)
        for problem in range(PROBLEMS):
            name = self.parts.problem_names[problem]
            if given.get(name, 0) != left[problem]:
                raise self.position.error(
                    "problems", f"{left[problem]} of {name} are in stock, got {given.get(name, 0)}"
                )
        s["stock"] = left

    # Progress and the action under way

    def progress(self) -> None:
        s, position = self.s, self.position
        s["turn"] = position.integer("turn", 0, 0, self.game.num_players - 1)
        s["actions_left"] = position.integer("actions_left", TURN_ACTIONS, 0, TURN_ACTIONS)
        s["placate_used"] = position.flag("placate_used", False)
        s["decisions"] = position.integer("decisions", 0, 0, MOST_DECISIONS)
        phase = position.choice("phase", PHASE_NAMES, "turn")
        assert phase is not None
        s["phase"] = PHASE_NAMES.index(phase)

    def pending(self) -> None:
        s, phase = self.s, Phase(self.s["phase"])
        value = self.position.raw("pending")
        if phase in (Phase.HIDDEN, Phase.TURN, Phase.OVER):
            if value is not None:
                raise self.position.error("pending", f"no action is under way in phase {PHASE_NAMES[phase]}")
            return
        if value is None:
            raise self.position.error("pending", f"missing; an action is under way in phase {PHASE_NAMES[phase]}")
        with self.position.fields("pending") as entry:
            word = entry.choice("action", PENDING_NAMES[1:])
            assert word is not None
            action = Pending(PENDING_NAMES.index(word))
            if phase not in PHASES_OF[action]:
                raise entry.error("action", f"{word} has no phase {PHASE_NAMES[phase]}")
            if action == Pending.EXO and s["solo"] == Solo.NONE:
                raise entry.error("action", "exoglobals act in the solo game only")
            s["pending"] = action
            if action in (Pending.SYNDICATE, Pending.IMPORT, Pending.COMMERCIALIZE):
                self.pending_slot(entry)
            if action == Pending.HIRE:
                self.pending_hire(entry, phase)
            elif action == Pending.COMMERCIALIZE:
                self.pending_commercialize(entry, phase)
            elif action == Pending.RESEARCH:
                self.pending_research(entry, phase)
            elif action == Pending.EXO:
                self.pending_exo(entry, phase)
            if phase == Phase.PAYMENT:
                s["cost"] = entry.integer("cost", None, 1, 1000)

    def sphere_of(self, entry: Fields) -> int:
        word = entry.choice("sphere", SPHERE_NAMES)
        assert word is not None
        return SPHERE_NAMES.index(word)

    def pending_slot(self, entry: Fields) -> None:
        """The slot of the card concerned, which is an idea or a tipping point."""
        slot = self.sphere_of(entry) * ROWS + entry.integer("row", None, 0, ROWS - 1)
        card = int(self.s["card"][slot])
        if card < 0 or self.t["kind"][card] == Kind.PLURALITY:
            raise entry.error("row", f"no idea lies at {_place_name(slot)}")
        self.s["slot"] = slot

    def pending_hire(self, entry: Fields, phase: Phase) -> None:
        s = self.s
        work = [name for name, k in zip(self.parts.space_names, self.t["work_of"], strict=True) if k >= 0]
        name = entry.choice("space", work)
        assert name is not None
        s["space"] = space = self.parts.space_names.index(name)
        c = int(s["color_of"][s["turn"]])
        here = agents_by_color(s["employees"][space])
        company = int(s["company"][space])
        if here[c] or (sum(here) and s["company"][space] < 0 and self.t["space_kind"][space] == SpaceKind.BARRIER):
            raise entry.error("space", f"{name} has no room")
        if (self.t["space_kind"][space] == SpaceKind.BARRIER and sum(here)) or company in self.exoglobals:
            raise entry.error("space", f"{name} cannot be hired into")
        if phase == Phase.PAYMENT:
            source = entry.choice("source", SOURCE_NAMES)
            assert source is not None
            s["source"] = SOURCE_NAMES.index(source)
            unemployed = self.t["unemployment"][self.t["space_sphere"][space]]
            if source == "unemployment" and not agents_by_color(s["employees"][unemployed])[c]:
                raise entry.error("source", f"no {COLOR_NAMES[c]} agent is unemployed there")

    def pending_commercialize(self, entry: Fields, phase: Phase) -> None:
        s = self.s
        s["sphere"] = s["slot"] // ROWS
        if s["splay_length"] == SPLAY:
            raise entry.error("action", "the splay is full")
        if phase == Phase.VIABILITY:
            return
        via = entry.choice("via", VIA_NAMES)
        assert via is not None
        s["via"] = VIA_NAMES.index(via)
        self.pending_tank(entry)
        if phase == Phase.WORK:
            return
        s["utility"] = entry.flag("utility", False)
        if phase == Phase.PAYMENT:
            return
        s["tycoon"] = entry.flag("tycoon", False)
        if phase == Phase.ORIENTATION:
            return
        card = int(s["card"][s["slot"]])
        s["impact"] = entry.integer("impact", 0, 0, int(self.t["impacts"][card]) - 1)
        first = int(self.t["first_icon"][card][s["impact"]])
        choice = int(self.t["first_icon"][card][s["impact"] + 1]) - first == 2
        if choice and phase != Phase.OR:
            s["option"] = entry.integer("option", None, 1, 2)
        if not choice and phase == Phase.OR:
            raise entry.error("impact", "this impact is no choice of two")
        if phase != Phase.OR:
            self.icon_fits(entry, card, first + max(0, int(s["option"]) - 1), IMPACT_ICONS[phase])
        self.pending_color(entry, card, phase)
        if phase == Phase.RELIEF_SQUARE:
            self.pending_target(entry)
        self.pending_victim(entry, phase, card, first + max(0, int(s["option"]) - 1))

    def pending_tank(self, entry: Fields) -> None:
        """The think tank that makes the card viable, if one does, must be there to be spent."""
        s = self.s
        if s["via"] < Via.THINK_TANK:
            return
        mine = int(s["color_of"][s["turn"]])
        owner = mine if s["via"] == Via.THINK_TANK else int(s["via"]) - Via.ESPIONAGE
        if s["think_tank"][owner] < 0 or (s["via"] >= Via.ESPIONAGE and owner == mine):
            raise entry.error("via", f"there is no think tank of {COLOR_NAMES[owner]} for it")

    def icon_fits(self, entry: Fields, card: int, icon: int, kinds: tuple[int, ...]) -> None:
        kind = Icon(self.t["icon"][card][icon])
        if kind not in kinds:
            name = self.parts.card_names[card]
            raise entry.error("impact", f"this impact of {name} is {kind.name.lower()}, which asks nothing like this")

    def pending_color(self, entry: Fields, card: int, phase: Phase) -> None:
        hues = [HUE_NAMES[self.t[side][card]] for side in ("left", "right")]
        color = entry.choice("color", hues, optional=phase != Phase.SPLAY_KILL)
        self.s["color"] = HUE_NAMES.index(color) if color else -1

    def pending_target(self, entry: Fields) -> None:
        names = [_place_name(place) for place in range(SLOTS + int(self.s["splay_length"]))]
        target = entry.choice("target", names)
        assert target is not None
        place = names.index(target)
        if self.s["card"][place] < 0 or place == self.s["slot"]:
            raise entry.error("target", f"no cube can be divested from {target}")
        self.s["target"] = place

    def pending_victim(self, entry: Fields, phase: Phase, card: int, icon: int) -> None:
        if phase not in (Phase.RECESSION, Phase.EXCHANGE):
            return
        victim = entry.choice("victim", self.parties)
        assert victim is not None
        c = COLOR_NAMES.index(victim)
        self.s["victim"] = c
        if phase == Phase.EXCHANGE:
            sphere = int(self.t["icon_of"][card][icon])
            here = self.t["space_sphere"] == sphere
            held = int((here & (self.s["company"] == c)).sum())
            held += int(self.s["claimed"][c][self.t["problem_sphere"] == sphere].sum())
            self.s["losses"] = entry.integer("losses", None, 1, max(1, held))

    def pending_research(self, entry: Fields, phase: Phase) -> None:
        s = self.s
        s["sphere"] = self.sphere_of(entry)
        if phase == Phase.WORK:
            return
        s["utility"] = entry.flag("utility", False)
        if phase == Phase.PAYMENT:
            return
        kinds = (Kind.PLURALITY,) if phase == Phase.EXCHANGE else (Kind.IDEA, Kind.TIPPING_POINT)
        s["pending_card"] = card = self.card(entry.raw("card"), Zone.RESEARCHED, entry.at("card"), kinds)
        s["foreign"] = entry.flag("foreign", False)
        if phase == Phase.EXCHANGE:
            s["impact"] = entry.integer("impact", 0, 0, int(self.t["impacts"][card]) - 1)
            self.icon_fits(entry, card, int(s["impact"]), IMPACT_ICONS[phase])
            self.pending_victim(entry, phase, card, int(s["impact"]))

    def pending_exo(self, entry: Fields, phase: Phase) -> None:
        s = self.s
        actor = entry.choice("actor", [COLOR_NAMES[c] for c in self.exoglobals])
        assert actor is not None
        s["actor"] = COLOR_NAMES.index(actor)
        used = [self.parts.card_names[card] for card in np.flatnonzero(s["zone"] == Zone.EXO_USED)]
        name = entry.choice("card", used)
        assert name is not None
        s["pending_card"] = card = self.cards[name]
        icons = int(self.t["first_icon"][card][self.t["impacts"][card]])
        s["impact"] = icon = entry.integer("impact", 0, 0, icons - 1)
        if phase == Phase.EXCHANGE and ("sphere" in entry or "row" in entry):
            self.icon_fits(entry, card, icon, (Icon.GROWTH, Icon.DEFUSAL_GROWTH))
            self.pending_slot(entry)
            card = int(s["card"][s["slot"]])
            exchanges = np.flatnonzero(self.t["icon"][card] == Icon.NUCLEAR_EXCHANGE)
            if not len(exchanges) or s["splay_length"] == SPLAY:
                raise entry.error("row", f"{self.parts.card_names[card]} has no nuclear exchange")
            icon = int(exchanges[0])
        else:
            self.icon_fits(entry, card, icon, IMPACT_ICONS[phase])
        if phase == Phase.SPLAY_KILL:
            self.pending_color(entry, card, phase)
        self.pending_victim(entry, phase, card, icon)

    def mover(self) -> None:
        """Who decides follows from the phase; only in ``hidden`` it says something of its own."""
        s, phase = self.s, Phase(self.s["phase"])
        if phase == Phase.HIDDEN:
            s["player"] = seat = self.position.integer("current_player", 0, 0, self.game.num_players - 1)
            for other in range(seat, self.game.num_players):
                if Zone.DEALT + s["color_of"][other] not in s["zone"]:
                    raise self.position.error("players", f"seat {other} has no dealt cards to choose its sphere from")
            return
        seat = int(s["turn"])
        if phase == Phase.OVER:
            seat = -4
        elif phase in (Phase.RECESSION, Phase.EXCHANGE):
            seat = max(0, int(s["seat_of"][s["victim"]]))
        given = self.position.raw("current_player", seat)
        if isinstance(given, bool) or given != seat:
            raise self.position.error("current_player", f"in phase {PHASE_NAMES[phase]} {seat} decides, got {given!r}")
        s["player"] = seat

    def result(self) -> None:
        s, position = self.s, self.position
        terminal = position.flag("terminal", False)
        truncated = position.flag("truncated", False)
        value = position.raw("result")
        over = s["phase"] == Phase.OVER
        if not terminal == over == (value is not None):
            raise position.error("terminal", "terminal, phase 'over' and a result go together")
        if truncated and not terminal:
            raise position.error("truncated", "a truncated game is terminal")
        if not terminal:
            return
        with position.fields("result") as entry:
            word = entry.choice("end", END_NAMES[1:])
            assert word is not None
            if truncated != (word == "truncated"):
                raise position.error("truncated", f"a result of {word} and truncated {truncated} do not agree")
            scores = entry.counts("scores", self.parties)
            winners = entry.words("winners", self.parties)
            s["end"], s["done"], s["truncated"] = END_NAMES.index(word), 1, truncated
            if word == "tycoon":
                if len(winners) != 1:
                    raise entry.error("winners", "a tycoon is alone")
                s["winner"] = COLOR_NAMES.index(winners[0])
            true = result_of(self.game, s)
            if "scores" in entry and scores != {color: n for color, n in true["scores"].items() if n}:
                raise entry.error("scores", f"the position gives {true['scores']}, got {entry.raw('scores')!r}")
            if "winners" in entry and sorted(winners) != sorted(true["winners"]):
                raise entry.error("winners", f"the position gives {true['winners']}, got {winners!r}")

    def must_go_on(self) -> None:
        if not State(self.game, self.states).legal_actions():
            phase = PHASE_NAMES[self.s["phase"]]
            raise self.position.error(
                "phase", f"no action is legal in phase {phase} (pending {self.position.raw('pending')!r})"
            )


def _python(function: Any) -> Any:
    """The Python function behind a compiled one that calls no other: quicker than compiling it for one call."""
    return getattr(function, "py_func", function)
