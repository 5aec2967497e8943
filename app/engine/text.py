"""Bytes of tokens to the text of an answer: whole characters, stop strings, reasoning blocks.

Pure text work, called once per token. Knows neither models nor llama.cpp; imports only protocol.

Three stages, each holding back no more than it must. Bytes become characters (`Utf8Stream`). Text
that could still become a stop string waits; stop strings are looked for in all that the model
writes, reasoning included. Then reasoning blocks are told apart from the answer and their markers
dropped. A block can open only where nothing of the answer has been written yet: a `<think>` later
on is the model talking about the tag. Control tokens that belong to a marker (`[THINK]`,
`<|channel|>`) must reach this file as their text, not as nothing: see `is_marker_part`.
"""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.protocol import PieceSource, TextPiece


@dataclass(frozen=True, slots=True)
class ReasoningMarker:
    """What opens and closes a reasoning block; without `closes` it is only a header to drop."""

    opens: str
    closes: str = ""


DEFAULT_MARKERS = (
    ReasoningMarker("<think>", "</think>"),  # Qwen 3, DeepSeek R1, SmolLM3 and most others
    ReasoningMarker("<|channel|>analysis<|message|>", "<|end|>"),  # gpt-oss
    ReasoningMarker("<|channel|>final<|message|>"),
    ReasoningMarker("<|start|>assistant"),
    ReasoningMarker("<|channel>thought", "<channel|>"),  # Gemma 4
    ReasoningMarker("[THINK]", "[/THINK]"),  # Magistral
    ReasoningMarker("<seed:think>", "</seed:think>"),  # Seed-OSS
    ReasoningMarker("<|START_THINKING|>", "<|END_THINKING|>"),  # Command A
    ReasoningMarker("<thought>", "</thought>"),  # EXAONE
    ReasoningMarker("<thinking>", "</thinking>"),
)


def is_marker_part(token_text: str, markers: Sequence[ReasoningMarker] = DEFAULT_MARKERS) -> bool:
    """Whether a control token, otherwise not shown, must be written out for a marker to be seen."""
    return bool(token_text) and any(
        token_text in marker.opens or token_text in marker.closes for marker in markers
    )


def ends_inside_reasoning(text: str, markers: Sequence[ReasoningMarker] = DEFAULT_MARKERS) -> bool:
    """Whether `text`, the part of a prompt that begins the answer, leaves a block open."""
    blocks = [marker for marker in markers if marker.closes]
    return any(text.rfind(block.opens) > text.rfind(block.closes) for block in blocks)


class Utf8Stream:
    """Bytes in any split to whole characters; what is not UTF-8 becomes U+FFFD."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, data: bytes) -> str:
        """The characters completed by `data`."""
        return self._decoder.decode(data)

    def finish(self) -> str:
        """U+FFFD for a character that never became whole."""
        return self._decoder.decode(b"", final=True)


class AnswerText:
    """One answer: the bytes of its tokens in, pieces of text out.

    The pieces together are the text before the earliest stop string (the one that begins first),
    without reasoning markers and the white space after them. Every character keeps the source of
    the token that completed it, also when it was held back.

    Attributes:
        stopped: a stop string was found; whatever is pushed after that is ignored.
    """

    def __init__(
        self,
        stops: Sequence[str],
        *,
        reasoning_open: bool = False,
        markers: Sequence[ReasoningMarker] = DEFAULT_MARKERS,
    ) -> None:
        self.stopped = False
        self._utf8 = Utf8Stream()
        self._stops = _Needles(stops)
        self._raw = _Held()
        self._blocks = _Blocks(markers, reasoning_open=reasoning_open)
        self._last_source = PieceSource.TARGET

    def push(self, data: bytes, source: PieceSource) -> tuple[TextPiece, ...]:
        """The pieces that the bytes of one token set free."""
        if self.stopped:
            return ()
        self._last_source = source
        text = self._utf8.push(data)
        if not text:
            return ()
        self._raw.add(text, source)
        return self._advance(final=False)

    def finish(self) -> tuple[TextPiece, ...]:
        """What was held back. May still find a stop string that a longer one was waited for."""
        if self.stopped:
            return ()
        self._raw.add(self._utf8.finish(), self._last_source)
        return self._advance(final=True)

    def _advance(self, *, final: bool) -> tuple[TextPiece, ...]:
        free, found = self._stops.search(self._raw.text, final=final)
        self.stopped = bool(found)
        for text, source in self._raw.take(free):
            self._blocks.held.add(text, source)
        return tuple(self._blocks.pieces(final=final or self.stopped))


class _Needles:
    """Strings to be found in a text that arrives bit by bit."""

    def __init__(self, needles: Iterable[str]) -> None:
        # the shortest first: of two that begin at one place it is whole first
        self._needles = tuple(sorted({needle for needle in needles if needle}, key=len))
        self._first = frozenset(needle[0] for needle in self._needles)

    def search(self, text: str, *, final: bool) -> tuple[int, str]:
        """(end of the text before the earliest needle, that needle), with "" for "none so far".

        Without a needle, text from that place on may become one, and everything before it cannot.
        """
        if self._first.isdisjoint(text):
            return len(text), ""
        for place, char in enumerate(text):
            if char in self._first:
                needle = self.at(text, place)
                if needle:
                    return place, needle
                if not final and self.maybe_at(text, place):
                    return place, ""
        return len(text), ""

    def at(self, text: str, place: int) -> str:
        """The needle at this place, "" when there is none."""
        return next((n for n in self._needles if text.startswith(n, place)), "")

    def maybe_at(self, text: str, place: int) -> bool:
        """Whether the text from this place on is the beginning of a needle."""
        rest = text[place:]
        return any(needle.startswith(rest) for needle in self._needles)


class _Held:
    """Text waiting, with the source of each character."""

    def __init__(self) -> None:
        self.text = ""
        self._runs: deque[tuple[int, PieceSource]] = deque()

    def add(self, text: str, source: PieceSource) -> None:
        if text:
            self.text += text
            self._runs.append((len(text), source))

    def take(self, count: int) -> list[tuple[str, PieceSource]]:
        """Remove the first `count` characters and return them, one item per token."""
        taken = []
        place = 0
        while place < count:
            length, source = self._runs.popleft()
            if length > count - place:
                self._runs.appendleft((length - (count - place), source))
                length = count - place
            taken.append((self.text[place : place + length], source))
            place += length
        self.text = self.text[count:]
        return taken


class _Blocks:
    """Tells reasoning from answer.

    Attributes:
        held: text not yet given out; the owner adds to it.
    """

    def __init__(self, markers: Sequence[ReasoningMarker], *, reasoning_open: bool) -> None:
        self.held = _Held()
        self._by_opening = {marker.opens: marker for marker in markers}
        self._openings = _Needles(self._by_opening)
        # which block the prompt opened is not known, so any closing ends it
        self._closings = _Needles(marker.closes for marker in markers)
        self._reasoning = reasoning_open
        # Of a block or of the answer, only white space so far: a marker may come
        self._at_start = bool(self._by_opening)
        self._after_marker = reasoning_open

    def pieces(self, *, final: bool) -> list[TextPiece]:
        """What can be given out now; all of it when final."""
        pieces: list[TextPiece] = []
        while self.held.text:
            if self._at_start:
                advanced = self._start(final=final)
            elif self._reasoning:
                advanced = self._inside(pieces, final=final)
            else:
                self._emit(pieces, len(self.held.text))
                advanced = True
            if not advanced:
                break
        return pieces

    def _start(self, *, final: bool) -> bool:
        """Past white space and an opening marker, if one comes; False: wait for more text."""
        text = self.held.text
        blank = len(text) - len(text.lstrip())
        if self._after_marker:
            self.held.take(blank)
            text, blank = self.held.text, 0
        if blank == len(text):
            self._at_start = not final
            return final
        opening = self._openings.at(text, blank)
        if opening:
            self.held.take(blank + len(opening))
            self._enter(self._by_opening[opening])
        elif not final and self._openings.maybe_at(text, blank):
            return False
        else:
            self._at_start = False
        return True

    def _enter(self, marker: ReasoningMarker) -> None:
        self._after_marker = True
        if marker.closes:
            self._reasoning = True
            self._closings = _Needles([marker.closes])

    def _inside(self, pieces: list[TextPiece], *, final: bool) -> bool:
        free, closing = self._closings.search(self.held.text, final=final)
        self._emit(pieces, free)
        if closing:
            self.held.take(len(closing))
            self._reasoning = False
            self._at_start = self._after_marker = True
        return bool(closing)

    def _emit(self, pieces: list[TextPiece], count: int) -> None:
        pieces.extend(
            TextPiece(text, source, self._reasoning) for text, source in self.held.take(count)
        )
