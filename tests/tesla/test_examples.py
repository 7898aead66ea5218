"""The worked examples of the rulebook, and the further test vectors of the specification (its section 10)."""

from __future__ import annotations

import pytest

from tests.tesla.helpers import cash, legal, play, start


def test_auction_of_joan_brian_and_alexa():
    offer = dict.fromkeys(["coffin", "kruesi", "morgan", "latimer", "houston"])
    state = start(3, phase="auction", present={"brush": 1, "edison": 2, "maxim": 3}, offer=offer)
    for seat, action in enumerate(["auction:coffin", "bid:1", "pass", "bid:2", "bid:3"]):
        assert state.current_player() == [0, 0, 1, 2, 0][seat]
        play(state, action)
    assert state.current_player() == 2, "Brian has passed"
    play(state, "bid:4", "bid:5", "pass")
    assert state.phase == "auction"
    assert state.current_player() == 1
    assert cash(state) == [9, 14, 14]
    position = state.to_dict()
    assert position["auction"] == {"acquired": [0], "luminary": None, "bid": 0, "bidder": None, "passed": []}
    assert position["players"][0]["luminaries"]["coffin"] == "ready"
    assert set(position["offer"]) == {"kruesi", "morgan", "latimer", "houston"}


def test_claim_of_akira_needs_ac():
    state = start(2, players=[{"cash": 30, "tech": {"ac": 4, "bulb": 3, "dc": 2}}, {}])
    assert legal(play(state, "use:brush"), "claim:new_york_3") == {"claim:new_york_3:ac"}


def test_claim_of_buffalo_skips_rochester():
    mover = {"company": "maxim", "luminaries": {"kruesi": "ready"}, "tech": {"ac": 2, "bulb": 2}}
    state = start(2, players=[mover, {}], projects={"albany_1": "maxim"})
    play(state, "use:kruesi", "claim:buffalo_2:ac")
    assert cash(state)[0] == 14 - 8 - 1
    assert state.to_dict()["prices"]["maxim"] == 12 + 5


def test_claim_of_paolo():
    players = [
        {"company": "tesla", "cash": 18, "luminaries": {"villard": "ready"}, "tech": {"ac": 3, "bulb": 3}},
        {"company": "brush", "tech": {"bulb": 3}},
        {"company": "edison", "tech": {"ac": 3}},
    ]
    projects, patents = {"washington_1": "tesla"}, {"bulb:3": "brush", "ac:3": "edison"}
    state = start(3, turn=3, players=players, projects=projects, patents=patents)
    play(state, "use:villard", "claim:new_york_3:ac")
    assert cash(state) == [2, 17, 17], "10 to the bank and 3 to each holder"
    assert state.to_dict()["prices"]["tesla"] == 18
    assert state.to_dict()["projects"]["new_york_3"] == "tesla"


def test_claim_of_soo():
    state = start(
        2, turn=5, players=[{"company": "tesla", "tech": {"ac": 5, "bulb": 5}}, {}], prices={"tesla": 43}, current=3
    )
    assert play(state, "use:tesla", "claim:niagara_5:ac").to_dict()["prices"]["tesla"] == 53


def test_advance_of_freida():
    freida = {"company": "thomson", "luminaries": {"latimer": "ready"}, "tech": {"dc": 2}}
    state = play(start(2, players=[freida, {}]), "use:latimer")
    assert legal(state, "advance:dc") == {"advance:dc:3", "advance:dc:3:patent"}
    play(state, "use:thomson", "advance:dc:4:patent")
    position = state.to_dict()
    assert position["players"][0]["tech"]["dc"] == 4
    assert position["players"][0]["luminaries"] == {"thomson": "exhausted", "latimer": "exhausted"}
    assert position["prices"]["thomson"] == 16
    assert position["patents"] == {"dc:4": "thomson"}, "the level that was skipped has no patent"


def test_propaganda_of_todd():
    players = [{"company": "maxim"}, {"company": "tesla"}, {"company": "brush"}]
    state = start(3, turn=3, players=players, present={"maxim": 6, "tesla": 3, "brush": 2}, cards=["mark_twain"])
    play(state, "use:maxim", "propaganda", "fame:maxim:+2")
    assert state.to_dict()["future"] == {"maxim": 4, "tesla": 3, "brush": 2}
    play(state, "card:mark_twain", "fame:maxim:+2")
    position = state.to_dict()
    assert position["future"] == {"maxim": 2, "brush": 3, "tesla": 4}
    assert position["present"] == {"maxim": 6, "tesla": 3, "brush": 2}
    assert position["cards"] == []
    assert cash(state)[0] == 14 + 6 + 2


def test_market_of_luis():
    players = [
        {
            "company": "tesla",
            "cash": 0,
            "luminaries": {"tesla": "exhausted", "stanley": "ready"},
            "shares": {"brush": 1},
        },
        {"company": "brush", "cash": 0, "luminaries": {"brush": "exhausted"}},
    ]
    state = start(2, players=players, present={"tesla": 1, "brush": 2}, prices={"brush": 42})
    play(state, "use:stanley", "market", "sell:brush")
    assert cash(state)[0] == 42
    assert state.to_dict()["prices"]["brush"] == 38
    play(state, "done")
    assert state.to_dict()["turn"] == 2
    assert cash(state) == [50, 24], "Amelie's profit is 24, not 28"


def test_profit_of_maxim_and_brush():
    players = [{"company": "maxim", "cash": 0}, {"company": "brush", "cash": 0, "luminaries": {"brush": "exhausted"}}]
    state = start(2, players=players, present={"maxim": 2, "brush": 1}, prices={"maxim": 18, "brush": 19})
    play(state, "use:maxim", "exhaust")
    assert cash(state) == [14, 14]
    assert state.to_dict()["prices"] == {"maxim": 18, "brush": 20}
    assert (state.to_dict()["turn"], state.current_player()) == (2, 1)


def test_phase_2_auction_figure():
    """Three players: two luminaries left over and four new ones, a certificate on each, two of every company."""
    players = [{"company": "brush"}, {"company": "maxim"}, {"company": "edison"}]
    for player in players[1:]:
        player["luminaries"] = {player["company"]: "exhausted"}
    pool = {"2": dict.fromkeys(["westinghouse", "lamme", "anthony", "villard"], 1)}
    state = start(3, turn=2, players=players, offer={"coffin": None, "morgan": None}, luminary_pool=pool)
    offer = play(state, "use:brush", "exhaust").to_dict()["offer"]
    assert set(offer) == {"coffin", "morgan", "westinghouse", "lamme", "anthony", "villard"}
    assert sorted(offer.values()) == ["brush", "brush", "edison", "edison", "maxim", "maxim"]
    assert state.to_dict()["set_aside"] == {"brush": 0, "maxim": 0, "edison": 0}


@pytest.mark.parametrize(
    ("price", "left"),
    [
        (12, 12),
        (13, 12),
        (14, 12),
        (15, 13),
        (17, 15),
        (18, 16),
        (20, 17),
        (30, 26),
        (42, 38),
        (43, 38),
        (44, 39),
        (77, 71),
    ],
)
def test_a_sale_moves_the_price_one_column_left(price, left):
    mover = {"company": "tesla", "luminaries": {"kruesi": "ready"}, "shares": {"brush": 1}}
    state = start(2, players=[mover, {"company": "brush"}], prices={"brush": price})
    play(state, "use:kruesi", "market", "sell:brush")
    assert state.to_dict()["prices"]["brush"] == left
    assert cash(state)[0] == 14 + price
    assert "done" in legal(state)
    assert "buy:brush" not in legal(state)


def test_a_move_down_pushes_up():
    present = {"brush": 1, "edison": 3, "maxim": 4, "tesla": 6}
    state = start(4, present=present, cards=["bernhardt"], players=[{"luminaries": {"kruesi": "ready"}}, {}, {}, {}])
    play(state, "use:kruesi", "propaganda", "card:bernhardt", "fame:brush:-3")
    assert state.to_dict()["future"] == {"brush": 4, "maxim": 3, "edison": 2, "tesla": 6}
    assert cash(state)[0] == 16


def test_phase_2_deal_with_a_known_deck():
    players = [{}, {"luminaries": {"edison": "exhausted"}}]
    pool = {"2": {"villard": 1, "lamme": 1, "stanley": 1}}
    state = start(2, turn=2, players=players, offer={"coffin": None}, luminary_pool=pool)
    play(state, "use:brush", "exhaust")
    position = state.to_dict()
    assert (position["turn"], position["phase"], state.current_player()) == (3, "auction", 1)
    assert position["set_aside"] == {"brush": 0, "edison": 0}
    assert legal(state) == {f"auction:{name}" for name in ("coffin", "villard", "lamme", "stanley")}


def test_a_tie_at_the_end_goes_to_the_richer():
    players = [
        {"company": "maxim", "cash": 9},
        {"company": "edison", "cash": 10, "luminaries": {"edison": "exhausted"}},
    ]
    state = start(2, turn=6, players=players, prices={"maxim": 40, "edison": 43}, present={"maxim": 1, "edison": 2})
    play(state, "use:maxim", "exhaust")
    assert state.is_terminal()
    assert state.scores() == [172, 172]
    assert state.winners() == [1]
    assert state.returns() == [-1, 1]
