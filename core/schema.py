"""Reading dicts that people wrote: every error names the path of the value and what is allowed there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

__all__ = ["Fields", "listed"]


def listed(values: Collection[object], most: int = 12) -> str:
    """The values as a readable list for a message, cut after ``most``."""
    shown = [str(value) for value in list(values)[:most]]
    if len(values) > most:
        shown.append(f"... ({len(values)} in all)")
    return ", ".join(shown) if shown else "nothing"


class Fields:
    """A dict that is read key by key.

    Reading methods return the default for a missing key and raise ``ValueError`` for a value that does not fit.
    ``finish`` (or leaving the ``with`` block) raises for keys that nobody asked for.
    """

    def __init__(self, value: Any, path: str = "") -> None:
        self.path = path
        if not isinstance(value, Mapping):
            raise ValueError(f"{path or 'the position'}: expected a dict, got {value!r}")
        self.value = value
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def __enter__(self) -> Fields:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.finish()

    def at(self, key: str | int) -> str:
        """The path of an entry, as error messages write it."""
        if isinstance(key, int):
            return f"{self.path}[{key}]"
        return f"{self.path}.{key}" if self.path else key

    def error(self, key: str | int, message: str) -> ValueError:
        """An error that names the entry; for the caller to raise."""
        return ValueError(f"{self.at(key)}: {message}")

    def finish(self) -> None:
        """Raise ``ValueError`` if there are keys that were not read."""
        for key in self.value:
            if key not in self._known:
                raise self.error(str(key), f"unknown key; known are {listed(sorted(self._known), 40)}")

    def raw(self, key: str, default: Any = None) -> Any:
        """The value as it is."""
        self._known.add(key)
        return self.value.get(key, default)

    def integer(self, key: str, default: int | None, low: int = 0, high: int | None = None) -> int:
        """A whole number from ``low`` to ``high``; without a default the key must be there."""
        value = self.raw(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
            span = f"from {low} to {high}" if high is not None else f"of at least {low}"
            raise self.error(key, f"expected a whole number {span}, got {value!r}")
        return value

    def flag(self, key: str, default: bool | None) -> bool:
        """True or false."""
        value = self.raw(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, got {value!r}")
        return value

    def choice(
        self, key: str, allowed: Collection[str], default: str | None = None, optional: bool = False
    ) -> str | None:
        """One of the ``allowed`` words; with ``optional`` also None."""
        value = self.raw(key, default)
        if value is None and optional:
            return None
        if not isinstance(value, str) or value not in allowed:
            raise self.error(
                key, f"expected one of {listed(allowed, 40)}{' or null' if optional else ''}, got {value!r}"
            )
        return value

    def fields(self, key: str) -> Fields:
        """A dict within this one; {} if it is missing."""
        return Fields(self.raw(key, {}), self.at(key))

    def items(self, key: str, most: int | None = None, exactly: int | None = None) -> list[Any]:
        """A list; [] if it is missing."""
        value = self.raw(key, [])
        if not isinstance(value, (list, tuple)):
            raise self.error(key, f"expected a list, got {value!r}")
        if exactly is not None and key in self.value and len(value) != exactly:
            raise self.error(key, f"expected {exactly} entries, got {len(value)}")
        if most is not None and len(value) > most:
            raise self.error(key, f"expected at most {most} entries, got {len(value)}")
        return list(value)

    def words(self, key: str, allowed: Collection[str], distinct: bool = True) -> list[str]:
        """A list of the ``allowed`` words, each at most once unless ``distinct`` is false."""
        value = self.items(key)
        for k, word in enumerate(value):
            if not isinstance(word, str) or word not in allowed:
                raise self.error(key, f"entry {k} is {word!r}; allowed are {listed(allowed, 40)}")
            if distinct and word in value[:k]:
                raise self.error(key, f"{word} occurs twice")
        return value

    def counts(self, key: str, allowed: Collection[str], default: Mapping[str, int] | None = None) -> dict[str, int]:
        """A multiset ``{word: count}`` over the ``allowed`` words, zero counts dropped."""
        value = self.raw(key, default if default is not None else {})
        inner = Fields(value, self.at(key))
        for word in value:
            if word not in allowed:
                raise self.error(key, f"{word!r} cannot be here; allowed are {listed(allowed, 40)}")
        return {word: count for word in value if (count := inner.integer(word, None)) > 0}
