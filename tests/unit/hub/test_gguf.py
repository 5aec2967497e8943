"""The header reader: right files, wrong files, and files made to hurt."""

from __future__ import annotations

import os
import random
import struct
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import AppError, ModelFileError
from app.hub import gguf
from app.hub.ggml_types import TENSOR_TYPES
from app.hub.gguf import FileSource, Header, Role, VocabularyKind, Want, read_header, read_more
from app.messages import SENTENCES, describe
from tests.unit.hub import made_up as made

ALL = Want.SIZING | Want.VOCABULARY | Want.TENSORS


class Bytes:
    """A file in memory, near or far."""

    name = "made up"

    def __init__(self, raw: bytes, is_remote: bool = False) -> None:
        self._raw = raw
        self.is_remote = is_remote
        self.bytes_given = 0

    @property
    def size(self) -> int:
        return len(self._raw)

    def read(self, offset: int, length: int) -> bytes:
        piece = self._raw[offset : offset + length]
        self.bytes_given += len(piece)
        return piece


def read(raw: bytes, want: Want = ALL, *, is_remote: bool = False) -> Header:
    return read_header(Bytes(raw, is_remote), want)


def outcome(raw: bytes, is_remote: bool) -> str:
    return ended(Bytes(raw, is_remote))


def ended(source: Bytes) -> str:
    """The code that reading ends with; any other exception than ours passes through."""
    try:
        read_header(source, ALL).require_complete()
    except AppError as error:
        return error.code
    return "success"


def refused(raw: bytes, want: Want = ALL) -> ModelFileError:
    with pytest.raises(ModelFileError) as caught:
        read(raw, want)
    assert caught.value.code in SENTENCES
    assert "{" not in describe(caught.value)
    return caught.value


def test_what_a_small_model_says() -> None:
    header = read(made.model(tail={"bos_token_id": 7, "eos_token_id": 8, "add_bos_token": True}))
    assert header.architecture == "llama"
    assert header.name == "Made up 64"
    assert header.quantisation == "F32"
    assert header.block_count == 1
    assert header.head_counts == (4,)
    assert header.head_counts_kv == (4,)
    assert header.key_length == 16
    assert header.parameters == 128
    assert header.role is Role.MODEL
    assert header.vocabulary.kind is VocabularyKind.BPE
    assert header.vocabulary.size == 300
    assert header.vocabulary.tokens is not None
    assert header.vocabulary.tokens.shown(12) == "t12"
    assert header.vocabulary.specials == gguf.Specials(True, 7, False, 8)
    header.require_complete()


def test_every_value_type_is_read() -> None:
    keys = [
        made.scalar("a", made.U8, 200),
        made.scalar("b", made.I8, -3),
        made.scalar("c", made.U16, 60_000),
        made.scalar("d", made.I16, -300),
        made.scalar("e", made.U32, 2**32 - 1),
        made.scalar("f", made.I32, -(2**31)),
        made.scalar("g", made.F32, 0.5),
        made.scalar("h", made.BOOL, True),
        made.scalar("i", made.STRING, "ä"),
        made.scalar("j", made.U64, 2**64 - 1),
        made.scalar("k", made.I64, -1),
        made.scalar("l", made.F64, 0.25),
        made.numbers("m", made.I16, [1, -2]),
        made.texts("n", ["x", ""]),
    ]
    values = tuple(read(made.header(keys)).keys.values())
    assert values == (
        *(200, -3, 60_000, -300, 2**32 - 1, -(2**31), 0.5, True, "ä", 2**64 - 1, -1, 0.25),
        *((1, -2), ("x", "")),
    )


def test_reading_on_gives_what_reading_at_once_gives() -> None:
    raw = made.model(tokens=made.tokens_of(20_000), merges=[f"a b{i}" for i in range(15_000)])
    for is_remote in (False, True):
        whole = read(raw, is_remote=is_remote)
        first = read(raw, Want.SIZING, is_remote=is_remote)
        assert first.have == Want.SIZING
        assert first.vocabulary.size == 20_000
        assert first.vocabulary.specials is None
        second = read_more(first, Want.KEYS)
        third = read_more(read_more(second, Want.TENSORS), Want.VOCABULARY)
        assert third.keys == whole.keys
        assert third.tensors == whole.tensors
        assert third.vocabulary.specials == whole.vocabulary.specials
        assert third.data_offset == whole.data_offset == len(raw) - 64 * 8


def test_a_far_file_costs_little_until_the_tokens_are_wanted(tmp_path: Path) -> None:
    merges = [f"{'a' * (i % 7 + 1)} b{i}" for i in range(150_000)]
    raw = made.model(tokens=made.tokens_of(150_000, "token"), merges=merges)
    assert len(raw) > 5_000_000
    path = tmp_path / "far.gguf"
    path.write_bytes(raw)
    source = made.Counted(path)
    header = read_header(source, Want.SIZING)
    assert (source.reads, source.bytes_read) == (1, 65_536)
    header = read_more(header, Want.TENSORS)
    assert header.vocabulary.specials is not None
    assert source.bytes_read < 140_000
    assert header.vocabulary.tokens is not None
    assert header.vocabulary.tokens.shown(149_999) == "token149999"
    assert header.keys == read(raw).keys
    second = made.Counted(path)
    read_more(read_header(second, Want.SIZING), Want.KEYS, like=header)
    assert second.bytes_read < 80_000


@pytest.mark.parametrize("odd", ["", "x" * 3000, "tokenizer.ggml.model", "general.a\0\0"])
def test_a_jump_that_may_mislead_ends_in_the_truth(odd: str) -> None:
    """Texts that look like keys, or are empty or huge, mislead the search: then it walks."""
    tokens = made.tokens_of(30_000, "word")
    tokens[100:29_000:700] = [odd + "q" * i for i in range(42)]
    tokens[28_000] = odd
    raw = made.model(tokens=tokens, tail={"eos_token_id": 5})
    far, near = read(raw, is_remote=True), read(raw)
    assert far.keys == near.keys
    assert far.tensors == near.tensors


def test_big_vocabulary_is_compact() -> None:
    raw = made.model(tokens=made.tokens_of(150_000, "a token text "))
    tracemalloc.start()
    header = read(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert header.vocabulary.tokens is not None
    assert len(header.vocabulary.tokens) == 150_000
    assert peak < 16_000_000


def test_tokens_compare_like_c_strings() -> None:
    def table(tokens: list[str | bytes]) -> gguf.TokenTable:
        found = read(made.model(tokens=tokens)).vocabulary.tokens
        assert found is not None
        return found

    mine = table(["a", "b", "", "d\0x", "e"])
    assert mine.first_difference(table(["a", "b", "[EMPTY_2]", "d\0y", "e"]), 0) is None
    assert mine.first_difference(table(["a", "b", "[EMPTY_2]", "d", "E", "f"]), 0) == 4
    assert mine.first_difference(table(["x", "b", "", "d", "e"]), 1) is None
    assert mine.first_difference(table(["x", "b"]), 0) == 0
    assert mine.text(3) == b"d"


def test_bad_utf8_is_shown_and_never_an_error() -> None:
    keys = [made.key("general.name", made.STRING, made.text(b"\xff\xfea"))]
    assert read(made.header(keys)).name == "��a"
    header = read(made.model(tokens=[b"\xff", b"\xc3", "c"]))
    assert header.vocabulary.tokens is not None
    assert header.vocabulary.tokens.shown(0) == "�"


def test_long_texts_are_left_in_the_file() -> None:
    keys = [
        made.scalar("tokenizer.huggingface.json", made.STRING, "x" * 300_000),
        made.scalar("general.name", made.STRING, "after"),
    ]
    header = read(made.header(keys))
    assert header.name == "after"
    assert header.text("tokenizer.huggingface.json") is None


def test_sidecars_and_split_files_are_recognised() -> None:
    assert read(made.model(architecture="clip")).role is Role.PROJECTOR
    assert read(made.model(architecture="eagle3")).role is Role.DRAFT_HEAD
    assert read(made.model(architecture="bert")).role is Role.OTHER
    assert read(made.model(architecture="eagle3")).is_sidecar
    kind = [made.scalar("general.type", made.STRING, "mmproj")]
    assert read(made.model(early=kind)).role is Role.PROJECTOR
    layers = made.scalar("qwen35.nextn_predict_layers", made.U32, 1)
    own = made.scalar("general.architecture", made.STRING, "qwen35")
    head = made.header([own, layers], [made.tensor("blk.64.nextn.eh_proj.weight", (4,))])
    assert read(head).role is Role.DRAFT_HEAD
    assert read(made.model(architecture="qwen35", early=[layers])).role is Role.MODEL
    parts = [
        made.scalar("split.no", made.U16, 1),
        made.scalar("split.count", made.U16, 3),
        made.scalar("split.tensors.count", made.I32, 400),
        made.scalar("general.size_label", made.STRING, "8x7B"),
    ]
    header = read(made.model(early=parts))
    assert header.split == gguf.SplitInfo(1, 3, 400)
    assert header.parameters == 56_000_000_000


def test_heads_may_differ_by_layer() -> None:
    keys = [
        made.scalar("general.architecture", made.STRING, "deci"),
        made.scalar("deci.block_count", made.U32, 3),
        made.scalar("deci.embedding_length", made.U32, 64),
        made.numbers("deci.attention.head_count", made.U32, [0, 8, 8]),
        made.numbers("deci.attention.head_count_kv", made.U32, [0, 2, 4]),
    ]
    header = read(made.header(keys))
    assert header.head_counts_kv == (0, 2, 4)
    assert header.key_length == 8


def test_tensor_sizes_agree_with_the_gguf_package() -> None:
    theirs = pytest.importorskip("gguf").GGML_QUANT_SIZES
    ours = {number: (kind.block, kind.block_bytes) for number, kind in TENSOR_TYPES.items()}
    for kind, size in theirs.items():
        if int(kind) in ours and kind.name != "Q8_1":  # theirs is of 2023; no file holds it
            assert ours[int(kind)] == size, kind
    assert len(ours) == 35


def test_a_truncated_data_section_is_found_without_reading_it(tmp_path: Path) -> None:
    raw = made.model()
    path = tmp_path / "short.gguf"
    path.write_bytes(raw[:-1])
    with pytest.raises(ModelFileError) as caught:
        gguf.read_model_file(path)
    assert caught.value.code == "file_truncated"
    assert caught.value.detail["need"] == len(raw)
    assert caught.value.detail["have"] == len(raw) - 1
    path.write_bytes(raw)
    assert gguf.read_model_file(path).needed_bytes == len(raw)


def test_files_that_cannot_be_read_say_so(tmp_path: Path) -> None:
    def code(path: Path) -> str:
        with pytest.raises(ModelFileError) as caught:
            read_header(FileSource(path))
        return caught.value.code

    (tmp_path / "empty").touch()
    (tmp_path / "page.gguf").write_text("<!doctype html>")
    (tmp_path / "short").write_bytes(b"GG")
    assert code(tmp_path / "none") == "file_missing"
    assert code(tmp_path) == "file_unreadable"
    assert code(tmp_path / "empty") == "file_empty"
    assert code(tmp_path / "page.gguf") == "not_a_gguf"
    assert code(tmp_path / "short") == "not_a_gguf"
    gone = tmp_path / "gone.gguf"
    gone.write_bytes(made.model())
    source = FileSource(gone)
    gone.unlink()
    with pytest.raises(ModelFileError, match="file_missing"):
        read_header(source)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_says_so(tmp_path: Path) -> None:
    path = tmp_path / "locked"
    path.write_bytes(made.model())
    path.chmod(0)
    with pytest.raises(ModelFileError, match="file_unreadable"):
        read_header(FileSource(path))


def counts(tensors: int, keys: int, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, keys) + b"\0" * 64


def array(kind: int, count: int) -> bytes:
    return made.header([made.key("k", made.ARRAY, struct.pack("<IQ", kind, count))]) + b"\0" * 64


def one_tensor(raw: bytes) -> bytes:
    return made.header([], [raw]) + b"\0" * 64


HUGE = 2**64 - 1
NESTED = struct.pack("<IQ", made.ARRAY, 1) * 40
LONG_KEY = made.header([struct.pack("<Q", 70_000) + b"x" * 70_000 + b"\0" * 8])
TWICE = made.header([made.scalar("a", made.U8, 1)] * 2)
LAYERS = made.header(
    [
        made.scalar("general.architecture", made.STRING, "x"),
        made.scalar("x.block_count", made.U32, 2**32 - 1),
    ]
)
ALIGNED = made.header([made.scalar("general.alignment", made.U32, 3)], [made.tensor("t", (1,))])


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (counts(0, 0, version=1), "gguf_version_unsupported"),
        (counts(0, 0, version=4), "gguf_version_unsupported"),
        (counts(0, 0, version=0x03000000), "gguf_version_unsupported"),
        (counts(HUGE, 0), "header_lies"),
        (counts(0, HUGE), "header_lies"),
        (counts(0, 1000), "file_truncated"),
        (counts(0, 1), "header_damaged"),
        (made.header([struct.pack("<Q", HUGE)]) + b"\0" * 64, "header_lies"),
        (LONG_KEY, "header_lies"),
        (TWICE, "header_damaged"),
        (LAYERS, "header_lies"),
        (ALIGNED, "header_damaged"),
        (made.header([made.key("k", 13, b"\0" * 8)]), "header_damaged"),
        (made.header([made.key("k", made.STRING, struct.pack("<Q", HUGE))]), "header_lies"),
        (made.header([made.key("k", made.STRING, struct.pack("<Q", 99))]), "file_truncated"),
        (array(made.STRING, HUGE), "header_lies"),
        (array(made.STRING, 500), "file_truncated"),
        (array(made.F64, 2**61), "header_lies"),
        (array(made.U8, 1000), "file_truncated"),
        (array(99, 1), "header_damaged"),
        (array(made.ARRAY, HUGE), "header_lies"),
        (made.header([made.key("k", made.ARRAY, NESTED)]), "header_lies"),
        (one_tensor(made.tensor("x" * 64, (1,))), "header_lies"),
        (one_tensor(made.tensor("t", (1,) * 5)), "header_lies"),
        (one_tensor(made.tensor("t", (2**62, 4))), "header_lies"),
        (one_tensor(made.tensor("t", (2**63, 0))), "header_lies"),
        (one_tensor(made.tensor("t", (33,), kind=2)), "header_damaged"),
        (one_tensor(made.tensor("t", (32,), kind=4)), "tensor_type_unknown"),
        (one_tensor(made.tensor("t", (32,), kind=999)), "tensor_type_unknown"),
        (one_tensor(made.tensor("t", (1,), offset=32)), "header_damaged"),
        (
            made.header([], [made.tensor("t", (8,)), made.tensor("t", (8,), 0, 32)]),
            "header_damaged",
        ),
    ],
)
def test_lies_are_refused_with_their_code(raw: bytes, code: str) -> None:
    assert refused(raw).code == code


def test_a_truncation_says_how_much_is_needed_and_there() -> None:
    error = refused(made.model()[:40])
    assert error.code == "file_truncated"
    assert error.detail["have"] == 40
    assert isinstance(error.detail["need"], int)
    assert error.detail["need"] > 40


def costly_header(what: str) -> bytes:
    """The most memory for each byte that a header can ask for."""
    if what == "empty texts":
        empty = struct.pack("<IQ", made.STRING, 1 << 18) + b"\0" * (8 << 18)
        names = ("tokenizer.ggml.tokens", "tokenizer.ggml.merges")
        return made.header([made.key(name, made.ARRAY, empty) for name in names])
    if what == "arrays of arrays":
        nothing = struct.pack("<IQ", made.U8, 0)
        pairs = struct.pack("<IQ", made.ARRAY, 65_000) + nothing * 65_000
        return made.header([made.key("k", made.ARRAY, pairs)])
    if what == "byte arrays":
        return made.header([made.numbers(f"k{i}", made.U8, [1] * 1000) for i in range(8000)])
    if what == "long texts":
        wide = "\U0001f600" + "x" * 200_000  # one such sign makes each of the others four bytes
        return made.header([made.scalar(f"k{i}", made.STRING, wide) for i in range(160)])
    if what == "tensors":
        return made.padded(made.header([], [made.tensor(f"t{i}", (0,)) for i in range(32_000)]))
    return made.header([made.scalar(f"key.{i}", made.U8, 1) for i in range(8192)])


@pytest.mark.parametrize(
    "what", ["empty texts", "arrays of arrays", "byte arrays", "long texts", "tensors", "keys"]
)
def test_no_header_takes_much_memory(what: str) -> None:
    raw = costly_header(what)
    tracemalloc.start()
    code = outcome(raw, False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert code == "success"
    assert peak < 40_000_000


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """One to three injuries of a kind that lengths and counts suffer from."""
    body = bytearray(raw)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(max(len(body), 1))
        injury = chance.randrange(6)
        if injury == 0:
            del body[at:]
        elif injury == 1:
            body[at : at + 8] = struct.pack(
                "<Q", chance.choice([HUGE, 2**63, 2**40, 2**31, 65_535, 0])
            )
        elif injury == 2:
            body[at : at + 4] = made.u32(chance.choice([9, 8, 2**32 - 1, 13, 0]))
        elif injury == 3:
            body[at : at + 1] = bytes([chance.choice([0xFF, 0xC3, 0x80, 0])])
        elif injury == 4:
            body[at:at] = NESTED[: 12 * chance.randint(1, 8)]
        else:
            body[at : at + 16] = body[: chance.randint(0, 40)]
    return bytes(body)


def test_twenty_thousand_broken_headers_end_in_success_or_a_code() -> None:
    chance = random.Random(20_000)
    few = [f"t{i}" for i in range(20)]
    bases = [
        made.model(tokens=few, tail={"bos_token_id": 1, "add_bos_token": False}),
        made.model(tokens=few, tokenizer="llama", early=[made.numbers("x", made.F32, [0.5] * 9)]),
        made.header(
            [made.key("k", made.ARRAY, struct.pack("<IQ", made.ARRAY, 2) + 2 * NESTED[:36])]
        ),
    ]
    codes: dict[str, int] = {}
    for number in range(20_000):
        source = Bytes(mutated(bases[number % len(bases)], chance), bool(number & 1))
        code = ended(source)
        codes[code] = codes.get(code, 0) + 1
        assert source.bytes_given <= 8 * source.size + 8192, code
    assert set(codes) <= {"success", *SENTENCES}
    assert codes["success"] > 100
    assert {"file_truncated", "header_lies", "header_damaged", "not_a_gguf"} <= set(codes)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_after_the_magic(tail: bytes, is_remote: bool) -> None:
    assert outcome(b"GGUF\x03\0\0\0" + tail, is_remote) in {"success", *SENTENCES}
