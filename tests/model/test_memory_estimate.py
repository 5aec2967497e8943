"""The estimate against what llama.cpp reports after loading, buffer kind by buffer kind."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.hub.gguf import read_model_file
from app.hub.memory import CPU, Kind, MemoryOptions, estimate

pytestmark = pytest.mark.model

ASK = Path(__file__).with_name("ask_llama.py")
LINE = re.compile(r"(\S+) +(model|KV|RS|compute|output) buffer size = +([\d.]+) MiB")
KINDS = {
    "KV": Kind.KV,
    "RS": Kind.STATE,
    "compute": Kind.COMPUTE,
    "output": Kind.OUTPUT,
    "model": Kind.WEIGHTS,
}
GGML_TYPES = {"F16": 1, "Q8_0": 8, "Q4_0": 2}


def reported(path: Path, model: dict[str, Any], context: dict[str, Any]) -> dict[Kind, float]:
    """Bytes by kind as llama.cpp logs them."""
    question = json.dumps(
        {"what": "memory", "path": str(path), "model_settings": model, "settings": context}
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
    used: dict[Kind, float] = {}
    for line in answer["lines"]:
        if found := LINE.search(line):
            kind = Kind.REPACKED if found[1] == "CPU_REPACK" else KINDS[found[2]]
            used[kind] = used.get(kind, 0) + float(found[3]) * 2**20
    return used


def compared(path: Path, options: MemoryOptions) -> None:
    model = {"load_mode": int(options.is_mapped), "use_extra_bufts": bool(options.repacked)}
    context = {
        "n_ctx": options.cells,
        "n_batch": 512,
        "n_ubatch": options.ubatch,
        "n_seq_max": options.n_parallel,
        "n_outputs_max": options.output_rows,
        "type_k": GGML_TYPES[options.kv_type],
        "type_v": GGML_TYPES[options.kv_type],
        "flash_attn_type": int(options.has_flash_attention),
        "kv_unified": options.is_unified,
        "swa_full": False,
    }
    theirs = reported(path, model, context)
    table = estimate(read_model_file(path), None, options)
    assert not table.is_approximate
    ours: dict[Kind, float] = {}
    for row in table.rows:
        assert row.device == CPU
        ours[row.kind] = ours.get(row.kind, 0) + row.used_bytes
    if options.output_rows > options.n_parallel:
        # At load there is room for one row of each conversation; more when more are asked for.
        theirs[Kind.OUTPUT] *= options.output_rows / options.n_parallel
    assert ours.keys() == theirs.keys()
    for kind, size in theirs.items():
        # The log has two decimals of a MiB.
        assert ours[kind] == pytest.approx(size, rel=0.05, abs=6000), kind


OPTIONS = {
    "as the app loads": MemoryOptions(cells=4096, output_rows=16),
    "all rows": MemoryOptions(cells=4096, output_rows=512),
    "short context": MemoryOptions(cells=512, output_rows=1),
    "long context": MemoryOptions(cells=16_384, output_rows=1),
    "small passes": MemoryOptions(cells=4096, output_rows=1, ubatch=64),
    "scores written out": MemoryOptions(cells=4096, output_rows=1, has_flash_attention=False),
    "coarse cache": MemoryOptions(cells=4096, output_rows=1, kv_type="Q8_0"),
    "coarser cache": MemoryOptions(cells=4096, output_rows=1, kv_type="Q4_0"),
    "four conversations": MemoryOptions(cells=4096, output_rows=4, n_parallel=4),
    "four apart": MemoryOptions(cells=4096, output_rows=4, n_parallel=4, is_unified=False),
    "odd context": MemoryOptions(cells=1000, output_rows=1),
    "not mapped": MemoryOptions(cells=512, output_rows=1, is_mapped=False),
    "not rearranged": MemoryOptions(cells=512, output_rows=1, repacked=frozenset()),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_the_starter_model(starter_model: Path, name: str) -> None:
    compared(starter_model, OPTIONS[name])


@pytest.mark.parametrize(
    "name", ["as the app loads", "not mapped", "scores written out", "coarse cache"]
)
def test_the_draft(draft_model: Path, name: str) -> None:
    compared(draft_model, OPTIONS[name])


@pytest.mark.parametrize("name", ["as the app loads", "all rows", "coarse cache", "not rearranged"])
def test_the_target(target_model: Path, name: str) -> None:
    compared(target_model, OPTIONS[name])
