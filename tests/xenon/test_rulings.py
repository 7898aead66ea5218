"""One test a ruling: where the rulebook is silent or unclear, the library plays as the README says by this number."""

from __future__ import annotations

import pytest

from core.game import IllegalActionError
from tests.xenon.cards import (
    CONTRACT_DECK,
    CONTRACTS,
    ELEMENTS,
    INSTALLABLE,
    PINK,
    PRICES,
    START_SYSTEM,
    STARTERS,
    UPGRADE_COPIES,
)
from tests.xenon.table import at, cards_of, expect, game, is_legal, legal, line, none_legal, play, player, slot, turn

FIVE = ["feed", "reflux", "silica_gel", "reboiler", "agent"]
BID_DONE = {"action": "bid", "bids": 1}


# Set-up


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_x1_seat_0_starts(seats: int) -> None:
    for seed in range(5):
        state = game(seats).new_initial_state(seed)
        assert state.current_player() == 0 and state.phase == "start"
        players = state.to_dict()["players"]
        for seat in players:
            assert cards_of(seat["hand"], seat["system"]) == START_SYSTEM
            assert sum(seat["hand"].values()) == 5 and seat["money"] == 3 and seat["tokens"] == 5
        assert [bool(seat["shown"]) for seat in players] == [True] + [False] * (seats - 1)


def test_x2_three_cards_a_line_with_two_players_else_four() -> None:
    for seats, size in ((2, 3), (3, 4), (4, 4), (5, 4)):
        dealt = game(seats).new_initial_state(1).to_dict()
        for word in ("contract", "upgrade"):
            assert [entry["tokens"] for entry in dealt[f"{word}_line"]] == [[0] * seats] * size
            assert sum(dealt[f"{word}_deck"].values()) == 27 - size and dealt[f"{word}_discard"] == {}
            full = {f"{word}_line": line("M1", "M2") if word == "contract" else line("agent", "buyer")}
            deck = {f"{word}_deck": {"G1": 1, "G2": 1, "G3": 1} if word == "contract" else {"lobbyist": 1, "agent": 1}}
            wiped = play(at("air", seats=seats, **full, **deck), f"wipe:{word}").to_dict()
            assert len(wiped[f"{word}_line"]) == size and None not in wiped[f"{word}_line"]
            assert len(cards_of(wiped[f"{word}_line"])) == size or word == "upgrade"
        four = at("market", {"money": 99}, seats=seats, contract_line=line("pipe_N"), upgrade_line=line("agent"))
        play(four, "bid:contract:1", "end:market")
        expect(four, contract_line=["pipe_N"] + [None] * (size - 1), upgrade_line=["agent"] + [None] * (size - 1))
    for action in ("bid:contract:4", "buy:upgrade:4", "buy_install:upgrade:4", "move:contract:4:contract:1"):
        state = at("market", {"money": 99}, contract_line=line("M1", "M2", "M3"), upgrade_line=line(*FIVE[2:5]))
        assert not is_legal(state, action)
        with pytest.raises(IllegalActionError):
            state.apply_action(action)
    with pytest.raises(ValueError, match="contract_line"):
        at("market", contract_line=line("M1", "M2", "M3", "M4"))
    three = at("market", seats=3, contract_line=line("M1", "M2", "M3", "M4"))
    assert is_legal(three, "bid:contract:4", "buy:contract:4")


def test_x3_pipelines_are_in_the_contract_deck_and_contracts_have_no_ability() -> None:
    for seed in range(10):
        dealt = game(4).new_initial_state(seed).to_dict()
        assert cards_of(dealt["contract_line"], dealt["contract_deck"]) == CONTRACT_DECK
        assert cards_of(dealt["upgrade_line"], dealt["upgrade_deck"]) == UPGRADE_COPIES
    for contract, (cost, money, stars) in CONTRACTS.items():
        state = at("market", {"money": 0, "stored_xe": 6}, contract_line=line(contract, "pipe_N"))
        play(state, "buy:contract:1")
        done = {"completed": [contract], "contract": None, "stored_xe": 6 - cost, "money": money, "discard": {}}
        expect(state, done | {"tokens": 5, "installed": [], "pipelines": []}, {"money": 3}, phase="market")
        assert legal(state) == {"end:market"}
        assert state.scores() == [stars + money // 5, 0]


def test_x4_elements_are_unlimited_unless_the_option_says_otherwise() -> None:
    endless = at("air", {"discard": {"N": 500}, "system": {"Xe": 500}})
    expect(play(endless, "air"), {"discard": {"N": 501, "O": 1, "Kr": 1, "Xe": 1}, "money": 5}, supply=None)

    supply = {"element_supply": dict.fromkeys(ELEMENTS, 4)}
    players = ({"money": 0, "hand": {"N": 3}, "stored_xe": 2}, {"system": {"N": 1, "Xe": 2, "O": 3}})
    state = at("air", *players, options=supply)
    expect(state, supply={"N": 0, "O": 1, "Kr": 4, "Xe": 0})
    play(state, "air")
    expect(state, {"money": 2, "discard": {"O": 1, "Kr": 1}}, supply={"N": 0, "O": 0, "Kr": 3, "Xe": 0})
    state = at("air", players[0] | {"installed": ["feed", "expansion_turbine"]}, players[1], options=supply)
    play(state, "air:feed", "use:expansion_turbine")
    expect(state, {"money": 4, "discard": {"O": 1, "Kr": 3}}, supply={"N": 0, "O": 0, "Kr": 1, "Xe": 0})
    returned = at("distill", {"hand": {"N": 2, "O": 1}}, options=supply)
    expect(play(returned, "distill"), supply={"N": 4, "O": 3, "Kr": 4, "Xe": 4})


def test_x5_a_market_deck_is_made_of_its_discards_and_a_slot_stays_empty_without_cards() -> None:
    state = at("air", contract_line=line("G1", "G2", "G3"))
    wiped = play(state, "wipe:contract").to_dict()
    assert cards_of(wiped["contract_line"]) == {"G1": 1, "G2": 1, "G3": 1}
    assert wiped["contract_discard"] == wiped["contract_deck"] == {}

    seen = set()
    for seed in range(20):
        state = at(
            "air",
            seed=seed,
            upgrade_line=[slot("buyer"), slot("lobbyist", 1, 0)],
            upgrade_deck={"agent": 1},
            upgrade_discard={"engineer": 1},
        )
        wiped = play(state, "wipe:upgrade").to_dict()
        assert [entry["card"] for entry in wiped["upgrade_line"][:2]] == ["agent", "lobbyist"], "the deck comes first"
        assert wiped["upgrade_discard"] == {}
        left = cards_of(wiped["upgrade_line"][2:], wiped["upgrade_deck"])
        assert left == {"buyer": 1, "engineer": 1}, "the card just wiped is among the discards"
        seen.add(wiped["upgrade_line"][2]["card"])
    assert seen == {"buyer", "engineer"}

    state = at("air", contract_line=[slot("M1", 0, 1), slot("M2")], contract_deck={"G8": 1})
    play(state, "wipe:contract")
    assert cards_of(state.to_dict()["contract_line"]) == {"M1": 1, "M2": 1, "G8": 1}
    state = at("air", contract_line=[None, slot("M1", 1, 0)])
    expect(play(state, "wipe:contract"), contract_line=[None, "M1", None], phase="market")
    state = at("market", upgrade_line=[None, slot("agent")], turn=BID_DONE, upgrade_discard={"buyer": 1})
    expect(play(state, "end:market"), upgrade_line=["buyer", "agent", None], upgrade_discard={}, upgrade_deck={})


# Overtime and distilling


def test_x6_the_console_side_is_chosen_before_any_distill_card_but_free_actions_may_come_first() -> None:
    hand = {"mass_flow": 1, "reclaiming": 1, "silica_gel": 1, "reboiler": 1, "relief_valve": 1, "N": 1, "O": 1}
    state = at("start", {"hand": hand | {"reflux": 1}, "system": {"Kr": 3, "O": 1}, "installed": ["swing_adsorption"]})
    assert is_legal(state, "overtime:no", "overtime:yes", "play:mass_flow", "play:reclaiming")
    assert none_legal(state, "distill", "end:distill", "use:*", "play:silica_gel", "play:reboiler", "play:reflux")
    assert none_legal(state, "play:relief_valve")
    play(state, "play:mass_flow")
    expect(state, phase="start", turn={"step": "start", "distills_left": 1})
    both = play(state.clone(), "overtime:no"), play(state.clone(), "overtime:yes")
    for overtime, after in enumerate(both):
        expect(after, {"overtime": bool(overtime)}, phase="distill", turn={"distills_left": 1 + overtime})
        assert is_legal(after, "distill", "play:silica_gel", "play:reboiler", "play:reflux", "use:swing_adsorption")
        assert none_legal(after, "overtime:*")


def test_x7_after_overtime_the_console_flips_back_and_start_is_skipped() -> None:
    kept = dict.fromkeys((*STARTERS, "contractor", "lobbyist"), 1)
    full = kept | {"engineer": 1}
    others = dict.fromkeys((*STARTERS, "buyer", "reclaiming", "osha_inspection"), 1)
    state = at("discard", {"hand": others}, {"overtime": True, "hand": kept | {"N": 1, "Kr": 1}})
    expect(state, {}, {"overtime": True})
    play(state, "end:discard")
    expect(state, {}, {"overtime": False}, phase="distill", current_player=1, turn={"step": "distill"})
    assert turn(state)["distills_left"] == 1 and none_legal(state, "overtime:*")
    play(state, "distill")
    assert is_legal(state, "end:distill"), "a normal turn distills once"

    state = at("start", {"hand": full}, {"hand": others})
    normal = ("overtime:no", "end:distill", "air", "bid:none", "end:market", "end:discard")
    play(state, "overtime:yes", "end:distill", "bid:none", "end:market")
    expect(state, {"overtime": True}, phase="discard")
    expect(play(state, "end:discard"), {"overtime": True}, current_player=1, phase="start")
    expect(play(state, *normal), {"overtime": False}, {"overtime": False}, current_player=0, phase="distill")
    expect(play(state, *normal[1:]), {"overtime": False}, current_player=1, phase="start")
    expect(play(state, *normal), current_player=0, phase="start")
    assert is_legal(state, "overtime:yes"), "two turns later it is allowed again"


def test_x8_a_distill_is_mandatory_while_there_is_something_to_remove() -> None:
    for element in ("N", "O", "Kr"):
        state = at("distill", {"hand": {element: 1}})
        assert is_legal(state, "distill") and none_legal(state, "end:distill")
        assert legal(play(state, "distill")) == {"end:distill"}
    state = at("distill", {"hand": {"mass_flow": 1, "feed": 1}, "system": {"Kr": 2}})
    assert is_legal(state, "end:distill") and none_legal(state, "distill")
    play(state, "play:mass_flow")
    assert is_legal(state, "distill") and none_legal(state, "end:distill"), "the distill is still due"
    play(state, "distill")
    expect(state, {"hand": {"feed": 1}}, turn={"distills_left": 0})

    spent = at("distill", {"hand": {"N": 1, "mass_flow": 1}, "system": {"O": 1}})
    play(spent, "distill", "play:mass_flow")
    assert legal(spent) == {"end:distill"} and player(spent)["hand"] == {"O": 1}
    twice = at("distill", {"overtime": True, "hand": {"N": 1, "O": 1, "Kr": 1}})
    play(twice, "distill")
    assert legal(twice) == {"distill"}, "overtime distills twice"
    play(twice, "distill")
    expect(twice, {"hand": {"Kr": 1}})
    assert legal(twice) == {"end:distill"}


def test_x9_cards_may_be_used_before_between_and_after_the_distills() -> None:
    hand = {"N": 1, "O": 2, "Kr": 1, "Xe": 1, "silica_gel": 1, "reboiler": 1, "mass_flow": 1, "reflux": 1}
    me = {"overtime": True, "money": 0, "hand": hand, "system": {"Kr": 1, "Xe": 1, "agent": 1}}
    state = at("distill", me)
    assert is_legal(state, "play:silica_gel", "play:reboiler", "play:mass_flow", "play:reflux", "distill")
    play(state, "play:reboiler", "distill", "play:silica_gel", "distill", "play:mass_flow")
    expect(state, {"money": 2, "hand": {"Kr": 1, "Xe": 1, "reflux": 1, "agent": 1}, "stored_xe": 1})
    play(state, "play:reflux", "discard:kr")
    expect(state, {"hand": {"agent": 1}, "stored_xe": 2}, phase="distill")
    assert legal(state) == {"end:distill"}


def test_x10_isolation_is_automatic_all_xe_only_in_the_first_two_steps_and_after_the_whole_effect() -> None:
    state = at("distill", {"hand": {"Kr": 1, "Xe": 3, "feed": 1}})
    expect(play(state, "distill"), {"stored_xe": 3, "hand": {"feed": 1}})
    state = at("distill", {"hand": {"N": 1, "Kr": 1, "Xe": 3}})
    expect(play(state, "distill"), {"stored_xe": 0, "hand": {"Kr": 1, "Xe": 3}})
    expect(at("distill", {"hand": {"Xe": 2}}), {"stored_xe": 0, "hand": {"Xe": 2}})

    whole = {"hand": {"mass_flow": 1}, "system": {"Xe": 2, "N": 1}}
    for phase in ("start", "distill"):
        for seed in range(6):
            state = at(phase, whole, seed=seed)
            expect(play(state, "play:mass_flow"), {"stored_xe": 0, "hand": {"Xe": 2, "N": 1}}, phase=phase)
        state = at(phase, {"hand": {"mass_flow": 1}, "system": {"Xe": 2, "feed": 1}})
        expect(play(state, "play:mass_flow"), {"stored_xe": 2, "hand": {"feed": 1}}, phase=phase)
    for phase in ("air", "market"):
        lines = {"contract_line": line("M6")}
        state = at(phase, {"hand": {"mass_flow": 1}, "system": {"Xe": 2, "feed": 1}}, **lines)
        expect(play(state, "play:mass_flow"), {"stored_xe": 0, "hand": {"Xe": 2, "feed": 1}}, phase=phase)
    discarded = at("distill", {"hand": {"Kr": 1, "Xe": 1}, "installed": ["reflux"]})
    expect(play(discarded, "use:reflux", "discard:kr"), {"stored_xe": 1, "hand": {}, "discard": {"Kr": 1}})
    drawn = at("peek", {"hand": {}}, turn={"peek": "Xe"})
    expect(play(drawn, "peek:draw"), {"stored_xe": 1, "hand": {}}, phase="distill")

    kept = at("discard", {}, {"hand": {"Xe": 2, "feed": 1}})
    expect(kept, {}, {"hand": {"Xe": 2, "feed": 1}, "stored_xe": 0})
    expect(play(kept, "end:discard"), {}, {"hand": {"feed": 1}, "stored_xe": 2, "shown": {"feed": 1}}, phase="start")


# Contracts


def test_x11_completion_is_automatic_on_storing_xe_and_on_taking_the_contract() -> None:
    state = at("distill", {"money": 0, "hand": {"O": 1, "Xe": 2}, "contract": "E3", "stored_xe": 1})
    play(state, "distill")
    expect(state, {"contract": None, "completed": ["E3"], "stored_xe": 1, "money": 3}, phase="distill")
    state = at("market", {"money": 0, "stored_xe": 3}, contract_line=line("E2"))
    play(state, "buy:contract:1")
    expect(state, {"contract": None, "completed": ["E2"], "stored_xe": 0, "money": 7}, phase="market")
    begun = at("discard", {}, {"hand": {"Xe": 1}, "contract": "G1", "money": 0})
    expect(play(begun, "end:discard"), {}, {"completed": ["G1"], "money": 1, "stored_xe": 0}, phase="start")
    short = at("distill", {"hand": {"O": 1, "Xe": 1}, "contract": "E3"})
    expect(play(short, "distill"), {"contract": "E3", "completed": [], "stored_xe": 1})
    waiting = at("distill", {"hand": {"O": 1}, "contract": "E3", "stored_xe": 2})
    expect(waiting, {"contract": "E3", "stored_xe": 2})
    expect(play(waiting, "distill"), {"completed": ["E3"], "stored_xe": 0})
    for last in ("choose:agent", "choose:buyer"):
        filling = at(
            "choose",
            {"contract": "E3", "stored_xe": 2, "money": 0},
            upgrade_line=line("lobbyist", "engineer"),
            turn={"wiped": "upgrade", "drawn": {"agent": 1, "buyer": 1}},
        )
        expect(play(filling, last), {"completed": ["E3"], "stored_xe": 0, "money": 3}, phase="market")


def test_x12_packed_columns_at_most_once_per_contract() -> None:
    """The installed one is spent by itself, one in hand is offered, and only one of them counts for a contract."""
    hand = {"hand": {"packed_columns": 1}}
    installed = {"installed": ["packed_columns"]}
    g5 = {"contract_line": line("G5")}

    spent = play(at("market", {"stored_xe": 3, "money": 0} | installed, **g5), "buy:contract:1")
    expect(spent, {"completed": ["G5"], "stored_xe": 1, "money": 1}, turn={"used": ["packed_columns"]}, phase="market")
    both = play(at("market", {"stored_xe": 3} | installed | hand, **g5), "buy:contract:1")
    expect(both, {"completed": ["G5"], "stored_xe": 1} | hand, turn={"used": ["packed_columns"]}, phase="market")

    offered = play(at("market", {"stored_xe": 3, "money": 0} | hand, **g5), "buy:contract:1")
    expect(offered, {"contract": "G5", "completed": [], "stored_xe": 3, "money": 0}, phase="complete")
    assert legal(offered) == {"complete:full", "play:packed_columns"} and turn(offered)["step"] == "market"
    full, short = play(offered.clone(), "complete:full"), play(offered.clone(), "play:packed_columns")
    expect(full, {"completed": ["G5"], "stored_xe": 0, "money": 1, "discard": {}} | hand, phase="market")
    expect(short, {"completed": ["G5"], "stored_xe": 1, "money": 1, "hand": {}, "discard": {"packed_columns": 1}})
    used = {"turn": {"used": ["packed_columns"]}}
    again = play(at("market", {"stored_xe": 3} | installed | hand, **g5, **used), "buy:contract:1")
    expect(again, phase="complete")
    lone = play(at("market", {"stored_xe": 3} | installed, **g5, **used), "buy:contract:1")
    expect(lone, {"completed": ["G5"], "stored_xe": 0}, phase="market")

    missing = {"contract": "G5", "stored_xe": 2}
    for phase in ("start", "distill", "air", "market"):
        ready = at(phase, missing | hand | installed, contract_line=line("M6"))
        assert is_legal(ready, "play:packed_columns", "use:packed_columns")
    used_up = play(ready.clone(), "use:packed_columns")
    expect(used_up, {"completed": ["G5"], "stored_xe": 0} | hand, turn={"used": ["packed_columns"]})
    assert none_legal(used_up, "*packed_columns")
    played = play(ready.clone(), "play:packed_columns")
    expect(played, {"completed": ["G5"], "stored_xe": 0, "hand": {}, "discard": {"packed_columns": 1}})
    expect(played, turn={"used": []})
    for stored in (0, 1):
        none = at("air", {"contract": "G5", "stored_xe": stored} | hand | installed)
        assert none_legal(none, "play:packed_columns", "use:packed_columns"), "two copies do not save two Xe"

    one = at("air", {"contract": "M1", "stored_xe": 0} | hand | installed)
    assert none_legal(one, "play:packed_columns", "use:packed_columns"), "at least one Xe is paid"
    one = play(at("market", {"stored_xe": 2} | hand | installed, contract_line=line("M1")), "buy:contract:1")
    expect(one, {"completed": ["M1"], "stored_xe": 1} | hand, turn={"used": []}, phase="market")


def test_x13_reboiler_and_refrigeration_count_removals_made_after_them_and_add_up() -> None:
    me = {"money": 0, "hand": {"O": 2, "reboiler": 2, "silica_gel": 1, "mass_flow": 1}, "system": {"O": 3}}
    late = play(at("distill", me), "distill", "play:reboiler")
    expect(late, {"money": 0}, turn={"reboilers": 1})
    expect(play(late, "play:mass_flow", "play:silica_gel"), {"money": 3})
    twice = play(at("distill", me), "play:reboiler", "play:reboiler", "play:silica_gel")
    expect(twice, {"money": 4}, turn={"reboilers": 2})
    me = {"money": 0, "hand": {"O": 2, "Kr": 1, "reboiler": 1}, "installed": ["reboiler", "reflux"]}
    expect(play(at("distill", me), "play:reboiler", "distill"), {"money": 4})
    expect(play(at("distill", me), "distill"), {"money": 2})
    expect(play(at("distill", me), "use:reflux", "discard:o", "distill"), {"money": 1})
    early = at("start", {"money": 5, "hand": {"O": 3, "reboiler": 1}})
    expect(play(early, "install:reboiler", "overtime:no", "distill"), {"money": 3})

    me = {"hand": {"N": 1, "reboiler": 1, "refrigeration": 1, "mass_flow": 1}, "system": {"N": 1}}
    over = play(at("distill", me), "play:reboiler", "play:refrigeration", "distill", "end:distill")
    expect(over, turn={"reboilers": 0, "refrigerations": 0}, phase="air")

    me = {"hand": {"N": 2, "refrigeration": 1, "swing_adsorption": 1}, "installed": ["refrigeration"]}
    lines = {"contract_line": line("M1")}
    expect(play(at("distill", me, **lines), "play:refrigeration", "play:swing_adsorption"), turn={"placements": 4})
    expect(play(at("distill", me, **lines), "distill"), turn={"placements": 2})
    late = play(at("distill", me | {"installed": []}, **lines), "distill", "play:refrigeration")
    expect(late, phase="distill", turn={"placements": 0, "refrigerations": 1})


def test_x14_refrigeration_places_from_the_supply_optionally_and_is_not_a_bid() -> None:
    me = {"hand": {"N": 3, "Xe": 1}, "installed": ["refrigeration", "sales_executive"]}
    lines = {"contract_line": [slot("G1", 1, 0), None, slot("pipe_N")], "upgrade_line": line("agent")}
    state = play(at("distill", me, **lines), "distill")
    expect(state, {"hand": {}, "stored_xe": 1}, phase="place", turn={"placements": 3, "bids": 0})
    places = {"bid:contract:1", "bid:contract:3", "bid:upgrade:1", "bid:none"}
    assert legal(state) == places, "no moves"
    play(state, "bid:contract:3", "bid:contract:3")
    expect(state, {"tokens": 2}, phase="place", turn={"placements": 1})
    stopped = play(state.clone(), "bid:none")
    expect(stopped, {"tokens": 2}, phase="distill", turn={"placements": 0})
    play(state, "bid:upgrade:1", "end:distill", "air")
    expect(state, {"tokens": 1}, turn={"action": None, "bids": 0, "bid_none": False, "placements": 0})
    assert is_legal(state, "buy:contract:1", "bid:contract:1")
    expect(play(state, "buy:contract:1"), {"contract": None, "completed": ["G1"], "tokens": 2})

    three = {"contract_line": [slot("G1", 3, 0)]}
    expect(play(at("distill", me, **three), "distill"), phase="place", turn={"placements": 2})
    five = {"contract_line": [slot("G1", 5, 0), slot("G2")]}
    expect(play(at("distill", me, **five), "distill"), phase="distill", turn={"placements": 0})
    expect(play(at("distill", me), "distill"), phase="distill", turn={"placements": 0})


# Cards in play


def test_x15_reflux_discards_any_other_card_and_the_valves_card_is_its_owners_secret() -> None:
    hand = {"N": 1, "Xe": 1, "agent": 1, "reflux": 1}
    stacks = {"options": {"element_supply": dict.fromkeys(ELEMENTS, 4)}}
    state = play(at("distill", {"hand": hand}, **stacks), "play:reflux")
    expect(state, {"hand": {"N": 1, "Xe": 1, "agent": 1}, "discard": {"reflux": 1}}, phase="reflux")
    assert legal(state) == {"discard:n", "discard:xe", "discard:agent"}, "one other card must go"
    left = play(state.clone(), "discard:n")
    expect(left, {"discard": {"reflux": 1, "N": 1}, "stored_xe": 1}, supply={"N": 3, "O": 4, "Kr": 4, "Xe": 3})
    expect(play(state, "discard:agent"), {"discard": {"reflux": 1, "agent": 1}}, phase="distill")
    assert none_legal(at("distill", {"hand": {"reflux": 1}}), "play:reflux")
    used = play(at("distill", {"hand": {"Xe": 2}, "installed": ["reflux"]}), "use:reflux")
    assert legal(used) == {"discard:xe"}
    expect(play(used, "discard:xe"), {"hand": {}, "discard": {"Xe": 1}, "stored_xe": 1})

    def looking(peek: str, system: str) -> tuple[bytes, bytes, set[str]]:
        me = {"hand": {"feed": 1}, "system": {system: 1}, "installed": ["relief_valve"]}
        seen = at("peek", me, turn={"peek": peek, "used": ["relief_valve"]})
        return seen.observation(0).tobytes(), seen.observation(1).tobytes(), legal(seen)

    own, others, choice = looking("Kr", "Xe")
    other_own, same_others, _ = looking("Xe", "Kr")
    assert own != other_own and others == same_others and choice == {"peek:draw", "peek:discard"}
    me = {"hand": {"relief_valve": 1}, "system": {"Kr": 1}}
    state = play(at("distill", me), "play:relief_valve")
    expect(state, {"hand": {}, "discard": {"relief_valve": 1}, "system": {}}, turn={"peek": "Kr"}, phase="peek")
    expect(play(state.clone(), "peek:draw"), {"hand": {"Kr": 1}, "discard": {"relief_valve": 1}}, turn={"peek": None})
    expect(play(state, "peek:discard"), {"hand": {}, "discard": {"relief_valve": 1, "Kr": 1}}, phase="distill")


def test_x16_installed_abilities_once_a_turn_and_cards_in_hand_are_further_copies() -> None:
    hand = {"silica_gel": 1, "expansion_turbine": 1, "swing_adsorption": 1, "O": 1, "N": 1, "mass_flow": 1}
    uses = ["reflux", "silica_gel", "relief_valve", "expansion_turbine", "swing_adsorption"]
    state = at("distill", {"hand": hand, "system": {"Kr": 1, "O": 3}, "installed": uses})
    assert is_legal(state, *(f"use:{card}" for card in uses))
    play(state, "use:silica_gel", "use:expansion_turbine", "use:swing_adsorption")
    expect(state, turn={"used": ["silica_gel", "expansion_turbine", "swing_adsorption"]})
    assert none_legal(state, "use:silica_gel", "use:expansion_turbine", "use:swing_adsorption")
    assert is_legal(state, "play:expansion_turbine", "use:reflux", "use:relief_valve")
    play(state, "use:relief_valve", "peek:draw", "use:reflux", "discard:swing_adsorption")
    assert none_legal(state, "use:*")
    always = at("distill", {"hand": {"N": 1}, "installed": ["reboiler", "refrigeration", "sales_executive", "agent"]})
    assert none_legal(always, "use:*")
    next_turn = at("discard", {}, {"hand": {"N": 1}, "installed": ["expansion_turbine"]})
    assert is_legal(play(next_turn, "end:discard"), "use:expansion_turbine")

    redrawn = at("start", {"hand": {"expansion_turbine": 1, "mass_flow": 1}})
    play(redrawn, "play:expansion_turbine", "play:mass_flow", "play:expansion_turbine")
    expect(redrawn, {"discard": {"mass_flow": 1, "expansion_turbine": 1, "Kr": 1, "Xe": 1}, "hand": {"Kr": 1, "Xe": 1}})

    me = {"hand": {"relief_valve": 2}, "system": {}, "discard": {}, "installed": []}
    ring = at("distill", me)
    assert none_legal(ring, "play:relief_valve"), "nothing to draw"
    ring = play(at("distill", me | {"discard": {"N": 1}}), "play:relief_valve", "peek:draw")
    expect(ring, {"hand": {"relief_valve": 1, "N": 1}}, turn={"played": {"relief_valve": 1}})
    play(ring, "play:relief_valve", "peek:draw")
    expect(ring, {"hand": {"relief_valve": 1, "N": 1}, "discard": {"relief_valve": 1}})
    expect(ring, turn={"played": {"relief_valve": 2}})
    assert none_legal(ring, "play:relief_valve"), "two copies, two plays"
    flow = {"hand": {"mass_flow": 1}, "system": {"Kr": 1}, "installed": ["relief_valve"]}
    ring = play(at("distill", flow), "play:mass_flow", "use:relief_valve", "peek:draw")
    expect(ring, {"hand": {"mass_flow": 1, "Kr": 1}}, turn={"played": {"mass_flow": 1}, "used": ["relief_valve"]})
    assert none_legal(ring, "play:mass_flow")
    play(ring, "distill", "end:distill", "air")
    assert none_legal(ring, "play:mass_flow"), "not in a later step of the turn either"
    later = at("discard", {}, {"hand": {"mass_flow": 1}, "system": {"Kr": 1}}, turn={"played": {"mass_flow": 1}})
    assert is_legal(play(later, "end:discard"), "play:mass_flow") and turn(later)["played"] == {}


# AIR or WIPE


def test_x17_air_gives_at_most_two_packets_and_four_dollars() -> None:
    two = dict.fromkeys(ELEMENTS, 2)
    state = play(at("air", {"money": 0, "installed": ["feed"]}), "air:feed")
    expect(state, {"money": 4, "discard": two, "installed": ["feed"]}, phase="market")
    assert none_legal(state, "air", "air:feed")
    state = play(at("air", {"money": 0, "hand": {"feed": 1, "agent": 1}}), "air:feed")
    expect(state, {"money": 4, "discard": two | {"feed": 1}, "hand": {"agent": 1}}, phase="market")
    state = play(at("air", {"money": 0, "installed": ["feed"], "hand": {"feed": 0}}), "air")
    expect(state, {"money": 2, "discard": dict.fromkeys(ELEMENTS, 1)})
    assert none_legal(at("air", {"discard": {"feed": 1}}), "air:feed")
    with pytest.raises(ValueError, match="feed"):
        at("air", {"installed": ["feed"], "hand": {"feed": 1}})


def test_x18_a_line_may_be_wiped_even_if_no_card_leaves_it() -> None:
    kept = [slot("G1", 1, 0), slot("G2", 0, 2), slot("M1", 1, 1)]
    state = play(at("air", contract_line=kept, contract_deck={"M2": 1}), "wipe:contract")
    expect(state, contract_line=kept, contract_deck={"M2": 1}, contract_discard={}, phase="market")
    state = play(at("air"), "wipe:upgrade")
    expect(state, upgrade_line=[None] * 3, phase="market")
    state = play(at("air", {"hand": {"engineer": 1}}, contract_line=kept, contract_deck={"M2": 1}), "wipe:contract")
    expect(state, {"hand": {"engineer": 1}, "money": 3}, contract_line=kept)


def test_x19_the_engineer_draws_six_after_the_removal_and_must_fill_the_line() -> None:
    deck = {"M1": 1, "M2": 1, "M3": 1, "M4": 1, "M5": 1, "M6": 1, "E1": 1, "pipe_N": 2}
    state = at(
        "air", {"hand": {"engineer": 1}}, contract_line=[slot("G1"), slot("G2", 0, 1), slot("G3")], contract_deck=deck
    )
    play(state, "wipe:contract:engineer")
    drawn = turn(state)["drawn"]
    expect(state, {"hand": {}, "discard": {"engineer": 1}}, contract_line=[None, "G2", None], phase="choose")
    expect(state, contract_discard={"G1": 1, "G3": 1}, turn={"wiped": "contract", "step": "air"})
    assert sum(drawn.values()) == 6 and cards_of(drawn, state.to_dict()["contract_deck"]) == deck
    assert legal(state) == {f"choose:{card.lower()}" for card in drawn}, "the slots must be filled"
    first, *others = drawn
    second = first if drawn[first] > 1 else others[-1]
    play(state, f"choose:{first.lower()}")
    expect(state, contract_line=[first, "G2", None], phase="choose")
    play(state, f"choose:{second.lower()}")
    rest = cards_of(drawn, {"G1": 1, "G3": 1}) - cards_of(first) - cards_of(second)
    expect(state, contract_line=[first, "G2", second], contract_discard=dict(rest), phase="market")
    expect(state, turn={"wiped": None, "drawn": {}, "step": "market"})

    few = at(
        "air",
        {"hand": {"engineer": 1}},
        upgrade_line=[slot("buyer"), slot("agent", 1, 0)],
        upgrade_deck={"silica_gel": 1},
    )
    play(few, "wipe:upgrade:engineer")
    expect(few, turn={"drawn": {"silica_gel": 1, "buyer": 1}}, upgrade_deck={}, upgrade_discard={})
    play(few, "choose:buyer", "choose:silica_gel")
    expect(few, upgrade_line=["buyer", "agent", "silica_gel"], phase="market")
    one = at("air", {"hand": {"engineer": 1}}, upgrade_line=[slot("agent", 1, 0)], upgrade_deck={"silica_gel": 1})
    play(one, "wipe:upgrade:engineer", "choose:silica_gel")
    expect(one, upgrade_line=["agent", "silica_gel", None], phase="market")

    none = at("air", {"hand": {"engineer": 1}}, upgrade_line=[slot("agent", 1, 0)])
    expect(play(none, "wipe:upgrade:engineer"), upgrade_line=["agent", None, None], phase="market")
    full = [slot("G1", 1, 0), slot("G2", 0, 1), slot("G3", 1, 0)]
    full_line = at("air", {"hand": {"engineer": 1}}, contract_line=full, contract_deck={"M1": 1, "M2": 1})
    play(full_line, "wipe:contract:engineer")
    expect(full_line, {"discard": {"engineer": 1}}, contract_line=full, contract_discard={"M1": 1, "M2": 1})
    expect(full_line, contract_deck={}, phase="market", turn={"wiped": None, "drawn": {}})


# BUY or BID


def test_x20_buy_or_bid_is_mandatory_and_void_only_without_a_token() -> None:
    lines = {"contract_line": line("G1"), "upgrade_line": line("agent")}
    state = at("market", {"money": 0}, **lines)
    assert legal(state) == {"bid:contract:1", "bid:upgrade:1", "buy:contract:1"}
    assert is_legal(play(state, "bid:upgrade:1"), "end:market")

    spent = at("market", {"money": 0}, contract_line=[slot("G1", 5, 0), slot("pipe_N")])
    assert legal(spent) == {"bid:none", "move:contract:1:contract:2", "buy:contract:1"}
    play(spent, "bid:none")
    expect(spent, turn={"action": "bid", "bids": 0, "bid_none": True})
    assert legal(spent) == {"end:market"}
    assert legal(at("market", {"money": 0})) == {"bid:none"}, "both lines are empty"
    assert none_legal(at("market", {"money": 0}, upgrade_line=line("agent")), "bid:none")

    one = at("market", {"overtime": True}, contract_line=[slot("G1", 4, 0), slot("G2")])
    play(one, "bid:contract:2")
    assert is_legal(one, "bid:none", "move:contract:1:contract:2") and none_legal(one, "end:market", "bid:contract:*")
    play(one, "bid:none")
    expect(one, turn={"bids": 1, "bid_none": True})
    assert legal(one) == {"end:market"}
    done = at("market", {"overtime": True, "installed": ["sales_executive"]}, contract_line=[slot("G1", 5, 0)])
    assert legal(done) == {"bid:none"}
    done = at("market", {}, contract_line=[slot("G1", 5, 0), slot("G2")], turn=BID_DONE)
    assert none_legal(done, "bid:none") and is_legal(done, "end:market")


def test_x21_a_bid_may_move_a_token_even_if_the_supply_has_some_and_to_another_card() -> None:
    lines = {"contract_line": [slot("G1", 1, 1), None, slot("G2", 0, 1)], "upgrade_line": line("agent")}
    state = at("market", {"money": 0}, **lines)
    moves = {action for action in legal(state) if action.startswith("move:")}
    assert moves == {"move:contract:1:contract:3", "move:contract:1:upgrade:1"}
    assert is_legal(state, "bid:contract:1", "bid:contract:3", "bid:upgrade:1") and none_legal(state, "bid:contract:2")
    play(state, "move:contract:1:upgrade:1")
    expect(state, {"tokens": 4}, contract_line=[slot("G1", 0, 1), None, slot("G2", 0, 1)])
    expect(state, upgrade_line=[slot("agent", 1, 0), None, None], turn={"bids": 1, "action": "bid"})
    assert legal(state) == {"end:market"}
    with pytest.raises(IllegalActionError):
        state.string_to_action("move:contract:1:contract:1")


def test_x22_overtime_asks_for_two_bids_in_one_run_and_sales_makes_each_up_to_three() -> None:
    lines = {"contract_line": [slot("G1"), slot("G2", 1, 0)], "upgrade_line": line("relief_valve")}
    state = at("market", {"overtime": True, "hand": {"sales_executive": 1, "reclaiming": 1}}, **lines)
    expect(state, turn={"action": "bid"})
    assert none_legal(state, "end:market", "buy:*", "buy_install:*", "air", "wipe:*")
    play(state, "move:contract:2:contract:1")
    assert none_legal(state, "end:market")
    play(state, "play:reclaiming", "bid:contract:2")
    expect(state, turn={"bids": 2})
    assert is_legal(state, "end:market") and none_legal(state, "bid:*", "move:*")
    play(state, "play:sales_executive", *["bid:upgrade:1"] * 3)
    expect(state, {"tokens": 0}, turn={"bids": 5})
    assert is_legal(state, "move:upgrade:1:contract:1", "end:market") and none_legal(state, "bid:*")
    play(state, "move:upgrade:1:contract:1")
    expect(state, turn={"bids": 6})
    assert legal(state) == {"end:market"}

    normal = at("market", {"hand": {"sales_executive": 2}}, **lines)
    play(normal, "play:sales_executive")
    assert none_legal(normal, "play:sales_executive", "end:market"), "copies do not add up"
    play(normal, *["bid:upgrade:1"] * 3)
    expect(normal, {"discard": {"sales_executive": 1}, "hand": {"sales_executive": 1}}, turn={"bids": 3})
    assert legal(normal) == {"end:market"}
    installed = at("market", {"hand": {"sales_executive": 1}, "installed": ["sales_executive"]}, **lines)
    assert none_legal(installed, "play:sales_executive")
    play(installed, "bid:upgrade:1")
    assert is_legal(installed, "bid:upgrade:1", "end:market")
    assert none_legal(play(at("market", {"hand": {"sales_executive": 1}}, **lines), "buy:contract:1"), "play:sales_*")


def test_x23_the_agent_allows_bid_and_buy_in_any_order_but_not_after_a_plain_buy() -> None:
    lines = {"contract_line": line("G8", "M6"), "upgrade_line": line("relief_valve", "reboiler", "engineer")}
    hand = {"money": 9, "hand": {"agent": 1}}
    installed = {"money": 9, "installed": ["agent"]}

    bid_first = play(at("market", hand, **lines), "bid:contract:1")
    assert none_legal(bid_first, "buy:*") and is_legal(bid_first, "end:market", "play:agent")
    play(bid_first, "play:agent")
    assert is_legal(bid_first, "buy:contract:1", "buy:upgrade:1") and none_legal(bid_first, "bid:*")
    play(bid_first, "buy:contract:2")
    expect(
        bid_first, {"contract": "M6", "discard": {"agent": 1}}, turn={"action": "bid", "purchases": 1, "agent": True}
    )
    assert legal(bid_first) == {"end:market"}

    buy_first = play(at("market", installed, **lines), "buy:upgrade:1")
    expect(buy_first, turn={"action": "bid", "purchases": 1})
    assert is_legal(buy_first, "bid:contract:1", "end:market") and none_legal(buy_first, "buy:*", "play:agent")
    assert legal(play(buy_first, "bid:contract:1")) == {"end:market"}

    over = at("market", installed | {"overtime": True}, **lines)
    assert is_legal(over, "bid:contract:1", "buy:contract:1") and none_legal(over, "end:market")
    play(over, "buy:upgrade:1", "bid:contract:1", "buy:upgrade:2")
    assert none_legal(over, "buy:*", "end:market"), "two BIDs and at most two BUYs"
    assert legal(play(over, "bid:contract:1")) == {"end:market"}

    plain = play(at("market", hand, **lines), "buy:upgrade:1")
    expect(plain, turn={"action": "buy"})
    assert none_legal(plain, "play:agent", "bid:*", "buy:*")
    play(plain, "install:agent")
    expect(plain, {"installed": ["agent"], "money": 4})
    assert legal(plain) == {"end:market"}, "not retroactive"
    bought = at("market", {"money": 9}, contract_line=line("G8"), upgrade_line=line("agent"))
    play(bought, "buy_install:upgrade:1")
    expect(bought, {"installed": ["agent"], "money": 2}, turn={"action": "buy"})
    assert legal(bought) == {"end:market"}
    fresh = play(at("market", hand, **lines), "bid:contract:1", "install:agent")
    assert is_legal(fresh, "buy:contract:1")


def test_x24_the_buyer_allows_three_purchases_in_all_where_any_is_allowed() -> None:
    lines = {"upgrade_line": line("relief_valve", "reboiler", "engineer", "reclaiming"), "seats": 3}
    hand = {"money": 9, "hand": {"buyer": 1}}
    late = play(at("market", hand, **lines), "buy:upgrade:1")
    assert none_legal(late, "buy:*") and is_legal(late, "play:buyer", "end:market")
    play(late, "play:buyer", "buy:upgrade:2", "buy:upgrade:3")
    expect(late, {"money": 7, "discard": {"buyer": 1, "relief_valve": 1, "reboiler": 1, "engineer": 1}})
    assert legal(late) == {"end:market"} and turn(late)["purchases"] == 3
    early = play(at("market", hand, **lines), "play:buyer")
    expect(early, turn={"buyer": True, "action": None})
    assert is_legal(early, "bid:upgrade:1"), "it only adds purchases"
    assert none_legal(play(early, "bid:upgrade:1"), "buy:*")

    over = at("market", hand | {"overtime": True}, **lines)
    assert none_legal(over, "play:buyer")
    assert none_legal(play(at("market", hand, **lines), "bid:upgrade:1"), "play:buyer")
    agent = at("market", hand | {"overtime": True, "installed": ["agent"]}, **lines)
    play(agent, "play:buyer", "buy:upgrade:1", "buy:upgrade:2", "buy:upgrade:3")
    assert turn(agent)["purchases"] == 3 and none_legal(agent, "buy:*", "end:market")
    play(agent, "bid:upgrade:4", "bid:upgrade:4")
    assert legal(agent) == {"end:market"}


def test_x25_the_price_is_one_sum_and_a_negative_one_is_paid_out() -> None:
    level = at("market", {"money": 0}, contract_line=[slot("M6", 2, 2)])
    expect(play(level, "buy:contract:1"), {"money": 0, "contract": "M6", "tokens": 5}, {"money": 5, "tokens": 5})
    poor = at("market", {"money": 0}, contract_line=[slot("M6", 1, 2)])
    assert none_legal(poor, "buy:contract:1")
    paid = at("market", {"money": 0}, contract_line=[slot("M6", 4, 1)])
    expect(play(paid, "buy:contract:1"), {"money": 3, "tokens": 5}, {"money": 4, "tokens": 5})
    one = at("market", {"money": 1}, upgrade_line=[slot("agent", 3, 2)])
    assert is_legal(one, "buy:upgrade:1") and none_legal(one, "buy_install:upgrade:1")
    expect(play(one, "buy:upgrade:1"), {"money": 0, "discard": {"agent": 1}}, {"money": 5})
    six = at("market", {"money": 6}, upgrade_line=[slot("agent", 3, 2)])
    expect(play(six, "buy_install:upgrade:1"), {"money": 0, "installed": ["agent"]}, {"money": 5})


def test_x26_bought_cards_are_replaced_at_the_end_of_the_turn() -> None:
    me = {"money": 9, "hand": {"buyer": 1}}
    state = at("market", me, contract_line=line("M6"), contract_deck={"G1": 1, "G2": 1, "G3": 1})
    play(state, "buy:contract:1")
    expect(state, contract_line=[None] * 3, contract_deck={"G1": 1, "G2": 1, "G3": 1})
    play(state, "play:buyer")
    assert none_legal(state, "buy:*")
    play(state, "end:market")
    assert cards_of(state.to_dict()["contract_line"]) == {"G1": 1, "G2": 1, "G3": 1} and state.phase == "discard"


def test_x27_an_upgrade_is_installed_once_duplicates_may_be_bought_and_starters_count() -> None:
    me = {"money": 30, "installed": ["agent"], "hand": {"agent": 1, "contractor": 1}}
    state = at("market", me | {"hand": {"contractor": 1}}, upgrade_line=line("agent"))
    assert is_legal(state, "buy:upgrade:1") and none_legal(state, "buy_install:upgrade:1")
    expect(play(state, "buy:upgrade:1"), {"discard": {"agent": 1}, "money": 28})
    assert none_legal(at("air", me), "install:agent", "install_free:agent")
    starters = at("air", {"money": 12, "hand": dict.fromkeys(STARTERS, 1), "installed": FIVE[2:]})
    play(starters, "install:feed")
    expect(starters, {"money": 4, "hand": {"reflux": 1}})
    play(starters, "install:reflux")
    expect(starters, {"money": 0, "hand": {}, "installed": FIVE})
    assert starters.scores() == [5, 0]
    expect(play(starters, "air", "bid:none", "end:market"), trigger=0, phase="privilege")
    for money, card in ((7, "feed"), (3, "reflux")):
        assert none_legal(at("air", {"money": money, "hand": {card: 1}}), f"install:{card}")


def test_x28_the_contractor_needs_an_installable_card_and_leaves_the_system() -> None:
    for card in INSTALLABLE:
        state = at("air", {"money": 0, "hand": {"contractor": 1, card: 1}})
        play(state, f"install_free:{card}")
        expect(state, {"money": 0, "hand": {}, "discard": {}, "installed": [card]}, upgrade_discard={"contractor": 1})
    pink = dict.fromkeys(PINK, 1)
    state = at("start", {"money": 99, "hand": pink, "system": {"N": 9}})
    assert none_legal(state, "install:*", "install_free:*")
    with pytest.raises(IllegalActionError):
        state.string_to_action("play:contractor")
    played = play(state, "play:mass_flow", "play:reclaiming", "overtime:no", "distill", "end:distill")
    play(played, "wipe:contract:engineer", "play:buyer")
    discard = dict(player(played)["discard"])
    assert discard == {"Xe": 1, "engineer": 1, "mass_flow": 1, "buyer": 1, "reclaiming": 1}
    expect(played, upgrade_discard={})
    assert none_legal(at("reflux", {"hand": {"contractor": 1, "feed": 1}}), "install_free:*")


def test_x29_cards_added_to_the_system_go_to_the_discard_pile() -> None:
    me = {"hand": {"expansion_turbine": 1, "reclaiming": 1}, "system": {"N": 1}, "installed": ["expansion_turbine"]}
    for phase in ("start", "distill", "air", "market"):
        state = at(phase, me, contract_line=line("M6"))
        play(state, "play:reclaiming")
        expect(state, {"discard": {"Xe": 1, "reclaiming": 1}, "system": {"N": 1}}, phase=phase)
        play(state, "play:expansion_turbine", "use:expansion_turbine")
        cards = {"Kr": 2, "Xe": 3, "expansion_turbine": 1, "reclaiming": 1}
        expect(state, {"discard": cards, "hand": {}, "system": {"N": 1}}, phase=phase)


# The end


def test_x30_the_end_is_triggered_at_the_end_of_the_own_turn_by_the_first_who_has_five() -> None:
    ready = {"installed": FIVE[:4], "hand": {"agent": 1, "refrigeration": 1}, "money": 9}
    state = play(at("market", ready, turn=BID_DONE), "install:agent")
    expect(state, trigger=None, phase="market")
    play(state, "install:refrigeration")
    assert len(player(state)["installed"]) == 6, "more than five is possible"
    play(state, "end:market")
    expect(state, trigger=0, phase="privilege", privilege=None, turn={"step": "end", "bids": 0})
    assert legal(state) == {"privilege:stars", "privilege:turn"}, "before discarding"
    assert play(state.clone(), "privilege:turn").phase == "discard"

    done = {"completed": ["M1", "M2", "M3", "M4", "M5"]}
    expect(play(at("market", done, turn=BID_DONE), "end:market"), trigger=0, phase="privilege")
    four = {"completed": ["M1", "M2", "M3", "M4"], "installed": FIVE[:4]}
    expect(play(at("market", four, turn=BID_DONE), "end:market"), trigger=None, phase="discard")
    second = at("market", done, {"installed": FIVE}, {}, seats=3, trigger=1, privilege="turn", turn=BID_DONE)
    expect(play(second, "end:market"), trigger=1, privilege="turn", current_player=1, phase="start")
    others = at("market", {}, done, turn=BID_DONE)
    expect(play(others, "end:market"), trigger=None, phase="discard")


def test_x31_without_a_further_turn_nobody_discards_or_draws_but_the_lines_are_restocked() -> None:
    stock = {"contract_deck": {"G1": 1}, "upgrade_deck": {"agent": 1}, "turn": BID_DONE}
    restocked = {"contract_line": ["G1", None, None], "upgrade_line": ["agent", None, None]}
    hand = {"hand": {"Kr": 1}, "system": {"O": 3}, "discard": {"N": 2}}

    stars = play(at("market", hand | {"completed": ["M1", "M2", "M3", "M4", "G2"]}, **stock), "end:market")
    expect(stars, phase="privilege", **restocked)
    play(stars, "privilege:stars")
    expect(stars, hand | {"shown": {"Kr": 1}}, current_player=1, phase="start", privilege="stars")

    last = at("market", {}, hand, trigger=0, privilege="stars", current_player=1, **stock)
    play(last, "end:market")
    expect(last, {}, hand, phase="over", terminal=True, truncated=False, current_player=-4, **restocked)

    turns = at("market", hand, {}, {"installed": FIVE[1:]}, seats=3, trigger=2, privilege="turn", **stock)
    play(turns, "end:market")
    expect(turns, hand | {"shown": {"Kr": 1}}, current_player=1, phase="start")
    play(turns, "overtime:no", "end:distill", "air", "bid:upgrade:1", "end:market")
    expect(turns, current_player=2, phase="start", terminal=False)
    play(turns, "overtime:no", "end:distill", "air", "bid:upgrade:1", "end:market")
    expect(turns, phase="over", terminal=True)
    again = at("market", {"completed": ["M1", "M2", "M3", "M4", "M5"]} | hand, **stock)
    play(again, "end:market", "privilege:turn", "discard:kr", "end:discard")
    assert sum(player(again)["hand"].values()) == 5, "with a last turn to come the player does draw"


def over(*players: dict, **rest: object):
    """A finished game without money unless it is given."""
    return at("over", *({"money": 0} | seat for seat in players), **rest)


def test_x32_the_lobbyist_counts_tokens_on_contracts_not_on_pipelines() -> None:
    lines = {
        "contract_line": [slot("G1", 2, 1), slot("pipe_N", 1, 1), None],
        "upgrade_line": [slot("agent", 1, 1)],
    }
    both = over({"installed": ["lobbyist"]}, {"hand": {}}, **lines)
    assert both.scores() == [1 + 2, 0]
    assert over({"hand": {"lobbyist": 1}}, {}, **lines).scores() == [0, 0], "only if installed"
    more = [None, slot("M1", 1, 0, 0), slot("M2", 0, 1, 0), slot("M3", 2, 0, 0)]
    assert over({"installed": ["lobbyist"]}, {}, {}, seats=3, contract_line=more).scores() == [1 + 3, 0, 0]
    open_one = over({"installed": ["lobbyist"], "contract": "M1", "completed": ["M2"]}, {})
    assert open_one.scores() == [1 + 4, 0], "a contract in the facility is not in the line"


@pytest.mark.parametrize("money", [0, 1, 2, 4, 5, 9, 10, 11, 25])
def test_x33_the_portfolio_replaces_the_rate_of_five(money: int) -> None:
    state = over({"money": money, "installed": ["investment_portfolio"]}, {"money": money})
    assert state.scores() == [1 + money // 2, money // 5]
    assert over({"money": money, "hand": {"investment_portfolio": 1}}, {}).scores() == [money // 5, 0]


def test_x34_a_card_needs_its_condition_and_one_without_can_always_be_played() -> None:
    empty = {"options": {"element_supply": dict.fromkeys(ELEMENTS, 4)}}
    rest = {"system": {"Kr": 2, "Xe": 2}, "hand": {"Kr": 2, "Xe": 1}, "stored_xe": 1}
    failing = [
        ("silica_gel", {"hand": {"N": 1}}, {}),
        ("swing_adsorption", {"hand": {"O": 1}}, {}),
        ("relief_valve", {"hand": {"O": 1}}, {}),
        ("mass_flow", {"hand": {"O": 1}}, {}),
        ("expansion_turbine", {}, {"players": [{}, rest], **empty}),
        ("reclaiming", {}, {"players": [{}, rest], **empty}),
        ("packed_columns", {"contract": "G5", "stored_xe": 1}, {}),
        ("packed_columns", {"stored_xe": 2}, {}),
    ]
    holding = {
        "silica_gel": {"hand": {"O": 1}},
        "swing_adsorption": {"hand": {"N": 1}},
        "relief_valve": {"discard": {"O": 1}},
        "mass_flow": {"system": {"O": 1}},
        "expansion_turbine": {},
        "reclaiming": {},
        "packed_columns": {"contract": "G5", "stored_xe": 2},
    }
    usable = {"silica_gel", "swing_adsorption", "relief_valve", "expansion_turbine", "packed_columns"}

    def with_card(card: str, parts: dict, played: bool) -> dict:
        hand = parts.get("hand", {}) | ({card: 1} if played else {})
        return parts | {"hand": hand, "installed": [] if played else [card]}

    for card, parts, rest_of_dict in failing:
        other = rest_of_dict.get("players", [{}, {}])[1]
        options = {"options": rest_of_dict["options"]} if "options" in rest_of_dict else {}
        for played in (True, False) if card in usable else (True,):
            action = f"{'play' if played else 'use'}:{card}"
            assert not is_legal(at("distill", with_card(card, parts, played), other, **options), action)
            assert is_legal(at("distill", with_card(card, holding[card], played)), action)
    for card in ("reboiler", "refrigeration"):
        assert is_legal(at("distill", {"hand": {card: 1}}), f"play:{card}")
        assert not any(is_legal(at(phase, {"hand": {card: 1}}), f"play:{card}") for phase in ("start", "air", "market"))
    for card in ("sales_executive", "agent", "buyer"):
        assert is_legal(at("market", {"hand": {card: 1}}), f"play:{card}")
        assert not any(
            is_legal(at(phase, {"hand": {card: 1}}), f"play:{card}") for phase in ("start", "distill", "air")
        )
    assert none_legal(at("distill", {"hand": {"reflux": 1}}), "play:reflux")
    assert none_legal(at("distill", {"installed": ["reflux"]}), "use:reflux")
    assert is_legal(at("distill", {"hand": {"N": 1}, "installed": ["reflux"]}), "use:reflux")


def test_x35_an_upgrade_bought_and_installed_is_usable_at_once_if_its_step_is_not_over() -> None:
    lines = ["expansion_turbine", "packed_columns", "sales_executive"]
    me = {"money": 9, "contract": "G5", "stored_xe": 2, "hand": {"N": 1}}
    turbine = play(at("market", me, upgrade_line=line(*lines)), "buy_install:upgrade:1", "use:expansion_turbine")
    expect(turbine, {"discard": {"Kr": 1, "Xe": 1}, "money": 2})
    columns = play(at("market", me, upgrade_line=line(*lines)), "buy_install:upgrade:2", "use:packed_columns")
    expect(columns, {"completed": ["G5"], "stored_xe": 0, "money": 1})
    agent = {"installed": ["agent"]}
    sales = play(at("market", me | agent, upgrade_line=line(*lines)), "buy_install:upgrade:3")
    play(sales, *["bid:upgrade:1"] * 3)
    expect(sales, turn={"bids": 3})
    for card in ("swing_adsorption", "silica_gel", "relief_valve"):
        late = at("market", me | {"hand": {"N": 1, "O": 1}, "system": {"Kr": 1}}, upgrade_line=line(card))
        assert none_legal(play(late, "buy_install:upgrade:1"), "use:*")
        assert player(late)["money"] == 9 - (PRICES[card][1] or 0)


def test_x36_ties_go_to_stored_xe_then_money_then_are_shared() -> None:
    xe = over({"stored_xe": 2, "contract": "M6"}, {"stored_xe": 1, "money": 4})
    assert xe.scores() == [0, 0] and xe.winners() == [0] and xe.returns() == [1, -1]
    money = over({"stored_xe": 2, "money": 3}, {"stored_xe": 2, "money": 4})
    assert money.winners() == [1] and money.returns() == [-1, 1]
    level = over({"stored_xe": 2, "money": 3, "hand": {"Xe": 3}}, {"stored_xe": 2, "money": 3})
    assert level.winners() == [0, 1] and level.returns() == [0, 0]
    most = over({"completed": ["M1"]}, {"stored_xe": 4, "money": 4})
    assert most.scores() == [3, 0] and most.winners() == [0]
    three = over({"money": 4}, {"money": 1}, {"money": 4}, seats=3)
    assert three.winners() == [0, 2] and three.returns() == pytest.approx([0.25, -0.5, 0.25])
    running = at("air", {"completed": ["M1"]}, {})
    assert running.winners() == [] and running.returns() == [0, 0] and running.scores() == [3, 0]
