"""Small GGUF files made by hand, right or wrong where a test needs it, and a source that counts."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.hub.gguf import FileSource

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
CODES = "BbHhIif?--Qqd"


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def key(name: str | bytes, kind: int, payload: bytes) -> bytes:
    return text(name) + u32(kind) + payload


def scalar(name: str, kind: int, value: float | str | bool) -> bytes:
    payload = text(value) if isinstance(value, str) else struct.pack("<" + CODES[kind], value)
    return key(name, kind, payload)


def texts(name: str, values: Sequence[str | bytes]) -> bytes:
    body = b"".join(text(value) for value in values)
    return key(name, ARRAY, struct.pack("<IQ", STRING, len(values)) + body)


def numbers(name: str, kind: int, values: Sequence[float]) -> bytes:
    body = struct.pack(f"<{len(values)}{CODES[kind]}", *values)
    return key(name, ARRAY, struct.pack("<IQ", kind, len(values)) + body)


def tensor(name: str | bytes, shape: Sequence[int], kind: int = 0, offset: int = 0) -> bytes:
    head = text(name) + u32(len(shape)) + b"".join(struct.pack("<Q", n) for n in shape)
    return head + struct.pack("<IQ", kind, offset)


def header(keys: Sequence[bytes], tensors: Sequence[bytes] = (), version: int = 3) -> bytes:
    start = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys))
    return start + b"".join(keys) + b"".join(tensors)


def padded(raw: bytes, data_bytes: int = 0, alignment: int = 32) -> bytes:
    return raw + b"\0" * (-len(raw) % alignment) + b"\0" * data_bytes


def tokens_of(count: int, prefix: str = "t") -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


def model(
    *,
    tokens: Sequence[str | bytes] = tuple(tokens_of(300)),
    architecture: str = "llama",
    tokenizer: str = "gpt2",
    pre: str = "gpt-2",
    tail: Mapping[str, int | bool] | None = None,
    width: int = 64,
    early: Sequence[bytes] = (),
    merges: Sequence[str] = ("t 1", "t 2"),
) -> bytes:
    """A whole small model file in the usual converter's order; `width` decides its size."""
    keys = [
        scalar("general.architecture", STRING, architecture),
        scalar("general.name", STRING, f"Made up {width}"),
        scalar(f"{architecture}.block_count", U32, 1),
        scalar(f"{architecture}.embedding_length", U32, width),
        scalar(f"{architecture}.attention.head_count", U32, 4),
        scalar("general.file_type", U32, 0),
        *early,
        scalar("tokenizer.ggml.model", STRING, tokenizer),
        scalar("tokenizer.ggml.pre", STRING, pre),
        texts("tokenizer.ggml.tokens", tokens),
        numbers("tokenizer.ggml.token_type", I32, [1] * len(tokens)),
        texts("tokenizer.ggml.merges", merges),
    ]
    for name, value in (tail or {}).items():
        kind = BOOL if isinstance(value, bool) else U32
        keys.append(scalar(f"tokenizer.ggml.{name}", kind, value))
    raw = header(keys, [tensor("blk.0.ffn_up.weight", (width, 2))])
    return padded(raw, width * 8)


class Counted(FileSource):
    """A file read as if from afar; knows what that would have cost."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.bytes_read = 0
        self.reads = 0

    @property
    def is_remote(self) -> bool:
        return True

    def read(self, offset: int, length: int) -> bytes:
        piece = super().read(offset, length)
        self.bytes_read += len(piece)
        self.reads += 1
        return piece
