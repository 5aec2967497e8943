"""One number of the panel: its name on the left, its value on the right, in digits of one width."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.ui.theme import GRID, number_font


class Metric(QWidget):
    """A named number; one that cannot be had says so and why."""

    def __init__(self, name: str, tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tip = tip
        self._label = QLabel(name)
        self._label.setObjectName("muted")
        self._value = QLabel()
        self._value.setFont(number_font(self._value.font()))
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._label)
        row.addStretch()
        row.addWidget(self._value)

    def show_value(self, text: str) -> None:
        """The number, with its unit."""
        self._show(text, self._tip, missing=False)

    def show_nothing(self, reason: str) -> None:
        """There is no number yet, for this reason."""
        self._show("\u2013", reason, missing=True)

    def show_missing(self, reason: str) -> None:
        """There is no number, for this reason."""
        self._show(self.tr("not available"), reason, missing=True)

    def text(self) -> str:
        """What stands there."""
        return self._value.text()

    def _show(self, text: str, tip: str, *, missing: bool) -> None:
        if self._value.text() == text and self.toolTip() == tip:
            return
        name = "muted" if missing else ""
        if self._value.objectName() != name:
            self._value.setObjectName(name)
            self._value.style().polish(self._value)
        self._value.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(f"{self._label.text()}: {text}")
        self.setAccessibleDescription(tip)
