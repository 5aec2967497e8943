"""What of each device's memory belongs to whom: from what was loaded and what the machine says.

Pure; knows no widget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.engine.protocol import DeviceInfo, LoadedModel, ModelsLoaded
from app.monitor.sample import GpuSample, MachineSample

MARGIN_BYTES = 1 << 30  # as in app.hub.memory: what should stay free


class Headroom(StrEnum):
    """How much room is left, in a word."""

    PLENTY = "plenty"
    ENOUGH = "enough"
    TIGHT = "tight"


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """Bytes of one device; the parts are those of the loaded pair.

    Attributes:
        target_bytes, draft_bytes: weights; kv_bytes, compute_bytes: of both models together.
        measured_now: False for free memory from the time of loading.
    """

    name: str
    total_bytes: int
    free_bytes: int
    target_bytes: int = 0
    draft_bytes: int = 0
    kv_bytes: int = 0
    compute_bytes: int = 0
    measured_now: bool = False

    @property
    def pair_bytes(self) -> int:
        """All that the pair takes here."""
        return self.target_bytes + self.draft_bytes + self.kv_bytes + self.compute_bytes

    @property
    def other_bytes(self) -> int:
        """What other programs and the system take."""
        return max(0, self.total_bytes - self.free_bytes - self.pair_bytes)

    @property
    def headroom(self) -> Headroom:
        """Whether another gigabyte or two would still fit."""
        if self.free_bytes >= 2 * MARGIN_BYTES:
            return Headroom.PLENTY
        return Headroom.ENOUGH if self.free_bytes >= MARGIN_BYTES else Headroom.TIGHT


def devices_of(loaded: ModelsLoaded, sample: MachineSample | None) -> list[DeviceMemory]:
    """The devices that hold something of the pair, and always the computer's own memory."""
    found = []
    models = [model for model in (loaded.target, loaded.draft) if model is not None]
    placed = {name for model in models for name in model.memory.by_device}
    for device in loaded.devices:
        if device.kind != "cpu" and device.name in placed:
            found.append(_graphics(device, loaded, sample))
            placed.discard(device.name)
    # What is on no graphics device (CPU, host buffers, memory-mapped files) is in system memory.
    host = next((device for device in loaded.devices if device.kind == "cpu"), None)
    found.append(_host(host or DeviceInfo("CPU", "", "cpu", 0, 0), loaded, placed, sample))
    return [device for device in found if device.total_bytes > 0]


def _graphics(
    device: DeviceInfo, loaded: ModelsLoaded, sample: MachineSample | None
) -> DeviceMemory:
    title = device.description or device.name
    seen = [gpu for gpu in (sample.gpus if sample is not None else ()) if gpu.name == title]
    total, free, now = device.total_bytes, device.free_bytes, False
    if len(seen) == 1 and seen[0].total_bytes and seen[0].free_bytes is not None:
        total, free, now = seen[0].total_bytes, _free(seen[0]), True
    return _parts(title, (total, free, now), loaded, {device.name})


def _free(gpu: GpuSample) -> int:
    return min(gpu.free_bytes or 0, gpu.total_bytes or 0)


def _host(
    device: DeviceInfo, loaded: ModelsLoaded, names: set[str], sample: MachineSample | None
) -> DeviceMemory:
    total, free, now = device.total_bytes, device.free_bytes, False
    if sample is not None and sample.ram_total_bytes and sample.ram_available_bytes is not None:
        total, free, now = sample.ram_total_bytes, sample.ram_available_bytes, True
    return _parts("RAM", (total, free, now), loaded, names)


def _parts(
    name: str, figures: tuple[int, int, bool], loaded: ModelsLoaded, names: set[str]
) -> DeviceMemory:
    total, free, now = figures
    models = [model for model in (loaded.target, loaded.draft) if model is not None]
    weights = [_placed([model], names, {"weights", "repacked"}) for model in models]
    kv = _placed(models, names, {"kv", "state"})
    whole = _placed(models, names, None)
    return DeviceMemory(
        name=name,
        total_bytes=total,
        free_bytes=free,
        target_bytes=weights[0],
        draft_bytes=weights[1] if len(weights) > 1 else 0,
        kv_bytes=kv,
        compute_bytes=whole - sum(weights) - kv,
        measured_now=now,
    )


def _placed(models: Iterable[LoadedModel], names: set[str], kinds: set[str] | None) -> int:
    return sum(
        size
        for model in models
        for name, by_kind in model.memory.by_device.items()
        if name in names
        for kind, size in by_kind.items()
        if kinds is None or kind in kinds
    )
