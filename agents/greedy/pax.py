"""Greedy for Pax Transhumanity: it plans its own next few actions and takes the first of the plan that looks best.

A beam search over the record: the positions after one action, the most promising of them after a second, and so on into
the next turn, as if nobody else moved. A position at rest is weighed by rules of thumb, counted in points of the score.
What its seat cannot know is taken out before: no card is drawn in a plan, and others have no hidden sphere.
"""

from __future__ import annotations

import math

import numpy as np

from agents.base import Agent
from core import registry
from core.game import Game, State
from core.jit import entry, jit

__all__ = ["Greedy", "make"]

PAX = registry.game_class("pax")
ACTIONS = registry.game("pax").action_layout
STATE = PAX.dtype
legal, step, standings = PAX.kernels.legal, PAX.kernels.step, PAX.kernels.standings

END_TURN, DONE = (np.int64(ACTIONS.id(name)) for name in ("end_turn", "done"))
HIDE, COMMERCIALIZE, HIRE, PLACATE, IMPORT, ROTATE = (
    np.int64(ACTIONS.start(block)) for block in ("hide", "commercialize", "hire", "placate", "import", "rotate")
)
IN_HIDDEN, IN_TURN, IN_DIVEST = (np.int64(PAX.phases.index(word)) for word in ("hidden", "turn", "divest"))
COLORS = STATE["capital"].shape[0]
HUES = STATE["patents"].shape[1]
PROBLEMS = STATE["stock"].shape[0]
SPACES = STATE["company"].shape[0]
SLOTS = STATE["syndicated"].shape[0]
PLACES = STATE["card"].shape[0]
MAX_CARDS = STATE["zone"].shape[0]
ROWS = SLOTS // HUES
BARRIER, UTILITY, UNEMPLOYMENT = range(3)
GROWTH, PROBLEM, WILD_PROBLEM, COMPANY, RESILIENCE, DISRUPTION, RECESSION, DEFUSAL, EXCHANGE, GAME_END = range(10)
TIPPING_POINT, SINGULARITY, PLURALITY, TYCOON = range(1, 5)
UNUSED, TOP, BOTTOM, DECK_END = range(4)
GLOBALIZATION, PARADIGM_SHIFT = 0, 5
TURN_ACTIONS = 2

# The search

PLIES = 5
"""Actions in a plan."""
WIDTH = 8
"""Plans followed from one action to the next."""
DEPTH = 48
"""Decisions within one action."""
NODES = 400
"""Decisions looked at for one first decision of an action; after that only the first choice of each."""
ON_THE_WAY = 0.15
"""What a position on the way counts beside the last one: the sooner the better."""
FIRST = np.int64(0)
BEAM = DEPTH
NEXT = BEAM + WIDTH
RECORDS = NEXT + WIDTH
NEVER = -1e9
WIN = 1000.0

# Rules of thumb, in points


@jit
def item_worth(s, t, c, sphere):
    """Of a company or a claimed problem."""
    worth = 1.3
    if t["dominant"][s["regime"]] == sphere:
        worth += 0.7
    if s["hidden"][c] == sphere:
        worth += 0.8
    return worth


@jit
def possessions(s, t, c):
    """Of a colour's companies and problems; companies the more, the nearer the fifth is, with which one wins."""
    worth = 0.0
    companies = 0
    for space in range(SPACES):
        if s["company"][space] == c:
            worth += item_worth(s, t, c, t["space_sphere"][space])
            companies += 1
    for problem in range(PROBLEMS):
        if s["claimed"][c][problem] > 0:
            worth += s["claimed"][c][problem] * item_worth(s, t, c, t["problem_sphere"][problem])
    return worth + 0.4 * companies * companies


@jit
def agents(packed, c):
    """Of colour c in a packed count."""
    return np.int64(packed) >> 4 * c & 15


@jit
def card_worth(s, t, c, card):
    """Of the impacts of a card, once it is commercialized."""
    worth = 0.3
    for impact in range(t["impacts"][card]):
        best = -1.0
        for icon in range(t["first_icon"][card][impact], t["first_icon"][card][impact + 1]):
            best = max(best, icon_worth(s, t, c, t["icon"][card][icon], np.int64(t["icon_of"][card][icon])))
        worth += best
    return worth


@jit
def icon_worth(s, t, c, icon, subject):
    """Of one impact."""
    if icon == COMPANY:
        return 1.0 + item_worth(s, t, c, subject)
    if icon == PROBLEM:
        return item_worth(s, t, c, t["problem_sphere"][subject]) if s["stock"][subject] > 0 else 0.0
    if icon == WILD_PROBLEM:
        return 2.0
    if icon in (GROWTH, DEFUSAL):
        return 0.6
    return 0.0


@jit
def means(s, t, c):
    """Of what one acts with: money, agents in play, patents, employees, syndications."""
    power = 2.0 * s["capital"][c] + s["wealth"][c]
    worth = 1.5 * math.sqrt(power + 0.5) - 0.4 * s["pool"][c]
    for hue in range(HUES):
        worth += 0.7 * math.sqrt(np.float64(s["patents"][c][hue]))
    for sphere in range(HUES):
        employees = 0.0
        for space in range(SPACES):
            if t["space_sphere"][space] == sphere and agents(s["employees"][space], c) > 0:
                employees += 0.2 if t["space_kind"][space] == UNEMPLOYMENT else 1.0
        worth += 0.7 * math.sqrt(employees)
    for slot in range(SLOTS):
        if s["syndicated"][slot] >> c & 1:
            worth += 0.1 + 0.2 * card_worth(s, t, c, np.int64(s["card"][slot]))
    return worth


@jit
def shock(s, c):
    """Cubes in the splay."""
    count = 0
    for place in range(SLOTS, PLACES):
        count += agents(s["white"][place], c) + (np.int64(s["black"][place]) >> c & 1)
    return count


@jit
def prospects(s, t, c, actions, count):
    """Of the cards that could be commercialized next, by the actions of a fresh turn."""
    best, total = 0.0, 0.0
    for k in range(count):
        if COMMERCIALIZE <= actions[k] < HIRE:
            worth = card_worth(s, t, c, np.int64(s["card"][actions[k] - COMMERCIALIZE]))
            best = max(best, worth)
            total += worth
    return 0.4 * best + 0.1 * total


@jit
def outcome(states, i, tables, seat, table):
    """Of the end of the game: a victory or a defeat, as far as the seat can tell."""
    s = states[i]
    t = tables[0]
    parties = standings(states, i, tables, table)
    lead = 1000.0
    for other in range(parties):
        if other == seat:
            continue
        ahead = np.float64(table[seat, 0] - table[other, 0])
        if ahead == 0.0:
            ahead = 0.01 * (table[seat, 1] - table[other, 1]) + 0.0001 * (table[seat, 2] - table[other, 2])
        if other < s["num_players"] and (s["end"] == TIPPING_POINT or s["end"] == PLURALITY):
            ahead -= 0.3 * holdings(s, t, s["color_of"][other])
        lead = min(lead, ahead)
    return (WIN if lead > 0.0 else -WIN) + min(lead, 20.0)


@jit
def holdings(s, t, c):
    """How many companies and problems a colour has."""
    count = 0
    for space in range(SPACES):
        count += s["company"][space] == c
    for problem in range(PROBLEMS):
        count += s["claimed"][c][problem]
    return count


@jit
def weigh(states, i, tables, seat, actions, count, table):
    """Of a position, for a seat; ``actions`` are those of a fresh turn if it is the seat's."""
    s = states[i]
    t = tables[0]
    if s["done"]:
        return outcome(states, i, tables, seat, table)
    own = np.int64(s["color_of"][seat])
    worth = possessions(s, t, own) + means(s, t, own) + 0.15 * shock(s, own)
    for c in range(COLORS):
        if c != own and (s["seat_of"][c] >= 0 or s["exoglobal"][c]):
            worth -= 0.5 * possessions(s, t, c) / max(1, s["num_players"] - 1)
    if s["phase"] == IN_TURN and s["turn"] == seat:
        worth += prospects(s, t, own, actions, count)
    return worth


# The plan


@jit
def hide_unknown(s, seat):
    """Take out what the seat cannot know: the deck, and the hidden spheres of others."""
    own = s["color_of"][seat]
    for c in range(COLORS):
        if c != own:
            s["hidden"][c] = -1
    for card in range(MAX_CARDS):
        if s["zone"][card] in (TOP, BOTTOM, DECK_END):
            s["zone"][card] = UNUSED


@jit
def narrow(s, actions, count, first):
    """Keep the choices that a plan looks at; how many they are."""
    if s["phase"] == IN_DIVEST:
        return count if first else 1
    if s["phase"] != IN_TURN:
        return count
    kept = 0
    for k in range(count):
        if not IMPORT <= actions[k] < ROTATE:
            actions[kept] = actions[k]
            kept += 1
    return kept


@jit
def offer(states, i, value, rank, first, values, ranks, firsts, kept):
    """Keep a position among the best of the next beam; two of equal rank are taken to be the same."""
    for k in range(kept):
        if ranks[k] == rank:
            return kept
    k = kept
    if kept == WIDTH:
        k = 0
        for other in range(1, WIDTH):
            if ranks[other] < ranks[k]:
                k = other
        if ranks[k] >= rank:
            return kept
    else:
        kept += 1
    states[NEXT + k] = states[i]
    values[k] = value
    ranks[k] = rank
    firsts[k] = first
    return kept


@entry
def choose(states, tables, actions, counts, table, beam, offers):
    """The action for the player to move in ``states[0]``, a record that is changed.

    It is one loop, with one call of each kernel, because numba compiles a kernel anew for every function that calls it.

    Args:
        states: ``[RECORDS]``: the position, the decisions of the action being looked at, and the two beams.
        tables: the component data.
        actions: ``int16[DEPTH, num_actions]``, for the choices of each decision.
        counts: ``int64[2, DEPTH]``: how many choices there are, and how many have been looked at.
        table: as for ``standings``.
        beam: ``float64[3, WIDTH]``: the value so far, the rank and the first action of each plan.
        offers: likewise, for the next beam.
    """
    seat = np.int64(states[0]["player"])
    hide_unknown(states[0], seat)
    states[BEAM] = states[0]
    beam[0, 0] = 0.0
    best, chosen = NEVER, END_TURN
    ply, size, b, kept, nodes = 0, 1, 0, 0, 0
    level = -1  # of the decision whose choices are tried; -1: the next plan is to be taken up
    while True:
        child = np.int64(level + 2)
        action = np.int64(-1)
        if level < 0:
            states[1] = states[BEAM + b]
            s = states[1]
            if ply > 0 and s["actions_left"] == 0:
                s["actions_left"] = TURN_ACTIONS
                s["placate_used"] = 0
        elif counts[1, level] == counts[0, level]:
            level -= 1
            if level >= 0:
                continue
            b += 1
            if b == size:
                if kept == 0 or ply == PLIES - 1 or states[NEXT]["turn"] != seat or states[NEXT]["phase"] != IN_TURN:
                    return chosen
                for k in range(kept):
                    states[BEAM + k] = states[NEXT + k]
                    for row in range(3):
                        beam[row, k] = offers[row, k]
                ply, size, b, kept = ply + 1, kept, 0, 0
            continue
        else:
            action = np.int64(actions[level][counts[1, level]])
            counts[1, level] += 1
            nodes = nodes + 1 if level > 0 else 1
            states[child] = states[child - 1]
            if action == END_TURN:
                states[child]["actions_left"] = 0
                action = np.int64(-1)
        s = states[child]
        choices = actions[child - 1]
        count = np.int64(0)
        resting = False
        while True:
            if action >= 0:
                step(states, child, tables, action)
            if s["done"]:
                break
            resting = level >= 0 and s["phase"] == IN_TURN
            left = s["actions_left"]
            if resting:
                s["actions_left"] = TURN_ACTIONS
            count = legal(states, child, tables, choices)
            s["actions_left"] = left
            if resting or s["turn"] != seat or s["player"] == seat:
                break
            action = np.int64(choices[0])  # somebody whom the action asks
        if level < 0 and ply == 0:
            if s["phase"] == IN_HIDDEN:
                return best_sphere(s, tables[0], seat, choices, count)
            chosen = np.int64(choices[0])
            if count == 1:
                return chosen
        if level >= 0 and (s["done"] or resting or s["player"] != seat or child == DEPTH - 1):
            first = np.float64(actions[0][counts[1, 0] - 1]) if ply == 0 else beam[2, b]
            value = weigh(states, child, tables, seat, choices, count, table)
            rank = beam[0, b] + value
            if rank > best and (s["done"] or s["turn"] != seat or ply == PLIES - 1):
                best, chosen = rank, np.int64(first)
            if s["done"] == 0:
                total = beam[0, b] + ON_THE_WAY * value
                kept = offer(states, child, total, rank, first, offers[0], offers[1], offers[2], kept)
            continue
        level += 1
        count = narrow(s, choices, count, ply == 0 and level == 0)
        counts[0, level] = 1 if nodes > NODES else count
        counts[1, level] = 0


@jit
def best_sphere(s, t, seat, actions, count):
    """To hide: where the market offers most."""
    c = np.int64(s["color_of"][seat])
    best, chosen = NEVER, np.int64(actions[0])
    for k in range(count):
        s["hidden"][c] = actions[k] - HIDE
        worth = 0.0
        for slot in range(SLOTS):
            if s["card"][slot] >= 0:
                worth += card_worth(s, t, c, np.int64(s["card"][slot]))
        if worth > best:
            best, chosen = worth, np.int64(actions[k])
    return chosen


class Greedy(Agent):
    """Takes the first action of the plan that its rules of thumb find worth most. No chance is involved.

    Args:
        game: Pax Transhumanity.
    """

    name = "greedy"

    def __init__(self, game: Game) -> None:
        self._states = np.zeros(RECORDS, STATE)
        self._actions = np.zeros((DEPTH, game.num_actions), np.int16)
        self._counts = np.zeros((2, DEPTH), np.int64)
        self._table = np.zeros((game.parties, game.standing_keys), np.int64)
        self._beam = np.zeros((3, WIDTH))
        self._offers = np.zeros((3, WIDTH))

    def act(self, state: State, rng: np.random.Generator) -> int:
        self._states[0] = state.states[0]
        tables = state.game.tables
        return int(choose(self._states, tables, self._actions, self._counts, self._table, self._beam, self._offers))


def make(game: Game, argument: str) -> Greedy:
    """See ``agents.load``."""
    return Greedy(game)
