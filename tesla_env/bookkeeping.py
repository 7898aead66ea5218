"""The end of an action and of a turn (RB Bookkeeping)."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from tesla_env.auction import start_phase
from tesla_env.constants import NOBODY, TURNS, TURNS_PER_PHASE, Phase, Track
from tesla_env.turns import game_phase, next_ready, raise_price, start_turn


@jit
def end_action(states, i, tables):
    """The luminaries used are exhausted; the next company in fame order moves, or the turn ends (RB Actions, T-11)."""
    s = states[i]
    seat = np.int64(s["player"])
    s["exhausted"][seat] |= s["selected"][seat]
    s["selected"][seat] = 0
    following = next_ready(states, i, tables, np.int64(s["present"][seat]))
    if following != NOBODY:
        s["phase"] = Phase.USE
        s["player"] = following
    else:
        end_turn(states, i, tables)


@jit
def end_turn(states, i, tables):
    """T-10, T-32, T-37: fame, AC/DC and profits by the phase just played, all ready again, the turn marker moves."""
    s = states[i]
    g = game_phase(s["turn"])
    settle_fame(states, i, tables, g)
    if s["current"] >= 0:
        reward_patent(states, i, tables, Track.AC, g)
    if s["current"] <= 0:
        reward_patent(states, i, tables, Track.DC, g)
    for seat in range(s["num_players"]):
        s["cash"][seat] += np.int64(tables[0]["profit"][s["price"][seat]])
        s["ready"][seat] |= s["exhausted"][seat]
        s["exhausted"][seat] = 0
    if s["turn"] >= TURNS:
        s["phase"] = Phase.OVER
        s["done"] = 1
        return
    s["turn"] += 1
    if s["turn"] % TURNS_PER_PHASE == 1:
        start_phase(states, i, tables)
    else:
        start_turn(states, i, tables)


@jit
def settle_fame(states, i, tables, g):
    """T-10: the present track becomes as the future track; the company now highest gains."""
    s = states[i]
    leader = 0
    for seat in range(s["num_players"]):
        s["present"][seat] = s["future"][seat]
        if s["present"][seat] < s["present"][leader]:
            leader = seat
    raise_price(states, i, tables, leader, g)


@jit
def reward_patent(states, i, tables, track, g):
    """T-33: the holder of the highest filed patent of a technology gains."""
    s = states[i]
    for level in range(tables[0]["top"][track], 1, -1):
        if s["patent"][track, level] != NOBODY:
            raise_price(states, i, tables, np.int64(s["patent"][track, level]), g)
            break
