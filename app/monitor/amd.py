"""AMD graphics devices on Linux: power, memory and load from the kernel's own files.

Where the package amdsmi (part of ROCm) is installed, its energy counter is read too; it is known
to be wrong with some versions, so it is believed only if the power readings agree. Imports the
sample and the sources' errors.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.monitor import pci
from app.monitor.sample import GpuSample, Rated, Reading, Scope
from app.monitor.sources import AbsentError, AsleepError, ProbeError

log = logging.getLogger(__name__)

VENDOR = "0x1002"
MICRO = 1_000_000.0
_LIBRARY = "libamd_smi.so"


@dataclass(frozen=True, slots=True)
class _Device:
    bus_id: str
    folder: Path
    hwmon: Path | None
    handle: Any = None


class AmdSource:
    """Every AMD device that is awake."""

    name = "AMD"

    def __init__(self, sysfs: Path = pci.SYSFS) -> None:
        self._sysfs = sysfs
        self._devices: list[_Device] = []
        self._smi: Any = None

    def open(self) -> None:
        """Find the devices, and the counter if there is one."""
        displays = pci.displays(VENDOR, self._sysfs)
        if not displays:
            raise AbsentError("amd_absent")
        awake = [_device(display) for display in displays if not display.suspended]
        if not awake:
            raise AsleepError("amd_asleep")
        handles = self._open_counter()
        self._devices = [replace(each, handle=handles.get(each.bus_id)) for each in awake]

    def read(self) -> tuple[Reading, ...]:
        """Counter and power of each device, as far as it has them."""
        readings = (
            Reading(
                device=device.bus_id,
                scope=Scope.GPU,
                joules=self._joules(device),
                watts=_watts(device),
                doubtful=True,
            )
            for device in self._devices
        )
        telling = tuple(reading for reading in readings if reading.watts is not None)
        if not telling:
            asleep = all(display.suspended for display in pci.displays(VENDOR, self._sysfs))
            raise AsleepError("amd_asleep") if asleep else AbsentError("amd_no_meter")
        return telling

    def gpus(self) -> tuple[GpuSample, ...]:
        """Memory, load and power of each device."""
        return tuple(_sample(device) for device in self._devices)

    def rated(self) -> tuple[Rated, ...]:
        """The power caps of devices that do not tell their power."""
        found = []
        for display in pci.displays(VENDOR, self._sysfs):
            if display.suspended:
                continue
            device = _device(display)
            cap = _cap(device)
            if cap is not None and _watts(device) is None:
                found.append(Rated(device.bus_id, Scope.GPU, cap))
        return tuple(found)

    def close(self) -> None:
        """Let go of the library."""
        self._devices = []
        if self._smi is None:
            return
        smi, self._smi = self._smi, None
        try:
            smi.amdsmi_shut_down()
        except smi.AmdSmiException as error:
            raise ProbeError("amd_failed", reason=str(error)) from error

    def _open_counter(self) -> dict[str, Any]:
        """The library's handles by place on the bus; none where it is not whole."""
        smi = _import_amdsmi()
        if smi is None:
            return {}
        try:
            smi.amdsmi_init()
            handles = smi.amdsmi_get_processor_handles()
            found = {smi.amdsmi_get_gpu_device_bdf(handle).lower(): handle for handle in handles}
        except smi.AmdSmiException as error:
            log.info("amdsmi does not start: %s", error)
            return {}
        self._smi = smi
        return found

    def _joules(self, device: _Device) -> float | None:
        if self._smi is None or device.handle is None:
            return None
        try:
            count = self._smi.amdsmi_get_energy_count(device.handle)
        except self._smi.AmdSmiException as error:
            log.info("amdsmi tells no energy: %s", error)
            return None
        ticks = count.get("energy_accumulator", count.get("power"))  # "power" before ROCm 6.2
        resolution = count.get("counter_resolution")
        if not isinstance(ticks, int | float) or not isinstance(resolution, int | float):
            return None  # "N/A"
        return float(ticks) * float(resolution) / MICRO or None


def _import_amdsmi() -> Any:
    """The package, only where its library lies: without it, it prints to standard output."""
    spec = importlib.util.find_spec("amdsmi")
    if spec is None or spec.origin is None:
        return None
    roots = [Path(os.environ.get("ROCM_PATH", "/opt/rocm")) / "lib", Path(spec.origin).parent]
    if not any((root / _LIBRARY).exists() for root in roots):
        return None
    try:
        return importlib.import_module("amdsmi")
    except (ImportError, OSError, AttributeError, KeyError) as error:
        log.info("amdsmi does not fit the installed ROCm: %s", error)
        return None


def _device(display: pci.PciDisplay) -> _Device:
    hwmon = sorted((display.folder / "hwmon").glob("hwmon*"))
    return _Device(display.bus_id, display.folder, hwmon[0] if hwmon else None)


def _cap(device: _Device) -> float | None:
    if device.hwmon is None:
        return None
    microwatts = pci.whole_number(device.hwmon / "power1_cap")
    return microwatts / MICRO if microwatts else None


def _watts(device: _Device) -> float | None:
    if device.hwmon is None:
        return None
    for name in ("power1_input", "power1_average"):  # now, else the driver's mean
        microwatts = pci.whole_number(device.hwmon / name)
        if microwatts:  # 0 comes from the second half of a double card: not told
            return microwatts / MICRO
    return None


def _sample(device: _Device) -> GpuSample:
    total = pci.whole_number(device.folder / "mem_info_vram_total")
    used = pci.whole_number(device.folder / "mem_info_vram_used")
    busy = pci.whole_number(device.folder / "gpu_busy_percent")
    return GpuSample(
        name=pci.text(device.folder / "product_name") or "AMD",
        total_bytes=total,
        free_bytes=max(0, total - used) if total is not None and used is not None else None,
        power_watts=_watts(device),
        used_bytes=used,
        power_limit_watts=_cap(device),
        busy_fraction=busy / 100 if busy is not None else None,
        bus_id=device.bus_id,
    )
