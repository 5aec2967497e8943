"""Bytes of a model file, near or far, read in growing pieces. Imports only errors.

Knows nothing of GGUF. A far file is read by HTTP ranges elsewhere in this room; here is only the
shape that its reader must have.
"""

from __future__ import annotations

import stat
import struct
from pathlib import Path
from typing import Protocol

from app.errors import ModelFileError

FIRST_READ_BYTES = 64 * 1024
LARGEST_READ_BYTES = 1024 * 1024
HEADER_LIMIT_BYTES = 32 * 1024 * 1024

_U64 = struct.Struct("<Q")


class ByteSource(Protocol):
    """A file of known size from which any range can be read.

    Attributes:
        name: path or address, for messages.
        size: bytes in all.
        is_remote: each byte costs a transfer, so the header reader jumps where it can.
    """

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def is_remote(self) -> bool: ...

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the end of the file."""
        ...


class FileSource:
    """A file on disk. Keeps no handle open between reads, so the file can be moved or deleted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            status = path.stat()
        except FileNotFoundError as error:
            raise ModelFileError("file_missing", path=str(path)) from error
        except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
            raise ModelFileError("file_unreadable", path=str(path), reason=str(error)) from error
        if not stat.S_ISREG(status.st_mode):
            raise ModelFileError("file_unreadable", path=str(path), reason="not a file")
        self._size = status.st_size

    @property
    def name(self) -> str:
        return str(self._path)

    @property
    def size(self) -> int:
        return self._size

    @property
    def is_remote(self) -> bool:
        return False

    def read(self, offset: int, length: int) -> bytes:
        try:
            with self._path.open("rb") as file:
                file.seek(offset)
                return file.read(length)
        except FileNotFoundError as error:
            raise ModelFileError("file_missing", path=self.name) from error
        except OSError as error:
            raise ModelFileError(
                "file_unreadable", path=self.name, reason=error.strerror or str(error)
            ) from error


class Cursor:
    """Reads forward through a source with one piece in memory, and checks every length first.

    Attributes:
        at: position of the next byte in the file.
    """

    __slots__ = ("_buffer", "_chunk_bytes", "_source", "_start", "at")

    def __init__(self, source: ByteSource, at: int = 0, first: int = FIRST_READ_BYTES) -> None:
        self._source = source
        self._buffer = b""
        self._start = at
        self._chunk_bytes = first
        self.at = at

    @property
    def left(self) -> int:
        """Bytes between here and the end of what may be a header."""
        return min(self._source.size, HEADER_LIMIT_BYTES) - self.at

    def check(self, count: int) -> None:
        """Raise unless `count` more bytes can belong to the header."""
        end = self.at + count
        if end > HEADER_LIMIT_BYTES:
            raise ModelFileError(
                "header_lies",
                path=self._source.name,
                what="header bytes",
                claimed=end,
                limit=HEADER_LIMIT_BYTES,
            )
        if end > self._source.size:
            raise ModelFileError(
                "file_truncated", path=self._source.name, need=end, have=self._source.size
            )

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        index = self._load(count)
        self.at += count
        return self._buffer[index : index + count]

    def unpack(self, shape: struct.Struct) -> tuple[int | float | bool, ...]:
        """The next values of a struct."""
        index = self._load(shape.size)
        self.at += shape.size
        return shape.unpack_from(self._buffer, index)

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def skip(self, count: int) -> None:
        """Move on without reading."""
        self.check(count)
        self.at += count

    def skip_strings(self, count: int, *, loaded_only: bool = False) -> bool:
        """Move past `count` strings; False and no move if `loaded_only` and that needs a read."""
        unpack, at = _U64.unpack_from, self.at
        while count:
            if loaded_only and not self._holds(at, 8):
                return False
            index = self._load_at(at, 8)
            last = len(self._buffer) - 8
            while count and index <= last:
                index += 8 + unpack(self._buffer, index)[0]
                count -= 1
            at = self._start + index
            if loaded_only and index > len(self._buffer):
                return False
        self.skip(at - self.at)
        return True

    def _load(self, count: int) -> int:
        return self._load_at(self.at, count)

    def _holds(self, at: int, count: int) -> bool:
        return self._start <= at and at + count <= self._start + len(self._buffer)

    def _load_at(self, at: int, count: int) -> int:
        """Make `count` bytes from `at` available and say where in the buffer they begin."""
        if not self._holds(at, count):
            here, self.at = self.at, at
            self.check(count)
            self.at = here
            length = min(max(count, self._chunk_bytes), self._source.size - at)
            self._chunk_bytes = min(2 * self._chunk_bytes, LARGEST_READ_BYTES)
            self._buffer = self._source.read(at, length)
            self._start = at
            if len(self._buffer) < count:
                raise ModelFileError(
                    "file_truncated",
                    path=self._source.name,
                    need=at + count,
                    have=at + len(self._buffer),
                )
        return at - self._start
