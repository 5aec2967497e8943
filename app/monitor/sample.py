"""What a probe says about the machine at one moment. Plain data; imports nothing of the app."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GpuSample:
    """One graphics device; None where the source does not say."""

    name: str
    total_bytes: int | None = None
    free_bytes: int | None = None
    power_watts: float | None = None


@dataclass(frozen=True, slots=True)
class MachineSample:
    """The machine at one moment; None where the source does not say.

    Attributes:
        taken_at: monotonic clock, seconds.
        ram_available_bytes: what programs can get without swapping.
        process_bytes: memory of the engine's process that is in RAM, mapped model files included.
        reason: why numbers are missing, as a code for app.messages; None when nothing is missing.
    """

    taken_at: float
    ram_total_bytes: int | None = None
    ram_available_bytes: int | None = None
    process_bytes: int | None = None
    gpus: tuple[GpuSample, ...] = ()
    reason: str | None = None
