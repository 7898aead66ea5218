"""The worked positions that the rules were specified with: a position, actions, what comes of them."""

from __future__ import annotations

import pytest

from tests.xenon.table import at, expect, is_legal, line, none_legal, play, slot

TURBINE = {"upgrade_line": [slot("expansion_turbine", 1, 0)]}
YELLOW_PINK = {"seats": 3, "upgrade_line": [slot("expansion_turbine", 2, 1, 0)]}
ALL_RETURNED = {"upgrade_line": [None] * 3}


def test_1_distill_removes_all_n() -> None:
    state = play(at("distill", {"hand": {"N": 2, "O": 1, "Kr": 1, "Xe": 1}}), "distill")
    expect(state, {"hand": {"O": 1, "Kr": 1, "Xe": 1}})
    assert is_legal(state, "end:distill")


def test_2_isolation() -> None:
    state = play(at("distill", {"hand": {"O": 1, "Xe": 2, "feed": 1, "reflux": 1}}), "distill")
    expect(state, {"hand": {"feed": 1, "reflux": 1}, "stored_xe": 2})


def test_3_buy_with_an_own_token_and_use_at_once() -> None:
    state = play(at("market", {"money": 7}, **TURBINE), "buy_install:upgrade:1")
    expect(state, {"money": 1, "installed": ["expansion_turbine"], "tokens": 5}, **ALL_RETURNED)
    expect(play(state, "use:expansion_turbine"), {"discard": {"Kr": 1, "Xe": 1}})
    state = play(at("market", {"money": 7}, **TURBINE), "buy:upgrade:1")
    expect(state, {"money": 6, "discard": {"expansion_turbine": 1}, "installed": []})


def test_4_buy_with_anothers_token() -> None:
    state = play(at("market", {}, {"money": 3}, current_player=1, **TURBINE), "buy:upgrade:1")
    expect(state, {"money": 4, "tokens": 5}, {"money": 0, "discard": {"expansion_turbine": 1}})


def test_5_two_owners() -> None:
    state = play(at("market", {}, {}, {"money": 5}, current_player=2, **YELLOW_PINK), "buy:upgrade:1")
    expect(state, {"money": 5, "tokens": 5}, {"money": 4, "tokens": 5}, {"money": 0})
    state = play(at("market", {"money": 3}, **YELLOW_PINK), "buy:upgrade:1")
    expect(state, {"money": 2}, {"money": 4}, {"money": 3})


def test_6_feed() -> None:
    state = play(at("air", {"money": 0, "hand": {"feed": 1}}), "air:feed")
    expect(state, {"money": 4, "discard": {"N": 2, "O": 2, "Kr": 2, "Xe": 2, "feed": 1}, "hand": {}}, phase="market")


def test_7_install_reflux_or_play_it() -> None:
    me = {"money": 4, "hand": {"reflux": 1, "Kr": 1, "N": 1, "Xe": 1}}
    state = play(at("start", me), "install:reflux", "overtime:no", "use:reflux", "discard:kr", "distill")
    expect(state, {"money": 0, "stored_xe": 1, "hand": {}, "discard": {"Kr": 1}})
    state = play(at("start", me), "overtime:no", "distill", "play:reflux", "discard:kr")
    expect(state, {"money": 4, "stored_xe": 1, "discard": {"Kr": 1, "reflux": 1}, "hand": {}})


def test_8_not_retroactive() -> None:
    state = at("market", {"money": 8, "hand": {"N": 1}}, upgrade_line=line("swing_adsorption"))
    assert none_legal(play(state, "buy_install:upgrade:1"), "use:swing_adsorption")


def test_9_a_card_stays_out_of_the_reshuffle_it_causes() -> None:
    for seed in range(5):
        me = {"hand": {"mass_flow": 1}, "system": {"N": 1}, "discard": {"O": 1, "Kr": 1}}
        state = play(at("distill", me, seed=seed), "play:mass_flow")
        expect(state, {"hand": {"N": 1, "O": 1, "Kr": 1}, "system": {}, "discard": {"mass_flow": 1}})


def test_10_the_price_is_one_sum() -> None:
    state = play(at("market", {"money": 0}, contract_line=[slot("M1", 1, 1)]), "buy:contract:1")
    expect(state, {"money": 0, "contract": "M1"}, {"money": 4})


@pytest.mark.parametrize(("count", "stars"), [(1, 1), (2, 4), (3, 9)])
def test_11_pipelines(count: int, stars: int) -> None:
    pipelines = ["pipe_N", "pipe_O", "pipe_Kr"][:count]
    assert at("over", {"pipelines": pipelines, "money": 0}).scores()[0] == stars
