"""What an answer took, as `chat` says it: an object of fixed shape, or a few words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.messages import sentence
from app.monitor.energy import EnergyMeter
from app.monitor.here import open_meter
from app.monitor.sample import Missing
from app.monitor.tariff import Tariff
from app.monitor.task_energy import TaskEnergy
from app.settings import Settings


@contextmanager
def meter_of(settings: Settings) -> Iterator[EnergyMeter]:
    """This computer's meter, closed when the block is left."""
    meter = open_meter(settings)
    try:
        yield meter
    finally:
        meter.close()


def prepare(meter: EnergyMeter, settings: Settings) -> None:
    """Have the meter ready before the answer begins; looks at the idle draw where it is wanted."""
    meter.get_ready()
    if settings.subtract_idle:
        meter.measure_idle()


def energy_json(energy: TaskEnergy, tariff: Tariff) -> dict[str, object]:
    """Joules and money with scope and method; null, with the reason, where they are not known.

    `reason` also says what one should know about a figure that is there.
    """
    cost = None if energy.joules is None else tariff.cost(energy.joules)
    return {
        "available": energy.joules is not None,
        "joules": energy.joules,
        "scope": energy.scope.value if energy.scope is not None else None,
        "method": energy.method.value if energy.method is not None else None,
        "cost": cost,
        "currency": None if cost is None else tariff.currency,
        "reason": reasons(energy) or None,
    }


def energy_words(energy: TaskEnergy, tariff: Tariff) -> str:
    """One part of a line: "61.2 J (gpu, counter), 0.0000026 USD at the example price"."""
    if energy.joules is None:
        return "energy not available"
    example = " at the example price" if tariff.is_example else ""
    cost = f"{tariff.cost(energy.joules):.2g} {tariff.currency}{example}"
    return f"{energy.joules:.1f} J ({energy.scope}, {energy.method}), {cost}"


def reasons(energy: TaskEnergy) -> str:
    """Why it is not known; or what to know about it."""
    said: tuple[Missing, ...] = energy.notes
    if energy.joules is None:
        said = (*energy.missing, *energy.notes)
    return " ".join(sentence(each.code, each.detail) for each in said)
