"""The machine: memory, load, power and energy. The room to import from.

Importing it opens and reads nothing. Only here are psutil and pynvml known.
"""

from app.monitor.energy import EnergyMeter
from app.monitor.here import apply, open_meter, sources_here, tariff_of
from app.monitor.probes import Probe, first_probe
from app.monitor.sample import GpuSample, MachineSample, Method, Missing, Scope
from app.monitor.tariff import Tariff, parse_price, per_million
from app.monitor.task_energy import TaskEnergy
from app.monitor.wall import WallFigures

__all__ = [
    "EnergyMeter",
    "GpuSample",
    "MachineSample",
    "Method",
    "Missing",
    "Probe",
    "Scope",
    "Tariff",
    "TaskEnergy",
    "WallFigures",
    "apply",
    "first_probe",
    "open_meter",
    "parse_price",
    "per_million",
    "sources_here",
    "tariff_of",
]
