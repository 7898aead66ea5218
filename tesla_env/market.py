"""The stock market (RB 4 - Visit the Stock Market)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env import actions as ids
from tesla_env.constants import SEATS, Phase, Rating, Trade
from tesla_env.masks import lowest
from tesla_env.turns import game_phase, raise_price


@jit
def finance_bonus(states, i, tables):
    """T-31: discount and bonus of the acting luminary, the same for every certificate."""
    s = states[i]
    rating = np.int64(tables[0]["rating"][lowest(s["selected"][s["player"]]), Rating.FINANCE])
    return rating * game_phase(s["turn"])


@jit
def can_buy(states, i, tables, company, bonus):
    """T-28, T-29: one in the market, the cash, not sold in this action, at most four of a rival."""
    s = states[i]
    seat = np.int64(s["player"])
    return (
        (s["market"][company] > 0)
        & (s["price"][company] - bonus <= s["cash"][seat])
        & (s["traded"][company] != Trade.SOLD)
        & ((company == seat) | (s["shares"][seat, company] < tables[0]["rival_limit"]))
    )


@jit
def can_sell(states, i, company):
    """T-28, T-29: a regular certificate held, of a company not bought in this action."""
    s = states[i]
    return (s["shares"][np.int64(s["player"]), company] > 0) & (s["traded"][company] != Trade.BOUGHT)


@jit
def can_trade(states, i, tables):
    """Whether the market is worth a visit: at least one trade is legal (T-28)."""
    bonus = finance_bonus(states, i, tables)
    found = False
    for company in range(states[i]["num_players"]):
        found |= can_sell(states, i, company) | can_buy(states, i, tables, company, bonus)
    return found


@jit
def list_trades(states, i, tables, actions):
    """Trades, and the end of the visit after at least one (T-28)."""
    s = states[i]
    bonus = finance_bonus(states, i, tables)
    count = 0
    traded = False
    for company in range(s["num_players"]):
        if can_buy(states, i, tables, company, bonus):
            actions[count] = ids.BUY + np.int64(s["company"][company])
            count += 1
        if can_sell(states, i, company):
            actions[count] = ids.SELL + np.int64(s["company"][company])
            count += 1
        if s["traded"][company] != Trade.NONE:
            traded = True
    if traded:
        actions[count] = ids.DONE
        count += 1
    return count


@jit
def do_market(states, i):
    """Trades come next."""
    states[i]["phase"] = Phase.MARKET


@jit
def do_trade(states, i, tables, action):
    """A trade or the end of the visit; returns whether the action is at its end."""
    s = states[i]
    if action == ids.DONE:
        for company in range(SEATS):
            s["traded"][company] = Trade.NONE
        return True
    bonus = finance_bonus(states, i, tables)
    if action < ids.SELL:
        buy(states, i, tables, np.int64(s["seat_of"][action - ids.BUY]), bonus)
    else:
        sell(states, i, tables, np.int64(s["seat_of"][action - ids.SELL]), bonus)
    return False


@jit
def buy(states, i, tables, company, bonus):
    """Pay the price less the discount; the price rises by the game phase (RB Buying Stock)."""
    s = states[i]
    seat = np.int64(s["player"])
    s["cash"][seat] -= max(0, np.int64(s["price"][company]) - bonus)
    s["market"][company] -= 1
    s["shares"][seat, company] += 1
    s["traded"][company] = Trade.BOUGHT
    raise_price(states, i, tables, company, game_phase(s["turn"]))


@jit
def sell(states, i, tables, company, bonus):
    """Receive the price and the bonus; the price goes one column left (RB Selling Stock)."""
    s = states[i]
    seat = np.int64(s["player"])
    s["cash"][seat] += np.int64(s["price"][company]) + bonus
    s["market"][company] += 1
    s["shares"][seat, company] -= 1
    s["traded"][company] = Trade.SOLD
    s["price"][company] = tables[0]["left"][s["price"][company]]
