"""What the header reader says of a vocabulary, against what llama.cpp says having loaded it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf as gguf_package
import pytest

from app.hub.gguf import FileSource, Header, Want, read_header
from app.hub.pairing import judge

pytestmark = pytest.mark.model

ASK = Path(__file__).with_name("ask_llama.py")
NO_TOKEN = -1


def loaded(path: Path, ids: list[int]) -> dict[str, Any]:
    """The vocabulary as llama.cpp loads it."""
    question = json.dumps({"what": "vocabulary", "path": str(path), "ids": ids})
    run = subprocess.run(
        [sys.executable, str(ASK), question],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    assert "error" not in answer, answer
    return answer


def agree(path: Path, ids: list[int]) -> Header:
    """Compare all facts that pairing rests on; the header, for more."""
    theirs = loaded(path, ids)
    header = read_header(FileSource(path))
    ours, specials, tokens = header.vocabulary, header.vocabulary.specials, header.vocabulary.tokens
    assert specials is not None
    assert tokens is not None
    assert ours.kind.value == theirs["kind"]
    assert ours.size == theirs["size"]
    assert specials.add_bos == theirs["add_bos"]
    assert specials.add_eos == theirs["add_eos"]
    assert (NO_TOKEN if specials.bos_id is None else specials.bos_id) == theirs["bos_id"]
    assert (NO_TOKEN if specials.eos_id is None else specials.eos_id) == theirs["eos_id"]
    assert {str(token): tokens.text(token).hex() for token in ids if token < ours.size} == theirs[
        "texts"
    ]
    return header


def some_ids(size: int) -> list[int]:
    """The first, the last and five hundred others."""
    chance = random.Random(size)
    others = chance.sample(range(size), min(500, size))
    return sorted({*range(min(20, size)), *range(max(0, size - 300), size), *others})


def test_the_starter_model(starter_model: Path) -> None:
    agree(starter_model, some_ids(49_152))


def test_the_pair(draft_model: Path, target_model: Path) -> None:
    draft, target = (agree(path, some_ids(151_936)) for path in (draft_model, target_model))
    assert judge(target, draft).ok


def test_the_pair_before_it_is_read_further(
    starter_model: Path, draft_model: Path, target_model: Path
) -> None:
    target, draft, other = (
        read_header(FileSource(path), Want.SIZING)
        for path in (target_model, draft_model, starter_model)
    )
    assert judge(target, draft).ok
    verdict = judge(target, other)
    assert verdict.reason is not None
    assert verdict.reason.code == "pair_vocabulary_size"
    itself = judge(other, other)
    assert itself.reason is not None
    assert itself.reason.code == "pair_draft_not_smaller"
    assert judge(other, other, allow_same_size=True).ok


Make = Callable[..., Path]


@pytest.fixture
def made_up(tmp_path: Path) -> Make:
    """Writes a file with a small vocabulary and nothing else, by the format's own package."""

    def write(model: str, pre: str | None, **ends: int | bool) -> Path:
        path = tmp_path / f"{model}-{pre}.gguf"
        writer = gguf_package.GGUFWriter(path, "llama")
        writer.add_block_count(1)
        writer.add_context_length(128)
        writer.add_embedding_length(32)
        writer.add_feed_forward_length(64)
        writer.add_head_count(2)
        writer.add_layer_norm_rms_eps(1e-5)
        writer.add_tokenizer_model(model)
        if pre is not None:
            writer.add_tokenizer_pre(pre)
        tokens = [f"<0x{byte:02X}>".encode() for byte in range(256)]
        if model == "gpt2":
            # The letters that stand for bytes, so that a line break has a token.
            letters = [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)]
            tokens = [chr(letter).encode() for letter in letters]
        tokens = [b"<unk>", b"<s>", b"</s>", *tokens, b"", b"b\xc3\xa4r", b"\xff"]
        writer.add_token_list(tokens)
        kinds = [2, 3, 3, *[6 if model == "llama" else 1] * 256, 1, 1, 1]
        writer.add_token_types(kinds)
        if model in ("llama", "t5"):
            writer.add_token_scores([0.0] * len(tokens))
        if model in ("gpt2", "gemma4"):
            writer.add_token_merges(["a b"])
        for name, value in ends.items():
            if isinstance(value, bool):
                writer.add_bool(f"tokenizer.ggml.{name}", value)
            else:
                writer.add_uint32(f"tokenizer.ggml.{name}", value)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.close()
        return path

    return write


PRES = ["gpt-2", "qwen2", "llama-bpe", "tekken", "chatglm-bpe", "glm4", "chameleon", "gemma4"]


@pytest.mark.parametrize("pre", [None, *PRES])
def test_what_a_byte_pair_vocabulary_adds_by_default(made_up: Make, pre: str | None) -> None:
    header = agree(made_up("gpt2", pre), [0, 1, 2, 5, 100, 259, 260, 261])
    assert header.vocabulary.pre == (pre or "")


@pytest.mark.parametrize("model", ["llama", "gpt2"])
@pytest.mark.parametrize(
    "ends",
    [
        {"bos_token_id": 2, "eos_token_id": 1},
        {"bos_token_id": 9999, "eos_token_id": 9999},
        {"add_bos_token": True, "add_eos_token": True},
        {"add_bos_token": False, "add_eos_token": False, "bos_token_id": 5},
    ],
)
def test_what_the_keys_change(made_up: Make, model: str, ends: dict[str, int | bool]) -> None:
    agree(made_up(model, "gpt-2" if model == "gpt2" else None, **ends), [0, 1, 2, 259, 260, 261])


@pytest.mark.parametrize("model", ["llama", "bert", "t5"])
def test_what_other_tokenizers_add_by_default(made_up: Make, model: str) -> None:
    agree(made_up(model, None), [0, 1, 2, 259, 260, 261])


def test_gemma_always_begins_with_its_token(made_up: Make) -> None:
    header = agree(made_up("gpt2", "gemma4", add_bos_token=False, bos_token_id=2), [0])
    assert header.vocabulary.specials is not None
    assert header.vocabulary.specials.add_bos
