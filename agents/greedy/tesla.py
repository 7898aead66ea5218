"""Greedy for Tesla vs. Edison: in every decision the action that is worth most by rules of thumb, counted in points.

A point is a point of the final score. What is worth something is a spot on the stock track, by the certificates held
and by the profit it will bring; money, by what can still be done with it; technology, by the projects in its reach;
fame, by the spots it will bring. All of that lies open; of what is yet to be revealed nothing is looked at.
"""

from __future__ import annotations

import numpy as np

from agents.scripted import Rules, Scripted
from core import registry
from core.game import Game
from core.jit import jit

__all__ = ["RULES", "make"]

TESLA = registry.game_class("tesla")
STANDARD = registry.game("tesla")
ACTIONS = STANDARD.action_layout
SEATS = TESLA.parties
NOBODY = -1

DRAFT, AUCTION, BID, USE, CLAIM, ADVANCE, FILE, FAME, CURRENT, CARD, BUY, SELL = (
    ACTIONS.start(block)
    for block in (
        "draft", "auction", "bid", "use", "claim", "advance", "file", "fame", "current", "card", "buy", "sell",
    )
)  # fmt: skip
PASS, PROPAGANDA, MARKET, EXHAUST, SKIP, DONE = (
    ACTIONS.id(name) for name in ("pass", "propaganda", "market", "exhaust", "skip", "done")
)
INVENTORS = AUCTION - DRAFT
LUMINARIES = CLAIM - USE
PROJECTS = (ADVANCE - CLAIM) // 2
MOST_BID = PASS - BID
MOST_STEPS = (SKIP - CURRENT) // 2
IN_DRAFT, IN_AUCTION, IN_BID, IN_MOVE, IN_CARD, IN_CARD_MOVE, IN_MARKET = (
    np.int64(TESLA.phases.index(word)) for word in ("draft", "auction", "bid", "move", "card", "card_move", "market")
)
AC, BULB, DC = (np.int64(k) for k in range(3))
INVENTION, MANUFACTURING, FINANCE, FAMOUS = range(4)
NOT_TRADED, BOUGHT, SOLD = range(3)
FAME_CARD, CURRENT_CARD = (np.int64(k) for k in range(2))
TURNS = 6
NEVER = -1e9


def ability(company: str) -> int:
    """The number of a company's ability in the tables."""
    return int(STANDARD.tables[0]["ability"][ACTIONS.id(f"draft:{company}") - DRAFT])


ARC_LIGHT, ENTERPRISING, WORLDLY, VISIONARY, INDUSTRIOUS = (
    np.int64(ability(company)) for company in ("brush", "edison", "maxim", "tesla", "thomson")
)

# Rules of thumb, in points unless said otherwise

RULES: Rules = {
    "money": (3.5, 2.8, 2.2, 1.7, 1.4, 1.15),
    "spare": 0.02,
    "scarce": 2.0,
    "useful": 0.4,
    "income": (7.0, 5.0, 3.5, 2.0, 0.9, 0.0),
    "growth": (34.0, 30.0, 25.0, 18.0, 10.0, 4.0),
    "promise": 1.0,
    "rivalry": 1.0,
    "reach": (1.0, 0.3, 0.0),
    "claims": 0.5,
    "crowd": 0.3,
    "contest": 2.0,
    "network": 0.2,
    "lead_now": 0.7,
    "lead": (0.4, 0.2),
    "favoured_now": 0.8,
    "favoured": 0.35,
    "tilt": 0.12,
    "tuned": 0.25,
    "fee": 0.3,
    "busy": 15.0,
    "idle": (3.0, 3.0, 2.0, 2.0),
    "later_move": 0.6,
    "rating": ((3.0, 3.0, 3.0, 3.0), (3.0, 3.0, 4.0, 3.0), (2.0, 2.0, 5.0, 3.0)),
    "certificate": 0.6,
    "bid": 1.0,
    "purse": (0.6, 0.6, 0.7),
    "inventor": (0.0, 0.0, 0.0, 0.0, 0.0),
}

DESK = np.dtype(
    [
        ("points", "f8", (SEATS,)),
        ("growth", "f8", (SEATS,)),
        ("project", "f8", (PROJECTS,)),
        ("rivals", "i8", (PROJECTS,)),
        ("move", "f8", (2, MOST_STEPS + 1)),
        ("move_action", "i8", (2, MOST_STEPS + 1)),
        ("spots", "f8", (SEATS,)),
        ("advance", "f8", (3, 6)),
        ("file", "f8", (3, 6)),
        ("price", "i8", (SEATS,)),
        ("shares", "i8", (SEATS,)),
        ("market", "i8", (SEATS,)),
        ("traded", "i8", (SEATS,)),
        ("future", "i8", (SEATS,)),
        ("luminary", "f8", (LUMINARIES,)),
        ("cash", "i8"),
        ("money", "f8"),
    ]
)
"""What a decision is worked out on."""


# What things are worth


@jit
def game_phase(turn):
    return (np.int64(turn) + 1) // 2


@jit
def count(mask):
    m = np.int64(mask)
    total = 0
    while m != 0:
        m &= m - 1
        total += 1
    return total


@jit
def hands(s, seat):
    """Luminaries that can still act this turn, those of the action under way included."""
    return np.int64(s["ready"][seat]) | np.int64(s["selected"][seat])


@jit
def actions_left(s, seat):
    """Luminaries to act until the end of the game."""
    left = count(hands(s, seat))
    for turn in range(s["turn"] + 1, TURNS + 1):
        left += game_phase(turn) + 1
    return left


@jit
def spots_left(s):
    """Spots that the leader of a fame track gains after this turn."""
    left = 0
    for turn in range(s["turn"] + 1, TURNS + 1):
        left += game_phase(turn)
    return left


@jit
def weigh_money(s, t, w, d):
    """Note what a thousand dollars is worth: less when there is more of it than certificates to buy."""
    supply, demand = 0.0, 0.0
    for seat in range(s["num_players"]):
        price = np.int64(s["price"][seat])
        supply += (s["market"][seat] + s["aside"][seat]) * price
        demand += s["cash"][seat] + (TURNS - s["turn"]) * t["profit"][price]
    short = min(1.0, w["scarce"] * supply / max(1.0, demand))
    d["money"] = w["money"][s["turn"] - 1] * (w["useful"] + (1.0 - w["useful"]) * short)


@jit
def money_worth(s, w, d, seat):
    """Of a thousand dollars once the action under way is done."""
    if s["turn"] == TURNS and count(hands(s, seat)) <= 1:
        return w["spare"]
    return d["money"]


@jit
def stake(s, t, holder, company):
    """Certificates held, as they count in the end."""
    held = np.float64(s["shares"][holder, company])
    if holder == company:
        held += t["preferred_worth"]
    return held


@jit
def weigh_companies(s, t, w, d, seat):
    """Note what a spot of each company's stock is worth."""
    rivals = w["rivalry"] / (s["num_players"] - 1)
    income = w["income"][s["turn"] - 1]
    for company in range(s["num_players"]):
        worth = 0.0
        for holder in range(s["num_players"]):
            worth += stake(s, t, holder, company) * (1.0 if holder == seat else -rivals)
        worth += income if company == seat else -rivals * income
        d["points"][company] = worth


@jit
def climb(t, price, spots):
    """Spots by which a price really rises."""
    return min(np.int64(t["price_max"]), price + spots) - price


@jit
def standing(s, seat):
    """How far the technology of a company is."""
    return s["tech"][seat, BULB] + max(s["tech"][seat, AC], s["tech"][seat, DC])


@jit
def weigh_growth(s, w, d):
    """Note how many spots each company's stock may still rise."""
    n = np.int64(s["num_players"])
    mean = 0.0
    for company in range(n):
        mean += standing(s, company) / n
    for company in range(n):
        d["growth"][company] = w["growth"][s["turn"] - 1] + w["promise"] * (standing(s, company) - mean)


@jit
def missing(level, ac, bulb, dc):
    """Levels of technology that a project is out of reach."""
    return max(0, level - bulb) + max(0, level - max(ac, dc))


@jit
def weigh_projects(s, t, w, d, seat):
    """Note how many rivals could claim each project at once, and what it is worth to a company that can."""
    n = np.int64(s["num_players"])
    g = game_phase(s["turn"])
    for k in range(t["in_play_count"][n]):
        project = np.int64(t["in_play"][n, k])
        d["project"][project] = 0.0
        if s["owner"][project] != NOBODY:
            continue
        rivals = 0
        for other in range(n):
            tech = s["tech"][other]
            if other != seat and missing(t["project_level"][project], tech[AC], tech[BULB], tech[DC]) == 0:
                rivals += 1
        d["rivals"][project] = rivals
        cost = t["project_cost"][project] + g * np.int64(s["between"][seat, t["project_city"][project]])
        worth = t["project_gain"][project] * d["points"][seat] - d["money"] * cost
        d["project"][project] = max(0.0, worth / (1.0 + w["crowd"] * rivals))


@jit
def potential(s, t, w, d, seat, ac, bulb, dc):
    """Of the projects in reach with such technology."""
    n = np.int64(s["num_players"])
    total, projects = 0.0, 0.0
    for k in range(t["in_play_count"][n]):
        project = np.int64(t["in_play"][n, k])
        short = missing(t["project_level"][project], ac, bulb, dc)
        if short <= 2 and d["project"][project] > 0.0:
            total += w["reach"][short] * d["project"][project]
            projects += w["reach"][short]
    most = w["claims"] * actions_left(s, seat)
    return total * most / (most + projects)


@jit
def helps(s, t, seat, ability):
    """Whether the company has an ability that its inventor has not lost this turn."""
    company = np.int64(s["company"][seat])
    return t["ability"][company] == ability and s["exhausted"][seat] >> company & 1 == 0


@jit
def is_inventor(t, luminary, ability):
    return luminary < INVENTORS and t["ability"][luminary] == ability


# Claims


@jit
def fee(s, t, seat, track):
    """What a rival's patent costs."""
    level = np.int64(s["tech"][seat, track])
    holder = s["patent"][track, level]
    if holder == NOBODY or holder == seat or helps(s, t, seat, ENTERPRISING):
        return 0
    return level


@jit
def nearer(s, t, seat, project):
    """How much nearer a claim brings the other projects."""
    n = np.int64(s["num_players"])
    base = np.int64(t["project_city"][project])
    total = 0
    for k in range(t["in_play_count"][n]):
        other = np.int64(t["in_play"][n, k])
        if s["owner"][other] == NOBODY and other != project:
            city = np.int64(t["project_city"][other])
            way = np.int64(s["between"][seat, city]) if s["claims"][seat] > 0 else 4
            total += max(0, way - np.int64(t["between"][n, base, city]))
    return total


@jit
def best_claim(s, t, w, d, seat, luminary):
    """The claim that is worth most: ``(worth, action)``."""
    n = np.int64(s["num_players"])
    g = game_phase(s["turn"])
    money = money_worth(s, w, d, seat)
    rivals = w["rivalry"] / (n - 1)
    price = np.int64(s["price"][seat])
    bulb = s["tech"][seat, BULB] + (1 if is_inventor(t, luminary, ARC_LIGHT) else 0)
    discount = g * np.int64(t["rating"][luminary, FINANCE])
    bulb_fee = fee(s, t, seat, BULB)
    best, chosen = NEVER, EXHAUST
    for power in range(2):
        track = AC if power == 0 else DC
        fees = bulb_fee + fee(s, t, seat, track)
        extra = np.int64(t["current_gain"][power, s["current"] + t["current_gain"].shape[1] // 2])
        for k in range(t["in_play_count"][n]):
            project = np.int64(t["in_play"][n, k])
            level = np.int64(t["project_level"][project])
            if level > bulb or level > s["tech"][seat, track]:
                break
            if s["owner"][project] != NOBODY:
                continue
            penalty = g * np.int64(s["between"][seat, t["project_city"][project]])
            if is_inventor(t, luminary, WORLDLY):
                penalty = (penalty + 1) // 2
            cost = max(0, np.int64(t["project_cost"][project]) + penalty - discount) + fees
            if cost > s["cash"][seat]:
                continue
            gain = climb(t, price, max(0, np.int64(t["project_gain"][project]) + extra))
            worth = gain * d["points"][seat] - money * (cost + rivals * fees)
            worth += w["contest"] * d["rivals"][project] + w["network"] * money * nearer(s, t, seat, project)
            if worth > best:
                best, chosen = worth, CLAIM + 2 * project + power
    return best, chosen


# Technology


@jit
def top_patent(s, track):
    """Who holds the highest patent of a technology."""
    for level in range(s["patent"].shape[1] - 1, 1, -1):
        if s["patent"][track, level] != NOBODY:
            return np.int64(s["patent"][track, level])
    return np.int64(NOBODY)


@jit
def favour(s, w, track, current):
    """Spots that the highest patent of a technology is still to bring, with the AC/DC marker on some position."""
    if track == BULB:
        return 0.0
    side = current if track == AC else -current
    now = w["favoured_now"] * game_phase(s["turn"]) if side >= 0 else 0.0
    return now + w["favoured"] * spots_left(s) * min(1.0, max(0.0, 0.5 + w["tilt"] * side))


@jit
def weigh_advances(s, t, w, d, seat):
    """Note what each level of technology is worth, without and with its patent."""
    tech = s["tech"][seat]
    money = d["money"]
    before = potential(s, t, w, d, seat, np.int64(tech[AC]), np.int64(tech[BULB]), np.int64(tech[DC]))
    for track in range(3):
        top = top_patent(s, track)
        spots = favour(s, w, track, np.int64(s["current"]))
        for level in range(tech[track] + 1, t["top"][track] + 1):
            after = potential(
                s, t, w, d, seat,
                level if track == AC else np.int64(tech[AC]),
                level if track == BULB else np.int64(tech[BULB]),
                level if track == DC else np.int64(tech[DC]),
            )  # fmt: skip
            worth = after - before
            d["advance"][track, level] = worth
            worth += climb(t, np.int64(s["price"][seat]), level) * d["points"][seat]
            higher = True
            for other in range(level, s["patent"].shape[1]):
                if s["patent"][track, other] != NOBODY:
                    higher = False
            if higher and top != seat:
                worth += spots * (d["points"][seat] - (d["points"][top] if top != NOBODY else 0.0))
            d["file"][track, level] = worth + w["fee"] * money * level


@jit
def idle_worth(t, w, luminaries):
    """Of luminaries that are spared for other actions."""
    worth = 0.0
    for k in range(LUMINARIES):
        if luminaries >> k & 1:
            worth += w["busy"]
            for rating in range(4):
                worth += w["idle"][rating] * t["rating"][k, rating]
    return worth


@jit
def best_advance(s, t, w, d, seat, team):
    """The advance that is worth most to a team of luminaries: ``(worth, action)``."""
    company = np.int64(s["company"][seat])
    invention, manufacturing, finance = 0, 0, 0
    for k in range(LUMINARIES):
        if team >> k & 1:
            invention += t["rating"][k, INVENTION]
            manufacturing += t["rating"][k, MANUFACTURING]
            finance += t["rating"][k, FINANCE]
    if helps(s, t, seat, INDUSTRIOUS) and team & ~(1 << company) != 0:
        manufacturing = 100
    if helps(s, t, seat, ENTERPRISING):
        finance = 100
    visionary = t["ability"][company] == VISIONARY and team >> company & 1 == 1
    best, chosen = NEVER, EXHAUST
    for track in range(3):
        to_invent, to_make, to_pay = 0, 0, 0
        for level in range(s["tech"][seat, track] + 1, t["top"][track] + 1):
            need = t["need"][track, level]
            to_make += need[MANUFACTURING]
            to_pay += need[FINANCE]
            own = 0 if visionary and track == AC else need[INVENTION]
            if invention < to_invent + own or manufacturing < to_make:
                break
            to_invent += need[INVENTION]
            if d["advance"][track, level] > best:
                best, chosen = d["advance"][track, level], ADVANCE + 4 * track + level - 2
            if finance >= to_pay and s["patent"][track, level] == NOBODY and d["file"][track, level] > best:
                best, chosen = d["file"][track, level], FILE + 4 * track + level - 2
    return best, chosen


# Propaganda


@jit
def fame_worth(s, w, d):
    """Of the spots that fame will bring, with the future markers as on the desk."""
    now, later = w["lead_now"] * game_phase(s["turn"]), spots_left(s)
    worth = 0.0
    for seat in range(s["num_players"]):
        rank = 0
        for other in range(s["num_players"]):
            if d["future"][other] < d["future"][seat]:
                rank += 1
        if rank == 0:
            worth += d["points"][seat] * (now + later * w["lead"][0])
        elif rank == 1:
            worth += d["points"][seat] * later * w["lead"][1]
    return worth


@jit
def displace(s, d, seat, steps):
    """Move a marker up on the desk, and shift those packed behind its target; no spot is ever pushed off the track."""
    for other in range(s["num_players"]):
        d["future"][other] = s["future"][other]
    spot = d["future"][seat] - steps
    back = 1 if steps > 0 else -1
    moving = seat
    for _ in range(s["num_players"]):
        pushed = NOBODY
        for other in range(s["num_players"]):
            if other != moving and d["future"][other] == spot:
                pushed = other
        d["future"][moving] = spot
        if pushed == NOBODY:
            break
        moving = pushed
        spot += back


@jit
def current_worth(s, t, w, d, current):
    """Of the AC/DC marker on some position."""
    worth = 0.0
    for track in (AC, DC):
        top = top_patent(s, track)
        if top != NOBODY:
            worth += d["points"][top] * favour(s, w, track, current)
    at = current + t["current_gain"].shape[1] // 2
    for seat in range(s["num_players"]):
        ac, dc = s["tech"][seat, AC], s["tech"][seat, DC]
        gain = t["current_gain"][0 if ac > dc else 1, at]
        if ac == dc:
            gain = max(t["current_gain"][0, at], t["current_gain"][1, at])
        worth += w["tuned"] * actions_left(s, seat) * d["points"][seat] * gain
    return worth


@jit
def weigh_moves(s, t, w, d):
    """Note the best move of each track, and what it is worth, for each number of steps allowed."""
    for limit in range(MOST_STEPS + 1):
        for track in range(2):
            d["move"][track, limit] = 0.0
            d["move_action"][track, limit] = SKIP
    for seat in range(s["num_players"]):
        d["future"][seat] = s["future"][seat]
    fame = fame_worth(s, w, d)
    current = current_worth(s, t, w, d, np.int64(s["current"]))
    for k in range(2 * MOST_STEPS):
        steps = k + 1 if k < MOST_STEPS else MOST_STEPS - k - 1
        for seat in range(s["num_players"]):
            spot = s["future"][seat] - steps
            if 1 <= spot <= t["spots"]:
                displace(s, d, seat, steps)
                action = FAME + 2 * MOST_STEPS * np.int64(s["company"][seat]) + k
                note_move(d, FAME_CARD, abs(steps), fame_worth(s, w, d) - fame, action)
        marker = s["current"] + steps
        if t["current_min"] <= marker <= t["current_max"]:
            note_move(d, CURRENT_CARD, abs(steps), current_worth(s, t, w, d, marker) - current, CURRENT + k)


@jit
def note_move(d, track, steps, worth, action):
    for limit in range(steps, MOST_STEPS + 1):
        if worth > d["move"][track, limit]:
            d["move"][track, limit] = worth
            d["move_action"][track, limit] = action


@jit
def best_move(d, limit):
    """The move of any marker that is worth most: ``(worth, action)``."""
    track = FAME_CARD if d["move"][FAME_CARD, limit] >= d["move"][CURRENT_CARD, limit] else CURRENT_CARD
    return d["move"][track, limit], d["move_action"][track, limit]


@jit
def best_card(s, t, w, d, seat):
    """The revealed card that is worth most with its move: ``(worth, action)``."""
    best, chosen = NEVER, np.int64(SKIP)
    money = money_worth(s, w, d, seat)
    cards = np.int64(s["cards"])
    for card in range(BUY - CARD):
        if cards >> card & 1:
            worth = (
                w["later_move"] * d["move"][t["card_track"][card], t["card_steps"][card]] + money * t["card_cash"][card]
            )
            if worth > best:
                best, chosen = worth, CARD + card
    return best, chosen


@jit
def propaganda_worth(s, t, w, d, seat, luminary, card):
    """Of propaganda by a luminary, if the best card is worth so much."""
    rating = np.int64(t["rating"][luminary, FAMOUS])
    if rating == 0 and s["cards"] == 0:
        return NEVER
    worth, _ = best_move(d, rating)
    if s["cards"] != 0:
        worth += card + money_worth(s, w, d, seat) * game_phase(s["turn"]) * t["rating"][luminary, FINANCE]
    return worth


# The stock market


@jit
def lay_out(s, d, seat):
    """Copy to the desk what trades change."""
    d["cash"] = s["cash"][seat]
    for company in range(s["num_players"]):
        d["spots"][company] = d["points"][company]
        d["price"][company] = s["price"][company]
        d["shares"][company] = s["shares"][seat, company]
        d["market"][company] = s["market"][company]
        d["traded"][company] = s["traded"][company]


@jit
def best_trade(s, t, w, d, seat, bonus, money):
    """The trade on the desk that is worth most with money at a price: ``(worth, company, BOUGHT or SOLD)``."""
    best, chosen, side = NEVER, -1, NOT_TRADED
    for company in range(s["num_players"]):
        price = d["price"][company]
        cost = max(0, price - bonus)
        final = price + d["growth"][company]
        if (
            d["market"][company] > 0
            and cost <= d["cash"]
            and d["traded"][company] != SOLD
            and (company == seat or d["shares"][company] < t["rival_limit"])
        ):
            up = climb(t, price, game_phase(s["turn"]))
            worth = final + up * (d["spots"][company] + 1.0) - money * cost
            if worth > best:
                best, chosen, side = worth, company, BOUGHT
        if d["shares"][company] > 0 and d["traded"][company] != BOUGHT:
            down = price - t["left"][price]
            worth = money * (price + bonus) - final - down * (d["spots"][company] - 1.0)
            if worth > best:
                best, chosen, side = worth, company, SOLD
    return best, chosen, side


@jit
def trade(s, t, d, bonus, company, side):
    """Carry out a trade on the desk; returns the money it brings."""
    price = d["price"][company]
    one = 1 if side == BOUGHT else -1
    d["market"][company] -= one
    d["shares"][company] += one
    d["spots"][company] += one
    d["traded"][company] = side
    if side == BOUGHT:
        d["price"][company] = price + climb(t, price, game_phase(s["turn"]))
        money = -max(0, price - bonus)
    else:
        d["price"][company] = t["left"][price]
        money = price + bonus
    d["cash"] += money
    return money


@jit
def market_visit(s, t, w, d, seat, luminary):
    """A visit to the stock market by a luminary: ``(worth, first trade)``; ``DONE`` is worth 0."""
    lay_out(s, d, seat)
    bonus = game_phase(s["turn"]) * np.int64(t["rating"][luminary, FINANCE])
    left = money_worth(s, w, d, seat)
    money = d["money"]
    must = True
    for company in range(s["num_players"]):
        if d["traded"][company] != NOT_TRADED:
            must = False
    total, first = 0.0, np.int64(DONE)
    for _ in range(40):
        worth, company, side = best_trade(s, t, w, d, seat, bonus, money)
        if worth <= 0.0 and left < money:
            # nothing better to do with the money
            money = left
            continue
        if company < 0 or (worth <= 0.0 and not must):
            break
        if first == DONE:
            first = (BUY if side == BOUGHT else SELL) + np.int64(s["company"][company])
        must = False
        gain = trade(s, t, d, bonus, company, side)
        total += worth + (left - money) * gain
    return total if first != DONE else NEVER, first


# The decisions


@jit
def best_act(s, t, w, d, seat):
    """What to do with the luminaries that can act: the next ``use`` or action."""
    selected, ready = np.int64(s["selected"][seat]), np.int64(s["ready"][seat])
    pool = selected | ready
    weigh_projects(s, t, w, d, seat)
    weigh_advances(s, t, w, d, seat)
    card, _ = best_card(s, t, w, d, seat)
    best, chosen = NEVER, np.int64(EXHAUST)
    for luminary in range(LUMINARIES):
        one = 1 << luminary
        if pool & one == 0 or (selected != 0 and selected != one):
            continue
        cost = idle_worth(t, w, one)
        worth, action = best_claim(s, t, w, d, seat, luminary)
        famous = propaganda_worth(s, t, w, d, seat, luminary, card)
        if famous > worth:
            worth, action = famous, PROPAGANDA
        visit, _ = market_visit(s, t, w, d, seat, luminary)
        if visit > worth:
            worth, action = visit, MARKET
        if worth < 0.0:
            worth, action = 0.0, EXHAUST
        if worth - cost > best:
            best, chosen = worth - cost, USE + luminary if selected == 0 else action
    helpers = ready
    while True:
        team = selected | helpers
        if team != 0:
            worth, action = best_advance(s, t, w, d, seat, team)
            worth -= idle_worth(t, w, team)
            if worth > best:
                best, chosen = worth, action
                if helpers != 0:
                    first = 0
                    while helpers >> first & 1 == 0:
                        first += 1
                    chosen = USE + first
        if helpers == 0:
            break
        helpers = (helpers - 1) & ready
    return chosen


@jit
def weigh_luminaries(s, t, w, d):
    """Note what each luminary is worth, with the certificate on it, in money."""
    phase = game_phase(s["turn"]) - 1
    for luminary in range(LUMINARIES):
        worth = 0.0
        for rating in range(4):
            worth += w["rating"][phase, rating] * t["rating"][luminary, rating]
        if luminary >= INVENTORS and s["certificate"][luminary - INVENTORS] != NOBODY:
            company = np.int64(s["certificate"][luminary - INVENTORS])
            worth += w["certificate"] * (s["price"][company] + d["growth"][company]) / d["money"]
        d["luminary"][luminary] = worth


@jit
def best_of(d, luminaries, below):
    """The one of some luminaries that is worth most, less than ``below``."""
    best, chosen = NEVER, INVENTORS
    for luminary in range(LUMINARIES):
        if luminaries >> luminary & 1 and below > d["luminary"][luminary] > best:
            best, chosen = d["luminary"][luminary], luminary
    return best, chosen


@jit
def hire(s, w, d, seat):
    """The luminary to put up, or the bid for it.

    A bid is one more than the last, up to what the luminary is worth more than the one that would be had for nothing.
    """
    offer = np.int64(s["offer"])
    below = -NEVER
    for other in range(s["num_players"]):
        if s["acquired"][other] == 0:
            worth, chosen = best_of(d, offer, below)
            if s["phase"] == IN_AUCTION:
                return AUCTION + chosen - INVENTORS
            below = max(0.0, worth)
    cash = np.int64(s["cash"][seat])
    limit = 1.0 + w["bid"] * (d["luminary"][s["luminary"]] - below)
    limit = min(limit, 1.0 + w["purse"][game_phase(s["turn"]) - 1] * cash, MOST_BID)
    bid = np.int64(s["bid"]) + 1
    if s["bidder"] == NOBODY or (bid <= limit and bid <= cash):
        return BID + bid - 1
    return PASS


@jit
def best_company(s, t, w, d):
    best, chosen = NEVER, 0
    for company in range(INVENTORS):
        if s["seat_of"][company] == NOBODY:
            worth = d["luminary"][company] + w["inventor"][t["ability"][company]]
            if worth > best:
                best, chosen = worth, company
    return DRAFT + chosen


@jit
def best_action(states, i, tables, notes, worths):
    """The action for the player to move in record ``i``; the script says nothing of the worth of the others."""
    rules, desk = notes
    s, t, w, d = states[i], tables[0], rules[0], desk[0]
    seat = np.int64(s["player"])
    phase = s["phase"]
    weigh_money(s, t, w, d)
    weigh_growth(s, w, d)
    if phase <= IN_BID:
        weigh_luminaries(s, t, w, d)
        return best_company(s, t, w, d) if phase == IN_DRAFT else hire(s, w, d, seat)
    weigh_companies(s, t, w, d, seat)
    weigh_moves(s, t, w, d)
    luminary = 0
    while luminary < LUMINARIES and s["selected"][seat] >> luminary & 1 == 0:
        luminary += 1
    if phase == IN_MOVE:
        _, action = best_move(d, np.int64(t["rating"][luminary, FAMOUS]))
        return action
    if phase == IN_CARD:
        _, action = best_card(s, t, w, d, seat)
        return action
    if phase == IN_CARD_MOVE:
        return d["move_action"][t["card_track"][s["card"]], t["card_steps"][s["card"]]]
    if phase == IN_MARKET:
        _, action = market_visit(s, t, w, d, seat, luminary)
        return action
    return best_act(s, t, w, d, seat)


def make(game: Game, argument: str) -> Scripted:
    """See ``agents.load``."""
    return Scripted("greedy", game, best_action, RULES, (np.zeros(1, DESK),))
