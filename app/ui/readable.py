"""Makes a model's text safe to look at: control and direction characters become visible signs.

One character always becomes one character, so that places in the text stay what they are. The
original is kept elsewhere and is what "Copy" gives. No Qt here.
"""

from __future__ import annotations

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)}
_DIRECTION = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")
_TABLE: dict[int, str] = {
    **_PICTURES,
    0x09: "\t",
    0x0A: "\n",
    0x0D: "\u240d",
    0x0B: "\n",
    0x0C: "\n",
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),  # C1 controls
    0x85: "\n",
    0x2028: "\n",
    0x2029: "\n",
    **_DIRECTION,  # can make code read otherwise than it runs
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),  # lone surrogates cannot be encoded
    0xFFFC: "\ufffd",  # Qt reads it as "an object is here"
    **dict.fromkeys([0xFDD0, 0xFDD1, 0xFFFE, 0xFFFF], "\ufffd"),  # Qt's own frame marks
}


def readable(text: str) -> str:
    """The text as it is shown: escape sequences, direction signs and the like are visible."""
    return text.translate(_TABLE)
