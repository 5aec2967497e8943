"""What compare and bench share: an asker over the running engine, its meters, and the facts of the
machine that go into a report.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from app.cli.engine_run import EngineRun
from app.measure.asking import Asker
from app.measure.link import ClientLink
from app.measure.meters import MonitorMeter
from app.monitor.energy import EnergyMeter
from app.monitor.here import open_meter, tariff_of
from app.monitor.probes import first_probe
from app.monitor.tariff import Tariff
from app.settings import Settings

_LOOK_SECONDS = 0.4  # until a meter has read its devices for the first time


@dataclass(frozen=True, slots=True)
class Instruments:
    """Everything that measures.

    Attributes:
        machine: lines for the report: graphics devices and their power limits.
    """

    asker: Asker
    tariff: Tariff
    machine: dict[str, str]


@contextmanager
def instruments(
    run_: EngineRun, settings: Settings, should_stop: Callable[[], bool] = lambda: False
) -> Iterator[Instruments]:
    """Meters open while the block runs."""
    probe = first_probe()
    meter = open_meter(settings)
    try:
        meter.keep_open(True)
        asker = Asker(
            ClientLink(run_.client, run_.events),
            meter=MonitorMeter(meter),
            memory=probe,
            should_stop=should_stop,
        )
        yield Instruments(asker, tariff_of(settings), _gpu_facts(meter))
    finally:
        meter.close()
        probe.close()


def _gpu_facts(meter: EnergyMeter) -> dict[str, str]:
    meter.begin("look")
    time.sleep(_LOOK_SECONDS)
    facts: dict[str, str] = {}
    for number, gpu in enumerate(meter.gpus):
        limit = gpu.power_limit_watts
        said = "power limit not available" if limit is None else f"power limit {limit:.0f} W"
        facts[f"graphics {number}"] = f"{gpu.name}, {said}"
    meter.drop("look")
    return facts
