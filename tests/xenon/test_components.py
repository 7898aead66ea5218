"""Another component file changes prices, copies and set-up without a change of code; a broken one is refused."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.xenon.cards import CONTRACTS, FINITE, MARKET_UPGRADES, PRICES, UPGRADE_COPIES
from tests.xenon.table import cards_of, line
from xenon_env import Game
from xenon_env.components import DATA

Data = dict[str, Any]
ROOT = Path(__file__).parents[2]
PRINTED: Data = json.loads(DATA.read_text(encoding="utf-8"))
Change = Callable[[Data], object]


def row(data: Data, card: str) -> Data:
    """The row of a card in any of the tables."""
    return next(
        entry
        for table in ("elements", "upgrades", "contracts", "pipelines")
        for entry in data[table]
        if entry["id"] == card
    )


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Path]:
    """Write the package's file with some changes; gives its path."""

    def write(*changes: Change) -> Path:
        data = copy.deepcopy(PRINTED)
        for change in changes:
            change(data)
        path = tmp_path / "copy.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return write


def put(card: str, **values: Any) -> Change:
    return lambda data: row(data, card).update(values)


def put_in(table: str, **values: Any) -> Change:
    return lambda data: data[table].update(values)


def without(card: str, column: str) -> Change:
    return lambda data: row(data, card).pop(column)


def test_the_package_s_file_says_what_the_cards_say() -> None:
    for card, (buy, install) in PRICES.items():
        assert row(PRINTED, card)["install"] == install
        assert buy is None or row(PRINTED, card)["buy"] == buy
    for card in MARKET_UPGRADES:
        assert row(PRINTED, card)["copies"] == UPGRADE_COPIES[card]
    for card, (xe, money, stars) in CONTRACTS.items():
        contract = row(PRINTED, card)
        assert (contract["xe"], contract["money"], contract["stars"], contract["buy"]) == (xe, money, stars, 0)
    assert sum(UPGRADE_COPIES.values()) == 27 and len(CONTRACTS) + 3 * 2 == 27
    assert PRINTED["setup"]["element_supply_finite"] == FINITE


def test_every_field_is_flagged_with_its_source() -> None:
    flags = tuple(PRINTED["provenance_flags"])
    assert flags == ("rulebook", "sourced", "reconstructed")
    for table in ("elements", "upgrades", "contracts", "pipelines", "setup", "end"):
        columns = {column for entry in PRINTED[table] for column in entry} if isinstance(PRINTED[table], list) else ()
        for column in columns or PRINTED[table]:
            assert PRINTED["provenance"][table][column].startswith(flags), f"{table}.{column}"
    assert PRINTED["provenance"]["scoring"] == {"*": "rulebook"}


def test_an_unchanged_copy_plays_the_same_game(changed: Callable[..., Path]) -> None:
    assert Game(3, components=changed()).new_initial_state(4).digest() == Game(3).new_initial_state(4).digest()


def test_changed_prices(changed: Callable[..., Path]) -> None:
    path = changed(put("agent", buy=1, install=9), put("pipe_N", buy=4), put("M1", buy=2, xe=2, money=7, stars=9))
    other = Game(2, components=path, skip_forced=False)
    lines = {"contract_line": line("M1", "pipe_N"), "upgrade_line": line("agent")}

    def market(money: int, **me: Any) -> Any:
        return other.state_from_dict({"phase": "market", "players": [{"money": money} | me], **lines})

    for action, price in [
        ("buy:upgrade:1", 1),
        ("buy_install:upgrade:1", 9),
        ("buy:contract:2", 4),
        ("buy:contract:1", 2),
        ("install:agent", 8),
    ]:
        me = {"hand": {"agent": 1}} if action.startswith("install") else {}
        poor, rich = market(price - 1, **me), market(price, **me)
        assert rich.string_to_action(action) not in poor.legal_actions()
        rich.apply_action(action)
        assert rich.to_dict()["players"][0]["money"] == 0
    state = market(2, stored_xe=2)
    state.apply_action("buy:contract:1")
    found = state.to_dict()["players"][0]
    assert found["completed"] == ["M1"] and found["money"] == 7 and found["stored_xe"] == 0
    assert state.scores()[0] == 9 + 7 // 5


def test_other_copies_with_the_same_total(changed: Callable[..., Path]) -> None:
    other = Game(4, components=changed(put("agent", copies=3), put("reboiler", copies=1), put("pipe_O", copies=2)))
    dealt = other.new_initial_state(1).to_dict()
    expected = UPGRADE_COPIES | {"agent": 3, "reboiler": 1}
    assert cards_of(dealt["upgrade_line"], dealt["upgrade_deck"]) == expected
    other.state_from_dict({"upgrade_deck": {"agent": 3}})
    for position in ({"upgrade_deck": {"agent": 4}}, {"upgrade_deck": {"reboiler": 2}}):
        with pytest.raises(ValueError, match=r"more (agent|reboiler) than exist"):
            other.state_from_dict(position)
    fewer = changed(put("agent", copies=3), put_in("setup", element_supply_finite=FINITE | {"N": 35}))
    assert Game(components=fewer).new_initial_state(0).legal_actions()


def test_other_set_up_and_scoring(changed: Callable[..., Path]) -> None:
    path = changed(
        put_in("setup", money=8, hand_size=4, bid_tokens=3, air_money=1, air_packet=["N", "Xe", "Xe"]),
        put_in("setup", line_size={"2": 2, "3": 3, "4": 4, "5": 4}),
        put_in("setup", system=PRINTED["setup"]["system"] | {"N": 3, "Kr": 1}),
        put_in("scoring", money_per_star=4, osha_inspection=6, pipeline_total_by_count=[0, 2, 3, 5]),
        put_in("end", upgrades=1),
    )
    other = Game(2, components=path, skip_forced=False)
    dealt = other.new_initial_state(0).to_dict()
    assert len(dealt["contract_line"]) == 2
    me = dealt["players"][1]
    assert me["money"] == 8 and me["tokens"] == 3 and sum(me["hand"].values()) == 4
    assert cards_of(me["system"], me["hand"]) == {"N": 3, "O": 2, "Kr": 1, "Xe": 2, "feed": 1, "reflux": 1}
    state = other.state_from_dict({"phase": "air", "players": [{"installed": ["osha_inspection"], "stored_xe": 1}]})
    state.apply_action("air")
    found = state.to_dict()["players"][0]
    assert found["money"] == 9 and found["discard"] == {"N": 1, "Xe": 2}
    assert state.scores() == [1 + 6 + 9 // 4, 8 // 4]
    state.apply_action("bid:none")
    state.apply_action("end:market")
    assert state.phase == "privilege", "one upgrade is enough here"
    pipelines = other.state_from_dict({"players": [{"pipelines": ["pipe_N", "pipe_O"], "money": 0}]})
    assert pipelines.scores()[0] == 3


def test_the_least_supply_follows_the_starting_systems(changed: Callable[..., Path]) -> None:
    path = changed(put_in("setup", system=PRINTED["setup"]["system"] | {"N": 3}))
    stacks = {"N": 6, "O": 4, "Kr": 4, "Xe": 4}
    dealt = Game(2, components=path, element_supply=stacks).new_initial_state(0).to_dict()
    assert dealt["supply"] == dict.fromkeys(stacks, 0)
    with pytest.raises(ValueError, match=r"element_supply.*\bN\b"):
        Game(2, components=path, element_supply=stacks | {"N": 5})


BROKEN: list[tuple[str, Change, str]] = [
    ("a missing column", without("agent", "buy"), "upgrades[9].buy"),
    ("a missing contract column", without("M3", "xe"), "contracts[2].xe"),
    ("a missing pipeline column", without("pipe_O", "deck"), "pipelines[1].deck"),
    ("a missing element column", without("Kr", "rank"), "elements[2].rank"),
    ("a missing table", lambda data: data.pop("contracts"), "contracts"),
    ("no upgrades", lambda data: data.pop("upgrades"), "upgrades"),
    ("no set-up", lambda data: data.pop("setup"), "setup"),
    ("no scoring", lambda data: data.pop("scoring"), "scoring"),
    ("no end", lambda data: data.pop("end"), "end"),
    ("a missing set-up value", lambda data: data["setup"].pop("money"), "setup.money"),
    ("a missing line size", lambda data: data["setup"]["line_size"].pop("4"), "setup.line_size.4"),
    ("too many cards", put("agent", copies=3), "217"),
    ("too few cards", put("agent", copies=1), "215"),
    ("too few elements", put_in("setup", element_supply_finite=FINITE | {"N": 35}), "215"),
    ("a negative price", put("agent", buy=-1), "upgrades[9].buy"),
    ("a negative install price", put("agent", install=-7), "upgrades[9].install"),
    ("installing for less than buying", put("agent", install=1), "upgrades[9].install"),
    ("a negative pipeline price", put("pipe_Kr", buy=-5), "pipelines[2].buy"),
    ("a contract for nothing", put("M1", xe=0), "contracts[0].xe"),
    ("negative stars", put("G8", stars=-1), "contracts[20].stars"),
    ("no copies", put("agent", copies=0), "upgrades[9].copies"),
    ("two of a contract", put("M1", copies=2), "contracts[0].copies"),
    ("upgrades in another order", lambda data: data["upgrades"].reverse(), "upgrades"),
    ("contracts in another order", lambda data: data["contracts"].insert(0, data["contracts"].pop()), "contracts"),
    ("a strange id", put("agent", id="spy"), "spy"),
    ("a row less", lambda data: data["pipelines"].pop(), "pipelines"),
    ("elements in another order", put("N", rank=2), "elements[0].rank"),
    ("a price in words", put("agent", buy="two"), "upgrades[9].buy"),
    ("a price with cents", put("agent", buy=2.5), "upgrades[9].buy"),
    ("a price that is true", put("agent", buy=True), "upgrades[9].buy"),
    ("a table that is no list", lambda data: data.update(contracts={"M1": 1}), "contracts"),
    ("a row that is no dict", lambda data: data["contracts"].insert(0, "M1"), "contracts[0]"),
    ("an install price on a pink card", put("buyer", install=5), "upgrades[18].install"),
    ("no install price", put("agent", install=None), "upgrades[9].install"),
    ("another starter", put("agent", starter=True), "upgrades[9].starter"),
    ("an unknown column", put("agent", colour="red"), "upgrades[9].colour"),
    ("an unknown key", lambda data: data.update(argon=1), "argon"),
    ("an unknown set-up key", put_in("setup", argon=1), "setup.argon"),
    ("an unknown scoring key", put_in("scoring", argon=1), "scoring.argon"),
    ("another game", lambda data: data.update(game="chess"), "game"),
    ("a strange packet", put_in("setup", air_packet=["Ar"]), "setup.air_packet"),
    ("a system without Feed", put_in("setup", system={"N": 2, "reflux": 1}), "setup.system"),
    ("a negative system", put_in("setup", system=PRINTED["setup"]["system"] | {"N": -1}), "setup.system.N"),
    ("a huge system", put_in("setup", system=PRINTED["setup"]["system"] | {"O": 10**6}), "setup.system.O"),
    ("a strange system", put_in("setup", system=PRINTED["setup"]["system"] | {"Ar": 1}), "setup.system"),
    ("six players", put_in("setup", players=[2, 3, 4, 5, 6]), "setup.players"),
    ("five slots", put_in("setup", line_size={"2": 3, "3": 5, "4": 4, "5": 4}), "setup.line_size.3"),
    ("an end without upgrades", put_in("end", upgrades=0), "end.upgrades"),
    ("pipeline stars for two", put_in("scoring", pipeline_total_by_count=[0, 1, 4]), "pipeline_total_by_count"),
]


@pytest.mark.parametrize(("change", "named"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_file_is_refused_with_its_name_and_the_path(
    changed: Callable[..., Path], change: Change, named: str
) -> None:
    path = changed(change)
    with pytest.raises(ValueError) as caught:
        Game(components=path)
    assert str(path) in str(caught.value) and named in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "not json", "{'game': 'xenon'}"])
def test_a_file_that_is_not_json(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="not JSON") as caught:
        Game(components=path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "null", "3"])
def test_a_file_that_is_not_a_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="components") as caught:
        Game(components=path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_missing_or_no_text(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "nowhere.json", tmp_path, binary):
        with pytest.raises(ValueError, match="components") as caught:
            Game(components=path)
        assert str(path) in str(caught.value)


def test_states_of_another_file_are_not_mixed_up(changed: Callable[..., Path]) -> None:
    other = Game(2, components=changed(put("agent", buy=1)))
    data = other.new_initial_state(0).to_bytes()
    assert other.state_from_bytes(data) == other.new_initial_state(0)
    with pytest.raises(ValueError, match="components"):
        Game(2).state_from_bytes(data)


PRICE_SEEN = """
import sys
from xenon_env import Game
state = Game(2, components=sys.argv[1], skip_forced=False).state_from_dict(
    {"phase": "market", "players": [{"money": 20}], "upgrade_line": [{"card": "agent"}]})
state.apply_action("buy:upgrade:1")
print(20 - state.to_dict()["players"][0]["money"])
"""


def test_a_price_changed_between_two_processes_is_not_stale(changed: Callable[..., Path]) -> None:
    """The compiled code is cached on disk: no price may be part of it."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for price in (2, 5):
        path = changed(put("agent", buy=price))
        command = [sys.executable, "-c", PRICE_SEEN, str(path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
        assert int(done.stdout) == price
    games = [Game(2, components=changed(put("agent", buy=price))) for price in (2, 5)]
    position = {"phase": "market", "players": [{"money": 2}], "upgrade_line": line("agent")}
    legal = [one.string_to_action("buy:upgrade:1") in one.state_from_dict(position).legal_actions() for one in games]
    assert legal == [True, False]
