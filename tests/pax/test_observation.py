"""What an observation says: all that is public, whoever looks; read back from the numbers alone."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from core.game import State
from pax_env.constants import HUE_NAMES, PHASE_NAMES, REGIME_NAMES, SPHERE_NAMES, Zone
from tests.pax.helpers import at, game, rich_position

CASES: list[tuple[int, dict[str, Any]]] = [(2, {}), (3, {}), (4, {}), (1, {"solo": "easy"}), (1, {"solo": "hard"})]


class Reader:
    """The public part of a position, rebuilt from the observation of one seat."""

    def __init__(self, state: State, seat: int) -> None:
        of = state.game
        view = state.observation(seat)
        self.parts, self.t, self.n = of.parts, of.tables[0], of.num_players
        self.block = {name: view[part] for name, part in of.observation_slices.items()}
        seats = [of.colors[(seat + k) % self.n] for k in range(self.n)]
        self.parties = [*seats, *of.exoglobals]

    def numbers(self, block: str, scale: float) -> list[list[int]]:
        """A block that has as many numbers for each of four parties."""
        return np.rint(self.block[block].reshape(4, -1) * scale).astype(int).tolist()

    def by_party(self, block: str, units: int) -> list[list[int]]:
        """What own and others' features count, in parts of ``units``: four numbers for each place."""
        own, others = self.block[block].astype(float).reshape(2, -1)
        places = []
        for mine, rest in zip(own * units, others * units, strict=True):
            together = int(rest)
            third, left = divmod((rest - together) * 64, 1)
            fourth = round(left * 64)
            places.append([round(mine), together - int(third) - fourth, int(third), fourth])
        return places

    def colors(self, counts: list[int]) -> list[str]:
        return sorted(color for color, n in zip(self.parties, counts, strict=False) for _ in range(n))

    def cards(self) -> dict[str, float]:
        return {name: float(x) for name, x in zip(self.parts.card_names, self.block["card"], strict=False) if x}

    def market(self) -> dict[tuple[str, int], Any]:
        cubes = self.by_party("cubes", 32)
        found = {}
        for name, where in self.cards().items():
            if 1 <= where < 2:
                slot = round((where - 1) * 32)
                squares = [[u % 8 for u in cubes[slot]], [u % 32 // 8 for u in cubes[slot]]]
                owners = self.colors([u // 32 for u in cubes[slot]])
                found[SPHERE_NAMES[slot // 6], slot % 6] = (name, owners, *map(self.colors, squares))
        return found

    def splay(self) -> list[Any]:
        shock = self.by_party("shock", 8)
        found = {}
        for name, where in self.cards().items():
            if abs(where) >= 2:
                k, side = round((abs(where) - 2) * 64), "left" if where > 0 else "right"
                hue = HUE_NAMES[self.t[side][self.parts.card_names.index(name)]]
                squares = [[u % 8 for u in shock[k]], [u // 8 for u in shock[k]]]
                found[k] = (name, hue, *map(self.colors, squares))
        return [found[k] for k in sorted(found)]

    def think_tank(self, party: int) -> list[str]:
        heights = {}
        for name, where in self.cards().items():
            if -2 < where < 0 and int((-where - 1) * 4) == party:
                heights[round((-where - 1 - party / 4) * 256)] = name
        return [heights[k] for k in sorted(heights)]

    def pile(self, zone: Zone) -> dict[str, int]:
        return {name: 1 for name, where in self.cards().items() if where == zone / 16}


def flat(entry: dict[str, Any]) -> tuple[list[str], list[str]]:
    return sorted(entry["white"]), sorted(entry["black"])


def check(state: State, seat: int) -> None:
    """Everything public in ``to_dict`` is in what the seat sees."""
    position, see = state.to_dict(), Reader(state, seat)
    of = state.game
    n = of.num_players
    assert PHASE_NAMES[see.block["phase"].argmax()] == position["phase"]
    assert REGIME_NAMES[see.block["regime"].argmax()] == position["regime"]
    assert see.block["turn"].argmax() == (position["turn"] - seat) % n
    if position["current_player"] >= 0:
        assert see.block["mover"].argmax() == (position["current_player"] - seat) % n
    finance, patents, claimed = see.numbers("finance", 15), see.numbers("patents", 5), see.numbers("claimed", 2)
    for k in range(n):
        player = position["players"][(seat + k) % n]
        assert finance[k][1:5] == [player[key] for key in ("capital", "wealth", "debt", "pool")]
        assert patents[k] == list(player["patents"].values())
        assert claimed[k] == [player["problems"].get(name, 0) for name in see.parts.problem_names]
        assert see.think_tank(k) == player["think_tank"]
        assert bool(finance[k][6]) == (player["hidden"] is not None)
    for k, exoglobal in enumerate(position["exoglobals"], n):
        assert finance[k][4] == exoglobal["pool"]
        assert claimed[k] == [exoglobal["problems"].get(name, 0) for name in see.parts.problem_names]
    assert see.market() == {
        (sphere, row): (entry["card"], sorted(entry["syndications"]), *flat(entry))
        for sphere, column in position["market"].items()
        for row, entry in enumerate(column)
        if entry
    }
    assert see.splay() == [(entry["card"], entry["visible"], *flat(entry)) for entry in position["splay"]]
    employees, companies = see.by_party("employees", 2), see.by_party("barrier", 1)
    for space, name in enumerate(see.parts.space_names):
        there = position["infrastructure"].get(name, {"company": None, "employees": []})
        assert see.colors(employees[space]) == sorted(there["employees"])
        if see.t["barrier_of"][space] >= 0:
            owner = see.colors(companies[see.t["barrier_of"][space]])
            assert owner == ([there["company"]] if there["company"] else [])
    for k, (name, scale) in enumerate((("top", 12), ("bottom", 16))):
        assert round(float(see.block["deck"][k]) * scale) == len(position["deck"][name])
    assert bool(see.pile(Zone.DECK_END)) == position["deck"]["plurality"]
    tipping = [name for name in [*position["deck"]["top"], *position["deck"]["bottom"]] if name.startswith("tipping")]
    assert sorted(see.pile(Zone.TOP) | see.pile(Zone.BOTTOM)) == sorted(tipping)
    assert see.pile(Zone.DISCARD) == position["discard"]
    if position["exo_deck"]:
        assert see.pile(Zone.EXO_USED) == position["exo_deck"]["used"]
        assert list(see.pile(Zone.EXO_NEXT)) == [card for card in [position["exo_deck"]["next"]] if card]
        assert round(float(see.block["deck"][3]) * 70) == len(position["exo_deck"]["rest"])
    assert sorted(see.pile(Zone.DEALT)) == position["players"][seat]["dealt"]


@pytest.mark.parametrize(("n", "options"), CASES)
def test_the_public_part_can_be_read_back(n: int, options: dict[str, Any]) -> None:
    of, rng = game(n, **options), np.random.default_rng(n)
    for _ in range(6):
        state = of.state_from_dict(rich_position(of, rng))
        for _ in range(12):
            for seat in range(n):
                check(state, seat)
            if state.is_terminal():
                break
            state.apply_action(int(rng.choice(state.legal_actions())))


def test_the_action_under_way_shows() -> None:
    """Positions that differ in one key of ``pending`` look different, to whoever waits too."""
    table = {"launch_costs": {"company": "pink", "employees": ["pink"]}, "fw_utility_top": {"employees": ["blue"]}}
    base: dict[str, Any] = {
        "players": [{"think_tank": ["memory_prosthesis"], "capital": 5}, {"think_tank": ["cryonics"]}, {}],
        "market": {"first_world": ["exocortex", "charter_cities"]},
        "splay": ["senolytics"],
        "infrastructure": table,
    }
    place = {"action": "commercialize", "sphere": "first_world", "row": 0}
    pendings = [
        ("payment", place | {"via": "splay", "cost": 1}),
        ("payment", place | {"via": "patents", "cost": 1}),
        ("payment", place | {"via": "think_tank", "cost": 1}),
        ("payment", place | {"via": "espionage:pink", "cost": 1}),
        ("payment", place | {"via": "splay", "cost": 2}),
        ("payment", place | {"via": "splay", "cost": 1, "row": 1}),
        ("payment", place | {"via": "splay", "cost": 1, "utility": True}),
        ("payment", {"action": "research", "sphere": "first_world", "cost": 1}),
        ("payment", {"action": "research", "sphere": "cloud", "cost": 1}),
        ("payment", {"action": "hire", "space": "gatekeeping", "source": "finance", "cost": 1}),
        ("payment", {"action": "hire", "space": "clinical_trials", "source": "finance", "cost": 1}),
        ("payment", {"action": "syndicate", "sphere": "first_world", "row": 0, "cost": 1}),
        ("orientation", place | {"via": "splay"}),
        ("orientation", place | {"via": "splay", "tycoon": True}),
        ("research_claim", {"action": "research", "sphere": "cloud", "card": "utility_fog"}),
        ("research_claim", {"action": "research", "sphere": "cloud", "card": "utility_fog", "foreign": True}),
        ("research_claim", {"action": "research", "sphere": "cloud", "card": "smart_dust"}),
    ]
    for seat in range(3):
        views = {at(3, **base, phase=phase, pending=pending).observation(seat).tobytes() for phase, pending in pendings}
        assert len(views) == len(pendings)


def test_what_a_seat_can_do_is_reckoned() -> None:
    state = at(
        players=[
            {"capital": 2, "wealth": 1, "debt": 0, "patents": {"green": 1, "blue": 1}, "think_tank": ["exocortex"]},
            {"capital": 8, "wealth": 0, "debt": 0, "patents": {}},
        ],
        splay=["open_borders", "charter_cities", {"card": "seasteading", "white": []}],
        regime="group_dynamics",
    )
    see = Reader(state, 0)
    shown = [HUE_NAMES.index(entry["visible"]) for entry in state.to_dict()["splay"]]
    worth = [shown.count(hue) * (2 if hue == 1 else 1) for hue in range(4)]
    value = see.block["value"].tolist()
    assert value[:4] == pytest.approx([x / 5 for x in worth])
    assert value[4] * 20 == pytest.approx(2 * 2 + 1 + (worth[1] + 1) + (worth[2] + 1))
    edges = [block.argmax() for block in see.block["edge"].reshape(2, 4)]
    assert edges == shown[:-3:-1]
    runs = [0] * 4
    for k, hue in enumerate(shown):
        run = next(m for m in range(1, k + 2) if m == k + 1 or shown[k - m] != hue)
        runs[hue] = max(runs[hue], run)
    assert see.block["run"].tolist() == pytest.approx([run / 5 for run in runs])
    names = [label.removeprefix("pair.") for label in state.game.observation_layout.names if label.startswith("pair.")]
    seen = {name for name, flag in zip(names, see.block["pair"], strict=True) if flag}
    assert seen == {"_".join(HUE_NAMES[h] for h in sorted(pair)) for pair in itertools.pairwise(shown)}


def test_a_card_is_described() -> None:
    names = game().observation_layout.names
    labels = [name.removeprefix("market.cloud.2.") for name in names if name.startswith("market.cloud.2.")]
    start = names.index(f"market.cloud.2.{labels[0]}")

    def features(card: str, **cubes: Any) -> dict[str, float]:
        view = at(market={"cloud": [None, None, {"card": card, **cubes}]}).observation(0)
        seen = zip(labels, view[start : start + len(labels)].tolist(), strict=True)
        return {name: round(value, 2) for name, value in seen if value}

    assert features("robot_miners") == {"blue": 0.6, "orange": 0.4, "gain_space": 1, "growth": 0.5, "kind": 0.25} | {
        "black": 1
    }
    assert "black" not in features("robot_miners", black=["red"])
    elders = {"gold": 0.6, "green": 0.4, "gain_first_world": 0.5, "gain_developing_world": 0.5, "growth": 0.5}
    assert features("elder_cooperatives") == elders | {"kind": 0.25, "white": 0.33}
    assert features("elder_cooperatives", white=["blue"]) == elders | {"kind": 0.25}
    assert features("tipping_point_gold")["kind"] == 0.75 and features("plurality")["kind"] == 1
