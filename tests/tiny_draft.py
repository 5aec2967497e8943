"""A draft for SmolLM2 that llama.cpp really loads: its vocabulary, and one layer of random weights.

Its guesses are nonsense, and the target's answers stay what they are: that is what is tested.
"""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

WIDTH, FORWARD, HEADS = 64, 128, 2
CHANGED = {
    "llama.block_count": 1,
    "llama.embedding_length": WIDTH,
    "llama.feed_forward_length": FORWARD,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": HEADS,
    "llama.rope.dimension_count": WIDTH // HEADS,
    "general.file_type": 1,
}
LEFT_OUT = ("GGUF.", "general.architecture", "general.quantization_version")


def write_tiny_draft(source: Path, path: Path) -> Path:
    """Write it with the metadata of `source`."""
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(path, "llama")
    for name, field in reader.fields.items():
        if name.startswith(LEFT_OUT):
            continue
        kind = field.types[0]
        sub_kind = field.types[-1] if kind is gguf.GGUFValueType.ARRAY else None
        value = CHANGED.get(name, field.contents())
        writer.add_key_value(name, value, kind, sub_kind)
    tokens = len(reader.fields["tokenizer.ggml.tokens"].data)
    for name, shape in _tensors(tokens).items():
        writer.add_tensor(name, _weights(name, shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(tokens: int) -> dict[str, tuple[int, ...]]:
    square = (WIDTH, WIDTH)
    block = {
        "attn_norm": (WIDTH,),
        "attn_q": square,
        "attn_k": square,
        "attn_v": square,
        "attn_output": square,
        "ffn_norm": (WIDTH,),
        "ffn_gate": (FORWARD, WIDTH),
        "ffn_up": (FORWARD, WIDTH),
        "ffn_down": (WIDTH, FORWARD),
    }
    return {
        "token_embd.weight": (tokens, WIDTH),
        "output_norm.weight": (WIDTH,),
        **{f"blk.0.{name}.weight": shape for name, shape in block.items()},
    }


def _weights(name: str, shape: tuple[int, ...]) -> np.ndarray:
    if "norm" in name:
        return np.ones(shape, dtype=np.float32)
    return (np.random.default_rng(1).normal(size=shape) * 0.2).astype(np.float16)
