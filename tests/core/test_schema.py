"""Reading dicts that people wrote."""

from __future__ import annotations

import pytest

from core.schema import Fields, listed


def test_listed() -> None:
    assert listed([]) == "nothing"
    assert listed(["a", 2]) == "a, 2"
    assert listed(range(5), most=2) == "0, 1, ... (5 in all)"


def test_values_and_defaults() -> None:
    with Fields({"n": 3, "yes": True, "word": "b", "items": [1, 2], "inner": {"k": 1}, "raw": None}) as fields:
        assert fields.integer("n", 0) == 3 and fields.integer("absent", 7) == 7
        assert fields.flag("yes", False) is True and fields.flag("no", False) is False
        assert fields.choice("word", ["a", "b"]) == "b" and fields.choice("gone", ["a"], "a") == "a"
        assert fields.choice("none", ["a"], optional=True) is None
        assert fields.items("items") == [1, 2] and fields.items("nothing") == []
        with fields.fields("inner") as inner:
            assert inner.integer("k", 0) == 1
        assert fields.raw("raw", 5) is None and "raw" in fields
    assert Fields({"pile": {"a": 2, "b": 0}}).counts("pile", ["a", "b"]) == {"a": 2}
    assert Fields({}).counts("pile", ["a"], {"a": 1}) == {"a": 1}
    assert Fields({"cards": ["a", "b"]}).words("cards", ["a", "b", "c"]) == ["a", "b"]
    assert Fields({"cards": ["a", "a"]}).words("cards", ["a"], distinct=False) == ["a", "a"]


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda f: f.integer("n", 0, 0, 5), r"n: expected a whole number from 0 to 5, got 9"),
        (lambda f: f.integer("yes", 0), r"yes: expected a whole number of at least 0, got True"),
        (lambda f: f.integer("absent", None), r"absent: expected a whole number of at least 0, got None"),
        (lambda f: f.integer("half", 0), r"half: expected a whole number .* got 0.5"),
        (lambda f: f.flag("n", False), r"n: expected true or false, got 9"),
        (lambda f: f.choice("word", ["a", "b"]), r"word: expected one of a, b, got 'z'"),
        (lambda f: f.choice("word", ["a"], optional=True), r"word: expected one of a or null, got 'z'"),
        (lambda f: f.choice("gone", ["a"]), r"gone: expected one of a, got None"),
        (lambda f: f.items("word"), r"word: expected a list, got 'z'"),
        (lambda f: f.items("items", most=1), r"items: expected at most 1 entries, got 2"),
        (lambda f: f.items("items", exactly=3), r"items: expected 3 entries, got 2"),
        (lambda f: f.words("items", ["q"]), r"items: entry 1 is 'r'; allowed are q"),
        (lambda f: f.words("twice", ["q"]), r"twice: q occurs twice"),
        (lambda f: f.counts("pile", ["a"]), r"pile: 'b' cannot be here; allowed are a"),
        (lambda f: f.counts("pile", ["b"]), r"pile\.b: expected a whole number of at least 0, got -1"),
        (lambda f: f.fields("n"), r"n: expected a dict, got 9"),
        (lambda f: f.fields("inner").fields("deep").integer("k", 0), r"inner\.deep\.k: expected a whole number"),
        (lambda f: f.finish(), r"n: unknown key; known are nothing"),
    ],
)
def test_errors_name_the_path(read, message: str) -> None:
    fields = Fields(
        {
            "n": 9, "yes": True, "half": 0.5, "word": "z", "items": ["q", "r"], "twice": ["q", "q"],
            "pile": {"b": -1}, "inner": {"deep": {"k": "x"}},
        }
    )  # fmt: skip
    with pytest.raises(ValueError, match=f"^{message}"):
        read(fields)


def test_unknown_keys_are_reported_unless_something_else_is_wrong() -> None:
    with (
        pytest.raises(ValueError, match=r"^players\.cash2: unknown key; known are cash"),
        Fields({"cash": 1, "cash2": 2}, "players") as fields,
    ):
        fields.integer("cash", 0)
    with pytest.raises(KeyError), Fields({"left": 1}):
        raise KeyError("something else")
    with pytest.raises(ValueError, match="the position: expected a dict"):
        Fields([])
    assert Fields({}, "row").at(3) == "row[3]"
