"""The vocabulary of a model file: token texts, kept compactly, and the BOS and EOS rules.

Defaults follow `llama-vocab.cpp` as of llama-cpp-python 0.3.36; a test compares them with what the
library answers. Imports sources and errors.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from app.errors import ModelFileError
from app.hub.sources import FIRST_READ_BYTES, HEADER_LIMIT_BYTES, LARGEST_READ_BYTES, ByteSource

_U64 = struct.Struct("<Q")


class VocabularyKind(Enum):
    """How a tokenizer works; the values are llama.cpp's `llama_vocab_type`, UNKNOWN is ours."""

    UNKNOWN = -1
    NONE = 0
    SPM = 1
    BPE = 2
    WPM = 3
    UGM = 4
    RWKV = 5
    PLAMO2 = 6
    TEST = 7


@dataclass(frozen=True, slots=True)
class Specials:
    """What is put around a text. An id of None means that the model has none."""

    add_bos: bool
    bos_id: int | None
    add_eos: bool
    eos_id: int | None


_KINDS = {
    "no_vocab": VocabularyKind.NONE,
    "none": VocabularyKind.NONE,
    "llama": VocabularyKind.SPM,
    "gpt2": VocabularyKind.BPE,
    "hybriddna": VocabularyKind.BPE,
    "whitespace": VocabularyKind.BPE,
    "gemma4": VocabularyKind.BPE,
    "bert": VocabularyKind.WPM,
    "t5": VocabularyKind.UGM,
    "rwkv": VocabularyKind.RWKV,
    "plamo2": VocabularyKind.PLAMO2,
    "test": VocabularyKind.TEST,
}

_DEFAULTS = {
    VocabularyKind.SPM: Specials(True, 1, False, 2),
    VocabularyKind.BPE: Specials(False, 11, False, 11),
    VocabularyKind.WPM: Specials(True, 101, False, None),
    VocabularyKind.UGM: Specials(False, None, True, 1),
    VocabularyKind.PLAMO2: Specials(False, 1, False, 2),
}
_NOTHING = Specials(False, None, False, None)

# Pre-tokenizers that put BOS first unless the file says otherwise.
_PRE_ADDS_BOS = frozenset(
    {
        "llama3",
        "llama-v3",
        "llama-bpe",
        "falcon3",
        "falcon-h1",
        "pixtral",
        "midm-2.0",
        "lfm2",
        "jina-v5-nano",
        "tekken",
        "chameleon",
    }
)
_PRE_WITHOUT_BOS = frozenset({"chatglm-bpe", "glm4", "glm5"})
# llama.cpp puts BOS first here whatever the file says (its pull request 21500).
_PRE_FORCES_BOS = frozenset({"gemma4", "granite-embed-multi-311m"})


class TokenTable:
    """Token texts by id, loaded on first use: one block of bytes and where each text begins."""

    def __init__(self, source: ByteSource, at: int, count: int, end: int | None = None) -> None:
        self._source = source
        self._at = at
        self._count = count
        self._end = end
        self._blob = bytearray()
        self._starts = array("Q")
        self._used_bytes = 0

    def __len__(self) -> int:
        return self._count

    def text(self, token: int) -> bytes:
        """The text as llama.cpp compares it: up to a NUL byte, and a stand-in for an empty one."""
        self.load()
        start = self._starts[token]
        (length,) = _U64.unpack_from(self._blob, start - 8)
        if not length:
            return b"[EMPTY_%d]" % token
        return bytes(self._blob[start : start + length]).split(b"\0", 1)[0]

    def shown(self, token: int) -> str:
        """The text for a person."""
        return self.text(token).decode("utf-8", "replace")

    def first_difference(self, other: TokenTable, start: int) -> int | None:
        """The first id from `start` on, within both tables, whose texts differ."""
        self.load()
        other.load()
        end = min(len(self), len(other))
        low = self._first_raw_difference(other, start, end)
        # Different bytes can still be equal texts (an empty one, a NUL byte): one by one from here.
        return next((i for i in range(low, end) if self.text(i) != other.text(i)), None)

    def load(self) -> None:
        """Read the texts unless they are there; raises ModelFileError."""
        if len(self._starts) == self._count:
            return
        blob, starts = bytearray(), array("Q")
        at, count, unpack = 0, self._count, _U64.unpack_from
        while True:
            last = len(blob) - 8
            while at <= last and len(starts) < count:
                starts.append(at + 8)
                at += 8 + unpack(blob, at)[0]
            if len(starts) == count and at <= len(blob):
                break
            self._grow(blob, max(at, len(blob) + 1))
        self._blob, self._starts, self._used_bytes = blob, starts, at

    def _first_raw_difference(self, other: TokenTable, low: int, high: int) -> int:
        """Halve the range of ids: with their lengths in between, equal bytes are equal texts."""
        mine, theirs = memoryview(self._blob), memoryview(other._blob)
        while low < high:
            middle = (low + high + 1) // 2
            span = slice(self._bound(low), self._bound(middle))
            shift = slice(other._bound(low), other._bound(middle))
            if mine[span] == theirs[shift]:
                low = middle
            else:
                high = middle - 1
        return low

    def _bound(self, token: int) -> int:
        """Where the entry of a token begins; for one past the last, where the table ends."""
        return self._starts[token] - 8 if token < self._count else self._used_bytes

    def _grow(self, blob: bytearray, need: int) -> None:
        have = self._at + len(blob)
        limit = min(self._source.size, HEADER_LIMIT_BYTES)
        if self._at + need > limit:
            raise ModelFileError(
                "file_truncated", path=self._source.name, need=self._at + need, have=limit
            )
        step = min(max(len(blob), FIRST_READ_BYTES), LARGEST_READ_BYTES)
        if self._end is not None:
            limit = min(limit, self._end)
        piece = self._source.read(have, max(min(step, limit - have), 1))
        if not piece:
            raise ModelFileError("file_truncated", path=self._source.name, need=have + 1, have=have)
        blob += piece


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokenizer as the file describes it.

    Attributes:
        model: `tokenizer.ggml.model`, for example "gpt2".
        pre: the pre-tokenizer, "" where the file names none.
        size: number of tokens.
        tokens: their texts, loaded on first use; None for a file without a vocabulary.
        specials: None until the keys after the token list have been read.
    """

    kind: VocabularyKind
    model: str
    pre: str
    size: int
    tokens: TokenTable | None
    specials: Specials | None


def vocabulary_kind(model: str) -> VocabularyKind:
    """The kind of tokenizer that a `tokenizer.ggml.model` names."""
    return _KINDS.get(model, VocabularyKind.UNKNOWN)


def resolve_specials(model: str, pre: str, size: int, keys: Mapping[str, object]) -> Specials:
    """What llama.cpp makes of the BOS and EOS keys, with its defaults where they are absent."""
    kind = vocabulary_kind(model)
    if kind is VocabularyKind.NONE:
        return _NOTHING
    if model == "gemma4":
        pre, default = "gemma4", _NOTHING
    else:
        default = _DEFAULTS.get(kind, _NOTHING)
    bos_id, add_bos, forced = default.bos_id, default.add_bos, False
    if kind is VocabularyKind.BPE:
        bos_id = None if pre in _PRE_WITHOUT_BOS else bos_id
        add_bos = pre in _PRE_ADDS_BOS
        forced = pre in _PRE_FORCES_BOS
    return Specials(
        add_bos=forced or _flag(keys, "tokenizer.ggml.add_bos_token", add_bos),
        bos_id=_token_id(keys, "tokenizer.ggml.bos_token_id", bos_id, size),
        add_eos=_flag(keys, "tokenizer.ggml.add_eos_token", default.add_eos),
        eos_id=_token_id(keys, "tokenizer.ggml.eos_token_id", default.eos_id, size),
    )


def _flag(keys: Mapping[str, object], key: str, default: bool) -> bool:
    value = keys.get(key)
    return value if isinstance(value, bool) else default


def _token_id(keys: Mapping[str, object], key: str, default: int | None, size: int) -> int | None:
    """An id outside the vocabulary counts as not given; a default outside it as none."""
    value = keys.get(key)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < size:
        return value
    return default if default is not None and default < size else None
