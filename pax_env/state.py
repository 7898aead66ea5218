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
from pax_env.constants import (
    COLORS,
    HUES,
    MAX_CARDS,
    PLACES,
    PROBLEMS,
    SLOTS,
    SPACES,
    SPLAY,
    Kind,
    Pending,
    Phase,
    Side,
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
        ("color_of", "i1", (COLORS,)),  # colour of a seat; -1 no such seat
        ("seat_of", "i1", (COLORS,)),  # seat of a colour; -1 no player
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


def clear_table(s: np.void) -> None:
    """Put an empty table into a blank record (for positions read from a dict; ``deal`` does the same in a kernel)."""
    empty_table(s)


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
def packed_others(packed, c):
    """What is left of a packed count without the agents of colour c; 0 if there are no others."""
    return np.int64(packed) & ~(15 << (4 * c))


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


def check_invariants(game: Game, state: State) -> None:
    """Raise AssertionError, naming the rule, if a position breaks a rule that set-up and play always keep."""
    s, t = state.states[0], game.tables[0]
    colors = [c for c in range(COLORS) if in_game(s, c)]
    for c in range(COLORS):
        on_board = sum(int(packed_count(s[key][k], c)) for key, n in (("white", PLACES), ("employees", SPACES)) for k in range(n))
        on_board += sum(int(s[key][k]) >> c & 1 for key, n in (("black", PLACES), ("syndicated", SLOTS)) for k in range(n))
        held = [int(s[key][c]) for key in ("capital", "wealth", "debt", "pool")] + s["patents"][c].tolist()
        assert min(held) >= 0, f"agents: colour {c} has a negative number somewhere"
        expected = int(t["agents"]) if c in colors else 0
        assert sum(held) + on_board == expected, f"agents: colour {c} has {sum(held) + on_board}, not {expected}"
        assert companies_of(s, c) <= t["disks"], f"disks: colour {c} has more companies than disks"
        if s["exoglobal"][c]:
            assert sum(held) == s["pool"][c], f"solo: exoglobal {c} has finance or patents"
            assert not has_employee(s, c), f"solo: exoglobal {c} has an employee"
    for q in range(PROBLEMS):
        claimed = int(s["claimed"][:, q].sum())
        assert s["stock"][q] >= 0 and s["claimed"][:, q].min() >= 0, f"problems: a negative number of problem {q}"
        assert s["stock"][q] + claimed == t["copies"][q], f"problems: {q} has {s['stock'][q] + claimed} chits"
    _check_cards(s, t)
    _check_spaces(s, t)
    assert 0 <= s["actions_left"] <= 2, "turn: two actions at most"
    _check_pending(s)
    if s["done"]:
        assert s["phase"] == Phase.OVER and s["player"] == -4 and s["end"] > 0, "end: phase, player and result agree"
    else:
        assert s["phase"] < Phase.OVER and s["end"] == 0, "end: a running game has no result"
        assert state.legal_actions(), "turn: a running game has a legal action"


def _check_cards(s: np.void, t: np.void) -> None:
    n = int(t["cards"])
    where: dict[int, Zone] = {}
    for place in range(PLACES):
        card = int(s["card"][place])
        if card < 0:
            assert s["white"][place] == 0 and s["black"][place] == 0, f"market: cubes at the empty place {place}"
            assert place >= SLOTS or s["syndicated"][place] == 0, f"market: a syndication at the gap {place}"
            continue
        assert card not in where, f"cards: card {card} is in two places"
        where[card] = Zone.MARKET if place < SLOTS else Zone.SPLAY
        assert packed_total(s["white"][place]) <= t["white"][card], f"heat: too many cubes on card {card}"
        assert s["black"][place] in (0, 1, 2, 4, 8) and (t["black"][card] or not s["black"][place]), f"heat: card {card}"
        if t["kind"][card] == Kind.PLURALITY:
            assert place < SLOTS and s["syndicated"][place] == 0, "plurality: no syndication, never in the splay"
    length = int(s["splay_length"])
    for k in range(SPLAY):
        card = int(s["card"][SLOTS + k])
        assert (card >= 0) == (k < length), "splay: no holes"
        hues = (int(t["left"][card]), int(t["right"][card])) if card >= 0 else (-1,)
        assert s["visible"][k] in hues, f"splay: card {card} shows a hue it does not have"
    for c in range(COLORS):
        card = int(s["think_tank"][c])
        while card >= 0:
            assert card not in where, f"cards: card {card} is in two places"
            where[card] = Zone.THINK_TANK
            card = int(s["under"][card])
    for card in range(MAX_CARDS):
        zone = Zone(min(int(s["zone"][card]), Zone.DEALT))
        placed = zone in (Zone.MARKET, Zone.SPLAY, Zone.THINK_TANK)
        assert (where[card] == zone) if card in where else not placed, f"cards: card {card} is not where it should be"
        assert card < n or zone == Zone.UNUSED, f"cards: there is no card {card}"
        assert s["under"][card] == -1 or zone == Zone.THINK_TANK, f"cards: card {card} is under nothing"
    if s["pending"] == Pending.RESEARCH and s["pending_card"] >= 0:
        assert s["zone"][s["pending_card"]] == Zone.RESEARCHED, "research: the removed card is in its own zone"
    else:
        assert Zone.RESEARCHED not in s["zone"].tolist(), "research: a removed card without a research"


def _check_spaces(s: np.void, t: np.void) -> None:
    for space in range(SPACES):
        kind = t["space_kind"][space]
        counts = [int(packed_count(s["employees"][space], c)) for c in range(COLORS)]
        if kind == SpaceKind.BARRIER:
            assert sum(counts) <= 1, f"employees: two on barrier {space}"
        else:
            assert s["company"][space] == -1, f"companies: space {space} is no barrier"
        if kind == SpaceKind.UTILITY:
            assert max(counts) <= 1, f"employees: two of a colour in utility {space}"


def _check_pending(s: np.void) -> None:
    if s["phase"] in (Phase.HIDDEN, Phase.TURN, Phase.OVER):
        for key, neutral in PENDING_NEUTRAL.items():
            assert s[key] == neutral, f"pending: {key} is set while no action is under way"
    else:
        assert s["pending"] != Pending.NONE, "pending: no action is under way"
    assert (s["cost"] > 0) == (s["phase"] == Phase.PAYMENT), "pending: a cost is due in the payment phase only"
    assert (s["victim"] >= 0) == (s["phase"] in (Phase.RECESSION, Phase.EXCHANGE)), "pending: victim"
    assert s["solo"] != Solo.NONE or s["actor"] == -1, "pending: an exoglobal outside solo"
