"""Whole games: what holds at every decision, how long they are, and that recorded ones are still played alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.walker import ALL_WELL
from tests.xenon.cards import CONTRACT_DECK, CONTRACTS, ELEMENTS, FINITE, STARTERS, UPGRADE_COPIES
from tests.xenon.table import at, cards_of
from tests.xenon.walker import WALKER
from xenon_env import Game
from xenon_env.constants import NONE, Card, Line, Phase

ROOT = Path(__file__).parents[2]
PHASES = ("start", "distill", "reflux", "peek", "complete", "place", "air", "choose", "market", "privilege", "discard")


def check(position: Mapping[str, Any]) -> None:
    """What holds at every decision of a game from set-up, looked at in its dict."""
    turn, players, phase = position["turn"], position["players"], position["phase"]
    over, mover, size = position["terminal"], position["current_player"], 3 if len(players) == 2 else 4
    cut = position["truncated"]
    market = [position[f"{word}_{zone}"] for word in ("contract", "upgrade") for zone in ("line", "deck", "discard")]
    own: Counter[str] = Counter()
    for seat, me in enumerate(players):
        tokens = sum(entry["tokens"][seat] for row in (market[0], market[3]) for entry in row if entry)
        assert me["tokens"] + tokens == 5 and me["tokens"] >= 0
        assert me["money"] >= 0 and me["stored_xe"] >= 0
        zones = [me["system"], me["hand"], me["discard"]]
        assert all(count > 0 for zone in (*zones, me["shown"]) for count in zone.values())
        assert cards_of(me["shown"]) <= cards_of(me["hand"])
        looked_at = turn["peek"] if seat == mover else None
        cards = cards_of(*zones, me["installed"], looked_at)
        assert cut or all(cards[card] == 1 for card in STARTERS)
        assert len(set(me["installed"])) == len(me["installed"]) and len(set(me["pipelines"])) == len(me["pipelines"])
        if me["contract"] and phase != "complete" and not cut:
            assert me["stored_xe"] < CONTRACTS[me["contract"]][0]
        own += cards + cards_of(me["pipelines"], me["completed"], me["contract"], {"Xe": me["stored_xe"]})
    own = +own
    everything = own + cards_of(*market, turn["drawn"])
    if cut and turn["peek"]:
        everything[turn["peek"]] += 1
    total = CONTRACT_DECK | UPGRADE_COPIES | dict.fromkeys(STARTERS, len(players))
    assert {card: count for card, count in everything.items() if card not in ELEMENTS} == total
    stacks = position["options"]["element_supply"]
    if stacks:
        assert {card: position["supply"][card] + everything[card] for card in ELEMENTS} == stacks
        assert min(position["supply"].values()) >= 0
    assert len(market[0]) == len(market[3]) == size
    assert turn["bids"] <= 6 and turn["purchases"] <= 3 and turn["distills_left"] <= 2
    assert (position["trigger"] is None) == (position["privilege"] is None) or phase == "privilege"
    if over:
        assert phase == "over" and mover == -4
        return
    assert phase in PHASES
    hand = players[mover]["hand"]
    assert players[mover]["shown"] == hand
    if phase in ("start", "distill"):
        assert "Xe" not in hand or {"N", "O", "Kr"} & set(hand)
    assert (turn["peek"] is not None) == (phase == "peek")
    assert (turn["wiped"] is not None) == bool(turn["drawn"]) == (phase == "choose")
    assert turn["placements"] == 0 or phase in ("place", "complete")
    assert turn["step"] == {"reflux": "distill", "peek": "distill", "place": "distill", "choose": "air"}.get(
        phase, "end" if phase in ("privilege", "discard") else turn["step"] if phase == "complete" else phase
    )
    if players[mover]["overtime"] and phase in ("market", "air", "choose"):
        assert phase == "market" and turn["action"] == "bid", "an overtime turn goes from distilling to two BIDs"


@pytest.mark.parametrize("skip_forced", [True, False], ids=["skipping", "asking"])
@pytest.mark.parametrize("supply", [None, FINITE], ids=["endless", "finite"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_holds_at_every_decision(seats: int, supply: dict[str, int] | None, skip_forced: bool) -> None:
    one = Game(seats, element_supply=supply, skip_forced=skip_forced)
    rng = np.random.default_rng(seats)
    state = one.new_initial_state(seats)
    in_turn = 0
    phases = set()
    while not state.is_terminal():
        legal = state.legal_actions()
        assert len(legal) > skip_forced
        assert state.returns() == [0] * seats and state.winners() == []
        check(state.to_dict())
        phases.add(state.phase)
        mover = state.current_player()
        state.apply_action(int(rng.choice(legal)))
        in_turn = in_turn + 1 if state.current_player() == mover else 0
        assert in_turn < 100
    check(state.to_dict())
    assert not state.is_truncated() and sum(state.returns()) == pytest.approx(0) and state.winners()
    assert len(phases) >= 8
    best = max(state.scores())
    assert all(state.scores()[seat] == best for seat in state.winners())


def test_the_smallest_stacks_are_enough_to_play_with() -> None:
    for seats in (2, 5):
        one = Game(seats, element_supply=dict.fromkeys(ELEMENTS, 2 * seats), max_decisions=1500)
        state = one.new_initial_state(1)
        rng = np.random.default_rng(1)
        for number in range(1500):
            if state.is_terminal():
                break
            if number % 5 == 0:
                check(state.to_dict())
            state.apply_action(int(rng.choice(state.legal_actions())))
        check(state.to_dict())


def test_forced_decisions_are_taken_but_a_position_that_is_read_stays_as_it_is() -> None:
    skipping = Game(2)
    position = {"phase": "discard", "players": [{"system": {"N": 5}}, {"hand": {"Kr": 1}}]}
    state = skipping.state_from_dict(position)
    assert state.phase == "discard" and state.decisions == 0, "with one legal action it is not taken"
    state.apply_action("end:discard")
    assert state.phase == "start" and state.decisions == 1
    state.apply_action("overtime:no")
    found = state.to_dict()
    assert found["phase"] == "air" and found["decisions"] == 2, "distill and end:distill were forced"
    assert found["players"][1]["hand"] == {}


def test_the_privilege_token_gives_the_others_one_last_turn() -> None:
    """Over random games: from the choice of a side on, every other seat has one turn, and the chooser one or none."""
    rng = np.random.default_rng(2)
    sides = set()
    for seed in range(8):
        seats = 2 + seed % 4
        state = Game(seats, skip_forced=False).new_initial_state(seed)
        turns: list[int] = []
        while not state.is_terminal():
            action = int(rng.choice(state.legal_actions()))
            chose = state.phase == "privilege"
            chooser = state.current_player()
            state.apply_action(action)
            if chose:
                side, first = state.action_to_string(action).removeprefix("privilege:"), chooser
            if state.to_dict()["privilege"] and not state.is_terminal() and state.phase != "discard":
                mover = state.current_player()
                turns += [mover] if not turns or turns[-1] != mover else []
        sides.add(side)
        others = [(first + step) % seats for step in range(1, seats)]
        assert turns == others + ([first] if side == "turn" else [])
        found = state.to_dict()
        assert found["trigger"] == first and found["privilege"] == side
        ended = found["players"][first]
        assert len(ended["installed"]) >= 5 or len(ended["completed"]) >= 5
    assert sides == {"stars", "turn"}


# In compiled code


@pytest.mark.parametrize(("seats", "mean"), [(2, 590), (3, 845), (4, 1060), (5, 1290)])
def test_decisions_per_random_game(seats: int, mean: int) -> None:
    done = WALKER.walk(Game(seats, skip_forced=False), 400_000, seed=seats)
    assert done.rule == ALL_WELL and done.games > 250
    assert done.lengths.mean() == pytest.approx(mean, rel=0.08)
    assert done.lengths.max() < 3500 and done.truncated == 0
    assert done.longest_turn < 60
    skipped = WALKER.walk(Game(seats), 200_000, seed=seats)
    assert skipped.rule == ALL_WELL and skipped.lengths.mean() < 0.8 * done.lengths.mean()


def give_feed_away(s: np.void) -> None:
    zone = "hand" if s["hand"][0][Card.FEED] else "system"
    s[zone][0][Card.FEED] -= 1
    s["discard"][1][Card.FEED] += 1


def hold_xe_alone(s: np.void) -> None:
    for card in (Card.N, Card.O, Card.KR, Card.XE):
        everything = s["hand"][0][card] + s["system"][0][card]
        s["hand"][0][card] = everything if card == Card.XE else 0
        s["system"][0][card] = 0 if card == Card.XE else everything


def leave_a_full_contract_open(s: np.void) -> None:
    contract = int(np.flatnonzero(s["deck"][Line.CONTRACT])[0])
    s["deck"][Line.CONTRACT][contract] -= 1
    s["contract"][1] = contract
    s["stored"][1] = 5
    s["supply"][Card.XE] -= 5


def install_twice(s: np.void) -> None:
    upgrade = int(np.flatnonzero(s["deck"][Line.UPGRADE] == 2)[0])
    s["deck"][Line.UPGRADE][upgrade] = 0
    s["installed"][1][upgrade] = 2


def put(field: str, *place: int, value: int) -> Callable[[np.void], None]:
    """Set one value of a record."""

    def change(s: np.void) -> None:
        if place:
            s[field][place] = value
        else:
            s[field] = value

    return change


BREAKS: list[tuple[str, Callable[[np.void], None]]] = [
    ("negative", put("money", 1, value=-1)),
    ("negative", put("deck", Line.UPGRADE, 3, value=-1)),
    ("negative", put("supply", Card.N, value=-2)),
    ("seen", put("shown", 1, Card.REFLUX, value=2)),
    ("five tokens", put("tokens", 0, value=4)),
    ("within the line", put("line_card", Line.CONTRACT, 3, value=30)),
    ("within the line", put("line_tokens", Line.UPGRADE, 2, 4, value=1)),
    ("as often", put("system", 0, Card.AGENT, value=3)),
    ("as often", put("completed", 1, 0, value=1)),
    ("as often", put("drawn", 0, value=1)),
    ("one Feed", give_feed_away),
    ("finite", put("discard", 0, Card.N, value=30)),
    ("isolated", hold_xe_alone),
    ("stored is complete", leave_a_full_contract_open),
    ("installed once", install_twice),
    ("six bids", put("bids", value=7)),
    ("three purchases", put("purchases", value=4)),
    ("belong", put("placements", value=1)),
    ("belong", put("wiped", value=0)),
]


@pytest.mark.parametrize(("rule", "change"), BREAKS)
def test_the_compiled_check_sees_what_is_broken(rule: str, change: Callable[[np.void], None]) -> None:
    one = Game(2, element_supply=FINITE)
    states = one.new_initial_state(3).states
    assert WALKER.rule_broken(one, states) == ALL_WELL
    states["wiped"] = 0 if rule == "as often" else NONE
    change(states[0])
    assert rule in WALKER.rule_broken(one, states)


@pytest.mark.long
def test_a_million_random_decisions_keep_the_invariants() -> None:
    decisions = games = 0
    for seats in (2, 3, 4, 5):
        for options in ({}, {"element_supply": FINITE}, {"element_supply": FINITE, "skip_forced": False}):
            done = WALKER.walk(Game(seats, **options), 100_000, seed=10 * seats)
            assert done.rule == ALL_WELL, f"{seats} players, {options}, decision {done.decisions}"
            decisions += done.decisions
            games += done.games
    assert decisions == 1_200_000 and games > 1000


@pytest.mark.long
def test_200_000_decisions_with_bounds_checks() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_BOUNDSCHECK": "1"}
    command = [sys.executable, "-W", "error", "-m", "tests.xenon.walker", "240000"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(text) for text in done.stdout.splitlines()]
    assert sum(one["decisions"] for one in lines) == 240_000 and {one["rule"] for one in lines} == {ALL_WELL}


def test_phases_have_the_names_of_the_dict() -> None:
    assert {phase.name.lower() for phase in Phase} == {*PHASES, "over"}
    assert at("over").to_dict()["turn"]["step"] == "end"
