"""The examples and plain statements of the rulebook, section by section, and every price of its card list."""

from __future__ import annotations

import pytest

from core.game import IllegalActionError
from tests.xenon.cards import INSTALLABLE, MARKET_UPGRADES, PINK, PRICES, START_SYSTEM
from tests.xenon.table import at, cards_of, expect, game, is_legal, legal, line, none_legal, play, player, slot, turn

AIR = {"N": 1, "O": 1, "Kr": 1, "Xe": 1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_set_up(seats: int) -> None:
    dealt = game(seats).new_initial_state(3).to_dict()
    size = 3 if seats == 2 else 4
    assert len(dealt["contract_line"]) == len(dealt["upgrade_line"]) == size
    for me in dealt["players"]:
        assert sum(cards_of(me["system"], me["hand"]).values()) == 10
        assert cards_of(me["system"], me["hand"]) == START_SYSTEM
        assert me["money"] == 3 and sum(me["hand"].values()) == 5
        assert (me["discard"], me["installed"], me["pipelines"], me["completed"]) == ({}, [], [], [])
        assert me["contract"] is None and me["stored_xe"] == 0 and me["overtime"] is False


# DISTILL


def test_distilling_n_n_o_kr_xe_returns_both_n() -> None:
    stacks = {"element_supply": dict.fromkeys(AIR, 4)}
    state = at("distill", {"hand": {"N": 2, "O": 1, "Kr": 1, "Xe": 1}}, options=stacks)
    play(state, "distill")
    expect(state, {"hand": {"O": 1, "Kr": 1, "Xe": 1}, "discard": {}, "stored_xe": 0})
    expect(state, supply={"N": 4, "O": 3, "Kr": 3, "Xe": 3})


def test_isolating_from_o_xe_xe_feed_reflux_on_the_first_turn() -> None:
    state = at("start", {"hand": {"O": 1, "Xe": 2, "feed": 1, "reflux": 1}})
    play(state, "overtime:no", "distill")
    expect(state, {"hand": {"feed": 1, "reflux": 1}, "stored_xe": 2, "discard": {}})


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ({"N": 1, "O": 1, "Kr": 1}, {"O": 1, "Kr": 1}),
        ({"O": 2, "Kr": 1, "Xe": 1}, {"Kr": 1, "Xe": 1}),
        ({"Kr": 3, "agent": 1}, {"agent": 1}),
    ],
)
def test_the_order_is_n_then_o_then_kr_and_all_of_one_element(hand: dict[str, int], left: dict[str, int]) -> None:
    expect(play(at("distill", {"hand": hand}), "distill"), {"hand": left})


def test_overtime_distills_twice_bids_twice_and_reshuffles() -> None:
    state = at(
        "start",
        {"hand": {"N": 1, "O": 2, "Kr": 1, "Xe": 1}, "system": {"N": 1}, "discard": {"feed": 1, "O": 1, "Kr": 3}},
        contract_line=line("M6", "G8"),
    )
    play(state, "overtime:yes", "distill", "distill")
    expect(state, {"hand": {"Kr": 1, "Xe": 1}, "overtime": True})
    play(state, "end:distill")
    expect(state, phase="market")
    assert none_legal(state, "air", "air:feed", "wipe:*", "buy:*", "end:market")
    play(state, "bid:contract:1", "bid:contract:1", "end:market", "discard:xe", "end:discard")
    me = player(state)
    assert me["overtime"] and me["shown"] == {"Kr": 1} and me["tokens"] == 3
    assert me["discard"] == {} and sum(me["hand"].values()) == 5, "the discard pile is shuffled in before drawing"
    assert cards_of(me["hand"], me["system"]) == {"N": 1, "O": 1, "Kr": 4, "Xe": 1, "feed": 1}


def test_after_overtime_the_discards_and_the_system_together_are_the_draw_pile() -> None:
    drawn = set()
    for seed in range(20):
        me = {"overtime": True, "hand": {"O": 1}, "system": {"N": 9}, "discard": {"Kr": 9}}
        found = player(play(at("discard", me, seed=seed), "discard:o", "end:discard"))
        assert found["discard"] == {} and cards_of(found["hand"], found["system"]) == {"N": 9, "Kr": 9, "O": 1}
        assert sum(found["hand"].values()) == 5
        drawn |= set(found["hand"])
        normal = play(at("discard", me | {"overtime": False}, seed=seed), "discard:o", "end:discard")
        expect(normal, {"hand": {"N": 5}, "system": {"N": 4}, "discard": {"Kr": 9, "O": 1}})
    assert drawn == {"N", "Kr", "O"}


# AIR or WIPE


def test_air_gives_a_packet_to_the_discard_pile_and_two_dollars() -> None:
    state = play(at("air", {"money": 3, "system": {"N": 1}, "discard": {"Xe": 1}}), "air")
    expect(state, {"money": 5, "discard": AIR | {"Xe": 2}, "system": {"N": 1}}, phase="market")
    assert none_legal(state, "air", "wipe:*")


def test_john_discards_feed_for_two_packets_and_four_dollars() -> None:
    state = at("distill", {"money": 0, "hand": {"Kr": 1, "feed": 1}})
    play(state, "distill", "end:distill", "air:feed")
    expect(state, {"money": 4, "hand": {}, "discard": {"N": 2, "O": 2, "Kr": 2, "Xe": 2, "feed": 1}})


def test_wipe_removes_the_cards_without_a_bid_token_and_refills() -> None:
    lines = {"upgrade_line": [slot("agent"), slot("lobbyist", 0, 1), slot("buyer")], "contract_line": line("M1", "M2")}
    state = at("air", {"money": 3}, **lines, upgrade_deck={"silica_gel": 1, "reboiler": 1})
    play(state, "wipe:upgrade")
    expect(state, {"money": 3, "discard": {}}, upgrade_deck={}, upgrade_discard={"agent": 1, "buyer": 1})
    wiped = state.to_dict()
    assert cards_of(wiped["upgrade_line"]) == {"silica_gel": 1, "lobbyist": 1, "reboiler": 1}
    expect(state, contract_line=["M1", "M2", None], phase="market")
    assert wiped["upgrade_line"][1] == slot("lobbyist", 0, 1)


# BUY


@pytest.mark.parametrize("card", MARKET_UPGRADES)
def test_every_buy_price(card: str) -> None:
    price = PRICES[card][0]
    assert price is not None
    state = at("market", {"money": price}, upgrade_line=line(card))
    expect(play(state, "buy:upgrade:1"), {"money": 0, "discard": {card: 1}, "installed": [], "hand": {}})
    if price:
        assert none_legal(at("market", {"money": price - 1}, upgrade_line=line(card)), "buy:*")


@pytest.mark.parametrize("card", MARKET_UPGRADES)
def test_every_install_price(card: str) -> None:
    price = PRICES[card][1]
    if price is None:
        assert none_legal(at("market", {"money": 99}, upgrade_line=line(card)), "buy_install:*"), "pink"
        return
    state = at("market", {"money": price}, upgrade_line=line(card))
    expect(play(state, "buy_install:upgrade:1"), {"money": 0, "discard": {}, "installed": [card]})
    assert state.scores()[0] >= 1
    assert none_legal(at("market", {"money": price - 1}, upgrade_line=line(card)), "buy_install:*")


@pytest.mark.parametrize("card", INSTALLABLE)
def test_installing_from_the_hand_costs_the_difference_at_any_time_of_the_turn(card: str) -> None:
    buy, install = PRICES[card]
    difference = (install or 0) - (buy or 0)
    for phase in ("start", "distill", "air", "market"):
        state = at(phase, {"money": difference, "hand": {card: 1}}, contract_line=line("M6"))
        play(state, f"install:{card}")
        expect(state, {"money": 0, "hand": {}, "discard": {}, "installed": [card]}, phase=phase)
        expect(state, turn={"action": None, "purchases": 0})
        assert none_legal(at(phase, {"money": difference - 1, "hand": {card: 1}}), "install:*")
    for phase in ("reflux", "discard"):
        assert none_legal(at(phase, {"money": 99, "hand": {card: 1}}), "install:*")


def test_pink_cards_can_never_be_installed() -> None:
    state = at("air", {"money": 99, "hand": dict.fromkeys(PINK, 1)})
    assert none_legal(state, "install:*", "install_free:*")
    for card in PINK:
        with pytest.raises(IllegalActionError):
            state.string_to_action(f"install:{card}")


def test_pipelines_raise_the_hand_size_to_eight_and_no_colour_twice() -> None:
    state = at("market", {"money": 9, "pipelines": ["pipe_N"]}, contract_line=line("pipe_N", "pipe_O", "pipe_Kr"))
    assert is_legal(state, "buy:contract:2", "buy:contract:3") and none_legal(state, "buy:contract:1")
    expect(play(state, "buy:contract:2"), {"money": 4, "pipelines": ["pipe_N", "pipe_O"]})
    for count in range(4):
        pipelines = ["pipe_N", "pipe_O", "pipe_Kr"][:count]
        drawn = play(at("discard", {"pipelines": pipelines, "system": {"N": 20}}), "end:discard")
        expect(drawn, {"hand": {"N": 5 + count}, "system": {"N": 15 - count}})


def test_only_one_contract_at_a_time_and_no_xe_is_needed_to_take_one() -> None:
    state = at("market", {"money": 0, "stored_xe": 0}, contract_line=line("G8", "M1"))
    expect(play(state, "buy:contract:1"), {"contract": "G8", "money": 0})
    state = at("market", {"contract": "G8"}, contract_line=line("G7", "M1"))
    assert none_legal(state, "buy:contract:*")


def test_a_completed_contract_opens_the_next_and_its_xe_returns() -> None:
    stacks = {"element_supply": dict.fromkeys(AIR, 6)}
    hand = {"N": 1, "Xe": 3}
    me = {"money": 0, "contract": "G6", "stored_xe": 1, "hand": hand}
    state = at("distill", me, options=stacks, contract_line=line("M1"))
    expect(state, supply={"N": 5, "O": 6, "Kr": 6, "Xe": 2})
    play(state, "distill")
    expect(state, {"contract": None, "completed": ["G6"], "stored_xe": 1}, supply=dict.fromkeys(AIR, 6) | {"Xe": 5})
    assert state.scores() == [6, 0]
    play(state, "end:distill", "air")
    assert is_legal(state, "buy:contract:1")


# BID


def test_one_token_on_the_expansion_turbine() -> None:
    lines = {"upgrade_line": [slot("expansion_turbine", 1, 0)]}
    you = {"money": 6}
    expect(play(at("market", you, **lines), "buy:upgrade:1"), {"money": 5, "tokens": 5})
    expect(play(at("market", you, **lines), "buy_install:upgrade:1"), {"money": 0, "tokens": 5})
    other = at("market", {"money": 0}, {"money": 3}, current_player=1, **lines)
    expect(play(other, "buy:upgrade:1"), {"money": 1, "tokens": 5}, {"money": 0})


@pytest.mark.parametrize(
    ("buyer", "yellow", "pink", "third"),
    [(2, 10 + 2, 10 + 1, 10 - 2 - 3), (0, 10 - 2 + 2 - 1, 10 + 1, 10), (1, 10 + 2, 10 - 2 + 1 - 2, 10)],
)
def test_yellow_has_two_tokens_and_pink_one_on_the_expansion_turbine(
    buyer: int, yellow: int, pink: int, third: int
) -> None:
    lines = {"upgrade_line": [slot("expansion_turbine", 2, 1, 0)], "seats": 3}
    state = at("market", *[{"money": 10}] * 3, current_player=buyer, **lines)
    expect(state, {"tokens": 3}, {"tokens": 4}, {"tokens": 5})
    play(state, "buy:upgrade:1")
    expect(state, *({"money": money, "tokens": 5} for money in (yellow, pink, third)), upgrade_line=[None] * 4)


def test_a_bid_on_a_contract_pays_money_when_it_is_bought() -> None:
    state = at("market", {"money": 0}, contract_line=[slot("M6", 3, 0)])
    expect(play(state, "buy:contract:1"), {"money": 3, "contract": "M6", "tokens": 5})


def test_no_limit_to_the_tokens_on_a_card() -> None:
    state = at("market", {}, {}, seats=3, contract_line=[slot("M6", 4, 5, 1)])
    expect(play(state, "bid:contract:1"), {"tokens": 0}, contract_line=[slot("M6", 5, 5, 1), None, None, None])


# End of turn


def test_any_number_of_cards_may_be_discarded_before_drawing() -> None:
    hand = {"N": 2, "O": 1, "agent": 1}
    state = at("discard", {"hand": hand, "system": {"Kr": 9}})
    assert legal(state) == {"discard:n", "discard:o", "discard:agent", "end:discard"}
    kept = play(state.clone(), "end:discard")
    expect(kept, {"hand": hand | {"Kr": 1}, "shown": hand, "discard": {}, "system": {"Kr": 8}})
    play(state, "discard:n", "discard:agent", "discard:n", "discard:o")
    assert legal(state) == {"end:discard"}
    expect(play(state, "end:discard"), {"hand": {"Kr": 5}, "shown": {}, "discard": hand, "system": {"Kr": 4}})


def test_a_depleted_system_is_replenished_from_the_discards_and_drawing_stops_without_cards() -> None:
    state = at("discard", {"hand": {"Xe": 1}, "system": {"O": 2}, "discard": {"N": 1, "Kr": 3}})
    play(state, "end:discard")
    me = player(state)
    assert sum(me["hand"].values()) == 5 and me["discard"] == {} and sum(me["system"].values()) == 2
    assert me["hand"]["O"] == 2 and me["hand"]["Xe"] == 1
    assert cards_of(me["hand"], me["system"]) == {"O": 2, "Xe": 1, "N": 1, "Kr": 3}
    state = play(at("discard", {"system": {"O": 1}, "discard": {"N": 1}}), "end:discard")
    expect(state, {"hand": {"N": 1, "O": 1}, "system": {}, "discard": {}})


def test_a_hand_above_its_size_is_kept() -> None:
    state = at("discard", {"hand": {"N": 7}, "system": {"O": 3}})
    expect(play(state, "end:discard"), {"hand": {"N": 7}, "system": {"O": 3}}, current_player=1)
    state = at("distill", {"hand": {"N": 5, "mass_flow": 1}, "system": {"O": 9}})
    expect(play(state, "play:mass_flow"), {"hand": {"N": 5, "O": 3}})


# Appendix


def test_a_valve_that_causes_a_reshuffle_stays_out_of_it() -> None:
    for seed in range(5):
        me = {"hand": {"relief_valve": 1}, "discard": {"Kr": 1, "O": 1}}
        state = play(at("distill", me, seed=seed), "play:relief_valve")
        me = player(state)
        assert me["discard"] == {"relief_valve": 1}
        assert cards_of(me["system"], turn(state)["peek"]) == {"Kr": 1, "O": 1}


def test_john_installs_the_expansion_turbine_and_uses_it_at_once() -> None:
    state = at("market", {"money": 7}, upgrade_line=line("expansion_turbine"))
    play(state, "buy_install:upgrade:1", "use:expansion_turbine")
    expect(state, {"money": 0, "discard": {"Kr": 1, "Xe": 1}, "installed": ["expansion_turbine"]})
    assert none_legal(state, "use:expansion_turbine")


def test_john_installs_reflux_at_the_start_and_uses_it_before_distilling() -> None:
    me = {"money": 4, "hand": {"reflux": 1, "O": 1, "Kr": 1, "Xe": 1}}
    state = play(at("start", me), "install:reflux", "overtime:no", "use:reflux", "discard:o", "distill")
    expect(state, {"money": 0, "installed": ["reflux"], "discard": {"O": 1}, "hand": {}, "stored_xe": 1})


def test_or_he_distills_first_and_then_discards_a_card_to_isolate() -> None:
    me = {"money": 4, "hand": {"reflux": 1, "O": 1, "Kr": 1, "Xe": 1}}
    state = play(at("start", me), "install:reflux", "overtime:no", "distill")
    expect(state, {"hand": {"Kr": 1, "Xe": 1}, "stored_xe": 0})
    play(state, "use:reflux", "discard:kr")
    expect(state, {"hand": {}, "stored_xe": 1, "discard": {"Kr": 1}})


def test_swing_adsorption_bought_in_the_market_does_not_distill_on_that_turn() -> None:
    state = at("market", {"money": 8, "hand": {"N": 2}}, upgrade_line=line("swing_adsorption"))
    play(state, "buy_install:upgrade:1")
    assert legal(state) == {"end:market"}
    play(state, "end:market")
    assert none_legal(state, "use:*")


def test_the_same_upgrade_is_not_installed_twice_but_may_be_bought() -> None:
    state = at("market", {"money": 20, "installed": ["silica_gel"]}, upgrade_line=line("silica_gel"))
    assert none_legal(state, "buy_install:*")
    expect(play(state, "buy:upgrade:1"), {"discard": {"silica_gel": 1}, "money": 17})
    assert none_legal(at("air", {"money": 20, "installed": ["silica_gel"], "hand": {"silica_gel": 1}}), "install:*")


# Card list


def test_silica_gel_and_swing_adsorption_distill_all_of_their_element() -> None:
    hand = {"N": 2, "O": 3, "Kr": 1, "Xe": 1, "silica_gel": 1, "swing_adsorption": 1}
    state = play(at("distill", {"hand": hand}), "play:silica_gel")
    expect(state, {"hand": {"N": 2, "Kr": 1, "Xe": 1, "swing_adsorption": 1}, "discard": {"silica_gel": 1}})
    play(state, "play:swing_adsorption")
    expect(state, {"hand": {"Kr": 1, "Xe": 1}, "discard": {"silica_gel": 1, "swing_adsorption": 1}})
    expect(play(state, "distill"), {"hand": {}, "stored_xe": 1}, turn={"distills_left": 0})


def test_reboiler_pays_a_dollar_for_each_o_and_refrigeration_a_token_for_each_n() -> None:
    me = {"money": 0, "hand": {"O": 3}, "installed": ["reboiler"]}
    expect(play(at("distill", me), "distill"), {"money": 3})
    me = {"hand": {"N": 3}, "installed": ["refrigeration"]}
    state = play(at("distill", me, contract_line=line("M1", "M2")), "distill")
    play(state, "bid:contract:1", "bid:contract:2", "bid:contract:2")
    expect(state, {"tokens": 2}, contract_line=[slot("M1", 1, 0), slot("M2", 2, 0), None], phase="distill")


def test_sales_executive_three_tokens_and_three_twice_in_overtime() -> None:
    for overtime, most in ((False, 3), (True, 6)):
        me = {"installed": ["sales_executive"], "overtime": overtime}
        state = at("market", me, contract_line=line("M1", "M2"))
        for number in range(most):
            play(state, "bid:contract:1" if number < 5 else "move:contract:1:contract:2")
        expect(state, turn={"bids": most})
        assert legal(state) == {"end:market"}


def test_agent_bid_and_buy_and_both_twice_in_overtime() -> None:
    lines = {"contract_line": line("M6"), "upgrade_line": line("relief_valve", "reboiler", "engineer")}
    state = at("market", {"money": 9, "installed": ["agent"]}, **lines)
    assert legal(play(state, "bid:contract:1", "buy:upgrade:1")) == {"end:market"}
    state = at("market", {"money": 9, "installed": ["agent"], "overtime": True}, **lines)
    play(state, "buy:upgrade:1", "bid:contract:1", "bid:contract:1", "buy:upgrade:2")
    assert legal(state) == {"end:market"}


def test_packed_columns_complete_with_one_xe_less_but_at_least_one() -> None:
    state = at("distill", {"installed": ["packed_columns"], "contract": "M2", "stored_xe": 1, "money": 0})
    expect(play(state, "use:packed_columns"), {"completed": ["M2"], "stored_xe": 0, "money": 1})
    assert none_legal(at("distill", {"installed": ["packed_columns"], "contract": "M1"}), "use:packed_columns")


def test_contractor_installs_a_card_at_no_cost_and_goes_to_the_upgrade_discard_pile() -> None:
    state = at("market", {"money": 0, "hand": {"contractor": 1, "packed_columns": 1}}, contract_line=line("M1"))
    play(state, "install_free:packed_columns")
    expect(state, {"money": 0, "hand": {}, "discard": {}, "installed": ["packed_columns"]})
    expect(state, upgrade_discard={"contractor": 1})


def test_engineer_draws_six_and_discards_the_remaining() -> None:
    deck = {"M1": 1, "M2": 1, "M3": 1, "M4": 1, "M5": 1, "M6": 1}
    state = at("air", {"hand": {"engineer": 1}}, contract_line=line("G1", "G2", "G3"), contract_deck=deck)
    play(state, "wipe:contract:engineer", "choose:m6", "choose:m2", "choose:m4")
    expect(state, contract_line=["M6", "M2", "M4"], contract_deck={})
    expect(state, contract_discard={"G1": 1, "G2": 1, "G3": 1, "M1": 1, "M3": 1, "M5": 1}, phase="market")


def test_buyer_three_cards_this_turn() -> None:
    lines = {"contract_line": line("M6", "pipe_N"), "upgrade_line": line("relief_valve")}
    state = at("market", {"money": 5, "hand": {"buyer": 1}}, **lines)
    play(state, "play:buyer", "buy:contract:1", "buy:contract:2", "buy:upgrade:1")
    expect(state, {"contract": "M6", "pipelines": ["pipe_N"], "discard": {"relief_valve": 1, "buyer": 1}, "money": 0})
    assert legal(state) == {"end:market"}


def test_mass_flow_draws_three_and_reclaiming_adds_xe() -> None:
    state = at("air", {"hand": {"mass_flow": 1, "reclaiming": 1}, "system": {"N": 5}})
    expect(play(state, "play:mass_flow"), {"hand": {"N": 3, "reclaiming": 1}, "system": {"N": 2}})
    expect(play(state, "play:reclaiming"), {"discard": {"mass_flow": 1, "reclaiming": 1, "Xe": 1}})


# Game end and scoring


def test_the_privilege_token_is_chosen_before_redrawing() -> None:
    me = {"installed": ["feed", "reflux", "silica_gel", "reboiler", "agent"], "hand": {"Kr": 1}, "system": {"N": 9}}
    state = at("market", me, {}, turn={"action": "bid", "bids": 1})
    expect(play(state, "end:market"), {"hand": {"Kr": 1}}, phase="privilege", trigger=0)
    assert legal(state) == {"privilege:stars", "privilege:turn"}
    before = state.scores()[0]

    stars = play(state.clone(), "privilege:stars")
    assert stars.scores()[0] == before + 3 and stars.current_player() == 1
    play(stars, "overtime:no", "end:distill", "air", "bid:none", "end:market")
    assert stars.is_terminal() and stars.winners() == [0]

    one_more = play(state, "privilege:turn", "end:discard", "overtime:no", "end:distill", "air", "bid:none")
    assert one_more.scores()[0] == before
    play(one_more, "end:market")
    assert one_more.current_player() == 0 and not one_more.is_terminal()
    play(one_more, "overtime:no", "distill", "end:distill", "air", "bid:none", "end:market")
    assert one_more.is_terminal()


@pytest.mark.parametrize(
    ("me", "stars"),
    [
        ({"installed": ["feed", "reboiler"]}, 2),
        ({"money": 4}, 0),
        ({"money": 14}, 2),
        ({"installed": ["investment_portfolio"], "money": 5}, 1 + 2),
        ({"installed": ["mdma_representative"], "completed": ["M1", "G6", "E1"]}, 1 + 3 + (3 + 6 + 1)),
        ({"installed": ["osha_inspection"]}, 1 + 3),
        ({"hand": {"osha_inspection": 1}, "system": {"mdma_representative": 1}, "completed": ["M6"]}, 11),
        ({"contract": "M6", "stored_xe": 4}, 0),
        ({"pipelines": ["pipe_O"]}, 1),
        ({"pipelines": ["pipe_O", "pipe_Kr"]}, 4),
        ({"pipelines": ["pipe_N", "pipe_O", "pipe_Kr"]}, 9),
    ],
)
def test_scoring(me: dict, stars: int) -> None:
    assert at("over", {"money": 0} | me, {"money": 0}).scores() == [stars, 0]


def test_lobbyist_scores_tokens_on_contracts() -> None:
    lines = {"contract_line": [slot("M1", 2, 0), slot("G8", 1, 3)], "upgrade_line": [slot("agent", 1, 0)]}
    assert at("over", {"money": 0, "installed": ["lobbyist"]}, {"money": 0}, **lines).scores() == [1 + 3, 0]


def test_the_privilege_side_with_stars_scores_three() -> None:
    for side, stars in (("stars", 3), ("turn", 0)):
        assert at("over", *[{"money": 0}] * 2, trigger=1, privilege=side).scores() == [0, stars]


def test_ties() -> None:
    xe = at("over", {"money": 4, "stored_xe": 1}, {"money": 0, "stored_xe": 2})
    assert xe.scores() == [0, 0] and xe.winners() == [1]
    money = at("over", {"money": 4, "stored_xe": 1}, {"money": 3, "stored_xe": 1})
    assert money.winners() == [0]
