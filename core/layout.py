"""Named blocks, declared once, that give ids, slices, names and tables: one for actions, one for observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.jit import jit

__all__ = ["ActionLayout", "Block", "Layout", "ObservationLayout", "at"]


@jit
def at(start, k):
    """The index ``start + k`` of something in a block that begins at ``start``, both known not to be negative.

    An unsigned index spares numba's test for counting from the end, without which a loop becomes vector code.
    """
    return np.uint64(start + k)


@dataclass(frozen=True)
class Block:
    """A run of neighbouring entries.

    Attributes:
        name: what the block is called in code and tables.
        entries: the full name of each entry.
        doc: one line for the tables.
    """

    name: str
    entries: tuple[str, ...]
    doc: str = ""

    @classmethod
    def of(cls, name: str, parts: Iterable[object] | None = None, doc: str = "", joint: str = ":") -> Block:
        """A block whose entries are ``name`` itself, or ``name`` joined to each of ``parts``."""
        entries = (name,) if parts is None else tuple(f"{name}{joint}{part}" for part in parts)
        return cls(name, entries, doc)


class Layout:
    """Blocks one after the other."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = tuple(blocks)
        self.names: list[str] = [entry for block in blocks for entry in block.entries]
        self.slices: dict[str, slice] = {}
        start = 0
        for block in blocks:
            if block.name in self.slices:
                raise ValueError(f"two blocks are called {block.name!r}")
            self.slices[block.name] = slice(start, start + len(block.entries))
            start += len(block.entries)
        self._ids = {name: i for i, name in enumerate(self.names)}
        if len(self._ids) != len(self.names):
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise ValueError(f"names that occur twice: {', '.join(twice)}")

    def __len__(self) -> int:
        return len(self.names)

    def start(self, block: str) -> np.int64:
        """The id of a block's first entry, of the type kernels use: numba compiles anew for every plain ``int``."""
        return np.int64(self.slices[block].start)

    def id(self, name: str) -> np.int64:
        """The id of an entry, of the type kernels use; KeyError for an unknown name."""
        return np.int64(self._ids[name])

    def get(self, name: str) -> int | None:
        """The id of an entry, or None for an unknown name."""
        return self._ids.get(name)


class ActionLayout(Layout):
    """The flat action space of a game: name <-> id."""

    def markdown(self) -> str:
        """The action table of a game's README."""
        lines = ["| ids | names | count | meaning |", "|---|---|---|---|"]
        for block in self.blocks:
            span = self.slices[block.name]
            ids = f"{span.start}" if span.stop - span.start == 1 else f"{span.start}-{span.stop - 1}"
            shown = list(block.entries) if len(block.entries) <= 3 else [block.entries[0], "...", block.entries[-1]]
            names = " ".join(name if name == "..." else f"`{name}`" for name in shown)
            lines.append(f"| {ids} | {names} | {span.stop - span.start} | {block.doc} |")
        return "\n".join(lines) + "\n"


class ObservationLayout(Layout):
    """The features of a game's observation vector."""

    def markdown(self) -> str:
        """The observation table of a game's README."""
        lines = ["| features | block | count | what it holds |", "|---|---|---|---|"]
        for block in self.blocks:
            span = self.slices[block.name]
            lines.append(f"| {span.start}-{span.stop - 1} | `{block.name}` | {span.stop - span.start} | {block.doc} |")
        return "\n".join(lines) + "\n"
