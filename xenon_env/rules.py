"""The turn as a state machine: which actions a phase offers, and where each of them leads."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from xenon_env.actions import (
    AIR,
    AIR_FEED,
    BID,
    BID_NONE,
    BUY,
    BUY_INSTALL,
    CHOOSE,
    CHOOSE_UPGRADE,
    COMPLETE_FULL,
    DISCARD,
    DISTILL,
    END_DISCARD,
    END_DISTILL,
    END_MARKET,
    INSTALL,
    INSTALL_FREE,
    MOVE,
    OVERTIME_NO,
    OVERTIME_YES,
    PEEK_DISCARD,
    PEEK_DRAW,
    PLAY,
    PRIVILEGE_STARS,
    PRIVILEGE_TURN,
    USE,
    WIPE,
    WIPE_ENGINEER,
)
from xenon_env.constants import (
    DECK,
    FIRST_CONTRACT,
    HELD,
    LINES,
    NONE,
    PLAY_CARDS,
    SLOTS,
    Card,
    Deal,
    Line,
    Phase,
    Privilege,
    Step,
)
from xenon_env.distilling import can_distill, complete, distill, resume, settle
from xenon_env.market import (
    bid,
    buy,
    choose,
    list_bids,
    list_placements,
    list_purchases,
    may_end_market,
    move_token,
    place_token,
    wipe,
    wipe_with_engineer,
)
from xenon_env.piles import discard_card, draw_to_hand, introduce_air, move_all, restock, total
from xenon_env.upgrades import install, is_installed, list_upgrades, play, use

PACKED_COLUMNS_PLAY = PLAY + PLAY_CARDS.index(Card.PACKED_COLUMNS)
OTHER_PLACES = LINES * SLOTS - 1


@jit
def legal(states, i, tables, actions):
    """List the legal actions of the pending decision in ``actions: int16[209]``; returns how many."""
    s = states[i]
    t = tables[0]
    seat = np.int64(s["player"])
    phase = s["phase"]
    if phase > Phase.MARKET:
        return list_answers(s, seat, phase, actions)
    count = list_upgrades(s, t, seat, actions)
    if phase == Phase.START:
        actions[count] = OVERTIME_NO
        actions[count + 1] = OVERTIME_YES
        return count + 2
    if phase == Phase.DISTILL:
        actions[count] = DISTILL if can_distill(s, seat) else END_DISTILL
        return count + 1
    if phase == Phase.AIR:
        return list_air_and_wipe(s, seat, actions, count)
    count = list_purchases(s, t, seat, actions, count)
    count = list_bids(s, seat, actions, count)
    if may_end_market(s, seat):
        actions[count] = END_MARKET
        count += 1
    return count


@jit
def list_answers(s, seat, phase, actions):
    """The actions of a sub-decision, or of the end of the turn."""
    if phase == Phase.DISCARD:
        count = list_hand(s, seat, actions)
        actions[count] = END_DISCARD
        return count + 1
    if phase == Phase.REFLUX:
        return list_hand(s, seat, actions)
    if phase == Phase.PLACE:
        return list_placements(s, actions)
    if phase == Phase.CHOOSE:
        return list_drawn(s, actions)
    if phase == Phase.PEEK:
        actions[0] = PEEK_DRAW
        actions[1] = PEEK_DISCARD
    elif phase == Phase.COMPLETE:
        actions[0] = COMPLETE_FULL
        actions[1] = PACKED_COLUMNS_PLAY
    else:
        actions[0] = PRIVILEGE_STARS
        actions[1] = PRIVILEGE_TURN
    return 2


@jit
def list_hand(s, seat, actions):
    """``discard:`` for each kind in hand."""
    hand = s["hand"][seat]
    count = 0
    for card in range(HELD):
        if hand[card] > 0:
            actions[count] = DISCARD + card
            count += 1
    return count


@jit
def list_drawn(s, actions):
    """``choose:`` for each kind that the Engineer drew."""
    first = CHOOSE if s["wiped"] == Line.CONTRACT else CHOOSE_UPGRADE
    count = 0
    for kind in range(DECK):
        if s["drawn"][kind] > 0:
            actions[count] = first + kind
            count += 1
    return count


@jit
def list_air_and_wipe(s, seat, actions, count):
    """AIR or WIPE, with the cards that change them."""
    actions[count] = AIR
    count += 1
    if s["hand"][seat][Card.FEED] > 0 or is_installed(s, seat, Card.FEED):
        actions[count] = AIR_FEED
        count += 1
    for line in range(LINES):
        actions[count] = WIPE + line
        count += 1
        if s["hand"][seat][Card.ENGINEER] > 0:
            actions[count] = WIPE_ENGINEER + line
            count += 1
    return count


@jit
def step(states, i, tables, action):
    """Carry out a legal action, up to the next decision."""
    s = states[i]
    t = tables[0]
    seat = np.int64(s["player"])
    if action >= CHOOSE:
        choose(s, t, action - (CHOOSE if s["wiped"] == Line.CONTRACT else CHOOSE_UPGRADE))
        if s["phase"] != Phase.CHOOSE:
            settle(s, t, seat)
    elif action >= DISCARD:
        discard_card(s, seat, action - DISCARD)
        if s["phase"] == Phase.REFLUX:
            settle(s, t, seat)
    elif s["phase"] == Phase.COMPLETE:
        complete_as_asked(s, t, seat, action)
    elif s["phase"] == Phase.PLACE:
        place_or_stop(s, seat, action)
    elif action < BID:
        take_step(s, t, seat, action)
    else:
        if action >= INSTALL:
            install(s, t, seat, (action - INSTALL) % (INSTALL_FREE - INSTALL), action >= INSTALL_FREE)
        elif action >= USE:
            use(s, t, seat, action - USE)
        elif action >= PLAY:
            play(s, t, seat, PLAY_CARDS[action - PLAY])
        elif action >= BUY:
            place = action - BUY if action < BUY_INSTALL else action - BUY_INSTALL + SLOTS
            buy(s, t, seat, place // SLOTS, place % SLOTS, action >= BUY_INSTALL)
        elif action >= MOVE:
            source = (action - MOVE) // OTHER_PLACES
            target = (action - MOVE) % OTHER_PLACES
            move_token(s, seat, source, target + 1 if target >= source else target)
        else:
            bid(s, seat, action - BID)
        if s["phase"] <= Phase.MARKET:
            settle(s, t, seat)


@jit
def complete_as_asked(s, t, seat, action):
    """Complete the contract with or without the Packed Columns in hand (X-12)."""
    cost = np.int64(t["xe"][FIRST_CONTRACT + s["contract"][seat]])
    if action == COMPLETE_FULL:
        complete(s, t, seat, cost)
    else:
        discard_card(s, seat, Card.PACKED_COLUMNS)
        complete(s, t, seat, cost - 1)
    resume(s)


@jit
def place_or_stop(s, seat, action):
    """One of Refrigeration's tokens, or no more of them (X-14)."""
    if action == BID_NONE:
        s["placements"] = 0
    else:
        place_token(s, seat, action - BID)
        s["placements"] -= 1
    resume(s)


@jit
def take_step(s, t, seat, action):
    """The actions without an argument of their own: those that lead through the turn."""
    if action == DISTILL:
        distill(s, seat)
    elif action == END_DISTILL:
        end_distill(s, seat)
    elif action <= OVERTIME_YES:
        s["overtime"][seat] = action - OVERTIME_NO
        s["distills_left"] = 1 + action - OVERTIME_NO
        s["turn_step"] = Step.DISTILL
    elif action <= PEEK_DISCARD:
        pile = s["hand"][seat] if action == PEEK_DRAW else s["discard"][seat]
        pile[s["peek"]] += 1
        s["peek"] = NONE
    elif action <= AIR_FEED:
        take_air(s, t, seat, action == AIR_FEED)
    elif action >= WIPE_ENGINEER and action < PRIVILEGE_STARS:
        wipe_with_engineer(s, t, seat, action - WIPE_ENGINEER)
        if s["phase"] == Phase.CHOOSE:
            return
    elif action < PRIVILEGE_STARS:
        wipe(s, t, action - WIPE)
    elif action == BID_NONE:
        s["bid_none"] = 1
        s["deal"] = Deal.BID
    else:
        leave(s, t, seat, action)
        return
    settle(s, t, seat)


@jit
def end_distill(s, seat):
    """On to AIR or WIPE; in overtime to the two BIDs (OVERTIME)."""
    s["distills_left"] = 0
    s["reboilers"] = 0
    s["refrigerations"] = 0
    if s["overtime"][seat]:
        s["turn_step"] = Step.MARKET
        s["deal"] = Deal.BID
    else:
        s["turn_step"] = Step.AIR


@jit
def take_air(s, t, seat, twice):
    """Introduce AIR, twice with Feed (AIR, X-17)."""
    introduce_air(s, t, seat, 2 if twice else 1)
    if twice and not is_installed(s, seat, Card.FEED):
        discard_card(s, seat, Card.FEED)
    s["turn_step"] = Step.MARKET


# The end of the turn


@jit
def leave(s, t, seat, action):
    """The decisions that end the turn."""
    if action == END_MARKET:
        end_market(s, t, seat)
    elif action == END_DISCARD:
        end_discard(s, t, seat)
    else:
        s["privilege"] = Privilege.STARS if action == PRIVILEGE_STARS else Privilege.TURN
        if action == PRIVILEGE_STARS:
            pass_turn(s, t, seat)
        else:
            s["phase"] = Phase.DISCARD


@jit
def end_market(s, t, seat):
    """Restock the lines, then see whether the end is triggered or reached (End of Turn, Game End, X-30, X-31)."""
    reset_turn(s)
    s["turn_step"] = Step.END
    for line in range(LINES):
        restock(s, t, line)
    if s["trigger"] == seat:
        end_game(s, seat)
    elif s["trigger"] != NONE:
        pass_turn(s, t, seat)
    elif triggers_end(s, t, seat):
        s["trigger"] = seat
        s["phase"] = Phase.PRIVILEGE
    else:
        s["phase"] = Phase.DISCARD


@jit
def triggers_end(s, t, seat):
    """Enough installed upgrades or completed contracts (Game End)."""
    upgrades = count_flags(s["installed"][seat])
    return upgrades >= t["end_upgrades"] or count_flags(s["completed"][seat]) >= t["end_contracts"]


@jit
def count_flags(flags):
    """How many flags of an array are set."""
    count = 0
    for k in range(flags.shape[0]):
        count += np.int64(flags[k])
    return count


@jit
def reset_turn(s):
    """The turn's own values as they are at its start, but for step and distills."""
    for k in range(s["used"].shape[0]):
        s["used"][k] = 0
    for k in range(s["played"].shape[0]):
        s["played"][k] = 0
    s["distills_left"] = 0
    s["reboilers"] = 0
    s["refrigerations"] = 0
    s["placements"] = 0
    s["deal"] = Deal.NONE
    s["purchases"] = 0
    s["bids"] = 0
    s["bid_none"] = 0
    s["sales_executive"] = 0
    s["agent"] = 0
    s["buyer"] = 0


@jit
def end_discard(s, t, seat):
    """Draw back to the hand size; after overtime the discard pile is shuffled in first (Draw)."""
    show_hand(s, seat)
    if s["overtime"][seat]:
        move_all(s["discard"][seat], s["system"][seat])
    size = t["hand_size"] + count_flags(s["pipelines"][seat])
    draw_to_hand(s, seat, max(0, size - total(s["hand"][seat])))
    pass_turn_from(s, t, seat)


@jit
def show_hand(s, seat):
    """The others have seen the hand as it is now."""
    for card in range(HELD):
        s["shown"][seat][card] = s["hand"][seat][card]


@jit
def pass_turn(s, t, seat):
    """The turn goes on without discarding or drawing (X-31)."""
    show_hand(s, seat)
    pass_turn_from(s, t, seat)


@jit
def pass_turn_from(s, t, seat):
    """The next seat's turn, or the end if its last one was given up for the stars (Xenon Privilege Token)."""
    following = (seat + 1) % np.int64(s["num_players"])
    if following == s["trigger"] and s["privilege"] == Privilege.STARS:
        finish(s)
    else:
        begin_turn(s, t, following)


@jit
def begin_turn(s, t, seat):
    """A console on overtime flips back, and there is no second overtime in a row (OVERTIME, X-7)."""
    s["player"] = seat
    reset_turn(s)
    for card in range(HELD):
        s["shown"][seat][card] = 0
    s["turn_step"] = Step.DISTILL if s["overtime"][seat] else Step.START
    s["overtime"][seat] = 0
    s["distills_left"] = 1
    settle(s, t, seat)


@jit
def end_game(s, seat):
    """The game ends in the seat's own turn: its hand stays as the others saw it."""
    show_hand(s, seat)
    finish(s)


@jit
def finish(s):
    s["phase"] = Phase.OVER
    s["done"] = 1


@jit
def truncate(states, i, tables):
    """Cut at ``max_decisions``: the turn stays as it stands."""
    s = states[i]
    show_hand(s, np.int64(s["player"]))
    s["phase"] = Phase.OVER
