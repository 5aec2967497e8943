"""What is told of a guess when the mouse rests on it: accepted, refused, and what it was."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.engine.protocol import PieceSource
from app.ui.readable import readable
from app.ui.tint import Span, Spans

MAX_SHOWN = 60  # characters of a refused guess
OWN_WORD = 40  # characters after a refused guess that count as what stands in its place

translate = QCoreApplication.translate


class Guesses:
    """The refused guesses of one answer, by place."""

    def __init__(self, spans: Spans, refused: Sequence[tuple[int, str]]) -> None:
        self._spans = spans
        self._refused = sorted(refused)
        self._places = [place for place, _ in self._refused]

    def hint(self, place: int) -> str:
        """What to say of the character at a place; "" when there is nothing to say."""
        span = self._spans.at(place)
        if span is None:
            return ""
        if span.source is PieceSource.TARGET:
            return self._instead(place, span)
        said = _accepted(span.source)
        after = self._guess_at(span.end)
        if after is not None:
            said += "\n" + translate("guesses", "Its next guess was refused: “{guess}”").format(
                guess=_quoted(after)
            )
        return said

    def _instead(self, place: int, span: Span) -> str:
        """The target's own word, where something else was guessed."""
        at = bisect_right(self._places, place) - 1
        if at < 0 or self._places[at] < span.start or place - self._places[at] > OWN_WORD:
            return ""
        return translate("guesses", "Guessed here and refused: “{guess}”").format(
            guess=_quoted(self._refused[at][1])
        )

    def _guess_at(self, place: int) -> str | None:
        at = bisect_right(self._places, place) - 1
        return self._refused[at][1] if at >= 0 and self._places[at] == place else None


def _accepted(source: PieceSource) -> str:
    if source is PieceSource.DRAFT:
        return translate("guesses", "Guessed by the draft model, accepted")
    return translate("guesses", "Guessed from the text so far, accepted")


def _quoted(guess: str) -> str:
    """One line, signs visible."""
    text = readable(guess).replace("\n", "⏎").replace("\t", "⇥")
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
