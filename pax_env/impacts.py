"""The impacts that more than one action performs, each with the choice it asks for. (G)

The acting party is ``acting_color``; the acting card is the one commercialized, the plurality card that was
researched, or the card drawn for an exoglobal. An impact ends with ``impact_done``, whoever began it.
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.abilities import abilities, has
from pax_env.actions import (
    CLAIM,
    COMPANY,
    DEFUSE,
    KILL,
    LAYOFF,
    LOSE_COMPANY,
    LOSE_PROBLEM,
    NONE,
    RELIEVE,
    SHOW,
    SQUARE,
)
from pax_env.constants import (
    BARRIERS,
    COLORS,
    PLACES,
    PROBLEMS,
    SLOTS,
    SPACES,
    End,
    Icon,
    Pending,
    Phase,
    Side,
    Skill,
    Zone,
)
from pax_env.ends import check_splay, finish
from pax_env.market import divest_heat, remove_cube
from pax_env.money import from_pool, take_home
from pax_env.state import (
    acting_color,
    ask_color,
    ask_turn_player,
    companies_of,
    has_employee,
    has_heat,
    in_game,
    open_black,
    packed_count,
)


@jit
def acting_card(s):
    """The card whose impacts are performed."""
    return np.int64(s["card"][s["slot"]]) if s["pending"] == Pending.COMMERCIALIZE else np.int64(s["pending_card"])


@jit
def current_icon(s, t):
    """The number, on the acting card, of the icon performed: of an "or" the chosen one. (G And/Or, K5e)"""
    if s["pending"] == Pending.EXO:
        return np.int64(s["impact"])
    return np.int64(t["first_icon"][acting_card(s)][s["impact"]]) + max(0, np.int64(s["option"]) - 1)


@jit
def impact_done(s):
    """The current impact is complete: the next one is due."""
    s["impact"] += 1
    s["option"] = 0
    s["phase"] = Phase.IMPACT


# Growth and problems


@jit
def grow(s, c):
    """A new agent to wealth, if the pool has one. (G1)"""
    if s["pool"][c] > 0:
        from_pool(s, c)


@jit
def claim_problem(s, c, problem):
    """Take a problem if it is in stock. (G2)"""
    if s["stock"][problem] > 0:
        s["stock"][problem] -= 1
        s["claimed"][c][problem] += 1


@jit
def begin_wild_problem(s):
    """Ask which problem, if there is any. (G2a)"""
    for problem in range(PROBLEMS):
        if s["stock"][problem] > 0:
            ask_turn_player(s, Phase.PROBLEM)
            return
    impact_done(s)


@jit
def legal_problem(s, actions):
    """Every problem in stock. (G2a)"""
    count = 0
    for problem in range(PROBLEMS):
        if s["stock"][problem] > 0:
            actions[count] = CLAIM + problem
            count += 1
    return count


@jit
def do_problem(s, action):
    """Claim it. (G2a)"""
    claim_problem(s, acting_color(s), action - CLAIM)
    impact_done(s)


# Company startup


@jit
def is_spot(s, t, space, c, card, icon):
    """Whether the current company icon lets colour c place a company on a space. (G3, G3d, P-23)

    An exoglobal's brash icon goes to the named barrier alone, unless its own company is there. (K6a, P-55)
    """
    brash = t["icon_brash"][card][icon]
    owner = s["company"][space]
    if s["exoglobal"][c] == 1 and brash >= 0 and s["company"][brash] != c:
        return space == brash
    if owner >= 0:
        return space == brash and owner != c
    side = t["space_side"][space]
    return t["space_sphere"][space] == t["icon_of"][card][icon] and (
        side == Side.BOTH or side == t["icon_side"][card][icon]
    )


@jit
def begin_company(s, t):
    """Ask for the spot; without a disk left, a mark for the tycoon or an own company to replace. (G3, P-24 to P-26)"""
    c = acting_color(s)
    card = acting_card(s)
    icon = current_icon(s, t)
    spots = 0
    for k in range(BARRIERS):
        if is_spot(s, t, np.int64(t["barrier"][k]), c, card, icon):
            spots += 1
    if spots == 0:
        impact_done(s)
    elif companies_of(s, c) < t["disks"]:
        ask_turn_player(s, Phase.COMPANY)
    elif is_tycoon_blocked(s, t, c):
        ask_turn_player(s, Phase.REPLACE)
    elif s["exoglobal"][c] == 1:
        s["winner"] = c
        finish(s, End.TYCOON)
    else:
        s["tycoon"] = 1
        impact_done(s)


@jit
def is_tycoon_blocked(s, t, c):
    """Whether another player's ability keeps colour c from winning as tycoon. (P-26)"""
    for other in range(COLORS):
        if other != c and s["seat_of"][other] >= 0 and has(abilities(s, t, other), Skill.TYCOON_BLOCK):
            return True
    return False


@jit
def legal_company(s, t, actions):
    """Every spot. (G3)"""
    c = acting_color(s)
    card = acting_card(s)
    icon = current_icon(s, t)
    count = 0
    for k in range(BARRIERS):
        if is_spot(s, t, np.int64(t["barrier"][k]), c, card, icon):
            actions[count] = COMPANY + k
            count += 1
    return count


@jit
def do_company(s, t, action):
    """Place the disk; a dislodged one returns to its owner, an employee stays. (G3a, G3d)"""
    s["company"][t["barrier"][action - COMPANY]] = acting_color(s)
    impact_done(s)


@jit
def legal_replace(s, t, actions):
    """Every company of the acting party. (P-26)"""
    return list_companies(s, t, actions, acting_color(s), np.int64(t["barriers"]))


@jit
def list_companies(s, t, actions, c, spaces):
    """List the companies of a colour on a mask of spaces as what is lost; returns how many they are."""
    count = 0
    for k in range(BARRIERS):
        space = t["barrier"][k]
        actions[count] = LOSE_COMPANY + k
        count += np.int64(s["company"][space] == c) & (spaces >> space)
    return count


@jit
def do_replace(s, t, action):
    """Remove it, then place the new one. (P-26)"""
    s["company"][t["barrier"][action - LOSE_COMPANY]] = -1
    ask_turn_player(s, Phase.COMPANY)


# Social resilience


@jit
def can_relieve(s, place):
    """Whether a cube can be divested from a place: not from the card commercialized. (G4, P-10)"""
    return place != s["slot"] and has_heat(s, place)


@jit
def begin_resilience(s):
    """Ask for a card with a cube, if there is one. (G4)"""
    for place in range(SLOTS + s["splay_length"]):
        if can_relieve(s, place):
            ask_turn_player(s, Phase.RELIEF)
            return
    impact_done(s)


@jit
def legal_relief(s, actions):
    """No relief, or a card with heat or future shock. (G4, P-31)"""
    actions[0] = NONE
    count = 1
    for place in range(PLACES):
        if can_relieve(s, place):
            actions[count] = RELIEVE + place
            count += 1
    return count


@jit
def do_relief(s, action):
    """Choose the card; the cube is next. (G4)"""
    if action == NONE:
        impact_done(s)
        return
    s["target"] = action - RELIEVE
    ask_turn_player(s, Phase.RELIEF_SQUARE)


@jit
def legal_relief_square(s, actions):
    """The cubes on the card, by square and owner. (G4)"""
    place = s["target"]
    count = 0
    for c in range(COLORS):
        if packed_count(s["white"][place], c) > 0:
            actions[count] = SQUARE + c
            count += 1
        if (s["black"][place] >> c) & 1:
            actions[count] = SQUARE + COLORS + c
            count += 1
    return count


@jit
def do_relief_square(s, action):
    """Divest the cube. (G4)"""
    remove_cube(s, np.int64(s["target"]), (action - SQUARE) // COLORS, (action - SQUARE) % COLORS)
    s["target"] = -1
    impact_done(s)


# Industry disruption


@jit
def legal_hues(s, t, actions):
    """The hues of the acting card, to show or to disrupt. (F3f, G5)"""
    card = acting_card(s)
    actions[0] = SHOW + t["left"][card]
    if t["right"][card] == t["left"][card]:
        return 1
    actions[1] = SHOW + t["right"][card]
    return 2


@jit
def do_disruption(s, action):
    """Patents of the hue go home; then a splay card that shows it must go. (G5a-b)"""
    hue = action - SHOW
    s["color"] = hue
    for c in range(COLORS):
        if s["patents"][c][hue] > 0:
            take_home(s, c, np.int64(s["patents"][c][hue]))
            s["patents"][c][hue] = 0
    for k in range(s["splay_length"]):
        if s["visible"][k] == hue:
            ask_turn_player(s, Phase.SPLAY_KILL)
            return
    disruption_done(s)


@jit
def legal_splay_kill(s, actions):
    """Splay cards that show the disruptive hue. (G5b)"""
    count = 0
    for k in range(s["splay_length"]):
        if s["visible"][k] == s["color"]:
            actions[count] = KILL + k
            count += 1
    return count


@jit
def do_splay_kill(s, action):
    """Discard the card, its cubes divested. In an exoglobal's turn the splay is checked at once. (G5b, P-51)"""
    k = action - KILL
    place = SLOTS + k
    divest_heat(s, place)
    s["zone"][s["card"][place]] = Zone.DISCARD
    last = np.int64(s["splay_length"]) - 1
    for n in range(k, last):
        s["card"][SLOTS + n] = s["card"][SLOTS + n + 1]
        s["white"][SLOTS + n] = s["white"][SLOTS + n + 1]
        s["black"][SLOTS + n] = s["black"][SLOTS + n + 1]
        s["visible"][n] = s["visible"][n + 1]
    s["card"][SLOTS + last] = -1
    s["white"][SLOTS + last] = 0
    s["black"][SLOTS + last] = 0
    s["visible"][last] = -1
    s["splay_length"] = last
    if s["pending"] == Pending.EXO and check_splay(s):
        return
    disruption_done(s)


@jit
def disruption_done(s):
    """The hue stays set for the orientation of a commercialized card; an exoglobal's is forgotten. (F3f note)"""
    if s["pending"] == Pending.EXO:
        s["color"] = -1
    impact_done(s)


# Recession


@jit
def next_recession_victim(s):
    """The next party, in player order, that must lose an employee (an exoglobal: a company). (G6, P-27, P-50)"""
    for c in range(np.int64(s["victim"]) + 1, COLORS):
        if (s["seat_of"][c] >= 0 and has_employee(s, c)) or (s["exoglobal"][c] == 1 and companies_of(s, c) > 0):
            s["victim"] = c
            ask_color(s, Phase.RECESSION, c)
            return
    s["victim"] = -1
    s["player"] = s["turn"]
    impact_done(s)


@jit
def legal_recession(s, t, actions):
    """The victim's employees by space; an exoglobal's companies. (G6, K5 note)"""
    victim = np.int64(s["victim"])
    if s["exoglobal"][victim] == 1:
        return list_companies(s, t, actions, victim, np.int64(t["barriers"]))
    count = 0
    for space in range(SPACES):
        actions[count] = LAYOFF + space
        count += packed_count(s["employees"][space], victim) > 0
    return count


@jit
def do_recession(s, t, action):
    """The employee goes to the pool, not home. An exoglobal's icon strikes the human alone. (G6, P-50)"""
    victim = np.int64(s["victim"])
    if s["exoglobal"][victim] == 1:
        s["company"][t["barrier"][action - LOSE_COMPANY]] = -1
    else:
        s["employees"][action - LAYOFF] -= 1 << (4 * victim)
        s["pool"][victim] += 1
    if s["pending"] == Pending.EXO:
        s["victim"] = -1
        impact_done(s)
    else:
        s["phase"] = Phase.NEXT_RECESSION


# Defusal growth


@jit
def begin_defusal(s, t):
    """Ask for an open black square, if there is one and an agent for it. (G7, P-31)"""
    if s["pool"][acting_color(s)] > 0:
        for place in range(SLOTS + s["splay_length"]):
            if can_defuse(s, t, place):
                ask_turn_player(s, Phase.DEFUSE)
                return
    impact_done(s)


@jit
def can_defuse(s, t, place):
    """Whether the card at a place has an open black square; the acting card's too. (G7, P-10)"""
    return s["card"][place] >= 0 and open_black(s, t, place)


@jit
def legal_defuse(s, t, actions):
    """Every open black square, in market and splay. (G7)"""
    count = 0
    for place in range(PLACES):
        if can_defuse(s, t, place):
            actions[count] = DEFUSE + place
            count += 1
    return count


@jit
def do_defuse(s, action):
    """An agent from the pool covers it. (G7)"""
    c = acting_color(s)
    s["pool"][c] -= 1
    s["black"][action - DEFUSE] = 1 << c
    impact_done(s)


# Nuclear exchange


@jit
def exchange_sphere(s, t):
    """The sphere of the exchange that is under way: of the current icon, or of the card an exoglobal commercializes."""
    if s["pending"] == Pending.EXO and s["slot"] >= 0:
        card = np.int64(s["card"][s["slot"]])
        return np.int64(t["icon_of"][card][exchange_icon(t, card)])
    return np.int64(t["icon_of"][acting_card(s)][current_icon(s, t)])


@jit
def exchange_icon(t, card):
    """The first nuclear exchange on a card, -1 if it has none. (P-48)"""
    for icon in range(t["first_icon"][card][t["impacts"][card]]):
        if t["icon"][card][icon] == Icon.NUCLEAR_EXCHANGE:
            return icon
    return -1


@jit
def losses_of(s, t, c):
    """Open black squares in the splay less those colour c has covered. (G8, P-28)"""
    losses = 0
    for place in range(SLOTS, SLOTS + s["splay_length"]):
        if open_black(s, t, place):
            losses += 1
        elif (s["black"][place] >> c) & 1:
            losses -= 1
    return losses


@jit
def holdings_of(s, t, c, sphere):
    """How many companies and problems colour c has in a sphere. (G8)"""
    count = 0
    for k in range(t["spaces_in"][sphere]):
        if s["company"][t["space_in"][sphere][k]] == c:
            count += 1
    for problem in range(PROBLEMS):
        if t["problem_sphere"][problem] == sphere:
            count += np.int64(s["claimed"][c][problem])
    return count


@jit
def lose_everything(s, t, c, sphere):
    """All companies and problems of colour c in a sphere go, its employees stay. (P-29, P-30)"""
    for k in range(t["spaces_in"][sphere]):
        space = t["space_in"][sphere][k]
        if s["company"][space] == c:
            s["company"][space] = -1
    for problem in range(PROBLEMS):
        if t["problem_sphere"][problem] == sphere:
            s["stock"][problem] += s["claimed"][c][problem]
            s["claimed"][c][problem] = 0


@jit
def next_exchange_victim(s, t):
    """Each party in player order loses all it must without a choice, until one has a choice. (G8, P-27, P-30)"""
    sphere = exchange_sphere(s, t)
    for c in range(np.int64(s["victim"]) + 1, COLORS):
        if not in_game(s, c):
            continue
        losses = losses_of(s, t, c)
        holdings = holdings_of(s, t, c, sphere)
        if losses <= 0 or holdings == 0:
            continue
        if losses < holdings:
            s["victim"] = c
            s["losses"] = losses
            ask_color(s, Phase.EXCHANGE, c)
            return
        lose_everything(s, t, c, sphere)
    s["victim"] = -1
    s["player"] = s["turn"]
    if s["pending"] == Pending.EXO and s["slot"] >= 0:
        s["phase"] = Phase.EXO_SPLAYED
    else:
        impact_done(s)


@jit
def legal_exchange(s, t, actions):
    """The victim's companies and problems in the sphere. (G8)"""
    victim = np.int64(s["victim"])
    sphere = exchange_sphere(s, t)
    count = list_companies(s, t, actions, victim, np.int64(t["workplaces"][sphere]))
    for problem in range(PROBLEMS):
        actions[count] = LOSE_PROBLEM + problem
        count += np.int64(t["problem_sphere"][problem] == sphere) & np.int64(s["claimed"][victim][problem] > 0)
    return count


@jit
def do_exchange(s, t, action):
    """Lose it; the next party follows when all losses are taken. (G8, P-29)"""
    if action < LOSE_PROBLEM:
        s["company"][t["barrier"][action - LOSE_COMPANY]] = -1
    else:
        s["claimed"][s["victim"]][action - LOSE_PROBLEM] -= 1
        s["stock"][action - LOSE_PROBLEM] += 1
    s["losses"] -= 1
    if s["losses"] == 0:
        s["phase"] = Phase.NEXT_EXCHANGE
