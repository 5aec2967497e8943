"""Drafted pieces of the raw text are found again in what is shown of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.protocol import PieceSource
from app.ui.positions import qt_positions
from app.ui.readable import readable
from app.ui.tint import Span, Spans, locate

DRAFT, LOOKUP, TARGET = PieceSource.DRAFT, PieceSource.LOOKUP, PieceSource.TARGET


def spans_of(*pieces: tuple[str, PieceSource]) -> tuple[str, Spans]:
    spans = Spans()
    for text, source in pieces:
        spans.add(len(text), source)
    return "".join(text for text, _ in pieces), spans


def found(shown: str, raw: str, spans: Spans) -> list[tuple[str, PieceSource]]:
    located = locate(raw, shown, spans.drafted(0, len(raw)))
    return [(shown[span.start : span.end], span.source) for span in located]


@pytest.mark.parametrize(
    ("pieces", "shown", "expected"),
    [
        ([("a ", TARGET), ("b", DRAFT)], "a b", [("b", DRAFT)]),
        ([("**bo", DRAFT), ("ld**", TARGET)], "bold", [("bo", DRAFT)]),
        ([("# He", TARGET), ("ad\n\nx", DRAFT)], "Head\u2029x", [("ad\u2029x", DRAFT)]),
        (
            [("[text](https://long.example/address) ", TARGET), ("next", LOOKUP)],
            "text next",
            [("next", LOOKUP)],
        ),
        ([("a b", DRAFT), ("c", LOOKUP)], "a bc", [("a b", DRAFT), ("c", LOOKUP)]),
        ([("&amp; ", TARGET), ("x", DRAFT)], "& x", [("x", DRAFT)]),
    ],
)
def test_marks_left_out_do_not_move_the_tint(
    pieces: list[tuple[str, PieceSource]], shown: str, expected: list[tuple[str, PieceSource]]
) -> None:
    raw, spans = spans_of(*pieces)
    assert found(shown, raw, spans) == expected


@given(st.lists(st.tuples(st.text(min_size=1, max_size=5), st.sampled_from(PieceSource))))
def test_unchanged_text_is_found_exactly(pieces: list[tuple[str, PieceSource]]) -> None:
    raw, spans = spans_of(*pieces)
    wanted = [s for text, s in pieces for _ in text]
    for text, source in found(raw, raw, spans):
        assert text
        assert source is not TARGET
    tinted = {
        index
        for span in locate(raw, raw, spans.drafted(0, len(raw)))
        for index in range(span.start, span.end)
    }
    drafted = {i for i, source in enumerate(wanted) if source is not TARGET}
    solid = {i for i in drafted if not raw[i].isspace()}
    assert solid <= tinted


def test_spans_are_cut_to_what_is_asked() -> None:
    _, spans = spans_of(("aaaa", DRAFT), ("bb", TARGET), ("cccc", LOOKUP))
    assert list(spans.drafted(2, 8)) == [Span(2, 4, DRAFT), Span(6, 8, LOOKUP)]
    assert list(spans.drafted(4, 6)) == []
    assert len(spans) == 10


@given(st.text())
def test_readable_keeps_every_place(text: str) -> None:
    assert len(readable(text)) == len(text)
    assert "\x1b" not in readable(text)
    assert "\u202e" not in readable(text)
    assert readable(text[:3]) + readable(text[3:]) == readable(text)


def test_what_makes_text_lie_becomes_visible() -> None:
    assert readable("\x1b[31mred") == "\u241b[31mred"
    assert readable("a\u202eb") == "a\ufffdb"
    assert readable("tab\tline\n") == "tab\tline\n"
    assert readable("\U0001f600 é 漢") == "\U0001f600 é 漢"


@given(st.text())
def test_qt_counts_as_qt_does(text: str) -> None:
    clean = text.encode("utf-16-le", "replace").decode("utf-16-le")
    to_qt = qt_positions(clean)
    for index in range(len(clean) + 1):
        assert to_qt(index) == len(clean[:index].encode("utf-16-le")) // 2
