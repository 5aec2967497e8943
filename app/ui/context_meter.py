"""How full the model's context is: a short bar and words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.ui.messages import say_number
from app.ui.theme import GRID, Theme, number_font

NEARLY_FULL = 0.85


class ContextMeter(QWidget):
    """Tokens used of the context."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = _Bar(theme)
        self._label = QLabel()
        self._label.setObjectName("muted")
        self._label.setFont(number_font(self._label.font()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._label)
        row.addWidget(self._bar)
        self.show_context(None, None)

    def show_words(self, on: bool) -> None:
        """Show the numbers beside the bar, or leave them to the tooltip."""
        self._label.setVisible(on)

    def show_context(self, used: int | None, total: int | None) -> None:
        """Used and all tokens; None for what is not known yet."""
        if total is None:
            self._label.setText("")
            self._bar.show_share(None)
            self.setToolTip("")
            return
        self._bar.show_share((used or 0) / total)
        text = self.tr("{used} of {total}").format(
            used=say_number(used) if used is not None else "\u2013", total=say_number(total)
        )
        self._label.setText(text)
        tip = self.tr("Context used by this conversation: {text} tokens.").format(text=text)
        if used is not None and used > NEARLY_FULL * total:
            tip += " " + self.tr("It is nearly full. Start a new chat soon.")
        self.setToolTip(tip)
        self.setAccessibleName(tip)


class _Bar(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(GRID * 8, GRID * 3 // 4)

    def show_share(self, share: float | None) -> None:
        self._share = share
        self.setVisible(share is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        tones = self._theme.tones
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        area = QRectF(self.rect())
        painter.setBrush(QColor(tones.border))
        painter.drawRoundedRect(area, 3, 3)
        share = min(1.0, self._share or 0.0)
        if share > 0:
            painter.setBrush(QColor(tones.warning if share > NEARLY_FULL else tones.accent))
            painter.drawRoundedRect(
                QRectF(0, 0, max(6.0, area.width() * share), area.height()), 3, 3
            )
        painter.end()
