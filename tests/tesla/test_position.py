"""Positions as dicts: the schema, its defaults and its errors."""

from __future__ import annotations

import json
import re

import pytest

from tesla_env import Game
from tests.tesla.helpers import game, legal, start

KEYS = [
    *("game", "num_players", "options", "current_player", "phase", "decisions", "terminal", "truncated"),
    *("turn", "players", "prices", "market", "set_aside", "present", "future", "current", "patents", "projects"),
    *("offer", "auction", "cards", "card", "trade", "luminary_pool", "propaganda_pool"),
]

FULL = {
    "game": "tesla",
    "num_players": 2,
    "options": {"companies": ["edison", "maxim"], "max_decisions": 2000},
    "current_player": 0,
    "phase": "market",
    "decisions": 58,
    "terminal": False,
    "truncated": False,
    "turn": 3,
    "players": [
        {
            "company": "edison",
            "cash": 13,
            "shares": {"edison": 1, "maxim": 1},
            "luminaries": {"edison": "exhausted", "coffin": "ready", "villard": "selected"},
            "tech": {"ac": 1, "bulb": 2, "dc": 3},
        },
        {
            "company": "maxim",
            "cash": 21,
            "shares": {"edison": 1, "maxim": 1},
            "luminaries": {"maxim": "ready", "upton": "ready", "lamme": "exhausted"},
            "tech": {"ac": 3, "bulb": 2, "dc": 1},
        },
    ],
    "prices": {"edison": 31, "maxim": 27},
    "market": {"edison": 3, "maxim": 3},
    "set_aside": {"edison": 0, "maxim": 0},
    "present": {"edison": 4, "maxim": 5},
    "future": {"edison": 5, "maxim": 3},
    "current": 1,
    "patents": {"ac:3": "maxim", "bulb:2": "edison", "dc:3": "edison"},
    "projects": {"newark_1": "maxim", "roselle_1": "maxim", "newburgh_1": "edison", "albany_1": "edison"},
    "offer": {"kruesi": "edison", "stanley": "maxim"},
    "auction": {"acquired": [], "luminary": None, "bid": 0, "bidder": None, "passed": []},
    "cards": ["mark_twain", "electric_chair"],
    "card": None,
    "trade": {"bought": ["maxim"], "sold": []},
    "luminary_pool": {"1": {}, "2": {}},
    "propaganda_pool": {
        "1": {},
        "2": {},
        "3": dict.fromkeys(
            ["christmas_lights", "hg_wells", "columbian_exposition", "lord_kelvin", "tesla_lamps", "topsy"], 1
        ),
    },
}


def test_full_example_round_trips():
    state = game(2).state_from_dict(FULL)
    assert state.to_dict() == FULL
    assert json.loads(json.dumps(state.to_dict())) == FULL
    assert list(state.to_dict()) == KEYS
    assert legal(state) == {"sell:edison", "done"}, "to buy Edison's, 31 - 2 x 2 is more than 13"


def test_defaults_of_an_empty_dict():
    position = start(3).to_dict()
    assert position["current_player"] == 0
    assert (position["phase"], position["turn"], position["decisions"]) == ("use", 1, 0)
    assert [player["company"] for player in position["players"]] == ["brush", "edison", "maxim"]
    assert position["players"][1] == {
        "company": "edison",
        "cash": 14,
        "shares": {"brush": 0, "edison": 0, "maxim": 0},
        "luminaries": {"edison": "ready"},
        "tech": {"ac": 1, "bulb": 1, "dc": 1},
    }
    assert position["market"] == {"brush": 4, "edison": 4, "maxim": 4}
    assert position["set_aside"] == {"brush": 2, "edison": 2, "maxim": 2}
    assert position["present"] == position["future"] == {"brush": 6, "edison": 5, "maxim": 4}
    assert position["luminary_pool"]["1"] == {}
    assert len(position["luminary_pool"]["2"]) == 9
    assert [len(position["propaganda_pool"][p]) for p in "123"] == [0, 6, 6]
    assert start(2, turn=3).to_dict()["set_aside"] == {"brush": 0, "edison": 0}
    assert start(2, turn=3).to_dict()["luminary_pool"]["2"] == {}


def test_defaults_of_the_draft():
    state = start(3, phase="draft", players=[{"company": "maxim"}, {}, {}])
    position = state.to_dict()
    assert state.current_player() == 1
    assert [player["company"] for player in position["players"]] == ["maxim", None, None]
    assert position["present"] == {"maxim": 6}
    assert position["players"][2]["shares"] == {"maxim": 0}
    assert len(position["luminary_pool"]["1"]) == 9
    assert legal(state) == {"draft:brush", "draft:edison", "draft:tesla", "draft:thomson"}


def test_given_pools_make_the_draw_known():
    pool = {"1": dict.fromkeys(["coffin", "upton", "weston"], 1)}
    state = start(2, phase="draft", players=[{"company": "maxim"}, {}], luminary_pool=pool)
    state.apply_action("draft:tesla")
    assert set(state.to_dict()["offer"]) == {"coffin", "upton", "weston"}


def test_companies_come_from_the_option():
    one = Game(2, companies=["tesla", "brush"])
    state = one.state_from_dict({})
    assert [player["company"] for player in state.to_dict()["players"]] == ["tesla", "brush"]
    assert state.to_dict()["options"] == {"companies": ["tesla", "brush"], "max_decisions": 2000}
    other = one.state_from_dict({"options": {"companies": None}, "players": [{"company": "maxim"}, {}]})
    assert other.to_dict()["players"][1]["company"] == "brush"


def test_truncated_positions_keep_their_phase():
    players = [{"luminaries": {"brush": "selected"}}, {"luminaries": {"edison": "selected"}}]
    state = start(2, phase="act", truncated=True, players=players)
    position = state.to_dict()
    assert (position["phase"], position["current_player"], position["terminal"]) == ("act", -4, True)
    assert state.legal_actions() == []
    assert start(2, phase="over").winners() == [0, 1]


def auction(**fields):
    offer = {"coffin": None, "morgan": None, "upton": None, "houston": None, "kruesi": None}
    return {"num_players": 3, "phase": "bid", "offer": offer, "auction": {"luminary": "coffin", **fields}}


SELECTED = [{"luminaries": {"brush": "selected"}}, {}]

ERRORS = {
    "unknown key": ({"turns": 1}, "turns"),
    "unknown option": ({"options": {"speed": 1}}, "options.speed"),
    "unknown player key": ({"players": [{"gold": 1}, {}]}, "players[0].gold"),
    "unknown auction key": ({"auction": {"price": 1}}, "auction.price"),
    "unknown technology": ({"players": [{"tech": {"gas": 1}}, {}]}, "players[0].tech.gas"),
    "unknown pool": ({"luminary_pool": {"3": {}}}, "luminary_pool.3"),
    "other game": ({"game": "xenon"}, "game"),
    "other number of players": ({"num_players": 3}, "num_players"),
    "option companies too few": ({"options": {"companies": ["brush"]}}, "options.companies"),
    "option companies twice": ({"options": {"companies": ["brush", "brush"]}}, "options.companies"),
    "option limit": ({"options": {"max_decisions": 0}}, "options.max_decisions"),
    "wrong type": ({"turn": "one"}, "turn"),
    "bool for a number": ({"turn": True}, "turn"),
    "number for a flag": ({"truncated": 1}, "truncated"),
    "turn out of range": ({"turn": 7}, "turn"),
    "decisions negative": ({"decisions": -1}, "decisions"),
    "cash negative": ({"players": [{"cash": -1}, {}]}, "players[0].cash"),
    "cash not whole": ({"players": [{}, {"cash": 1.5}]}, "players[1].cash"),
    "price too low": ({"prices": {"edison": 11}}, "prices.edison"),
    "price too high": ({"prices": {"edison": 78}}, "prices.edison"),
    "price of a company not in play": ({"prices": {"tesla": 12}}, "prices.tesla"),
    "technology too high": ({"players": [{"tech": {"dc": 5}}, {}]}, "players[0].tech.dc"),
    "marker off the AC/DC track": ({"current": 4}, "current"),
    "unknown phase": ({"phase": "lunch"}, "phase"),
    "unknown company": ({"players": [{"company": "acme"}, {}]}, "players[0].company"),
    "no company after the draft": ({"players": [{"company": None}, {}]}, "players[0].company"),
    "company twice": ({"players": [{"company": "maxim"}, {"company": "maxim"}]}, "players[1].company"),
    "players too few": ({"players": [{}]}, "players"),
    "players not a list": ({"players": {}}, "players"),
    "seats not drafted in order": ({"phase": "draft", "players": [{}, {"company": "maxim"}]}, "players[1].company"),
    "all seats drafted": (
        {"phase": "draft", "players": [{"company": "brush"}, {"company": "maxim"}]},
        "current_player",
    ),
    "draft after turn 1": ({"phase": "draft", "turn": 2}, "turn"),
    "draft with option companies": ({"phase": "draft", "options": {"companies": ["brush", "maxim"]}}, "phase"),
    "company against the option": (
        {"options": {"companies": ["brush", "maxim"]}, "players": [{"company": "tesla"}, {}]},
        "players[0].company: options.companies",
    ),
    "unknown luminary": ({"players": [{"luminaries": {"marconi": "ready"}}, {}]}, "players[0].luminaries.marconi"),
    "unknown status": ({"players": [{"luminaries": {"coffin": "asleep"}}, {}]}, "players[0].luminaries.coffin"),
    "inventor of a rival": ({"players": [{"luminaries": {"edison": "ready"}}, {}]}, "players[0].luminaries.edison"),
    "luminary of two owners": (
        {"players": [{"luminaries": {"coffin": "ready"}}, {"luminaries": {"coffin": "ready"}}]},
        "players[1].luminaries",
    ),
    "luminary owned and on offer": (
        {"players": [{"luminaries": {"coffin": "ready"}}, {}], "offer": {"coffin": None}},
        "offer",
    ),
    "luminary on offer and in a pool": (
        {"offer": {"lamme": None}, "luminary_pool": {"2": dict.fromkeys(["lamme", "woods", "insull"], 1)}},
        "luminary_pool",
    ),
    "inventor on offer": ({"offer": {"tesla": None}}, "offer.tesla"),
    "certificate of a company not in play": ({"offer": {"coffin": "tesla"}}, "offer.coffin"),
    "card revealed twice": ({"cards": ["blizzard", "blizzard"]}, "cards"),
    "card unknown": ({"cards": ["telegram"]}, "cards"),
    "card revealed and in a pool": (
        {
            "cards": ["mark_twain"],
            "propaganda_pool": {"2": dict.fromkeys(["mark_twain", "pulitzer", "electric_chair"], 1)},
        },
        "propaganda_pool",
    ),
    "card taken and revealed": (
        {"phase": "card_move", "players": SELECTED, "cards": ["blizzard"], "card": "blizzard"},
        "card",
    ),
    "project not in play": ({"projects": {"boston_2": "brush"}}, "projects.boston_2"),
    "project of nobody": ({"projects": {"albany_1": "tesla"}}, "projects.albany_1"),
    "too many certificates": ({"players": [{"shares": {"brush": 5}}, {}]}, "market"),
    "certificates not complete": ({"market": {"brush": 3}}, "market.brush"),
    "five of a rival": ({"players": [{"shares": {"edison": 5}}, {}]}, "players[0].shares"),
    "shares of a company not in play": ({"players": [{"shares": {"tesla": 1}}, {}]}, "players[0].shares.tesla"),
    "two markers on a spot": ({"present": {"brush": 2, "edison": 2}}, "present"),
    "marker missing": ({"future": {"brush": 2}}, "future"),
    "marker off the track": ({"future": {"brush": 7, "edison": 1}}, "future.brush"),
    "patent above the technology": ({"patents": {"ac:2": "brush"}}, "patents"),
    "patent of level 1": ({"patents": {"ac:1": "brush"}}, "patents.ac:1"),
    "patent that does not exist": ({"patents": {"dc:5": "brush"}}, "patents.dc:5"),
    "pool too small": ({"luminary_pool": {"2": {"lamme": 1}}}, "luminary_pool"),
    "pool of another phase": ({"luminary_pool": {"2": {"coffin": 1}}}, "luminary_pool.2"),
    "pool with two of a card": (
        {"propaganda_pool": {"3": {"topsy": 2, "hg_wells": 1, "lord_kelvin": 1}}},
        "propaganda_pool",
    ),
    "pool after its reveal": ({"luminary_pool": {"1": {"coffin": 1}}}, "luminary_pool"),
    "propaganda pool after its reveal": ({"propaganda_pool": {"1": {"blizzard": 1}}}, "propaganda_pool"),
    "acquired outside": ({"auction": {"acquired": [0]}}, "auction.acquired"),
    "luminary outside": ({"auction": {"luminary": "coffin"}}, "auction.luminary"),
    "bid outside": ({"auction": {"bid": 1}}, "auction.bid"),
    "bidder outside": ({"auction": {"bidder": 0}}, "auction.bidder"),
    "passed outside": ({"auction": {"passed": [0]}}, "auction.passed"),
    "bid without luminary": (auction(luminary=None), "auction.luminary"),
    "luminary not on offer": (auction(luminary="johnson"), "auction.luminary"),
    "bid without bidder": (auction(bid=2), "auction.bidder"),
    "bidder without bid": (auction(bidder=1), "auction.bidder"),
    "bidder has acquired": (auction(bid=2, bidder=1, acquired=[1]), "auction.bidder"),
    "bidder has passed": (auction(bid=2, bidder=1, passed=[1]), "auction.bidder"),
    "bidder too poor": (auction(bid=20, bidder=1), "auction.bidder"),
    "bidder is no seat": (auction(bid=2, bidder=3), "auction.bidder"),
    "passed without bid": (auction(passed=[0]), "auction.passed"),
    "passed and acquired": (auction(bid=2, bidder=1, passed=[0], acquired=[0]), "auction.passed"),
    "seat twice": (auction(bid=2, bidder=1, passed=[0, 0]), "auction.passed"),
    "too many acquired": (auction(acquired=[0, 1]), "auction.acquired"),
    "all acquired": (
        {"phase": "auction", "offer": {"coffin": None}, "auction": {"acquired": [0, 1]}},
        "auction.acquired",
    ),
    "bid that nobody can answer": (auction(bid=2, bidder=1, passed=[0, 2]), "current_player"),
    "card outside": ({"card": "blizzard"}, "card"),
    "card missing": ({"phase": "card_move", "players": SELECTED}, "card"),
    "trade outside": ({"trade": {"bought": ["brush"]}}, "trade"),
    "bought and sold": (
        {"phase": "market", "players": SELECTED, "trade": {"bought": ["brush"], "sold": ["brush"]}},
        "trade.sold",
    ),
    "none selected": ({"phase": "act"}, "players[0].luminaries"),
    "two selected": (
        {"phase": "market", "players": [{"luminaries": {"brush": "selected", "coffin": "selected"}}, {}]},
        "players[0].luminaries",
    ),
    "another one selected": ({"players": [{}, {"luminaries": {"edison": "selected"}}]}, "players[1].luminaries"),
    "selected in use": (
        {"players": [{"luminaries": {"brush": "selected", "coffin": "ready"}}, {}]},
        "players[0].luminaries",
    ),
    "mover of the draft": ({"phase": "draft", "current_player": 1}, "current_player"),
    "mover of the auction": ({"phase": "auction", "offer": {"coffin": None}, "current_player": 0}, "current_player"),
    "mover of the bidding": ({**auction(bid=2, bidder=1), "current_player": 0}, "current_player"),
    "no such seat": ({"current_player": 2}, "current_player"),
    "mover of a finished game": ({"phase": "over", "current_player": 0}, "current_player"),
    "nothing ready": ({"players": [{"luminaries": {"brush": "exhausted"}}, {}]}, "phase"),
    "nothing on offer": ({"phase": "auction"}, "phase"),
    "no card to take": ({"phase": "card", "players": SELECTED}, "phase"),
    "no trade to make": (
        {"phase": "market", "players": [{"cash": 0, "luminaries": {"brush": "selected"}}, {}]},
        "phase",
    ),
    "opener without cash": (
        {**auction(), "players": [{"cash": 0}] * 3},
        "phase",
    ),
    "a move with rating 0": (
        {"phase": "move", "players": [{"luminaries": {"morgan": "selected"}}, {}]},
        "phase",
    ),
    "terminal but not over": ({"terminal": True}, "terminal"),
    "over but not terminal": ({"phase": "over", "terminal": False}, "terminal"),
    "unknown trade key": ({"trade": {"lent": []}}, "trade.lent"),
    "unknown luminary on offer": ({"offer": {"marconi": None}}, "offer.marconi"),
    "unknown project": ({"projects": {"atlantis_1": "brush"}}, "projects.atlantis_1"),
    "unknown taken card": ({"phase": "card_move", "players": SELECTED, "card": "telegram"}, "card"),
    "patent of a company not in play": ({"patents": {"ac:2": "tesla"}}, "patents.ac:2"),
    "market of a company not in play": ({"market": {"tesla": 6}}, "market.tesla"),
    "set aside of a company not in play": ({"set_aside": {"tesla": 2}}, "set_aside.tesla"),
    "marker of a company not in play": ({"present": {"brush": 1, "edison": 2, "tesla": 3}}, "present.tesla"),
    "marker missing on the present track": ({"present": {"edison": 2}}, "present"),
    "two markers on a future spot": ({"future": {"brush": 2, "edison": 2}}, "future"),
    "players too many": ({"players": [{}, {}, {}]}, "players"),
    "card taken and in a pool": (
        {
            "phase": "card_move",
            "players": SELECTED,
            "card": "mark_twain",
            "propaganda_pool": {"2": dict.fromkeys(["mark_twain", "pulitzer", "electric_chair"], 1)},
        },
        "propaganda_pool",
    ),
    "propaganda pool too small": ({"propaganda_pool": {"3": {"topsy": 1}}}, "propaganda_pool"),
    "sold outside": ({"trade": {"sold": ["brush"]}}, "trade"),
    "selected by another than the mover": (
        {"phase": "act", "players": [*SELECTED[:1], {"luminaries": {"edison": "selected"}}]},
        "players[1].luminaries",
    ),
    **{
        f"two selected in {phase}": (
            {"phase": phase, "players": [{"luminaries": {"brush": "selected", "upton": "selected"}}, {}], **more},
            "players[0].luminaries",
        )
        for phase, more in (
            ("move", {}),
            ("card", {"cards": ["blizzard"]}),
            ("card_move", {"card": "blizzard"}),
        )
    },
    "over and truncated": ({"phase": "over", "truncated": True}, "truncated"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_key(name):
    position, path = ERRORS[name]
    n = position.get("num_players", 2) if name != "other number of players" else 2
    with pytest.raises(ValueError, match=rf"^{re.escape(path)}(?!\w)"):
        game(n).state_from_dict(position)


def test_options_are_checked():
    for options, word in (
        ({"num_players": 1}, "num_players"),
        ({"num_players": 6}, "num_players"),
        ({"companies": ["brush"]}, "companies"),
        ({"companies": ["brush", "brush"]}, "companies"),
        ({"companies": ["brush", "acme"]}, "companies"),
        ({"companies": "brush"}, "companies"),
        ({"max_decisions": 0}, "max_decisions"),
        ({"colour": "red"}, "colour"),
    ):
        with pytest.raises(ValueError, match=word):
            Game(**options)
