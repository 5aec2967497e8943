"""Reads the keys of a GGUF header one by one, bounding work and memory. Imports neighbours, errors.

Used by `app.hub.gguf` alone. A hostile file may claim anything: counts are checked against the
bytes that are left and against a limit before anything is read or kept for them.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import NoReturn

from app.errors import ModelFileError
from app.hub.header import Header, Rest, Unread, Value
from app.hub.jump import TextsEnd
from app.hub.sources import ByteSource, Cursor

MOST_KEYS = 8_192
MOST_LAYERS = 1_024
MOST_TOKENS = 1 << 20
MOST_ELEMENTS = (
    1 << 21
)  # of texts and nested arrays, in the whole header: what must be walked one by one
DEEPEST_ARRAY = 4
LONGEST_KEY_BYTES = 65_535
LONGEST_TEXT_BYTES = 256 * 1024
MOST_TEXT_BYTES = 4 * 1024 * 1024  # kept in memory, keys and values together
LONGEST_ARRAY_KEPT = 1_024
MOST_VALUES_KEPT = 65_536
MOST_TEXTS_KEPT = 256

STRING, ARRAY = 8, 9
_SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
SMALLEST_KEY_BYTES = 8 + 1 + 4 + 1
_TAIL_READ_BYTES = 4096


class Skipper:
    """Gets past an array of texts: by walking, or by a jump where bytes are dear."""

    def __init__(self, source: ByteSource, like: Header | None, jumps: bool) -> None:
        self._source = source
        self._like = like
        self._jumps = jumps

    def skip(self, cursor: Cursor, name: str, array: Unread, architecture: str) -> Cursor:
        if self._jumps and not cursor.skip_strings(array.count, loaded_only=True):
            search = TextsEnd(self._source, array.at, array.count, architecture)
            end = search.find(self._guess(name, array))
            if end is not None:
                return Cursor(self._source, end, _TAIL_READ_BYTES)
        if cursor.at == array.at:
            cursor.skip_strings(array.count)
        return cursor

    def _guess(self, name: str, array: Unread) -> int | None:
        other = self._like.keys.get(name) if self._like is not None else None
        if isinstance(other, Unread) and other.end is not None and other.count == array.count:
            return array.at + other.end - other.at
        return None


class KeyReader:
    """Reads key after key and can stop before an array that would cost a read.

    Attributes:
        cursor: where reading goes on; another object after a jump.
    """

    def __init__(self, header: Header, cursor: Cursor, skipper: Skipper) -> None:
        self.cursor = cursor
        self._source = header.rest.source
        self._skipper = skipper
        self._keys: dict[str, Value] = dict(header.keys)
        self._left = header.rest.keys_left
        self._pending = header.rest.pending
        self._elements_left = MOST_ELEMENTS
        self._text_bytes_left = MOST_TEXT_BYTES
        self._values_left = MOST_VALUES_KEPT

    def run(self, all_keys: bool) -> None:
        if self._pending is not None and all_keys:
            self._skip_texts(self._pending)
        while self._left and self._pending is None:
            self._left -= 1
            name = self._key()
            self._keys[name] = value = self._value(name)
            if isinstance(value, Unread) and value.element == STRING and value.end is None:
                if not all_keys and not self._walked_within_buffer(name, value):
                    self._pending = name
                elif all_keys:
                    self._skip_texts(name)
        self._check_layers()

    @property
    def keys(self) -> dict[str, Value]:
        """All keys read so far."""
        return self._keys

    @property
    def is_done(self) -> bool:
        """Whether no key is left."""
        return self._pending is None

    @property
    def rest(self) -> Rest:
        """Where reading can go on later."""
        return Rest(self._source, self.cursor.at, self._left, self._pending)

    def _walked_within_buffer(self, name: str, array: Unread) -> bool:
        if not self.cursor.skip_strings(array.count, loaded_only=True):
            return False
        self._keys[name] = replace(array, end=self.cursor.at)
        return True

    def _skip_texts(self, name: str) -> None:
        array = self._keys[name]
        assert isinstance(array, Unread)
        architecture = self._keys.get("general.architecture")
        known = architecture if isinstance(architecture, str) else ""
        self.cursor = self._skipper.skip(self.cursor, name, array, known)
        self._keys[name] = replace(array, end=self.cursor.at)
        self._pending = None

    def _key(self) -> str:
        length = self.cursor.u64()
        limit(self._source, "key length", length, LONGEST_KEY_BYTES)
        self._text_bytes_left -= length
        if self._text_bytes_left < 0:
            limit(self._source, "key bytes", MOST_TEXT_BYTES + 1, MOST_TEXT_BYTES)
        name = self.cursor.take(length).decode("utf-8", "replace")
        if not name or name in self._keys:
            damaged(self._source, f"key {name[:80]!r} twice" if name else "a key without a name")
        return name

    def _value(self, name: str) -> Value:
        kind = self.cursor.u32()
        if kind == STRING:
            return self._text()
        if kind == ARRAY:
            return self._array(name)
        return self.cursor.unpack(struct.Struct("<" + self._scalar(kind)))[0]

    def _text(self) -> str | Unread:
        length = self.cursor.u64()
        if length > LONGEST_TEXT_BYTES or length > self._text_bytes_left:
            at = self.cursor.at
            self.cursor.skip(length)
            return Unread(0, length, at, self.cursor.at)
        self._text_bytes_left -= length
        return self.cursor.take(length).decode("utf-8", "replace")

    def _array(self, name: str) -> Value:
        kind, count = self.cursor.u32(), self.cursor.u64()
        at = self.cursor.at
        if kind == ARRAY:
            self._skip_nested(count, 1)
            return Unread(ARRAY, count, at, self.cursor.at)
        if kind == STRING:
            limit(self._source, "texts in one list", count, MOST_TOKENS)
            self._spend(count, 8, 1)
            if count <= MOST_TEXTS_KEPT and not name.startswith("tokenizer."):
                return self._short_texts(count)
            return Unread(STRING, count, at)
        code = self._scalar(kind)
        width = struct.calcsize("<" + code)
        self.cursor.check(count * width)
        if count > min(LONGEST_ARRAY_KEPT, self._values_left):
            self.cursor.skip(count * width)
            return Unread(kind, count, at, self.cursor.at)
        self._values_left -= count
        return self.cursor.unpack(struct.Struct(f"<{count}{code}"))

    def _short_texts(self, count: int) -> Value:
        texts = tuple(self._text() for _ in range(count))
        return tuple(text if isinstance(text, str) else "" for text in texts)

    def _skip_nested(self, count: int, depth: int) -> None:
        """Arrays of arrays: allowed by the format, written by nobody, refused by llama.cpp."""
        limit(self._source, "array depth", depth, DEEPEST_ARRAY)
        self._spend(count, 12, 32)
        for _ in range(count):
            kind, inner = self.cursor.u32(), self.cursor.u64()
            if kind == ARRAY:
                self._skip_nested(inner, depth + 1)
            elif kind == STRING:
                self._spend(inner, 8, 1)
                self.cursor.skip_strings(inner)
            else:
                self.cursor.skip(inner * struct.calcsize("<" + self._scalar(kind)))

    def _spend(self, count: int, smallest_bytes: int, weight: int) -> None:
        """Bound the work: elements that must be walked one by one."""
        self.cursor.check(count * smallest_bytes)
        self._elements_left -= count * weight
        if self._elements_left < 0:
            limit(self._source, "list entries", MOST_ELEMENTS - self._elements_left, MOST_ELEMENTS)

    def _scalar(self, kind: int) -> str:
        code = _SCALARS.get(kind)
        if code is None:
            damaged(self._source, f"value type {kind}")
        return code

    def _check_layers(self) -> None:
        layers = self._keys.get(f"{self._keys.get('general.architecture')}.block_count")
        if isinstance(layers, int):
            limit(self._source, "layers", layers, MOST_LAYERS)


def limit(source: ByteSource, what: str, claimed: int, limit: int) -> None:
    if claimed > limit:
        raise ModelFileError(
            "header_lies", path=source.name, what=what, claimed=claimed, limit=limit
        )


def damaged(source: ByteSource, what: str) -> NoReturn:
    raise ModelFileError("header_damaged", path=source.name, what=what)
