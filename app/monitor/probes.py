"""Sources of MachineSample: psutil, or nothing. Each later source has a file of its own and the same shape.

May import psutil; nothing of the app but the sample.
"""

from __future__ import annotations

import logging
import time
from typing import Protocol

import psutil

from app.monitor.sample import MachineSample

log = logging.getLogger(__name__)


class Probe(Protocol):
    """Something that can be asked about the machine; cheap enough for once a second on any thread."""

    def sample(self, pid: int | None = None) -> MachineSample:
        """The machine now, and the memory of one process."""

    def close(self) -> None:
        """Let go of what the probe holds open."""


class NullProbe:
    """Stands in where nothing can be measured."""

    def __init__(self, reason: str = "probe_failed") -> None:
        self._reason = reason

    def sample(self, pid: int | None = None) -> MachineSample:
        """Nothing but the reason."""
        del pid
        return MachineSample(time.monotonic(), reason=self._reason)

    def close(self) -> None:
        """Nothing is held."""


class PsutilProbe:
    """System memory and the memory of the engine's process."""

    def sample(self, pid: int | None = None) -> MachineSample:
        """Ask the system; a process that is gone has no memory to speak of."""
        memory = psutil.virtual_memory()
        return MachineSample(
            taken_at=time.monotonic(),
            ram_total_bytes=memory.total,
            ram_available_bytes=memory.available,
            process_bytes=_resident_bytes(pid),
        )

    def close(self) -> None:
        """Nothing is held."""


def first_probe() -> Probe:
    """The best probe that works here: asked once; a failure is logged and replaced for good."""
    probe = PsutilProbe()
    try:
        probe.sample()
    except (OSError, psutil.Error) as error:
        log.warning("the machine cannot be asked for its memory: %s", error)
        return NullProbe()
    return probe


def _resident_bytes(pid: int | None) -> int | None:
    if pid is None:
        return None
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except (psutil.Error, OSError):
        return None
