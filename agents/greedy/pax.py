"""Greedy for Pax Transhumanity: it picks the card that pays best for the effort, and does what is missing for it.

A plan is a card of the market with all that must still be done to commercialize it: a think tank card or patents that
make it viable, an employee, the syndication, the work. Its worth is that of the card's impacts; its effort the actions
it takes, and money, which is actions too: those of the fundraisers. Research for its own sake is a plan as well, which
gains weight as the game goes on, so that the deck runs out at last. In a turn the first step of the best plan is taken,
or money raised for it; other decisions are weighed one by one. Only what the seat may know is looked at.
"""

from __future__ import annotations

import math

import numpy as np

from agents.scripted import Outlook, Rules, Scripted, put
from core import registry
from core.game import Game
from core.jit import jit

__all__ = ["RULES", "make"]

PAX = registry.game_class("pax")
ACTIONS = registry.game("pax").action_layout
STATE = PAX.dtype
legal = PAX.kernels.legal

END_TURN, COVER, FUNDRAISE, SOURCE_UNEMPLOYMENT, VIA_PATENTS, VIA_TANK, PATENTS_NONE, PATENTS_BOTH, THINK_TANK = (
    np.int64(ACTIONS.id(name))
    for name in (
        "end_turn", "cover", "fundraise", "source:unemployment", "via:patents", "via:think_tank", "patents:none",
        "patents:both", "think_tank",
    )
)  # fmt: skip
(
    HIDE, SYNDICATE, COMMERCIALIZE, HIRE, RESEARCH, PLACATE, IMPORT, TO, DIVEST_MARKET, DIVEST_EMPLOYEE, DIVEST_PATENT,
    SOURCE, VIA, WORK, SELL, SURGE, OR, COMPANY, CLAIM, RELIEVE, SQUARE, SHOW, KILL, DEFUSE, DEFUSE_SPLAY, LAYOFF,
    LOSE_COMPANY, LOSE_PROBLEM, PATENTS,
) = (
    np.int64(ACTIONS.start(block))
    for block in (
        "hide", "syndicate", "commercialize", "hire", "research", "placate", "import", "to", "divest:market",
        "divest:employee", "divest:patent", "source", "via", "work", "sell", "surge", "or", "company", "claim",
        "relieve", "square", "show", "kill", "defuse", "defuse:splay", "layoff", "lose:company", "lose:problem",
        "patents",
    )
)  # fmt: skip
IN_TURN, IN_DIVEST, IN_IMPORT_TO, IN_DISRUPTION = (
    np.int64(PAX.phases.index(word)) for word in ("turn", "divest", "import_to", "disruption")
)

COLORS = STATE["capital"].shape[0]
HUES = STATE["patents"].shape[1]
PROBLEMS = STATE["stock"].shape[0]
SPACES = STATE["company"].shape[0]
SLOTS = STATE["syndicated"].shape[0]
PLACES = STATE["card"].shape[0]
ROWS = SLOTS // HUES
BARRIER, UTILITY, UNEMPLOYMENT = range(3)
IDEA, TIPPING_CARD, PLURALITY_CARD = range(3)
THINKER, MAKER = (np.int64(side) for side in range(2))
GLOBALIZATION, TRANSBIOLOGY, GROUP_DYNAMICS, COMPUTING, ASSEMBLY, PARADIGM_SHIFT = range(6)
DEVELOPING_WORLD = 1
GROWTH, PROBLEM, WILD_PROBLEM, COMPANY_STARTUP = range(4)
DEFUSAL = 7
TYCOON_BLOCK = 24
EDGE = 3
RUN = 5

WIN = 1000.0
"""Worth of winning."""
LATE = 400
"""Decisions after which a game has been long enough, and a defeat is worth no more delay."""

# Rules of thumb, in worth of things or in effort, whose unit is an action

RULES: Rules = {
    "drawn_out": 3.0,  # worth of a defeat in a game that has been long enough
    "guess": 0.3,  # chance that a sphere is somebody's hidden one
    "money": 0.17,  # effort of raising one of money
    "reserve": 4.0,  # money to keep
    "rich": 9.0,  # money that is enough for a while
    "leverage": 5.0,  # money for which a fundraiser is worth its action
    "few": 4.0,  # agents on the finance board below which they are dear
    "any": 0.45,  # worth of commercializing a card, whatever its impacts
    "item": 1.2,  # worth of a company or problem
    "dominant": 0.5,  # more of it in the dominant sphere
    "hidden": 0.3,  # and in the hidden one
    "wild": 1.3,  # and of a problem that one may choose
    "startup": 2.2,  # worth of a company, as one
    "concern": 0.7,  # and for each that is there: with the fifth one wins
    "grown": 1.7,  # worth of an agent from the pool
    "missed": 0.2,  # and for each of the few that is missing
    "return": 0.12,  # worth of an agent that comes home from the heat, for each that is missing
    "researched": 0.5,  # worth of research for its own sake
    "dragged": 0.0025,  # and for each decision taken so far
    "nothing": 0.2,  # what it is worth less in an empty column
    "heated": 0.4,  # effort of an agent on a white square
    "scorched": 1.2,  # and when there are few
    "newcomer": 0.3,  # effort of a new employee
    "patented": 0.5,  # of giving up patents
    "overreach": 5.0,  # of a plan that takes more agents than there are
    "brought": 1.4,  # of an import
    "shown": 0.03,  # worth of showing a hue, of that of the cards that it makes viable
    "shown_own": 0.17,  # of those that are syndicated
    "trend": 0.3,  # of what is ahead in the new regime's sphere
    "streak": 0.3,  # of a run
    "swept": 0.5,  # of a card that surges
    "tied": 0.7,  # what each of its agents costs
    "kept": 2.5,  # what a patent must sell for
    "retired": (8.0, 2.0, 2.0, 4.0),  # money below which patents, employees, backers with and without a viable card go
    "backer": (0.8, 0.6),  # worth of taking home a backer, and what it is less if the card is viable
    # a researched card in the think tank if a like one is for sale, as the first there, as another; no patent; both;
    # one of them, and for what it sells
    "idea": (3.0, 0.5, 0.1, 0.3, 2.0, 0.5, 0.2),
    "spared": (7.0, 5.0),  # agents on the finance board for two patents, for one
    # work: less for each barrier to pay; more from elsewhere than a utility, by another's agent, to elsewhere than
    # unemployment, there to a utility or an own company; less from a utility to unemployment
    "labour": (0.25, 0.5, 0.5, 0.5, 0.3, 0.2),
    # a barrier for a company: taken from somebody, for each company of theirs, with an own agent, with others' agents,
    # for each arrow from there
    "takeover": (0.5, 0.5, 0.4, 0.2, 0.1),
}

# What the survey of a sphere notes; MAKER adds one
OPEN, LOWEST, GAP, OWN, HIRED, HIRE_ACTIONS, HIRE_SPACE = 0, 1, 2, 3, 5, 7, 9
SURVEY = 11
# What is known of a plan
RATE, STEP, DUE, WORTH, NEEDED, TARGET, SPHERE, COLUMN = range(8)
PLAN = 8
BEST, OTHER = 0, 1
FAR, LEAST = 99.0, 0.1
# The outlook: numbers for each player, where those for each card of the market begin, and all of them; the effort of a
# victory that is not in sight, and the least that counts
PARTY_NUMBERS = 10
PROMISES = PARTY_NUMBERS * COLORS + 40
OUTLOOK = PROMISES + 2 * SLOTS
REMOTE, QUICK = 8.0, 0.3
NEVER = -1e9


@jit
def agents(packed, c):
    """Of colour c in a packed count."""
    return np.int64(packed) >> 4 * c & 15


@jit
def all_agents(packed):
    p = np.int64(packed)
    return (p & 15) + (p >> 4 & 15) + (p >> 8 & 15) + (p >> 12 & 15)


@jit
def open_white(s, t, place):
    return np.int64(t["white"][s["card"][place]]) - all_agents(s["white"][place])


@jit
def foreign_heat(s, place, c):
    """Whether another colour has a cube at a place."""
    return np.int64(s["white"][place]) & ~(15 << 4 * c) != 0 or np.int64(s["black"][place]) & ~(1 << c) != 0


@jit
def pair(t, card):
    """The two hues of a card, in either order, as one number."""
    left, right = np.int64(t["left"][card]), np.int64(t["right"][card])
    return min(left, right) * HUES + max(left, right)


@jit
def on_board(s, c):
    """Agents on the finance board."""
    return np.int64(s["capital"][c]) + np.int64(s["wealth"][c]) + np.int64(s["debt"][c])


@jit
def companies(s, c):
    count = 0
    for space in range(SPACES):
        count += s["company"][space] == c
    return count


@jit
def holdings(s, t, c, sphere):
    """Companies and problems of a colour in a sphere."""
    count = 0
    for space in range(SPACES):
        count += s["company"][space] == c and t["space_sphere"][space] == sphere
    return count + problems(s, t, c, sphere)


@jit
def problems(s, t, c, sphere):
    count = 0
    for problem in range(PROBLEMS):
        if t["problem_sphere"][problem] == sphere:
            count += s["claimed"][c][problem]
    return count


@jit
def shock(s, c):
    """Cubes in the splay."""
    count = 0
    for place in range(SLOTS, PLACES):
        count += agents(s["white"][place], c) + (np.int64(s["black"][place]) >> c & 1)
    return count


@jit
def patent_value(s, t, hue):
    value = 0
    for k in range(s["splay_length"]):
        value += s["visible"][k] == hue
    return 2 * value if t["doubles"][s["regime"]] >> hue & 1 else value


@jit
def is_blocked(s, t, c):
    """Whether another player keeps a colour from winning as tycoon."""
    for other in range(COLORS):
        if other == c or s["seat_of"][other] < 0 or s["beginner"]:
            continue
        for slot in range(SLOTS):
            if s["syndicated"][slot] >> other & 1 and t["skill"][s["card"][slot]] >> TYCOON_BLOCK & 1:
                return True
        card = s["think_tank"][other]
        if card >= 0 and t["skill"][card] >> TYCOON_BLOCK & 1:
            return True
    return False


# Ends


@jit
def end_score(s, t, w, c, viewer, plurality, sphere):
    """Of colour c, as colour ``viewer`` sees it, after an end with nuclear exchanges in a sphere, or in all (-1)."""
    if not plurality and s["regime"] == PARADIGM_SHIFT:
        return np.float64(shock(s, c))
    losses = 0
    for place in range(SLOTS, SLOTS + s["splay_length"]):
        losses += t["black"][s["card"][place]] > 0 and s["black"][place] == 0
        losses -= np.int64(s["black"][place]) >> c & 1
    losses = max(0, losses)
    score = 0.0
    for k in range(HUES):
        solved = problems(s, t, c, k)
        number = holdings(s, t, c, k)
        if sphere == k or sphere < 0:
            if plurality:
                solved = max(0, solved - max(0, losses - (number - solved)))
            number = max(0, number - losses)
        hidden = np.float64(s["hidden"][c] == k) if c == viewer else w["guess"]
        if plurality:
            score += solved * (1.0 + hidden)
        else:
            score += number * (2.0 * (t["dominant"][s["regime"]] == k) + hidden)
    return score


@jit
def end_lead(s, t, w, c, plurality, sphere):
    """How far a colour would be ahead, as far as it can tell."""
    own = end_score(s, t, w, c, c, plurality, sphere)
    if not plurality and s["regime"] != PARADIGM_SHIFT:
        best = 0.0
        for problem in range(PROBLEMS):
            if s["stock"][problem] > 0:
                k = t["problem_sphere"][problem]
                best = max(best, 2.0 * (t["dominant"][s["regime"]] == k) + 1.0 * (s["hidden"][c] == k))
        own += best
    lead = 100.0
    for other in range(COLORS):
        if other != c and (s["seat_of"][other] >= 0 or s["exoglobal"][other]):
            ahead = own - end_score(s, t, w, np.int64(other), c, plurality, sphere)
            if s["seat_of"][other] >= 0:
                ahead += 0.01 * (np.float64(s["capital"][c]) - np.float64(s["capital"][other]))
            lead = min(lead, ahead)
    return lead


@jit
def shock_lead(s, t, c, slot):
    """How far a colour would be ahead in future shock once it has commercialized the card of a slot."""
    mine = shock(s, c)
    if slot >= 0:
        mine += agents(s["white"][slot], c)
        if not s["beginner"] and not s["syndicated"][slot] >> c & 1:
            mine += open_white(s, t, slot)
    lead = 100.0
    for other in range(COLORS):
        if other != c and (s["seat_of"][other] >= 0 or s["exoglobal"][other]):
            ahead = np.float64(mine - shock(s, np.int64(other)))
            if slot >= 0:
                ahead -= agents(s["white"][slot], other)
            ahead += 0.01 * (np.float64(s["capital"][c]) - np.float64(s["capital"][other]))
            lead = min(lead, ahead)
    return lead


@jit
def last_run(s):
    """How many cards at the end of the splay show one hue."""
    length = np.int64(s["splay_length"])
    run = min(1, length)
    while 0 < run < length and s["visible"][length - 1 - run] == s["visible"][length - 1]:
        run += 1
    return run


@jit
def end_worth(s, w, lead):
    if lead > 0.0:
        return WIN
    return w["drawn_out"] if s["decisions"] > LATE else -WIN


# Worth of things


@jit
def item_worth(s, t, w, c, sphere):
    """Of a company or a claimed problem."""
    worth = w["item"]
    if t["dominant"][s["regime"]] == sphere:
        worth += w["dominant"]
    if s["hidden"][c] == sphere:
        worth += w["hidden"]
    return worth


@jit
def best_problem(s, t, w, c):
    """Of the best one in stock."""
    best = 0.0
    for problem in range(PROBLEMS):
        if s["stock"][problem] > 0:
            best = max(best, item_worth(s, t, w, c, t["problem_sphere"][problem]))
    return best


@jit
def company_worth(s, t, w, c, own, blocked, sphere, side, brash):
    """Of a company startup, the ``own``-th plus one."""
    room = brash >= 0 and s["company"][brash] >= 0 and s["company"][brash] != c
    for k in range(t["spaces_in"][sphere]):
        if room:
            break
        space = t["space_in"][sphere][k]
        if t["space_kind"][space] == BARRIER and s["company"][space] < 0:
            room = t["space_side"][space] in (side, 2)
    if not room:
        return 0.0
    if own >= t["disks"]:
        return 0.3 if blocked else WIN
    return w["startup"] + w["concern"] * own + item_worth(s, t, w, c, sphere)


@jit
def icon_worth(s, t, w, c, own, blocked, card, icon):
    """Of one impact."""
    kind, subject = t["icon"][card][icon], np.int64(t["icon_of"][card][icon])
    if kind == COMPANY_STARTUP:
        side, brash = np.int64(t["icon_side"][card][icon]), np.int64(t["icon_brash"][card][icon])
        return company_worth(s, t, w, c, own, blocked, subject, side, brash)
    if kind == PROBLEM:
        return item_worth(s, t, w, c, t["problem_sphere"][subject]) if s["stock"][subject] > 0 else 0.0
    if kind == WILD_PROBLEM:
        return w["wild"] + best_problem(s, t, w, c)
    if kind in (GROWTH, DEFUSAL):
        return w["grown"] + w["missed"] * max(0.0, w["few"] - on_board(s, c)) if s["pool"][c] > 0 else 0.0
    return 0.0


@jit
def card_worth(s, t, w, c, own, blocked, slot):
    """Of commercializing the card of a slot."""
    card = np.int64(s["card"][slot])
    if t["kind"][card] == TIPPING_CARD:
        return end_worth(s, w, end_lead(s, t, w, c, False, np.int64(t["icon_of"][card][0])))
    if last_run(s) == RUN - 1:
        last, left, right = s["visible"][s["splay_length"] - 1], t["left"][card], t["right"][card]
        if last in (left, right):
            value = end_worth(s, w, shock_lead(s, t, c, slot))
            if left == right or value == WIN:
                return value
    worth = w["any"]
    for impact in range(t["impacts"][card]):
        best = -1.0
        for icon in range(t["first_icon"][card][impact], t["first_icon"][card][impact + 1]):
            best = max(best, icon_worth(s, t, w, c, own, blocked, card, icon))
        worth += best
    return worth


# The plan


@jit
def factor(s, t, space, sphere, side):
    """How often the open barriers are paid for work from a space."""
    if s["regime"] == COMPUTING and side == THINKER:
        return 0
    if t["space_kind"][space] == UTILITY or s["company"][space] >= 0:
        return 1
    if s["regime"] == GLOBALIZATION and sphere == DEVELOPING_WORLD:
        return 1
    return 1 if s["regime"] == ASSEMBLY and side == MAKER else 2


@jit
def leads_on(s, t, c, space, side):
    """Whether an agent of a colour could leave a space by work of a kind."""
    for k in range(t["arrows_out"][space]):
        arrow = t["arrow_out"][space][k]
        if not t["arrow_work"][arrow] >> side & 1:
            continue
        goal = t["arrow_to"][arrow]
        kind = t["space_kind"][goal]
        if kind == BARRIER:
            owner = s["company"][goal]
            if s["employees"][goal] == 0 and (owner < 0 or s["exoglobal"][owner] == 0):
                return True
        elif kind == UNEMPLOYMENT or agents(s["employees"][goal], c) == 0:
            return True
    return False


@jit
def wage_of(s):
    """What hiring costs."""
    return 0.0 if s["regime"] == GROUP_DYNAMICS else 3.0


@jit
def lowest(s, sphere):
    """The slot of the lowest card of a column, -1 if it is empty."""
    for slot in range(sphere * ROWS, (sphere + 1) * ROWS):
        if s["card"][slot] >= 0:
            return slot
    return -1


@jit
def survey(s, t, w, c, notes):
    """What work costs in each sphere: by an employee there is, or by one to be hired, and where."""
    wage = wage_of(s)
    for sphere in range(HUES):
        barriers = 0
        for k in range(t["spaces_in"][sphere]):
            space = t["space_in"][sphere][k]
            barriers += t["space_kind"][space] == BARRIER and s["company"][space] < 0 and s["employees"][space] == 0
        notes[OPEN, sphere] = barriers
        notes[LOWEST, sphere] = lowest(s, sphere)
        notes[GAP, sphere] = -1
        for slot in range(sphere * ROWS, (sphere + 1) * ROWS):
            if s["card"][slot] < 0:
                notes[GAP, sphere] = slot
                break
        for side in range(2):
            own, hired, taken, where = FAR, FAR, 1.0, -1
            for k in range(t["spaces_in"][sphere]):
                space = np.int64(t["space_in"][sphere][k])
                if not leads_on(s, t, c, space, side):
                    continue
                times = factor(s, t, space, np.int64(sphere), np.int64(side))
                owner = s["company"][space]
                is_barrier = t["space_kind"][space] == BARRIER
                if agents(s["employees"][space], c) > 0 or (owner == c and s["employees"][space] != 0):
                    own = min(own, np.float64(barriers * times))
                elif not is_barrier or (s["employees"][space] == 0 and (owner < 0 or not s["exoglobal"][owner])):
                    left = barriers - 1 if is_barrier and owner < 0 else barriers
                    cost = wage + left * times
                    actions = 0.0 if owner == c else 1.0
                    if actions + w["money"] * cost < taken + w["money"] * hired:
                        hired, taken, where = np.float64(cost), actions, space
            notes[OWN + side, sphere] = own
            notes[HIRED + side, sphere] = hired
            notes[HIRE_ACTIONS + side, sphere] = taken
            notes[HIRE_SPACE + side, sphere] = where


@jit
def ready_pairs(s, t, c):
    """Pairs of hues that the splay or the own think tank makes viable, a mask."""
    pairs = 0
    usable = False
    for k in range(s["splay_length"]):
        place = SLOTS + k
        mine = agents(s["white"][place], c) + (np.int64(s["black"][place]) >> c & 1)
        before, usable = usable, mine > 0 or not foreign_heat(s, place, c)
        if before and usable:
            x, y = np.int64(s["visible"][k - 1]), np.int64(s["visible"][k])
            pairs |= 1 << min(x, y) * HUES + max(x, y)
    if s["think_tank"][c] >= 0:
        pairs |= 1 << pair(t, s["think_tank"][c])
    return pairs


@jit
def has_patents(s, t, c, card):
    left, right = t["left"][card], t["right"][card]
    return s["patents"][c][left] > (1 if left == right else 0) and s["patents"][c][right] > 0


@jit
def power_of(s, t, c):
    """The most that one could pay."""
    power = 2 * np.int64(s["capital"][c]) + np.int64(s["wealth"][c])
    for hue in range(HUES):
        power += np.int64(s["patents"][c][hue]) * (patent_value(s, t, hue) + 1)
    return power


@jit
def at_hand(s, t, c, plan):
    """Agents that a plan may use: on the finance board, or to be divested because it does not need them there."""
    count = on_board(s, c)
    for hue in range(HUES):
        count += np.int64(s["patents"][c][hue])
    for slot in range(SLOTS):
        if slot != plan[TARGET]:
            count += np.int64(s["syndicated"][slot]) >> c & 1
    for space in range(SPACES):
        if not is_needed(t, space, plan):
            count += agents(s["employees"][space], c)
    return count


@jit
def is_needed(t, space, plan):
    """Whether a plan needs employees in a space."""
    sphere = t["space_sphere"][space]
    return t["space_kind"][space] != UNEMPLOYMENT and (sphere == plan[SPHERE] or sphere == plan[COLUMN])


@jit
def plan_work(t, w, notes, plan, side, sphere, wage):
    """The effort of having work done in a sphere; sets the step and what it costs if somebody must be hired first."""
    own, hired = notes[OWN + side, sphere], notes[HIRED + side, sphere]
    extra = notes[HIRE_ACTIONS + side, sphere] + w["newcomer"]
    if own == FAR and hired == FAR:
        return FAR
    if own < FAR and w["money"] * own <= extra + w["money"] * hired:
        plan[NEEDED] += (np.int64(own) + 1) // 2
        return w["money"] * own
    plan[NEEDED] += 1 + (np.int64(hired - wage) + 1) // 2
    plan[STEP] = HIRE + t["work_of"][np.int64(notes[HIRE_SPACE + side, sphere])]
    plan[DUE] = wage
    return extra + w["money"] * hired


@jit
def plan_research(s, t, w, c, notes, plan, sphere, wage):
    """The effort of a research."""
    plan[STEP] = RESEARCH + sphere
    plan[DUE] = notes[OWN + THINKER, sphere]
    plan[COLUMN] = sphere
    return 1.0 + plan_work(t, w, notes, plan, THINKER, sphere, wage)


@jit
def plan_card(s, t, w, c, notes, plan, slot, place, pairs, wage):
    """The effort of commercializing the card of a slot, imported to another place first if that is not the same."""
    card, sphere = np.int64(s["card"][slot]), place // ROWS
    plan[STEP], plan[TARGET], plan[SPHERE], plan[COLUMN] = COMMERCIALIZE + slot, slot, sphere, -1
    plan[DUE], plan[NEEDED] = notes[OWN + MAKER, sphere], 0
    effort, step, due = 1.0, np.int64(-1), 0.0
    if not s["beginner"] and not s["syndicated"][slot] >> c & 1:
        due = 0.0 if s["regime"] == PARADIGM_SHIFT else np.float64(place % ROWS)
        if s["syndicated"][slot] != 0:
            due *= 2.0
        whites = open_white(s, t, slot)
        finance = on_board(s, c)
        if 1 + whites > finance:
            return FAR
        plan[NEEDED] += 1 + whites
        effort += 1.0 + whites * (w["heated"] if finance >= w["few"] else w["scorched"]) + w["money"] * due
        step = SYNDICATE + slot
    effort += plan_work(t, w, notes, plan, MAKER, np.int64(sphere), wage)
    if effort >= FAR:
        return FAR
    if step >= 0 and plan[STEP] == COMMERCIALIZE + slot:
        plan[STEP], plan[DUE] = step, due
    if place != slot:
        effort += w["brought"]
        plan[STEP], plan[DUE] = IMPORT + slot, 0.0
    if pairs >> pair(t, card) & 1:
        return effort
    if has_patents(s, t, c, card):
        return effort + w["patented"]
    # a card with the same hues can go to the think tank
    best, column = FAR, -1
    for q in range(HUES):
        low = np.int64(notes[LOWEST, q])
        if low < 0 or low == slot or t["kind"][s["card"][low]] != IDEA or pair(t, s["card"][low]) != pair(t, card):
            continue
        if foreign_heat(s, low, c) or np.int64(s["syndicated"][low]) & ~(1 << c) != 0:
            continue
        cost = min(notes[OWN + THINKER, q], notes[HIRED + THINKER, q] + 6.0 * notes[HIRE_ACTIONS + THINKER, q])
        if cost < best:
            best, column = cost, q
    if column < 0:
        return FAR
    return effort + plan_research(s, t, w, c, notes, plan, np.int64(column), wage)


@jit
def consider(s, t, w, c, can, plans, worth, effort, power, worths):
    """Keep the other plan if it is better than the best so far, and nothing but money is in its way.

    Its rate counts as the worth of its step, or of a fundraiser that it needs first.
    """
    plan = plans[OTHER]
    if effort >= FAR or (plan[DUE] <= power and not can[np.int64(plan[STEP])]):
        return
    if plan[NEEDED] > at_hand(s, t, c, plan):
        effort += w["overreach"]
    plan[WORTH] = worth
    plan[RATE] = worth / max(effort, LEAST)
    step = np.int64(plan[STEP]) if can[np.int64(plan[STEP])] else FUNDRAISE
    worths[step] = max(worths[step], plan[RATE])
    if plan[RATE] > plans[BEST, RATE]:
        for k in range(PLAN):
            plans[BEST, k] = plan[k]


@jit
def make_plan(s, t, w, c, can, notes, plans, worths):
    """Find the best plan; its step is -1 if there is none."""
    survey(s, t, w, c, notes)
    own, blocked = companies(s, c), is_blocked(s, t, c)
    pairs, power, wage = ready_pairs(s, t, c), power_of(s, t, c), wage_of(s)
    plans[BEST, RATE], plans[BEST, STEP], plans[BEST, NEEDED] = 0.0, -1, 0
    plan = plans[OTHER]
    for slot in range(SLOTS):
        card = np.int64(s["card"][slot])
        if card < 0 or t["kind"][card] == PLURALITY_CARD:
            continue
        worth = card_worth(s, t, w, c, own, blocked, np.int64(slot))
        if worth <= 0.0:
            continue
        effort = plan_card(s, t, w, c, notes, plan, slot, slot, pairs, wage)
        consider(s, t, w, c, can, plans, worth, effort, power, worths)
        if can[IMPORT + slot]:
            for q in range(HUES):
                if notes[GAP, q] >= 0:
                    effort = plan_card(s, t, w, c, notes, plan, slot, np.int64(notes[GAP, q]), pairs, wage)
                    consider(s, t, w, c, can, plans, worth, effort, power, worths)
    for q in range(HUES):
        low = np.int64(notes[LOWEST, q])
        worth = w["researched"] + w["dragged"] * s["decisions"]
        if low < 0:
            worth -= w["nothing"]
        elif t["kind"][s["card"][low]] == PLURALITY_CARD:
            worth = end_worth(s, w, end_lead(s, t, w, c, True, np.int64(-1)))
        plan[TARGET], plan[SPHERE], plan[NEEDED] = -1, -1, 0
        effort = plan_research(s, t, w, c, notes, plan, np.int64(q), wage)
        consider(s, t, w, c, can, plans, worth, effort, power, worths)
    worth = w["return"] * (w["few"] - on_board(s, c))
    if worth > plans[BEST, RATE]:
        for action in range(PLACATE, IMPORT):
            if can[action]:
                plan[TARGET], plan[SPHERE], plan[COLUMN], plan[NEEDED] = -1, -1, -1, 0
                plan[STEP], plan[DUE] = action, 0.0
                consider(s, t, w, c, can, plans, worth, 1.0, power, worths)
                break


@jit
def money_raised(s, c):
    """How much more one could pay after a fundraiser that takes nobody home."""
    return 2 * min(np.int64(s["capital"][c]), np.int64(s["debt"][c])) + np.int64(s["wealth"][c])


@jit
def turn_action(s, t, w, c, actions, count, can, notes, plans, worths):
    """The next action of the turn."""
    make_plan(s, t, w, c, can, notes, plans, worths)
    plan = plans[BEST]
    step, due, worth, needed = np.int64(plan[STEP]), plan[DUE], plan[WORTH], plan[NEEDED]
    money = 2 * np.int64(s["capital"][c]) + np.int64(s["wealth"][c])
    gain = money_raised(s, c) + 2 * idle_agents(s, t, c)
    possible = step >= 0 and can[step]
    if s["actions_left"] == 0:
        return step if possible and money - due >= w["reserve"] else END_TURN
    if possible and (due == 0.0 or worth >= WIN) and on_board(s, c) >= needed:
        return step
    poor = money < w["rich"] and gain >= w["leverage"]
    if gain > 0 and (not possible or (money - due < w["reserve"] and gain >= 2) or poor):
        return FUNDRAISE
    if step >= 0 and on_board(s, c) < needed:
        return FUNDRAISE
    if possible:
        return step
    # nothing but debt: agents that go to the market for nothing come back as wealth
    best, chosen = 99, FUNDRAISE
    for k in range(count):
        action = np.int64(actions[k])
        if SYNDICATE <= action < COMMERCIALIZE and (action - SYNDICATE) % ROWS == 0:
            whites = open_white(s, t, action - SYNDICATE)
            if whites < best:
                best, chosen = whites, action
    return chosen


@jit
def idle_agents(s, t, c):
    """Unemployed agents of a colour."""
    count = 0
    for sphere in range(HUES):
        count += agents(s["employees"][t["unemployment"][sphere]], c)
    return count


@jit
def divest_worth(s, t, w, c, action, notes, plan):
    """Of taking an agent home in a fundraiser: what the plan does not need, while money or agents are short."""
    capital, wealth, debt = np.int64(s["capital"][c]), np.int64(s["wealth"][c]), np.int64(s["debt"][c])
    after = 2 * (capital + wealth + min(capital, debt))
    short = on_board(s, c) < plan[NEEDED]
    if action >= DIVEST_PATENT:
        return 1.0 if short or after < w["retired"][0] else -1.0
    if action >= DIVEST_EMPLOYEE:
        space = action - DIVEST_EMPLOYEE
        if t["space_kind"][space] == UNEMPLOYMENT:
            return 3.0
        sphere = t["space_sphere"][space]
        if is_needed(t, space, plan):
            return -1.0
        return 0.3 + 0.01 * notes[OPEN, sphere] if short or after < w["retired"][1] else -1.0
    slot = action - DIVEST_MARKET
    if slot == plan[TARGET]:
        return -1.0
    viable = ready_pairs(s, t, c) >> pair(t, s["card"][slot]) & 1
    worth = w["backer"][0] - w["backer"][1] * viable
    return worth if short or after < w["retired"][3 - viable] else -1.0


# Other decisions


@jit
def prospect(s, t, w, c, own, blocked, hue):
    """Of showing a hue next: cards that the pair with the last one would make viable, and the runs it makes."""
    length = np.int64(s["splay_length"])
    worth = 0.0
    if length > 0:
        last = np.int64(s["visible"][length - 1])
        both = min(last, hue) * HUES + max(last, hue)
        for slot in range(SLOTS):
            card = s["card"][slot]
            if card >= 0 and t["kind"][card] == IDEA and slot != s["slot"] and pair(t, card) == both:
                value = max(0.0, min(6.0, card_worth(s, t, w, c, own, blocked, np.int64(slot))))
                worth += value * (w["shown_own"] if s["syndicated"][slot] >> c & 1 else w["shown"])
    run = 0
    while run < length and s["visible"][length - 1 - run] == hue:
        run += 1
    if run + 1 >= EDGE:
        lead = shock_lead(s, t, c, np.int64(s["slot"]))
        if run + 1 >= RUN:
            worth += end_worth(s, w, lead)
        else:
            worth += w["streak"] * (run + 2 - EDGE) * max(-2.0, min(lead, 2.0))
    regime = 0
    if length >= 2 and s["visible"][length - 2] == s["visible"][length - 1]:
        regime = 1 + np.int64(s["visible"][length - 1])
    elif (length >= 1 and s["visible"][length - 1] == hue) or (length >= 2 and s["visible"][length - 2] == hue):
        regime = 1 + hue
    if regime > 0:
        lead = np.float64(holdings(s, t, c, np.int64(t["dominant"][regime])))
        most = 0
        for other in range(COLORS):
            if other != c:
                most = max(most, holdings(s, t, np.int64(other), np.int64(t["dominant"][regime])))
        worth += w["trend"] * (lead - most)
    return worth


@jit
def work_worth(s, t, w, c, arrow):
    """Of work along an arrow."""
    start, goal = np.int64(t["arrow_from"][arrow]), np.int64(t["arrow_to"][arrow])
    sphere = np.int64(t["space_sphere"][start])
    side = THINKER if s["slot"] < 0 else MAKER
    barriers = 0
    for k in range(t["spaces_in"][sphere]):
        space = t["space_in"][sphere][k]
        barriers += t["space_kind"][space] == BARRIER and s["company"][space] < 0 and s["employees"][space] == 0
    labour = w["labour"]
    worth = -labour[0] * barriers * factor(s, t, start, sphere, side)
    if t["space_kind"][start] != UTILITY:
        worth += labour[1]
    if agents(s["employees"][start], c) == 0:
        worth += labour[2]
    if t["space_kind"][goal] != UNEMPLOYMENT:
        worth += labour[3]
        if t["space_kind"][goal] == UTILITY or s["company"][goal] == c:
            worth += labour[4]
    elif t["space_kind"][start] == UTILITY:
        worth -= labour[5]
    return worth


@jit
def claim_worth(s, t, w, c, action):
    """Of what to do with a researched card."""
    card, idea = s["pending_card"], w["idea"]
    if action == THINK_TANK:
        for slot in range(SLOTS):
            other = s["card"][slot]
            if other >= 0 and t["kind"][other] == IDEA and pair(t, other) == pair(t, card):
                return idea[0]
        return idea[1] if s["think_tank"][c] < 0 else idea[2]
    if action == PATENTS_NONE:
        return idea[3]
    finance = s["capital"][c] + s["wealth"][c] + s["debt"][c]
    if action == PATENTS_BOTH:
        return idea[4] if finance >= w["spared"][0] else -0.5
    hue = action - PATENTS
    return (idea[5] + idea[6] * patent_value(s, t, hue)) if finance >= w["spared"][1] else 0.0


@jit
def space_worth(s, t, w, c, space):
    """Of a company on a barrier."""
    worth, takeover = 0.0, w["takeover"]
    owner = s["company"][space]
    if owner >= 0:
        worth += takeover[0] + takeover[1] * companies(s, np.int64(owner))
    if agents(s["employees"][space], c) > 0:
        worth += takeover[2]
    elif s["employees"][space] != 0:
        worth += takeover[3]
    return worth + takeover[4] * t["arrows_out"][space]


@jit
def worth(s, t, w, c, action, notes, plans):
    """Of an action outside the turn phase; only comparable with the others of the same decision."""
    if action >= PATENTS_NONE:
        return claim_worth(s, t, w, c, action)
    if action >= LOSE_PROBLEM:
        return -item_worth(s, t, w, c, t["problem_sphere"][action - LOSE_PROBLEM])
    if action >= LOSE_COMPANY:
        return -0.2 - item_worth(s, t, w, c, t["space_sphere"][t["barrier"][action - LOSE_COMPANY]])
    if action >= LAYOFF:
        return 1.0 if t["space_kind"][action - LAYOFF] == UNEMPLOYMENT else 0.0
    if action >= DEFUSE:
        return 1.0 if action >= DEFUSE_SPLAY else 0.0
    if action >= KILL:
        place = SLOTS + action - KILL
        return np.float64(all_agents(s["white"][place]) - 2 * agents(s["white"][place], c))
    if action >= SHOW:
        hue = action - SHOW
        value = prospect(s, t, w, c, companies(s, c), is_blocked(s, t, c), hue)
        if s["phase"] == IN_DISRUPTION:
            for other in range(COLORS):
                value += (-0.5 if other == c else 0.2) * s["patents"][other][hue]
        return value
    if action >= SQUARE:
        return 1.0 if (action - SQUARE) % COLORS == c else 0.0
    if action >= RELIEVE:
        place = action - RELIEVE
        mine = agents(s["white"][place], c) + (np.int64(s["black"][place]) >> c & 1)
        return np.float64(mine) + (0.5 if place >= SLOTS else 0.0) if mine > 0 else -1.0
    if action >= CLAIM:
        return item_worth(s, t, w, c, t["problem_sphere"][action - CLAIM])
    if action >= COMPANY:
        return space_worth(s, t, w, c, np.int64(t["barrier"][action - COMPANY]))
    if action >= OR:
        card = np.int64(s["card"][s["slot"]])
        icon = np.int64(t["first_icon"][card][s["impact"]]) + action - OR
        return icon_worth(s, t, w, c, companies(s, c), is_blocked(s, t, c), card, icon)
    if action >= SURGE:
        slot = action - SURGE
        finance = s["capital"][c] + s["wealth"][c] + s["debt"][c]
        value = min(6.0, card_worth(s, t, w, c, companies(s, c), is_blocked(s, t, c), slot))
        return w["swept"] * value - w["tied"] * (1 + open_white(s, t, slot)) if finance > 4 else -1.0
    if action >= SELL:
        return patent_value(s, t, action - SELL) - w["kept"]
    if action >= WORK:
        return work_worth(s, t, w, c, action - WORK)
    if action >= VIA:
        if action == VIA_PATENTS:
            return 0.0
        return 0.5 if action == VIA_TANK else 1.0
    if action >= SOURCE:
        return 1.0 if action == SOURCE_UNEMPLOYMENT else 0.0
    if action >= DIVEST_MARKET:
        return divest_worth(s, t, w, c, action, notes, plans[BEST])
    if action >= TO:
        slot = np.int64(s["slot"])
        return -plan_card(s, t, w, c, notes, plans[OTHER], slot, action - TO, ready_pairs(s, t, c), wage_of(s))
    if HIDE <= action < FUNDRAISE:
        value = 0.0
        for slot in range(SLOTS):
            card = s["card"][slot]
            if card < 0:
                continue
            for icon in range(t["first_icon"][card][t["impacts"][card]]):
                kind, subject = t["icon"][card][icon], np.int64(t["icon_of"][card][icon])
                if kind == COMPANY_STARTUP:
                    value += subject == action - HIDE
                elif kind == PROBLEM:
                    value += t["problem_sphere"][subject] == action - HIDE
        return value
    return -0.1 if action == COVER else 0.0


# The outlook


@jit
def dominance_lead(s, t, w, c, sphere):
    """How far a colour would be ahead after a tipping point if a sphere were dominant, or none (-1)."""
    own, best = 0.0, 0.0
    if sphere >= 0:
        own += 2.0 * holdings(s, t, c, sphere)
    if s["hidden"][c] >= 0:
        own += holdings(s, t, c, np.int64(s["hidden"][c]))
    for other in range(COLORS):
        if other == c or s["seat_of"][other] < 0:
            continue
        score = 0.0
        for k in range(HUES):
            score += (2.0 * (k == sphere) + w["guess"]) * holdings(s, t, np.int64(other), np.int64(k))
        best = max(best, score)
    return own - best


@jit
def put_prospects(s, t, w, c, notes, plan, out, k, promises):
    """What a colour could do if it were its turn: the effort of winning at once, and its two best plans.

    And by the slots of the market, from ``promises`` on, what a card is worth for its effort, if that is more than what
    stands there; as a logarithm, since a victory is worth hundreds of times as much as another card.

    Returns:
        Where the next number goes, and the slot of the card that would win, -1 if there is none.
    """
    survey(s, t, w, c, notes)
    own, blocked = companies(s, c), is_blocked(s, t, c)
    pairs, wage = ready_pairs(s, t, c), wage_of(s)
    best, second, effort_to_win, winner = 0.0, 0.0, REMOTE, -1
    for slot in range(SLOTS):
        card = np.int64(s["card"][slot])
        if card < 0 or t["kind"][card] == PLURALITY_CARD:
            continue
        value = card_worth(s, t, w, c, own, blocked, np.int64(slot))
        if value <= 0.0:
            continue
        effort = plan_card(s, t, w, c, notes, plan, slot, slot, pairs, wage)
        if effort >= FAR:
            continue
        if plan[NEEDED] > at_hand(s, t, c, plan):
            effort += 2.0
        rate = value / max(effort, QUICK)
        out[promises + slot] = max(math.log1p(rate) / 2.0, np.float64(out[promises + slot]))
        if value >= WIN:
            if effort < effort_to_win:
                effort_to_win, winner = effort, slot
        else:
            second = max(second, min(best, rate))
            best = max(best, rate)
    for value in (effort_to_win / 4.0, np.float64(winner >= 0), best / 4.0, second / 4.0):
        k = put(out, k, value)
    return k, winner


@jit
def put_party(s, t, w, c, notes, plan, out, k, promises):
    """The prospects and the standing of a colour; as ``put_prospects``."""
    k, winner = put_prospects(s, t, w, c, notes, plan, out, k, promises)
    k = put(out, k, companies(s, c) / 4.0)
    k = put(out, k, on_board(s, c) / 8.0)
    k = put(out, k, power_of(s, t, c) / 20.0)
    k = put(out, k, min(10.0, end_lead(s, t, w, c, False, np.int64(-1))) / 4.0)
    k = put(out, k, min(10.0, shock_lead(s, t, c, -1)) / 4.0)
    return k, winner


@jit
def look(states, i, tables, notes, out):
    """The outlook: numbers of the order of 1, from the view of the player to move; see ``agents.scripted.look``.

    Of each player in turn, the mover first: ``put_party``, and of the others whether they would win with the same card.
    Then how far the mover would be ahead at a tipping point, by dominant sphere; what else it has; the market. At last
    what every card promises the mover, and what it promises the one of the others who can make most of it.
    """
    rules, _, _, survey_notes, plans = notes
    s, t, w, plan = states[i], tables[0], rules[0], plans[OTHER]
    for k in range(OUTLOOK):
        out[k] = 0.0
    n, player = np.int64(s["num_players"]), np.int64(s["player"])
    c = np.int64(s["color_of"][player])
    _, winner = put_party(s, t, w, c, survey_notes, plan, out, np.int64(0), np.int64(PROMISES))
    for party in range(1, n):
        other = np.int64(s["color_of"][(player + party) % n])
        hidden = s["hidden"][other]
        s["hidden"][other] = -1  # for as long as it is looked at: what it prefers in secret is not to be seen
        first, promises = np.int64(PARTY_NUMBERS * party), np.int64(PROMISES + SLOTS)
        k, card = put_party(s, t, w, other, survey_notes, plan, out, first, promises)
        s["hidden"][other] = hidden
        out[k] = card >= 0 and card == winner
    k = PARTY_NUMBERS * COLORS
    for sphere in range(HUES):
        k = put(out, k, dominance_lead(s, t, w, c, np.int64(sphere)) / 4.0)
    k = put(out, k, dominance_lead(s, t, w, c, np.int64(-1)) / 4.0)
    for sphere in range(HUES):
        k = put(out, k, holdings(s, t, c, np.int64(sphere)) / 3.0)
        k = put(out, k, s["hidden"][c] == sphere)
        k = put(out, k, t["dominant"][s["regime"]] == sphere)
        k = put(out, k, s["patents"][c][sphere] / 3.0)
        k = put(out, k, survey_notes[OPEN, sphere] / 4.0)
    k = put(out, k, (n - 2) / 2.0)
    k = put(out, k, last_run(s) / 4.0)
    k = put(out, k, money_raised(s, c) / 10.0)
    k = put(out, k, s["capital"][c] / 8.0)
    k = put(out, k, s["debt"][c] / 8.0)
    k = put(out, k, s["pool"][c] / 8.0)
    k = put(out, k, s["decisions"] / 200.0)
    k = put(out, k, s["actions_left"] / 2.0)
    endings, backed, backed_by_others, heat, all_heat = 0, 0, 0, 0, 0
    for slot in range(SLOTS):
        if s["card"][slot] >= 0:
            endings += t["kind"][s["card"][slot]] == TIPPING_CARD
            backed += np.int64(s["syndicated"][slot]) >> c & 1
            backed_by_others += np.int64(s["syndicated"][slot]) & ~(1 << c) != 0
            heat += agents(s["white"][slot], c)
            all_heat += all_agents(s["white"][slot])
    staff, all_staff = 0, 0
    for space in range(SPACES):
        staff += agents(s["employees"][space], c)
        all_staff += all_agents(s["employees"][space])
    k = put(out, k, endings / 2.0)
    k = put(out, k, backed / 4.0)
    k = put(out, k, backed_by_others / 4.0)
    k = put(out, k, heat / 4.0)
    k = put(out, k, all_heat / 8.0)
    k = put(out, k, staff / 4.0)
    put(out, k, all_staff / 8.0)


@jit
def best_action(states, i, tables, notes, worths):
    """The action for the player to move in record ``i``.

    In a turn and while agents are divested, worths are the rates of plans, by their first steps.

    The notes are the rules; ``int16[num_actions]`` and ``uint8[num_actions]`` for the legal actions, as ids and (all 0,
    and left so) as flags; ``float64[SURVEY, HUES]`` for the survey, and ``float64[2, PLAN]`` for the best plan and
    another.
    """
    rules, actions, can, survey_notes, plans = notes
    s, t, w = states[i], tables[0], rules[0]
    c = np.int64(s["color_of"][s["player"]])
    count = legal(states, i, tables, actions)
    if count == 1:
        return np.int64(actions[0])
    if s["phase"] == IN_TURN:
        for k in range(count):
            can[actions[k]] = 1
        chosen = turn_action(s, t, w, c, actions, count, can, survey_notes, plans, worths)
        for k in range(count):
            can[actions[k]] = 0
        return chosen
    if s["phase"] == IN_DIVEST:
        for action in range(PLACATE):
            can[action] = 1
        make_plan(s, t, w, c, can, survey_notes, plans, worths)
        for action in range(PLACATE):
            can[action] = 0
    elif s["phase"] == IN_IMPORT_TO:
        survey(s, t, w, c, survey_notes)
    best, chosen = NEVER, np.int64(actions[0])
    for k in range(count):
        action = np.int64(actions[k])
        value = worth(s, t, w, c, action, survey_notes, plans)
        worths[action] = value
        if value > best:
            best, chosen = value, action
    return chosen


def make(game: Game, argument: str) -> Scripted:
    """See ``agents.load``."""
    notes = (
        np.zeros(game.num_actions, np.int16),
        np.zeros(game.num_actions, np.uint8),
        np.zeros((SURVEY, HUES)),
        np.zeros((2, PLAN)),
    )
    return Scripted("greedy", game, best_action, RULES, notes, Outlook(look, OUTLOOK))
