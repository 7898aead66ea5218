"""A board as text, image, SVG and HTML."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core import render

BOARD = "round 3   player 1\n  AIR | N2 | Xe\n  ----+----+---\n   12 |  3 |  0"


def ink(picture: np.ndarray) -> np.ndarray:
    """True where something dark is drawn."""
    return picture.mean(axis=2) < 128


def test_modes() -> None:
    assert [render.checked_mode(mode) for mode in (None, *render.MODES)] == [None, *render.MODES]
    for wrong in ("svg", "", "HUMAN", 3):
        with pytest.raises(ValueError, match="ansi, human, rgb_array or None"):
            render.checked_mode(wrong)  # type: ignore[arg-type]


def test_frames(capsys: pytest.CaptureFixture[str]) -> None:
    assert render.frame(BOARD, "ansi") == BOARD
    assert render.frame(BOARD, "human", "Title") is None
    printed = capsys.readouterr().out
    assert "Title" in printed and all(line in printed for line in BOARD.splitlines())
    picture = render.frame(BOARD, "rgb_array")
    assert isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.ndim == 3


def test_an_image_is_dark_on_light_and_as_large_as_the_text() -> None:
    small, large = render.image("X"), render.image("X" * 100 + "\nX" * 40)
    assert small.dtype == np.uint8 and small.shape[2] == 3
    assert large.shape[0] > 10 * small.shape[0] / 2 and large.shape[1] > 20 * small.shape[1] / 2
    for picture in (small, large):
        assert picture[0, 0].min() > 240, "light paper"
        assert 0 < ink(picture).mean() < 0.3
        assert picture.flags.writeable
    assert render.image("").shape[2] == 3
    assert not ink(render.image("")).any()
    assert render.image("X", size=30).shape[0] > 1.5 * small.shape[0]


def test_columns_are_aligned() -> None:
    """The same letter in the same column of two lines is drawn at the same place, whatever stands before it."""
    rows = [render.image(f"{before}W" + " " * 9) for before in ("iiiiiiiiii", "MMMMMMMMMM", "          ", "──────────")]
    assert len({picture.shape for picture in rows}) == 1
    last = [ink(picture)[:, picture.shape[1] - 15 - 9 * 9 - 10 :] for picture in rows]
    assert all((one == last[0]).all() for one in last) and last[0].any()


def test_the_title_stands_in_a_bar() -> None:
    plain, titled = render.image(BOARD), render.image(BOARD, "Xenon Profiteer")
    bar = titled.shape[0] - plain.shape[0]
    assert bar > 15 and ink(titled)[:bar].any()
    assert (titled[bar:, : plain.shape[1]] == plain).all()
    assert render.image("X", "a long title").shape[1] > render.image("X").shape[1]


@pytest.mark.parametrize("letter", list("┌─┐│└┘█▌░→←↑↓≤≥·•—äéß€½◆●★"))
def test_the_font_has_what_boards_are_drawn_with(letter: str) -> None:
    missing = render.image("\U0010fffd")
    assert not np.array_equal(render.image(letter), missing)


def test_svg_html_and_colour() -> None:
    assert render.svg(BOARD, "Title").startswith("<svg") and "Title" in render.svg(BOARD, "Title")
    page = render.html(BOARD, "Title")
    assert page.lstrip().startswith("<!DOCTYPE html>") and "AIR" in page
    coloured = render.ansi(BOARD)
    assert "\x1b[" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert all(line in bare for line in BOARD.splitlines())


def test_markup_in_a_board_is_text() -> None:
    bare = re.sub(r"\x1b\[[0-9;]*m", "", render.ansi("a [bold] b", "[red]"))
    assert "a [bold] b" in bare and "[red]" in bare


def test_wide_boards_are_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    wide = "=" * 110
    for text in (render.ansi(wide), render.html(wide)):
        assert wide in text
    render.show(wide)
    assert wide in capsys.readouterr().out
