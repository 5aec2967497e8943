"""The model's notes before its answer: one line, opened by a click."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from app.ui.icons import icon
from app.ui.readable import readable
from app.ui.text_view import TextView
from app.ui.theme import GRID, Theme


class ReasoningView(QFrame):
    """Reasoning, closed until asked for."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("reasoning")
        self._toggle = QToolButton()
        self._toggle.setObjectName("reasoningToggle")
        self._toggle.setCheckable(True)
        self._toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._toggle.setText(self.tr("Thinking…"))
        self._toggle.toggled.connect(self._on_toggled)
        self._text = TextView()
        self._text.setObjectName("reasoningText")
        self._text.setAccessibleName(self.tr("Reasoning"))
        self._text.hide()
        self.length = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._text)
        self.refresh_theme()

    def append(self, text: str) -> None:
        """More reasoning."""
        self.length += len(text)
        self._text.append_plain(readable(text.replace("\r", "")))

    def finish(self, seconds: float) -> None:
        """The reasoning is over; 0 seconds means that nobody measured it."""
        if seconds >= 1:
            text = self.tr("Thought for {seconds} s")
            self._toggle.setText(text.format(seconds=round(seconds)))
        else:
            self._toggle.setText(self.tr("Thoughts"))

    def refresh_theme(self) -> None:
        """The theme changed."""
        name = "down" if self._toggle.isChecked() else "right"
        self._toggle.setIcon(icon(name, self._theme.tones.muted))

    @Slot(bool)
    def _on_toggled(self, opened: bool) -> None:
        self._text.setVisible(opened)
        self.refresh_theme()
