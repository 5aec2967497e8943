"""Painted bars: acceptance by position in the proposal, and a device's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import GRID, Theme, number_font

GAP = 1.0  # pixels
POSITIONS = 8  # as deep as depth control goes


class PositionBars(QWidget):
    """How often the first, second, … token of a proposal was accepted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares: tuple[float | None, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_counts((), ())

    def sizeHint(self) -> QSize:
        return QSize(GRID * 20, GRID * 9)

    def show_counts(self, accepted: Sequence[int], drafted: Sequence[int]) -> None:
        """Counts by position, index 0 is the first token of a proposal."""
        shares = tuple(a / d if d else None for a, d in zip(accepted, drafted, strict=True))
        if shares == self._shares and self.toolTip():
            return
        self._shares = shares
        known = [
            self.tr("{place}: {share} %").format(place=index + 1, share=round(share * 100))
            for index, share in enumerate(shares)
            if share is not None
        ]
        text = self.tr("Accepted by place in the guess. {shares}").format(
            shares=", ".join(known) or self.tr("Nothing was guessed yet.")
        )
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        tones = self._theme.tones
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(number_font(self.font(), scale=0.82))
        count = max(POSITIONS, len(self._shares))
        width = self.width() / count
        label = painter.fontMetrics().height()
        room = self.height() - label - GRID // 2
        for index in range(count):
            share = self._shares[index] if index < len(self._shares) else None
            slot = QRectF(index * width + 3, 0, width - 6, room)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tones.hover))
            painter.drawRoundedRect(slot, 2, 2)
            if share:
                painter.setBrush(QColor(tones.accent))
                high = max(2.0, room * share)
                painter.drawRoundedRect(QRectF(slot.x(), room - high, slot.width(), high), 2, 2)
            painter.setPen(QColor(tones.muted))
            place = QRectF(index * width, room + GRID // 2, width, label)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(index + 1))
        painter.end()


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a memory bar; `tone` names a colour of theme.Tones."""

    label: str
    used_bytes: int
    tone: str


class MemoryBar(QWidget):
    """One device's memory as a bar of parts; what is left over is free."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: tuple[Part, ...] = ()
        self._total = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(GRID * 20, GRID * 3 // 2)

    def show_parts(self, parts: Sequence[Part], total_bytes: int) -> None:
        """The parts in order; they are clipped to the total."""
        self._parts = tuple(parts)
        self._total = total_bytes
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), QColor(self._theme.tones.hover))
        at = 0.0
        for part in self._parts if self._total > 0 else ():
            width = self.width() * part.used_bytes / self._total
            painter.fillRect(QRectF(at, 0, width, self.height()), self._colour(part.tone))
            at += width
            if width >= 2 * GAP:  # a gap tells neighbours apart without their colours
                gap = QRectF(at - GAP, 0, GAP, self.height())
                painter.fillRect(gap, QColor(self._theme.tones.window))
        painter.end()

    def _colour(self, tone: str) -> QColor:
        return QColor(getattr(self._theme.tones, tone))
