"""Caches and states of other architectures: tiny models made up here, loaded by llama.cpp.

What is compared is exact: weights, keys and values, running states. Sizes are chosen so that each
wrong rule (pattern, window, shared layers, state) changes the sum.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf as gguf_package
import numpy as np
import pytest

from app.hub.gguf import read_model_file
from app.hub.memory import Kind, MemoryOptions, estimate
from tests.model.test_memory_estimate import ASK, KINDS, LINE

pytestmark = pytest.mark.model

Shape = tuple[int, ...]
WIDTH, FORWARD, HEADS, HEAD, HEADS_KV = 64, 96, 4, 32, 2
QUERY, HELD = HEADS * HEAD, HEADS_KV * HEAD
OPTIONS = MemoryOptions(cells=2048, n_parallel=2, ubatch=64, output_rows=2)

ATTENTION: dict[str, Shape] = {
    "attn_norm.weight": (WIDTH,),
    "attn_q.weight": (WIDTH, QUERY),
    "attn_k.weight": (WIDTH, HELD),
    "attn_v.weight": (WIDTH, HELD),
    "attn_output.weight": (QUERY, WIDTH),
}
NORMS: dict[str, Shape] = {"attn_q_norm.weight": (HEAD,), "attn_k_norm.weight": (HEAD,)}
DENSE: dict[str, Shape] = {
    "ffn_norm.weight": (WIDTH,),
    "ffn_gate.weight": (WIDTH, FORWARD),
    "ffn_up.weight": (WIDTH, FORWARD),
    "ffn_down.weight": (FORWARD, WIDTH),
}
POST: dict[str, Shape] = {"post_attention_norm.weight": (WIDTH,), "post_ffw_norm.weight": (WIDTH,)}
EXPERTS: dict[str, Shape] = {
    "ffn_norm.weight": (WIDTH,),
    "ffn_gate_inp.weight": (WIDTH, 8),
    "ffn_gate_exps.weight": (WIDTH, 32, 8),
    "ffn_up_exps.weight": (WIDTH, 32, 8),
    "ffn_down_exps.weight": (32, WIDTH, 8),
}
MAMBA: dict[str, Shape] = {
    "attn_norm.weight": (WIDTH,),
    "ssm_in.weight": (WIDTH, 4 * WIDTH),
    "ssm_conv1d.weight": (4, 2 * WIDTH),
    "ssm_conv1d.bias": (2 * WIDTH,),
    "ssm_x.weight": (2 * WIDTH, 4 + 2 * 16),
    "ssm_dt.weight": (4, 2 * WIDTH),
    "ssm_dt.bias": (2 * WIDTH,),
    "ssm_a": (16, 2 * WIDTH),
    "ssm_d": (2 * WIDTH,),
    "ssm_out.weight": (2 * WIDTH, WIDTH),
}
SHORT: dict[str, Shape] = {
    "shortconv.conv.weight": (3, WIDTH),
    "shortconv.in_proj.weight": (WIDTH, 3 * WIDTH),
    "shortconv.out_proj.weight": (WIDTH, WIDTH),
}
DELTA: dict[str, Shape] = {
    "attn_norm.weight": (WIDTH,),
    "post_attention_norm.weight": (WIDTH,),
    "attn_qkv.weight": (WIDTH, 2 * 16 * 2 + 16 * 4),
    "attn_gate.weight": (WIDTH, 16 * 4),
    "ssm_conv1d.weight": (4, 2 * 16 * 2 + 16 * 4),
    "ssm_dt.bias": (4,),
    "ssm_a": (4,),
    "ssm_beta.weight": (WIDTH, 4),
    "ssm_alpha.weight": (WIDTH, 4),
    "ssm_norm.weight": (16,),
    "ssm_out.weight": (16 * 4, WIDTH),
}

Block = Callable[[int], Mapping[str, Shape]]


def write(path: Path, name: str, layers: int, keys: Mapping[str, Any], block: Block) -> None:
    """A loadable model of one architecture with zeros for weights."""
    writer = gguf_package.GGUFWriter(path, name)
    usual = {
        "block_count": layers,
        "context_length": 4096,
        "embedding_length": WIDTH,
        "feed_forward_length": FORWARD,
        "attention.head_count": HEADS,
        "attention.head_count_kv": HEADS_KV,
        "attention.key_length": HEAD,
        "attention.value_length": HEAD,
        "rope.dimension_count": HEAD,
    }
    writer.add_layer_norm_rms_eps(1e-5)
    for key, value in {**usual, **keys}.items():
        if isinstance(value, list):
            writer.add_array(f"{name}.{key}", value)
        else:
            writer.add_uint32(f"{name}.{key}", value)
    letters = [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([chr(letter).encode() for letter in letters])
    writer.add_token_merges(["a b"])
    shapes = {"token_embd.weight": (WIDTH, len(letters)), "output_norm.weight": (WIDTH,)}
    if name == "gemma4":
        shapes["rope_freqs.weight"] = (HEAD // 2,)
    if name == "lfm2":
        shapes["token_embd_norm.weight"] = shapes.pop("output_norm.weight")
    for index in range(layers):
        shapes |= {f"blk.{index}.{tensor}": shape for tensor, shape in block(index).items()}
    for tensor, shape in shapes.items():
        writer.add_tensor(tensor, np.zeros(shape[::-1], dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def reported(path: Path, options: MemoryOptions) -> dict[Kind, int]:
    context = {
        "n_ctx": options.cells,
        "n_batch": 512,
        "n_ubatch": options.ubatch,
        "n_seq_max": options.n_parallel,
        "n_outputs_max": options.output_rows,
        "n_rs_seq": options.snapshots,
        "kv_unified": options.is_unified,
        "swa_full": options.is_window_full,
    }
    question = json.dumps(
        {"what": "memory", "path": str(path), "model_settings": {}, "settings": context}
    )
    run = subprocess.run(
        [sys.executable, str(ASK), question],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    answer = json.loads(run.stdout.splitlines()[-1])
    assert "error" not in answer, answer
    used: dict[Kind, int] = {}
    for line in answer["lines"]:
        if found := LINE.search(line):
            kind = KINDS[found[2]]
            used[kind] = used.get(kind, 0) + round(float(found[3]) * 2**20)
    return used


def compared(path: Path, options: MemoryOptions = OPTIONS) -> None:
    theirs = reported(path, options)
    table = estimate(read_model_file(path), None, options)
    assert "estimate_unknown_architecture" not in table.doubts
    for kind in (Kind.WEIGHTS, Kind.KV, Kind.STATE):
        # The log has two decimals of a MiB, and there may be two caches.
        assert table.total(kind=kind) == pytest.approx(theirs.get(kind, 0), abs=2 * 5400), kind


def gemma(index: int) -> dict[str, Shape]:
    del index
    return {**ATTENTION, **NORMS, **DENSE, **POST}


@pytest.mark.parametrize(
    "options",
    [OPTIONS, replace(OPTIONS, is_window_full=True), replace(OPTIONS, is_unified=False)],
    ids=["window", "full", "apart"],
)
def test_gemma3_slides_in_five_of_six_layers(tmp_path: Path, options: MemoryOptions) -> None:
    path = tmp_path / "gemma3.gguf"
    write(path, "gemma3", 7, {"attention.sliding_window": 100}, gemma)
    compared(path, options)


def test_gemma2_slides_in_every_other_layer(tmp_path: Path) -> None:
    path = tmp_path / "gemma2.gguf"
    block = {**ATTENTION, **DENSE, **POST}
    write(path, "gemma2", 5, {"attention.sliding_window": 300}, lambda _: block)
    compared(path)


def test_gemma4_shares_and_has_two_lengths(tmp_path: Path) -> None:
    # The sharing layers use the last two before them: one that slides and one that does not.
    sliding = [True, True, True, False, True, False]

    def block(index: int) -> dict[str, Shape]:
        head = 16 if sliding[index] else HEAD
        return {
            **gemma(index),
            "attn_q.weight": (WIDTH, HEADS * head),
            "attn_k.weight": (WIDTH, HEADS_KV * head),
            "attn_v.weight": (WIDTH, HEADS_KV * head),
            "attn_output.weight": (HEADS * head, WIDTH),
            "attn_q_norm.weight": (head,),
            "attn_k_norm.weight": (head,),
        }

    keys = {
        "attention.sliding_window": 100,
        "attention.sliding_window_pattern": sliding,
        "attention.shared_kv_layers": 2,
        "attention.key_length_swa": 16,
        "attention.value_length_swa": 16,
        "rope.dimension_count_swa": 16,
        "embedding_length_per_layer_input": 0,
    }
    path = tmp_path / "gemma4.gguf"
    write(path, "gemma4", 6, keys, block)
    compared(path)


def test_experts(tmp_path: Path) -> None:
    keys = {"expert_count": 8, "expert_used_count": 2, "expert_feed_forward_length": 32}
    path = tmp_path / "qwen3moe.gguf"
    write(path, "qwen3moe", 3, keys, lambda _: {**ATTENTION, **NORMS, **EXPERTS})
    compared(path)
    assert estimate(read_model_file(path), None, OPTIONS).doubts == ("estimate_experts",)


STATE = {
    "ssm.conv_kernel": 4,
    "ssm.inner_size": 2 * WIDTH,
    "ssm.state_size": 16,
    "ssm.time_step_rank": 4,
}


def test_mamba_keeps_a_state_and_no_cells(tmp_path: Path) -> None:
    path = tmp_path / "mamba.gguf"
    none = {"attention.head_count": 0, "attention.head_count_kv": 0}
    write(path, "mamba", 40, {**STATE, **none}, lambda _: MAMBA)
    compared(path, replace(OPTIONS, n_parallel=4, output_rows=4))


@pytest.mark.parametrize("snapshots", [0, 3])
def test_a_hybrid_with_short_convolutions(tmp_path: Path, snapshots: int) -> None:
    attends = [0, HEADS_KV] * 10
    rest = {name: shape for name, shape in ATTENTION.items() if name != "attn_norm.weight"}
    sizes = {"attn_q.weight": (WIDTH, WIDTH), "attn_output.weight": (WIDTH, WIDTH)}
    norms = {"attn_q_norm.weight": (16,), "attn_k_norm.weight": (16,)}
    held = {"attn_k.weight": (WIDTH, 32), "attn_v.weight": (WIDTH, 32)}
    full: dict[str, Shape] = {**rest, **sizes, **norms, **held}
    keys = {
        "attention.head_count_kv": attends,
        "attention.key_length": 16,
        "attention.value_length": 16,
        "rope.dimension_count": 16,
        "shortconv.l_cache": 3,
    }
    path = tmp_path / "lfm2.gguf"
    write(
        path,
        "lfm2",
        20,
        keys,
        lambda i: {"attn_norm.weight": (WIDTH,), **DENSE, **(full if attends[i] else SHORT)},
    )
    compared(path, replace(OPTIONS, snapshots=snapshots, n_parallel=4, output_rows=4))


@pytest.mark.parametrize("snapshots", [0, 2])
def test_a_hybrid_in_which_every_fourth_layer_attends(tmp_path: Path, snapshots: int) -> None:
    gated = {**ATTENTION, **NORMS, "attn_q.weight": (WIDTH, 2 * QUERY)}
    gated["post_attention_norm.weight"] = (WIDTH,)
    dense = {name: shape for name, shape in DENSE.items() if name != "ffn_norm.weight"}
    keys = {
        **STATE,
        "ssm.inner_size": 64,
        "ssm.group_count": 2,
        "rope.dimension_sections": [8, 4, 4, 0],
    }
    path = tmp_path / "qwen35.gguf"
    write(path, "qwen35", 16, keys, lambda i: {**(DELTA if (i + 1) % 4 else gated), **dense})
    compared(path, replace(OPTIONS, snapshots=snapshots))
