"""The words and numbers of a memory estimate: how a pair is loaded, and the table that results.

Made by `app.hub.memory`; the split is only for length. Imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

CPU = "CPU"
# What the CPU keeps a second, rearranged copy of when it has AVX2 or its like.
REPACKED_ON_X86 = frozenset({"Q4_0", "Q4_K", "IQ4_NL", "MXFP4"})


class Part(Enum):
    """Whose memory it is."""

    TARGET = "target"
    DRAFT = "draft"


class Kind(Enum):
    """What the memory is for."""

    WEIGHTS = "weights"
    REPACKED = "rearranged weights"
    KV = "conversation memory"
    STATE = "running state"
    COMPUTE = "working memory"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Gpu:
    """A device for layers; `share` of them relative to the other devices."""

    name: str
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """How a pair is to be loaded.

    Attributes:
        cells: tokens of context, shared by all conversations when `is_unified`.
        kv_type: of the target's cache; the draft's stays F16.
        output_rows: rows of logits that one pass of the target may ask for; draft likewise.
        gpu_layers: of the target, the output layer counting as one; None for all.
        is_window_full: sliding layers keep all cells, not their window (`swa_full`).
        snapshots: earlier states kept for taking back tokens (`n_rs_seq`).
        repacked: number formats the CPU rearranges; empty with `use_extra_bufts` off.
        weight_bytes: of all parts of a split target, which its first header does not tell.
    """

    cells: int = 4096
    n_parallel: int = 1
    kv_type: str = "F16"
    ubatch: int = 512
    output_rows: int = 16
    draft_output_rows: int = 8
    has_flash_attention: bool = True
    gpus: tuple[Gpu, ...] = ()
    gpu_layers: int | None = None
    draft_gpu_layers: int | None = None
    is_unified: bool = True
    is_window_full: bool = False
    snapshots: int = 0
    is_mapped: bool = True
    repacked: frozenset[str] = REPACKED_ON_X86
    weight_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One line of the table. A reclaimable one does not count: the system can take it back."""

    device: str
    part: Part
    kind: Kind
    used_bytes: int
    is_reclaimable: bool = False


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """The table; `doubts` are codes of `app.messages` that say why it is approximate."""

    rows: tuple[MemoryRow, ...]
    doubts: tuple[str, ...]

    @property
    def is_approximate(self) -> bool:
        return bool(self.doubts)

    @property
    def devices(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.device for row in self.rows))

    def total(
        self, device: str | None = None, part: Part | None = None, kind: Kind | None = None
    ) -> int:
        """Bytes that count, of one device, part or kind, or of all."""
        return sum(
            row.used_bytes
            for row in self.rows
            if not row.is_reclaimable
            and device in (None, row.device)
            and part in (None, row.part)
            and kind in (None, row.kind)
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether an estimate fits; `left_bytes` by device, the margin taken off, negative if short."""

    ok: bool
    left_bytes: Mapping[str, int]
