"""Steps between the alternatives of a message: two arrows around "2/3"."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from app.ui.icons import icon
from app.ui.theme import Theme, number_font


class BranchStepper(QWidget):
    """Two arrows and a count.

    Signals:
        chosen: another alternative is wanted: its message id.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ids: tuple[str, ...] = ()
        self._at = 0
        self._back = self._arrow(self.tr("Previous version"))
        self._on = self._arrow(self.tr("Next version"))
        self._back.clicked.connect(self._on_back)
        self._on.clicked.connect(self._on_next)
        self._count = QLabel()
        self._count.setObjectName("muted")
        self._count.setFont(number_font(self._count.font()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self._back, self._count, self._on):
            row.addWidget(widget)
        self.refresh_theme()

    def _arrow(self, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quiet")
        button.setToolTip(text)
        button.setAccessibleName(text)
        return button

    def show_place(self, ids: Sequence[str], current: str) -> None:
        """All alternatives, oldest first, and the one on screen."""
        self._ids = tuple(ids)
        self._at = self._ids.index(current)
        text = self.tr("{number}/{count}").format(number=self._at + 1, count=len(self._ids))
        self._count.setText(text)
        spoken = self.tr("Version {number} of {count}")
        self._count.setAccessibleName(spoken.format(number=self._at + 1, count=len(self._ids)))
        self._back.setEnabled(self._at > 0)
        self._on.setEnabled(self._at + 1 < len(self._ids))

    def refresh_theme(self) -> None:
        """The theme changed."""
        tones = self._theme.tones
        self._back.setIcon(icon("left", tones.muted, tones.border, size=16))
        self._on.setIcon(icon("right", tones.muted, tones.border, size=16))

    @Slot()
    def _on_back(self) -> None:
        self.chosen.emit(self._ids[self._at - 1])

    @Slot()
    def _on_next(self) -> None:
        self.chosen.emit(self._ids[self._at + 1])
