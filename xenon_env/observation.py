"""What a seat sees, as numbers: itself first, then the others by seat; absent seats are zero."""

from __future__ import annotations

import numpy as np

from core.jit import jit
from core.layout import Block, ObservationLayout, at
from xenon_env.actions import CARD_WORDS, CONTRACT_WORDS, PIPELINE_WORDS
from xenon_env.constants import (
    CONTRACTS,
    DECK,
    ELEMENTS,
    FIRST_CONTRACT,
    FIRST_PIPELINE,
    FIRST_UPGRADE,
    HELD,
    NONE,
    PIPELINES,
    REDRAW_CARDS,
    SEATS,
    SLOTS,
    STARTERS,
    UPGRADES,
    USE_CARDS,
    Deal,
    Line,
    Phase,
    Privilege,
    Step,
)
from xenon_env.piles import total

__all__ = ["OBSERVATION", "observe"]

PER_CARD = np.float32(1 / 4)
PER_MONEY = np.float32(1 / 10)
PER_TOKEN = np.float32(1 / 5)
PER_STAR = np.float32(1 / 10)
PER_XE = np.float32(1 / 5)
PER_DECISION = np.float32(1 / 1000)
PER_STACK = np.float32(1 / 40)

UPGRADE_WORDS = CARD_WORDS[FIRST_UPGRADE:]
MARKET_WORDS = UPGRADE_WORDS[STARTERS:]
DECK_WORDS = CONTRACT_WORDS + PIPELINE_WORDS
SEAT_WORDS = ["self", *(f"next{k}" for k in range(1, SEATS))]
TURN_WORDS = ("distills_left", "reboilers", "refrigerations", "placements", "purchases", "bids")
TURN_FLAGS = ("bid_none", "sales_executive", "agent", "buyer")
CONTRACT_SLOT = ("contract", *PIPELINE_WORDS, "buy", "xe", "money", "stars", *(f"tokens_{seat}" for seat in SEAT_WORDS))
UPGRADE_SLOT = ("buy", "install", *(f"tokens_{seat}" for seat in SEAT_WORDS), *MARKET_WORDS)
PLAYER = (
    *("money", "tokens", "stored_xe", "overtime", "hand_size", "system_size", "contracts_completed", "contract_stars"),
    *("contract_open", "contract_xe", "contract_money", "contract_stars_open"),
    *PIPELINE_WORDS,
)


def _blocks() -> list[Block]:
    def block(name: str, words: object, doc: str) -> Block:
        return Block.of(name, words, doc, joint=".")  # type: ignore[arg-type]

    blocks = [
        block("phase", [phase.name.lower() for phase in Phase], "pending decision, one of"),
        block("step", [step.name.lower() for step in Step], "step of the turn, one of"),
        block("mover", SEAT_WORDS, "seat to move, one of"),
        block("trigger", SEAT_WORDS, "seat that triggered the end, one of"),
        block("privilege", ("stars", "turn"), "side of the privilege token, one of"),
        block("clock", ("decisions", "max_decisions", "truncated"), "decisions / 1000"),
        block("deal", [deal.name.lower() for deal in Deal], "what the market step has become, one of"),
        block("turn", TURN_WORDS, "counts of the turn / 4"),
        block("turn_flag", TURN_FLAGS, "cards played and void BID this turn"),
        block("played", ("relief_valve", "mass_flow"), "plays this turn / 4"),
        block("used", [CARD_WORDS[card] for card in USE_CARDS], "installed abilities used this turn"),
        block("peek", CARD_WORDS, "card seen with the own relief valve, one of"),
        block("wiped", ("contract", "upgrade"), "line the Engineer fills, one of"),
        block("drawn", DECK_WORDS, "the Engineer's cards / 4; upgrades in the order of the upgrade deck"),
        block("supply_limited", ("yes",), "whether the element stacks are finite"),
        block("supply", CARD_WORDS[:ELEMENTS], "elements left in the stacks / 40"),
        block("stack_size", CARD_WORDS[:ELEMENTS], "elements there are / 40"),
    ]
    for slot in range(1, SLOTS + 1):
        doc = "card by its attributes ($ and stars / 10, Xe / 5), tokens by seat / 5"
        blocks.append(block(f"contract_line_{slot}", CONTRACT_SLOT, doc))
    for slot in range(1, SLOTS + 1):
        doc = "prices / 10, tokens by seat / 5, card, one of"
        blocks.append(block(f"upgrade_line_{slot}", UPGRADE_SLOT, doc))
    blocks += [
        block("contract_deck", DECK_WORDS, "cards / 4"),
        block("contract_discard", DECK_WORDS, "cards / 4"),
        block("upgrade_deck", UPGRADE_WORDS, "cards / 4"),
        block("upgrade_discard", UPGRADE_WORDS, "cards / 4"),
        block("completed_by", CONTRACT_WORDS, "who completed it: 1/5 self, 2/5 the next seat, ...; 0 nobody"),
        block("shown", CARD_WORDS, "part of the own hand that the others have seen / 4"),
    ]
    for seat in SEAT_WORDS:
        hand = "hand" if seat == "self" else "part of the hand that was seen"
        pool = "System" if seat == "self" else "System and unseen hand together"
        blocks += [
            block(f"{seat}", PLAYER, "$ and stars / 10, tokens and Xe / 5, sizes / 4, open contract"),
            block(f"{seat}_installed", UPGRADE_WORDS, "installed upgrades"),
            block(f"{seat}_discard", CARD_WORDS, "discard pile / 4"),
            block(f"{seat}_hand", CARD_WORDS, f"{hand} / 4"),
            block(f"{seat}_system", CARD_WORDS, f"{pool} / 4"),
        ]
    return blocks


OBSERVATION = ObservationLayout(_blocks())

PHASE = OBSERVATION.start("phase")
STEP = OBSERVATION.start("step")
MOVER = OBSERVATION.start("mover")
TRIGGER = OBSERVATION.start("trigger")
PRIVILEGE = OBSERVATION.start("privilege")
CLOCK = OBSERVATION.start("clock")
DEAL = OBSERVATION.start("deal")
TURN = OBSERVATION.start("turn")
TURN_FLAG = OBSERVATION.start("turn_flag")
PLAYED = OBSERVATION.start("played")
USED = OBSERVATION.start("used")
PEEK = OBSERVATION.start("peek")
WIPED = OBSERVATION.start("wiped")
DRAWN = OBSERVATION.start("drawn")
SUPPLY_LIMITED = OBSERVATION.start("supply_limited")
SUPPLY = OBSERVATION.start("supply")
STACK_SIZE = OBSERVATION.start("stack_size")
CONTRACT_LINE = OBSERVATION.start("contract_line_1")
UPGRADE_LINE = OBSERVATION.start("upgrade_line_1")
CONTRACT_DECK = OBSERVATION.start("contract_deck")
CONTRACT_DISCARD = OBSERVATION.start("contract_discard")
UPGRADE_DECK = OBSERVATION.start("upgrade_deck")
UPGRADE_DISCARD = OBSERVATION.start("upgrade_discard")
COMPLETED_BY = OBSERVATION.start("completed_by")
SHOWN = OBSERVATION.start("shown")
PLAYERS = OBSERVATION.start("self")
PLAYER_SIZE = OBSERVATION.start("next1") - PLAYERS
PLAYER_INSTALLED = OBSERVATION.start("self_installed") - PLAYERS
PLAYER_DISCARD = OBSERVATION.start("self_discard") - PLAYERS
PLAYER_HAND = OBSERVATION.start("self_hand") - PLAYERS
PLAYER_SYSTEM = OBSERVATION.start("self_system") - PLAYERS
CONTRACT_SLOT_SIZE = len(CONTRACT_SLOT)
UPGRADE_SLOT_SIZE = len(UPGRADE_SLOT)
SIZE = len(OBSERVATION)


@jit
def observe(states, i, tables, seat, out):
    """Write what ``seat`` may know to ``out: float32[SIZE]``."""
    s = states[i]
    t = tables[0]
    for k in range(SIZE):
        out[k] = 0.0
    n = np.int64(s["num_players"])
    observe_turn(s, seat, n, out)
    for slot in range(SLOTS):
        observe_contract_slot(s, t, seat, n, slot, out, CONTRACT_LINE + slot * CONTRACT_SLOT_SIZE)
        observe_upgrade_slot(s, t, seat, n, slot, out, UPGRADE_LINE + slot * UPGRADE_SLOT_SIZE)
    observe_decks(s, out)
    for card in range(HELD):
        out[SHOWN + card] = seen_in_hand(s, seat, card) * PER_CARD
    for k in range(n):
        observe_player(s, t, (seat + k) % n, k, out, PLAYERS + k * PLAYER_SIZE)


@jit
def seen_in_hand(s, seat, card):
    """How many of a card everybody has seen in a hand: all of the mover's."""
    if s["player"] == seat:
        return s["hand"][seat, card]
    return s["shown"][seat, card]


@jit
def observe_decks(s, out):
    """Both market decks and their discard piles."""
    contracts = s["deck"][Line.CONTRACT]
    contract_discard = s["deck_discard"][Line.CONTRACT]
    for kind in range(DECK):
        out[CONTRACT_DECK + kind] = contracts[kind] * PER_CARD
        out[CONTRACT_DISCARD + kind] = contract_discard[kind] * PER_CARD
    upgrades = s["deck"][Line.UPGRADE]
    upgrade_discard = s["deck_discard"][Line.UPGRADE]
    for kind in range(UPGRADES):
        out[UPGRADE_DECK + kind] = upgrades[kind] * PER_CARD
        out[UPGRADE_DISCARD + kind] = upgrade_discard[kind] * PER_CARD


@jit
def observe_turn(s, seat, n, out):
    """The pending decision and the turn's own values."""
    out[PHASE + s["phase"]] = 1.0
    out[STEP + s["turn_step"]] = 1.0
    mover = np.int64(s["player"])
    if mover >= 0:
        out[MOVER + (mover - seat + n) % n] = 1.0
    if s["trigger"] != NONE:
        out[TRIGGER + (s["trigger"] - seat + n) % n] = 1.0
    if s["privilege"] != Privilege.NONE:
        out[PRIVILEGE + s["privilege"] - 1] = 1.0
    out[CLOCK] = s["decisions"] * PER_DECISION
    out[CLOCK + 1] = s["max_decisions"] * PER_DECISION
    out[CLOCK + 2] = s["truncated"]
    out[DEAL + s["deal"]] = 1.0
    out[TURN] = s["distills_left"] * PER_CARD
    out[TURN + 1] = s["reboilers"] * PER_CARD
    out[TURN + 2] = s["refrigerations"] * PER_CARD
    out[TURN + 3] = s["placements"] * PER_CARD
    out[TURN + 4] = s["purchases"] * PER_CARD
    out[TURN + 5] = s["bids"] * PER_CARD
    out[TURN_FLAG] = s["bid_none"]
    out[TURN_FLAG + 1] = s["sales_executive"]
    out[TURN_FLAG + 2] = s["agent"]
    out[TURN_FLAG + 3] = s["buyer"]
    for k in range(len(REDRAW_CARDS)):
        out[PLAYED + k] = s["played"][k] * PER_CARD
    for k in range(len(USE_CARDS)):
        out[USED + k] = s["used"][k]
    if s["peek"] != NONE and mover == seat:
        out[PEEK + s["peek"]] = 1.0
    if s["wiped"] != NONE:
        out[WIPED + s["wiped"]] = 1.0
        for kind in range(DECK):
            out[DRAWN + kind] = s["drawn"][kind] * PER_CARD
    if s["stack_size"][0] != NONE:
        out[SUPPLY_LIMITED] = 1.0
        for element in range(ELEMENTS):
            out[SUPPLY + element] = s["supply"][element] * PER_STACK
            out[STACK_SIZE + element] = s["stack_size"][element] * PER_STACK


@jit
def observe_contract_slot(s, t, seat, n, slot, out, start):
    """A contract or pipeline for sale."""
    card = np.int64(s["line_card"][Line.CONTRACT][slot])
    if card == NONE:
        return
    if card >= FIRST_PIPELINE:
        out[at(start, 1 + card - FIRST_PIPELINE)] = 1.0
    else:
        out[at(start, 0)] = 1.0
    k = 1 + PIPELINES
    out[at(start, k)] = t["buy"][card] * PER_MONEY
    out[at(start, k + 1)] = t["xe"][card] * PER_XE
    out[at(start, k + 2)] = t["reward"][card] * PER_MONEY
    out[at(start, k + 3)] = t["stars"][card] * PER_STAR
    put_tokens(s["line_tokens"][Line.CONTRACT][slot], seat, n, out, start + k + 4)


@jit
def observe_upgrade_slot(s, t, seat, n, slot, out, start):
    """An upgrade for sale."""
    card = np.int64(s["line_card"][Line.UPGRADE][slot])
    if card == NONE:
        return
    out[at(start, 0)] = t["buy"][card] * PER_MONEY
    if t["install"][card] != NONE:
        out[at(start, 1)] = t["install"][card] * PER_MONEY
    put_tokens(s["line_tokens"][Line.UPGRADE][slot], seat, n, out, start + 2)
    out[at(start, 2 + SEATS + card - FIRST_UPGRADE - STARTERS)] = 1.0


@jit
def put_tokens(tokens, seat, n, out, start):
    """Bid tokens by seat, the own ones first."""
    owner = seat
    for k in range(n):
        out[at(start, k)] = tokens[owner] * PER_TOKEN
        owner = owner + 1 if owner + 1 < n else 0


@jit
def observe_player(s, t, other, k, out, start):
    """A player's facility; of an opponent, System and unseen hand are one pool."""
    hand = s["hand"][other]
    system = s["system"][other]
    discard = s["discard"][other]
    out[at(start, 0)] = s["money"][other] * PER_MONEY
    out[at(start, 1)] = s["tokens"][other] * PER_TOKEN
    out[at(start, 2)] = s["stored"][other] * PER_XE
    out[at(start, 3)] = s["overtime"][other]
    out[at(start, 4)] = total(hand) * PER_CARD
    out[at(start, 5)] = total(system) * PER_CARD
    completed = 0
    stars = 0
    for contract in range(CONTRACTS):
        if s["completed"][other][contract]:
            completed += 1
            stars += np.int64(t["stars"][FIRST_CONTRACT + contract])
            out[COMPLETED_BY + contract] = (k + 1) * PER_TOKEN
    out[at(start, 6)] = completed * PER_CARD
    out[at(start, 7)] = stars * PER_STAR
    contract = np.int64(s["contract"][other])
    if contract != NONE:
        card = FIRST_CONTRACT + contract
        out[at(start, 8)] = 1.0
        out[at(start, 9)] = t["xe"][card] * PER_XE
        out[at(start, 10)] = t["reward"][card] * PER_MONEY
        out[at(start, 11)] = t["stars"][card] * PER_STAR
    for pipeline in range(PIPELINES):
        out[at(start, 12 + pipeline)] = s["pipelines"][other][pipeline]
    for upgrade in range(UPGRADES):
        out[at(start, PLAYER_INSTALLED + upgrade)] = s["installed"][other][upgrade]
    for card in range(HELD):
        out[at(start, PLAYER_DISCARD + card)] = discard[card] * PER_CARD
    if k == 0:
        for card in range(HELD):
            out[at(start, PLAYER_HAND + card)] = hand[card] * PER_CARD
            out[at(start, PLAYER_SYSTEM + card)] = system[card] * PER_CARD
        return
    for card in range(HELD):
        seen = seen_in_hand(s, other, card)
        out[at(start, PLAYER_HAND + card)] = seen * PER_CARD
        out[at(start, PLAYER_SYSTEM + card)] = (system[card] + hand[card] - seen) * PER_CARD
    if s["player"] == other and s["peek"] != NONE:
        out[at(start, PLAYER_SYSTEM + s["peek"])] += PER_CARD
