"""The numbered rulings P-1 to P-56, one test each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from core.game import State
from pax_env import Game
from pax_env.components import load
from tests.pax.helpers import POOR, RICH, at, blue, do, employees, game, money, names, slot

SPLAY_SILK = {
    "market": {"first_world": [slot("spider_silk", "blue", white=("blue",))]},
    "infrastructure": employees("clinical_trials"),
}
"""Blue has syndicated a gold and orange idea and has a maker to commercialize it."""

RED_SHOCK = [{"card": "exocortex", "white": ["red", "red"]}]
"""Red has the most cubes in play, so pink acts."""

FOUR = dict.fromkeys(("education", "corruption", "data_privacy", "walled_gardens"))


def four(color: str) -> dict[str, Any]:
    """Four companies of a colour."""
    return {space: {"company": color} for space in FOUR}


def solo(card: str, level: str = "hard", **position: Any) -> State:
    """The human's turn, with one card in the exoglobal deck."""
    return at(1, {"solo": level}, exo_deck={"rest": [card]}, **position)


# Payments


def test_p01_forced_decisions() -> None:
    position: dict[str, Any] = {
        "players": blue(),
        "regime": "computing",
        "infrastructure": employees("filter_bubbles"),
    }
    state = at(2, None, **position)
    assert do(state, "research:cloud")["phase"] == "turn"
    assert state.decisions == 1
    asked = at(2, {"skip_forced": False}, **position)
    assert do(asked, "research:cloud")["phase"] == "work"
    assert names(asked) == {"work:filter_bubbles:unemployment"}
    do(asked, "work:filter_bubbles:unemployment")
    assert asked.decisions == 2 and asked.to_dict()["players"] == state.to_dict()["players"]
    waiting = at(2, None, **position, phase="work", pending={"action": "research", "sphere": "cloud"})
    assert waiting.phase == "work" and len(waiting.legal_actions()) == 1


def test_p02_the_cost_is_reckoned_before_the_agent_moves() -> None:
    state = at(
        players=blue(),
        market={"first_world": ["telomere_repair"]},
        infrastructure=employees("gatekeeping", "bioconservatism"),
    )
    # one of three barriers is open: 1, doubled for a freelancer; from bioconservatism the agent opens another barrier
    do(state, "research:first_world", "work:bioconservatism:fw_utility_mid", "patents:none")
    assert money(state.to_dict()) == (6, 2, 0)


def test_p03_patents_are_sold_only_while_the_cost_is_not_covered() -> None:
    players = blue(capital=0, wealth=1, patents={"gold": 1, "green": 1})
    market = {"cloud": ["lights_out_factories", "smart_dust"]}
    state = at(players=players, market=market, splay=["cryonics", "senolytics"])
    do(state, "syndicate:cloud:1")
    assert names(state) == {"sell:gold", "sell:green", "pay"}
    after = do(state, "sell:gold")["players"][0]  # 4 money under transbiology for a cost of 1: the rest is lost
    assert after["patents"] == {"gold": 0, "green": 1, "blue": 0, "orange": 0}
    assert (after["capital"], after["wealth"], after["debt"]) == (0, 1, 0)
    free = at(players=players, market=market)
    assert do(free, "syndicate:cloud:0")["players"][0]["patents"]["gold"] == 1


def test_p04_the_agent_of_a_sold_patent_may_be_the_one_installed() -> None:
    state = at(
        players=[POOR | {"patents": {"gold": 2}}, RICH],
        market={"cloud": [None, "fab_lab_network", None, "smart_dust"]},
    )
    # two worthless patents bring two agents, and each of them one money
    assert {"syndicate:cloud:1", "syndicate:cloud:3"} & names(state) == {"syndicate:cloud:1"}
    do(state, "syndicate:cloud:1", "pay")
    assert state.to_dict()["players"][0]["patents"]["gold"] == 1 and money(state.to_dict()) == (0, 0, 0)


# The cards


def test_p05_plurality_is_no_idea() -> None:
    state = at(
        players=blue(),
        market={"cloud": ["separation_of_business_state", "plurality"]},
        infrastructure=employees("filter_bubbles"),
        regime="transbiology",
    )
    assert not any(name.endswith("cloud:1") for name in names(state))
    assert do(state, "syndicate:cloud:0")["phase"] == "turn"
    last = at(players=blue(), market={"cloud": ["plurality"]}, infrastructure=employees("filter_bubbles"))
    assert "research:cloud" in names(last) and "import:cloud:0" not in names(last)


def test_p06_tipping_points_are_ideas_in_all_else() -> None:
    position: dict[str, Any] = {
        "players": blue(),
        "market": {"cloud": ["tipping_point_blue"]},
        "infrastructure": employees("filter_bubbles"),
        "regime": "computing",
    }
    state = at(**position)
    assert {"syndicate:cloud:0", "import:cloud:0"} <= names(state)
    assert "research:cloud" not in names(state)
    do(state, "syndicate:cloud:0", "leave", "research:cloud", "patents:both")
    assert state.to_dict()["players"][0]["patents"]["blue"] == 2
    assert state.to_dict()["discard"] == {"tipping_point_blue": 1}


def test_p07_heat_does_not_double_the_market_cost() -> None:
    heat = at(players=blue(), market={"cloud": [None, None, slot("exocortex", white=("red", "red"))]})
    assert money(do(heat, "syndicate:cloud:2")) == (5, 2, 0)
    syndicated = at(players=blue(), market={"cloud": [None, None, slot("exocortex", "red", white=("red", "red"))]})
    assert money(do(syndicated, "syndicate:cloud:2")) == (3, 4, 0)


def test_p08_one_surge_for_each_card_syndicated() -> None:
    cards = ["separation_of_business_state", "seasteading", "vertical_farms", "smart_dust"]
    state = at(players=blue(), market={"cloud": cards})
    do(state, "syndicate:cloud:0")
    assert names(state) == {"none", "surge:cloud:1", "surge:cloud:2"}
    market = do(state, "surge:cloud:2")["market"]["cloud"]
    assert state.phase == "turn"
    assert [bool(entry["syndications"]) for entry in market[:4]] == [True, False, True, False]
    declined = at(players=blue(), market={"cloud": cards})
    assert do(declined, "syndicate:cloud:0", "none")["market"]["cloud"][1]["syndications"] == []


def test_p09_black_heat_before_the_surge_and_for_each_card() -> None:
    state = at(players=blue(), market={"cloud": ["artificial_womb", "senolytics", "cryonics"]})
    assert do(state, "syndicate:cloud:0")["phase"] == "black_heat"
    do(state, "leave")
    assert names(state) == {"none", "surge:cloud:1", "surge:cloud:2"}
    position = do(state, "surge:cloud:1")
    assert position["phase"] == "black_heat" and position["pending"]["row"] == 1
    do(state, "cover")
    assert names(state) == {"none", "surge:cloud:2"}


# Commercialization


def test_p10_the_commercialized_card_stays_in_the_market() -> None:
    state = at(
        players=blue(patents={"gold": 1, "orange": 1}),
        market={"first_world": [slot("carbon_lungs", "blue", white=("blue",)), "senolytics"]},
        infrastructure=employees("fw_utility_mid"),
    )
    do(state, "commercialize:first_world:0")
    assert names(state) == {"defuse:first_world:0", "defuse:first_world:1"}
    after = do(state, "defuse:first_world:0", "show:gold")
    assert after["splay"][-1]["black"] == ["blue"] and after["market"]["first_world"][0] is None
    relief = at(
        players=blue(patents={"gold": 1, "orange": 1}),
        market={"first_world": [slot("smart_pills", "blue", white=("blue",))]},
        infrastructure=employees("fw_utility_mid"),
    )
    assert do(relief, "commercialize:first_world:0")["phase"] == "orientation"  # its own heat gives no relief
    able = at(
        players=blue(patents={"blue": 1, "green": 1}),
        market={"cloud": [slot("crowd_science", "blue")]},
        infrastructure=employees("legacy_code"),
    )
    # its own barrier discount holds: of four open barriers three count, doubled for a freelancer
    assert money(do(able, "commercialize:cloud:0")) == (2, 8, 0)
    discount = able.game.observation_layout.id("ability.barrier_discount")
    assert able.phase == "disruption" and able.observation(0)[discount] > 0
    do(able, "show:blue", "company:data_privacy")
    assert able.phase == "turn" and able.observation(0)[discount] == 0


def test_p11_patents_for_viability_are_divested_before_the_payment() -> None:
    position: dict[str, Any] = {
        "players": [POOR | {"capital": 1, "patents": {"gold": 1, "orange": 1}}, RICH],
        "splay": ["cryonics", "utility_fog"],
        **SPLAY_SILK,
        "infrastructure": employees("fw_utility_mid"),
    }
    state = at(2, {"skip_forced": False}, **position)
    do(state, "commercialize:first_world:0")
    assert names(state) == {"via:splay", "via:patents"}
    do(state, "via:patents")
    assert money(state.to_dict()) == (1, 2, 0) and sum(state.to_dict()["players"][0]["patents"].values()) == 0
    do(state, "work:fw_utility_mid:unemployment")
    assert names(state) == {"pay"}
    assert money(do(state, "pay")) == (0, 1, 2)
    poorer = position | {"players": [POOR | {"patents": {"gold": 1, "orange": 1}}, RICH]}
    # selling both would bring 2 and two steps; divested they bring two steps only, for a cost of 3
    state = at(2, {"skip_forced": False}, **poorer)
    do(state, "commercialize:first_world:0")
    assert names(state) == {"via:splay"}


def test_p12_the_think_tank_card_leaves_when_the_slot_is_vacated() -> None:
    state = at(players=blue(think_tank=["cryonics", "smart_pills"]), **SPLAY_SILK)
    during = do(state, "commercialize:first_world:0")
    assert during["phase"] == "company"
    assert during["players"][0]["think_tank"] == ["cryonics", "smart_pills"]
    after = do(state, "company:orbital_debris", "show:gold")
    assert after["players"][0]["think_tank"] == ["cryonics"]
    assert after["market"]["first_world"][0] == slot("smart_pills")


def test_p13_own_future_shock_makes_a_splay_card_usable() -> None:
    def legal(*cubes: str) -> bool:
        shocked = {"card": "exocortex", "visible": "gold", "white": list(cubes)}
        return "commercialize:first_world:0" in names(at(players=blue(), splay=[shocked, "utility_fog"], **SPLAY_SILK))

    assert legal() and legal("blue") and legal("blue", "red")
    assert not legal("red")


def test_p14_a_company_owner_spends_an_opponents_employee() -> None:
    infrastructure = {
        "bioconservatism": {"company": "blue", "employees": ["red"]},
        "fw_utility_mid": {"employees": ["blue"]},
    }
    state = at(players=blue(), market={"first_world": ["cryonics"]}, infrastructure=infrastructure)
    do(state, "research:first_world")
    assert names(state) == {
        "work:bioconservatism:gatekeeping",
        "work:bioconservatism:fw_utility_mid",
        "work:fw_utility_mid:unemployment",
    }
    after = do(state, "work:bioconservatism:fw_utility_mid")["infrastructure"]
    assert after["fw_utility_mid"]["employees"] == ["blue", "red"] and after["bioconservatism"]["employees"] == []
    infrastructure["fw_utility_mid"] = {"employees": ["red"]}
    full = at(players=blue(), market={"first_world": ["cryonics"]}, infrastructure=infrastructure)
    assert do(full, "research:first_world", "patents:none")["infrastructure"]["gatekeeping"]["employees"] == ["red"]


def test_p15_two_arrows_to_one_space_are_one_move() -> None:
    arrow = "work:cloud_utility:walled_gardens"
    assert game().action_layout.names.count(arrow) == 1
    table = employees("cloud_utility")
    thinker = at(players=blue(), market={"cloud": ["cryonics"]}, infrastructure=table)
    maker = at(
        players=blue(patents={"gold": 2}), market={"cloud": [slot("organ_printing", "blue")]}, infrastructure=table
    )
    do(thinker, "research:cloud")
    do(maker, "commercialize:cloud:0")
    assert names(thinker) == {arrow, "work:cloud_utility:filter_bubbles"}
    assert names(maker) == {arrow, "work:cloud_utility:legacy_code"}


# Research


def test_p16_work_from_a_utility_gives_no_patents() -> None:
    state = at(players=blue(), market={"cloud": ["cryonics"]}, infrastructure=employees("cloud_utility"))
    do(state, "research:cloud", "work:cloud_utility:filter_bubbles")
    assert names(state) == {"patents:none", "think_tank"}


def test_p17_research_on_an_empty_column_with_an_empty_deck() -> None:
    state = at(players=blue(), infrastructure=employees("filter_bubbles"))
    after = do(state, "research:cloud")
    assert after["phase"] == "turn" and after["actions_left"] == 1 and money(after) == (0, 8, 0)
    assert after["market"]["cloud"] == [None] * 6


def test_p18_the_claim_comes_after_the_refresh() -> None:
    state = at(
        players=blue(),
        market={"cloud": [None, "cryonics", None, "smart_dust"]},
        infrastructure=employees("filter_bubbles"),
        deck={"top": ["senolytics"], "bottom": ["tipping_point_gold"], "plurality": True},
    )
    position = do(state, "research:cloud")
    assert position["phase"] == "research_claim" and position["pending"]["card"] == "cryonics"
    cards = [entry and entry["card"] for entry in position["market"]["cloud"]]
    assert cards == ["smart_dust", "senolytics", "tipping_point_gold", "plurality", None, None]


def test_p19_a_foreign_cube_bars_the_think_tank() -> None:
    for entry in (slot("exocortex", "red"), slot("exocortex", white=("red",))):
        state = at(players=blue(), market={"cloud": [entry]}, infrastructure=employees("filter_bubbles"))
        assert do(state, "research:cloud")["pending"]["foreign"] is True
        assert names(state) == {"patents:none", "patents:gold", "patents:blue", "patents:both"}
    own = at(players=blue(), market={"cloud": [slot("exocortex", "blue")]}, infrastructure=employees("filter_bubbles"))
    do(own, "research:cloud")
    assert "think_tank" in names(own)


def test_p20_one_patent_of_either_hue_or_two_of_both() -> None:
    for claim, gold, cloud in (("patents:gold", 1, 0), ("patents:blue", 0, 1), ("patents:both", 1, 1)):
        state = at(players=blue(), market={"cloud": ["exocortex"]}, infrastructure=employees("filter_bubbles"))
        patents = do(state, "research:cloud", claim)["players"][0]["patents"]
        assert (patents["gold"], patents["blue"]) == (gold, cloud)


# Hiring


def test_p21_hiring_from_unemployment_costs_money_but_no_agent() -> None:
    table = {"cloud_unemployment": {"employees": ["blue"]}}
    state = at(players=blue(capital=0, wealth=3), infrastructure=table)
    do(state, "hire:legacy_code", "source:unemployment")
    after = state.to_dict()
    assert money(after) == (0, 0, 3) and after["infrastructure"] == {
        "legacy_code": {"company": None, "employees": ["blue"]}
    }
    broke = at(players=[POOR, RICH], infrastructure=table, regime="group_dynamics")
    hires = {name for name in names(broke) if name.startswith("hire:")}
    assert "hire:legacy_code" in hires and "hire:education" not in hires


def test_p22_hiring_into_ones_own_company_takes_no_action() -> None:
    table = employees(education="blue", corruption="red")
    state = at(players=blue(), infrastructure=table)
    assert do(state, "hire:education")["actions_left"] == 2
    spent = at(players=blue(patents={"green": 1}), infrastructure=table, actions_left=0)
    assert names(spent) == {"end_turn", "hire:education"}
    do(spent, "hire:education")
    assert names(spent) == {"sell:green", "pay"}
    assert do(spent, "pay")["infrastructure"]["education"]["employees"] == ["blue"]


# Companies


def brash(owner: str | None) -> State:
    state = at(
        players=blue(patents={"green": 1, "blue": 1}),
        market={"developing_world": [slot("avatar_teachers", "blue")]},
        infrastructure=employees("womens_health") | {"education": {"company": owner, "employees": ["red"]}},
    )
    do(state, "commercialize:developing_world:0")
    return state


def test_p23_a_brash_company_dislodges_another_colour_only() -> None:
    assert names(brash("blue")) == {"company:protectionism", "company:corruption"}
    state = brash("red")
    assert names(state) == {"company:protectionism", "company:corruption", "company:education"}
    after = do(state, "company:education", "show:green")
    assert after["infrastructure"]["education"] == {"company": "blue", "employees": ["red"]}


def tycoon(**position: Any) -> State:
    table = four("blue") | employees("clinical_trials")
    table |= position.pop("infrastructure", {})
    players = position.pop("players", blue(patents={"gold": 1, "orange": 1}))
    market = {"first_world": [slot("spider_silk", "blue", white=("blue",))], **position.pop("market", {})}
    state = at(players=players, market=market, infrastructure=table, **position)
    do(state, "commercialize:first_world:0")
    return state


def test_p24_no_spot_no_company_and_no_tycoon() -> None:
    taken = {space: {"company": "red"} for space in ("launch_costs", "orbital_debris", "cosmic_rays", "closed_ecology")}
    state = tycoon(infrastructure=taken)
    assert state.phase == "orientation" and "tycoon" not in state.to_dict()["pending"]
    assert do(state, "show:gold")["terminal"] is False
    full = {space: {"company": "red"} for space in ("data_privacy", "filter_bubbles", "walled_gardens")}
    first = at(
        players=blue(patents={"gold": 1, "blue": 1}),
        market={"first_world": [slot("exocortex", "blue", white=("blue", "blue"))]},
        infrastructure=employees("clinical_trials") | full,
    )
    assert do(first, "commercialize:first_world:0")["phase"] == "orientation"
    assert first.to_dict()["players"][0]["pool"] == 0  # the growth after it brought the last agent


def test_p25_the_tycoon_wins_at_the_last_step_after_the_singularity() -> None:
    state = tycoon()
    assert state.phase == "orientation" and state.to_dict()["pending"]["tycoon"] is True
    result = do(state, "show:gold")["result"]
    assert result == {"end": "tycoon", "scores": {"blue": 1, "red": 0}, "winners": ["blue"]}
    earlier = tycoon(splay=["cryonics", "senolytics", "organ_printing", "telomere_repair"], regime="globalization")
    assert do(earlier, "show:gold")["result"]["end"] == "singularity"


def test_p26_a_blocked_tycoon_replaces_a_company() -> None:
    red = RICH | {"think_tank": ["radiation_proofing"]}
    state = tycoon(players=[blue(patents={"gold": 1, "orange": 1})[0], red])
    assert state.phase == "replace" and names(state) == {f"lose:company:{space}" for space in FOUR}
    do(state, "lose:company:education")
    assert state.phase == "company" and "company:launch_costs" in names(state)
    after = do(state, "company:launch_costs", "show:gold")
    assert after["infrastructure"]["launch_costs"]["company"] == "blue" and "education" not in after["infrastructure"]
    assert after["terminal"] is False


# Other players' choices


def test_p27_forced_choices_go_in_player_order_from_blue() -> None:
    table = {"clinical_trials": {"employees": ["red"]}, "education": {"employees": ["blue"]}}
    table |= {"cloud_unemployment": {"employees": ["blue", "red"]}}
    state = at(
        turn=1,
        players=[RICH, RICH | {"patents": {"gold": 2}}],
        market={"first_world": [slot("senolytics", "red", white=("red",))]},
        infrastructure=table,
    )
    do(state, "commercialize:first_world:0", "company:bioconservatism")
    assert state.phase == "recession" and state.current_player() == 0
    assert names(state) == {"layoff:education", "layoff:cloud_unemployment"}
    do(state, "layoff:education")
    assert state.current_player() == 1
    assert names(state) == {"layoff:first_world_unemployment", "layoff:cloud_unemployment"}
    after = do(state, "layoff:cloud_unemployment")
    assert after["infrastructure"]["cloud_unemployment"]["employees"] == ["blue"] and after["current_player"] == 1


def exchange(blue_shields: int, problems: dict[str, int], companies: dict[str, Any] | None = None) -> State:
    shields = [{"card": card, "black": ["blue"]} for card in ("charter_cities", "direct_democracy")[:blue_shields]]
    state = at(
        players=[RICH | {"problems": problems}, RICH | {"patents": {"orange": 2}}],
        turn=1,
        splay=["molecular_assembler", "emission_quotas", *shields],
        market={"space": [slot("programmable_matter", "red", white=("red",))]},
        infrastructure=employees("space_utility", color="red") | (companies or {}),
    )
    do(state, "commercialize:space:0", "work:space_utility:closed_ecology")
    return state


def test_p28_open_black_squares_are_counted_and_shielded() -> None:
    two = {"earthbound": 2, "exoscience_gap": 2}
    assert exchange(0, two).to_dict()["pending"]["losses"] == 2
    assert exchange(1, two).to_dict()["pending"]["losses"] == 1
    assert exchange(2, two).phase == "problem"  # the next impact: nothing is lost


def test_p29_employees_stay_and_problems_return() -> None:
    held = {"isolation": {"company": "blue", "employees": ["blue"]}}
    state = exchange(0, {"earthbound": 2, "exoscience_gap": 1}, held)
    after = do(state, "lose:company:isolation", "lose:problem:earthbound")
    assert after["infrastructure"]["isolation"] == {"company": None, "employees": ["blue"]}
    assert after["problems"]["earthbound"] == 1 and after["players"][0]["problems"] == {
        "earthbound": 1,
        "exoscience_gap": 1,
    }


def test_p30_all_is_lost_without_a_choice() -> None:
    state = exchange(0, {"earthbound": 1, "exoscience_gap": 1, "aging": 1})
    assert state.phase == "problem"
    assert state.to_dict()["players"][0]["problems"] == {"aging": 1}


def test_p31_only_relief_may_be_declined() -> None:
    state = at(
        players=blue(patents={"gold": 2}),
        market={"first_world": [slot("telomere_repair", "blue")], "cloud": ["mesh_internet", "emission_quotas"]},
        infrastructure=employees("fw_utility_mid"),
    )
    do(state, "commercialize:first_world:0")
    assert names(state) == {"defuse:cloud:0", "defuse:cloud:1"}
    relief = at(
        players=blue(patents={"gold": 1, "orange": 1}),
        market={"first_world": [slot("smart_pills", "blue"), slot("exocortex", white=("red",))]},
        infrastructure=employees("fw_utility_mid"),
    )
    do(relief, "commercialize:first_world:0")
    assert names(relief) == {"none", "relieve:first_world:1"}
    assert do(relief, "none")["phase"] == "relief"  # its second impact of the kind


# Regime and ends


def test_p32_regimes_of_the_cutting_edge() -> None:
    def regime(*cards: str) -> str:
        return str(at(splay=list(cards)).to_dict()["regime"])

    assert regime() == regime("cryonics") == regime("cryonics", "mesh_internet") == "globalization"
    assert regime("cryonics", "senolytics") == "transbiology"
    assert regime("cryonics", "senolytics", "mesh_internet") == "transbiology"
    assert regime("cryonics", "mesh_internet", "senolytics") == "transbiology"
    assert regime("mesh_internet", "cryonics", "seasteading", "utility_fog") == "globalization"
    assert regime("cryonics", "senolytics", "organ_printing") == "paradigm_shift"
    disrupted = at(
        players=blue(patents={"gold": 1, "orange": 1}),
        market={"first_world": [slot("sangrecytes", "blue", white=("blue",))]},
        infrastructure=employees("clinical_trials"),
        splay=["cryonics", "senolytics"],
    )
    during = do(disrupted, "commercialize:first_world:0", "show:gold", "kill:0")
    assert during["phase"] == "company" and [entry["card"] for entry in during["splay"]] == ["senolytics"]
    assert during["regime"] == "transbiology"  # one card alone would be globalization; the check is yet to come
    after = do(disrupted, "company:bioconservatism")
    assert after["splay"][1]["visible"] == "gold" and after["regime"] == "transbiology"


def tipping(regime: str, red: dict[str, Any], **position: Any) -> State:
    table = employees("fw_utility_mid") | position.pop("infrastructure", {})
    state = at(
        players=[RICH | {"patents": {"gold": 2}, "hidden": "space"}, RICH | red],
        market={"first_world": [slot("tipping_point_gold", "blue", white=("blue",))]},
        infrastructure=table,
        regime=regime,
        **position,
    )
    do(state, "commercialize:first_world:0", "claim:famine")
    return state


def test_p33_the_regime_is_the_one_before_the_tipping_point() -> None:
    state = tipping(
        "computing", {"hidden": "space", "problems": {"infoglut": 1}}, splay=["mesh_internet", "optical_computing"]
    )
    after = state.to_dict()
    assert after["regime"] == "computing" and len(after["splay"]) == 2
    assert after["market"]["first_world"][0]["card"] == "tipping_point_gold"
    assert state.scores() == [0, 2]


def test_p34_paradigm_shift_scores_future_shock_and_plurality_problems() -> None:
    shock = [{"card": "utility_fog", "black": ["red"]}]
    state = tipping("paradigm_shift", {"hidden": "cloud", "problems": {"infoglut": 1}}, splay=shock)
    assert state.scores() == [0, 1]
    last = at(
        players=[
            RICH | {"hidden": "space", "problems": {"earthbound": 2}},
            RICH | {"problems": {"infoglut": 1}, "hidden": "cloud"},
        ],
        market={"cloud": ["plurality"]},
        infrastructure=employees("filter_bubbles", data_privacy="red"),
        regime="paradigm_shift",
        splay=[{"card": "utility_fog", "black": ["red"]}],
    )
    do(last, "research:cloud")
    assert last.scores() == [4, 2] and last.to_dict()["result"]["end"] == "plurality"


def test_p35_dominant_and_hidden_sphere_add_up() -> None:
    red = {"hidden": "cloud", "problems": {"infoglut": 1}}
    state = tipping(
        "computing", red, infrastructure={"data_privacy": {"company": "red"}, "gatekeeping": {"company": "red"}}
    )
    assert state.scores() == [0, 6]


def test_p36_a_tycoon_win_has_no_ties() -> None:
    state = tycoon()
    do(state, "show:gold")
    assert state.scores() == [1, 0] and state.winners() == [0] and state.returns() == [1.0, -1.0]


def test_p37_truncation_scores_like_a_tipping_point_without_tie_breaks() -> None:
    state = at(
        2,
        {"max_decisions": 10},
        decisions=9,
        regime="assembly",
        players=[
            RICH | {"hidden": "cloud", "problems": {"earthbound": 1}},
            POOR | {"hidden": "space", "problems": {"infoglut": 1}},
        ],
        infrastructure={"isolation": {"company": "red"}, "legacy_code": {"company": "red"}},
    )
    assert state.scores() == [2, 3] and state.winners() == []
    do(state, "end_turn")
    assert state.scores() == [2, 3] and state.winners() == [1] and state.is_truncated()
    level = at(2, {"max_decisions": 10}, decisions=9, players=[RICH, POOR])
    do(level, "end_turn")
    assert level.winners() == [0, 1] and level.returns() == [0.0, 0.0]


# Secrets and abilities


def test_p38_any_hue_of_either_dealt_card_and_both_stay_out() -> None:
    dealt = ["exocortex", "utility_fog"]
    state = at(
        phase="hidden",
        players=[{"hidden": None, "dealt": dealt}, {"hidden": None, "dealt": ["cryonics", "seasteading"]}],
    )
    assert names(state) == {"hide:first_world", "hide:cloud", "hide:space"}
    do(state, "hide:cloud")
    assert state.current_player() == 1 and names(state) == {"hide:first_world", "hide:developing_world"}
    after = do(state, "hide:first_world")
    assert after["phase"] == "turn" and after["current_player"] == 0
    assert [player["hidden"] for player in after["players"]] == ["cloud", "first_world"]
    assert after["players"][0]["dealt"] == dealt


def test_p39_abilities_do_not_stack_and_always_hold() -> None:
    discounts = {"cloud": [slot("predictive_diagnosis", "blue"), slot("reputation_economy", "blue")]}
    state = at(players=blue(), market=discounts)
    assert money(do(state, "hire:education")) == (6, 1, 0)  # one money, one agent installed
    doubled = {"cloud": [None, None, slot("smart_dust", "red"), slot("theorem_engines", "blue")]}
    assert money(do(at(players=blue(), market=doubled), "syndicate:cloud:2")) == (5, 2, 0)  # row 2, less 1, doubled


def test_p40_the_free_placate_is_used_first() -> None:
    market = {"cloud": [slot("smart_dust", "blue"), slot("exocortex", white=("blue", "blue"))]}
    state = at(players=blue(), market=market)
    first = do(state, "placate:cloud:1:white")
    assert first["actions_left"] == 2 and first["placate_used"] is True
    assert do(state, "placate:cloud:1:white")["actions_left"] == 1
    spent = at(players=blue(), market=market, actions_left=0)
    assert names(spent) == {"end_turn", "placate:cloud:1:white"}


def test_p41_beginners_commercialize_without_a_syndication() -> None:
    position: dict[str, Any] = {
        "players": blue(patents={"gold": 1, "orange": 1}),
        "market": {"first_world": ["spider_silk"], "cloud": ["tipping_point_gold"]},
        "infrastructure": employees("clinical_trials", "filter_bubbles"),
        "regime": "computing",
    }
    state = at(2, {"variant": "beginner"}, **position)
    assert "commercialize:first_world:0" in names(state) and "research:cloud" not in names(state)
    assert "commercialize:first_world:0" not in names(at(**position))
    after = do(state, "commercialize:first_world:0", "company:orbital_debris", "show:gold")
    assert after["players"][0]["patents"]["gold"] == 0


def test_p42_returned_agents_go_to_wealth() -> None:
    state = at(
        players=[RICH | {"patents": {"gold": 1, "orange": 1}}, POOR],
        market={"first_world": [slot("smart_pills", "blue"), slot("exocortex", white=("red", "red"))]},
        infrastructure=employees("fw_utility_mid"),
    )
    after = do(state, "commercialize:first_world:0", "relieve:first_world:1")
    assert money(after, 1) == (0, 1, 0)


# Solo


def test_p43_solo_colours() -> None:
    easy, hard = game(1).new_initial_state(1).to_dict(), game(1, solo="hard").new_initial_state(1).to_dict()
    assert [p["color"] for p in easy["players"] + easy["exoglobals"]] == ["blue", "black", "pink", "red"]
    assert [p["color"] for p in hard["players"] + hard["exoglobals"]] == ["blue", "pink", "red"]
    assert easy["exo_deck"]["next"] is not None and hard["exo_deck"]["next"] is None
    assert Game(1).solo == "easy"


def test_p44_exoglobals_are_opponents_with_hidden_spheres() -> None:
    deal = game(1).new_initial_state(5).to_dict()
    parts = load()
    for exoglobal in deal["exoglobals"]:
        left = int(parts.tables[0]["left"][parts.card_names.index(exoglobal["dealt"][0])])
        assert exoglobal["hidden"] == ("first_world", "developing_world", "cloud", "space")[left]
    market = {"cloud": [None, None, slot("smart_dust", "pink")], "space": [slot("exocortex", white=("pink",))]}
    state = at(1, {"solo": "hard"}, players=[RICH], market=market)
    assert not {"import:cloud:2", "import:space:0"} & names(state)
    assert money(do(state, "syndicate:cloud:2")) == (3, 4, 0)
    splay = [{"card": "exocortex", "white": ["pink"]}, "utility_fog"]
    blocked = at(1, {"solo": "hard"}, players=[RICH], splay=splay, **SPLAY_SILK)
    assert "commercialize:first_world:0" not in names(blocked)
    cloud = {"cloud": [slot("exocortex", white=("pink",))]}
    barred = at(1, {"solo": "hard"}, players=[RICH], market=cloud, infrastructure=employees("filter_bubbles"))
    do(barred, "research:cloud")
    assert names(barred) == {"patents:none", "patents:gold", "patents:blue", "patents:both"}


def test_p45_the_exo_deck_is_every_unused_idea_and_is_reshuffled() -> None:
    for level, exoglobals, cards in (("easy", 3, 68), ("hard", 2, 69)):
        deal = game(1, solo=level).new_initial_state(2).to_dict()
        deck = deal["exo_deck"]
        assert len(deck["rest"]) + (deck["next"] is not None) == cards
        assert len(deal["exoglobals"]) == exoglobals and cards + 2 + exoglobals + 38 == 111
    state = at(1, {"solo": "hard"}, players=[RICH], exo_deck={"used": ["modular_habitats", "cryonics"]})
    deck = do(state, "end_turn")["exo_deck"]
    assert len(deck["rest"]) == len(deck["used"]) == 1
    easy = at(1, {"solo": "easy"}, players=[RICH], exo_deck={"next": "modular_habitats", "rest": ["cryonics"]})
    assert do(easy, "end_turn")["exo_deck"] == {"next": "cryonics", "rest": {}, "used": {"modular_habitats": 1}}


def test_p46_an_exo_syndication_needs_the_same_pair() -> None:
    market = {
        "first_world": ["robot_miners", "lights_out_factories"],
        "cloud": ["tipping_point_orange"],
        "space": ["quantum_cryptography"],
    }
    after = do(solo("self_copying_probes", players=[RICH], market=market), "end_turn")["market"]
    assert after["first_world"][0]["syndications"] == ["pink"]  # the pair in the other order
    assert after["cloud"][0]["syndications"] == after["space"][0]["syndications"] == []
    market["developing_world"] = ["tipping_point_blue"]
    after = do(solo("optical_computing", players=[RICH], market=market), "end_turn")["market"]
    assert after["developing_world"][0]["syndications"] == ["pink"] and after["space"][0]["syndications"] == []


def test_p47_white_heat_only_and_only_with_enough_cubes() -> None:
    market = {"cloud": ["phage_medicine", "memory_prosthesis", "cryonics"]}
    after = do(solo("cryonics", players=[RICH], market={"cloud": [*market["cloud"][:2], "senolytics"]}), "end_turn")[
        "market"
    ]
    assert after["cloud"][0] == slot("phage_medicine", "pink", white=("pink",))
    assert after["cloud"][1] == slot("memory_prosthesis", "pink", white=("pink", "pink"))
    assert after["cloud"][2] == slot("senolytics", "pink", white=("pink",))
    splay: list[Any] = [{"card": card, "white": ["red"], "black": ["red"]} for card in RED_CARDS]
    far: list[Any] = [{"card": card, "white": ["pink"], "black": ["pink"]} for card in PINK_CARDS]
    # pink has one cube left and red none: the two squares of a card with white heat are too many
    state = solo("cryonics", players=[RICH], market={"cloud": ["phage_medicine", "organ_printing"]}, splay=splay + far)
    assert state.to_dict()["exoglobals"][0]["pool"] == 1
    after = do(state, "end_turn")["market"]["cloud"]
    assert after[0]["syndications"] == [] and after[1]["syndications"] == ["pink"]


RED_CARDS = (
    "senolytics",
    "consent_banks",
    "carbon_lungs",
    "gene_drive_vaccines",
    "powered_exoskeletons",
    "genetic_augmentation",
    "xenotransplants",
)
PINK_CARDS = (
    "parental_licensing",
    "solar_villages",
    "drone_logistics",
    "open_hardware",
    "telecommuting",
    "printed_housing",
    "world_constitution",
)


def test_p48_an_exoglobal_commercializes_without_viability_or_other_impacts() -> None:
    market = {"cloud": [slot("smart_dust", "pink", "red"), slot("genetic_augmentation", "pink")]}
    after = do(solo("modular_habitats", players=[RICH], market=market, splay=RED_SHOCK), "end_turn")
    assert [entry["card"] for entry in after["splay"][1:]] == ["smart_dust", "genetic_augmentation"]
    assert [entry["visible"] for entry in after["splay"][1:]] == ["blue", "gold"]
    assert after["exoglobals"][0]["problems"] == {} and [p["pool"] for p in after["exoglobals"]] == [15, 13]
    epic = {"cloud": [slot("programmable_matter", "pink")]}
    problems = {"earthbound": 2, "exoscience_gap": 1}
    state = solo(
        "living_walls",
        players=[RICH | {"problems": problems}],
        market=epic,
        splay=["mesh_internet", "utility_fog", *RED_SHOCK],
    )
    position = do(state, "end_turn")
    assert position["phase"] == "exchange" and position["pending"] == {
        "action": "exo",
        "actor": "pink",
        "card": "living_walls",
        "sphere": "cloud",
        "row": 0,
        "victim": "blue",
        "losses": 2,
    }
    after = do(state, "lose:problem:earthbound", "lose:problem:earthbound")
    assert after["splay"][-1]["card"] == "programmable_matter" and after["players"][0]["problems"] == {
        "exoscience_gap": 1
    }
    end = do(
        solo("living_walls", players=[RICH], market={"cloud": [slot("tipping_point_gold", "pink")]}, splay=RED_SHOCK),
        "end_turn",
    )
    assert end["result"]["end"] == "tipping_point" and end["market"]["cloud"][0]["card"] == "tipping_point_gold"


def test_p49_human_syndications_become_patents() -> None:
    market = {"cloud": [slot("gene_pool_trusts", "blue", "pink")]}
    after = do(solo("living_walls", players=[RICH], market=market, splay=RED_SHOCK), "end_turn")
    assert after["players"][0]["patents"]["gold"] == 1 and after["exoglobals"][0]["pool"] == 15


def test_p50_recessions_in_the_solo_game() -> None:
    table = employees("education", "corruption", gatekeeping="pink")
    state = solo("asteroid_mining", players=[RICH], infrastructure=table)
    do(state, "end_turn")
    assert names(state) == {"layoff:education", "layoff:corruption"}
    after = do(state, "layoff:education")
    assert after["infrastructure"]["gatekeeping"]["company"] == "pink" and after["players"][0]["pool"] == 6
    human = at(
        1,
        {"solo": "hard"},
        players=[RICH | {"patents": {"gold": 2}}],
        market={"first_world": [slot("senolytics", "blue", white=("blue",))]},
        infrastructure=employees("clinical_trials", gatekeeping="pink", education="pink", corruption="red"),
    )
    do(human, "commercialize:first_world:0", "company:bioconservatism")
    assert human.current_player() == 0 and names(human) == {"lose:company:gatekeeping", "lose:company:education"}
    after = do(human, "lose:company:gatekeeping")
    assert "corruption" not in after["infrastructure"]


def test_p51_the_splay_is_checked_at_once_after_an_exo_kill() -> None:
    splay = ["cryonics", "senolytics", "mesh_internet", "organ_printing", "telomere_repair", "phage_medicine"]
    state = solo("crowd_science", players=[RICH], splay=splay, regime="globalization")
    do(state, "end_turn")
    assert names(state) == {"show:blue", "show:green"}
    assert do(state, "show:blue")["result"]["end"] == "singularity"
    shorter = solo("crowd_science", players=[RICH], splay=["cryonics", "senolytics", "mesh_internet"])
    do(shorter, "end_turn", "show:blue")
    after = shorter.to_dict()
    assert after["regime"] == "transbiology" and "mesh_internet" in after["discard"]


def test_p52_the_bottom_of_the_deck_is_above_the_plurality_card() -> None:
    for deck, card in (
        ({"top": ["cryonics"], "bottom": ["tipping_point_gold"], "plurality": True}, "tipping_point_gold"),
        ({"top": ["cryonics"], "plurality": True}, "cryonics"),
        ({"plurality": True}, "plurality"),
    ):
        state = solo("germline_commons", players=[RICH], deck=deck)
        assert do(state, "end_turn")["market"]["first_world"][0]["card"] == card


def test_p53_an_exo_resilience_cannot_remove_plurality() -> None:
    table = employees("filter_bubbles")
    kept = do(solo("smart_dust", players=[RICH], market={"cloud": ["plurality"]}, infrastructure=table), "end_turn")
    assert kept["market"]["cloud"][0]["card"] == "plurality"
    gone = do(solo("smart_dust", players=[RICH], market={"cloud": ["cryonics"]}, infrastructure=table), "end_turn")
    assert gone["market"]["cloud"][0] is None and gone["discard"] == {"cryonics": 1}


def test_p54_an_exoglobal_tycoon_wins_at_once_unless_blocked() -> None:
    won = do(solo("spider_silk", players=[RICH], infrastructure=four("pink")), "end_turn")
    assert won["result"] == {"end": "tycoon", "scores": {"blue": 0, "pink": 1, "red": 0}, "winners": ["pink"]}
    state = solo("spider_silk", players=[RICH | {"think_tank": ["bio_passwords"]}], infrastructure=four("pink"))
    do(state, "end_turn")
    assert state.phase == "replace" and state.current_player() == 0
    assert names(state) == {f"lose:company:{space}" for space in FOUR}
    after = do(state, "lose:company:corruption", "company:launch_costs")
    owners = Counter(entry["company"] for entry in after["infrastructure"].values())
    assert owners["pink"] == 4 and after["infrastructure"]["launch_costs"]["company"] == "pink"


def test_p55_a_brash_icon_goes_to_its_barrier_unless_its_own_company_is_there() -> None:
    other = do(solo("avatar_teachers", players=[RICH], infrastructure=employees(education="blue")), "end_turn")
    assert other["infrastructure"]["education"]["company"] == "pink"
    free = do(solo("avatar_teachers", players=[RICH]), "end_turn")
    assert free["infrastructure"] == {"education": {"company": "pink", "employees": []}}
    own = solo("avatar_teachers", players=[RICH], infrastructure=employees(education="pink"))
    do(own, "end_turn")
    assert names(own) == {"company:protectionism", "company:corruption"}


def test_p56_exoglobals_have_no_capital_or_wealth_in_ties() -> None:
    market = {"cloud": ["plurality"]}
    table = employees("filter_bubbles")
    for human, result in ((RICH, [1.0]), (POOR, [0.0])):
        state = at(1, {"solo": "hard"}, players=[human], market=market, infrastructure=table, regime="computing")
        do(state, "research:cloud")
        assert state.scores() == [0] and state.returns() == result and state.winners() == [0]
    beaten = at(
        1,
        {"solo": "hard"},
        players=[RICH],
        exoglobals=[{"problems": {"aging": 1}}, {}],
        market=market,
        infrastructure=table,
        regime="computing",
    )
    do(beaten, "research:cloud")
    assert beaten.returns() == [-1.0] and beaten.winners() == []
