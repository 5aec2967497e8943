"""NVIDIA graphics devices, through NVML (nvidia-ml-py). The only file that imports pynvml.

NVML is loaded at the first `open` and shut down at `close`: an open NVML keeps a laptop's device
awake. What a device offers is found out once and remembered by its place on the bus. Imports the
sample and the sources' errors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.monitor import pci
from app.monitor.sample import GpuSample, Rated, Reading, Scope
from app.monitor.sources import AbsentError, AsleepError, ProbeError

log = logging.getLogger(__name__)

VENDOR = "0x10de"
MILLI = 1000.0
# The counter is renewed every 20 to 100 ms.
COUNTER_LAG_SECONDS = 0.1
# Bits of NVML's clock event reasons (nvml.h), as far as they mean "slower than it could be".
_SLOWED_BY = (
    (0x04 | 0x80, "power"),  # software power cap, power brake
    (0x20 | 0x40, "heat"),  # software and hardware thermal slowdown
    (0x08, "hardware"),  # any slowdown by hardware; the two above say more
)


@dataclass(slots=True)
class _Abilities:
    """What one device offers; None while not asked."""

    counter: bool | None = None
    instant: bool | None = None
    power: bool | None = None

    @property
    def any(self) -> bool:
        return (self.counter, self.instant, self.power) != (False, False, False)


@dataclass(frozen=True, slots=True)
class _Device:
    handle: Any
    name: str
    bus_id: str
    abilities: _Abilities


class NvidiaSource:
    """Energy counter and power of every NVIDIA device."""

    name = "NVIDIA"

    def __init__(self, sysfs: Path = pci.SYSFS) -> None:
        self._sysfs = sysfs
        self._nvml: Any = None
        self._devices: list[_Device] = []
        self._abilities: dict[str, _Abilities] = {}
        self._limits: dict[str, float] = {}

    def open(self) -> None:
        """Start NVML, unless that would wake devices that sleep."""
        displays = pci.displays(VENDOR, self._sysfs)
        if displays and all(display.suspended for display in displays):
            raise AsleepError("nvidia_asleep")
        try:
            import pynvml
        except ImportError as error:
            raise AbsentError("nvidia_no_library") from error
        self._nvml = pynvml
        try:
            pynvml.nvmlInit()
        except pynvml.NVMLError as error:
            raise self._init_error(error, has_device=bool(displays)) from error
        try:
            self._devices = self._find_devices()
        except ProbeError:
            self.close()
            raise
        except pynvml.NVMLError as error:
            self.close()
            raise ProbeError("nvidia_failed", reason=str(error)) from error
        if not self._devices:
            self.close()
            raise AbsentError("nvidia_no_device")

    def read(self) -> tuple[Reading, ...]:
        """Counter and power of each device, as far as it has them."""
        readings = [
            Reading(
                device=device.bus_id,
                scope=Scope.GPU,
                joules=self._joules(device),
                watts=self._watts(device),
                lag_seconds=COUNTER_LAG_SECONDS,
            )
            for device in self._devices
        ]
        if not any(device.abilities.any for device in self._devices):
            raise AbsentError("nvidia_no_meter")
        return tuple(readings)

    def gpus(self) -> tuple[GpuSample, ...]:
        """Memory, load, clocks and limits of each device."""
        return tuple(self._sample(device) for device in self._devices)

    def rated(self) -> tuple[Rated, ...]:
        """The power limits of devices that tell neither energy nor power."""
        silent = (bus_id for bus_id, able in self._abilities.items() if not able.any)
        return tuple(
            Rated(bus_id, Scope.GPU, self._limits[bus_id])
            for bus_id in silent
            if bus_id in self._limits
        )

    def close(self) -> None:
        """Shut NVML down; the devices may sleep again."""
        self._devices = []
        try:
            self._nvml.nvmlShutdown()
        except self._nvml.NVMLError as error:
            raise ProbeError("nvidia_failed", reason=str(error)) from error

    def _init_error(self, error: Any, *, has_device: bool) -> ProbeError:
        nvml = self._nvml
        if error.value == nvml.NVML_ERROR_LIBRARY_NOT_FOUND:
            # Without such a device on the bus, the driver is not what is missing. Windows shows
            # no bus; there it cannot be told.
            return AbsentError("nvidia_no_driver" if has_device else "nvidia_absent")
        absent = {
            nvml.NVML_ERROR_DRIVER_NOT_LOADED: "nvidia_driver_not_loaded",
            nvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH: "nvidia_driver_changed",
        }
        code = absent.get(error.value)
        return AbsentError(code) if code else ProbeError("nvidia_failed", reason=str(error))

    def _find_devices(self) -> list[_Device]:
        nvml, found = self._nvml, []
        for index in range(nvml.nvmlDeviceGetCount()):
            handle = nvml.nvmlDeviceGetHandleByIndex(index)
            bus_id = _as_text(nvml.nvmlDeviceGetPciInfo(handle).busId)
            abilities = self._abilities.setdefault(bus_id, _Abilities())
            limit = self._optional(nvml.nvmlDeviceGetEnforcedPowerLimit, handle)
            if limit:
                self._limits[bus_id] = limit / MILLI
            name = self._optional(nvml.nvmlDeviceGetName, handle)
            found.append(_Device(handle, name or self.name, bus_id, abilities))
        return found

    def _joules(self, device: _Device) -> float | None:
        if device.abilities.counter is False:
            return None
        millijoules = self._optional(self._nvml.nvmlDeviceGetTotalEnergyConsumption, device.handle)
        device.abilities.counter = millijoules is not None
        return None if millijoules is None else millijoules / MILLI

    def _watts(self, device: _Device) -> float | None:
        """Power now; 0 W is no power a device in use can draw, so it counts as not told."""
        able = device.abilities
        if able.instant is not False:
            milliwatts = self._instant(device.handle)
            able.instant = milliwatts is not None
            if milliwatts is not None:
                return milliwatts / MILLI or None
        if able.power is False:
            return None
        # From Ampere on this is the mean of the last second; better than nothing.
        milliwatts = self._optional(self._nvml.nvmlDeviceGetPowerUsage, device.handle)
        able.power = milliwatts is not None
        return milliwatts / MILLI or None if milliwatts is not None else None

    def _instant(self, handle: Any) -> float | None:
        nvml = self._nvml
        values = self._optional(
            nvml.nvmlDeviceGetFieldValues, handle, [nvml.NVML_FI_DEV_POWER_INSTANT]
        )
        if values is None or values[0].nvmlReturn != nvml.NVML_SUCCESS:
            return None
        return float(values[0].value.uiVal)

    def _sample(self, device: _Device) -> GpuSample:
        nvml, handle = self._nvml, device.handle
        memory = self._optional(nvml.nvmlDeviceGetMemoryInfo, handle, nvml.nvmlMemory_v2)
        # Version 1, of old drivers, counts what the driver reserves as used.
        memory = memory or self._optional(nvml.nvmlDeviceGetMemoryInfo, handle)
        busy = self._optional(nvml.nvmlDeviceGetUtilizationRates, handle)
        reasons = self._optional(nvml.nvmlDeviceGetCurrentClocksEventReasons, handle)
        if reasons is None:  # the name before driver 535
            reasons = self._optional(nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle)
        return GpuSample(
            name=device.name,
            total_bytes=memory.total if memory else None,
            free_bytes=min(memory.free, memory.total) if memory else None,
            power_watts=self._watts(device),
            used_bytes=memory.used if memory else None,
            reserved_bytes=getattr(memory, "reserved", None),
            power_limit_watts=self._limits.get(device.bus_id),
            busy_fraction=busy.gpu / 100 if busy else None,
            memory_busy_fraction=busy.memory / 100 if busy else None,
            clock_mhz=self._optional(nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_SM),
            memory_clock_mhz=self._optional(
                nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_MEM
            ),
            slowed_by=slowdowns(reasons or 0),
            bus_id=device.bus_id,
        )

    def _optional(self, ask: Callable[..., Any], *arguments: Any) -> Any:
        """The answer; None where device or driver do not offer it.

        Raises:
            ProbeError: it is offered, but failed.
        """
        nvml = self._nvml
        try:
            return ask(*arguments)
        except nvml.NVMLError as error:
            never = (
                nvml.NVML_ERROR_NOT_SUPPORTED,
                nvml.NVML_ERROR_FUNCTION_NOT_FOUND,
                nvml.NVML_ERROR_NO_PERMISSION,
                nvml.NVML_ERROR_INVALID_ARGUMENT,
                nvml.NVML_ERROR_ARGUMENT_VERSION_MISMATCH,
            )
            if error.value in never:
                return None
            raise ProbeError("nvidia_failed", reason=str(error)) from error


def slowdowns(reasons: int) -> tuple[str, ...]:
    """NVML's bits in words."""
    found = tuple(word for bits, word in _SLOWED_BY if reasons & bits)
    return found if len(found) < 2 else tuple(word for word in found if word != "hardware")


def _as_text(value: str | bytes) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value
