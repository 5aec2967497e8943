"""Model files of a few hundred kilobytes that llama.cpp really loads, right or wrong as asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import gguf as gguf_package
import numpy as np
from numpy.typing import NDArray

from tests.model.test_memory_architectures import (
    ATTENTION,
    DELTA,
    DENSE,
    FORWARD,
    HEAD,
    HEADS,
    HEADS_KV,
    MAMBA,
    NORMS,
    QUERY,
    WIDTH,
    Shape,
)

Keys = Mapping[str, int | float | bool | str | list[int]]
Weights = Callable[[str, tuple[int, ...]], NDArray[np.float32]]

LETTERS = [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)]
TOKENS = len(LETTERS)
USUAL: Keys = {
    "block_count": 2,
    "context_length": 4096,
    "embedding_length": WIDTH,
    "feed_forward_length": FORWARD,
    "attention.head_count": HEADS,
    "attention.head_count_kv": HEADS_KV,
    "attention.key_length": HEAD,
    "attention.value_length": HEAD,
    "attention.layer_norm_rms_epsilon": 1e-5,
    "rope.dimension_count": HEAD,
}
STATE: Keys = {
    "ssm.conv_kernel": 4,
    "ssm.inner_size": 2 * WIDTH,
    "ssm.state_size": 16,
    "ssm.time_step_rank": 4,
}


def drawn(seed: int = 1) -> Weights:
    """Random weights: the text is nonsense, but each next token follows from all before it."""
    rng = np.random.default_rng(seed)

    def weights(name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
        if "norm" in name:
            return np.ones(shape, dtype=np.float32)
        values = (rng.normal(size=shape) * 0.3).astype(np.float32)
        return -np.abs(values) if name.endswith("ssm_a") else values

    return weights


def broken(name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Weights that are no numbers, as after a bad write to the disk."""
    del name
    return np.full(shape, np.nan, dtype=np.float32)


def write(
    path: Path,
    architecture: str,
    tensors: Mapping[str, Shape],
    keys: Keys | None = None,
    weights: Weights | None = None,
    tokens: list[str] | None = None,
) -> Path:
    """A model file; `keys` belong to the architecture unless they name the tokenizer."""
    writer = gguf_package.GGUFWriter(path, architecture)
    for name, value in {**USUAL, **(keys or {})}.items():
        full = name if name.startswith("tokenizer.") else f"{architecture}.{name}"
        if isinstance(value, bool):
            writer.add_bool(full, value)
        elif isinstance(value, int):
            writer.add_uint32(full, value)
        elif isinstance(value, float):
            writer.add_float32(full, value)
        elif isinstance(value, str):
            writer.add_string(full, value)
        else:
            writer.add_array(full, value)
    words = tokens or [chr(letter) for letter in LETTERS]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([word.encode() for word in words])
    writer.add_token_merges(["a b"])
    make = weights or drawn()
    for name, shape in tensors.items():
        writer.add_tensor(name, make(name, shape[::-1]))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _stack(layers: int, block: Callable[[int], Mapping[str, Shape]]) -> dict[str, Shape]:
    tensors: dict[str, Shape] = {
        "token_embd.weight": (WIDTH, TOKENS),
        "output_norm.weight": (WIDTH,),
    }
    for index in range(layers):
        tensors |= {f"blk.{index}.{name}": shape for name, shape in block(index).items()}
    return tensors


def llama(path: Path, layers: int = 2, keys: Keys | None = None, **other: object) -> Path:
    """An ordinary model: it can rewind."""
    tensors = _stack(layers, lambda _: {**ATTENTION, **DENSE})
    counted: Keys = {"block_count": layers, **(keys or {})}
    return write(path, "llama", tensors, counted, **other)  # type: ignore[arg-type]


def thirsty(path: Path) -> Path:
    """A small file whose cache takes 32 KiB for each token, with a context of 131,072."""
    wide = 64 * 64
    attention: dict[str, Shape] = {
        **ATTENTION,
        "attn_q.weight": (WIDTH, wide),
        "attn_k.weight": (WIDTH, wide),
        "attn_v.weight": (WIDTH, wide),
        "attn_output.weight": (wide, WIDTH),
    }
    keys: Keys = {
        "context_length": 131_072,
        "attention.head_count": 64,
        "attention.head_count_kv": 64,
        "attention.key_length": 64,
        "attention.value_length": 64,
        "rope.dimension_count": 64,
    }
    return write(path, "llama", _stack(2, lambda _: {**attention, **DENSE}), keys)


def mamba(path: Path) -> Path:
    """A recurrent model for which llama.cpp keeps no snapshots: it cannot rewind."""
    none: Keys = {"attention.head_count": 0, "attention.head_count_kv": 0}
    return write(path, "mamba", _stack(2, lambda _: MAMBA), {**STATE, **none})


def hybrid(path: Path) -> Path:
    """Three recurrent layers of four, yet able to rewind by snapshots."""
    gated = {**ATTENTION, **NORMS, "attn_q.weight": (WIDTH, 2 * QUERY)}
    gated["post_attention_norm.weight"] = (WIDTH,)
    dense = {name: shape for name, shape in DENSE.items() if name != "ffn_norm.weight"}
    keys: Keys = {
        **STATE,
        "block_count": 4,
        "ssm.inner_size": 64,
        "ssm.group_count": 2,
        "rope.dimension_sections": [8, 4, 4, 0],
    }
    tensors = _stack(4, lambda index: {**(DELTA if (index + 1) % 4 else gated), **dense})
    return write(path, "qwen35", tensors, keys)


def encoder(path: Path) -> Path:
    """An embedding model: it reads text and writes none."""
    square = dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (WIDTH, WIDTH))
    block: dict[str, Shape] = {f"{name}.weight": shape for name, shape in square.items()}
    block |= {f"{name}.bias": (WIDTH,) for name in square}
    block |= {
        "ffn_up.weight": (WIDTH, FORWARD),
        "ffn_up.bias": (FORWARD,),
        "ffn_down.weight": (FORWARD, WIDTH),
        "ffn_down.bias": (WIDTH,),
    }
    for norm in ("attn_output_norm", "layer_output_norm"):
        block |= {f"{norm}.weight": (WIDTH,), f"{norm}.bias": (WIDTH,)}
    tensors = _stack(2, lambda _: block)
    del tensors["output_norm.weight"]
    tensors |= {
        "token_types.weight": (WIDTH, 2),
        "position_embd.weight": (WIDTH, 512),
        "token_embd_norm.weight": (WIDTH,),
        "token_embd_norm.bias": (WIDTH,),
    }
    keys: Keys = {
        "context_length": 512,
        "attention.head_count_kv": HEADS,
        "attention.key_length": 16,
        "attention.value_length": 16,
        "attention.layer_norm_epsilon": 1e-12,
        "attention.causal": False,
        "pooling_type": 1,
        "tokenizer.ggml.token_type_count": 2,
    }
    return write(path, "bert", tensors, keys)
