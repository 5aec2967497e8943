"""How full the model's context is: a short bar and words."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.ui.messages import say_number
from app.ui.theme import GRID, Theme, number_font

NEARLY_FULL = 0.85
CHARACTERS_PER_TOKEN = 3.6  # of English and code; a guess until the model has counted


def estimated_tokens(characters: int) -> int:
    """About how many tokens so much text will be."""
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


class ContextMeter(QWidget):
    """Tokens used of the context, and what is about to be added."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._used: int | None = None
        self._total: int | None = None
        self._left_out = 0
        self._written = 0
        self._bar = _Bar(theme)
        self._label = QLabel()
        self._label.setObjectName("muted")
        self._label.setFont(number_font(self._label.font()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._label)
        row.addWidget(self._bar)
        self._show()

    def show_words(self, on: bool) -> None:
        """Show the numbers beside the bar, or leave them to the tooltip."""
        self._label.setVisible(on)

    def show_context(self, used: int | None, total: int | None, left_out: int = 0) -> None:
        """Used and all tokens, None for what is not known yet; older messages not given."""
        if (used, total, left_out) != (self._used, self._total, self._left_out):
            self._used, self._total, self._left_out = used, total, left_out
            self._show()

    def show_written(self, tokens: int) -> None:
        """About how many tokens the message being written will add."""
        if tokens != self._written:
            self._written = tokens
            self._show()

    def _show(self) -> None:
        used, total = self._used or 0, self._total
        if total is None:
            self._label.setText("")
            self._bar.show_shares(None, 0.0)
            self.setToolTip("")
            return
        self._bar.show_shares(used / total, self._written / total)
        text = self.tr("{used} of {total}").format(
            used=say_number(used) if self._used is not None else "\u2013", total=say_number(total)
        )
        self._label.setText(text)
        tip = "\n".join(self._lines(total))
        self.setToolTip(tip)
        self.setAccessibleName(tip)

    def _lines(self, total: int) -> list[str]:
        used = self._used or 0
        lines = [
            self.tr("Context: {used} of {total} tokens used, {free} free.").format(
                used=say_number(used), total=say_number(total), free=say_number(total - used)
            )
        ]
        if self._written:
            text = self.tr("Your message adds about {count} tokens.")
            lines.append(text.format(count=say_number(self._written)))
        if self._left_out:
            text = self.tr("{count} older messages no longer fit; the model is not given them.")
            lines.append(text.format(count=say_number(self._left_out)))
        if self._written > total:
            lines.append(self.tr("That is more than fits. Shorten it, or take files out."))
        elif used + self._written > NEARLY_FULL * total:
            lines.append(self.tr("It is nearly full. The oldest messages will be left out first."))
        return lines


class _Bar(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share: float | None = None
        self._more = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(GRID * 8, GRID * 3 // 4)

    def show_shares(self, share: float | None, more: float) -> None:
        self._share, self._more = share, more
        self.setVisible(share is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        tones = self._theme.tones
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        share = min(1.0, self._share or 0.0)
        whole = min(1.0, share + self._more)
        full = whole > NEARLY_FULL
        self._fill(painter, 1.0, tones.border)
        if whole > share:
            self._fill(painter, whole, tones.warning if full else tones.other)
        if share > 0:
            self._fill(painter, share, tones.warning if full else tones.accent)
        painter.end()

    def _fill(self, painter: QPainter, share: float, colour: str) -> None:
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(0, 0, max(6.0, self.width() * share), self.height()), 3, 3)
