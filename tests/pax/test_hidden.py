"""Hidden information: what determinize redraws, and that observations show neither more nor less."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from pax_env.components import load
from tests.pax.helpers import at, do, employees, game, rich_position, slot

SPHERES = ("first_world", "developing_world", "cloud", "space")


def hues(name: str) -> list[str]:
    parts = load()
    k = parts.card_names.index(name)
    return [SPHERES[parts.tables[0][side][k]] for side in ("left", "right")]


def test_determinize_redraws_exactly_what_is_hidden() -> None:
    state = game(1).new_initial_state(3)
    do(state, state.action_to_string(state.legal_actions()[0]))
    before = state.to_dict()
    places: dict[str, set[str]] = {"top": set(), "bottom": set(), "rest": set(), "dealt": set()}
    for seed in range(60):
        other = state.determinize(0, seed)
        state.game.check_invariants(other)
        after = other.to_dict()
        for key in before:
            if key not in ("exoglobals", "deck", "exo_deck"):
                assert after[key] == before[key], key
        assert after["exo_deck"]["next"] == before["exo_deck"]["next"]
        assert after["exo_deck"]["used"] == before["exo_deck"]["used"]
        for pile in ("top", "bottom"):
            assert len(after["deck"][pile]) == len(before["deck"][pile])
            places[pile].update(after["deck"][pile])
        assert {card for card in after["deck"]["bottom"] if card.startswith("tipping")} == {
            card for card in before["deck"]["bottom"] if card.startswith("tipping")
        }
        places["rest"].update(after["exo_deck"]["rest"])
        for exoglobal in after["exoglobals"]:
            assert len(exoglobal["dealt"]) == 1 and exoglobal["hidden"] == hues(exoglobal["dealt"][0])[0]
            places["dealt"].update(exoglobal["dealt"])
        assert other.observation(0).tobytes() == state.observation(0).tobytes()
    seen = set(before["players"][0]["dealt"]) | {before["splay"][0]["card"], before["exo_deck"]["next"]}
    seen |= {entry["card"] for column in before["market"].values() for entry in column if entry}
    unseen = 111 - len(seen)
    assert len(places["rest"]) == unseen and len(places["top"]) > unseen * 0.9 and len(places["dealt"]) > 60
    assert not seen & (places["rest"] | places["top"] | places["dealt"])


def test_a_guessed_sphere_is_one_of_the_hues_of_the_guessed_cards() -> None:
    state = game(3).new_initial_state(8)
    while state.phase == "hidden":
        assert state.determinize(0, 1).to_dict()["players"][2]["hidden"] is None
        state.apply_action(state.legal_actions()[0])
    chosen: Counter[str] = Counter()
    for seed in range(80):
        after = state.determinize(1, seed).to_dict()
        assert after["players"][1] == state.to_dict()["players"][1]
        for seat in (0, 2):
            player = after["players"][seat]
            assert player["hidden"] in [hue for card in player["dealt"] for hue in hues(card)]
            chosen[player["hidden"]] += 1
    assert len(chosen) == 4
    bare = at(players=[{}, {"hidden": "cloud"}])
    assert len({bare.determinize(0, seed).to_dict()["players"][1]["hidden"] for seed in range(40)}) == 4


def test_hidden_parts_do_not_show() -> None:
    position: dict[str, Any] = {
        "players": [{}, {"hidden": "space", "dealt": ["cryonics"]}],
        "deck": {"top": ["open_borders"]},
    }
    other: dict[str, Any] = {
        "players": [{}, {"hidden": "cloud", "dealt": ["exocortex"]}],
        "deck": {"top": ["senolytics"]},
    }
    one, two = at(**position), at(**other)
    assert one.observation(0).tobytes() == two.observation(0).tobytes()
    assert one.observation(1).tobytes() != two.observation(1).tobytes()


def test_public_parts_show() -> None:
    base: dict[str, Any] = {
        "players": [{"capital": 1, "wealth": 1, "debt": 1}, {"capital": 1, "wealth": 1, "debt": 1}],
        "splay": ["exocortex", "senolytics"],
        "market": {"cloud": ["charter_cities", "memory_prosthesis"]},
    }
    changes: list[dict[str, Any]] = [
        {"players": [{"capital": 1, "wealth": 1, "debt": 1}, {"capital": 1, "wealth": 2, "debt": 1}]},
        {
            "players": [
                {"capital": 1, "wealth": 1, "debt": 1},
                {"capital": 1, "wealth": 1, "debt": 1, "problems": {"aging": 1}},
            ]
        },
        {
            "players": [
                {"capital": 1, "wealth": 1, "debt": 1},
                {"capital": 1, "wealth": 1, "debt": 1, "think_tank": ["cryonics"]},
            ]
        },
        {"splay": [{"card": "exocortex", "visible": "blue"}, "senolytics"]},
        {"splay": [{"card": "exocortex", "white": ["red"]}, "senolytics"]},
        {"splay": ["exocortex", {"card": "senolytics", "black": ["red"]}]},
        {"splay": ["exocortex", {"card": "senolytics", "white": ["red"]}]},
        {"market": {"cloud": [slot("charter_cities", "red"), "memory_prosthesis"]}},
        {"market": {"cloud": [slot("charter_cities", black=("red",)), "memory_prosthesis"]}},
        {"market": {"cloud": ["charter_cities", slot("memory_prosthesis", white=("red", "red"))]}},
        {"market": {"cloud": ["charter_cities", None, "memory_prosthesis"]}},
        {"infrastructure": employees("education", color="red")},
        {"infrastructure": employees(education="red")},
        {"infrastructure": employees("cloud_unemployment", color="red")},
        {"infrastructure": employees("dw_utility", color="red")},
        {"regime": "assembly"},
        {"actions_left": 1},
        {"turn": 1},
        {"discard": ["cryonics"]},
        {"deck": {"plurality": True}},
        {"deck": {"bottom": ["tipping_point_gold"]}},
        {"phase": "divest", "pending": {"action": "fundraise"}},
    ]
    views = {at(**(base | change)).observation(0).tobytes() for change in [{}, *changes]}
    assert len(views) == len(changes) + 1


def test_self_comes_first() -> None:
    of = game(4)
    for seed in range(4):
        state = of.state_from_dict(rich_position(of, np.random.default_rng(seed)))
        players = state.to_dict()["players"]
        width = len(of.observation_layout.names[of.observation_slices["finance"]]) // 4
        for seat in range(4):
            finance = state.observation(seat)[of.observation_slices["finance"]]
            for k in range(4):
                assert round(finance[k * width + 2] * 15) == players[(seat + k) % 4]["capital"]
