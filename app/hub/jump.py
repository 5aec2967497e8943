"""Finds the end of a long array of texts in a remote file by a few small reads. Imports sources.

The end of such an array is known only after walking through it, megabytes for a vocabulary. Texts
with their lengths are easy to recognise from any point within, though, so the end can be found by
halving. What is found is a guess until the rest of the header has parsed; the reader walks when it
does not.
"""

from __future__ import annotations

import re

from app.hub.sources import HEADER_LIMIT_BYTES, ByteSource

PROBE_BYTES = 2048
MOST_PROBES = 48

_TYPICAL_ENTRY_BYTES = 17  # eight of length and a text; measured on Qwen2.5, Llama 3, SmolLM2
_LONGEST_TEXT = 1024
_SHORTEST_CHAIN = 6
_LENGTH = re.compile(rb"(?=[\x01-\xff][\x00-\x04]\x00{6})", re.DOTALL)
# What may follow the array: another key, or the first tensor.
_KEY = re.compile(
    rb"(?:tokenizer|general|quantize|split)\.[A-Za-z0-9_.-]{1,120}"
    rb"|(?:blk\.\d+|token_embd|output|output_norm|rope_freqs)\.(?:[a-z0-9_]+\.)?(?:weight|bias)"
)


class TextsEnd:
    """One search. `architecture` adds its own keys to those that may follow the array."""

    def __init__(self, source: ByteSource, start: int, count: int, architecture: str) -> None:
        self._source = source
        self._start = start
        self._count = count
        self._own = (architecture + ".").encode() if architecture else b"tokenizer."
        self._spaced: bool | None = None

    def find(self, guess: int | None = None) -> int | None:
        """Where the first key after the array begins; None when it was not recognised."""
        if guess is not None and self._is_key_at(guess):
            return guess
        end, last = self._probe(self._start)
        if end is not None or not last:
            return end
        return self._search()

    def _search(self) -> int | None:
        low = self._start  # a window from here lies within the array
        high = min(self._source.size, HEADER_LIMIT_BYTES)  # one from here does not
        stride = max(self._count * _TYPICAL_ENTRY_BYTES // 32, PROBE_BYTES)
        at = min(low + self._count * _TYPICAL_ENTRY_BYTES, high - 1)
        for _ in range(MOST_PROBES):
            end, within = self._probe(at)
            if end is not None:
                return end
            low, high = (max(low, at), high) if within else (low, min(high, at))
            if high - low <= PROBE_BYTES // 2:
                return self._probe(low, 3 * PROBE_BYTES)[0]
            at, stride = self._next(low, high, stride, within)
        return None

    def _next(self, low: int, high: int, stride: int, within: bool) -> tuple[int, int]:
        """Step away from the first guess in growing strides until it is bracketed, then halve."""
        step = low + stride if within else high - stride
        if low < step < high and high - low > 2 * stride:
            return step, 2 * stride
        return (low + high) // 2, stride

    def _probe(self, at: int, length: int = PROBE_BYTES) -> tuple[int | None, bool]:
        """The end, if this window shows it, and whether the window lies within the array."""
        window = self._source.read(at, min(length, self._source.size - at))
        starts = (
            1 if at == self._start else _LONGEST_TEXT
        )  # elsewhere, any of these may begin a text
        for found in _LENGTH.finditer(window, 0, starts + 7):
            chain, spaced, end = self._follow(window, found.start())
            if chain < _SHORTEST_CHAIN:
                continue
            if self._spaced is None:
                self._spaced = spaced
            # Merges hold a blank in each text and tokens hold none: the next array is not this one.
            if spaced != self._spaced:
                return None, False
            return (None if end is None else at + end), True
        return None, False

    def _follow(self, window: bytes, at: int) -> tuple[int, bool, int | None]:
        """Texts from here on: how many, whether most hold a blank, where a key ends them.

        A count of 0 means that these were no texts.
        """
        texts = blanks = 0
        while at + 8 <= len(window):
            length = int.from_bytes(window[at : at + 8], "little")
            if not 1 <= length <= _LONGEST_TEXT:
                return 0, False, None
            text = window[at + 8 : at + 8 + length]
            if self._is_key(window, at, text, length):
                return texts, 2 * blanks > texts, at
            texts += 1
            blanks += b" " in text
            at += 8 + length
        return texts, 2 * blanks > texts, None

    def _is_key(self, window: bytes, at: int, text: bytes, length: int) -> bool:
        if not (_KEY.fullmatch(text) or text.startswith(self._own)) or len(text) != length:
            return False
        kind = window[at + 8 + length : at + 12 + length]
        return len(kind) == 4 and int.from_bytes(kind, "little") <= 12

    def _is_key_at(self, at: int) -> bool:
        if not self._start < at < self._source.size - 12:
            return False
        window = self._source.read(at, 160)
        length = int.from_bytes(window[:8], "little")
        return length <= 140 and self._is_key(window, 0, window[8 : 8 + length], length)
