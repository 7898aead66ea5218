"""Phases and turn flow: which actions are legal in a phase, and what an action leads to.

A step is one choice (``take``), then everything that follows without a choice: the phases from ``Phase.PAID`` on are
the stages of that, and a step ends when a phase asks somebody or the game is over.
"""

from __future__ import annotations

import numpy as np

from core.jit import jit
from pax_env.abilities import abilities, has
from pax_env.actions import COMMERCIALIZE, END_TURN, FUNDRAISE, HIDE, HIRE, IMPORT, PLACATE, RESEARCH, ROTATE
from pax_env.commercialize import (
    do_commercialize,
    do_or,
    do_orientation,
    do_viability,
    enter_splay,
    legal_commercialize,
    legal_or,
    legal_viability,
    next_impact,
)
from pax_env.constants import SLOTS, SPHERES, End, Pending, Phase, Skill, Solo, Zone
from pax_env.ends import check_splay, finish
from pax_env.exoglobal import begin_exo_turn, exo_splayed, next_exo_icon, next_turn
from pax_env.finances import (
    do_divest,
    do_fundraise,
    do_hire,
    do_source,
    hire_paid,
    is_own_company,
    legal_divest,
    legal_hire,
    legal_source,
)
from pax_env.impacts import (
    do_company,
    do_defuse,
    do_disruption,
    do_exchange,
    do_problem,
    do_recession,
    do_relief,
    do_relief_square,
    do_replace,
    do_splay_kill,
    legal_company,
    legal_defuse,
    legal_exchange,
    legal_hues,
    legal_problem,
    legal_recession,
    legal_relief,
    legal_relief_square,
    legal_replace,
    legal_splay_kill,
    next_exchange_victim,
    next_recession_victim,
)
from pax_env.market import (
    do_black_heat,
    do_import,
    do_import_to,
    do_placate,
    do_surge,
    do_syndicate,
    legal_black_heat,
    legal_import,
    legal_import_to,
    legal_placate,
    legal_surge,
    legal_syndicate,
    surge_due,
    survey_market,
    syndicate_paid,
)
from pax_env.money import do_payment, legal_payment, purchasing_power
from pax_env.research import do_claim, do_research, legal_claim, legal_research, next_plurality_impact, research_paid
from pax_env.state import ask_turn_player, companies_of, others_on, turn_color
from pax_env.work import do_work, legal_work, survey

__all__ = ["legal", "step", "truncate"]

MONEY_PHASES = sum(1 << phase for phase in (Phase.TURN, Phase.PAYMENT, Phase.SOURCE, Phase.VIABILITY, Phase.WORK))


@jit
def legal(states, i, tables, actions):
    """List the legal actions by the phase; see ``core.batch.legal``. (section 3)"""
    s = states[i]
    t = tables[0]
    phase = s["phase"]
    if is_about_money(phase):
        return legal_by_money(s, t, actions, phase)
    if phase == Phase.DIVEST:
        return legal_divest(s, actions)
    if phase == Phase.HIDDEN:
        return legal_hidden(s, t, actions)
    if phase == Phase.BLACK_HEAT:
        return legal_black_heat(s, t, actions)
    if phase == Phase.SURGE:
        return legal_surge(s, t, actions)
    if phase == Phase.IMPORT_TO:
        return legal_import_to(s, actions)
    if phase == Phase.RESEARCH_CLAIM:
        return legal_claim(s, t, actions)
    if phase == Phase.OR:
        return legal_or(actions)
    if phase == Phase.COMPANY:
        return legal_company(s, t, actions)
    if phase == Phase.REPLACE:
        return legal_replace(s, t, actions)
    if phase == Phase.PROBLEM:
        return legal_problem(s, actions)
    if phase == Phase.RELIEF:
        return legal_relief(s, actions)
    if phase == Phase.RELIEF_SQUARE:
        return legal_relief_square(s, actions)
    if phase == Phase.SPLAY_KILL:
        return legal_splay_kill(s, actions)
    if phase == Phase.RECESSION:
        return legal_recession(s, t, actions)
    if phase == Phase.EXCHANGE:
        return legal_exchange(s, t, actions)
    if phase == Phase.DEFUSE:
        return legal_defuse(s, t, actions)
    return legal_hues(s, t, actions)


@jit
def is_about_money(phase):
    """Whether what is legal depends on abilities, and on what the turn player could pay."""
    return (1 << phase) & MONEY_PHASES != 0


@jit
def legal_by_money(s, t, actions, phase):
    """The phases that ask for abilities and purchasing power, which are reckoned once."""
    c = turn_color(s)
    skills = abilities(s, t, c)
    if phase == Phase.TURN and is_spent(s, c, skills):
        actions[0] = END_TURN
        return 1
    power = purchasing_power(s, t, c, skills)
    if phase == Phase.TURN:
        return legal_turn(s, t, actions, c, skills, power)
    if phase == Phase.PAYMENT:
        return legal_payment(s, t, actions, c, skills)
    if phase == Phase.SOURCE:
        return legal_source(s, t, actions, c, skills, power)
    if phase == Phase.WORK:
        return legal_work(s, t, actions, c, skills, power)
    return legal_viability(s, t, actions, c, skills, power)


@jit
def take(s, t, action):
    """The choice itself, by the phase that asked for it. (section 3)"""
    phase = s["phase"]
    if phase == Phase.TURN:
        take_turn_action(s, t, action)
    elif phase == Phase.DIVEST:
        do_divest(s, action)
    elif phase == Phase.PAYMENT:
        do_payment(s, t, action)
    elif phase == Phase.HIDDEN:
        do_hide(s, action)
    elif phase == Phase.SOURCE:
        do_source(s, t, action)
    elif phase == Phase.BLACK_HEAT:
        do_black_heat(s, action)
    elif phase == Phase.SURGE:
        do_surge(s, t, action)
    elif phase == Phase.IMPORT_TO:
        do_import_to(s, action)
    elif phase == Phase.VIABILITY:
        do_viability(s, t, action)
    elif phase == Phase.WORK:
        do_work(s, t, action)
    elif phase == Phase.RESEARCH_CLAIM:
        do_claim(s, t, action)
    elif phase == Phase.OR:
        do_or(s, action)
    elif phase == Phase.COMPANY:
        do_company(s, t, action)
    elif phase == Phase.REPLACE:
        do_replace(s, t, action)
    elif phase == Phase.PROBLEM:
        do_problem(s, action)
    elif phase == Phase.RELIEF:
        do_relief(s, action)
    elif phase == Phase.RELIEF_SQUARE:
        do_relief_square(s, action)
    elif phase == Phase.DISRUPTION:
        do_disruption(s, action)
    elif phase == Phase.SPLAY_KILL:
        do_splay_kill(s, action)
    elif phase == Phase.RECESSION:
        do_recession(s, t, action)
    elif phase == Phase.EXCHANGE:
        do_exchange(s, t, action)
    elif phase == Phase.DEFUSE:
        do_defuse(s, action)
    else:
        do_orientation(s, action)


@jit
def step(states, i, tables, action):
    """One choice, then stage by stage whatever follows without one; see ``core.batch.step``."""
    s = states[i]
    t = tables[0]
    take(s, t, action)
    while s["phase"] > Phase.OVER:
        stage = s["phase"]
        pending = s["pending"]
        if stage == Phase.PAID:
            if pending == Pending.SYNDICATE:
                syndicate_paid(s, t)
            elif pending == Pending.HIRE:
                hire_paid(s, t)
            elif pending == Pending.RESEARCH:
                research_paid(s, t)
            else:
                s["phase"] = Phase.IMPACT
        elif stage == Phase.SYNDICATED:
            surge_due(s, t)
        elif stage == Phase.IMPACT:
            if pending == Pending.COMMERCIALIZE:
                next_impact(s, t)
            elif pending == Pending.RESEARCH:
                next_plurality_impact(s, t)
            else:
                next_exo_icon(s, t)
        elif stage == Phase.NEXT_RECESSION:
            next_recession_victim(s)
        elif stage == Phase.NEXT_EXCHANGE:
            next_exchange_victim(s, t)
        elif stage == Phase.SPLAYED:
            enter_splay(s, t)
        else:
            exo_splayed(s, t)


# Choosing the hidden sphere


@jit
def legal_hidden(s, t, actions):
    """The spheres of the hues on the dealt cards. (C7, P-38)"""
    c = s["color_of"][s["player"]]
    hues = 0
    for card in range(t["cards"]):
        if s["zone"][card] == Zone.DEALT + c:
            hues |= (1 << t["left"][card]) | (1 << t["right"][card])
    count = 0
    for sphere in range(SPHERES):
        if (hues >> sphere) & 1:
            actions[count] = HIDE + sphere
            count += 1
    return count


@jit
def do_hide(s, action):
    """Keep the sphere; after the last seat the first turn begins. (C7)"""
    s["hidden"][s["color_of"][s["player"]]] = action - HIDE
    s["player"] += 1
    if s["player"] == s["num_players"]:
        ask_turn_player(s, Phase.TURN)


# The turn


@jit
def legal_turn(s, t, actions, c, skills, power):
    """End the turn, or an action. What several of them need is reckoned once. (section 4)"""
    actions[0] = END_TURN
    left = s["actions_left"] > 0
    view = survey(s, c)
    cards = survey_market(s, t, c)
    count = legal_hire(s, t, actions, np.int64(1), c, skills, power, view)
    if left or is_placate_free(s, skills):
        count = legal_placate(actions, count, cards)
    if left:
        actions[count] = FUNDRAISE
        count = legal_syndicate(s, t, actions, count + 1, c, skills, power, cards)
        count = legal_commercialize(s, t, actions, count, c, skills, power, view, cards)
        count = legal_research(s, t, actions, count, c, skills, power, view)
        count = legal_import(s, actions, count, cards)
        if has(skills, Skill.ROTATE_SPLAY):
            count = legal_rotate(s, t, actions, count, c)
    return count


@jit
def take_turn_action(s, t, action):
    """Count the action and begin it. (section 4)"""
    if action == END_TURN:
        if s["solo"] != Solo.NONE:
            begin_exo_turn(s, t)
        else:
            next_turn(s)
        return
    if is_free(s, t, action):
        if action >= PLACATE:
            s["placate_used"] = 1
    else:
        s["actions_left"] -= 1
    if action == FUNDRAISE:
        do_fundraise(s)
    elif action < COMMERCIALIZE:
        do_syndicate(s, t, action)
    elif action < HIRE:
        do_commercialize(s, action)
    elif action < RESEARCH:
        do_hire(s, t, action)
    elif action < PLACATE:
        do_research(s, action)
    elif action < IMPORT:
        do_placate(s, action)
    elif action < ROTATE:
        do_import(s, action)
    else:
        do_rotate(s, t, action)


@jit
def is_placate_free(s, skills):
    """Whether the turn's free placate is still there. (P-40)"""
    return s["placate_used"] == 0 and has(skills, Skill.FREE_PLACATE)


@jit
def is_spent(s, c, skills):
    """Whether only the end of the turn is left, for certain. (section 4)"""
    return s["actions_left"] == 0 and companies_of(s, c) == 0 and not is_placate_free(s, skills)


@jit
def is_free(s, t, action):
    """Whether an action takes none of the turn's two. (P-22, P-40)"""
    if HIRE <= action < RESEARCH:
        return is_own_company(s, np.int64(t["work_space"][action - HIRE]), turn_color(s))
    if PLACATE <= action < IMPORT:
        return is_placate_free(s, abilities(s, t, turn_color(s)))
    return False


@jit
def legal_rotate(s, t, actions, count, c):
    """Splay cards with two hues and no opponent's future shock. (section 4)"""
    for k in range(s["splay_length"]):
        card = s["card"][SLOTS + k]
        if t["left"][card] != t["right"][card] and not others_on(s, SLOTS + k, c):
            actions[count] = ROTATE + k
            count += 1
    return count


@jit
def do_rotate(s, t, action):
    """Show the other hue, then check regime and singularity. (section 4, H1)"""
    k = action - ROTATE
    card = s["card"][SLOTS + k]
    s["visible"][k] = t["left"][card] + t["right"][card] - s["visible"][k]
    check_splay(s)


@jit
def truncate(states, i, tables):
    """Cut the game where it stands; a card that research has removed stays out of play. (P-37)"""
    s = states[i]
    if s["pending"] == Pending.RESEARCH and s["pending_card"] >= 0:
        s["zone"][s["pending_card"]] = Zone.UNUSED
    finish(s, End.TRUNCATED)
