"""The board as text."""

from __future__ import annotations

import numpy as np

from tests.pax.helpers import at, employees, game, rich_position, slot


def test_the_board_fits_and_shows_the_table() -> None:
    for n in (1, 2, 3, 4):
        of = game(n)
        for seed in range(5):
            text = str(of.state_from_dict(rich_position(of, np.random.default_rng(seed))))
            assert max(map(len, text.split("\n"))) <= 110
            assert all(word in text for word in ("MARKET", "SPLAY", "INFRASTRUCTURE", "legal: end_turn"))


def test_what_a_line_says() -> None:
    text = str(
        at(
            market={"cloud": [slot("senolytics", "blue", "red", white=("red",))]},
            splay=[{"card": "exocortex", "visible": "blue", "white": ["blue"]}],
            infrastructure=employees("isolation", isolation="red"),
            players=[{"hidden": "space", "problems": {"aging": 2}}, {"hidden": "cloud"}],
        )
    )
    assert f"0 {'senolytics':<24} gold/gold     BR   (R)[.]" in text
    assert ">>g maker FW, recession, growth" in text
    assert f"0 blue    {'exocortex':<28} gold/blue     (B.)" in text
    assert "isolation=R:B" in text and "2xaging" in text
    assert "hidden: space" in text and "hidden: cloud" not in text


def test_the_end_is_told() -> None:
    text = str(at(terminal=True, phase="over", result={"end": "plurality"}))
    assert "The game is over: plurality. Scores: blue 0, red 0. Won by red." in text
