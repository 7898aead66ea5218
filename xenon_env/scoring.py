"""Points and tie-breaks."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from xenon_env.constants import (
    CONTRACTS,
    FIRST_CONTRACT,
    FIRST_PIPELINE,
    SLOTS,
    Card,
    Line,
    Privilege,
)
from xenon_env.rules import count_flags
from xenon_env.upgrades import is_installed

STANDING_KEYS = 3


@jit
def standings(states, i, tables, table):
    """Score, stored Xe, money by seat; what is left level shares the victory (Scoring, Winner, X-36)."""
    s = states[i]
    t = tables[0]
    n = np.int64(s["num_players"])
    for seat in range(n):
        table[seat, 0] = score(s, t, seat)
        table[seat, 1] = s["stored"][seat]
        table[seat, 2] = s["money"][seat]
    return n


@jit
def score(s, t, seat):
    """The seat's points as the position stands (Scoring)."""
    points = t["stars_per_upgrade"] * count_flags(s["installed"][seat])
    points += money_stars(s, t, seat)
    if is_installed(s, seat, Card.OSHA_INSPECTION):
        points += t["osha_stars"]
    if is_installed(s, seat, Card.MDMA_REPRESENTATIVE):
        points += t["mdma_stars"] * count_flags(s["completed"][seat])
    if is_installed(s, seat, Card.LOBBYIST):
        points += t["lobbyist_stars"] * tokens_on_contracts(s, seat)
    for contract in range(CONTRACTS):
        if s["completed"][seat][contract]:
            points += t["stars"][FIRST_CONTRACT + contract]
    points += t["pipeline_stars"][count_flags(s["pipelines"][seat])]
    if s["trigger"] == seat and s["privilege"] == Privilege.STARS:
        points += t["privilege_stars"]
    return points


@jit
def money_stars(s, t, seat):
    """Stars for money, at the Investment Portfolio's rate if that is installed (X-33)."""
    if is_installed(s, seat, Card.INVESTMENT_PORTFOLIO):
        return s["money"][seat] // np.int64(t["money_per_star_portfolio"])
    return s["money"][seat] // np.int64(t["money_per_star"])


@jit
def tokens_on_contracts(s, seat):
    """The seat's bid tokens on contracts of the line; pipelines do not count (X-32)."""
    tokens = 0
    for slot in range(SLOTS):
        card = s["line_card"][Line.CONTRACT][slot]
        if card >= FIRST_CONTRACT and card < FIRST_PIPELINE:
            tokens += np.int64(s["line_tokens"][Line.CONTRACT][slot][seat])
    return tokens
