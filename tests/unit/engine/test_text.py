"""Text of an answer: however its bytes are split, the outcome is that of one piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.protocol import PieceSource, TextPiece
from app.engine.text import (
    DEFAULT_MARKERS,
    AnswerText,
    ReasoningMarker,
    Utf8Stream,
    ends_inside_reasoning,
    is_marker_part,
)

TARGET, DRAFT, LOOKUP = PieceSource.TARGET, PieceSource.DRAFT, PieceSource.LOOKUP
SOURCES = list(PieceSource)

# short alphabets make stops and markers, whole and broken, likely
NASTY = st.lists(
    st.sampled_from(
        (
            *("<think>", "</think>", "<thi", "nk>", "</", "<", ">", "[THINK]", "[/THINK]"),
            *("<|channel|>analysis<|message|>", "<|end|>", "<|start|>assistant"),
            *(" ", "\n", "a", "b", "ab", "é", "🦊", "👩\u200d👩\u200d👧"),
        )
    ),
    max_size=14,
).map("".join)
STOPS = st.lists(st.text("ab<é🦊\n", min_size=1, max_size=4), max_size=4)
CUTS = st.lists(st.integers(0, 200), max_size=40)


def split(data: bytes, cuts: Iterable[int]) -> list[bytes]:
    places = sorted({cut % (len(data) + 1) for cut in cuts})
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


def run(answer: AnswerText, tokens: Sequence[bytes]) -> list[TextPiece]:
    pieces: list[TextPiece] = []
    for index, token in enumerate(tokens):
        pieces += answer.push(token, SOURCES[index % len(SOURCES)])
    return pieces + list(answer.finish())


def joined(pieces: Iterable[TextPiece]) -> tuple[str, str]:
    """(reasoning, answer)"""
    found = list(pieces)
    assert all(piece.text for piece in found), "an empty piece says nothing"
    return (
        "".join(piece.text for piece in found if piece.reasoning),
        "".join(piece.text for piece in found if not piece.reasoning),
    )


def said(text: str, *, reasoning_open: bool = False) -> tuple[str, str]:
    """The outcome when every byte is a token."""
    answer = AnswerText((), reasoning_open=reasoning_open)
    return joined(run(answer, [bytes([byte]) for byte in text.encode()]))


# --- characters -----------------------------------------------------------------------------------


@given(st.binary(max_size=60), CUTS)
def test_any_bytes_in_any_split_decode_as_one_piece(data: bytes, cuts: list[int]) -> None:
    stream = Utf8Stream()
    text = "".join(stream.push(part) for part in split(data, cuts)) + stream.finish()
    assert text == data.decode("utf-8", "replace")


@given(st.text(max_size=40))
def test_text_split_at_every_byte_never_shows_half_a_character(text: str) -> None:
    stream = Utf8Stream()
    parts = [stream.push(bytes([byte])) for byte in text.encode()]
    assert "".join(parts) == text
    assert all(len(part) <= 1 for part in parts)
    assert stream.finish() == ""


def test_an_unfinished_character_becomes_a_replacement_at_the_end() -> None:
    stream = Utf8Stream()
    assert stream.push("🦊".encode()[:3]) == ""
    assert stream.finish() == "\ufffd"


def test_a_broken_character_does_not_swallow_the_next() -> None:
    stream = Utf8Stream()
    assert stream.push("🦊".encode()[:2] + b"a") == "\ufffda"


# --- stop strings ---------------------------------------------------------------------------------


@given(st.text("ab<é🦊\n", max_size=30), STOPS, CUTS)
def test_the_pieces_are_the_text_before_the_earliest_stop(
    text: str, stops: list[str], cuts: list[int]
) -> None:
    found = [text.find(stop) for stop in stops if stop in text]
    answer = AnswerText(stops, markers=())
    pieces = run(answer, split(text.encode(), cuts))
    assert "".join(piece.text for piece in pieces) == (text[: min(found)] if found else text)
    assert answer.stopped == bool(found)


@given(st.text("ab<é🦊\n", max_size=30), STOPS)
def test_no_more_is_held_back_than_could_become_a_stop(text: str, stops: list[str]) -> None:
    answer = AnswerText(stops, markers=())
    shown = ""
    for index, char in enumerate(text):
        shown += "".join(piece.text for piece in answer.push(char.encode(), TARGET))
        if answer.stopped:
            break
        held = text[len(shown) : index + 1]
        assert not held or any(stop.startswith(held) for stop in stops)


def test_the_text_after_a_stop_is_dropped_and_so_is_every_later_token() -> None:
    answer = AnswerText(["STOP"])
    assert joined(answer.push(b"one STOP two", DRAFT)) == ("", "one ")
    assert answer.stopped
    assert answer.push(b"three", DRAFT) == ()
    assert answer.finish() == ()


def test_a_stop_that_a_longer_one_was_waited_for_is_found_at_the_end() -> None:
    answer = AnswerText(["abcd", "bc"], markers=())
    assert answer.push(b"xabc", TARGET) == (TextPiece("x"),)
    assert not answer.stopped
    assert answer.finish() == (TextPiece("a"),)
    assert answer.stopped


def test_an_empty_stop_string_stops_nothing() -> None:
    assert joined(run(AnswerText([""]), [b"text"])) == ("", "text")


def test_a_stop_string_counts_inside_reasoning_too() -> None:
    answer = AnswerText(["\n\n"])
    assert joined(run(answer, [b"<think>a", b"\n", b"\nb</think>c"])) == ("a", "")
    assert answer.stopped


# --- reasoning ------------------------------------------------------------------------------------


@given(NASTY, STOPS, CUTS, st.booleans())
def test_any_split_gives_the_reasoning_and_answer_of_one_piece(
    text: str, stops: list[str], cuts: list[int], reasoning_open: bool
) -> None:
    whole = AnswerText(stops, reasoning_open=reasoning_open)
    parts = AnswerText(stops, reasoning_open=reasoning_open)
    expected = joined(run(whole, [text.encode()]))
    assert joined(run(parts, split(text.encode(), cuts))) == expected
    assert parts.stopped == whole.stopped


@pytest.mark.parametrize("marker", [marker for marker in DEFAULT_MARKERS if marker.closes])
def test_each_known_pair_is_told_apart_from_the_answer(marker: ReasoningMarker) -> None:
    assert said(f"\n{marker.opens}\nWhy?\n{marker.closes}\n\nSo.") == ("Why?\n", "So.")
    assert said(f"Why?{marker.closes}So.", reasoning_open=True) == ("Why?", "So.")


def test_the_channels_of_gpt_oss() -> None:
    text = (
        "<|channel|>analysis<|message|>Why?<|end|>"
        "<|start|>assistant<|channel|>final<|message|>So. <|end|>"
    )
    assert said(text) == ("Why?", "So. <|end|>")


def test_an_empty_block_leaves_no_trace() -> None:
    assert said("<think>\n\n</think>\n\nHello") == ("", "Hello")


def test_a_tag_in_the_middle_of_an_answer_is_text() -> None:
    text = "Use the <think> tag, closed by </think>."
    assert said(text) == ("", text)


def test_leading_white_space_of_an_answer_without_reasoning_is_kept() -> None:
    assert said(" Hello") == ("", " Hello")
    assert said("\n \n") == ("", "\n \n")


def test_an_opening_that_the_prompt_has_written_already_is_dropped() -> None:
    assert said("<think>\nWhy?</think>So.", reasoning_open=True) == ("Why?", "So.")


def test_an_unclosed_block_stays_reasoning_and_half_a_marker_is_text() -> None:
    assert said("<think>Why? </thi") == ("Why? </thi", "")
    assert said("<thi") == ("", "<thi")


def test_only_the_closing_of_the_block_that_was_opened_ends_it() -> None:
    assert said("<think>a [/THINK] b</think>c") == ("a [/THINK] b", "c")


def test_markers_can_be_chosen() -> None:
    answer = AnswerText((), markers=(ReasoningMarker("((", "))"),))
    assert joined(run(answer, [b"((why)", b")<think>so"])) == ("why", "<think>so")


def test_a_prompt_tail_that_opens_a_block_is_recognised() -> None:
    assert ends_inside_reasoning("<|assistant|><think>\n")
    assert not ends_inside_reasoning("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert not ends_inside_reasoning("<|im_start|>assistant\n")


@pytest.mark.parametrize(
    "token", ["[THINK]", "<|channel|>", "<|message|>", "<channel|>", "<|end|>"]
)
def test_a_control_token_of_a_marker_is_known_as_one(token: str) -> None:
    assert is_marker_part(token)


@pytest.mark.parametrize("token", ["", "<|im_end|>", "<s>", "[INST]", "<|return|>", "<unused1>"])
def test_other_control_tokens_stay_unseen(token: str) -> None:
    assert not is_marker_part(token)


# --- sources --------------------------------------------------------------------------------------


@given(st.text("ab<é🦊\n", max_size=30), STOPS, CUTS)
def test_every_character_keeps_the_source_of_the_token_that_completed_it(
    text: str, stops: list[str], cuts: list[int]
) -> None:
    tokens = split(text.encode(), cuts)
    owner = [index for index, token in enumerate(tokens) for _ in token]
    ends = [len(text[: index + 1].encode()) - 1 for index in range(len(text))]
    expected = [SOURCES[owner[end] % len(SOURCES)] for end in ends]
    pieces = run(AnswerText(stops, markers=()), tokens)
    assert [piece.source for piece in pieces for _ in piece.text] == expected[: _shown(pieces)]


def _shown(pieces: Sequence[TextPiece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def test_text_held_back_for_a_stop_keeps_its_source() -> None:
    answer = AnswerText(["abc"])
    assert answer.push(b"ab", DRAFT) == ()
    assert answer.push(b"x", LOOKUP) == (TextPiece("ab", DRAFT), TextPiece("x", LOOKUP))


def test_a_character_of_two_tokens_belongs_to_the_second() -> None:
    answer = AnswerText(())
    data = "é".encode()
    assert answer.push(data[:1], DRAFT) == ()
    assert answer.push(data[1:], TARGET) == (TextPiece("é", TARGET),)
