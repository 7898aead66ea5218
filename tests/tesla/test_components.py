"""The component file: what is derived from it, and that a broken one is refused by name."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from tesla_env import Game
from tesla_env.components import DATA, load, read
from tests.tesla.helpers import play


@pytest.fixture
def data():
    return json.loads(DATA.read_text(encoding="utf-8"))


def test_cities_and_projects_by_players():
    parts = load()
    assert (len(parts.cities), len(parts.projects)) == (25, 41)
    tables = parts.tables[0]
    assert tables["in_play_count"][2:].tolist() == [13, 22, 31, 41]
    in_play = [sum(len(r.cities) for r in parts.regions if r.min_players <= n) for n in (2, 3, 4, 5)]
    assert in_play == [9, 14, 19, 25]


def test_projects_in_play_ascend_by_level():
    tables = load().tables[0]
    for n in (2, 3, 4, 5):
        ids = tables["in_play"][n, : tables["in_play_count"][n]]
        assert (np.diff(tables["project_level"][ids]) >= 0).all()


@pytest.mark.parametrize(
    ("n", "a", "b", "cities"),
    [
        (2, "albany", "buffalo", 1),
        (2, "roselle", "buffalo", 4),
        (3, "washington", "new_york", 1),
        (3, "roselle", "buffalo", 3),
        (2, "albany", "albany", 0),
        (5, "niagara", "appleton", 3),
        (4, "boston", "philadelphia", 3),
    ],
)
def test_cities_between(n, a, b, cities):
    parts = load()
    between = parts.tables[0]["between"][n]
    i, j = parts.cities.index(a), parts.cities.index(b)
    assert between[i, j] == between[j, i] == cities


def test_stock_track():
    tables = load().tables[0]
    assert tables["profit"][[12, 13, 14, 38, 39, 77]].tolist() == [8, 8, 10, 24, 28, 52]
    assert tables["left"][[12, 13, 16, 38, 42, 43, 59]].tolist() == [12, 12, 14, 34, 38, 38, 53]


def test_tables_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        load().tables["start_cash"] = 1


def test_another_file_of_the_schema(data, tmp_path):
    data["luminaries"][0]["id"] = "bell"
    data["setup"]["start_cash"] = 20
    data["cities"][8]["id"] = "toronto"
    data["cities"][8]["projects"][0]["id"] = "toronto_5"
    for edge in data["edges"]:
        for end in "ab":
            edge[end] = "toronto" if edge[end] == "niagara" else edge[end]
    data["edges"].append({"a": "toronto", "b": "albany", "provenance": "reconstructed"})
    stock = data["stock"]
    stock["columns"] = [
        {"bottom": low, "top": low + 10, "profit": low, "provenance": "reconstructed"} for low in range(12, 78, 11)
    ]
    data["current_track"]["positions"][3]["ac"] = 2
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    game = Game(2, components=path, skip_forced=False)
    assert "auction:bell" in game.action_layout.names
    assert "up.bell" in game.observation_labels
    mover = {"company": "tesla", "luminaries": {"bell": "ready"}, "tech": {"ac": 5, "bulb": 5}, "cash": 30}
    start = {"players": [mover, {"company": "brush", "luminaries": {"brush": "exhausted"}}], "prices": {"tesla": 40}}
    state = game.state_from_dict({**start, "projects": {"albany_1": "tesla"}})
    play(state, "use:bell", "claim:toronto_5:ac")
    position = state.to_dict()
    assert position["players"][0]["cash"] == 30 - 4 + 1, "Toronto is next to Albany now"
    assert position["prices"]["tesla"] == 40 + 8 + 2
    assert position["players"][1]["cash"] == 20
    play(state, "use:tesla", "exhaust")
    assert state.to_dict()["players"][1]["cash"] == 20 + 12
    assert state.to_dict()["players"][0]["cash"] == 27 + 45, "price 51 is in the column from 45"
    saved = state.to_bytes()
    assert game.state_from_bytes(saved) == state
    with pytest.raises(ValueError, match="components"):
        Game(2).state_from_bytes(saved)


def change(data, path, value):
    """Set an entry; the value ... removes it."""
    *way, last = path
    for key in way:
        data = data[key]
    if value is ...:
        del data[last]
    else:
        data[last] = value


BROKEN = {
    "missing column": (("luminaries", 0, "finance"), ..., "luminaries[0].finance"),
    "unknown column": (("luminaries", 0, "charm"), 1, "luminaries[0].charm"),
    "rating too high": (("companies", 1, "invention"), 4, "companies[1].invention"),
    "unknown ability": (("companies", 1, "ability"), "sleepy", "companies[1].ability"),
    "negative price": (("project_sizes", "small", "cost"), -1, "project_sizes.small.cost"),
    "duplicate luminary": (("luminaries", 1, "id"), "coffin", "luminaries[1].id"),
    "luminary called as a company": (("luminaries", 1, "id"), "edison", "luminaries"),
    "duplicate card": (("propaganda", 1, "id"), "paris_exposition", "propaganda[1].id"),
    "duplicate city": (("cities", 1, "id"), "new_york", "cities[1].id"),
    "id that is no word": (("companies", 0, "id"), "br:ush", "companies[0].id"),
    "too few luminaries of a phase": (("luminaries", 0, "phase"), 2, "luminaries"),
    "too few cards of a phase": (("propaganda", 0, "phase"), 2, "propaganda"),
    "card phase 4": (("propaganda", 0, "phase"), 4, "propaganda[0].phase"),
    "unknown card track": (("propaganda", 0, "track"), "sound", "propaganda[0].track"),
    "too many steps": (("propaganda", 0, "steps"), 4, "propaganda[0].steps"),
    "unknown region": (("cities", 3, "region"), "z", "cities[3].region"),
    "unknown size": (("cities", 3, "size"), "tiny", "cities[3].size"),
    "project of another name": (("cities", 3, "projects", 0, "id"), "roselle_2", "cities[3].projects[0].id"),
    "project level": (("cities", 3, "projects", 0, "level"), 6, "cities[3].projects[0].level"),
    "project without doubling": (("cities", 3, "projects", 0, "stock_x2"), ..., "cities[3].projects[0].stock_x2"),
    "city without projects": (("cities", 3, "projects"), [], "cities[3].projects"),
    "edge to nowhere": (("edges", 0, "a"), "atlantis", "edges[0].a"),
    "edge to itself": (("edges", 0, "a"), "buffalo", "edges[0].b"),
    "duplicate edge": (("edges", 1), {"a": "buffalo", "b": "niagara", "provenance": "rulebook"}, "edges[1]"),
    "map not connected": (("edges", 0), {"a": "chicago", "b": "boston", "provenance": "rulebook"}, "not connected"),
    "region never in play": (("regions", 0, "min_players"), 3, "regions"),
    "stock gap": (("stock", "columns", 1, "bottom"), 15, "stock.columns[1].bottom"),
    "stock overlap": (("stock", "columns", 1, "bottom"), 13, "stock.columns[1].bottom"),
    "stock too short": (("stock", "max"), 80, "stock.columns"),
    "stock start": (("stock", "start"), 11, "stock.start"),
    "negative profit": (("stock", "columns", 1, "profit"), -1, "stock.columns[1].profit"),
    "luminary deck too small": (("setup", "luminary_deck", "3"), [5, 3], "setup.luminary_deck"),
    "luminary deck too large": (("setup", "luminary_deck", "5"), [10, 5], "setup.luminary_deck.5"),
    "deck of a missing player number": (("setup", "propaganda_deck", "4"), ..., "setup.propaganda_deck.4"),
    "propaganda deck too large": (("setup", "propaganda_deck", "4"), [5, 7, 5], "setup.propaganda_deck.4"),
    "certificates do not add up": (("setup", "certificates", "open_market"), 3, "setup.certificates.regular"),
    "another number of turns": (("setup", "turns"), 8, "setup.turns"),
    "technology level missing": (("technology", "dc", "levels"), [], "technology.dc.levels"),
    "technology top": (("technology", "dc", "max_level"), 5, "technology.dc.max_level"),
    "technology need": (("technology", "ac", "levels", 0, "invention"), -1, "technology.ac.levels[0].invention"),
    "fame spots": (("fame", "spots"), 4, "fame.spots"),
    "AC/DC position missing": (("current_track", "positions", 1, "pos"), 2, "current_track.positions[1].pos"),
    "AC/DC track too long": (("current_track", "max"), 4, "current_track.positions"),
    "bid limit": (("bid_cap", "value"), 100, "bid_cap.value"),
    "provenance unknown": (("fame", "provenance"), "hearsay", "fame.provenance"),
    "provenance missing": (("edges", 3, "provenance"), ..., "edges[3].provenance"),
    "section missing": (("luminaries",), ..., "luminaries"),
    "section unknown": (("weather",), {}, "weather"),
    "not a list": (("edges",), {}, "edges"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused(name, data):
    path, value, word = BROKEN[name]
    broken = copy.deepcopy(data)
    change(broken, path, value)
    with pytest.raises(ValueError) as error:
        read(broken)
    assert word in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match="cannot read"):
        load(tmp_path / "missing.json")
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="cannot read"):
        Game(2, components=bad)


def test_provenance_is_counted(data):
    tally = load().provenance
    assert tally["fame"] == {"rulebook": 1, "sourced": 0, "reconstructed": 0}
    assert tally["luminaries"]["sourced"] == 1
    assert sum(tally["companies"].values()) == sum(len(c["provenance"]) for c in data["companies"])
