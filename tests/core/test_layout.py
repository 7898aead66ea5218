"""Named blocks."""

from __future__ import annotations

import pytest

from core.layout import ActionLayout, Block, Layout, ObservationLayout

BLOCKS = [Block.of("pass"), Block.of("buy", range(3), "buy a card"), Block("odd", ("x", "y"), "two things")]


def test_ids_follow_the_blocks() -> None:
    layout = Layout(BLOCKS)
    assert layout.names == ["pass", "buy:0", "buy:1", "buy:2", "x", "y"] and len(layout) == 6
    assert layout.slices == {"pass": slice(0, 1), "buy": slice(1, 4), "odd": slice(4, 6)}
    assert layout.start("buy") == 1 and layout.id("buy:2") == 3
    assert [layout.id(name) for name in layout.names] == list(range(6))
    assert layout.get("y") == 5 and layout.get("buy") is None
    with pytest.raises(KeyError):
        layout.id("buy:3")


def test_other_joints() -> None:
    assert Block.of("cash", [0, 1], joint=".").entries == ("cash.0", "cash.1")


def test_nothing_occurs_twice() -> None:
    with pytest.raises(ValueError, match="two blocks are called 'pass'"):
        Layout([Block.of("pass"), Block.of("pass", [1])])
    with pytest.raises(ValueError, match=r"occur twice: a:1"):
        Layout([Block.of("a", [1, 2]), Block("b", ("a:1",))])


def test_tables() -> None:
    actions = ActionLayout([*BLOCKS, Block.of("sell", range(9), "sell")]).markdown().splitlines()
    assert actions[2] == "| 0 | `pass` | 1 |  |"
    assert actions[3] == "| 1-3 | `buy:0` `buy:1` `buy:2` | 3 | buy a card |"
    assert actions[5] == "| 6-14 | `sell:0` ... `sell:8` | 9 | sell |"
    features = ObservationLayout(BLOCKS).markdown().splitlines()
    assert features[3] == "| 1-3 | `buy` | 3 | buy a card |"
    assert len(features) == 5
