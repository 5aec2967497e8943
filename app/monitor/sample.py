"""What the machine says about itself at one moment. Plain data; imports nothing of the app.

A number that cannot be had is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

Detail = dict[str, str | int | float | None]


class Scope(StrEnum):
    """Which part of the machine a measured energy belongs to."""

    GPU = "gpu"
    CPU = "cpu"
    CHIP = "chip"  # processor, graphics and memory of one chip (Apple silicon)
    GPU_AND_CPU = "gpu+cpu"
    MACHINE = "machine"  # all of it, as the plug sees it


class Method(StrEnum):
    """How an energy came about, the best first."""

    COUNTER = "counter"  # the device counts joules itself
    POWER = "power"  # readings of power, integrated
    WALL = "wall"  # watts the user read from a plug meter, times seconds
    ESTIMATE = "estimate"  # rated watts, times seconds


@dataclass(frozen=True, slots=True)
class Missing:
    """Why something cannot be measured: a code for app.messages and its values."""

    code: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The energy side of one device at one moment.

    Attributes:
        device: name that stays the same from reading to reading and is unique in the machine.
        joules: a counter that only grows; where it starts means nothing.
        watts: drawn now.
        wraps_at_joules: where the counter begins again at 0; None when it does not.
        lag_seconds: how late the counter may be.
        doubtful: the counter is known to be wrong on some systems; believe it only if the power
            readings agree.
    """

    device: str
    scope: Scope
    joules: float | None = None
    watts: float | None = None
    wraps_at_joules: float | None = None
    lag_seconds: float = 0.0
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Rated:
    """What a device is built or set to draw at most: the base of an estimate."""

    device: str
    scope: Scope
    watts: float


@dataclass(frozen=True, slots=True)
class GpuSample:
    """One graphics device; None where the source does not say.

    Attributes:
        used_bytes: by programs; reserved_bytes is the driver's own and not part of it.
        busy_fraction: share of the last moments in which anything ran on it.
        memory_busy_fraction: share in which its memory was read or written.
        slowed_by: why its clocks are lower than they could be: "power", "heat", "hardware".
        bus_id: place on the PCI bus, as "0000:01:00.0".
    """

    name: str
    total_bytes: int | None = None
    free_bytes: int | None = None
    power_watts: float | None = None
    used_bytes: int | None = None
    reserved_bytes: int | None = None
    power_limit_watts: float | None = None
    busy_fraction: float | None = None
    memory_busy_fraction: float | None = None
    clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    slowed_by: tuple[str, ...] = ()
    bus_id: str | None = None


@dataclass(frozen=True, slots=True)
class MachineSample:
    """The machine at one moment; None where the source does not say.

    Attributes:
        taken_at: monotonic clock, seconds.
        ram_available_bytes: what programs can get without swapping.
        process_bytes: memory of the engine's process that is in RAM, mapped model files included.
        gpus: as last read by the sampler; empty while it sleeps.
        reason: why numbers are missing, as a code for app.messages; None when nothing is missing.
    """

    taken_at: float
    ram_total_bytes: int | None = None
    ram_available_bytes: int | None = None
    process_bytes: int | None = None
    gpus: tuple[GpuSample, ...] = ()
    reason: str | None = None
