"""What a seat sees, as a vector of fixed length: itself, then the other seats, then exoglobals, padded to four.

Where much would be zero for every party that is absent, there are two features and not four: one's own, and that of
all others together. A small part of the latter tells them apart: the third party counts ``1 + 1/64`` times, the fourth
``1 + 1/4096`` times.
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import Block, ObservationLayout, at
from pax_env.abilities import abilities
from pax_env.commercialize import splay_pairs
from pax_env.components import CARD_FEATURES
from pax_env.constants import (
    BARRIERS,
    COLORS,
    HUE_NAMES,
    HUES,
    MAX_CARDS,
    PENDING_NAMES,
    PHASE_NAMES,
    PROBLEMS,
    REGIME_NAMES,
    ROWS,
    SKILL_PARAMETERS,
    SLOTS,
    SPACES,
    SPHERE_NAMES,
    SPHERES,
    SPLAY,
    TIPPING_POINTS,
    Pending,
    Skill,
    Via,
    Zone,
)
from pax_env.impacts import acting_card
from pax_env.money import hues_shown, patent_value, purchasing_power
from pax_env.state import open_black, packed_count, packed_total, spread

__all__ = ["OBSERVATION", "observe"]

PARTIES = COLORS
CARD = np.int64(len(CARD_FEATURES))
WHITE = np.int64(CARD_FEATURES.index("white"))
BLACK = np.int64(CARD_FEATURES.index("black"))
PARTY_NAMES = ("self", "next", "third", "fourth")
SIDES = ("own", "others")
FINANCE = ("party", "capital", "wealth", "debt", "pool", "think_tank", "hidden")
SKILLS = tuple(skill.name.lower() for skill in Skill)
PAIRS = tuple(f"{x}_{y}" for k, x in enumerate(HUE_NAMES) for y in HUE_NAMES[k:])
EDGE = tuple(f"{card}_{hue}" for card in ("last", "before") for hue in HUE_NAMES)
PENDING = (
    *PENDING_NAMES[1:],
    *(f"sphere_{sphere}" for sphere in SPHERE_NAMES),
    *("row", "target", "space", "source", "via", "cost", "impact", "option", "losses", "utility", "tycoon", "foreign"),
    *(f"color_{hue}" for hue in HUE_NAMES),
    *(f"victim_{party}" for party in PARTY_NAMES),
    *(f"actor_{party}" for party in PARTY_NAMES),
)


def _each(first: tuple[object, ...], *rest: tuple[object, ...]) -> list[str]:
    """Every combination, joined by dots."""
    if not rest:
        return [str(part) for part in first]
    return [f"{part}.{tail}" for part in first for tail in _each(*rest)]


OBSERVATION = ObservationLayout(
    [
        Block.of("phase", PHASE_NAMES, "the decision that is due, one-hot", "."),
        Block.of("regime", REGIME_NAMES, "one-hot", "."),
        Block.of("turn", PARTY_NAMES, "whose turn it is, one-hot", "."),
        Block.of("mover", PARTY_NAMES, "who decides, one-hot; zeros when the game is over", "."),
        Block.of("clock", ("actions_left", "placate_used", "decisions"), "/ 2, flag, / max_decisions", "."),
        Block.of("hidden", SPHERE_NAMES, "one's own hidden sphere, one-hot", "."),
        Block.of("ability", SKILLS, "one's own, flags; with a sphere or hue: their mask / 15", "."),
        Block.of(
            "value", (*HUE_NAMES, "power"), "what one's patents sell for / 5, and the most one could pay / 20", "."
        ),
        Block.of(
            "finance",
            _each(PARTY_NAMES, FINANCE),
            "player 1, exoglobal 1/2; agents / 15; think tank cards / 10; flag: a hidden sphere is chosen",
            ".",
        ),
        Block.of("patents", _each(PARTY_NAMES, HUE_NAMES), "by party / 5", "."),
        Block.of("claimed", _each(PARTY_NAMES, tuple(range(PROBLEMS))), "problems by party / 2", "."),
        Block.of("companies", _each(PARTY_NAMES, SPHERE_NAMES), "by party and sphere / 2", "."),
        Block.of("top", _each(PARTY_NAMES, HUE_NAMES), "hues of the top think tank card, as of a card", "."),
        Block.of("barrier", _each(SIDES, tuple(range(BARRIERS))), "companies, own and others'", "."),
        Block.of("employees", _each(SIDES, tuple(range(SPACES))), "agents / 2, own and others'", "."),
        Block.of(
            "market",
            _each(SPHERE_NAMES, tuple(range(ROWS)), CARD_FEATURES),
            "by slot: the card (see below), its white and black squares as far as they are open",
            ".",
        ),
        Block.of(
            "cubes",
            _each(SIDES, SPHERE_NAMES, tuple(range(ROWS))),
            "on market cards: syndication + heat / 4; heat: white / 8 + black",
            ".",
        ),
        Block.of("shock", _each(SIDES, tuple(range(SPLAY))), "cubes on splay cards, as heat", "."),
        Block.of("shocks", PARTY_NAMES, "all cubes on splay cards by party / 5", "."),
        Block.of("edge", EDGE, "visible hues of the last two splay cards, one-hot", "."),
        Block.of("run", HUE_NAMES, "most neighbouring splay cards that show the hue / 5", "."),
        Block.of("pair", PAIRS, "hues that neighbouring splay cards show and that make a card viable, flags", "."),
        Block.of("open_black", None, "open black squares in the splay / 5"),
        Block.of(
            "card",
            range(MAX_CARDS),
            "where each card is: market 1 + slot / 32; splay 2 + index / 64, negative if it shows its right hue; think"
            " tank -1 - party / 4 - height / 256; own dealt, or in a pile: zone / 16; 0: unknown",
            ".",
        ),
        Block.of("deck", ("top", "bottom", "tipping_points", "exo_rest"), "cards / 12, / 16, / 4, / 70", "."),
        Block.of("exo_next", CARD_FEATURES, "the face-up exoglobal card", "."),
        Block.of("pending", PENDING, "the action under way; numbers scaled to 1", "."),
        Block.of(
            "acting", CARD_FEATURES, "the card commercialized, removed by research, or drawn for an exoglobal", "."
        ),
    ]
)
"""The features; those of a card are ``components.CARD_FEATURES``."""

SIZE = np.int64(len(OBSERVATION))
_start = OBSERVATION.start
PHASE, REGIME, TURN, MOVER, CLOCK = (_start(name) for name in ("phase", "regime", "turn", "mover", "clock"))
HIDDEN, ABILITY, VALUE = _start("hidden"), _start("ability"), _start("value")
FINANCES, PATENTS, CLAIMED = _start("finance"), _start("patents"), _start("claimed")
COMPANIES, TOP, BARRIER, EMPLOYEES = _start("companies"), _start("top"), _start("barrier"), _start("employees")
MARKET, CUBES = _start("market"), _start("cubes")
SHOCK, SHOCKS, EDGES, RUN, PAIR = _start("shock"), _start("shocks"), _start("edge"), _start("run"), _start("pair")
OPEN_BLACK, CARDS, DECK, EXO_NEXT = _start("open_black"), _start("card"), _start("deck"), _start("exo_next")
ACTION, ACTING = _start("pending"), _start("acting")
P_SPHERE = OBSERVATION.id("pending.sphere_first_world")
P_NUMBERS = OBSERVATION.id("pending.row")
P_COLOR = OBSERVATION.id("pending.color_gold")
P_VICTIM = OBSERVATION.id("pending.victim_self")
P_ACTOR = OBSERVATION.id("pending.actor_self")

THIRD = np.float32(1 + 1 / 64)
FOURTH = np.float32(1 + 1 / 4096)
PER_AGENT = np.float32(1 / 15)
PER_FIVE = np.float32(1 / 5)
HALF = np.float32(1 / 2)
QUARTER = np.float32(1 / 4)
EIGHTH = np.float32(1 / 8)
PER_WHITE = np.float32(1 / 3)
PER_ZONE = np.float32(1 / 16)
ONE = np.float32(1)
TWO = np.float32(2)

FIRST_PARAMETER = tuple(int(skill) for skill in Skill)
PARAMETERS = tuple(15 if skill.name.lower() in SKILL_PARAMETERS else 1 for skill in Skill)


@jit
def observe(states, i, tables, seat, out):
    """Write what a seat sees; see ``core.batch.observe``. (section 10)"""
    s = states[i]
    t = tables[0]
    for k in range(SIZE):
        out[at(0, k)] = 0.0
    order = party_order(s, seat)
    see_progress(s, out, seat)
    see_own(s, t, out, packed_count(order, 0))
    for party in range(s["parties"]):
        see_party(s, t, out, party, packed_count(order, party))
    see_spaces(s, t, out, order)
    see_cards(s, t, out, packed_count(order, 0))
    see_market(s, t, out, order)
    see_splay(s, t, out, order)
    see_think_tanks(s, t, out, order)
    if s["pending"] != Pending.NONE:
        see_pending(s, t, out, order)


@jit
def real(number):
    """A small whole number as a feature; a conversion that a loop can do for many at once."""
    return np.float32(np.int32(number))


@jit
def party_order(s, seat):
    """The colours in the order of the features, four bits each: seats from one's own on, exoglobals, colours unused."""
    n = np.int64(s["num_players"])
    order = np.int64(0)
    for party in range(PARTIES):
        whose = (seat + party) % n if party < n else party
        order |= np.int64(s["color_of"][whose]) << (4 * party)
    return order


@jit
def party_of(order, c):
    """The place of a colour in the order."""
    party = 0
    while packed_count(order, party) != c:
        party += 1
    return party


@jit
def copy_card(t, out, start, card):
    """The features of a card."""
    for f in range(CARD):
        out[at(start, f)] = t["features"][at(0, card), at(0, f)]


@jit
def see_progress(s, out, seat):
    """Phase, regime, who moves."""
    n = np.int64(s["num_players"])
    out[PHASE + s["phase"]] = ONE
    out[REGIME + s["regime"]] = ONE
    out[TURN + (s["turn"] - seat + n) % n] = ONE
    if s["player"] >= 0:
        out[MOVER + (s["player"] - seat + n) % n] = ONE
    out[CLOCK] = np.float32(s["actions_left"]) * HALF
    out[CLOCK + 1] = np.float32(s["placate_used"])
    out[CLOCK + 2] = np.float32(s["decisions"]) / np.float32(max(1, s["max_decisions"]))


@jit
def see_own(s, t, out, c):
    """One's own hidden sphere, abilities, and what patents bring."""
    if s["hidden"][c] >= 0:
        out[HIDDEN + s["hidden"][c]] = ONE
    skills = abilities(s, t, c)
    for k in range(len(FIRST_PARAMETER)):
        held = (skills >> FIRST_PARAMETER[k]) & PARAMETERS[k]
        out[ABILITY + k] = np.float32(held) / np.float32(PARAMETERS[k])
    shown = hues_shown(s)
    for hue in range(HUES):
        out[VALUE + hue] = np.float32(patent_value(s, t, skills, shown, hue)) * PER_FIVE
    out[VALUE + HUES] = np.float32(purchasing_power(s, t, c, skills)) / np.float32(20)


@jit
def see_party(s, t, out, party, c):
    """Finance board, patents and claimed problems."""
    start = FINANCES + party * len(FINANCE)
    out[at(start, 0)] = real(s["seat_of"][c] >= 0) + real(s["exoglobal"][c]) * HALF
    out[at(start, 1)] = real(s["capital"][c]) * PER_AGENT
    out[at(start, 2)] = real(s["wealth"][c]) * PER_AGENT
    out[at(start, 3)] = real(s["debt"][c]) * PER_AGENT
    out[at(start, 4)] = real(s["pool"][c]) * PER_AGENT
    out[at(start, 6)] = real(s["hidden"][c] >= 0)
    for hue in range(HUES):
        out[at(PATENTS + party * HUES, hue)] = real(s["patents"][at(0, c), at(0, hue)]) * PER_FIVE
    for problem in range(PROBLEMS):
        out[at(CLAIMED + party * PROBLEMS, problem)] = real(s["claimed"][at(0, c), at(0, problem)]) * HALF


@jit
def see_spaces(s, t, out, order):
    """Companies and employees."""
    for space in range(SPACES):
        owner = s["company"][at(0, space)]
        if owner >= 0:
            party = party_of(order, owner)
            side = BARRIERS if party > 0 else 0
            out[at(BARRIER + side, t["barrier_of"][space])] = weight(party)
            out[at(COMPANIES + party * SPHERES, t["space_sphere"][space])] += HALF
    own, following, third, fourth = shifts(order)
    for space in range(SPACES):
        packed = np.int32(s["employees"][at(0, space)])
        out[at(EMPLOYEES, space)] = agents(packed, own) * HALF
        out[at(EMPLOYEES + SPACES, space)] = (
            agents(packed, following) + agents(packed, third) * THIRD + agents(packed, fourth) * FOURTH
        ) * HALF


@jit
def weight(party):
    """What one of a party counts in a feature of all others."""
    if party == 2:
        return THIRD
    return FOURTH if party == 3 else ONE


@jit
def shifts(order):
    """The bits at which the agents of each party begin in a packed count."""
    return (
        4 * packed_count(order, 0),
        4 * packed_count(order, 1),
        4 * packed_count(order, 2),
        4 * packed_count(order, 3),
    )


@jit
def agents(packed, shift):
    """A party's agents in a packed count."""
    return real((packed >> shift) & 15)


@jit
def see_cards(s, t, out, own):
    """Where each card is, as far as the colour ``own`` knows; market, splay and think tanks tell more later."""
    top, bottom, rest = 0, 0, 0
    mine = Zone.DEALT + own
    for card in range(MAX_CARDS):
        zone = np.int32(s["zone"][at(0, card)])
        known = zone if zone >= Zone.DECK_END else 0
        out[at(CARDS, card)] = real(Zone.DEALT if zone == mine else known) * PER_ZONE
        top += zone == Zone.TOP
        bottom += zone == Zone.BOTTOM
        rest += zone == Zone.EXO_REST
    out[at(DECK, 0)] = real(top) / np.float32(12)
    out[at(DECK, 1)] = real(bottom) / np.float32(16)
    out[at(DECK, 3)] = real(rest) / np.float32(70)
    for k in range(TIPPING_POINTS):
        card = t["tipping_point"][k]
        zone = s["zone"][card]
        if zone == Zone.TOP or zone == Zone.BOTTOM:
            out[at(CARDS, card)] = real(zone) * PER_ZONE
            out[at(DECK, 2)] += QUARTER
    if s["solo"] != 0:
        for card in range(t["cards"]):
            if s["zone"][card] == Zone.EXO_NEXT:
                copy_card(t, out, EXO_NEXT, card)


@jit
def see_market(s, t, out, order):
    """The market cards and the cubes on them."""
    for slot in range(SLOTS):
        card = s["card"][at(0, slot)]
        if card >= 0:
            start = MARKET + slot * CARD
            copy_card(t, out, start, card)
            out[at(start, WHITE)] -= real(packed_total(s["white"][at(0, slot)])) * PER_WHITE
            out[at(start, BLACK)] -= real(s["black"][at(0, slot)] != 0)
            out[at(CARDS, card)] = ONE + real(slot) / np.float32(32)
    own, following, third, fourth = shifts(order)
    for slot in range(SLOTS):
        white = np.int32(s["white"][at(0, slot)])
        masks = spread(np.int32(s["black"][at(0, slot)])), spread(np.int32(s["syndicated"][at(0, slot)]))
        out[at(CUBES, slot)] = cubes(white, masks, own)
        out[at(CUBES + SLOTS, slot)] = (
            cubes(white, masks, following) + cubes(white, masks, third) * THIRD + cubes(white, masks, fourth) * FOURTH
        )


@jit
def heat(white, black, shift):
    """A party's cubes on the squares of a card, as one number; ``black`` is packed like ``white``."""
    return agents(white, shift) * EIGHTH + agents(black, shift)


@jit
def cubes(white, masks, shift):
    """A party's cubes on a market card, as one number."""
    black, syndicated = masks
    return agents(syndicated, shift) + heat(white, black, shift) * QUARTER


@jit
def see_splay(s, t, out, order):
    """What the splay shows, and the cubes on it."""
    length = np.int64(s["splay_length"])
    own, following, third, fourth = shifts(order)
    total = 0
    last, run = -1, 0
    for k in range(length):
        place = SLOTS + k
        card = np.int64(s["card"][at(0, place)])
        white, black = np.int64(s["white"][at(0, place)]), spread(np.int64(s["black"][at(0, place)]))
        total += white + black  # nobody has more than 15 agents, so the parts stay apart
        out[at(SHOCK, k)] = heat(white, black, own)
        out[at(SHOCK + SPLAY, k)] = (
            heat(white, black, following) + heat(white, black, third) * THIRD + heat(white, black, fourth) * FOURTH
        )
        hue = np.int64(s["visible"][at(0, k)])
        run = run + 1 if hue == last else 1
        last = hue
        out[at(RUN, hue)] = max(out[at(RUN, hue)], np.float32(run) * PER_FIVE)
        if open_black(s, t, place):
            out[OPEN_BLACK] += PER_FIVE
        shown = TWO + np.float32(k) / np.float32(64)
        out[at(CARDS, card)] = shown if hue == t["left"][at(0, card)] else -shown
    for party in range(s["parties"]):
        out[at(SHOCKS, party)] = agents(total, 4 * packed_count(order, party)) * PER_FIVE
    for k in range(min(length, 2)):
        out[at(EDGES + k * HUES, s["visible"][at(length - 1, -k)])] = ONE
    pairs = splay_pairs(s, packed_count(order, 0))
    k = 0
    for x in range(HUES):
        for y in range(x, HUES):
            out[at(PAIR, k)] = np.float32((pairs >> (x * HUES + y)) & 1)
            k += 1


@jit
def see_think_tanks(s, t, out, order):
    """The cards of each think tank: hues of the top one, and the height of each."""
    for party in range(s["parties"]):
        top = np.int64(s["think_tank"][packed_count(order, party)])
        if top < 0:
            continue
        for hue in range(HUES):
            out[TOP + party * HUES + hue] = t["features"][top, hue]
        size = 0
        card = top
        while card >= 0:
            size += 1
            card = np.int64(s["under"][card])
        out[FINANCES + party * len(FINANCE) + 5] = np.float32(size) / np.float32(10)
        card = top
        while card >= 0:
            out[CARDS + card] = -ONE - np.float32(party) * QUARTER - np.float32(size) / np.float32(256)
            size -= 1
            card = np.int64(s["under"][card])


@jit
def see_pending(s, t, out, order):
    """The action under way."""
    out[ACTION + s["pending"] - 1] = ONE
    if s["slot"] >= 0:
        out[P_SPHERE + s["slot"] // ROWS] = ONE
        out[P_NUMBERS] = np.float32(s["slot"] % ROWS + 1) / np.float32(ROWS)
    elif s["sphere"] >= 0:
        out[P_SPHERE + s["sphere"]] = ONE
    out[P_NUMBERS + 1] = np.float32(s["target"] + 1) / np.float32(62)
    out[P_NUMBERS + 2] = np.float32(s["space"] + 1) / np.float32(SPACES)
    out[P_NUMBERS + 3] = np.float32(s["source"] + 1) * HALF
    via = np.int64(s["via"])
    if via >= Via.ESPIONAGE:
        via = Via.ESPIONAGE + party_of(order, via - Via.ESPIONAGE)
    out[P_NUMBERS + 4] = np.float32(via + 1) * EIGHTH
    out[P_NUMBERS + 5] = np.float32(s["cost"]) / np.float32(10)
    out[P_NUMBERS + 6] = np.float32(s["impact"]) * EIGHTH
    out[P_NUMBERS + 7] = np.float32(s["option"]) * HALF
    out[P_NUMBERS + 8] = np.float32(s["losses"]) * PER_FIVE
    out[P_NUMBERS + 9] = np.float32(s["utility"])
    out[P_NUMBERS + 10] = np.float32(s["tycoon"])
    out[P_NUMBERS + 11] = np.float32(s["foreign"])
    if s["color"] >= 0:
        out[P_COLOR + s["color"]] = ONE
    if s["victim"] >= 0:
        out[P_VICTIM + party_of(order, s["victim"])] = ONE
    if s["actor"] >= 0:
        out[P_ACTOR + party_of(order, s["actor"])] = ONE
    if s["pending"] == Pending.COMMERCIALIZE or s["pending_card"] >= 0:
        copy_card(t, out, ACTING, acting_card(s))
