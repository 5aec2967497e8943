"""Reads GGUF headers, from disk or by ranges over a network, and believes no length unchecked.

Public: `read_header`, `read_more`, `read_model_file`, `FileSource`, `ByteSource`, `Header`, `Want`.
Imports its neighbours in this room and errors; never llama_cpp, Qt or the network.

Raises ModelFileError with one of these codes: not_a_gguf, file_empty, file_missing,
file_unreadable (reason), file_truncated (need, have), header_lies (what, claimed, limit),
header_damaged (what), gguf_version_unsupported (version), tensor_type_unknown (type).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from app.errors import ModelFileError
from app.hub.ggml_types import TENSOR_TYPES
from app.hub.header import Header, Rest, Role, SplitInfo, Tensor, Unread, Value, Want
from app.hub.keys import MOST_KEYS, SMALLEST_KEY_BYTES, STRING, KeyReader, Skipper, damaged, limit
from app.hub.sources import ByteSource, Cursor, FileSource
from app.hub.vocabulary import (
    Specials,
    TokenTable,
    Vocabulary,
    VocabularyKind,
    resolve_specials,
    vocabulary_kind,
)

__all__ = [
    "ByteSource",
    "FileSource",
    "Header",
    "Role",
    "Specials",
    "SplitInfo",
    "Tensor",
    "TokenTable",
    "Value",
    "Vocabulary",
    "VocabularyKind",
    "Want",
    "read_header",
    "read_model_file",
    "read_more",
]

MOST_TENSORS = 32_768
LONGEST_TENSOR_NAME = 63
_SMALLEST_TENSOR_BYTES = 8 + 4 + 4 + 8
_TOKENS = "tokenizer.ggml.tokens"


def read_header(
    source: ByteSource, want: Want = Want.SIZING | Want.VOCABULARY | Want.TENSORS
) -> Header:
    """Read as much of the header as is wanted, and as little more as the format allows."""
    if source.size == 0:
        raise ModelFileError("file_empty", path=source.name)
    cursor = Cursor(source)
    if source.size < 4 or cursor.take(4) != b"GGUF":
        raise ModelFileError("not_a_gguf", path=source.name)
    version = cursor.u32()
    if version not in (2, 3):
        # A big-endian file shows its 3 in the highest byte; llama.cpp cannot use it here either.
        raise ModelFileError("gguf_version_unsupported", path=source.name, version=version)
    tensor_count, key_count = cursor.u64(), cursor.u64()
    limit(source, "tensors", tensor_count, MOST_TENSORS)
    limit(source, "keys", key_count, MOST_KEYS)
    cursor.check(key_count * SMALLEST_KEY_BYTES + tensor_count * _SMALLEST_TENSOR_BYTES)
    empty = Vocabulary(VocabularyKind.UNKNOWN, "", "", 0, None, None)
    rest = Rest(source, cursor.at, key_count, None)
    start = Header(
        source.name, source.size, version, tensor_count, Want(0), {}, empty, (), None, rest
    )
    return _advance(start, want, cursor, None)


def read_more(header: Header, want: Want, like: Header | None = None) -> Header:
    """The same header, read further; where the arrays of `like` end is tried first."""
    if want in header.have:
        return header
    return _advance(header, want, Cursor(header.rest.source, header.rest.at), like)


def read_model_file(path: Path, want: Want = Want.SIZING | Want.TENSORS) -> Header:
    """Read a file on disk and check that it is long enough for its tensors."""
    header = read_header(FileSource(path), want | Want.TENSORS)
    header.require_complete()
    return header


def _advance(header: Header, want: Want, cursor: Cursor, like: Header | None) -> Header:
    source = header.rest.source
    if source.is_remote:
        try:
            return _read_on(header, want, cursor, Skipper(source, like, jumps=True))
        except ModelFileError:
            # A jump may have landed wrong; reading through decides what is really there.
            cursor = Cursor(source, header.rest.at)
    return _read_on(header, want, cursor, Skipper(source, None, jumps=False))


def _read_on(header: Header, want: Want, cursor: Cursor, skipper: Skipper) -> Header:
    all_keys = bool(want & (Want.KEYS | Want.TENSORS | Want.VOCABULARY))
    if Want.KEYS not in header.have:
        reader = KeyReader(header, cursor, skipper)
        reader.run(all_keys)
        header = _with_keys(header, reader)
        cursor = reader.cursor
    if want & Want.TENSORS and not header.have & Want.TENSORS:
        header = _read_tensors(header, cursor)
    if want & Want.VOCABULARY and not header.have & Want.VOCABULARY:
        if header.vocabulary.tokens is not None:
            header.vocabulary.tokens.load()
        header = replace(header, have=header.have | Want.VOCABULARY)
    return header


def _with_keys(header: Header, reader: KeyReader) -> Header:
    done = reader.is_done
    return replace(
        header,
        have=header.have | Want.SIZING | (Want.KEYS if done else Want(0)),
        keys=reader.keys,
        vocabulary=_vocabulary(header.rest.source, reader.keys, done),
        rest=reader.rest,
    )


def _vocabulary(source: ByteSource, keys: Mapping[str, Value], done: bool) -> Vocabulary:
    model, pre = keys.get("tokenizer.ggml.model"), keys.get("tokenizer.ggml.pre")
    model = model if isinstance(model, str) else ""
    pre = pre if isinstance(pre, str) else ""
    listed, size, tokens = keys.get(_TOKENS), 0, None
    if isinstance(listed, Unread) and listed.element == STRING:
        size = listed.count
        tokens = TokenTable(source, listed.at, size, listed.end)
    elif vocabulary_kind(model) is VocabularyKind.NONE:
        declared = keys.get(f"{keys.get('general.architecture')}.vocab_size")
        size = declared if isinstance(declared, int) else 0
    specials = resolve_specials(model, pre, size, keys) if done else None
    return Vocabulary(vocabulary_kind(model), model, pre, size, tokens, specials)


def _read_tensors(header: Header, cursor: Cursor) -> Header:
    source = header.rest.source
    alignment = header.keys.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
        damaged(source, "alignment")
    tensors: list[Tensor] = []
    names: set[str] = set()
    expected = 0
    for _ in range(header.tensor_count):
        tensor = _tensor(source, cursor)
        if tensor.name in names:
            damaged(source, f"tensor {tensor.name!r} twice")
        if tensor.offset != expected:
            damaged(source, f"place of tensor {tensor.name!r}")
        names.add(tensor.name)
        tensors.append(tensor)
        expected += _padded(tensor.used_bytes, alignment)
    return replace(
        header,
        have=header.have | Want.TENSORS,
        tensors=tuple(tensors),
        data_offset=_padded(cursor.at, alignment),
    )


def _tensor(source: ByteSource, cursor: Cursor) -> Tensor:
    length = cursor.u64()
    limit(source, "tensor name length", length, LONGEST_TENSOR_NAME)
    name = cursor.take(length).decode("utf-8", "replace")
    dimensions = cursor.u32()
    limit(source, "tensor dimensions", dimensions, 4)
    shape = tuple(cursor.u64() for _ in range(dimensions))
    kind, offset = cursor.u32(), cursor.u64()
    if kind not in TENSOR_TYPES:
        raise ModelFileError("tensor_type_unknown", path=source.name, type=kind)
    tensor = Tensor(name, shape, kind, offset)
    limit(source, "tensor elements", max((tensor.elements, *shape)), 2**63 - 1)
    if (shape[0] if shape else 1) % tensor.type.block:
        damaged(source, f"shape of tensor {name!r}")
    return tensor


def _padded(count: int, alignment: int) -> int:
    return -(-count // alignment) * alignment
