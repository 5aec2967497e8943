"""Apple silicon, through zeus-apple-silicon: energy of processor, graphics and memory, no root.

The package is installed on such Macs only. The figures are the chip's own model of its energy.
Imports the sample and the sources' errors.
"""

from __future__ import annotations

import importlib
import platform
import sys
from typing import Any

from app.monitor.sample import GpuSample, Rated, Reading, Scope
from app.monitor.sources import AbsentError, ProbeError

MILLI = 1000.0
_PARTS = ("cpu_total_mj", "gpu_mj", "gpu_sram_mj", "dram_mj", "ane_mj")
_NEEDED = ("cpu_total_mj", "gpu_mj")


class AppleSource:
    """The whole chip as one device."""

    name = "Apple silicon"

    def __init__(self) -> None:
        self._monitor: Any = None

    def open(self) -> None:
        """Subscribe to the system's energy reports."""
        if not (sys.platform == "darwin" and platform.machine() == "arm64"):
            raise AbsentError("apple_absent")
        try:
            library: Any = importlib.import_module("zeus_apple_silicon")
        except ImportError as error:
            raise AbsentError("apple_no_library") from error
        try:
            self._monitor = library.AppleEnergyMonitor()
        except RuntimeError as error:
            raise ProbeError("apple_failed", reason=str(error)) from error

    def read(self) -> tuple[Reading, ...]:
        """Joules since an unknown moment; parts a chip does not report are left out."""
        try:
            energy = self._monitor.get_cumulative_energy()
        except RuntimeError as error:
            raise ProbeError("apple_failed", reason=str(error)) from error
        parts = {part: getattr(energy, part, None) for part in _PARTS}
        if any(parts[part] is None for part in _NEEDED):
            raise AbsentError("apple_incomplete")
        joules = sum(value for value in parts.values() if value is not None) / MILLI
        return (Reading("apple", Scope.CHIP, joules=joules),)

    def gpus(self) -> tuple[GpuSample, ...]:
        """Graphics memory is the computer's own; there is nothing to add."""
        return ()

    def rated(self) -> tuple[Rated, ...]:
        """Not told by the system."""
        return ()

    def close(self) -> None:
        """End the subscription."""
        self._monitor = None
