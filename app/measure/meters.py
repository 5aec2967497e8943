"""Joules and memory while a task runs: two small Protocols that the monitor's meters fit, and what
stands in where there is none. Imports only the monitor's plain data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.monitor.sample import MachineSample


@dataclass(frozen=True, slots=True)
class Energy:
    """Joules of one task, or why there are none.

    Attributes:
        scope: what was measured: "gpu", "cpu", "machine", ...
        method: how: "counter", "integrated", "wall", "estimate", ...
        reason: a code for app.messages; None when `joules` is there.
    """

    joules: float | None = None
    scope: str = ""
    method: str = ""
    reason: str | None = None


class EnergyMeter(Protocol):
    """Measures one task after the other."""

    def begin(self) -> None:
        """A task starts now."""

    def end(self) -> Energy:
        """It ends now."""


class MemoryProbe(Protocol):
    """Says how much memory is in use; `app.monitor.probes.Probe` is one."""

    def sample(self, pid: int | None = None) -> MachineSample:
        """The machine now, and the memory of one process."""


class NoMeter:
    """Where no energy can be measured."""

    def __init__(self, reason: str = "energy_not_available") -> None:
        self._reason = reason

    def begin(self) -> None:
        """Nothing to start."""

    def end(self) -> Energy:
        """Nothing but the reason."""
        return Energy(reason=self._reason)


@dataclass(frozen=True, slots=True)
class PeakMemory:
    """Most memory seen during a task, bytes; None where nobody says.

    Attributes:
        process_bytes: of the engine's process, in RAM.
        gpu_bytes: in use on all graphics devices, other programs included.
    """

    process_bytes: int | None = None
    gpu_bytes: int | None = None


class PeakWatch:
    """Keeps the most that a probe said, asking it at most every `period_seconds`."""

    def __init__(self, probe: MemoryProbe | None, period_seconds: float = 0.5) -> None:
        self._probe = probe
        self._period_seconds = period_seconds
        self._asked_at = float("-inf")
        self._peak = PeakMemory()

    @property
    def peak(self) -> PeakMemory:
        """Since the last reset."""
        return self._peak

    def reset(self) -> None:
        """A new task begins; it is looked at soon."""
        self._peak = PeakMemory()
        self._asked_at = float("-inf")

    def look(self, now: float, pid: int | None) -> None:
        """Ask the probe if it is time."""
        if self._probe is None or now - self._asked_at < self._period_seconds:
            return
        self._asked_at = now
        sample = self._probe.sample(pid)
        used = [
            gpu.total_bytes - gpu.free_bytes
            for gpu in sample.gpus
            if gpu.total_bytes is not None and gpu.free_bytes is not None
        ]
        self._peak = PeakMemory(
            _most(self._peak.process_bytes, sample.process_bytes),
            _most(self._peak.gpu_bytes, sum(used) if used else None),
        )


def _most(left: int | None, right: int | None) -> int | None:
    known = [value for value in (left, right) if value is not None]
    return max(known) if known else None
