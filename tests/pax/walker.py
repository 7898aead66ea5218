"""The invariants of Pax Transhumanity in compiled code, to be looked at after every decision of random play.

``python -m tests.pax.walker <decisions>`` walks so far in all, and prints what came of it.

Uniformly random players rarely commercialize, so half of the walks begin in rich positions, in which impacts are near.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import jit
from pax_env import Game
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
    End,
    Kind,
    Pending,
    Phase,
    Solo,
    SpaceKind,
    Zone,
)
from pax_env.ends import is_singularity, regime_of_splay
from pax_env.state import in_game, packed_count, packed_total
from tests.pax.helpers import game, rich_position
from tests.walker import ALL_WELL, NO_ACTION, Walker

VARIANTS: list[dict[str, Any]] = [
    {"n": 1, "solo": "easy"},
    {"n": 1, "solo": "hard"},
    {"n": 2},
    {"n": 3},
    {"n": 4},
    {"n": 2, "variant": "beginner"},
    {"n": 1, "variant": "beginner"},
    {"n": 3, "skip_forced": False},
]
RULES = (
    ALL_WELL,
    NO_ACTION,
    "no count is negative",
    "every party has fifteen agents, nobody else any",
    "an exoglobal has no money, patents or employees",
    "companies lie on barriers, at most four of a colour",
    "a barrier holds one employee, a utility one of each colour",
    "every problem exists as often as the data file says",
    "every card is in one place, and its zone says which",
    "cubes lie on the squares of cards",
    "the splay has no holes, and shows hues of its cards",
    "cards of the solo game are in the solo game only",
    "a card removed by research is the pending one",
    "values of an action under way belong to it",
    "the turn player decides, but for what others lose",
    "between actions the regime is that of the cutting edge",
    "a singularity ends the game",
    "a game that is over has a result, another none",
    "dealt cards, hidden spheres and discards stay",
)
"""What is checked; ``broken`` gives the place of the first rule that does not hold."""


@jit
def broken(s, before, t):
    """The place in RULES of what does not hold in a record, 0 if all does; see ``tests.walker``."""
    done = s["done"] == 1
    if has_negative(s):
        return 2
    for c in range(COLORS):
        if agents_of(s, c) != (t["agents"] if in_game(s, c) else 0):
            return 3
        if s["exoglobal"][c] == 1 and agents_on_board(s, c) != 0:
            return 4
    if are_companies_misplaced(s, t):
        return 5
    if are_employees_misplaced(s, t):
        return 6
    for problem in range(PROBLEMS):
        total = np.int64(s["stock"][problem])
        for c in range(COLORS):
            total += s["claimed"][c][problem]
        if total != t["copies"][problem]:
            return 7
    if are_cards_misplaced(s, t):
        return 8
    if are_cubes_misplaced(s, t):
        return 9
    for k in range(SPLAY):
        card = s["card"][SLOTS + k]
        if (card >= 0) != (k < s["splay_length"]) or (card < 0 and s["visible"][k] != -1):
            return 10
        if card >= 0 and s["visible"][k] != t["left"][card] and s["visible"][k] != t["right"][card]:
            return 10
    for card in range(MAX_CARDS):
        zone = s["zone"][card]
        solo = zone == Zone.EXO_REST or zone == Zone.EXO_NEXT or zone == Zone.EXO_USED
        if solo and s["solo"] == Solo.NONE:
            return 11
        researched = s["pending"] == Pending.RESEARCH and s["pending_card"] == card
        if (zone == Zone.RESEARCHED) != researched:
            return 12
    if is_pending_wrong(s):
        return 13
    if (
        not done
        and s["phase"] != Phase.HIDDEN
        and s["player"]
        != (max(np.int64(0), np.int64(s["seat_of"][s["victim"]])) if s["victim"] >= 0 else np.int64(s["turn"]))
    ):
        return 14
    if s["actions_left"] < 0 or s["actions_left"] > TURN_ACTIONS or s["turn"] < 0 or s["turn"] >= s["num_players"]:
        return 14
    if s["phase"] == Phase.TURN and s["regime"] != regime_of_splay(s):
        return 15
    if s["phase"] == Phase.TURN and is_singularity(s):
        return 16
    if done != (s["phase"] == Phase.OVER) or done != (s["end"] != End.NONE) or done != (s["player"] < 0):
        return 17
    return 18 if has_forgotten(s, before) else 0


@jit
def has_negative(s):
    for c in range(COLORS):
        if s["capital"][c] < 0 or s["wealth"][c] < 0 or s["debt"][c] < 0 or s["pool"][c] < 0:
            return True
        for hue in range(HUES):
            if s["patents"][c][hue] < 0:
                return True
        for problem in range(PROBLEMS):
            if s["claimed"][c][problem] < 0:
                return True
    for problem in range(PROBLEMS):
        if s["stock"][problem] < 0:
            return True
    return s["splay_length"] < 0


@jit
def agents_on_board(s, c):
    """Finance agents, patents and employees."""
    count = np.int64(s["capital"][c]) + s["wealth"][c] + s["debt"][c]
    for hue in range(HUES):
        count += s["patents"][c][hue]
    for space in range(SPACES):
        count += packed_count(s["employees"][space], c)
    return count


@jit
def agents_of(s, c):
    """All agents of a colour, wherever they are."""
    count = agents_on_board(s, c) + s["pool"][c]
    for place in range(PLACES):
        count += packed_count(s["white"][place], c) + ((np.int64(s["black"][place]) >> c) & 1)
        if place < SLOTS:
            count += (np.int64(s["syndicated"][place]) >> c) & 1
    return count


@jit
def are_companies_misplaced(s, t):
    for c in range(COLORS):
        disks = np.int64(t["disks"])
        for space in range(SPACES):
            disks -= s["company"][space] == c
        if disks < 0 or (disks < t["disks"] and not in_game(s, c)):
            return True
    for space in range(SPACES):
        if s["company"][space] >= 0 and t["space_kind"][space] != SpaceKind.BARRIER:
            return True
    return False


@jit
def are_employees_misplaced(s, t):
    for space in range(SPACES):
        packed = s["employees"][space]
        if t["space_kind"][space] == SpaceKind.BARRIER and packed_total(packed) > 1:
            return True
        for c in range(COLORS):
            if t["space_kind"][space] == SpaceKind.UTILITY and packed_count(packed, c) > 1:
                return True
    return False


@jit
def are_cards_misplaced(s, t):
    """Every place names a card of its zone, and there are as many places as cards of the zone, none named twice."""
    for zone in (Zone.MARKET, Zone.SPLAY, Zone.THINK_TANK):
        left = np.int64(0)
        for card in range(MAX_CARDS):
            left += s["zone"][card] == zone
        for place in range(PLACES):
            card = s["card"][place]
            if card >= 0 and (zone == Zone.MARKET) == (place < SLOTS) and zone != Zone.THINK_TANK:
                if s["zone"][card] != zone or is_again(s, place):
                    return True
                left -= 1
        if zone == Zone.THINK_TANK:
            for c in range(COLORS):
                card = np.int64(s["think_tank"][c])
                while card >= 0:
                    left -= 1
                    if s["zone"][card] != zone or left < 0:
                        return True
                    card = np.int64(s["under"][card])
        if left != 0:
            return True
    for card in range(MAX_CARDS):
        zone = s["zone"][card]
        if card >= t["cards"] and zone != Zone.UNUSED:
            return True
        if zone != Zone.THINK_TANK and s["under"][card] != -1:
            return True
        if zone == Zone.DECK_END and card != t["plurality"]:
            return True
        if zone >= Zone.DEALT and zone < Zone.DECK_END and t["kind"][card] != Kind.IDEA:
            return True
    return False


@jit
def is_again(s, place):
    """Whether the card of a place lies in an earlier one too."""
    for other in range(place):
        if s["card"][other] == s["card"][place]:
            return True
    return False


@jit
def are_cubes_misplaced(s, t):
    for place in range(PLACES):
        card = s["card"][place]
        white, black = packed_total(s["white"][place]), np.int64(s["black"][place])
        if card < 0 and (white != 0 or black != 0):
            return True
        if card >= 0 and (white > t["white"][card] or (black != 0 and t["black"][card] == 0) or black & (black - 1)):
            return True
        if place < SLOTS and s["syndicated"][place] != 0 and (card < 0 or t["kind"][card] == Kind.PLURALITY):
            return True
    return s["zone"][t["plurality"]] == Zone.SPLAY


@jit
def is_pending_wrong(s):
    """A field of the action under way that is set where it does not apply, or missing where it does."""
    phase, pending = s["phase"], s["pending"]
    rest = phase == Phase.HIDDEN or phase == Phase.TURN or phase == Phase.OVER
    if rest != (pending == Pending.NONE):
        return True
    if (s["cost"] > 0) != (phase == Phase.PAYMENT) or s["cost"] < 0:
        return True
    if (s["victim"] >= 0) != (phase == Phase.RECESSION or phase == Phase.EXCHANGE):
        return True
    if (s["losses"] > 0) != (phase == Phase.EXCHANGE) or (s["target"] >= 0) != (phase == Phase.RELIEF_SQUARE):
        return True
    if (s["actor"] >= 0) != (pending == Pending.EXO) or (s["source"] >= 0) != (
        pending == Pending.HIRE and phase == Phase.PAYMENT
    ):
        return True
    if (s["space"] >= 0) != (pending == Pending.HIRE):
        return True
    commercialize = pending == Pending.COMMERCIALIZE
    if (s["via"] >= 0) != (commercialize and phase != Phase.VIABILITY):
        return True
    if (s["tycoon"] == 1 or s["option"] > 0) and not commercialize:
        return True
    if s["foreign"] == 1 and (pending != Pending.RESEARCH or s["pending_card"] < 0):
        return True
    return rest and (s["slot"] >= 0 or s["sphere"] >= 0 or s["color"] >= 0 or s["impact"] != 0 or s["utility"] != 0)


@jit
def has_forgotten(s, before):
    """Something that never changes has changed."""
    for c in range(COLORS):
        if before["hidden"][c] >= 0 and s["hidden"][c] != before["hidden"][c]:
            return True
    for card in range(MAX_CARDS):
        zone = before["zone"][card]
        fixed = zone == Zone.UNUSED or zone == Zone.DISCARD or (zone >= Zone.DEALT and zone < Zone.DECK_END)
        if fixed and s["zone"][card] != zone:
            return True
    return False


WALKER = Walker(Game.kernels, RULES, broken)


def walks() -> list[tuple[Game, NDArray[np.void] | None]]:
    """Every variant, from the deal, and from rich positions for 80 decisions each.

    Positions made at random may hold a singularity, which no running game does.
    """
    rng = np.random.default_rng(5)
    chosen: list[tuple[Game, NDArray[np.void] | None]] = []
    for options in VARIANTS:
        short = game(**options, max_decisions=80)
        rich = [short.state_from_dict(rich_position(short, rng)).states for _ in range(60)]
        running = [states for states in rich if WALKER.rule_broken(short, states) == ALL_WELL]
        chosen += [(game(**options), None), (short, np.concatenate(running))]
    return chosen


def main() -> None:
    chosen = walks()
    for of, starts in chosen:
        WALKER.report([of], int(sys.argv[1]) // len(chosen), starts)


if __name__ == "__main__":
    main()
