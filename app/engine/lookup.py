"""Finding what came next the last time: the longest earlier match of the end of a text.

A plain data structure over token ids; knows neither models nor llama.cpp. Imports nothing of app.

Every n-gram that is *followed* by a token is kept under one integer, with the position of that
token. So the end of the text is never found as its own match, and one dictionary look-up per
length suffices. The integer is a hash: each hit is checked against the tokens themselves.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

COUNTED_MATCH = 32  # a longer match says nothing more about how sure the proposal is
REMEMBERED_TOKENS = (
    65_536  # at least so many of the latest positions are found, at most twice as many
)

_FACTOR = 0x9E3779B97F4A7C15
_MASK = (1 << 60) - 1  # stays within two digits of a Python integer


class SuffixLookup:
    """The text so far, and where its last tokens occurred before.

    Attributes:
        tokens: the text so far; read only.
    """

    def __init__(self, tokens: Sequence[int], *, longest: int = 6, shortest: int = 2) -> None:
        if not 1 <= shortest <= longest <= COUNTED_MATCH:
            raise ValueError(f"no n-gram lengths from {shortest} to {longest}")
        self.tokens: array[int] = array("i")
        self._longest = longest
        self._shortest = shortest
        self._recent: dict[int, int] = {}
        self._older: dict[int, int] = {}
        self._most_entries = REMEMBERED_TOKENS * (longest - shortest + 1)
        self.extend(tokens)

    def extend(self, tokens: Iterable[int]) -> None:
        """Append committed tokens; constant time for each."""
        known = self.tokens
        for token in tokens:
            self._remember(len(known))
            known.append(token)

    def propose(self, limit: int, ahead: Sequence[int] = ()) -> tuple[list[int], int]:
        """What followed the longest, then latest, earlier match: (up to `limit` tokens, length).

        `ahead` are tokens supposed to follow the text; they are matched, but not searched.

        The length is counted on to 32, since a long match is a surer one. A match that reaches to
        the end of the text is a repetition with a period, and is continued as one. ([], 0) without
        a match.
        """
        if limit <= 0:
            return [], 0
        text = self.tokens[-COUNTED_MATCH:].tolist()
        text.extend(ahead)
        for length, key in reversed(self._suffix_keys(text)):
            following = self._recent.get(key)
            if following is None:
                following = self._older.get(key)
            if following is None:
                continue
            matched = self._match_length(following, text)
            if matched >= length:
                return self._following(following, limit, ahead), matched
        return [], 0

    def _remember(self, end: int) -> None:
        """Index the n-grams that end before position `end`, which is about to be filled."""
        recent, shortest = self._recent, self._shortest
        key = 1
        before = reversed(self.tokens[max(0, end - self._longest) : end])
        for length, token in enumerate(before, start=1):
            key = (key * _FACTOR + token) & _MASK
            if length >= shortest:
                recent[key] = end
        if len(recent) >= self._most_entries:
            self._older, self._recent = recent, {}

    def _suffix_keys(self, text: Sequence[int]) -> list[tuple[int, int]]:
        """(length, key) of the n-grams that end a text, shortest first."""
        keys = []
        key = 1
        for length, token in enumerate(reversed(text[-self._longest :]), start=1):
            key = (key * _FACTOR + token) & _MASK
            if length >= self._shortest:
                keys.append((length, key))
        return keys

    def _match_length(self, following: int, text: Sequence[int]) -> int:
        """How many tokens before position `following` equal the end of a text."""
        known = self.tokens
        end = len(text)
        most = min(following, COUNTED_MATCH, end)
        length = 0
        while length < most and known[following - 1 - length] == text[end - 1 - length]:
            length += 1
        return length

    def _following(self, start: int, limit: int, ahead: Sequence[int]) -> list[int]:
        found = self.tokens[start : start + limit].tolist()
        found.extend(ahead[: limit - len(found)])
        period = len(found)
        while len(found) < limit:
            found.append(found[-period])
        return found
