"""One test a numbered ruling (spec section 6)."""

from __future__ import annotations

import pytest

from core.game import IllegalActionError
from tests.tesla.helpers import cards_of, cash, game, legal, play, start

COMPANIES = ["brush", "edison", "maxim", "tesla", "thomson"]


def luminaries(state, seat):
    return state.to_dict()["players"][seat]["luminaries"]


def test_t01_draft_by_seat_first_is_lowest():
    state = game(3).new_initial_state(1)
    assert state.current_player() == 0
    play(state, "draft:tesla")
    assert state.current_player() == 1
    assert legal(state) == {"draft:brush", "draft:edison", "draft:maxim", "draft:thomson"}
    play(state, "draft:brush", "draft:maxim")
    position = state.to_dict()
    assert position["present"] == position["future"] == {"tesla": 6, "brush": 5, "maxim": 4}
    assert position["phase"] == "auction"
    assert state.current_player() == 2, "the last to draft is highest and opens the first auction"


def test_t02_companies_not_drafted_are_out():
    state = play(game(2).new_initial_state(5), "draft:edison", "draft:tesla")
    position = state.to_dict()
    assert position["prices"] == {"edison": 12, "tesla": 12}
    assert position["set_aside"] == {"edison": 2, "tesla": 2}
    assert position["market"] == {"edison": 4, "tesla": 4}
    state = play(
        start(2, players=[{"company": "edison", "cash": 99}, {"company": "tesla"}]), "use:edison", "propaganda"
    )
    assert {name.split(":")[1] for name in legal(state, "fame:")} == {"edison", "tesla"}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_t03_a_deck_holds_cards_of_its_phase_only(n):
    one = game(n, companies=tuple(COMPANIES[:n]))
    masks, parts = one.tables[0]["luminary_phase_mask"], one.parts
    first, second = (cards_of(masks, parts.luminaries, phase) for phase in (1, 2))
    sizes = {2: (3, 3), 3: (5, 4), 4: (6, 6), 5: (8, 7)}[n]
    for seed in range(5):
        position = one.new_initial_state(seed).to_dict()
        assert set(position["offer"]) <= first
        assert len(position["offer"]) == sizes[0]
        assert position["luminary_pool"]["1"] == {}, "luminaries that were not dealt are out of the game"
        assert set(position["luminary_pool"]["2"]) == second
    cards = cards_of(one.tables[0]["card_phase_mask"], parts.cards, 1)
    state = one.new_initial_state(3)
    while state.phase in ("auction", "bid"):
        state.apply_action(state.legal_actions()[-1])
    revealed = state.to_dict()["cards"]
    assert set(revealed) <= cards
    assert len(revealed) == n + 1
    assert state.to_dict()["propaganda_pool"]["1"] == {}


def test_t04_a_seat_without_cash_does_not_open():
    offer = {"coffin": None, "morgan": None, "upton": None}
    present = {"brush": 1, "edison": 2, "maxim": 3}
    state = start(3, phase="auction", offer=offer, present=present, players=[{"cash": 0}, {"cash": 5}, {"cash": 7}])
    assert state.current_player() == 1
    state = start(3, phase="auction", offer=offer, present=present, players=[{"cash": 0}] * 3)
    assert state.current_player() == 0
    play(state, "auction:upton")
    assert state.phase == "auction"
    assert luminaries(state, 0)["upton"] == "ready"
    assert state.current_player() == 1
    assert cash(state) == [0, 0, 0]


@pytest.mark.parametrize(("money", "left"), [(14, 13), (1, 0), (0, 0)])
def test_t05_the_last_seat_pays_one_or_what_it_has(money, left):
    position = {"phase": "auction", "offer": {"morgan": None, "upton": None}, "auction": {"acquired": [1]}}
    state = play(start(2, players=[{"cash": money}, {}], **position), "auction:morgan")
    assert state.phase == "use"
    assert cash(state)[0] == left


def test_t06_bids_rise_within_cash_up_to_200():
    position = {"phase": "auction", "offer": {"morgan": None, "upton": None}}
    state = play(start(2, players=[{"cash": 20}, {"cash": 6}], **position), "auction:morgan")
    assert state.current_player() == 1, "Edison is higher on the present track and opens"
    assert legal(state) == {f"bid:{k}" for k in range(1, 7)}, "the opener must bid"
    play(state, "bid:4")
    assert legal(state) == {f"bid:{k}" for k in range(5, 21)} | {"pass"}
    play(state, "bid:6")
    assert legal(state) == {"pass"}
    rich = play(start(2, players=[{"cash": 900}, {"cash": 900}], **position), "auction:morgan")
    assert len(legal(rich, "bid:")) == 200
    play(rich, "bid:200")
    assert legal(rich) == {"pass"}


def test_t07_certificates_are_dealt_once():
    offer = {"kruesi": "brush", "stanley": "edison"}
    spent = {"luminaries": {"edison": "exhausted"}}
    state = start(2, turn=4, players=[{}, spent], offer=offer)
    play(state, "use:brush", "exhaust")
    assert state.to_dict()["turn"] == 5
    assert state.phase == "auction"
    assert state.to_dict()["offer"] == offer
    position = {"turn": 4, "offer": {"kruesi": None, "stanley": "edison"}, "set_aside": {"brush": 1}}
    later = play(start(2, players=[{}, spent], **position), "use:brush", "exhaust").to_dict()
    assert later["offer"] == {"kruesi": None, "stanley": "edison"}, "nothing is dealt before phase 3"
    assert later["set_aside"] == {"brush": 1, "edison": 0}


def test_t08_a_fifth_share_of_a_rival_goes_to_the_market():
    position = {
        "turn": 3,
        "phase": "auction",
        "present": {"brush": 1, "edison": 2},
        "offer": {"coffin": "edison", "villard": "brush"},
        "prices": {"edison": 20},
    }
    state = start(2, players=[{"shares": {"edison": 4}}, {}], auction={"acquired": [1]}, **position)
    assert state.to_dict()["market"]["edison"] == 1
    play(state, "auction:coffin")
    after = state.to_dict()
    assert after["players"][0]["shares"]["edison"] == 4
    assert after["market"]["edison"] == 2
    assert after["prices"]["edison"] == 20
    own = start(2, players=[{"shares": {"brush": 4}}, {}], auction={"acquired": [1]}, **position)
    play(own, "auction:villard")
    assert own.to_dict()["players"][0]["shares"]["brush"] == 5, "no limit on the own company"


def test_t09_leftovers_of_an_artificial_phase_2_deal():
    spent = {"luminaries": {"edison": "exhausted"}}
    pool = {"2": {"villard": 1, "lamme": 1, "stanley": 1}}

    def deal(**position):
        state = start(2, turn=2, players=[{}, spent], luminary_pool=pool, **position)
        return play(state, "use:brush", "exhaust").to_dict()

    carried = deal(offer={"coffin": "brush"}, set_aside={"brush": 1, "edison": 2})
    assert carried["offer"]["coffin"] == "brush"
    assert sorted(carried["offer"].values()) == ["brush", "brush", "edison", "edison"]
    too_many = deal(offer={}, set_aside={"brush": 2, "edison": 2})
    assert None not in too_many["offer"].values()
    assert sum(too_many["set_aside"].values()) == 1
    too_few = deal(offer={}, set_aside={"brush": 0, "edison": 1})
    assert sorted(map(str, too_few["offer"].values())) == ["None", "None", "edison"]
    assert too_few["set_aside"] == {"brush": 0, "edison": 0}


def test_t10_the_present_track_is_copied_every_turn():
    state = start(2, players=[{}, {"luminaries": {"edison": "exhausted"}}])
    play(state, "use:brush", "propaganda", "fame:brush:+1")
    position = state.to_dict()
    assert position["turn"] == 2
    assert position["present"] == position["future"] == {"brush": 5, "edison": 6}
    assert state.current_player() == 0


def test_t11_nobody_without_ready_luminaries_is_asked():
    players = [{"luminaries": {"coffin": "ready"}}, {"luminaries": {"edison": "exhausted"}}, {}]
    state = play(start(3, players=players), "use:coffin", "exhaust")
    assert state.current_player() == 2
    play(state, "use:maxim", "exhaust")
    assert state.current_player() == 0
    assert luminaries(state, 0) == {"brush": "ready", "coffin": "exhausted"}


def test_t12_several_luminaries_only_advance():
    team = {"company": "edison", "cash": 60, "luminaries": {"morgan": "ready", "weston": "ready"}}
    state = play(start(2, players=[team, {}], cards=["blizzard"]), "use:edison")
    assert {"use:morgan", "use:weston", "exhaust", "propaganda", "market"} <= legal(state)
    play(state, "use:morgan", "use:weston")
    assert all(name.startswith("advance:") for name in legal(state))
    play(state, "advance:dc:2")
    assert set(luminaries(state, 0).values()) == {"exhausted"}, "weston was superfluous and is used all the same"


def test_t12_no_second_luminary_without_an_advance_in_reach():
    top = {"ac": 5, "bulb": 5, "dc": 4}
    state = play(start(2, players=[{"luminaries": {"upton": "ready"}, "tech": top}, {}]), "use:upton")
    assert not legal(state, "use:")
    low = {"ac": 5, "bulb": 5, "dc": 3}
    state = play(start(2, players=[{"luminaries": {"upton": "ready"}, "tech": low}, {}]), "use:upton")
    assert legal(state, "use:") == {"use:brush"}
    assert not legal(state, "advance:"), "upton alone has no manufacturing for level 4"


@pytest.mark.parametrize(
    ("patents", "tech", "power", "fees"),
    [
        ({"bulb:2": "edison"}, {"bulb": 2}, "ac", 2),
        ({"bulb:2": "edison", "ac:3": "edison"}, {"bulb": 2, "ac": 3}, "ac", 5),
        ({"bulb:2": "edison", "ac:3": "edison"}, {"bulb": 2, "ac": 3}, "dc", 2),
        ({"bulb:3": "edison", "ac:2": "edison"}, {"bulb": 2, "ac": 3}, "ac", 0),
        ({"bulb:2": "maxim", "ac:3": "edison"}, {"bulb": 2, "ac": 3}, "ac", 3),
    ],
)
def test_t13_fees_follow_the_level_held(patents, tech, power, fees):
    rival = {"company": "edison", "tech": {"ac": 5, "bulb": 5, "dc": 4}}
    mover = {"company": "maxim", "cash": 30, "luminaries": {"kruesi": "ready"}, "tech": tech}
    state = play(start(2, players=[mover, rival], patents=patents), "use:kruesi", f"claim:albany_1:{power}")
    assert cash(state) == [30 - 4 - fees, 14 + fees]


def test_t14_finance_lowers_the_price_not_the_fees():
    rival = {"company": "edison", "tech": {"bulb": 2}}
    mover = {"company": "maxim", "luminaries": {"morgan": "ready"}, "tech": {"bulb": 2}}
    state = start(2, turn=5, players=[mover, rival], patents={"bulb:2": "edison"})
    play(state, "use:morgan", "claim:albany_1:ac")
    assert cash(state) == [12, 16], "4 - 2 x 3 is nothing for the bank, and 2 for the patent"


def test_t15_all_is_paid_from_cash_held():
    rival = {"company": "edison", "cash": 0, "tech": {"bulb": 2}}

    def claims(money):
        mover = {"company": "maxim", "cash": money, "luminaries": {"kruesi": "ready"}, "tech": {"bulb": 2}}
        state = start(2, players=[mover, rival], patents={"bulb:2": "edison"})
        return legal(play(state, "use:kruesi"), "claim:albany_1")

    assert claims(5) == set()
    assert claims(6) == {"claim:albany_1:ac", "claim:albany_1:dc"}


def test_t16_distance_runs_over_cities_of_others_to_own_projects():
    mover = {"company": "maxim", "luminaries": {"kruesi": "ready"}, "tech": {"ac": 2, "bulb": 2}}
    projects = {"roselle_1": "maxim", "albany_1": "edison", "newark_1": "edison"}
    state = play(start(2, players=[mover, {"company": "edison"}], projects=projects), "use:kruesi", "claim:albany_2:ac")
    assert cash(state)[0] == 14 - 4 - 2, "Newark and New York (or Newburgh) lie between Roselle and Albany"
    state = play(start(2, players=[mover, {"company": "edison"}], projects={"albany_1": "edison"}), "use:kruesi")
    play(state, "claim:buffalo_2:ac")
    assert cash(state)[0] == 14 - 8, "no penalty for the first project"


def test_t16_the_map_grows_with_the_players():
    one = game(5)
    cities = one.parts.cities
    newburgh, buffalo = cities.index("newburgh"), cities.index("buffalo")
    between = one.tables[0]["between"]
    assert between[2, newburgh, buffalo] == 2, "Albany and Rochester"
    boston, albany = cities.index("boston"), cities.index("albany")
    assert between[4, boston, albany] == 1, "Great Barrington"
    roselle, washington = cities.index("roselle"), cities.index("washington")
    assert between[3, roselle, washington] == 1, "Philadelphia"


@pytest.mark.parametrize(("turn", "paid"), [(1, 8 + 1 - 1), (3, 8 + 1 - 2), (5, 8 + 2 - 3)])
def test_t17_maxim_halves_the_money(turn, paid):
    mover = {"company": "maxim", "tech": {"ac": 2, "bulb": 2}}
    state = start(2, turn=turn, players=[mover, {"company": "edison"}], projects={"albany_1": "maxim"})
    play(state, "use:maxim", "claim:buffalo_2:ac")
    assert 14 - cash(state)[0] == paid, "8 + half of g, rounded up, - g"


def test_t18_an_ability_ends_with_an_earlier_action():
    rival = {"company": "maxim", "tech": {"bulb": 2, "dc": 2}}
    patents = {"bulb:2": "maxim"}

    def mover(status):
        return {"company": "edison", "luminaries": {"edison": status, "kruesi": "ready"}, "tech": {"bulb": 2}}

    free = play(start(2, players=[mover("ready"), rival], patents=patents), "use:kruesi", "claim:albany_1:ac")
    assert cash(free) == [10, 14]
    acting = play(start(2, players=[mover("ready"), rival], patents=patents), "use:edison", "claim:albany_1:ac")
    assert cash(acting) == [11, 14]
    paid = play(start(2, players=[mover("exhausted"), rival], patents=patents), "use:kruesi", "claim:albany_1:ac")
    assert cash(paid) == [8, 16]
    team = {"company": "edison", "luminaries": {"edison": "exhausted", "woods": "ready"}}
    assert "advance:ac:2:patent" not in legal(play(start(2, players=[team, {"company": "maxim"}]), "use:woods"))
    team["luminaries"]["edison"] = "ready"
    assert "advance:ac:2:patent" in legal(play(start(2, players=[team, {"company": "maxim"}]), "use:woods"))


def test_t19_thomson_beside_another_needs_no_manufacturing():
    def advances(*used, thomson="ready"):
        team = {"company": "thomson", "luminaries": {"thomson": thomson, "latimer": "ready"}, "tech": {"dc": 2}}
        return legal(play(start(2, players=[team, {}]), *used), "advance:dc")

    assert advances("use:latimer") == {"advance:dc:3", "advance:dc:3:patent"}
    assert advances("use:latimer", "use:thomson") >= {"advance:dc:4", "advance:dc:4:patent"}
    assert advances("use:thomson") == {"advance:dc:3", "advance:dc:3:patent"}
    assert advances("use:latimer", thomson="exhausted") == set()


def test_t20_tesla_and_brush():
    team = {"company": "tesla", "luminaries": {"kruesi": "ready"}}
    state = play(start(2, players=[team, {}]), "use:tesla", "use:kruesi")
    assert {"advance:ac:4", "advance:dc:3"} <= legal(state), "AC 4 takes 1 + 2 invention, its own 3 counts nothing"
    assert not {"advance:ac:5", "advance:dc:4", "advance:bulb:4"} & legal(state)
    brush = {"company": "brush", "cash": 20, "luminaries": {"kruesi": "ready"}, "tech": {"ac": 3, "bulb": 2}}
    rival = {"company": "edison", "tech": {"bulb": 3}}
    patents = {"bulb:2": "edison", "bulb:3": "edison"}
    state = start(2, players=[brush, rival], patents=patents)
    assert "claim:rochester_3:ac" not in legal(play(state.clone(), "use:kruesi"))
    play(state, "use:brush", "claim:rochester_3:ac")
    assert cash(state) == [20 - 6 - 2, 16]
    low_power = {**brush, "tech": {"ac": 2, "bulb": 2}}
    assert "claim:rochester_3:ac" not in legal(play(start(2, players=[low_power, rival]), "use:brush"))


def test_t21_requirements_add_up_and_filing_is_optional():
    team = {"company": "maxim", "luminaries": {"batchelor": "ready"}}
    state = play(start(2, players=[team, {}]), "use:maxim", "use:batchelor")
    assert {"advance:bulb:3", "advance:bulb:3:patent"} <= legal(state), "2 invention, 3 manufacturing, 2 finance"
    assert "advance:bulb:4" not in legal(state)
    plain = play(state.clone(), "advance:bulb:3").to_dict()
    assert plain["patents"] == {}
    assert plain["prices"]["maxim"] == 12
    filed = play(state, "advance:bulb:3:patent").to_dict()
    assert filed["patents"] == {"bulb:3": "maxim"}
    assert filed["prices"]["maxim"] == 15
    alone = play(start(2, players=[{"company": "maxim"}, {}]), "use:maxim")
    assert "advance:ac:2:patent" in legal(alone)


def test_t22_a_move_is_up_to_the_number():
    state = play(start(2, players=[{"company": "maxim"}, {}], current=0), "use:maxim", "propaganda")
    assert legal(state, "current:") == {"current:+1", "current:+2", "current:-1", "current:-2"}
    assert "skip" in legal(state)
    before = state.to_dict()
    play(state, "skip")
    after = state.to_dict()
    assert (after["current"], after["future"]) == (before["current"], before["future"])


def test_t23_any_marker_either_way_within_the_track():
    present = {"maxim": 6, "edison": 2}
    state = start(2, players=[{"company": "maxim"}, {"company": "edison"}], present=present, current=3)
    play(state, "use:maxim", "propaganda")
    expected = {"fame:maxim:+1", "fame:maxim:+2", "fame:edison:+1", "fame:edison:-1", "fame:edison:-2"}
    assert legal(state) == expected | {"current:-1", "current:-2", "skip"}


def test_t24_only_the_packed_block_shifts():
    players = [{"company": c} for c in ("maxim", "edison", "brush", "tesla")]
    players[0]["luminaries"] = {"johnson": "ready"}
    present = {"maxim": 6, "edison": 4, "brush": 3, "tesla": 1}

    def move(*actions):
        return play(start(4, players=players, present=present), "use:johnson", "propaganda", *actions).to_dict()[
            "future"
        ]

    assert move("fame:maxim:+2") == {"maxim": 4, "edison": 5, "brush": 3, "tesla": 1}
    assert move("fame:edison:+1") == {"maxim": 6, "edison": 3, "brush": 4, "tesla": 1}
    assert move("fame:brush:+2") == {"maxim": 6, "edison": 4, "brush": 1, "tesla": 2}
    assert move("fame:tesla:-2") == {"maxim": 6, "edison": 4, "brush": 2, "tesla": 3}
    assert move("fame:edison:-2") == {"maxim": 5, "edison": 6, "brush": 3, "tesla": 1}


def test_t25_a_card_that_remains_is_taken_and_none_pays_nothing():
    mover = {"company": "maxim"}
    state = play(start(2, players=[mover, {}], cards=["blizzard", "bernhardt"]), "use:maxim", "propaganda", "skip")
    assert legal(state) == {"card:bernhardt", "card:blizzard"}
    none = play(start(2, players=[mover, {}]), "use:maxim", "propaganda", "skip")
    assert none.phase == "use"
    assert cash(none)[0] == 14


def test_t26_rating_0_takes_the_card_only():
    mover = {"company": "maxim", "luminaries": {"morgan": "ready"}}
    state = play(start(2, players=[mover, {}], cards=["blizzard"]), "use:morgan", "propaganda")
    assert state.phase == "card"
    play(state, "card:blizzard", "skip")
    assert cash(state)[0] == 14 + 3 + 2
    assert "propaganda" not in legal(play(start(2, players=[mover, {}]), "use:morgan"))


def test_t27_the_card_moves_its_own_track():
    state = play(start(2, players=[{"company": "maxim"}, {}], cards=["aiee_lecture", "bernhardt"]), "use:maxim")
    play(state, "propaganda", "current:+1")
    fame = play(state.clone(), "card:bernhardt")
    assert fame.to_dict()["card"] == "bernhardt"
    assert fame.to_dict()["cards"] == ["aiee_lecture"]
    assert legal(fame, "fame:")
    assert not legal(fame, "current:")
    current = play(state, "card:aiee_lecture")
    assert legal(current) == {"current:+1", "current:+2", "current:-1", "current:-2", "current:-3", "skip"}


def test_t28_at_least_one_trade_and_a_company_one_way_only():
    poor = play(start(2, players=[{"company": "maxim", "cash": 0}, {"company": "edison"}]), "use:maxim")
    assert "market" not in legal(poor)
    mover = {"company": "maxim", "cash": 90, "shares": {"edison": 1}}
    state = play(start(2, players=[mover, {"company": "edison"}]), "use:maxim", "market")
    assert legal(state) == {"buy:maxim", "buy:edison", "sell:edison"}
    play(state, "sell:edison")
    assert legal(state) == {"buy:maxim", "done"}
    play(state, "buy:maxim")
    assert state.to_dict()["trade"] == {"bought": ["maxim"], "sold": ["edison"]}
    assert legal(state) == {"buy:maxim", "done"}


def test_t29_preferred_is_not_traded_and_the_limit_is_on_rivals():
    state = play(start(2, players=[{"company": "maxim", "cash": 0}, {"company": "edison"}]), "use:maxim")
    assert "market" not in legal(state), "the preferred certificate cannot be sold"
    mover = {"company": "maxim", "cash": 200, "shares": {"edison": 4, "maxim": 4}}
    state = start(2, turn=3, players=[mover, {"company": "edison"}])
    play(state, "use:maxim", "market")
    assert legal(state, "buy:") == {"buy:maxim"}


def test_t30_prices_stay_between_12_and_77():
    rich = {"company": "maxim", "cash": 100, "shares": {"edison": 1}}
    state = start(2, turn=5, players=[rich, {"company": "edison"}], prices={"maxim": 77, "edison": 12})
    play(state, "use:maxim", "market", "buy:maxim", "sell:edison")
    assert state.to_dict()["prices"] == {"maxim": 77, "edison": 12}
    assert cash(state)[0] == 100 - (77 - 3) + 12 + 3


def test_t31_discount_and_bonus_for_every_certificate():
    mover = {"company": "maxim", "cash": 100, "luminaries": {"morgan": "ready"}, "shares": {"edison": 2}}
    state = start(2, turn=3, players=[mover, {"company": "edison"}], prices={"maxim": 20, "edison": 20})
    play(state, "use:morgan", "market", "buy:maxim", "buy:maxim", "sell:edison", "sell:edison", "done")
    assert state.to_dict()["prices"] == {"maxim": 24, "edison": 15}
    assert cash(state)[0] == 100 - (20 - 4) - (22 - 4) + (20 + 4) + (17 + 4)


def test_t32_bookkeeping_order_and_multiplier():
    players = [{"company": "maxim", "cash": 0}, {"company": "edison", "cash": 0, "tech": {"ac": 2}}]
    players[1]["luminaries"] = {"edison": "exhausted"}
    position = {"prices": {"maxim": 15, "edison": 19}, "present": {"maxim": 1, "edison": 2}, "current": 1}
    state = start(2, turn=2, players=players, patents={"ac:2": "edison"}, **position)
    state = play(state, "use:maxim", "exhaust")
    assert state.to_dict()["prices"] == {"maxim": 16, "edison": 20}, "phase 1: one spot each"
    assert cash(state) == [12, 14], "profits follow the gains"
    state = start(2, turn=4, players=players, patents={"ac:2": "edison"}, offer={"upton": None}, **position)
    play(state, "use:maxim", "exhaust")
    assert state.to_dict()["prices"] == {"maxim": 17, "edison": 21}, "turn 4 is phase 2"
    assert cash(state) == [12, 16]


def test_t33_the_gain_goes_to_the_highest_filed_patent():
    players = [
        {"company": "maxim", "tech": {"ac": 5, "dc": 4}},
        {"company": "edison", "tech": {"ac": 3, "dc": 3}, "luminaries": {"edison": "exhausted"}},
    ]
    patents = {"ac:2": "edison", "ac:3": "edison", "dc:2": "maxim", "dc:3": "edison"}

    def prices(current, filed):
        state = start(2, players=players, patents=filed, current=current, present={"maxim": 1, "edison": 2})
        return play(state, "use:maxim", "exhaust").to_dict()["prices"]

    assert prices(0, patents) == {"maxim": 13, "edison": 14}, "both technologies, one company"
    assert prices(1, patents) == {"maxim": 13, "edison": 13}
    assert prices(-1, {"dc:2": "maxim"}) == {"maxim": 14, "edison": 12}
    assert prices(2, {"dc:2": "maxim"}) == {"maxim": 13, "edison": 12}, "no AC patent, no gain"


@pytest.mark.parametrize(
    ("current", "project", "power", "gain"),
    [
        (3, "niagara_5", "ac", 2 * 4 + 2),
        (-3, "niagara_5", "ac", 2 * 4 - 2),
        (-3, "rochester_3", "dc", 5 + 2),
        (0, "new_york_4", "dc", 6),
    ],
)
def test_t34_doubling_before_the_current_track(current, project, power, gain):
    tech = {"ac": 5, "bulb": 5, "dc": 4}
    state = start(2, players=[{"company": "tesla", "tech": tech}, {}], prices={"tesla": 30}, current=current)
    play(state, "use:tesla", f"claim:{project}:{power}")
    assert state.to_dict()["prices"]["tesla"] == 30 + gain


def test_t34_the_gain_is_never_negative():
    state = start(2, players=[{"company": "maxim"}, {}], prices={"maxim": 30}, current=3)
    play(state, "use:maxim", "claim:albany_1:dc")
    assert state.to_dict()["prices"]["maxim"] == 32, "4 - 2"


def test_t35_old_cards_lie_there_until_the_auction_ends():
    spent = {"luminaries": {"edison": "exhausted"}}
    state = start(2, turn=2, players=[{}, spent], cards=["blizzard"], offer={"coffin": None})
    play(state, "use:brush", "exhaust")
    assert state.phase == "auction"
    assert state.to_dict()["cards"] == ["blizzard"]
    while state.phase in ("auction", "bid"):
        state.apply_action(state.legal_actions()[-1])
    cards = state.to_dict()["cards"]
    assert len(cards) == 3
    assert set(cards) <= cards_of(game(2).tables[0]["card_phase_mask"], game(2).parts.cards, 2)


def test_t36_markers_and_money_do_not_run_out():
    one = game(5)
    tech = {"ac": 5, "bulb": 5, "dc": 4}
    projects = {name: "brush" for name in one.parts.projects if name != "albany_1"}
    mover = {"company": "brush", "cash": 100_000, "tech": tech}
    state = start(5, players=[mover, {}, {}, {}, {}], projects=projects)
    play(state, "use:brush", "claim:albany_1:ac")
    assert len(state.to_dict()["projects"]) == 41
    assert cash(state)[0] == 100_000 - 2


def test_t37_turn_6_is_booked_before_scoring():
    players = [{"company": "maxim", "cash": 0}, {"company": "edison", "cash": 0, "luminaries": {"edison": "exhausted"}}]
    state = start(2, turn=6, players=players, prices={"maxim": 40, "edison": 30}, present={"maxim": 1, "edison": 2})
    play(state, "use:maxim", "exhaust")
    assert state.phase == "over"
    assert state.to_dict()["prices"] == {"maxim": 43, "edison": 30}
    assert cash(state) == [28, 20]
    assert state.scores() == [172, 120]
    assert state.current_player() == -4
    assert legal(state) == set()


def test_t38_a_tie_in_score_and_cash_is_shared():
    def end(money):
        players = [
            {"company": "maxim", "cash": money},
            {"company": "edison", "cash": 10, "luminaries": {"edison": "exhausted"}},
        ]
        present = {"maxim": 1, "edison": 2}
        state = start(2, turn=6, players=players, prices={"maxim": 40, "edison": 43}, present=present)
        return play(state, "use:maxim", "exhaust")

    assert end(10).winners() == [0, 1]
    assert end(10).returns() == [0, 0]
    assert end(11).winners() == [0]
    assert end(9).winners() == [1]


def test_illegal_actions_leave_the_state_alone():
    state = start(2)
    before = state.to_bytes()
    for action in ("draft:brush", "pass", "fly:moon", "bid:0", "bid:201", "use:edison", 419, 420, -1):
        with pytest.raises(IllegalActionError):
            state.apply_action(action)
    assert state.to_bytes() == before
