"""What of a pair fits into this computer's memory, before it is loaded.

Joins what the engine says of devices with what the monitor says of RAM, as `app.hub.memory` wants
them. Pure: asks nothing of the machine itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.engine.protocol import DeviceInfo, ModelsLoaded
from app.hub.gguf import Header
from app.hub.memory import (
    CPU,
    MARGIN_BYTES,
    Gpu,
    MemoryEstimate,
    MemoryOptions,
    estimate,
    fits,
)
from app.hub.partial import gigabytes
from app.hub.recommend import Device, DeviceKind
from app.session.models import LoadOptions
from app.session.view import Level, Notice

RAM = "RAM"
# Beyond its weights a model of which only the size is known takes about this.
RULE_OF_THUMB_SHARE, RULE_OF_THUMB_BYTES = 1.1, 512 * 2**20


class FitLevel(StrEnum):
    """How well a model fits."""

    FITS = "fits"
    PARTLY = "partly"  # some of it in RAM instead of graphics memory: slower
    TOO_LARGE = "too_large"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MachineMemory:
    """Free memory by device.

    Attributes:
        devices: as `app.hub.recommend` wants them.
        gpus: devices that layers go to, shared by their free memory.
        free_bytes: by device, "CPU" being RAM.
        is_shared: graphics and processor use the same memory.
    """

    devices: tuple[Device, ...]
    gpus: tuple[Gpu, ...]
    free_bytes: Mapping[str, int]
    is_shared: bool

    @property
    def fast_bytes(self) -> int:
        """Free where models run fastest: on the graphics devices, or else in RAM."""
        names = [gpu.name for gpu in self.gpus] or [CPU]
        return sum(self.free_bytes.get(name, 0) for name in names)

    @property
    def all_bytes(self) -> int:
        """Free on all devices together."""
        return self.fast_bytes if self.is_shared else sum(self.free_bytes.values())


@dataclass(frozen=True, slots=True)
class FitReport:
    """How a pair fits.

    Attributes:
        n_ctx: the longest context, up to the one wanted, at which this level is reached.
        wanted_ctx: what was asked, no longer than the model can use.
        free_bytes: on the devices it would use first.
    """

    level: FitLevel
    n_ctx: int
    wanted_ctx: int
    estimate: MemoryEstimate
    free_bytes: int

    @property
    def need_bytes(self) -> int:
        """What the pair takes, all devices together."""
        return self.estimate.total()

    def advice(self) -> tuple[Notice, ...]:
        """What to say before loading; nothing when all is well."""
        need, free = gigabytes(self.need_bytes), gigabytes(self.free_bytes)
        if self.level is FitLevel.TOO_LARGE:
            return (Notice("pair_too_large", {"need": need, "free": free}, Level.WARNING),)
        if self.level is FitLevel.PARTLY:
            return (Notice("pair_partly_fits", {"need": need, "free": free}, Level.WARNING),)
        if self.n_ctx < self.wanted_ctx:
            asked, n_ctx = self.wanted_ctx, self.n_ctx
            code = "context_reduced_to_fit"
            return (Notice(code, {"asked": asked, "n_ctx": n_ctx}, Level.WARNING),)
        return ()


def machine_memory(
    devices: Sequence[DeviceInfo],
    ram_free_bytes: int | None = None,
    ram_total_bytes: int | None = None,
    loaded: ModelsLoaded | None = None,
) -> MachineMemory:
    """Put together what is free.

    Args:
        devices: as the engine saw them when it started, before it loaded anything.
        ram_free_bytes, ram_total_bytes: as the system says now; the engine's figure without.
        loaded: a pair that would make room for the next one.
    """
    host = next((device for device in devices if device.kind == "cpu"), None)
    free = ram_free_bytes if ram_free_bytes is not None else host.free_bytes if host else 0
    total = ram_total_bytes if ram_total_bytes is not None else host.total_bytes if host else free
    graphics = [d for d in devices if d.kind == "gpu"] or [d for d in devices if d.kind == "igpu"]
    shared = bool(graphics) and all(_shares_memory(device) for device in graphics)
    if shared:
        # One memory, so the figure that is smaller is the true one.
        graphics = [replace(d, free_bytes=min(d.free_bytes, free)) for d in graphics[:1]]
    free = min(free + _given_back(loaded, {device.name for device in graphics}), max(total, free))
    found = [_device(device, shared=shared) for device in graphics]
    if not shared:
        found.append(Device(RAM, DeviceKind.CPU, free, total))
    whole = sum(device.free_bytes for device in graphics) or 1
    return MachineMemory(
        tuple(found),
        tuple(Gpu(device.name, max(device.free_bytes, 1) / whole) for device in graphics),
        {CPU: free} | {device.name: device.free_bytes for device in graphics},
        shared,
    )


def fit_pair(
    target: Header,
    draft: Header | None,
    machine: MachineMemory,
    options: LoadOptions,
    weight_bytes: int | None = None,
) -> FitReport:
    """Find the longest context with which a pair fits; `weight_bytes` of a split target's parts."""
    wanted = min(options.n_ctx, target.context_length or options.n_ctx)
    plan = MemoryOptions(
        n_parallel=options.n_parallel,
        kv_type=options.kv_type.value.upper(),
        gpus=machine.gpus,
        gpu_layers=options.gpu_layers,
        weight_bytes=weight_bytes,
    )
    first: MemoryEstimate | None = None
    for n_ctx in _contexts(wanted, min(options.min_ctx, wanted)):
        needed = estimate(target, draft, replace(plan, cells=n_ctx * options.n_parallel))
        first = first or needed
        if _has_room(needed, machine):
            return FitReport(FitLevel.FITS, n_ctx, wanted, needed, machine.fast_bytes)
    assert first is not None  # there is at least one context
    margins = MARGIN_BYTES * (1 if machine.is_shared else 1 + len(machine.gpus))
    if machine.gpus and not machine.is_shared and first.total() <= machine.all_bytes - margins:
        return FitReport(FitLevel.PARTLY, wanted, wanted, first, machine.fast_bytes)
    return FitReport(FitLevel.TOO_LARGE, wanted, wanted, first, machine.all_bytes)


def fit_size(size_bytes: int | None, machine: MachineMemory) -> FitLevel:
    """The same for a model of which only the size is known, by a rule of thumb."""
    if size_bytes is None:
        return FitLevel.UNKNOWN
    return fit_need(round(size_bytes * RULE_OF_THUMB_SHARE) + RULE_OF_THUMB_BYTES, machine)


def fit_need(need_bytes: int, machine: MachineMemory) -> FitLevel:
    """How well something that takes so much in all would fit."""
    if need_bytes + MARGIN_BYTES <= machine.fast_bytes:
        return FitLevel.FITS
    if need_bytes + 2 * MARGIN_BYTES <= machine.all_bytes:
        return FitLevel.PARTLY
    return FitLevel.TOO_LARGE


def _has_room(needed: MemoryEstimate, machine: MachineMemory) -> bool:
    if machine.is_shared:
        return needed.total() + MARGIN_BYTES <= machine.all_bytes
    return fits(needed, machine.free_bytes).ok


def _contexts(wanted: int, least: int) -> Iterator[int]:
    """Longest first, by halves, as the engine gives up."""
    n_ctx = wanted
    yield n_ctx
    while n_ctx > least:
        n_ctx = max(least, n_ctx // 2)
        yield n_ctx


def _shares_memory(device: DeviceInfo) -> bool:
    """Integrated graphics, or a device of Metal, which all Macs with Apple silicon share."""
    return device.kind == "igpu" or device.name.startswith(("MTL", "Metal"))


def _device(device: DeviceInfo, *, shared: bool) -> Device:
    kind = DeviceKind.UNIFIED if shared else DeviceKind.GPU
    name = device.description or device.name
    return Device(name, kind, device.free_bytes, device.total_bytes)


def _given_back(loaded: ModelsLoaded | None, graphics: set[str]) -> int:
    """RAM that unloading frees. Weights are mapped files: the system counts them as free."""
    models = () if loaded is None else (loaded.target, loaded.draft)
    return sum(
        size
        for model in models
        if model is not None
        for device, kinds in model.memory.by_device.items()
        if device not in graphics
        for kind, size in kinds.items()
        if kind != "weights"
    )
