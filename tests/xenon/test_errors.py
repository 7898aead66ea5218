"""Bad input: dicts, options and actions. The message names what is wrong, and nothing changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.game import IllegalActionError
from tests.xenon.cards import CONTRACTS, ELEMENTS, FINITE, MARKET_UPGRADES
from tests.xenon.table import at, game, legal, line, play, slot
from xenon_env import Game

Bad = tuple[dict[str, Any], str]


def me(**parts: Any) -> dict[str, Any]:
    """A dict with one player's values."""
    return {"players": [parts]}


def turned(phase: str = "start", **parts: Any) -> dict[str, Any]:
    """A dict with values of the turn."""
    return {"phase": phase, "turn": parts}


STACKS = {"element_supply": dict.fromkeys(ELEMENTS, 4)}
FULL_LINE = line("M1", "M2", "M3")
PLACING = {"phase": "place", "turn": {"placements": 1}}
COMPLETING = {"contract": "G5", "stored_xe": 3, "hand": {"packed_columns": 1}}
COMPLETE_AND_PLACE = {
    "phase": "complete",
    "turn": {"placements": 1},
    "contract_line": line("M1"),
    "players": [COMPLETING],
}

UNKNOWN_KEYS: list[Bad] = [
    ({"round": 1}, "round"),
    ({"options": {"colour": 1}}, "colour"),
    ({"options": {"element_supply": dict.fromkeys(ELEMENTS, 9) | {"Ar": 9}}}, "Ar"),
    ({"turn": {"stage": 1}}, "stage"),
    ({"turn": {"played": {"reflux": 1}}}, "played"),
    ({"turn": {"played": {"argon": 1}}}, "argon"),
    (me(monney=3), "monney"),
    (me(hand={"Ar": 1}), "Ar"),
    ({"players": [{}, {"cash": 1}]}, "cash"),
    ({"contract_line": [{"card": "M1", "owner": 0}]}, "owner"),
    ({"upgrade_line": [{"card": "agent", "token": [0, 0]}]}, "token"),
    ({"options": STACKS, "supply": {"N": 4, "Ar": 1}}, "Ar"),
    ({"contract_deck": {"Z9": 1}}, "contract_deck"),
]

WRONG_TYPES_AND_RANGES: list[Bad] = [
    ({"game": "chess"}, "game"),
    ({"num_players": 3}, "num_players"),
    ({"num_players": "2"}, "num_players"),
    ({"options": 5}, "options"),
    ({"options": {"max_decisions": 0}}, "max_decisions"),
    ({"options": {"max_decisions": "many"}}, "max_decisions"),
    ({"options": {"element_supply": 36}}, "element_supply"),
    ({"options": {"element_supply": {"N": 9}}}, "element_supply"),
    ({"options": {"element_supply": dict.fromkeys(ELEMENTS, 3)}}, "element_supply"),
    ({"current_player": 2}, "current_player"),
    ({"current_player": -1}, "current_player"),
    ({"current_player": -4}, "current_player"),
    ({"current_player": 0.0}, "current_player"),
    ({"phase": "lunch"}, "phase"),
    ({"phase": 3}, "phase"),
    ({"decisions": -1}, "decisions"),
    ({"decisions": 1.5}, "decisions"),
    ({"terminal": 0}, "terminal"),
    ({"truncated": "no"}, "truncated"),
    ({"trigger": 2, "privilege": "stars"}, "trigger"),
    ({"trigger": "me", "privilege": "stars"}, "trigger"),
    ({"trigger": 0, "privilege": "both"}, "privilege"),
    ({"players": {}}, "players"),
    ({"players": [{}, {}, {}]}, "players"),
    ({"players": [3]}, "players[0]"),
    (me(money=-1), "money"),
    (me(money="3"), "money"),
    (me(money=2.5), "money"),
    (me(money=True), "money"),
    (me(money=10**9), "money"),
    (me(stored_xe=-1), "stored_xe"),
    (me(stored_xe=None), "stored_xe"),
    (me(overtime=1), "overtime"),
    (me(tokens=6), "tokens"),
    (me(tokens=-1), "tokens"),
    (me(hand=["N"]), "hand"),
    (me(hand={"N": -1}), "hand"),
    (me(system={"N": 1.5}), "system"),
    (me(discard={"N": "one"}), "discard"),
    (me(shown=4), "shown"),
    (me(installed={"feed": 1}), "installed"),
    (me(pipelines="pipe_N"), "pipelines"),
    (me(completed=[1]), "completed"),
    (me(contract=7), "contract"),
    ({"contract_line": {"card": "M1"}}, "contract_line"),
    ({"contract_line": ["M1"]}, "contract_line"),
    ({"contract_line": [{}]}, "contract_line"),
    ({"contract_line": [*FULL_LINE, slot("M4")]}, "contract_line"),
    ({"upgrade_line": [None] * 4}, "upgrade_line"),
    ({"contract_line": [slot("M1", 0)]}, "tokens"),
    ({"contract_line": [slot("M1", 0, 0, 0)]}, "tokens"),
    ({"contract_line": [slot("M1", 6, 0)]}, "tokens"),
    ({"contract_line": [slot("M1", -1, 0)]}, "tokens"),
    ({"contract_line": [{"card": "M1", "tokens": 2}]}, "tokens"),
    ({"contract_deck": {"M1": -1}}, "contract_deck"),
    ({"contract_deck": None}, "contract_deck"),
    ({"upgrade_discard": {"agent": True}}, "upgrade_discard"),
    ({"turn": []}, "turn"),
    (turned(step="lunch"), "step"),
    (turned(step="air"), "step"),
    (turned("market", step="distill"), "step"),
    (turned("discard", step="market"), "step"),
    (turned("complete", step="air"), "step"),
    (turned(distills_left=-1), "distills_left"),
    (turned(distills_left=3), "distills_left"),
    (turned("distill", reboilers=-1), "reboilers"),
    (turned("distill", refrigerations=1.5), "refrigerations"),
    (turned(used="reflux"), "used"),
    (turned(used=["feed"]), "used"),
    (turned(played={"mass_flow": -1}), "played"),
    (turned("market", action="sell"), "action"),
    (turned("market", purchases=4), "purchases"),
    (turned("market", bids=7), "bids"),
    (turned("market", bid_none=1), "bid_none"),
    (turned("market", sales_executive="yes"), "sales_executive"),
    (turned("market", agent=0), "agent"),
    (turned("market", buyer=None), "buyer"),
    (turned("peek", peek="Ar"), "peek"),
    (turned("choose", wiped="pipeline", drawn={"M1": 1}), "wiped"),
]

CARDS_IN_WRONG_ZONES: list[Bad] = [
    (me(hand={"M1": 1}), "hand"),
    (me(system={"pipe_N": 1}), "system"),
    (me(discard={"G1": 1}), "discard"),
    (me(installed=["N"]), "installed"),
    (me(installed=["buyer"]), "installed"),
    (me(pipelines=["M1"]), "pipelines"),
    (me(completed=["pipe_N"]), "completed"),
    (me(contract="pipe_N"), "contract"),
    (me(contract="agent"), "contract"),
    ({"contract_line": line("agent")}, "contract_line"),
    ({"contract_line": line("N")}, "contract_line"),
    ({"upgrade_line": line("M1")}, "upgrade_line"),
    ({"upgrade_line": line("feed")}, "upgrade_line"),
    ({"contract_deck": {"agent": 1}}, "contract_deck"),
    ({"contract_discard": {"Xe": 1}}, "contract_discard"),
    ({"upgrade_deck": {"reflux": 1}}, "upgrade_deck"),
    ({"upgrade_discard": {"pipe_O": 1}}, "upgrade_discard"),
    (turned("choose", wiped="upgrade", drawn={"M1": 1}), "drawn"),
    (turned("choose", wiped="contract", drawn={"agent": 1}), "drawn"),
    (turned("choose", wiped="upgrade", drawn={"feed": 1}), "drawn"),
    (turned("peek", peek="M1"), "peek"),
]

TOO_MANY_CARDS: list[Bad] = [
    (me(hand={"agent": 3}), "players[0].hand"),
    ({"players": [{"hand": {"buyer": 1}}, {"discard": {"buyer": 1}}]}, "buyer"),
    ({"upgrade_deck": {"lobbyist": 1}, "players": [{}, {"installed": ["lobbyist"]}]}, "lobbyist"),
    ({"upgrade_deck": {"agent": 2}, "upgrade_line": line("agent")}, "agent"),
    ({"contract_deck": {"M1": 2}}, "contract_deck"),
    ({"contract_deck": {"M1": 1}, "players": [{"completed": ["M1"]}]}, "M1"),
    ({"contract_line": line("M1"), "players": [{}, {"contract": "M1"}]}, "M1"),
    ({"players": [{"completed": ["M1"]}, {"completed": ["M1"]}]}, "players[1].completed"),
    ({"contract_discard": {"pipe_O": 3}}, "contract_discard"),
    ({"contract_discard": {"pipe_O": 2}, "players": [{"pipelines": ["pipe_O"]}]}, "pipe_O"),
    (me(hand={"feed": 2}), "players[0].hand"),
    (me(hand={"feed": 1}, system={"feed": 1}), "feed"),
    (me(installed=["reflux"], discard={"reflux": 1}), "reflux"),
    ({"phase": "peek", "turn": {"peek": "feed"}, **me(hand={"feed": 1})}, "feed"),
    ({"phase": "peek", "turn": {"peek": "buyer"}, "upgrade_deck": {"buyer": 1}}, "buyer"),
    ({"phase": "choose", "turn": {"wiped": "contract", "drawn": {"M1": 1}}, "contract_deck": {"M1": 1}}, "M1"),
    ({"phase": "choose", "turn": {"wiped": "contract", "drawn": {"pipe_N": 3}}}, "drawn"),
    (me(installed=["agent", "agent"]), "installed"),
    (me(pipelines=["pipe_N", "pipe_N"]), "pipelines"),
    (me(completed=["M1", "M1"]), "completed"),
    ({"turn": {"used": ["reflux", "reflux"]}, **me(installed=["reflux"])}, "used"),
]

SUMS: list[Bad] = [
    ({"players": [{}, {"hand": {"N": 1}, "shown": {"N": 2}}]}, "shown"),
    ({"players": [{}, {"hand": {"N": 1}, "shown": {"O": 1}}]}, "shown"),
    (me(hand={"N": 1}, shown={}), "shown"),
    (me(hand={"N": 2}, shown={"N": 1}), "shown"),
    ({"contract_line": [slot("M1", 3, 0), slot("M2", 3, 0)]}, "tokens"),
    ({"contract_line": [slot("M1", 0, 3)], "upgrade_line": [slot("agent", 0, 3)]}, "tokens"),
    ({"contract_line": [slot("M1", 1, 0)], **me(tokens=5)}, "tokens"),
    (me(tokens=4), "tokens"),
    ({"supply": dict.fromkeys(ELEMENTS, 4)}, "supply"),
    ({"options": STACKS, "supply": dict.fromkeys(ELEMENTS, 3)}, "supply"),
    ({"options": STACKS, "supply": {"N": 4}, **me(hand={"N": 1})}, "supply"),
    ({"options": STACKS, "supply": 4}, "supply"),
    ({"options": STACKS, "supply": None}, "supply"),
    ({"options": STACKS, **me(hand={"N": 5})}, "supply"),
    ({"options": STACKS, **me(system={"Xe": 3}, stored_xe=2)}, "supply"),
    ({"options": STACKS, "phase": "peek", "turn": {"peek": "O"}, **me(discard={"O": 4})}, "supply"),
]

NEEDS_OF_PHASES: list[Bad] = [
    (turned(used=["reflux"]), "used"),
    ({"phase": "peek"}, "peek"),
    ({"phase": "place", "contract_line": line("M1")}, "placements"),
    (PLACING, "placements"),
    ({**PLACING, "contract_line": [slot("M1", 5, 0)]}, "placements"),
    ({"phase": "place", "turn": {"placements": 3}, "contract_line": [slot("M1", 3, 0)]}, "placements"),
    (turned("choose", wiped="contract"), "drawn"),
    ({"phase": "choose"}, "wiped"),
    ({"contract_line": FULL_LINE, **turned("choose", wiped="contract", drawn={"M4": 1})}, "drawn"),
    ({"phase": "reflux"}, "hand"),
    ({"phase": "complete", **me(**COMPLETING | {"contract": None})}, "stored_xe"),
    ({"phase": "complete", **me(**COMPLETING | {"stored_xe": 2})}, "stored_xe"),
    ({"phase": "complete", **me(**COMPLETING | {"hand": {}})}, "stored_xe"),
    ({"phase": "complete", **me(**COMPLETING | {"contract": "M1"})}, "stored_xe"),
    ({"phase": "complete", **me(**COMPLETING, installed=["packed_columns"])}, "packed_columns"),
    ({"phase": "complete", "turn": {"placements": 1}, **me(**COMPLETING)}, "placements"),
    ({**COMPLETE_AND_PLACE, "contract_line": [slot("M1", 5, 0)]}, "placements"),
    ({**COMPLETE_AND_PLACE, "turn": {"placements": 1, "step": "market"}}, "placements"),
    ({"phase": "privilege"}, "privilege"),
    ({"phase": "privilege", "trigger": 1}, "privilege"),
    ({"phase": "privilege", "trigger": 0, "privilege": "stars"}, "privilege"),
    ({"privilege": "stars"}, "privilege"),
    ({"trigger": 1}, "privilege"),
    ({"phase": "discard", "trigger": 0}, "privilege"),
    ({"phase": "over", "privilege": "turn"}, "privilege"),
    ({"truncated": True}, "truncated"),
    ({"terminal": True}, "terminal"),
    ({"phase": "over", "terminal": False}, "terminal"),
    (turned("market", placements=1), "placements"),
    (turned("distill", placements=1), "placements"),
    (turned("over", placements=1), "placements"),
    (turned("market", drawn={"M1": 1}), "drawn"),
    (turned("air", wiped="contract"), "wiped"),
    (turned("over", wiped="contract", drawn={"M1": 1}), "wiped"),
    (turned("distill", peek="N"), "peek"),
    (turned("over", peek="N"), "peek"),
    (turned("distill", distills_left=3), "distills_left"),
    (turned("market", action="buy"), "action"),
    ({**turned("market", action="buy"), **me(money=4), "contract_line": line("pipe_N")}, "action"),
    ({**turned("market", action="buy", purchases=2), **me(overtime=True), "contract_line": line("M1")}, "action"),
]

GROUPS = {
    "unknown": UNKNOWN_KEYS,
    "type": WRONG_TYPES_AND_RANGES,
    "zone": CARDS_IN_WRONG_ZONES,
    "copies": TOO_MANY_CARDS,
    "sum": SUMS,
    "phase": NEEDS_OF_PHASES,
}
EVERY = [
    pytest.param(position, key, id=f"{group}-{number}-{key}")
    for group, errors in GROUPS.items()
    for number, (position, key) in enumerate(errors)
]


@pytest.mark.parametrize(("position", "key"), EVERY)
def test_a_bad_dict_is_refused_and_the_key_named(position: dict[str, Any], key: str) -> None:
    with pytest.raises(ValueError) as caught:
        game().state_from_dict(position)
    assert key in str(caught.value)
    assert str(position) not in str(caught.value), "the message says which part, not just all of it"


def test_the_dicts_are_refused_for_the_reason_given() -> None:
    """Each rule's good neighbour is accepted."""
    good: list[dict[str, Any]] = [
        {},
        {"options": STACKS, "supply": dict.fromkeys(ELEMENTS, 4)},
        {"options": STACKS, "supply": {"N": 3}, **me(hand={"N": 1})},
        {"options": STACKS, **me(system={"Xe": 2}, stored_xe=2)},
        {"trigger": 1, "privilege": "stars"},
        {"phase": "privilege", "trigger": 0},
        {"phase": "over", "trigger": 1},
        {"phase": "over", "current_player": -4, "terminal": True},
        {"phase": "over", "truncated": True, "turn": {"step": "distill", "peek": "N"}},
        {"phase": "over", "truncated": True, "turn": {"step": "air", "wiped": "contract", "drawn": {"M1": 1}}},
        me(hand={"agent": 2}),
        {"players": [{"hand": {"feed": 1}}, {"hand": {"feed": 1}}]},
        {"players": [{}, {"hand": {"N": 2}, "shown": {"N": 1}}]},
        {"contract_line": [slot("M1", 3, 0), slot("M2", 2, 5)], "players": [{"tokens": 0}, {"tokens": 0}]},
        {"contract_line": [None, None, None], "contract_discard": {"pipe_O": 2}},
        {"turn": {"used": ["reflux"]}, **me(installed=["reflux"])},
        {"phase": "peek", "turn": {"peek": "feed"}},
        {**PLACING, "contract_line": line("M1")},
        {"contract_line": FULL_LINE[:2], **turned("choose", wiped="contract", drawn={"M4": 1})},
        {"phase": "reflux", **me(hand={"agent": 1})},
        {"phase": "complete", **me(**COMPLETING)},
        COMPLETE_AND_PLACE,
        {"phase": "complete", **me(**COMPLETING), "turn": {"step": "start"}},
        {"phase": "complete", **me(**COMPLETING), "turn": {"step": "market"}},
        {**me(**COMPLETING, installed=["packed_columns"]), **turned("complete", used=["packed_columns"])},
        {**turned("market", action="buy", purchases=1), "contract_line": line("M1")},
        turned("distill", distills_left=2),
        turned("distill", distills_left=0),
        turned("choose", wiped="upgrade", drawn=dict.fromkeys(MARKET_UPGRADES[:6], 1)),
        {"contract_deck": dict.fromkeys(CONTRACTS, 1)},
    ]
    for position in good:
        state = game().state_from_dict(position)
        assert game().state_from_dict(state.to_dict()) == state
        assert state.is_terminal() or state.legal_actions()


def paths(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values within a dict."""
    yield path
    entries = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, entry in entries:
        yield from paths(entry, (*path, key))


ODD: list[Any] = [None, -1, 10**30, True, "x", "N", [], [None], [["N"]], {}, {"a": 1}, {"N": 10**6}, 0.5]


@pytest.mark.parametrize("seed", [1, 2])
def test_any_odd_value_in_a_full_dict_is_refused_or_makes_a_position(seed: int) -> None:
    full = Game(2, skip_forced=False, element_supply=FINITE)
    state = full.new_initial_state(seed)
    rng = np.random.default_rng(seed)
    for _ in range(200):
        state.apply_action(int(rng.choice(state.legal_actions())))
    text = json.dumps(state.to_dict())
    every = list(paths(json.loads(text)))[1:]
    keys = {key for path in every for key in path}
    refused = 0
    for path in every:
        for odd in ODD:
            position = json.loads(text)
            part = position
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] = odd
            try:
                read = full.state_from_dict(position)
            except ValueError as error:
                assert re.split(r"\W", str(error))[0] in keys, f"{path} = {odd!r}: {error}"
                refused += 1
            else:
                assert full.state_from_dict(read.to_dict()) == read
    assert refused > 1500


def test_a_bad_dict_is_not_a_dict_at_all() -> None:
    for bad in (None, 3, "{}", [], [{}]):
        with pytest.raises(ValueError, match="expected a dict"):
            game().state_from_dict(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"num_players": 1}, "num_players"),
        ({"num_players": 6}, "num_players"),
        ({"num_players": "2"}, "num_players"),
        ({"num_players": 2.0}, "num_players"),
        ({"max_decisions": 0}, "max_decisions"),
        ({"max_decisions": -5}, "max_decisions"),
        ({"max_decisions": "5000"}, "max_decisions"),
        ({"skip_forced": "no"}, "skip_forced"),
        ({"reward": "money"}, "reward"),
        ({"hand_size": 6}, "hand_size"),
        ({"element_supply": 36}, "element_supply"),
        ({"element_supply": [36, 36, 36, 39]}, "element_supply"),
        ({"element_supply": {"N": 36}}, "element_supply"),
        ({"element_supply": dict.fromkeys(ELEMENTS, 36) | {"Ar": 36}}, "Ar"),
        ({"element_supply": dict.fromkeys(ELEMENTS, 36) | {"Kr": -1}}, "Kr"),
        ({"element_supply": dict.fromkeys(ELEMENTS, 36) | {"Kr": 3}}, "Kr"),
        ({"element_supply": dict.fromkeys(ELEMENTS, 36) | {"Kr": "many"}}, "Kr"),
        ({"element_supply": dict.fromkeys(ELEMENTS, 9), "num_players": 5}, "element_supply"),
    ],
)
def test_a_bad_option_is_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Game(**options)


@pytest.mark.parametrize(
    ("phase", "action", "key"), [("market", None, "action"), ("market", "buy", "action"), ("air", None, "overtime")]
)
def test_an_overtime_turn_has_no_air_and_no_plain_buy(phase: str, action: str | None, key: str) -> None:
    position = {"phase": phase, "turn": {"action": action}, "players": [{"overtime": True, "money": 9}]}
    with pytest.raises(ValueError, match=key):
        Game().state_from_dict(position)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_smallest_stacks_are_twice_the_players(seats: int) -> None:
    least = dict.fromkeys(ELEMENTS, 2 * seats)
    dealt = Game(seats, element_supply=least, skip_forced=False).new_initial_state(0)
    assert dealt.to_dict()["supply"] == dict.fromkeys(ELEMENTS, 0)
    with pytest.raises(ValueError, match="element_supply"):
        Game(seats, element_supply=least | {"O": 2 * seats - 1})
    with pytest.raises(ValueError, match="hand_size"):
        Game(seats, hand_size=6)


def test_a_refused_action_changes_nothing_and_the_message_says_what_is_legal() -> None:
    state = at("market", {"money": 1, "hand": {"agent": 1}}, contract_line=line("M6"), upgrade_line=line("reclaiming"))
    allowed = legal(state)
    assert allowed == {"buy:contract:1", "bid:contract:1", "bid:upgrade:1", "play:agent"}
    before, dump = state.to_bytes(), state.to_dict()
    for action in range(209):
        name = state.action_to_string(action)
        if name in allowed:
            continue
        for given in (action, name, np.int16(action)):
            with pytest.raises(IllegalActionError) as caught:
                state.apply_action(given)  # type: ignore[arg-type]
            assert name in str(caught.value) and all(other in str(caught.value) for other in allowed)
    for unknown in (
        "buy",
        "buy:contract",
        "buy:contract:0",
        "BUY:contract:1",
        "move:upgrade:1:upgrade:1",
        "",
        " distill",
    ):
        with pytest.raises(IllegalActionError, match="unknown action"):
            state.apply_action(unknown)
    for outside in (-1, 209, 10**12, 1.0, None, True, ["distill"]):
        with pytest.raises(IllegalActionError):
            state.apply_action(outside)  # type: ignore[arg-type]
    assert state.to_bytes() == before and state.to_dict() == dump and legal(state) == allowed


def test_no_action_in_a_finished_game() -> None:
    ended = at("market", {}, {"completed": ["M1"]}, trigger=1, privilege="stars", turn={"action": "bid", "bids": 1})
    play(ended, "end:market")
    cut = Game(2, max_decisions=1, skip_forced=False).new_initial_state(0)
    cut.apply_action("overtime:no")
    for state in (ended, cut, at("over")):
        assert state.is_terminal() and state.legal_actions() == []
        before = state.to_bytes()
        for action in ("end:market", "overtime:no", "distill", 0, 208):
            with pytest.raises(IllegalActionError, match="the game is over"):
                state.apply_action(action)
        assert state.to_bytes() == before


def test_truncation_cuts_only_an_unfinished_game() -> None:
    last = {"trigger": 1, "privilege": "stars", "turn": {"action": "bid", "bids": 1}, "decisions": 6}
    ended = at("market", {}, {"money": 9}, options={"max_decisions": 7}, **last)
    ended.apply_action("end:market")
    assert ended.is_terminal() and not ended.is_truncated() and ended.to_dict()["phase"] == "over"
    cut = at("distill", {"hand": {"N": 1, "relief_valve": 1}, "system": {"Kr": 1}}, options={"max_decisions": 1})
    cut.apply_action("play:relief_valve")
    found = cut.to_dict()
    assert found["truncated"] and found["phase"] == "over" and found["current_player"] == -4
    assert found["turn"]["peek"] == "Kr" and found["turn"]["step"] == "distill", "the turn is kept as it stood"
    assert game().state_from_dict(found) == cut
    assert cut.winners() == [0, 1] and cut.returns() == [0, 0], "scores count as they stand"
    late = at("start", {"hand": {"N": 1}}, options={"max_decisions": 3}, decisions=50)
    late.apply_action("overtime:no")
    assert late.is_truncated(), "the counter was already past the limit"
