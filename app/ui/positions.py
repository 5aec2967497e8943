"""Python counts characters, Qt counts UTF-16 units.

An emoji is one here and two there. No Qt here.
"""

from __future__ import annotations

from collections.abc import Callable


def qt_positions(text: str) -> Callable[[int], int]:
    """A function from a character index of `text` to Qt's position."""
    wide = [index for index, character in enumerate(text) if ord(character) > 0xFFFF]
    if not wide:
        return _same
    units = [0] * (len(text) + 1)
    total = 0
    for index, character in enumerate(text):
        units[index] = total
        total += 2 if ord(character) > 0xFFFF else 1
    units[len(text)] = total
    return units.__getitem__


def from_qt(text: str, position: int) -> int:
    """The character index of `text` at Qt's position; inside a wide character, its own."""
    units = 0
    for index, character in enumerate(text):
        units += 2 if ord(character) > 0xFFFF else 1
        if units > position:
            return index
    return len(text)


def _same(index: int) -> int:
    return index
