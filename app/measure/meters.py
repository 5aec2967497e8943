"""Joules and memory while a task runs: two small Protocols that the monitor's meters fit, and what
stands in where there is none. Imports only the monitor's plain data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.monitor.sample import GpuSample, MachineSample
from app.monitor.task_energy import TaskEnergy


@dataclass(frozen=True, slots=True)
class Energy:
    """Joules of one task, or why there are none.

    Attributes:
        scope: what was measured: "gpu", "cpu", "gpu+cpu", "chip", "machine".
        method: how: "counter", "power", "wall", "estimate".
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

    def __init__(self, reason: str = "energy_no_meter") -> None:
        self._reason = reason

    def begin(self) -> None:
        """Nothing to start."""

    def end(self) -> Energy:
        """Nothing but the reason."""
        return Energy(reason=self._reason)


class TaskMeter(Protocol):
    """The part of the monitor's EnergyMeter that is used."""

    def begin(self, task: str) -> None: ...
    def finish(self, task: str) -> TaskEnergy: ...


class MonitorMeter:
    """The monitor's meter in this shape; it is read from another thread, so measuring goes on."""

    _TASK = "measure"

    def __init__(self, meter: TaskMeter) -> None:
        self._meter = meter

    def begin(self) -> None:
        """A task starts now."""
        self._meter.begin(self._TASK)

    def end(self) -> Energy:
        """It ends now; waits for a meter that lags."""
        took = self._meter.finish(self._TASK)
        if took.joules is None or took.scope is None or took.method is None:
            # What is missing besides ("no NVIDIA device") is not why there is nothing at all.
            own = [each.code for each in took.missing if each.code.startswith("energy_")]
            return Energy(reason=own[0] if own else "energy_no_meter")
        return Energy(took.joules, took.scope.value, took.method.value)


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
        used = [bytes_ for gpu in sample.gpus if (bytes_ := _used_bytes(gpu)) is not None]
        self._peak = PeakMemory(
            _most(self._peak.process_bytes, sample.process_bytes),
            _most(self._peak.gpu_bytes, sum(used) if used else None),
        )


def _used_bytes(gpu: GpuSample) -> int | None:
    if gpu.used_bytes is not None:
        return gpu.used_bytes
    if gpu.total_bytes is None or gpu.free_bytes is None:
        return None
    return gpu.total_bytes - gpu.free_bytes


def _most(left: int | None, right: int | None) -> int | None:
    known = [value for value in (left, right) if value is not None]
    return max(known) if known else None
