"""The record of a position, and what holds in every position.

Everything a party owns is indexed by its colour, so exoglobals need no fields of their own and player order is the
order of the index. Sets of colours are bit masks; agents of several colours on one square or space are packed, four
bits a colour (at most 15 agents a colour exist).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.batch import record
from core.jit import jit
from core.layout import at
from pax_env.constants import (
    COLORS,
    HUES,
    MAX_CARDS,
    PLACES,
    PROBLEMS,
    SLOTS,
    SPACES,
    SPLAY,
    TURN_ACTIONS,
    Kind,
    Pending,
    Phase,
    Solo,
    Source,
    SpaceKind,
    Via,
    Zone,
)

if TYPE_CHECKING:
    from core.game import State
    from pax_env.game import Game

__all__ = ["STATE", "check_invariants"]

STATE = record(
    [
        # finance
        ("capital", "i2", (COLORS,)),  # finance agents by colour
        ("wealth", "i2", (COLORS,)),
        ("debt", "i2", (COLORS,)),
        ("pool", "i2", (COLORS,)),  # agents out of play
        ("patents", "i2", (COLORS, HUES)),  # agents by hue
        ("claimed", "i2", (COLORS, PROBLEMS)),  # problems in victory piles
        ("stock", "i2", (PROBLEMS,)),  # problems nobody has claimed
        ("hidden", "i2", (COLORS,)),  # hidden sphere; -1 not chosen
        ("think_tank", "i2", (COLORS,)),  # top card; -1 none
        ("under", "i2", (MAX_CARDS,)),  # the think tank card beneath a card; -1 none
        # market slots, then the splay, by place
        ("card", "i2", (PLACES,)),  # -1 none
        ("white", "u2", (PLACES,)),  # agents on white squares, packed
        ("employees", "u2", (SPACES,)),  # packed
        ("splay_length", "i2"),
        ("turn", "i2"),  # seat whose turn it is
        ("actions_left", "i2"),
        ("regime", "i2"),
        # the action under way; every field neutral (-1, or 0 for counts and flags) when it does not apply
        ("pending", "i2"),  # Pending
        ("slot", "i2"),  # market slot: the card syndicated, imported or commercialized
        ("sphere", "i2"),  # of a research
        ("space", "i2"),  # hired into
        ("source", "i2"),  # Source of the hired agent
        ("cost", "i2"),  # still to pay
        ("via", "i2"),  # Via
        ("impact", "i2"),  # number of the current impact (exoglobal: icon)
        ("option", "i2"),  # 1 or 2 once an "or" is decided
        ("color", "i2"),  # disruptive hue
        ("target", "i2"),  # place relieved
        ("victim", "i2"),  # colour that chooses its loss
        ("losses", "i2"),  # still to lose
        ("pending_card", "i2"),  # the card removed by research, or drawn for an exoglobal
        ("actor", "i2"),  # the exoglobal that acts
        ("utility", "i1"),  # 1: work came from a utility
        ("tycoon", "i1"),  # 1: the fifth company was marked
        ("foreign", "i1"),  # 1: an opponent's cube was on the researched card
        ("placate_used", "i1"),  # 1: the turn's free placate is spent
        ("end", "i1"),  # End
        ("winner", "i1"),  # colour that won as tycoon; -1 none
        # who plays
        ("beginner", "i1"),  # 1: beginner's variant
        ("solo", "i1"),  # Solo
        ("color_of", "i1", (COLORS,)),  # colours in party order: the seats, exoglobals, those not in the game
        ("seat_of", "i1", (COLORS,)),  # seat of a colour; -1 no player
        ("parties", "i1"),  # players and exoglobals
        ("exoglobal", "i1", (COLORS,)),  # 1: the colour is played by the game
        ("black", "i1", (PLACES,)),  # owner of the cube on the black square, a mask
        ("syndicated", "i1", (SLOTS,)),  # owners of syndications, a mask
        ("visible", "i1", (SPLAY,)),  # hue shown; -1 none
        ("company", "i1", (SPACES,)),  # colour; -1 none
        ("zone", "i1", (MAX_CARDS,)),  # Zone of each card
    ]
)
"""One position. See ``core.batch.HEADER`` for the fields before these."""

PENDING_NEUTRAL = {
    "pending": Pending.NONE,
    "slot": -1,
    "sphere": -1,
    "space": -1,
    "source": Source.NONE,
    "cost": 0,
    "via": Via.NONE,
    "impact": 0,
    "option": 0,
    "color": -1,
    "target": -1,
    "victim": -1,
    "losses": 0,
    "pending_card": -1,
    "actor": -1,
    "utility": 0,
    "tycoon": 0,
    "foreign": 0,
}
"""What the fields of the action under way hold while there is none."""


@jit
def empty_table(s):
    """An empty table: no card, company, hidden sphere or pending action anywhere."""
    for c in range(COLORS):
        s["hidden"][c] = -1
        s["think_tank"][c] = -1
    for card in range(MAX_CARDS):
        s["under"][card] = -1
    for place in range(PLACES):
        s["card"][place] = -1
    for k in range(SPLAY):
        s["visible"][k] = -1
    for space in range(SPACES):
        s["company"][space] = -1
    s["winner"] = -1
    clear_pending(s)


@jit
def clear_pending(s):
    """No action is under way any more."""
    s["pending"] = Pending.NONE
    s["slot"] = -1
    s["sphere"] = -1
    s["space"] = -1
    s["source"] = Source.NONE
    s["cost"] = 0
    s["via"] = Via.NONE
    s["impact"] = 0
    s["option"] = 0
    s["color"] = -1
    s["target"] = -1
    s["victim"] = -1
    s["losses"] = 0
    s["pending_card"] = -1
    s["actor"] = -1
    s["utility"] = 0
    s["tycoon"] = 0
    s["foreign"] = 0


# Agents, packed and by colour


@jit
def packed_count(packed, c):
    """How many agents of colour c are in a packed count."""
    return (np.int64(packed) >> (4 * c)) & 15


@jit
def packed_total(packed):
    """How many agents, whatever their colour, are in a packed count."""
    p = np.int64(packed)
    return (p & 15) + ((p >> 4) & 15) + ((p >> 8) & 15) + ((p >> 12) & 15)


@jit
def spread(mask):
    """A mask of colours as a packed count: one agent for each."""
    return (mask & 1) | ((mask & 2) << 3) | ((mask & 4) << 6) | ((mask & 8) << 9)


@jit
def packed_others(packed, c):
    """What is left of a packed count without the agents of colour c; 0 if there are no others."""
    return np.int64(packed) & ~(15 << (4 * c))


# Slots and spaces as masks


@jit
def size_of(mask):
    """How many members a mask of at most 32 bits has."""
    pairs = mask - ((mask >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F
    return ((eights * 0x01010101) >> 24) & 255


@jit
def first_of(mask):
    """The lowest member of a mask that is not empty."""
    return size_of((mask & -mask) - 1)


@jit
def list_mask(actions, count, first, mask, size):
    """List ``first + k`` for each member k of a mask below ``size``; returns the new count.

    Every k is written, and overwritten if it is no member: which are members is as good as random, and a branch that
    the processor guesses wrong costs more than several writes.
    """
    for k in range(size):
        actions[at(0, count)] = first + k
        count += (mask >> k) & 1
    return count


@jit
def in_game(s, c):
    """Whether colour c is a party: a player or an exoglobal."""
    return s["seat_of"][c] >= 0 or s["exoglobal"][c] == 1


@jit
def turn_color(s):
    """The colour of the player whose turn it is."""
    return np.int64(s["color_of"][s["turn"]])


@jit
def acting_color(s):
    """The colour for which the action under way is carried out: an exoglobal in its turn, else the turn player's."""
    return np.int64(s["actor"]) if s["pending"] == Pending.EXO else turn_color(s)


@jit
def ask_turn_player(s, phase):
    """The turn player (solo: the human, in an exoglobal's turn too) decides next."""
    s["phase"] = phase
    s["player"] = s["turn"]


@jit
def action_over(s):
    """The action under way is complete: the turn player goes on with the turn."""
    clear_pending(s)
    ask_turn_player(s, Phase.TURN)


@jit
def ask_color(s, phase, c):
    """A party decides next; for an exoglobal the human does. (P-27, K6)"""
    s["phase"] = phase
    s["player"] = max(np.int64(0), np.int64(s["seat_of"][c]))


# Companies and employees


@jit
def companies_of(s, c):
    """How many companies a colour has. (E, G3)"""
    count = 0
    for space in range(SPACES):
        if s["company"][space] == c:
            count += 1
    return count


@jit
def has_employee(s, c):
    """Whether a colour has an agent on any infrastructure space."""
    for space in range(SPACES):
        if packed_count(s["employees"][space], c) > 0:
            return True
    return False


# Squares


@jit
def open_white(s, t, place):
    """How many white squares of the card at a place hold no cube."""
    return np.int64(t["white"][s["card"][place]]) - packed_total(s["white"][place])


@jit
def open_black(s, t, place):
    """Whether the card at a place has a black square without a cube."""
    return t["black"][s["card"][place]] > 0 and s["black"][place] == 0


@jit
def others_on(s, place, c):
    """Whether a colour other than c has a cube on a heat square of a place."""
    return packed_others(s["white"][place], c) != 0 or (np.int64(s["black"][place]) & ~(1 << c)) != 0


@jit
def has_heat(s, place):
    """Whether a cube is on a heat square of the card at a place."""
    return s["white"][place] != 0 or s["black"][place] != 0


def agents_by_color(packed: int) -> list[int]:
    """How many agents of each colour a packed count holds."""
    return [int(packed) >> (4 * c) & 15 for c in range(COLORS)]


def members(mask: int) -> list[int]:
    """A mask of colours as 0 or 1 for each colour."""
    return [int(mask) >> c & 1 for c in range(COLORS)]


def check_invariants(game: Game, state: State) -> None:
    """Raise AssertionError, naming the rule, if a position breaks a rule that set-up and play always keep."""
    s, t = state.states[0], game.tables[0]
    _check_agents(s, t)
    _check_problems(s, t)
    _check_cards(s, t)
    _check_spaces(s, t)
    _check_progress(s)
    if s["done"]:
        assert s["phase"] == Phase.OVER and s["player"] == -4 and s["end"] > 0, "end: phase, player and result agree"
    else:
        assert s["phase"] < Phase.OVER and s["end"] == 0, "end: a running game has no result"
        assert state.legal_actions(), "turn: a running game has a legal action"


def _check_agents(s: np.void, t: np.void) -> None:
    packed = [agents_by_color(p) for key in ("white", "employees") for p in s[key].tolist()]
    masks = [members(m) for key in ("black", "syndicated") for m in s[key].tolist()]
    employees = [agents_by_color(p) for p in s["employees"].tolist()]
    for c in range(COLORS):
        held = [int(s[key][c]) for key in ("capital", "wealth", "debt", "pool")] + s["patents"][c].tolist()
        assert min(held) >= 0, f"agents: colour {c} has a negative number somewhere"
        total = sum(held) + sum(counts[c] for counts in [*packed, *masks])
        expected = int(t["agents"]) if s["seat_of"][c] >= 0 or s["exoglobal"][c] else 0
        assert total == expected, f"agents: colour {c} has {total}, not {expected}"
        assert s["company"].tolist().count(c) <= t["disks"], f"disks: colour {c} has more companies than disks"
        if s["exoglobal"][c]:
            assert sum(held) == s["pool"][c], f"solo: exoglobal {c} has finance or patents"
            assert not any(counts[c] for counts in employees), f"solo: exoglobal {c} has an employee"


def _check_problems(s: np.void, t: np.void) -> None:
    claimed = s["claimed"].sum(axis=0)
    for problem, (stock, copies) in enumerate(zip(s["stock"].tolist(), t["copies"].tolist(), strict=True)):
        assert stock >= 0 and s["claimed"][:, problem].min() >= 0, f"problems: a negative number of {problem}"
        assert stock + claimed[problem] == copies, f"problems: {problem} has {stock + claimed[problem]} chits"


def _check_cards(s: np.void, t: np.void) -> None:
    where: dict[int, Zone] = {}
    for place, card in enumerate(s["card"].tolist()):
        if card < 0:
            assert s["white"][place] == 0 and s["black"][place] == 0, f"market: cubes at the empty place {place}"
            assert place >= SLOTS or s["syndicated"][place] == 0, f"market: a syndication at the gap {place}"
            continue
        assert card not in where, f"cards: card {card} is in two places"
        where[card] = Zone.MARKET if place < SLOTS else Zone.SPLAY
        assert sum(agents_by_color(s["white"][place])) <= t["white"][card], f"heat: too many cubes on card {card}"
        assert sum(members(s["black"][place])) <= t["black"][card], f"heat: a cube too many on card {card}"
        if t["kind"][card] == Kind.PLURALITY:
            assert place < SLOTS and s["syndicated"][place] == 0, "plurality: no syndication, never in the splay"
    for c in range(COLORS):
        card = int(s["think_tank"][c])
        while card >= 0:
            assert card not in where, f"cards: card {card} is in two places"
            where[card] = Zone.THINK_TANK
            card = int(s["under"][card])
    _check_splay(s, t)
    _check_zones(s, t, where)


def _check_splay(s: np.void, t: np.void) -> None:
    for k in range(SPLAY):
        card = int(s["card"][SLOTS + k])
        assert (card >= 0) == (k < s["splay_length"]), "splay: no holes"
        hues = (t["left"][card], t["right"][card]) if card >= 0 else (-1,)
        assert s["visible"][k] in hues, f"splay: card {card} shows a hue it does not have"


def _check_zones(s: np.void, t: np.void, where: dict[int, Zone]) -> None:
    for card in range(MAX_CARDS):
        zone = int(s["zone"][card])
        placed = zone in (Zone.MARKET, Zone.SPLAY, Zone.THINK_TANK)
        assert (where[card] == zone) if card in where else not placed, f"cards: card {card} is not where it should be"
        assert card < t["cards"] or zone == Zone.UNUSED, f"cards: there is no card {card}"
        assert s["under"][card] == -1 or zone == Zone.THINK_TANK, f"cards: card {card} is under nothing"
    if s["pending"] == Pending.RESEARCH and s["pending_card"] >= 0:
        assert s["zone"][s["pending_card"]] == Zone.RESEARCHED, "research: the removed card is in its own zone"
    else:
        assert Zone.RESEARCHED not in s["zone"].tolist(), "research: a removed card without a research"


def _check_spaces(s: np.void, t: np.void) -> None:
    for space in range(SPACES):
        kind, counts = t["space_kind"][space], agents_by_color(s["employees"][space])
        if kind == SpaceKind.BARRIER:
            assert sum(counts) <= 1, f"employees: two on barrier {space}"
        else:
            assert s["company"][space] == -1, f"companies: space {space} is no barrier"
        if kind == SpaceKind.UTILITY:
            assert max(counts) <= 1, f"employees: two of a colour in utility {space}"


def _check_progress(s: np.void) -> None:
    assert 0 <= s["actions_left"] <= TURN_ACTIONS, "turn: two actions at most"
    if s["phase"] in (Phase.HIDDEN, Phase.TURN, Phase.OVER):
        for key, neutral in PENDING_NEUTRAL.items():
            assert s[key] == neutral, f"pending: {key} is set while no action is under way"
    else:
        assert s["pending"] != Pending.NONE, "pending: no action is under way"
    assert (s["cost"] > 0) == (s["phase"] == Phase.PAYMENT), "pending: a cost is due in the payment phase only"
    assert (s["victim"] >= 0) == (s["phase"] in (Phase.RECESSION, Phase.EXCHANGE)), "pending: victim"
    assert (s["target"] >= 0) == (s["phase"] == Phase.RELIEF_SQUARE), "pending: target"
    assert s["solo"] != Solo.NONE or s["actor"] == -1, "pending: an exoglobal outside solo"
