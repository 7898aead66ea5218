"""The table of the 209 actions, and that every one of them can be taken."""

from __future__ import annotations

import numpy as np
import pytest

from core.game import IllegalActionError
from tests.xenon.cards import CONTRACTS, ELEMENTS, INSTALLABLE, MARKET_UPGRADES, PIPELINES, UPGRADES
from tests.xenon.table import at, expect, game, is_legal, play
from tests.xenon.walker import WALKER
from xenon_env import Game

SLOTS = [f"{word}:{number}" for word in ("contract", "upgrade") for number in range(1, 5)]
PLAYED = (
    *("reflux", "silica_gel", "relief_valve", "expansion_turbine", "swing_adsorption", "reboiler", "refrigeration"),
    *("sales_executive", "agent", "packed_columns", "mass_flow", "buyer", "reclaiming"),
)
USED = ("reflux", "silica_gel", "relief_valve", "expansion_turbine", "swing_adsorption", "packed_columns")
TABLE: list[tuple[int, int, list[str]]] = [
    (0, 6, ["overtime:no", "overtime:yes", "distill", "end:distill", "peek:draw", "peek:discard", "complete:full"]),
    (7, 8, ["air", "air:feed"]),
    (9, 12, ["wipe:contract", "wipe:upgrade", "wipe:contract:engineer", "wipe:upgrade:engineer"]),
    (13, 17, ["privilege:stars", "privilege:turn", "end:market", "end:discard", "bid:none"]),
    (18, 25, [f"bid:{slot}" for slot in SLOTS]),
    (26, 81, [f"move:{a}:{b}" for a in SLOTS for b in SLOTS if a != b]),
    (82, 89, [f"buy:{slot}" for slot in SLOTS]),
    (90, 93, [f"buy_install:{slot}" for slot in SLOTS[4:]]),
    (94, 106, [f"play:{card}" for card in PLAYED]),
    (107, 112, [f"use:{card}" for card in USED]),
    (113, 127, [f"install:{card}" for card in INSTALLABLE]),
    (128, 142, [f"install_free:{card}" for card in INSTALLABLE]),
    (143, 166, [f"discard:{card.lower()}" for card in (*ELEMENTS, *UPGRADES)]),
    (167, 208, [f"choose:{card.lower()}" for card in (*CONTRACTS, *PIPELINES, *MARKET_UPGRADES)]),
]
NAMES = [name for _, _, names in TABLE for name in names]


def test_the_blocks_have_the_ids_of_the_table() -> None:
    for first, last, names in TABLE:
        assert len(names) == last - first + 1
        assert NAMES[first : last + 1] == names
    assert len(NAMES) == len(set(NAMES)) == 209


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_names_and_ids_for_every_number_of_players(seats: int) -> None:
    one = game(seats)
    assert one.num_actions == 209
    assert [one.action_to_string(number) for number in range(209)] == NAMES
    assert [one.string_to_action(name) for name in NAMES] == list(range(209))
    state = one.new_initial_state(0)
    assert [state.action_to_string(number) for number in range(209)] == NAMES
    assert [state.string_to_action(name) for name in NAMES] == list(range(209))


NO_ACTIONS = [
    "move:contract:1:contract:1",
    "bid:contract:5",
    "buy_install:contract:1",
    "play:feed",
    "play:contractor",
    "play:engineer",
    "play:lobbyist",
    "use:reboiler",
    "use:feed",
    "install:buyer",
    "install_free:contractor",
    "discard:m1",
    "choose:feed",
    "choose:n",
    "wipe",
    "air:engineer",
    "Distill",
    "pass",
]


@pytest.mark.parametrize("name", NO_ACTIONS)
def test_names_that_are_no_action(name: str) -> None:
    with pytest.raises(IllegalActionError, match="unknown action"):
        game().string_to_action(name)


def test_every_action_is_reached_by_random_play_but_one_that_the_cards_rule_out() -> None:
    """The only Engineer has been played when cards are chosen: no game draws it then, but a position may."""
    tally = {seats: WALKER.walk(Game(seats), 600_000, seed=seats).tally for seats in (2, 3, 4, 5)}
    together = sum(tally.values())
    never = [NAMES[number] for number in np.flatnonzero(together == 0)]
    assert never == ["choose:engineer"]
    state = at("choose", turn={"wiped": "upgrade", "drawn": {"engineer": 1}})
    assert is_legal(state, "choose:engineer")
    expect(play(state, "choose:engineer"), upgrade_line=["engineer", None, None], phase="market")
    fourth = [number for number, name in enumerate(NAMES) if "contract:4" in name or "upgrade:4" in name]
    assert len(fourth) == 2 + 2 * 7 + 2 * 6 + 2 + 1
    assert (tally[2][fourth] == 0).all(), "two players have three slots a line"
    assert (sum(tally[seats][fourth] for seats in (3, 4, 5)) > 0).all()
