"""Probes: who can be asked for a MachineSample once a second. Psutil, or nothing.

What draws power and holds graphics memory is read by the sources (sources.py), on the sampler's
thread; a probe adds the sampler's newest graphics numbers. May import psutil; nothing of the app
but the sample.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import psutil

from app.monitor.sample import GpuSample, MachineSample

log = logging.getLogger(__name__)

PROBE_FAILED = "probe_failed"
FAILURES_ALLOWED = 2  # in a row; the second one ends it


class Probe(Protocol):
    """Can be asked about the machine; cheap enough for once a second, on any thread."""

    def sample(self, pid: int | None = None) -> MachineSample:
        """The machine now, and the memory of one process."""

    def close(self) -> None:
        """Let go of what the probe holds open."""


class NullProbe:
    """Stands in where nothing can be measured."""

    def __init__(self, reason: str = PROBE_FAILED) -> None:
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


class CarefulProbe:
    """Asks another probe; after two failures in a row it says why and asks no more."""

    def __init__(
        self, probe: Probe, gpus: Callable[[], tuple[GpuSample, ...]] | None = None
    ) -> None:
        self._probe = probe
        self._gpus = gpus
        self._failures = 0

    def sample(self, pid: int | None = None) -> MachineSample:
        """What the other probe says, with the newest graphics numbers; never raises."""
        try:
            taken = self._probe.sample(pid)
            self._failures = 0
        except (OSError, psutil.Error) as error:
            log.warning("the machine cannot be asked for its memory: %s", error)
            taken = NullProbe().sample()
            self._failures += 1
            if self._failures >= FAILURES_ALLOWED:
                self._probe.close()
                self._probe = NullProbe()
        return replace(taken, gpus=self._gpus()) if self._gpus is not None else taken

    def close(self) -> None:
        """Let go of what the other probe holds."""
        self._probe.close()


def first_probe(gpus: Callable[[], tuple[GpuSample, ...]] | None = None) -> Probe:
    """The probe for this machine; `gpus` gives the newest graphics numbers (EnergyMeter.gpus)."""
    return CarefulProbe(PsutilProbe(), gpus)


def _resident_bytes(pid: int | None) -> int | None:
    if pid is None:
        return None
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except (psutil.Error, OSError):
        return None
