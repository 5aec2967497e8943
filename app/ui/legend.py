"""What the tints of an answer mean."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.ui.theme import GRID, Theme


class Legend(QWidget):
    """Two words on the grounds that they explain."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._draft = QLabel(self.tr("draft"))
        self._lookup = QLabel(self.tr("lookup"))
        self._draft.setToolTip(self.tr("Guessed by the draft model and accepted by the target"))
        self._lookup.setToolTip(self.tr("Guessed from the text so far and accepted by the target"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self._draft, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._lookup, 0, Qt.AlignmentFlag.AlignVCenter)

    def refresh_theme(self) -> None:
        """The theme changed."""
        tones = self._theme.tones
        common = f"color: {tones.text}; padding: 2px 8px; border-radius: 3px;"
        self._draft.setStyleSheet(f"{common} background: {tones.tint_draft};")
        self._lookup.setStyleSheet(
            f"{common} background: {tones.tint_lookup}; border-bottom: 2px dotted {tones.accent};"
        )
