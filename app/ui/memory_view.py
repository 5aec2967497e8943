"""The panel's memory part.

One bar per device, what the pair takes, what others take, what is free.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.engine.protocol import DeviceInfo, LoadedModel, ModelsLoaded
from app.monitor.sample import MachineSample
from app.ui.bars import MemoryBar, Part
from app.ui.messages import say, say_bytes
from app.ui.metric import Metric
from app.ui.theme import GRID, Theme


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """Bytes of one device; `measured_now` is False for numbers from the time of loading."""

    name: str
    total_bytes: int
    free_bytes: int
    target_bytes: int
    draft_bytes: int
    measured_now: bool

    @property
    def other_bytes(self) -> int:
        """What other programs and the system take."""
        taken = self.total_bytes - self.free_bytes - self.target_bytes - self.draft_bytes
        return max(0, taken)


class MemoryView(QWidget):
    """Bars and numbers for the devices a loaded pair uses."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: dict[str, _DeviceRow] = {}
        self._empty = QLabel(self.tr("Nothing is loaded"))
        self._empty.setObjectName("muted")
        self._process = Metric(
            self.tr("Engine process"), self.tr("Memory of the engine's process that is in RAM now")
        )
        self._process.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        self._column.addWidget(self._empty)
        self._column.addWidget(self._process)

    def show_memory(self, loaded: ModelsLoaded | None, sample: MachineSample | None) -> None:
        """What is loaded where, with the newest sample of the machine."""
        devices = devices_of(loaded, sample) if loaded is not None else []
        self._empty.setVisible(loaded is None)
        self._process.setVisible(loaded is not None)
        for name in set(self._rows) - {device.name for device in devices}:
            row = self._rows.pop(name)
            self._column.removeWidget(row)
            row.deleteLater()
        for device in devices:
            if device.name not in self._rows:
                self._rows[device.name] = _DeviceRow(self._theme)
                self._column.insertWidget(self._column.count() - 1, self._rows[device.name])
            self._rows[device.name].show_device(device)
        self._show_process(sample)

    def _show_process(self, sample: MachineSample | None) -> None:
        if sample is not None and sample.process_bytes is not None:
            self._process.show_value(say_bytes(sample.process_bytes))
        elif sample is not None and sample.reason is not None:
            self._process.show_missing(say(sample.reason, {}))
        else:
            self._process.show_nothing(self.tr("It was not measured yet."))

    def refresh_theme(self) -> None:
        """The theme changed."""
        self.update()


class _DeviceRow(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._name = QLabel()
        self._bar = MemoryBar(theme)
        self._used = Metric(self.tr("Models"))
        self._free = Metric(self.tr("Free"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        for widget in (self._name, self._bar, self._used, self._free):
            column.addWidget(widget)

    def show_device(self, device: DeviceMemory) -> None:
        parts = [
            Part(self.tr("target"), device.target_bytes, "accent"),
            Part(self.tr("draft"), device.draft_bytes, "tint_draft"),
            Part(self.tr("other programs"), device.other_bytes, "other"),
        ]
        self._name.setText(device.name)
        self._bar.show_parts(parts, device.total_bytes)
        tip = ", ".join(f"{part.label} {say_bytes(part.used_bytes)}" for part in parts)
        if not device.measured_now:
            tip += " " + self.tr("(free memory as it was when the model was loaded)")
        self._bar.setToolTip(tip)
        self._bar.setAccessibleName(tip)
        self._used.show_value(say_bytes(device.target_bytes + device.draft_bytes))
        self._used.setToolTip(tip)
        self._free.show_value(
            self.tr("{free} of {total}").format(
                free=say_bytes(device.free_bytes), total=say_bytes(device.total_bytes)
            )
        )


def devices_of(loaded: ModelsLoaded, sample: MachineSample | None) -> list[DeviceMemory]:
    """The devices that hold something of the pair, and always the computer's own memory."""
    found = []
    placed = set(loaded.target.memory.by_device)
    if loaded.draft is not None:
        placed |= set(loaded.draft.memory.by_device)
    for device in loaded.devices:
        if device.kind != "cpu" and device.name in placed:
            found.append(_device(device, loaded, {device.name}, None))
            placed.discard(device.name)
    # What is on no graphics device (CPU, host buffers, memory-mapped files) is in system memory.
    host = next((device for device in loaded.devices if device.kind == "cpu"), None)
    host = host or DeviceInfo("CPU", "", "cpu", 0, 0)
    found.append(_device(host, loaded, placed, sample))
    return [device for device in found if device.total_bytes > 0]


def _device(
    device: DeviceInfo, loaded: ModelsLoaded, names: set[str], sample: MachineSample | None
) -> DeviceMemory:
    total, free, now = device.total_bytes, device.free_bytes, False
    if sample is not None and sample.ram_total_bytes and sample.ram_available_bytes is not None:
        total, free, now = sample.ram_total_bytes, sample.ram_available_bytes, True
    return DeviceMemory(
        name=_title(device),
        total_bytes=total,
        free_bytes=free,
        target_bytes=_placed(loaded.target, names),
        draft_bytes=_placed(loaded.draft, names) if loaded.draft is not None else 0,
        measured_now=now,
    )


def _title(device: DeviceInfo) -> str:
    return "RAM" if device.kind == "cpu" else device.description or device.name


def _placed(model: LoadedModel, names: set[str]) -> int:
    kinds = model.memory.by_device
    return sum(sum(kinds[name].values()) for name in names if name in kinds)
