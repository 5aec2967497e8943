"""SuffixLookup against a search that anyone can check by eye."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import lookup
from app.engine.lookup import COUNTED_MATCH, SuffixLookup


def naive(tokens: Sequence[int], limit: int, longest: int, shortest: int) -> tuple[list[int], int]:
    """Try every length and every place, longest and latest first."""
    end = len(tokens)
    for length in range(min(longest, end - 1), shortest - 1, -1):
        for place in range(end - length - 1, -1, -1):
            if list(tokens[place : place + length]) == list(tokens[end - length :]):
                return copied(tokens, place + length, limit), true_length(tokens, place + length)
    return [], 0


def copied(tokens: Sequence[int], start: int, limit: int) -> list[int]:
    """Copy from `start` on, also over what was just copied."""
    text = list(tokens)
    for step in range(limit):
        text.append(text[start + step])
    return text[len(tokens) :]


def true_length(tokens: Sequence[int], following: int) -> int:
    length = 0
    while (
        length < min(following, COUNTED_MATCH)
        and tokens[following - 1 - length] == tokens[len(tokens) - 1 - length]
    ):
        length += 1
    return length


@given(
    st.lists(st.integers(0, 3), max_size=120),
    st.lists(st.integers(0, 3), max_size=40),
    st.integers(1, 10),
    st.integers(1, 3),
    st.integers(0, 4),
)
def test_equals_the_naive_search(
    prompt: list[int], answer: list[int], limit: int, shortest: int, more: int
) -> None:
    longest = shortest + more
    found = SuffixLookup(prompt, longest=longest, shortest=shortest)
    text = list(prompt)
    for token in answer:
        assert found.propose(limit) == naive(text, limit, longest, shortest)
        found.extend([token])
        text.append(token)
    assert found.propose(limit) == naive(text, limit, longest, shortest)


def test_the_end_is_not_its_own_match() -> None:
    assert SuffixLookup([1, 2, 3, 4, 5]).propose(4) == ([], 0)


def test_the_longest_match_beats_a_later_short_one() -> None:
    tokens = [1, 2, 3, 7, 9, 2, 3, 8, 1, 2, 3]
    assert SuffixLookup(tokens).propose(1) == ([7], 3)


def test_among_equally_long_matches_the_latest_is_taken() -> None:
    assert SuffixLookup([5, 6, 1, 0, 5, 6, 2, 0, 5, 6]).propose(2)[0] == [2, 0]


def test_a_repetition_is_continued_beyond_the_end_of_the_text() -> None:
    assert SuffixLookup([1, 2, 1, 2, 1, 2]).propose(5)[0] == [1, 2, 1, 2, 1]


def test_a_long_match_is_counted_beyond_the_longest_indexed_length() -> None:
    line = list(range(100, 120))
    proposal, length = SuffixLookup([*line, 7, 8, *line]).propose(2)
    assert (proposal, length) == ([7, 8], 20)
    line = list(range(100, 200))
    assert SuffixLookup([*line, 7, *line]).propose(1) == ([7], COUNTED_MATCH)


@pytest.mark.parametrize("tokens", [[], [1], [1, 1]])
def test_a_text_too_short_to_repeat_itself_proposes_nothing(tokens: list[int]) -> None:
    assert SuffixLookup(tokens).propose(3) == ([], 0)


def test_no_room_no_proposal() -> None:
    assert SuffixLookup([1, 2, 3, 1, 2]).propose(0) == ([], 0)


def test_a_hash_collision_is_not_taken_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "_MASK", 0)  # every n-gram gets the same key
    assert SuffixLookup([1, 2, 3, 4, 5, 6]).propose(3) == ([], 0)


def test_memory_is_bounded_and_the_latest_text_stays_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "REMEMBERED_TOKENS", 50)
    found = SuffixLookup(range(1000))
    entries = len(found._recent) + len(found._older)
    assert entries <= 2 * 50 * 5 + 5
    found.extend([960, 961, 962])
    assert found.propose(2) == ([963, 964], 3)
    found.extend([100, 101, 102])
    assert found.propose(2) == ([], 0)


def test_impossible_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="no n-gram lengths"):
        SuffixLookup([], longest=2, shortest=3)
