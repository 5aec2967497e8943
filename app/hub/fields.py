"""Reading JSON whose shape is checked on the way: a wrong field is named with its place.

Imports nothing of the app.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TypeVar

E = TypeVar("E", bound=Enum)


class Wrong(Exception):
    """Where and what is wrong."""


class Fields:
    """A JSON object whose fields are taken by type; says where it is when they are wrong."""

    def __init__(self, raw: object, where: str) -> None:
        if not isinstance(raw, dict):
            raise Wrong(f"{where} is no object")
        self._raw = raw
        self.where = where

    def fail(self, key: str, why: str) -> Wrong:
        """The error for a field."""
        return Wrong(f"{self.where}.{key} {why}")

    def text(self, key: str, pattern: str = ".+") -> str:
        """A text that matches a pattern."""
        value = self._raw.get(key)
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.DOTALL):
            raise self.fail(key, f"is not what it must be: {value!r}")
        return value

    def text_or_none(self, key: str, pattern: str = ".+") -> str | None:
        """The same, or nothing."""
        return None if self._raw.get(key) is None else self.text(key, pattern)

    def count(self, key: str) -> int:
        """A whole number above 0."""
        value = self._raw.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise self.fail(key, f"is no positive whole number: {value!r}")
        return value

    def number(self, key: str) -> float:
        """A number above 0."""
        value = self._raw.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e6:
            raise self.fail(key, f"is no sensible number: {value!r}")
        return float(value)

    def flag_or_none(self, key: str) -> bool | None:
        """True, false or nothing."""
        value = self._raw.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.fail(key, f"is neither true nor false: {value!r}")
        return value

    def child(self, key: str) -> Fields:
        """An object inside."""
        return Fields(self._raw.get(key), f"{self.where}.{key}")

    def children(self, key: str) -> list[Fields]:
        """A list of objects."""
        return [
            Fields(one, f"{self.where}.{key}[{index}]") for index, one in enumerate(self._list(key))
        ]

    def choice(self, key: str, kind: type[E]) -> E:
        """One of the known words."""
        return self._member(key, self._raw.get(key), kind)

    def choices(self, key: str, kind: type[E]) -> tuple[E, ...]:
        """Some of the known words."""
        found = tuple(self._member(key, value, kind) for value in self._list(key))
        if not found:
            raise self.fail(key, "is empty")
        return found

    def _member(self, key: str, value: object, kind: type[E]) -> E:
        for member in kind:
            if member.value == value:
                return member
        raise self.fail(key, f"is none of the known words: {value!r}")

    def _list(self, key: str) -> list[object]:
        value = self._raw.get(key)
        if not isinstance(value, list):
            raise self.fail(key, "is no list")
        return value
