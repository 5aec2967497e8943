"""Processors that count their energy (RAPL), as Linux shows them below /sys/class/powercap.

Since 2020 only the administrator may read the counters on most systems; the rated power beside
them stays readable and is the base of an estimate. Imports the sample and the sources' errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.monitor import pci
from app.monitor.sample import GpuSample, Rated, Reading, Scope
from app.monitor.sources import AbsentError, ProbeError

MICRO = 1_000_000.0


@dataclass(frozen=True, slots=True)
class _Zone:
    folder: Path
    device: str
    wraps_at_joules: float | None


class RaplSource:
    """Every processor package, and memory where it is counted apart."""

    name = "RAPL"

    def __init__(self, sysfs: Path = pci.SYSFS) -> None:
        self._root = sysfs / "class/powercap"
        self._zones: list[_Zone] = []

    def open(self) -> None:
        """Find the counters and try one."""
        zones = [_zone(folder) for folder in self._folders()]
        if not zones:
            raise AbsentError("rapl_absent")
        try:
            (zones[0].folder / "energy_uj").read_bytes()
        except PermissionError as error:
            raise AbsentError("rapl_not_allowed", path=str(zones[0].folder)) from error
        except OSError as error:
            raise AbsentError("rapl_absent") from error
        self._zones = zones

    def read(self) -> tuple[Reading, ...]:
        """Each counter now; it begins again at its range, which on a busy machine takes minutes."""
        return tuple(
            Reading(
                device=zone.device,
                scope=Scope.CPU,
                joules=_microjoules(zone.folder) / MICRO,
                wraps_at_joules=zone.wraps_at_joules,
            )
            for zone in self._zones
        )

    def gpus(self) -> tuple[GpuSample, ...]:
        """None here."""
        return ()

    def rated(self) -> tuple[Rated, ...]:
        """The long-term power limit of each package."""
        found = []
        for folder in self._folders():
            limit = pci.whole_number(folder / "constraint_0_power_limit_uw")
            if limit and (pci.text(folder / "name") or "").startswith("package"):
                found.append(Rated(f"rapl {folder.name}", Scope.CPU, limit / MICRO))
        return tuple(found)

    def close(self) -> None:
        """Nothing is held open."""
        self._zones = []

    def _folders(self) -> list[Path]:
        """Packages, and memory below them. "psys" and "core" would count the same joules again."""
        packages = sorted(self._root.glob("intel-rapl:*"))  # of AMD processors too
        return [
            folder
            for folder in packages
            if (name := pci.text(folder / "name") or "").startswith("package") or name == "dram"
        ]


def _zone(folder: Path) -> _Zone:
    wraps_at = pci.whole_number(folder / "max_energy_range_uj")
    return _Zone(folder, f"rapl {folder.name}", wraps_at / MICRO if wraps_at else None)


def _microjoules(folder: Path) -> int:
    try:
        return int((folder / "energy_uj").read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise ProbeError("rapl_failed", reason=str(error)) from error
