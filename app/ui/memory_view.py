"""The panel's memory part.

One bar per device with its parts named and sized, and the headroom in words.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.engine.protocol import ModelsLoaded
from app.monitor.sample import MachineSample
from app.ui.bars import MemoryBar, Part
from app.ui.device_memory import DeviceMemory, Headroom, devices_of
from app.ui.messages import say, say_bytes
from app.ui.metric import Metric
from app.ui.theme import GRID, Theme, number_font

FREE = "hover"  # the tone of the bar's ground
ALWAYS = ("other", FREE)  # these come and go with every reading


class MemoryView(QWidget):
    """Bars and numbers for the devices a loaded pair uses."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: dict[str, _DeviceRow] = {}
        self._empty = QLabel(self.tr("Nothing is loaded"))
        self._empty.setObjectName("muted")
        self._no_gpu = QLabel(self.tr("No graphics device is in use"))
        self._no_gpu.setToolTip(
            self.tr(
                "The processor computes, with the models in RAM. A graphics device with room for "
                "the target would be several times as fast."
            )
        )
        self._no_gpu.setObjectName("small")
        self._process = Metric(
            self.tr("Engine process"), self.tr("Memory of the engine's process that is in RAM now")
        )
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID // 2)
        for widget in (self._empty, self._no_gpu, self._process):
            self._column.addWidget(widget)
        self.show_memory(None, None)

    def show_memory(self, loaded: ModelsLoaded | None, sample: MachineSample | None) -> None:
        """What is loaded where, with the newest sample of the machine."""
        devices = devices_of(loaded, sample) if loaded is not None else []
        self._empty.setVisible(loaded is None)
        self._process.setVisible(loaded is not None)
        self._no_gpu.setVisible(len(devices) == 1 and devices[0].name == "RAM")
        for name in set(self._rows) - {device.name for device in devices}:
            row = self._rows.pop(name)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, device in enumerate(devices):
            if device.name not in self._rows:
                self._rows[device.name] = _DeviceRow(self._theme)
                self._column.insertWidget(place, self._rows[device.name])
            self._rows[device.name].show_device(device)
        self._show_process(sample)

    def _show_process(self, sample: MachineSample | None) -> None:
        if sample is not None and sample.process_bytes is not None:
            self._process.show_value(say_bytes(sample.process_bytes))
        elif sample is not None and sample.reason is not None:
            self._process.show_missing(say(sample.reason, {}))
        else:
            self._process.show_nothing(self.tr("It was not measured yet."))

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        self.update()


class _DeviceRow(QWidget):
    """One device: its name, the bar, the headroom, and what the parts are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._name = QLabel()
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setMinimumWidth(1)
        self._whole = QLabel()
        self._whole.setObjectName("muted")
        self._whole.setFont(number_font(self._whole.font()))
        self._bar = MemoryBar(theme)
        self._headroom = QLabel()
        self._headroom.setObjectName("worth")
        self._headroom.setWordWrap(True)
        self._legend = _Legend(theme)
        title = QHBoxLayout()
        title.addWidget(self._name, 1)
        title.addWidget(self._whole)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(title)
        for widget in (self._bar, self._headroom, self._legend):
            column.addWidget(widget)

    def show_device(self, device: DeviceMemory) -> None:
        parts = [
            Part(self.tr("Target"), device.target_bytes, "accent"),
            Part(self.tr("Draft"), device.draft_bytes, "memory_draft"),
            Part(self.tr("KV cache"), device.kv_bytes, "memory_kv"),
            Part(self.tr("Computing"), device.compute_bytes, "memory_compute"),
            Part(self.tr("Other programs"), device.other_bytes, "other"),
        ]
        self._name.setText(device.name)
        self._name.setToolTip(device.name)
        self._whole.setText(say_bytes(device.total_bytes))
        self._bar.show_parts(parts, device.total_bytes)
        free = Part(self.tr("Free"), device.free_bytes, FREE)
        self._legend.show_parts([*parts, free])
        self._show_headroom(device)
        said = ", ".join(f"{part.label} {say_bytes(part.used_bytes)}" for part in [*parts, free])
        if not device.measured_now:
            said += "\n" + self.tr("Free memory as it was when the model was loaded")
        self._bar.setToolTip(said)
        self._bar.setAccessibleName(f"{device.name}: {said}")

    def _show_headroom(self, device: DeviceMemory) -> None:
        words = {
            Headroom.PLENTY: self.tr("{free} free: plenty of room"),
            Headroom.ENOUGH: self.tr("{free} free: enough, not for much more"),
            Headroom.TIGHT: self.tr("{free} free: tight. A shorter context or no draft helps."),
        }[device.headroom]
        self._headroom.setText(words.format(free=say_bytes(device.free_bytes)))
        tone = "bad" if device.headroom is Headroom.TIGHT else "plain"
        if self._headroom.property("tone") != tone:
            self._headroom.setProperty("tone", tone)
            self._headroom.style().polish(self._headroom)


class _Legend(QWidget):
    """Two columns of parts: a spot of colour, the name, the size."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sizes: dict[str, QLabel] = {}
        self._rows: dict[str, tuple[QWidget, ...]] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID // 2)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)

    def show_parts(self, parts: list[Part]) -> None:
        for row, part in enumerate(parts):
            if part.label not in self._sizes:
                self._add(row, part)
            size = self._sizes[part.label]
            size.setText(say_bytes(part.used_bytes))
            # What the pair has not put here stays away for as long as it is loaded.
            for widget in self._rows[part.label]:
                widget.setVisible(part.used_bytes > 0 or part.tone in ALWAYS)

    def _add(self, row: int, part: Part) -> None:
        spot, name, size = _Spot(self._theme, part.tone), QLabel(part.label), QLabel()
        for label in (name, size):
            label.setObjectName("small")
        size.setFont(number_font(size.font()))
        size.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(spot, row, 0)
        self._grid.addWidget(name, row, 1)
        self._grid.addWidget(size, row, 2)
        self._sizes[part.label] = size
        self._rows[part.label] = (spot, name, size)


class _Spot(QWidget):
    """A spot in the colour of a part."""

    def __init__(self, theme: Theme, tone: str) -> None:
        super().__init__()
        self._theme = theme
        self._tone = tone
        self.setFixedSize(GRID + 2, GRID + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tones = self._theme.tones
        painter.setPen(QColor(tones.border))
        painter.setBrush(QColor(getattr(tones, self._tone)))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 2, 2)
        painter.end()
