"""Which parts of an answer were drafted and accepted, and where they are on screen.

The engine says it for pieces of the raw text; the screen shows that text without its Markdown
signs. `locate` finds one in the other: what is shown is, almost, the raw text with characters
left out. No Qt here.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.engine.protocol import PieceSource

_ADDRESS = re.compile(r"(\]\()((?:[a-z]+:|[/.#?])[^\s)]*)", re.IGNORECASE)  # of a link: not shown
_REACH = 600  # raw characters to search for the next shown one: longer than any link


@dataclass(frozen=True, slots=True)
class Span:
    """Characters start..end of a text that came from one source."""

    start: int
    end: int
    source: PieceSource


class Spans:
    """The sources of a growing text; neighbours with one source are one span."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._length = 0

    def add(self, length: int, source: PieceSource) -> None:
        """The next `length` characters came from `source`."""
        if length <= 0:
            return
        start, self._length = self._length, self._length + length
        last = self._spans[-1] if self._spans else None
        if last is not None and last.source is source:
            self._spans[-1] = Span(last.start, self._length, source)
        else:
            self._spans.append(Span(start, self._length, source))

    def drafted(self, start: int, end: int) -> Iterator[Span]:
        """The drafted spans inside start..end, cut to it."""
        first = bisect_right(self._spans, start, key=lambda span: span.end)
        for span in itertools.islice(self._spans, first, None):
            if span.start >= end:
                break
            if span.source is not PieceSource.TARGET:
                yield Span(max(start, span.start), min(end, span.end), span.source)

    def at(self, place: int) -> Span | None:
        """The span that holds a character; None past the end."""
        first = bisect_right(self._spans, place, key=lambda span: span.end)
        return self._spans[first] if first < len(self._spans) else None

    def __len__(self) -> int:
        return self._length


def locate(raw: str, shown: str, spans: Iterable[Span]) -> list[Span]:
    """The spans of `raw` as spans of `shown`, the same text without Markdown signs."""
    sources = _sources(len(raw), spans)
    found: list[Span] = []
    for index, place in places(raw, shown):
        source = sources[place]
        if source is not None:
            _extend(found, index, source)
    return found


def places(raw: str, shown: str) -> Iterator[tuple[int, int]]:
    """Where the characters of `shown` stand in `raw`: (index in shown, index in raw)."""
    raw = _ADDRESS.sub(lambda found: found.group(1) + "\0" * len(found.group(2)), raw)
    at = 0
    for index, character in enumerate(shown):
        if character.isspace():
            continue
        place = raw.find(character, at, at + _REACH)
        if place >= 0:
            at = place + 1
            yield index, place


def _sources(length: int, spans: Iterable[Span]) -> list[PieceSource | None]:
    sources: list[PieceSource | None] = [None] * length
    for span in spans:
        for index in range(span.start, min(span.end, length)):
            sources[index] = span.source
    return sources


def _extend(found: list[Span], index: int, source: PieceSource) -> None:
    """Add one shown character; white space between two of one source belongs to them."""
    last = found[-1] if found else None
    if last is not None and last.source is source and index - last.end <= 1:
        found[-1] = Span(last.start, index + 1, source)
    else:
        found.append(Span(index, index + 1, source))
