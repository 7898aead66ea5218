"""A board as text, turned into what a person or a program looks at: terminal, image, SVG, HTML."""

from __future__ import annotations

import functools
import io
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.schema import listed

if TYPE_CHECKING:
    from PIL import ImageFont
    from rich.console import Console
    from rich.text import Text

__all__ = ["FPS", "MODES", "ansi", "checked_mode", "frame", "html", "image", "show", "svg"]

MODES = ("ansi", "human", "rgb_array")
FPS = 2

INK, PAPER, BAR = (31, 35, 40), (252, 252, 250), (228, 231, 235)
FONT_FILE = "DejaVuSansMono-subset.ttf"


def checked_mode(mode: str | None) -> str | None:
    """The render mode itself; ValueError if there is no such mode."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode: expected one of {listed(MODES)} or None, got {mode!r}")
    return mode


def frame(text: str, mode: str, title: str = "") -> str | NDArray[np.uint8] | None:
    """The board in one of ``MODES``: the text itself, printed (None), or an image."""
    if mode == "ansi":
        return text
    if mode == "human":
        show(text, title)
        return None
    return image(text, title)


def show(text: str, title: str = "") -> None:
    """Print the board, in colour and framed where the terminal can."""
    from rich.console import Console

    console = Console()
    console.width = max(console.width, _width(text))
    _print(console, text, title)


def ansi(text: str, title: str = "") -> str:
    """The framed board with the codes that colour it in a terminal."""
    console = _recorder(text, force_terminal=True)
    _print(console, text, title)
    return console.export_text(styles=True)


def svg(text: str, title: str = "") -> str:
    """The board as an SVG document."""
    console = _recorder(text)
    console.print(_highlighted(text))
    return console.export_svg(title=title)


def html(text: str, title: str = "") -> str:
    """The board as an HTML page."""
    console = _recorder(text)
    _print(console, text, title)
    return console.export_html()


def image(text: str, title: str = "", size: int = 15) -> NDArray[np.uint8]:
    """The board as an image, ``uint8[height, width, 3]``: dark text on light paper, columns aligned.

    Args:
        text: the board.
        title: shown in a bar above it, if not empty.
        size: of the letters, in pixels; the image is as large as the text needs.
    """
    from PIL import Image, ImageDraw

    font = _font(size)
    advance, line = font.getlength("M"), sum(font.getmetrics())
    rows = text.expandtabs().splitlines() or [""]
    margin = size
    bar = round(1.6 * line) if title else 0
    width = round(advance * max(len(title), *map(len, rows))) + 2 * margin
    picture = Image.new("RGB", (width, bar + line * len(rows) + 2 * margin), PAPER)
    pen = ImageDraw.Draw(picture)
    if title:
        pen.rectangle((0, 0, width, bar - 1), fill=BAR)
        pen.text((margin, bar // 2), title, INK, font, anchor="lm")
    for row, line_text in enumerate(rows):
        pen.text((margin, bar + margin + row * line), line_text, INK, font)
    return np.asarray(picture, np.uint8).copy()


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    data = resources.files("core").joinpath("data", FONT_FILE).read_bytes()
    return ImageFont.truetype(io.BytesIO(data), size)


def _recorder(text: str, force_terminal: bool = False) -> Console:
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        record=True,
        width=_width(text),
        force_terminal=force_terminal,
        color_system="truecolor" if force_terminal else "auto",
        legacy_windows=False,
    )


def _width(text: str) -> int:
    """Columns of the framed board: a terminal that is too narrow wraps it, which shows more than cutting it."""
    return max(40, max(map(len, text.splitlines()), default=0) + 4)


def _highlighted(text: str) -> Text:
    from rich.highlighter import ReprHighlighter
    from rich.text import Text

    return ReprHighlighter()(Text(text.rstrip("\n"), no_wrap=True, overflow="ignore"))


def _print(console: Console, text: str, title: str) -> None:
    from rich.panel import Panel
    from rich.text import Text

    console.print(Panel.fit(_highlighted(text), title=Text(title) if title else None, title_align="left"))
