"""A position as a dict, written and read. The schema and its errors are in the README."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.batch import TERMINAL_PLAYER
from core.game import State
from core.schema import Fields
from xenon_env.constants import (
    DECK,
    ELEMENTS,
    FIRST_CONTRACT,
    FIRST_PIPELINE,
    FIRST_UPGRADE,
    HELD,
    INSTALLABLE,
    NONE,
    REDRAW_CARDS,
    STARTERS,
    UPGRADES,
    USE_CARDS,
    Card,
    Line,
    Phase,
    Step,
    Use,
)

if TYPE_CHECKING:
    from xenon_env.game import Game

__all__ = ["element_supply", "read_position", "read_supply", "write_position"]

MOST = 32_000
"""Largest count or sum of money that a record holds."""

LINE_WORDS = ("contract", "upgrade")
PHASE_WORDS = tuple(phase.name.lower() for phase in Phase)
STEP_WORDS = tuple(step.name.lower() for step in Step)
DEAL_WORDS = (None, "buy", "bid")
PRIVILEGE_WORDS = (None, "stars", "turn")
COUNTS_OF_TURN = ("distills_left", "reboilers", "refrigerations", "placements", "purchases", "bids")
FLAGS_OF_TURN = ("bid_none", "sales_executive", "agent", "buyer")
STEPS_OF_PHASE = {
    "start": ("start",),
    "distill": ("distill",),
    "air": ("air",),
    "market": ("market",),
    "reflux": ("distill",),
    "peek": ("distill",),
    "place": ("distill",),
    "complete": ("distill", "start", "market"),
    "choose": ("air",),
    "privilege": ("end",),
    "discard": ("end",),
    "over": ("end",),
}
"""The steps in which each phase can occur, the default first."""


# Writing


def element_supply(record: np.void, ids: list[str]) -> dict[str, int] | None:
    """The ``element_supply`` option of a record."""
    sizes = record["stack_size"]
    return None if sizes[0] == NONE else {ids[e]: int(sizes[e]) for e in range(ELEMENTS)}


def write_position(game: Game, s: np.void) -> dict[str, Any]:
    """The game's own part of ``to_dict``."""
    ids = game.card_ids

    def multiset(counts: NDArray[Any], first: int = 0) -> dict[str, int]:
        return {ids[first + k]: int(count) for k, count in enumerate(counts) if count}

    def members(flags: NDArray[Any], first: int) -> list[str]:
        return [ids[first + k] for k, flag in enumerate(flags) if flag]

    def card(number: int, first: int = 0) -> str | None:
        return None if number == NONE else ids[first + number]

    n = game.num_players
    firsts = (FIRST_CONTRACT, FIRST_UPGRADE)
    wiped = int(s["wiped"])

    def line(which: Line) -> list[dict[str, Any] | None]:
        return [
            None
            if s["line_card"][which][slot] == NONE
            else {"card": ids[s["line_card"][which][slot]], "tokens": s["line_tokens"][which][slot][:n].tolist()}
            for slot in range(game.line_size)
        ]

    def player(seat: int) -> dict[str, Any]:
        shown = s["hand"][seat] if seat == s["player"] else s["shown"][seat]
        return {
            "money": int(s["money"][seat]),
            "tokens": int(s["tokens"][seat]),
            "overtime": bool(s["overtime"][seat]),
            "system": multiset(s["system"][seat]),
            "hand": multiset(s["hand"][seat]),
            "shown": multiset(shown),
            "discard": multiset(s["discard"][seat]),
            "installed": members(s["installed"][seat], FIRST_UPGRADE),
            "pipelines": members(s["pipelines"][seat], FIRST_PIPELINE),
            "contract": card(s["contract"][seat], FIRST_CONTRACT),
            "stored_xe": int(s["stored"][seat]),
            "completed": members(s["completed"][seat], FIRST_CONTRACT),
        }

    limited = s["stack_size"][0] != NONE
    return {
        "turn": {
            "step": STEP_WORDS[s["turn_step"]],
            "distills_left": int(s["distills_left"]),
            "used": [ids[USE_CARDS[k]] for k in range(len(USE_CARDS)) if s["used"][k]],
            "played": {ids[REDRAW_CARDS[k]]: int(s["played"][k]) for k in range(2) if s["played"][k]},
            "reboilers": int(s["reboilers"]),
            "refrigerations": int(s["refrigerations"]),
            "placements": int(s["placements"]),
            "peek": card(s["peek"]),
            "wiped": None if wiped == NONE else LINE_WORDS[wiped],
            "drawn": {} if wiped == NONE else multiset(s["drawn"], firsts[wiped]),
            "action": DEAL_WORDS[s["deal"]],
            "purchases": int(s["purchases"]),
            "bids": int(s["bids"]),
            **{flag: bool(s[flag]) for flag in FLAGS_OF_TURN},
        },
        "trigger": None if s["trigger"] == NONE else int(s["trigger"]),
        "privilege": PRIVILEGE_WORDS[s["privilege"]],
        "supply": {ids[e]: int(s["supply"][e]) for e in range(ELEMENTS)} if limited else None,
        "contract_line": line(Line.CONTRACT),
        "upgrade_line": line(Line.UPGRADE),
        "contract_deck": multiset(s["deck"][Line.CONTRACT], FIRST_CONTRACT),
        "contract_discard": multiset(s["deck_discard"][Line.CONTRACT], FIRST_CONTRACT),
        "upgrade_deck": multiset(s["deck"][Line.UPGRADE], FIRST_UPGRADE),
        "upgrade_discard": multiset(s["deck_discard"][Line.UPGRADE], FIRST_UPGRADE),
        "players": [player(seat) for seat in range(n)],
    }


# Reading


def read_supply(game: Game, options: Fields) -> list[int]:
    """The ``element_supply`` option as four sizes, NONE each if unlimited; ValueError names it.

    The stacks must suffice for the starting Systems.
    """
    value = options.raw("element_supply", game.element_supply)
    if value is None:
        return [NONE] * ELEMENTS
    least = game.num_players * game.tables[0]["start_system"]
    with Fields(value, options.at("element_supply")) as sizes:
        return [sizes.integer(game.card_ids[e], None, int(least[e]), MOST) for e in range(ELEMENTS)]


class Census:
    """Counts every card over all zones, to refuse more copies than exist."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.zones: dict[str, list[tuple[str, int]]] = {}

    def add(self, path: str, cards: Mapping[str, int]) -> None:
        for card, count in cards.items():
            self.zones.setdefault(card, []).append((path, count))

    def check(self) -> None:
        """ValueError names the zone at which a card exceeds its copies, and the others that hold it."""
        copies = self.game.tables[0]["copies"]
        for number in range(FIRST_UPGRADE, len(self.game.card_ids)):
            starter = number < FIRST_UPGRADE + STARTERS
            card = self.game.card_ids[number]
            if starter:
                for seat in range(self.game.num_players):
                    self._limit(card, 1, " of each player", f"players[{seat}].")
            else:
                self._limit(card, int(copies[number]), "", "")

    def _limit(self, card: str, most: int, whose: str, prefix: str) -> None:
        held = [(path, count) for path, count in self.zones.get(card, []) if path.startswith(prefix)]
        seen = 0
        for path, count in held:
            seen += count
            if seen > most:
                places = ", ".join(f"{count} in {place}" for place, count in held)
                raise ValueError(f"{path}: more {card} than exist: {most}{whose}; there are {places}")


def read_position(game: Game, position: Fields, states: NDArray[np.void]) -> None:
    """Fill a blank record from a dict, as the README says; ValueError names the key that breaks a rule."""
    s = states[0]
    ids = game.card_ids
    n = game.num_players
    with position.fields("options") as options:
        s["max_decisions"] = options.integer("max_decisions", game.max_decisions, 1, 2**31 - 1)
        s["stack_size"] = read_supply(game, options)
    phase = position.choice("phase", PHASE_WORDS, "start") or ""
    over = phase == "over"
    mover = _read_mover(position, n, over)
    s["player"] = TERMINAL_PLAYER if over else mover
    s["phase"] = PHASE_WORDS.index(phase)
    s["decisions"] = position.integer("decisions", 0, 0, 2**31 - 1)
    s["done"] = position.flag("terminal", over)
    if s["done"] != over:
        raise position.error("terminal", f"must be true exactly in phase over; phase is {phase}")
    s["truncated"] = position.flag("truncated", False)
    if s["truncated"] and not over:
        raise position.error("truncated", f"a truncated game is over; phase is {phase}")

    census = Census(game)
    _read_lines(game, position, s, census)
    _read_players(game, position, s, mover, census)
    _read_privilege(position, s, phase, mover, n)
    _read_turn(game, position.fields("turn"), s, phase, mover, census)
    census.check()
    _read_element_stacks(position, s, ids, n)
    if not over:
        _check_phase(game, s, phase, mover)
        if not State(game, states).legal_actions():
            raise ValueError(f"turn.action: this position of phase {phase} has no legal action")


def _read_mover(position: Fields, n: int, over: bool) -> int:
    if over and position.raw("current_player") == TERMINAL_PLAYER:
        return NONE
    mover = position.integer("current_player", 0, 0, n - 1)
    return NONE if over else mover


def _read_lines(game: Game, position: Fields, s: np.void, census: Census) -> None:
    n = game.num_players
    kinds = (range(FIRST_CONTRACT, FIRST_CONTRACT + DECK), range(FIRST_UPGRADE + STARTERS, FIRST_UPGRADE + UPGRADES))
    for line, word in enumerate(LINE_WORDS):
        allowed = [game.card_ids[card] for card in kinds[line]]
        first = (FIRST_CONTRACT, FIRST_UPGRADE)[line]
        key = f"{word}_line"
        for slot, value in enumerate(position.items(key, most=game.line_size)):
            if value is None:
                continue
            with Fields(value, f"{position.at(key)}[{slot}]") as entry:
                card = entry.choice("card", allowed)
                s["line_card"][line][slot] = game.card_number(card)
                census.add(entry.at("card"), {str(card): 1})
                tokens = _whole_numbers(entry, "tokens", n, int(game.tables[0]["bid_tokens"]))
                s["line_tokens"][line][slot][:n] = tokens
        for zone, pile in ((f"{word}_deck", s["deck"][line]), (f"{word}_discard", s["deck_discard"][line])):
            cards = position.counts(zone, allowed)
            census.add(position.at(zone), cards)
            _fill(pile, cards, game, first)
    on_cards = s["line_tokens"].sum(axis=(0, 1))
    most = int(game.tables[0]["bid_tokens"])
    for seat in range(n):
        if on_cards[seat] > most:
            raise ValueError(f"tokens: seat {seat} has {on_cards[seat]} on the lines' cards; a seat has {most} in all")
        s["tokens"][seat] = most - on_cards[seat]


def _whole_numbers(entry: Fields, key: str, n: int, most: int) -> list[int]:
    values = entry.items(key, exactly=n) or [0] * n
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise entry.error(key, f"expected {n} whole numbers from 0 to {most}, got {values!r}")
    return values


def _fill(pile: NDArray[Any], cards: Mapping[str, int], game: Game, first: int = 0) -> None:
    for card, count in cards.items():
        if count > MOST:
            raise ValueError(f"{card}: a pile holds at most {MOST} of it, got {count}")
        pile[game.card_number(card) - first] = count


def _read_players(game: Game, position: Fields, s: np.void, mover: int, census: Census) -> None:
    values = position.items("players", most=game.num_players)
    values += [{}] * (game.num_players - len(values))
    for seat, value in enumerate(values):
        with Fields(value, f"{position.at('players')}[{seat}]") as player:
            _read_player(game, player, s, seat, seat == mover, census)


def _read_player(game: Game, player: Fields, s: np.void, seat: int, is_mover: bool, census: Census) -> None:
    ids = game.card_ids
    held = ids[:HELD]
    s["money"][seat] = player.integer("money", int(game.tables[0]["start_money"]), 0, MOST)
    s["overtime"][seat] = player.flag("overtime", False)
    s["stored"][seat] = player.integer("stored_xe", 0, 0, MOST)
    for zone in ("system", "hand", "discard"):
        cards = player.counts(zone, held)
        census.add(player.at(zone), cards)
        _fill(s[zone][seat], cards, game)
    hand = player.counts("hand", held)
    shown = player.counts("shown", held, hand if is_mover else None)
    if is_mover and shown != hand:
        raise player.error("shown", f"the hand of the player to move lies open: expected {hand}, got {shown}")
    for card, count in shown.items():
        if count > hand.get(card, 0):
            raise player.error("shown", f"{count} {card}, but the hand has {hand.get(card, 0)}")
    if not is_mover:
        _fill(s["shown"][seat], shown, game)
    lists = (
        ("installed", ids[FIRST_UPGRADE : FIRST_UPGRADE + INSTALLABLE], FIRST_UPGRADE),
        ("pipelines", ids[FIRST_PIPELINE:], FIRST_PIPELINE),
        ("completed", ids[FIRST_CONTRACT:FIRST_PIPELINE], FIRST_CONTRACT),
    )
    for key, allowed, first in lists:
        for card in player.words(key, allowed):
            s[key][seat][game.card_number(card) - first] = 1
            census.add(player.at(key), {card: 1})
    contract = player.choice("contract", ids[FIRST_CONTRACT:FIRST_PIPELINE], optional=True)
    if contract is not None:
        s["contract"][seat] = game.card_number(contract) - FIRST_CONTRACT
        census.add(player.at("contract"), {contract: 1})
    supply = int(s["tokens"][seat])
    most = int(game.tables[0]["bid_tokens"])
    given = player.integer("tokens", supply, 0, most)
    if given != supply:
        raise player.error("tokens", f"{most - supply} of {most} lie on cards, so {supply} are left, not {given}")


def _read_privilege(position: Fields, s: np.void, phase: str, mover: int, n: int) -> None:
    trigger = position.raw("trigger")
    if trigger is not None:
        s["trigger"] = position.integer("trigger", None, 0, n - 1)
    privilege = position.choice("privilege", PRIVILEGE_WORDS[1:], optional=True)  # type: ignore[arg-type]
    s["privilege"] = PRIVILEGE_WORDS.index(privilege)
    if privilege is not None and trigger is None:
        raise position.error("privilege", "there is a side of the token, but nobody triggered the end (trigger)")
    if phase == "privilege":
        if trigger != mover:
            raise position.error("trigger", f"phase privilege needs the player to move, {mover}, got {trigger}")
        if privilege is not None:
            raise position.error("privilege", f"is being chosen in phase privilege; expected null, got {privilege!r}")
    elif trigger is not None and privilege is None and phase != "over":
        raise position.error("privilege", f"trigger is {trigger}, so a side of the token has been chosen; got null")


def _read_turn(game: Game, turn: Fields, s: np.void, phase: str, mover: int, census: Census) -> None:
    ids = game.card_ids
    cut = bool(s["truncated"])
    steps = STEPS_OF_PHASE[phase]
    step = turn.choice("step", STEP_WORDS if cut else steps, steps[0]) or ""
    s["turn_step"] = STEP_WORDS.index(step)
    overtime = mover != NONE and bool(s["overtime"][mover])
    distills = {"start": 1, "distill": 2 if overtime else 1}.get(step, 0)
    most = {"distills_left": 2, "purchases": 3, "bids": 6}
    for key in COUNTS_OF_TURN:
        s[key] = turn.integer(key, distills if key == "distills_left" else 0, 0, most.get(key, MOST))
    for key in FLAGS_OF_TURN:
        s[key] = turn.flag(key, False)
    action = turn.choice("action", ("buy", "bid"), "bid" if overtime and step == "market" else None, optional=True)
    s["deal"] = DEAL_WORDS.index(action)
    if overtime and step == "air":
        raise ValueError(f"players[{mover}].overtime: an overtime turn has no AIR or WIPE; phase is {phase}")
    if overtime and step == "market" and action != "bid":
        raise turn.error("action", f"the market step of an overtime turn is a BID, got {action!r}")
    for card in turn.words("used", [ids[card] for card in USE_CARDS]):
        number = game.card_number(card)
        s["used"][USE_CARDS.index(Card(number))] = 1
        if mover != NONE and not s["installed"][mover][number - FIRST_UPGRADE]:
            raise turn.error("used", f"{card} is not installed by the player to move")
    for card, count in turn.counts("played", [ids[card] for card in REDRAW_CARDS]).items():
        s["played"][REDRAW_CARDS.index(Card(game.card_number(card)))] = min(count, MOST)

    if s["placements"] and not cut and phase not in ("place", "complete"):
        raise turn.error("placements", f"are due in phases place and complete only; phase is {phase}")
    peek = turn.choice("peek", ids[:HELD], optional=True)
    if peek is not None:
        if phase != "peek" and not cut:
            raise turn.error("peek", f"a card is looked at in phase peek only; phase is {phase}")
        s["peek"] = game.card_number(peek)
        owner = f"players[{mover}]." if mover != NONE else ""
        census.add(f"{owner}{turn.at('peek')}", {peek: 1})
    wiped = turn.choice("wiped", LINE_WORDS, optional=True)
    if (wiped is not None) != (phase == "choose") and not (cut and wiped is not None):
        raise turn.error("wiped", f"a line is being filled exactly in phase choose; phase is {phase}, got {wiped!r}")
    kinds: Iterable[int] = ()
    first = FIRST_CONTRACT
    if wiped == "contract":
        kinds = range(FIRST_CONTRACT, FIRST_CONTRACT + DECK)
    elif wiped == "upgrade":
        first = FIRST_UPGRADE
        kinds = range(FIRST_UPGRADE + STARTERS, FIRST_UPGRADE + UPGRADES)
    if wiped is not None:
        s["wiped"] = LINE_WORDS.index(wiped)
    drawn = turn.counts("drawn", [ids[card] for card in kinds])
    _fill(s["drawn"], drawn, game, first)
    census.add(turn.at("drawn"), drawn)
    turn.finish()


def _read_element_stacks(position: Fields, s: np.void, ids: list[str], n: int) -> None:
    """Elements left in the stacks: the option less what the players have."""
    given = position.raw("supply")
    if s["stack_size"][0] == NONE:
        if given is not None:
            raise position.error("supply", f"elements are unlimited in this game: expected null, got {given!r}")
        return
    left = s["stack_size"].astype(np.int64)
    for zone in ("system", "hand", "discard"):
        left -= s[zone][:n, :ELEMENTS].sum(axis=0)
    left[Card.XE] -= s["stored"][:n].sum()
    if 0 <= s["peek"] < ELEMENTS:
        left[s["peek"]] -= 1
    for element in range(ELEMENTS):
        if left[element] < 0:
            size = s["stack_size"][element]
            raise position.error(
                "supply",
                f"the players have {size - left[element]} {ids[element]} in system, hand, discard and stored_xe, "
                f"but element_supply is {size}",
            )
    s["supply"] = left
    if "supply" in position:
        with position.fields("supply") as supply:
            for element in range(ELEMENTS):
                count = supply.integer(ids[element], int(left[element]), 0, MOST)
                if count != left[element]:
                    raise supply.error(ids[element], f"{left[element]} are left by the players, not {count}")


def _check_phase(game: Game, s: np.void, phase: str, mover: int) -> None:
    """The needs of a phase; the error names the value that is missing."""
    player = f"players[{mover}]"
    if phase == "peek" and s["peek"] == NONE:
        raise ValueError("turn.peek: phase peek needs the card that is looked at")
    if phase == "reflux" and not s["hand"][mover].any():
        raise ValueError(f"{player}.hand: phase reflux needs a card to discard")
    if phase == "choose":
        line = s["line_card"][s["wiped"]][: game.line_size]
        if not s["drawn"].any():
            raise ValueError("turn.drawn: phase choose needs drawn cards")
        if (line != NONE).all():
            raise ValueError(f"turn.drawn: phase choose needs an empty slot in {LINE_WORDS[s['wiped']]}_line")
    if phase == "place" or (phase == "complete" and s["placements"]):
        cards = (s["line_card"] != NONE).any()
        if s["placements"] < 1 or s["tokens"][mover] < s["placements"] or not cards or s["turn_step"] != Step.DISTILL:
            raise ValueError(
                f"turn.placements: phase {phase} needs placements ({s['placements']}) for which {player}.tokens "
                f"({s['tokens'][mover]}) suffice, a card in a line, and step distill"
            )
    if phase == "complete":
        _check_complete(game, s, mover, player)


def _check_complete(game: Game, s: np.void, mover: int, player: str) -> None:
    contract = s["contract"][mover]
    if contract == NONE:
        raise ValueError(f"{player}.contract: phase complete needs an open contract for its stored_xe")
    cost = game.tables[0]["xe"][FIRST_CONTRACT + contract]
    if cost < 2 or s["stored"][mover] < cost:
        raise ValueError(
            f"{player}.stored_xe: phase complete needs a contract of cost 2 or more and the Xe for it; "
            f"the cost is {cost}, stored are {s['stored'][mover]}"
        )
    if not s["hand"][mover][Card.PACKED_COLUMNS]:
        raise ValueError(f"{player}.hand: phase complete needs packed_columns in hand (contract full by stored_xe)")
    installed = s["installed"][mover][Card.PACKED_COLUMNS - FIRST_UPGRADE]
    if installed and not s["used"][Use.PACKED_COLUMNS]:
        raise ValueError(f"{player}.installed: an unused packed_columns completes by itself, so phase is not complete")
