"""Where a pair may go: contexts and layers in the order of giving up, and what this computer has.

Pure but for one look into /proc; imports no model library.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LAYER_SHARES = (0.75, 0.5, 0.25, 0.0)


@dataclass(frozen=True, slots=True)
class Placement:
    """One way to place a pair: context per conversation, with or without the draft."""

    n_ctx: int
    with_draft: bool


def placements(wanted: int, least: int, with_draft: bool) -> Iterator[Placement]:
    """Most wanted first: with the draft shorter and shorter, then without it as long as fits."""
    for drafted in (True, False) if with_draft else (False,):
        n_ctx = wanted
        yield Placement(n_ctx, drafted)
        while n_ctx > least:
            n_ctx = max(least, n_ctx // 2)
            yield Placement(n_ctx, drafted)


def fewer_layers(total: int) -> list[int]:
    """Target layers to put on the GPU when not all fit, most wanted first; 0 is the last."""
    return list(dict.fromkeys(int(total * share) for share in _LAYER_SHARES))


def physical_cores() -> int:
    """Threads worth using: half the logical processors where there are more than two, since two
    threads of one core share its units.
    """
    logical = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return logical if logical <= 2 else max(2, logical // 2)


def available_ram_bytes() -> int | None:
    """Memory that can be had without swapping; None where only psutil could tell (that is the
    monitor's business).
    """
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None
