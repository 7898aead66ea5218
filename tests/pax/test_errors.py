"""What positions and component files must not be: every error names its key."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pax_env import Game
from pax_env.components import PACKAGED, load
from tests.pax.helpers import RICH, at, do, employees, game, slot

TWO_SQUARES = (
    *("powered_exoskeletons", "senolytics", "neuromorphic_chips", "genetic_augmentation", "carbon_lungs"),
    *("autonomous_convoys", "printed_housing", "gene_drive_vaccines"),
)
"""Cards with one white and one black square; together they hold one agent more than a colour has."""

OVER = {"terminal": True, "phase": "over", "result": {"end": "plurality"}}
SILK = {"first_world": [slot("spider_silk", "blue", white=("blue",))]}
COMMERCIALIZE = {"action": "commercialize", "sphere": "first_world", "row": 0}

RELIEF = {**COMMERCIALIZE, "via": "splay"}
DISRUPTION = {**RELIEF, "row": 1}
RECESSION = {**RELIEF, "row": 2, "impact": 1}


def middle(phase: str) -> dict[str, Any]:
    """The middle of three commercializations."""
    cards = [slot("smart_pills", "blue"), slot("sangrecytes", "blue"), slot("senolytics", "blue")]
    return {"phase": phase, "market": {"first_world": cards}, "splay": ["cryonics"]}


POSITIONS: list[tuple[str, dict[str, Any]]] = [
    ("colour", {"colour": "blue"}),
    ("players[0].money", {"players": [{"money": 3}, {}]}),
    ("players[0].patents.pink", {"players": [{"patents": {"pink": 1}}, {}]}),
    ("players", {"players": [{}]}),
    ("players[1].color", {"players": [{}, {"color": "pink"}]}),
    ("players[0].capital", {"players": [{"capital": -1}, {}]}),
    ("players[0].capital", {"players": [{"capital": 2.5}, {}]}),
    ("players[0].capital", {"players": [{"capital": True}, {}]}),
    ("players[0]", {"players": [{"capital": 9, "wealth": 9}, {}]}),
    ("players[0].pool", {"players": [{"pool": 3}, {}]}),
    ("players[0].hidden", {"players": [{"hidden": "mars"}, {}]}),
    ("players[0].dealt", {"players": [{"dealt": ["cryonics", "senolytics", "smart_dust"]}, {}]}),
    ("players[0].dealt", {"players": [{"dealt": ["tipping_point_blue"]}, {}]}),
    ("cryonics", {"players": [{"dealt": ["cryonics"]}, {"think_tank": ["cryonics"]}]}),
    ("players[0].problems", {"players": [{"problems": {"famine": 2}}, {}]}),
    ("players[0].problems", {"players": [{"problems": {"hunger": 1}}, {}]}),
    ("problems", {"players": [{"problems": {"famine": 1}}, {"problems": {"famine": 1}}]}),
    ("problems", {"problems": {"famine": 1}}),
    ("players", {"phase": "hidden"}),
    ("exoglobals", {"exoglobals": [{}]}),
    ("exo_deck", {"exo_deck": {"rest": ["cryonics"]}}),
    ("market.ocean", {"market": {"ocean": []}}),
    ("market.cloud", {"market": {"cloud": [None] * 7}}),
    ("market.cloud[0]", {"market": {"cloud": ["no_such_card"]}}),
    ("market.cloud[0].syndications", {"market": {"cloud": [slot("smart_dust", "blue", "blue")]}}),
    ("market.cloud[0].syndications", {"market": {"cloud": [slot("smart_dust", "pink")]}}),
    ("market.cloud[0].white", {"market": {"cloud": [slot("smart_dust", white=("blue",))]}}),
    ("market.cloud[0].black", {"market": {"cloud": [slot("robot_miners", black=("blue", "red"))]}}),
    ("market.cloud[0].syndications", {"market": {"cloud": [slot("plurality", "blue")]}}),
    ("market.cloud[0].white", {"market": {"cloud": [slot("plurality", white=("blue",))]}}),
    ("smart_dust", {"market": {"cloud": ["smart_dust", "smart_dust"]}}),
    ("smart_dust", {"market": {"cloud": ["smart_dust"]}, "splay": ["smart_dust"]}),
    ("splay[0].visible", {"splay": [{"card": "smart_dust", "visible": "gold"}]}),
    ("splay[0]", {"splay": ["plurality"]}),
    ("infrastructure.moon", {"infrastructure": {"moon": {}}}),
    ("infrastructure.education.employees", {"infrastructure": {"education": {"employees": ["blue", "red"]}}}),
    ("infrastructure.dw_utility.employees", {"infrastructure": {"dw_utility": {"employees": ["blue", "blue"]}}}),
    ("infrastructure.dw_utility.company", {"infrastructure": {"dw_utility": {"company": "blue"}}}),
    ("infrastructure.education.company", {"infrastructure": {"education": {"company": "pink"}}}),
    (
        "infrastructure",
        {
            "infrastructure": {
                space: {"company": "red"}
                for space in ("education", "corruption", "isolation", "legacy_code", "cosmic_rays")
            }
        },
    ),
    ("deck.top", {"deck": {"top": {"cryonics": 2}}}),
    ("deck.bottom", {"deck": {"bottom": ["plurality"]}}),
    ("deck.plurality", {"deck": {"plurality": 1}}),
    ("discard", {"discard": "cryonics"}),
    ("regime", {"regime": "anarchy"}),
    ("turn", {"turn": 2}),
    ("actions_left", {"actions_left": 3}),
    ("placate_used", {"placate_used": 1}),
    ("decisions", {"decisions": -1}),
    ("phase", {"phase": "dance"}),
    ("current_player", {"current_player": 1}),
    ("current_player", {**OVER, "current_player": -1}),
    ("terminal", {"terminal": True}),
    ("terminal", {"phase": "over"}),
    ("terminal", {"result": {"end": "plurality"}}),
    ("truncated", {"truncated": True}),
    ("truncated", {**OVER, "truncated": True}),
    ("result.end", {**OVER, "result": {"end": "boredom"}}),
    ("result.winners", {**OVER, "result": {"end": "tycoon"}}),
    ("result.scores", {**OVER, "result": {"end": "plurality", "scores": {"blue": 3}}}),
    ("result.winners", {**OVER, "result": {"end": "plurality", "winners": ["blue"]}}),
    ("options", {"options": {"variant": "beginner"}}),
    ("options", {"options": {"max_decisions": 7}}),
    ("num_players", {"num_players": 3}),
    ("game", {"game": "chess"}),
    ("pending", {"phase": "divest"}),
    ("pending", {"pending": {"action": "fundraise"}}),
    ("pending.action", {"phase": "divest", "pending": {"action": "hire"}}),
    ("pending.action", {"phase": "company", "pending": {"action": "exo"}}),
    ("pending.cost", {"phase": "divest", "pending": {"action": "fundraise", "cost": 1}}),
    ("pending.space", {"phase": "source", "pending": {"action": "hire", "space": "cloud_unemployment"}}),
    ("pending.row", {"phase": "viability", "pending": COMMERCIALIZE}),
    ("pending.via", {"phase": "work", "market": SILK, "pending": COMMERCIALIZE}),
    ("pending.via", {"phase": "work", "market": SILK, "pending": {**COMMERCIALIZE, "via": "think_tank"}}),
    ("pending.impact", {"phase": "problem", "market": SILK, "pending": {**COMMERCIALIZE, "via": "splay"}}),
    ("pending.impact", {"phase": "company", "market": SILK, "pending": {**COMMERCIALIZE, "via": "splay", "impact": 1}}),
    ("pending.option", {"phase": "company", "market": SILK, "pending": {**COMMERCIALIZE, "via": "splay", "option": 1}}),
    ("phase", {"phase": "work", "market": SILK, "pending": {**COMMERCIALIZE, "via": "splay"}}),
    (
        "phase",
        {
            "phase": "payment",
            "players": [RICH, {}],
            "market": SILK,
            "pending": {**COMMERCIALIZE, "via": "splay", "cost": 17},
        },
    ),
    ("market.cloud[0].price", {"market": {"cloud": [{"card": "smart_dust", "price": 3}]}}),
    ("splay[0].white", {"splay": [{"card": "senolytics", "white": ["blue", "red"]}]}),
    ("splay[0].hue", {"splay": [{"card": "senolytics", "hue": "gold"}]}),
    ("infrastructure.education.boss", {"infrastructure": {"education": {"boss": "blue"}}}),
    ("infrastructure.education.employees", {"infrastructure": {"education": {"employees": ["pink"]}}}),
    ("deck.middle", {"deck": {"middle": []}}),
    ("discard", {"discard": {"no_such_card": 1}}),
    ("players", {"players": {}}),
    ("players[0].think_tank", {"players": [{"think_tank": ["plurality"]}, {}]}),
    ("result.draw", {**OVER, "result": {"end": "plurality", "draw": True}}),
    ("pending.target", {**middle("relief_square"), "pending": {**RELIEF, "target": "cloud:0"}}),
    ("pending.color", {**middle("splay_kill"), "pending": {**DISRUPTION, "color": "blue"}}),
    ("pending.victim", {**middle("recession"), "pending": {**RECESSION, "victim": "pink"}}),
    ("pending.card", {"phase": "research_claim", "pending": {"action": "research", "sphere": "cloud"}}),
    (
        "smart_dust",
        {
            "phase": "research_claim",
            "discard": ["smart_dust"],
            "pending": {"action": "research", "sphere": "cloud", "card": "smart_dust"},
        },
    ),
]


@pytest.mark.parametrize(("key", "position"), POSITIONS, ids=[f"{k}-{key}" for k, (key, _) in enumerate(POSITIONS)])
def test_positions(key: str, position: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=re.escape(key)):
        game(2).state_from_dict(position)


def test_solo_positions() -> None:
    for key, position in (
        ("infrastructure.education.employees", {"infrastructure": employees("education", color="pink")}),
        ("exoglobals[0].pool", {"exoglobals": [{"pool": 14}, {}]}),
        ("exoglobals[0].capital", {"exoglobals": [{"capital": 1}, {}]}),
        ("exoglobals[0]", {"splay": [{"card": card, "white": ["pink"], "black": ["pink"]} for card in TWO_SQUARES]}),
        ("exo_deck.next", {"exo_deck": {"next": "plurality"}}),
        ("exo_deck.rest", {"exo_deck": {"rest": {"cryonics": 3}}}),
        ("cryonics", {"exo_deck": {"rest": ["cryonics"], "used": ["cryonics"]}}),
        ("pending.card", {"phase": "company", "pending": {"action": "exo", "actor": "pink", "card": "utility_fog"}}),
        ("pending.actor", {"phase": "company", "pending": {"action": "exo", "actor": "blue", "card": "utility_fog"}}),
    ):
        with pytest.raises(ValueError, match=re.escape(key)):
            at(1, {"solo": "hard"}, **position)


def test_defaults_of_a_partial_dict() -> None:
    position = at().to_dict()
    assert position["players"][0]["patents"] == {"gold": 0, "green": 0, "blue": 1, "orange": 0}
    assert [player["pool"] for player in position["players"]] == [6, 6]
    assert [player["hidden"] for player in position["players"]] == ["cloud", "first_world"]
    assert position["actions_left"] == 2 and position["regime"] == "globalization" and position["splay"] == []
    assert at(**position) == at() and do(at(), "end_turn")["turn"] == 1
    short = at(market={"cloud": ["smart_dust"]}, splay=["edible_vaccines"]).to_dict()
    assert short["market"]["cloud"][0] == slot("smart_dust") and short["market"]["cloud"][5] is None
    assert short["splay"][0]["visible"] == "green"


def test_a_finished_position_is_read_and_written() -> None:
    state = at(**OVER)
    assert state.is_terminal() and state.winners() == [1]  # the tie is broken by capital: 3 against 1
    tycoon = at(terminal=True, phase="over", result={"end": "tycoon", "winners": ["blue"]})
    assert tycoon.scores() == [1, 0] and at(**tycoon.to_dict()) == tycoon


def test_options() -> None:
    for name, options in (
        ("num_players", {"num_players": 5}),
        ("num_players", {"num_players": 0}),
        ("variant", {"variant": "expert"}),
        ("solo", {"solo": "easy"}),
        ("solo", {"num_players": 1, "solo": "medium"}),
        ("max_decisions", {"max_decisions": 0}),
    ):
        with pytest.raises(ValueError, match=name):
            Game(**options)


# Component files


def card(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(entry for entry in data["cards"] if entry["id"] == name)


def remove(data: dict[str, Any], *names: str) -> None:
    data["cards"] = [entry for entry in data["cards"] if entry["id"] not in names]


FILES: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("components.game", lambda d: d.update(game="tesla")),
    ("components.cards[3].white", lambda d: d["cards"][3].pop("white")),
    ("components.cards[3].white", lambda d: d["cards"][3].update(white=-1)),
    ("components.cards[3].black", lambda d: d["cards"][3].update(black=2)),
    ("components.cards[3].left", lambda d: d["cards"][3].update(left="purple")),
    ("components.cards[3].left", lambda d: d["cards"][3].update(left=None)),
    ("components.cards[3].surge", lambda d: d["cards"][3].update(surge=["pink"])),
    ("components.cards[3].id", lambda d: d["cards"][3].update(id=d["cards"][2]["id"])),
    ("components.cards[3].id", lambda d: d["cards"][3].update(id="a:b")),
    ("ability", lambda d: card(d, "exocortex").update(ability={"id": "flight"})),
    ("ability", lambda d: card(d, "exocortex").update(ability={"id": "market_discount"})),
    ("impacts", lambda d: card(d, "exocortex").update(impacts=[])),
    ("impacts[0].type", lambda d: card(d, "exocortex").update(impacts=[{"type": "war"}])),
    ("impacts[0].problem", lambda d: card(d, "exocortex").update(impacts=[{"type": "problem", "problem": "hunger"}])),
    (
        "impacts[0].sphere",
        lambda d: card(d, "exocortex").update(impacts=[{"type": "nuclear_exchange", "sphere": "sea"}]),
    ),
    ("brash", lambda d: card(d, "optical_computing")["impacts"][0].update(brash="education")),
    ("impacts", lambda d: card(d, "exocortex").update(impacts=[{"type": "game_end"}])),
    ("impacts", lambda d: card(d, "tipping_point_blue")["impacts"].pop()),
    ("components.cards", lambda d: remove(d, "tipping_point_blue")),
    ("components.cards", lambda d: remove(d, "plurality")),
    ("components.cards", lambda d: remove(d, *[entry["id"] for entry in d["cards"][:70]])),
    ("components.problems", lambda d: d["problems"].pop()),
    ("components.problems[0].copies", lambda d: d["problems"][0].update(copies=0)),
    ("components.spaces[1].sphere", lambda d: d["spaces"][1].update(sphere="sea")),
    ("components.spaces", lambda d: d["spaces"][1].update(kind="utility")),
    ("components.spaces[1].side", lambda d: d["spaces"][1].update(side=None)),
    ("components.arrows.list[0].to", lambda d: d["arrows"]["list"][0].update(to="education")),
    ("components.arrows.list[0].to", lambda d: d["arrows"]["list"][0].update(to="first_world_unemployment")),
    ("components.arrows.list[1].to", lambda d: d["arrows"]["list"][1].update(to="gatekeeping")),
    ("components.arrows.list[0].work", lambda d: d["arrows"]["list"][0].update(work=[])),
    ("components.arrows.list", lambda d: d["arrows"]["list"].pop()),
    ("components.players[0].debt", lambda d: d["players"][0].update(debt=15)),
    ("components.players[0].capital", lambda d: d["players"][0].update(capital=-2)),
    ("components.players[0].color", lambda d: d["players"].reverse()),
    ("components.regimes[1].double_patents", lambda d: d["regimes"][1].pop("double_patents")),
    ("components.setup.market_rows", lambda d: d["setup"].update(market_rows=5)),
    ("components.setup.market_start.cloud", lambda d: d["setup"]["market_start"].update(cloud=9)),
    ("components.setup", lambda d: d["setup"].update(bottom_half_ideas=24)),
    ("components.setup.exoglobals.easy", lambda d: d["setup"]["exoglobals"].update(easy=["blue"])),
]


@pytest.mark.parametrize(("key", "spoil"), FILES, ids=[f"{k}-{key}" for k, (key, _) in enumerate(FILES)])
def test_component_files(key: str, spoil: Callable[[dict[str, Any]], Any], tmp_path: Path) -> None:
    data = json.loads(PACKAGED.read_text())
    spoil(data)
    file = tmp_path / "pax.json"
    file.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=re.escape(key)):
        load(file)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "pax.json").write_text("{")
    for name in ("pax.json", "missing.json"):
        with pytest.raises(ValueError, match=name):
            load(tmp_path / name)


def test_other_components_need_no_code(tmp_path: Path) -> None:
    """Fewer ideas, a renamed barrier and other values: names, costs and rules follow the file."""
    data = copy.deepcopy(json.loads(PACKAGED.read_text()))
    remove(data, "robot_miners", "cryonics")
    text = json.dumps(data).replace('"education"', '"schools"')
    data = json.loads(text)
    data["players"][0].update(capital=5, wealth=1, debt=0)
    card(data, "smart_dust")["white"] = 3
    file = tmp_path / "other.json"
    file.write_text(json.dumps(data))
    other = Game(2, components=file)
    assert other.action_to_string(other.string_to_action("hire:schools")) == "hire:schools"
    assert other.num_actions == 625 and other.components_digest() != game().components_digest()
    state = other.state_from_dict({"market": {"cloud": ["smart_dust"]}})
    state.apply_action("syndicate:cloud:0")
    position = state.to_dict()
    assert position["players"][0]["capital"] == 1
    assert position["market"]["cloud"][0] == slot("smart_dust", "blue", white=("blue",) * 3)
    state = other.new_initial_state(1)
    for _ in range(200):
        state.apply_action(state.legal_actions()[-1])
        other.check_invariants(state)
