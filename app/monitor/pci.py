"""Which PCI devices are awake, as Linux says without asking the device itself. Imports nothing.

Reading a device's own files or its vendor's library wakes it up; `power/runtime_status` does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SYSFS = Path("/sys")
_DISPLAY_CLASS = "0x03"


@dataclass(frozen=True, slots=True)
class PciDisplay:
    """A graphics device on the PCI bus."""

    bus_id: str
    folder: Path
    suspended: bool


def displays(vendor: str, sysfs: Path = SYSFS) -> list[PciDisplay]:
    """Graphics devices of a vendor ("0x10de"), sorted; empty where there is no such list."""
    try:
        folders = sorted((sysfs / "bus/pci/devices").iterdir())
    except OSError:  # not Linux, or no PCI bus
        return []
    return [
        PciDisplay(folder.name, folder, text(folder / "power/runtime_status") == "suspended")
        for folder in folders
        if text(folder / "vendor") == vendor
        and (text(folder / "class") or "").startswith(_DISPLAY_CLASS)
    ]


def text(file: Path) -> str | None:
    """What a small file says; None if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None


def whole_number(file: Path) -> int | None:
    """The number in a small file; None if it has none."""
    try:
        return int(text(file) or "")
    except ValueError:
        return None
