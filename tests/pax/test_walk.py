"""A million random decisions that keep every invariant, and proof that the check would see it if they did not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pax_env.constants import End, Zone
from tests.pax.helpers import at, employees, game, slot
from tests.pax.walker import RULES, WALKER, walks
from tests.walker import ALL_WELL

ROOT = Path(__file__).parents[2]


def put(field: str, *index: int, value: int) -> Callable[[np.void], None]:
    """A change of one number."""

    def change(s: np.void) -> None:
        if index:
            s[field][index] = value
        else:
            s[field] = value

    return change


def move_to_wealth(s: np.void) -> None:
    s["wealth"][1] += 1
    s["pool"][1] -= 1


def duplicate(s: np.void) -> None:
    """A market card lies in a second slot, and another one in none."""
    s["zone"][s["card"][0]] = Zone.MARKET
    s["card"][0] = s["card"][1]


def found_five_companies(s: np.void) -> None:
    s["company"][[1, 2, 4, 7, 8]] = 3


def hire_two(s: np.void) -> None:
    """Red joins blue on a barrier."""
    s["employees"][2] += 1 << 12
    s["pool"][3] -= 1


def heat_a_card_without_squares(s: np.void) -> None:
    s["white"][1] = 1 << 12
    s["pool"][3] -= 1


def syndicate_a_gap(s: np.void) -> None:
    s["syndicated"][5] = 1
    s["pool"][0] -= 1


BREAKS: list[tuple[str, Callable[[np.void], None]]] = [
    ("negative", put("capital", 0, value=-1)),
    ("negative", put("stock", 3, value=-1)),
    ("fifteen agents", put("wealth", 0, value=9)),
    ("fifteen agents", put("debt", 1, value=1)),
    ("fifteen agents", put("white", 0, value=0)),
    ("no money", move_to_wealth),
    ("four of a colour", put("company", 0, value=0)),
    ("four of a colour", found_five_companies),
    ("one employee", hire_two),
    ("often", put("stock", 0, value=1)),
    ("often", put("claimed", 0, 0, value=2)),
    ("one place", duplicate),
    ("one place", put("card", 23, value=90)),
    ("one place", put("zone", 115, value=Zone.MARKET)),
    ("one place", put("think_tank", 0, value=90)),
    ("one place", put("zone", 120, value=Zone.DISCARD)),
    ("squares", heat_a_card_without_squares),
    ("squares", syndicate_a_gap),
    ("holes", put("visible", 0, value=3)),
    ("holes", put("visible", 5, value=0)),
    ("solo game only", put("zone", 90, value=Zone.EXO_USED)),
    ("research", put("zone", 90, value=Zone.RESEARCHED)),
    ("belong", put("cost", value=1)),
    ("belong", put("via", value=0)),
    ("belong", put("slot", value=3)),
    ("belong", put("pending", value=1)),
    ("turn player", put("player", value=1)),
    ("turn player", put("actions_left", value=3)),
    ("cutting edge", put("regime", value=2)),
    ("result", put("end", value=End.TYCOON)),
    ("result", put("done", value=1)),
]


@pytest.mark.parametrize(("rule", "change"), BREAKS)
def test_the_compiled_check_sees_what_is_broken(rule: str, change: Callable[[np.void], None]) -> None:
    solo = rule == "no money"
    state = at(
        1 if solo else 2,
        market={"first_world": [slot("exocortex", "blue", white=("blue",)), "robot_miners"]},
        splay=["senolytics", "cryonics"],
        infrastructure=employees("gatekeeping", bioconservatism="blue"),
    )
    assert WALKER.rule_broken(state.game, state.states) == ALL_WELL
    change(state.states[0])
    assert rule in WALKER.rule_broken(state.game, state.states)


def test_the_compiled_check_sees_what_is_forgotten() -> None:
    state = at(players=[{"hidden": "cloud", "dealt": ["cryonics"]}, {}], discard=["exocortex"])
    for field, index, value in (("hidden", 0, 1), ("zone", 90, Zone.DISCARD)):
        other = state.states.copy()
        other[field][0, index] = value
        assert WALKER.rule_broken(state.game, other) in (ALL_WELL, RULES[-1])
        assert WALKER.rule_broken(state.game, other, state.states) == RULES[-1]


def test_a_running_game_with_a_singularity_is_broken() -> None:
    state = at(splay=[{"card": name, "visible": "green"} for name in greens(5)], regime="paradigm_shift")
    assert "singularity" in WALKER.rule_broken(state.game, state.states)


def greens(number: int) -> list[str]:
    parts = game(2).parts
    t = parts.tables[0]
    found = [k for k in range(int(t["cards"])) if 1 in (t["left"][k], t["right"][k]) and t["kind"][k] == 0]
    return [parts.card_names[k] for k in found[:number]]


@pytest.mark.long
def test_a_million_random_decisions_keep_the_invariants() -> None:
    decisions = 0
    taken = np.zeros(625, np.int64)
    for of, starts in walks():
        done = WALKER.walk(of, 65_000, seed=of.num_players, starts=starts)
        assert done.rule == ALL_WELL, f"{of}, decision {done.decisions}"
        decisions += done.decisions
        taken += done.tally
    assert decisions == 1_040_000
    for name, span in game(2).action_layout.slices.items():
        assert taken[span].sum() > 0, f"{name} was never chosen"


@pytest.mark.long
def test_160_000_decisions_with_bounds_checks() -> None:
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_BOUNDSCHECK": "1"}
    command = [sys.executable, "-W", "error", "-m", "tests.pax.walker", "160000"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(text) for text in done.stdout.splitlines()]
    assert sum(one["decisions"] for one in lines) == 160_000 and {one["rule"] for one in lines} == {ALL_WELL}
