"""What a seat sees, as a vector of fixed length: itself, then the other seats, then exoglobals, padded to four."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import Block, ObservationLayout
from pax_env.components import CARD_FEATURES, IMPACT_FEATURES
from pax_env.constants import (
    BARRIERS,
    COLORS,
    HUE_NAMES,
    HUES,
    PENDING_NAMES,
    PHASE_NAMES,
    PROBLEMS,
    REGIME_NAMES,
    ROWS,
    SLOTS,
    SOURCE_NAMES,
    SPACES,
    SPHERE_NAMES,
    SPHERES,
    SPLAY,
    UTILITIES,
    Kind,
    Pending,
    SpaceKind,
    Via,
    Zone,
)
from pax_env.scoring import party_color
from pax_env.state import packed_count

__all__ = ["OBSERVATION", "observe"]

PARTIES = COLORS
DEALT = 2
CARD = np.int64(len(CARD_FEATURES))
PAIR = np.int64(HUES)
BRIEF = PAIR + len(IMPACT_FEATURES)  # hues and impacts, the first features of a card
SKILLS = 11
FIRST_SKILL = CARD - SKILLS
PARTY_NAMES = ("self", "next", "third", "fourth")
FINANCE = ("player", "exoglobal", "capital", "wealth", "debt", "pool", "disks", "tank_size", "chosen")
TANK = (*HUE_NAMES, *CARD_FEATURES[FIRST_SKILL:])


def _each(count: int, parts: tuple[str, ...]) -> list[str]:
    return [f"{k}.{part}" for k in range(count) for part in parts]


def _slots(parts: tuple[str, ...]) -> list[str]:
    return [f"{sphere}.{row}.{part}" for sphere in SPHERE_NAMES for row in range(ROWS) for part in parts]


def _of(parts: tuple[str, ...], suffix: str) -> tuple[str, ...]:
    return tuple(f"{part}_{suffix}" for part in parts)


MARKET_PARTS = (*CARD_FEATURES, *_of(PARTY_NAMES, "syndication"), *_of(PARTY_NAMES, "heat"))
SPLAY_PARTS = (*HUE_NAMES, "open_black", *_of(PARTY_NAMES, "shock"))
PENDING_PARTS = (
    *PENDING_NAMES[1:],
    *(f"slot_{sphere}" for sphere in SPHERE_NAMES),
    "row",
    *(f"target_{sphere}" for sphere in SPHERE_NAMES),
    "target_row",
    "target_splay",
    "space",
    *SOURCE_NAMES,
    "cost",
    "via_splay",
    "via_patents",
    "via_think_tank",
    "via_espionage",
    "utility",
    "tycoon",
    "foreign",
    "impact",
    "option",
    *(f"color_{hue}" for hue in HUE_NAMES),
    *(f"victim_{party}" for party in PARTY_NAMES),
    "losses",
    *CARD_FEATURES[:BRIEF],
)
BARRIER_PARTS = (*_of(PARTY_NAMES, "company"), *_of(PARTY_NAMES, "employee"))

OBSERVATION = ObservationLayout(
    [
        Block.of("phase", PHASE_NAMES, "the decision that is due, one-hot", "."),
        Block.of("regime", REGIME_NAMES, "one-hot", "."),
        Block.of("turn", PARTY_NAMES, "whose turn it is, one-hot", "."),
        Block.of("mover", PARTY_NAMES, "who decides, one-hot; zeros when the game is over", "."),
        Block.of("clock", ("actions_left", "placate_used", "decisions"), "/ 2, flag, / max_decisions", "."),
        Block.of("hidden", SPHERE_NAMES, "one's own hidden sphere, one-hot", "."),
        Block.of("dealt", _each(DEALT, HUE_NAMES), "hues of one's own dealt cards", "."),
        Block.of("finance", _each(PARTIES, FINANCE), "by party: flags, agents / 15, disks / 4, tank / 10", "."),
        Block.of("patents", _each(PARTIES, HUE_NAMES), "by party / 5", "."),
        Block.of("claimed", _each(PARTIES, tuple(str(k) for k in range(PROBLEMS))), "problems by party / 2", "."),
        Block.of("tank", _each(PARTIES, TANK), "hues and ability of the top think tank card, by party", "."),
        Block.of(
            "market",
            _slots(MARKET_PARTS),
            "by slot: the card (see below), syndications, heat: white / 8 + black / 2",
            ".",
        ),
        Block.of(
            "splay", _each(SPLAY, SPLAY_PARTS), "by card: visible hue 1, other hue 0.5, future shock as heat", "."
        ),
        Block.of("barriers", _each(BARRIERS, BARRIER_PARTS), "company and employee by party, one-hot", "."),
        Block.of("utilities", _each(UTILITIES, PARTY_NAMES), "employees by party", "."),
        Block.of("unemployment", _each(SPHERES, PARTY_NAMES), "employees by party / 4", "."),
        Block.of("stock", tuple(str(k) for k in range(PROBLEMS)), "unclaimed problems / 2", "."),
        Block.of("deck", ("top", "bottom", "plurality", "tipping_points"), "cards / 12, / 16, flag, / 4", "."),
        Block.of("discard", HUE_NAMES, "hues on discarded cards / 20", "."),
        Block.of("exo_actor", PARTY_NAMES, "the exoglobal that acts, one-hot", "."),
        Block.of("exo_next", CARD_FEATURES[:BRIEF], "the face-up exoglobal card", "."),
        Block.of("exo_deck", ("rest", "used"), "cards / 70", "."),
        Block.of("pending", PENDING_PARTS, "the action under way and the card it has removed or drawn", "."),
    ]
)
"""The features; those of a card are ``components.CARD_FEATURES``."""

PHASE = OBSERVATION.start("phase")
REGIME = OBSERVATION.start("regime")
TURN = OBSERVATION.start("turn")
MOVER = OBSERVATION.start("mover")
CLOCK = OBSERVATION.start("clock")
HIDDEN = OBSERVATION.start("hidden")
OWN_DEALT = OBSERVATION.start("dealt")
FINANCE_START = OBSERVATION.start("finance")
PATENTS = OBSERVATION.start("patents")
CLAIMED = OBSERVATION.start("claimed")
TANK_START = OBSERVATION.start("tank")
MARKET = OBSERVATION.start("market")
SPLAY_START = OBSERVATION.start("splay")
BARRIER_START = OBSERVATION.start("barriers")
UTILITY_START = OBSERVATION.start("utilities")
UNEMPLOYMENT = OBSERVATION.start("unemployment")
STOCK = OBSERVATION.start("stock")
DECK = OBSERVATION.start("deck")
DISCARD = OBSERVATION.start("discard")
EXO_ACTOR = OBSERVATION.start("exo_actor")
EXO_NEXT = OBSERVATION.start("exo_next")
EXO_DECK = OBSERVATION.start("exo_deck")
PENDING_START = OBSERVATION.start("pending")
TANK_SIZE = len(TANK)
FINANCE_SIZE = len(FINANCE)
SLOT_SIZE = len(MARKET_PARTS)
SPLAY_SIZE = len(SPLAY_PARTS)
BARRIER_SIZE = len(BARRIER_PARTS)

# within the block "pending"
_WHERE = {part: PENDING_START + k for k, part in reversed(list(enumerate(PENDING_PARTS)))}
P_ACTION = PENDING_START
P_SLOT = _WHERE["slot_first_world"]
P_ROW = _WHERE["row"]
P_TARGET = _WHERE["target_first_world"]
P_TARGET_ROW = _WHERE["target_row"]
P_TARGET_SPLAY = _WHERE["target_splay"]
P_SPACE = _WHERE["space"]
P_SOURCE = _WHERE["finance"]
P_COST = _WHERE["cost"]
P_VIA = _WHERE["via_splay"]
P_UTILITY = _WHERE["utility"]
P_TYCOON = _WHERE["tycoon"]
P_FOREIGN = _WHERE["foreign"]
P_IMPACT = _WHERE["impact"]
P_OPTION = _WHERE["option"]
P_COLOR = _WHERE["color_gold"]
P_VICTIM = _WHERE["victim_self"]
P_LOSSES = _WHERE["losses"]
P_CARD = PENDING_START + len(PENDING_PARTS) - BRIEF


@jit
def observe(states, i, tables, seat, out):
    """Write what a seat sees; see ``core.batch.observe``. (section 10)"""
    s = states[i]
    t = tables[0]
    for k in range(out.shape[0]):
        out[k] = 0.0
    observe_time(s, out, seat)
    observe_own(s, t, out, np.int64(s["color_of"][seat]))
    observe_cards(s, t, out)
    observe_piles(s, t, out)
    observe_pending(s, t, out, seat)
    for relative in range(PARTIES):
        c = color_seen(s, seat, relative)
        if c >= 0:
            observe_party(s, t, out, relative, c)
            observe_cubes(s, out, relative, c)
            observe_spaces(s, t, out, relative, c)


@jit
def color_seen(s, seat, relative):
    """The colour at a relative position: oneself, the seats after, then the exoglobals; -1 if there is none."""
    n = np.int64(s["num_players"])
    return party_color(s, (seat + relative) % n if relative < n else relative)


@jit
def position_of(s, seat, c):
    """The relative position of a colour."""
    for relative in range(PARTIES):
        if color_seen(s, seat, relative) == c:
            return relative
    return 0


@jit
def observe_time(s, out, seat):
    """Phase, regime, who moves."""
    n = np.int64(s["num_players"])
    out[PHASE + s["phase"]] = 1.0
    out[REGIME + s["regime"]] = 1.0
    out[TURN + (s["turn"] - seat) % n] = 1.0
    if s["player"] >= 0:
        out[MOVER + (s["player"] - seat) % n] = 1.0
    out[CLOCK] = s["actions_left"] / 2.0
    out[CLOCK + 1] = s["placate_used"]
    out[CLOCK + 2] = s["decisions"] / max(1, s["max_decisions"])


@jit
def observe_own(s, t, out, c):
    """One's own secrets: the hidden sphere and the dealt cards."""
    if s["hidden"][c] >= 0:
        out[HIDDEN + s["hidden"][c]] = 1.0
    number = 0
    for card in range(t["cards"]):
        if s["zone"][card] == Zone.DEALT + c and number < DEALT:
            copy_features(t, out, OWN_DEALT + number * HUES, np.int64(card), PAIR)
            number += 1


@jit
def copy_features(t, out, start, card, count):
    """The first features of a card."""
    for f in range(count):
        out[start + f] = t["features"][card][f]


@jit
def observe_party(s, t, out, relative, c):
    """Finance board, patents, claimed problems and the top of the think tank."""
    at = FINANCE_START + relative * FINANCE_SIZE
    out[at] = s["exoglobal"][c] == 0
    out[at + 1] = s["exoglobal"][c]
    out[at + 2] = s["capital"][c] / 15.0
    out[at + 3] = s["wealth"][c] / 15.0
    out[at + 4] = s["debt"][c] / 15.0
    out[at + 5] = s["pool"][c] / 15.0
    disks = np.int64(t["disks"])
    for space in range(SPACES):
        if s["company"][space] == c:
            disks -= 1
    out[at + 6] = disks / 4.0
    size = 0
    card = np.int64(s["think_tank"][c])
    if card >= 0:
        tank = TANK_START + relative * TANK_SIZE
        copy_features(t, out, tank, card, PAIR)
        for f in range(SKILLS):
            out[tank + HUES + f] = t["features"][card][FIRST_SKILL + f]
    while card >= 0:
        size += 1
        card = np.int64(s["under"][card])
    out[at + 7] = size / 10.0
    out[at + 8] = s["hidden"][c] >= 0
    for hue in range(HUES):
        out[PATENTS + relative * HUES + hue] = s["patents"][c][hue] / 5.0
    for problem in range(PROBLEMS):
        out[CLAIMED + relative * PROBLEMS + problem] = s["claimed"][c][problem] / 2.0


@jit
def observe_cubes(s, out, relative, c):
    """A party's cubes on market and splay cards."""
    for slot in range(SLOTS):
        if s["card"][slot] >= 0:
            at = MARKET + slot * SLOT_SIZE + CARD + relative
            out[at] = (s["syndicated"][slot] >> c) & 1
            out[at + PARTIES] = shock(s, slot, c)
    for k in range(s["splay_length"]):
        out[SPLAY_START + k * SPLAY_SIZE + HUES + 1 + relative] = shock(s, SLOTS + k, c)


@jit
def shock(s, place, c):
    """A party's cubes on the squares of a card, as one number: white / 8 + black / 2."""
    return packed_count(s["white"][place], c) / 8.0 + ((s["black"][place] >> c) & 1) / 2.0


@jit
def observe_spaces(s, t, out, relative, c):
    """A party's companies and employees."""
    barrier = 0
    utility = 0
    for space in range(SPACES):
        number = packed_count(s["employees"][space], c)
        kind = t["space_kind"][space]
        if kind == SpaceKind.BARRIER:
            at = BARRIER_START + barrier * BARRIER_SIZE + relative
            out[at] = s["company"][space] == c
            out[at + PARTIES] = number
            barrier += 1
        elif kind == SpaceKind.UTILITY:
            out[UTILITY_START + utility * PARTIES + relative] = number
            utility += 1
        else:
            out[UNEMPLOYMENT + t["space_sphere"][space] * PARTIES + relative] = number / 4.0


@jit
def observe_cards(s, t, out):
    """The cards of market and splay."""
    for slot in range(SLOTS):
        if s["card"][slot] >= 0:
            copy_features(t, out, MARKET + slot * SLOT_SIZE, np.int64(s["card"][slot]), CARD)
    for k in range(s["splay_length"]):
        at = SPLAY_START + k * SPLAY_SIZE
        card = s["card"][SLOTS + k]
        out[at + t["left"][card]] = 0.5
        out[at + t["right"][card]] = 0.5
        out[at + s["visible"][k]] = 1.0
        if t["black"][card] > 0 and s["black"][SLOTS + k] == 0:
            out[at + HUES] = 1.0


@jit
def observe_piles(s, t, out):
    """What everybody knows of stock, decks and discards."""
    for problem in range(PROBLEMS):
        out[STOCK + problem] = s["stock"][problem] / 2.0
    for card in range(t["cards"]):
        zone = s["zone"][card]
        if zone == Zone.TOP:
            out[DECK] += 1.0 / 12.0
        elif zone == Zone.BOTTOM:
            out[DECK + 1] += 1.0 / 16.0
        elif zone == Zone.DECK_END:
            out[DECK + 2] = 1.0
        elif zone == Zone.DISCARD and t["left"][card] >= 0:
            out[DISCARD + t["left"][card]] += 1.0 / 20.0
            out[DISCARD + t["right"][card]] += 1.0 / 20.0
        elif zone == Zone.EXO_NEXT:
            copy_features(t, out, EXO_NEXT, np.int64(card), BRIEF)
        elif zone == Zone.EXO_REST:
            out[EXO_DECK] += 1.0 / 70.0
        elif zone == Zone.EXO_USED:
            out[EXO_DECK + 1] += 1.0 / 70.0
        if (zone == Zone.TOP or zone == Zone.BOTTOM) and t["kind"][card] == Kind.TIPPING_POINT:
            out[DECK + 3] += 0.25


@jit
def observe_pending(s, t, out, seat):
    """The action under way."""
    if s["pending"] == Pending.NONE:
        return
    out[P_ACTION + s["pending"] - 1] = 1.0
    if s["slot"] >= 0:
        out[P_SLOT + s["slot"] // ROWS] = 1.0
        out[P_ROW] = (s["slot"] % ROWS + 1) / 6.0
    elif s["sphere"] >= 0:
        out[P_SLOT + s["sphere"]] = 1.0
    if s["target"] >= SLOTS:
        out[P_TARGET_SPLAY] = (s["target"] - SLOTS + 1) / 38.0
    elif s["target"] >= 0:
        out[P_TARGET + s["target"] // ROWS] = 1.0
        out[P_TARGET_ROW] = (s["target"] % ROWS + 1) / 6.0
    out[P_SPACE] = (s["space"] + 1) / 27.0
    if s["source"] >= 0:
        out[P_SOURCE + s["source"]] = 1.0
    out[P_COST] = s["cost"] / 10.0
    if s["via"] >= 0:
        out[P_VIA + min(np.int64(s["via"]), np.int64(Via.ESPIONAGE))] = 1.0
    out[P_UTILITY] = s["utility"]
    out[P_TYCOON] = s["tycoon"]
    out[P_FOREIGN] = s["foreign"]
    out[P_IMPACT] = s["impact"] / 8.0
    out[P_OPTION] = s["option"] / 2.0
    if s["color"] >= 0:
        out[P_COLOR + s["color"]] = 1.0
    if s["victim"] >= 0:
        out[P_VICTIM + position_of(s, seat, s["victim"])] = 1.0
    out[P_LOSSES] = s["losses"] / 5.0
    if s["actor"] >= 0:
        out[EXO_ACTOR + position_of(s, seat, s["actor"])] = 1.0
    if s["pending_card"] >= 0:
        copy_features(t, out, P_CARD, np.int64(s["pending_card"]), BRIEF)
