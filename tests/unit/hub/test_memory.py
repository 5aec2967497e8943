"""The memory table: what adds up to what, where it lies, and when it is called rough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.hub.gguf import FileSource, Header, Want, read_header
from app.hub.memory import CPU, Gpu, Kind, MemoryOptions, Part, estimate, fits
from app.messages import SENTENCES
from tests.unit.hub import made_up as made

Write = Callable[..., Header]
MIB = 1 << 20


@pytest.fixture
def model(tmp_path: Path) -> Write:
    """Write a header of a model with real proportions; its data is not there and not needed."""

    def write(name: str = "llama", layers: int = 4, tied: bool = False, **keys: Any) -> Header:
        usual: dict[str, Any] = {
            "block_count": layers,
            "embedding_length": 1024,
            "feed_forward_length": 4096,
            "attention.head_count": 16,
            "attention.head_count_kv": 4,
        }
        lines = [made.scalar("general.architecture", made.STRING, name)]
        for key, value in {**usual, **keys}.items():
            full = f"{name}.{key}" if not key.startswith("split") else key
            if isinstance(value, list):
                kind = made.BOOL if isinstance(value[0], bool) else made.U32
                lines.append(made.numbers(full, kind, value))
            else:
                lines.append(made.scalar(full, made.U32, value))
        lines.append(made.scalar("tokenizer.ggml.model", made.STRING, "gpt2"))
        lines.append(made.texts("tokenizer.ggml.tokens", made.tokens_of(1000)))
        shapes: dict[str, tuple[tuple[int, ...], int]] = {"token_embd.weight": ((1024, 1000), 8)}
        for index in range(layers):
            shapes[f"blk.{index}.attn_norm.weight"] = ((1024,), 0)
            shapes[f"blk.{index}.ffn_up.weight"] = ((1024, 4096), 12)
        shapes["output_norm.weight"] = ((1024,), 0)
        if not tied:
            shapes["output.weight"] = ((1024, 1000), 14)
        tensors, offset = [], 0
        for tensor, (shape, kind) in shapes.items():
            tensors.append(made.tensor(tensor, shape, kind, offset))
            size = {0: 4096, 8: 1_088_000, 12: 2_359_296, 14: 840_000}[kind]
            offset += -(-size // 32) * 32
        path = tmp_path / f"{name}-{layers}-{len(keys)}.gguf"
        path.write_bytes(made.header(lines, tensors))
        return read_header(FileSource(path), Want.TENSORS)

    return write


def cache(header: Header, **options: Any) -> int:
    return estimate(header, None, MemoryOptions(**options)).total(kind=Kind.KV)


def test_weights_and_cache_add_up(model: Write) -> None:
    table = estimate(model(), None, MemoryOptions(cells=4096))
    assert table.total(kind=Kind.WEIGHTS) == 4 * (4096 + 2_359_296) + 1_088_000 + 840_000 + 4096
    assert table.total(kind=Kind.KV) == 4 * 4 * (64 + 64) * 2 * 4096
    assert table.devices == (CPU,)
    assert table.doubts == ()
    assert table.total() == sum(table.total(kind=kind) for kind in Kind)


def test_rearranged_weights_do_not_count_twice(model: Write) -> None:
    header = model()
    copied = 4 * 2_359_296
    mapped = estimate(header, None, MemoryOptions())
    rows = {row.kind: row for row in mapped.rows}
    assert rows[Kind.REPACKED].used_bytes == copied
    assert rows[Kind.REPACKED].is_reclaimable
    read = estimate(header, None, MemoryOptions(is_mapped=False))
    assert read.total(kind=Kind.REPACKED) == copied
    assert read.total() == mapped.total()
    plain = estimate(header, None, MemoryOptions(repacked=frozenset()))
    assert Kind.REPACKED not in {row.kind for row in plain.rows}


def test_a_coarser_cache_is_smaller_but_the_drafts_stays(model: Write) -> None:
    target, draft = model(layers=4), model(layers=2)
    full = estimate(target, draft, MemoryOptions())
    coarse = estimate(target, draft, MemoryOptions(kv_type="Q8_0"))
    was = full.total(part=Part.TARGET, kind=Kind.KV)
    assert coarse.total(part=Part.TARGET, kind=Kind.KV) == was * 34 // 64
    assert cache(target, kv_type="Q4_0") == was * 18 // 64
    assert coarse.total(part=Part.DRAFT, kind=Kind.KV) == full.total(part=Part.DRAFT, kind=Kind.KV)
    assert (
        full.total(part=Part.DRAFT) == estimate(draft, None, MemoryOptions(output_rows=8)).total()
    )


def test_context_is_rounded_up_to_256(model: Write) -> None:
    assert cache(model(), cells=1000) == cache(model(), cells=1024)
    assert cache(model(), cells=1025) == cache(model(), cells=1280)
    apart = {"n_parallel": 4, "is_unified": False}
    assert cache(model(), cells=1200, **apart) == 4 * cache(model(), cells=512)


def test_sliding_layers_keep_a_window(model: Write) -> None:
    keys = {"attention.sliding_window": 512}
    full = cache(model("llama", 6), cells=8192) // 6
    windowed = {"cells": 8192, "ubatch": 256}
    assert cache(model("gemma3", 6, **keys), **windowed) == full + 5 * full * 768 // 8192
    assert cache(model("gpt-oss", 6, **keys), **windowed) == 3 * full + 3 * full * 768 // 8192
    assert cache(model("gemma3", 6, **keys), **windowed, is_window_full=True) == 6 * full
    assert cache(model("gemma3", 6), **windowed) == 6 * full  # no window in the file
    assert cache(model("phi3", 6, **keys), **windowed) == 6 * full  # known to ignore it
    dense_first = cache(model("smallthinker", 5, **keys), **windowed)
    assert dense_first == 2 * full + 3 * full * 768 // 8192


def test_a_window_serves_each_conversation(model: Write) -> None:
    header = model("gemma3", 6, **{"attention.sliding_window": 512})
    one, two = (cache(header, cells=8192, ubatch=256, n_parallel=n) for n in (1, 2))
    assert two - one == 5 * 512 * 4 * 128 * 2


def test_layers_that_share_keep_nothing(model: Write) -> None:
    keys = {"attention.sliding_window": 512, "attention.sliding_window_pattern": [False] * 6}
    full = cache(model("llama", 6), cells=2048) // 6
    shared = {**keys, "attention.shared_kv_layers": 4}
    assert cache(model("gemma4", 6, **shared), cells=2048) == 2 * full


def test_latent_attention_keeps_one_entry(model: Write) -> None:
    keys = {
        "attention.head_count_kv": 1,
        "attention.key_length": 576,
        "attention.value_length": 512,
        "attention.key_length_mla": 192,
    }
    assert cache(model("deepseek2", 2, **keys), cells=256) == 2 * 576 * 2 * 256


def test_hybrids_keep_states(model: Write) -> None:
    keys = {
        "ssm.conv_kernel": 4,
        "ssm.inner_size": 2048,
        "ssm.state_size": 128,
        "ssm.group_count": 16,
        "attention.head_count_kv": [0, 4, 0, 4],
    }
    header = model("granitehybrid", 4, **keys)
    one = 4 * (3 * (2048 + 2 * 16 * 128) + 128 * 2048)
    table = estimate(header, None, MemoryOptions(cells=256, n_parallel=3, snapshots=2))
    assert table.total(kind=Kind.STATE) == 2 * one * 3 * (1 + 2)
    assert table.total(kind=Kind.KV) == 2 * 4 * 128 * 2 * 256


def test_prediction_layers_are_not_loaded(model: Write) -> None:
    plain, with_head = model("glm4moe", 4), model("glm4moe", 5, nextn_predict_layers=1)
    for kind in (Kind.WEIGHTS, Kind.KV):
        small, large = (
            estimate(header, None, MemoryOptions()).total(kind=kind)
            for header in (plain, with_head)
        )
        assert small == large


def test_layers_go_to_the_gpus_from_the_last_on(model: Write) -> None:
    header = model(layers=4)
    options = MemoryOptions(gpus=(Gpu("GPU0", 3), Gpu("GPU1", 1)), gpu_layers=4)
    table = estimate(header, None, options)
    layer = 4096 + 2_359_296
    assert table.total("GPU0", kind=Kind.WEIGHTS) == 3 * layer
    assert table.total("GPU1", kind=Kind.WEIGHTS) == 840_000 + 4096
    assert table.total(CPU, kind=Kind.WEIGHTS) == layer + 1_088_000
    assert table.total("GPU0", kind=Kind.KV) == 3 * table.total(CPU, kind=Kind.KV)
    assert table.total("GPU1", kind=Kind.KV) == 0
    everything = estimate(header, None, replace(options, gpu_layers=None))
    assert everything.total(CPU, kind=Kind.KV) == 0
    assert everything.total(CPU, kind=Kind.COMPUTE) < everything.total("GPU0", kind=Kind.COMPUTE)
    nothing = estimate(header, None, replace(options, gpu_layers=0))
    assert nothing.devices == (CPU,)


def test_a_gpu_needs_its_own_copy_of_a_shared_embedding(model: Write) -> None:
    on_gpu = MemoryOptions(gpus=(Gpu("GPU0"),))
    header = model(tied=True)
    inside = estimate(header, None, MemoryOptions()).total(kind=Kind.WEIGHTS)
    assert estimate(header, None, on_gpu).total(kind=Kind.WEIGHTS) == inside + 1_088_000


def test_fit_is_by_device_with_a_margin(model: Write) -> None:
    table = estimate(model(), None, MemoryOptions(gpus=(Gpu("GPU0"),), gpu_layers=3))
    need = {device: table.total(device) for device in table.devices}
    exact = {device: size + 1024 * MIB for device, size in need.items()}
    assert fits(table, exact).ok
    assert set(fits(table, exact).left_bytes.values()) == {0}
    short = {**exact, "GPU0": exact["GPU0"] - 1}
    assert not fits(table, short).ok
    assert fits(table, short).left_bytes == {CPU: 0, "GPU0": -1}
    assert fits(table, need, margin_bytes=0).ok
    assert not fits(table, {CPU: exact[CPU]}).ok


def test_what_is_rough_says_why(model: Write, tmp_path: Path) -> None:
    def doubts(header: Header, **options: Any) -> tuple[str, ...]:
        found = estimate(header, None, MemoryOptions(**options)).doubts
        assert set(found) <= SENTENCES.keys()
        return found

    assert doubts(model("novel")) == ("estimate_unknown_architecture",)
    assert doubts(model("qwen3moe", expert_count=8)) == ("estimate_experts",)
    split = model(**{"split.no": 0, "split.count": 3})
    assert doubts(split) == ("estimate_split_file",)
    assert doubts(split, weight_bytes=9000 * MIB) == ()
    whole = estimate(split, None, MemoryOptions(weight_bytes=9000 * MIB))
    assert whole.total(kind=Kind.WEIGHTS) == 9000 * MIB
    path = tmp_path / "small.gguf"
    path.write_bytes(made.model())
    unread = read_header(FileSource(path), Want.KEYS)
    assert doubts(unread) == ("estimate_without_tensors",)
    assert estimate(unread, None, MemoryOptions()).total(kind=Kind.WEIGHTS) == path.stat().st_size


def test_headers_without_numbers_do_not_break_it(tmp_path: Path) -> None:
    path = tmp_path / "bare.gguf"
    path.write_bytes(made.header([made.scalar("general.architecture", made.STRING, "llama")]))
    table = estimate(read_header(FileSource(path)), None, MemoryOptions(gpus=(Gpu("GPU0"),)))
    assert table.is_approximate
    assert table.total(kind=Kind.KV) == 0
