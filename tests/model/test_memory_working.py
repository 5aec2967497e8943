"""Working memory of models with real proportions: files that are mostly holes, only loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import gguf as gguf_package
import numpy as np
import pytest

from app.hub.gguf import FileSource, read_header, read_model_file
from app.hub.memory import Kind, MemoryOptions, estimate
from tests.model.test_memory_architectures import reported

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(sys.platform == "win32", reason="the holes would be written out"),
]


@dataclass(frozen=True)
class Proportions:
    """One architecture at the width of a published model, with few layers."""

    architecture: str
    width: int
    forward: int
    heads: int
    head: int
    heads_kv: int
    layers: int = 2
    is_normed: bool = False
    experts: tuple[int, int] | None = None
    keys: Mapping[str, int] = field(default_factory=dict)

    def tensors(self, vocabulary: int) -> dict[str, tuple[int, ...]]:
        width, query, held = self.width, self.heads * self.head, self.heads_kv * self.head
        block: dict[str, tuple[int, ...]] = {
            "attn_norm.weight": (width,),
            "attn_q.weight": (width, query),
            "attn_k.weight": (width, held),
            "attn_v.weight": (width, held),
            "attn_output.weight": (query, width),
            "ffn_norm.weight": (width,),
        }
        if self.is_normed:
            block |= {"attn_q_norm.weight": (self.head,), "attn_k_norm.weight": (self.head,)}
        if self.architecture == "gemma3":
            block |= {"post_attention_norm.weight": (width,), "post_ffw_norm.weight": (width,)}
        inner, several = (self.forward, ()) if self.experts is None else (self.experts[1], (128,))
        suffix = "" if self.experts is None else "_exps"
        block[f"ffn_gate{suffix}.weight"] = (width, inner, *several)
        block[f"ffn_up{suffix}.weight"] = (width, inner, *several)
        block[f"ffn_down{suffix}.weight"] = (inner, width, *several)
        if self.experts is not None:
            block["ffn_gate_inp.weight"] = (width, 128)
        found: dict[str, tuple[int, ...]] = {
            "token_embd.weight": (width, vocabulary),
            "output_norm.weight": (width,),
            "output.weight": (width, vocabulary),
        }
        for layer in range(self.layers):
            found |= {f"blk.{layer}.{name}": shape for name, shape in block.items()}
        return found

    def write(self, path: Path) -> None:
        letters = [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)]
        tokens = [chr(letter).encode() for letter in letters]
        tokens += [b"token%d" % number for number in range(65_536 - len(tokens))]
        writer = gguf_package.GGUFWriter(path, self.architecture)
        writer.add_layer_norm_rms_eps(1e-5)
        numbers = {
            "block_count": self.layers,
            "context_length": 32_768,
            "embedding_length": self.width,
            "feed_forward_length": self.forward,
            "attention.head_count": self.heads,
            "attention.head_count_kv": self.heads_kv,
            "attention.key_length": self.head,
            "attention.value_length": self.head,
            "rope.dimension_count": self.head,
            **self.keys,
        }
        for key, value in numbers.items():
            writer.add_uint32(f"{self.architecture}.{key}", value)
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("gpt-2")
        writer.add_token_list(tokens)
        writer.add_token_merges(["a b"])
        for name, shape in self.tensors(len(tokens)).items():
            is_whole = len(shape) == 1 or "gate_inp" in name
            kind = np.dtype(np.float32 if is_whole else np.float16)
            size = int(np.prod(shape)) * kind.itemsize
            writer.add_tensor_info(name, shape[::-1], kind, size)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        os.truncate(path, read_header(FileSource(path)).needed_bytes or 0)


MODELS = {
    "Llama 3 8B": Proportions("llama", 4096, 14_336, 32, 128, 8),
    "Qwen3 8B": Proportions("qwen3", 4096, 12_288, 32, 128, 8, is_normed=True),
    "Gemma 3 12B": Proportions(
        *("gemma3", 3840, 15_360, 16, 256, 8, 6),
        is_normed=True,
        keys={"attention.sliding_window": 1024},
    ),
    "Qwen3 30B-A3B": Proportions(
        *("qwen3moe", 2048, 6144, 32, 128, 4),
        is_normed=True,
        experts=(8, 768),
        keys={"expert_count": 128, "expert_used_count": 8, "expert_feed_forward_length": 768},
    ),
    "Qwen2.5 32B": Proportions("qwen2", 5120, 27_648, 40, 128, 8),
}
OPTIONS = {
    "as the app loads": MemoryOptions(cells=8192, output_rows=1),
    "all rows": MemoryOptions(cells=8192, output_rows=512),
    "short": MemoryOptions(cells=512, output_rows=1, ubatch=128),
}


@pytest.mark.parametrize("name", MODELS)
def test_working_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / "model.gguf"
    MODELS[name].write(path)
    header = read_model_file(path)
    for label, options in OPTIONS.items():
        theirs = reported(path, options)
        table = estimate(header, None, options)
        for kind in (Kind.WEIGHTS, Kind.KV, Kind.COMPUTE):
            assert table.total(kind=kind) == pytest.approx(theirs[kind], rel=0.05), (label, kind)
    path.unlink()
