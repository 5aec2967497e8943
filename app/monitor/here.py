"""What this computer has, and a meter and a tariff as the settings want them.

Imports the settings and this room.
"""

from __future__ import annotations

import platform
import sys

from app.monitor.amd import AmdSource
from app.monitor.apple import AppleSource
from app.monitor.energy import EnergyMeter
from app.monitor.nvidia import NvidiaSource
from app.monitor.rapl import RaplSource
from app.monitor.sources import Source
from app.monitor.tariff import Tariff
from app.monitor.wall import WallFigures
from app.settings import Settings


def sources_here() -> list[Source]:
    """The sources that can be on this kind of system; what is really there, they find out.

    Windows counts the processor's energy too, but only on some machines and not in a way that
    could be tried out yet; it is left out.
    """
    if sys.platform == "darwin":
        return [AppleSource()] if platform.machine() == "arm64" else []
    if sys.platform == "linux":
        return [NvidiaSource(), AmdSource(), RaplSource()]
    return [NvidiaSource()]


def open_meter(settings: Settings) -> EnergyMeter:
    """A meter for this computer; nothing is read before its first task."""
    meter = EnergyMeter(sources_here())
    apply(settings, meter)
    return meter


def apply(settings: Settings, meter: EnergyMeter) -> None:
    """Tell a meter of changed settings."""
    load, idle = settings.wall_load_watts, settings.wall_idle_watts
    wall = WallFigures(load, idle) if load is not None else None
    meter.configure(wall, subtract_idle=settings.subtract_idle)


def tariff_of(settings: Settings) -> Tariff:
    """What the user pays, or the example."""
    return Tariff(settings.price_per_kwh, settings.currency, not settings.price_is_set)
