"""The rulebook's worked examples: a position, actions, and what must then hold. (vectors.json)

``expect`` has dotted paths into ``to_dict``; dicts are matched in part, ``{}`` and paths ending in ``=`` exactly.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pax.helpers import at, do, names

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
ABSENT = "<absent>"


def look_up(position: Any, path: str) -> Any:
    for word in path.split("."):
        if isinstance(position, list):
            position = position[int(word)]
        elif word in position:
            position = position[word]
        else:
            return ABSENT
    return position


def check(want: Any, got: Any, path: str = "") -> None:
    if isinstance(want, dict) and want:
        for key, value in want.items():
            if key.endswith("="):
                assert look_up(got, key[:-1]) == value, path + key
            else:
                check(value, look_up(got, key), f"{path}{key}: ")
    else:
        assert got == want, path


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_worked_example(vector: dict[str, Any]) -> None:
    state = at(vector.get("n", 2), vector.get("options"), **vector["state"])
    after = do(state, *vector["do"])
    if "expect" in vector:
        check(vector["expect"], after)
    if "only" in vector:
        assert names(state) == set(vector["only"])
    for key in ("scores", "winners", "returns"):
        if key in vector:
            assert getattr(state, key)() == vector[key]


def test_a_position_in_the_middle_of_a_game() -> None:
    """Every key of a whole dict, in its order, as the schema says; blue is asked about black heat."""
    text = (Path(__file__).parent / "example.json").read_text()
    position = json.loads(text)
    state = at(**{key: value for key, value in position.items() if key not in ("options",)})
    assert json.dumps(state.to_dict()) == json.dumps(position)
    assert names(state) == {"cover", "leave"}
    after = do(state, "cover")
    assert after["market"]["developing_world"][5]["black"] == ["blue"] and after["players"][0]["capital"] == 5
