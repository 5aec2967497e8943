"""A small line of the last values, scaled to the largest of them."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import GRID, Theme

LENGTH = 120


class Sparkline(QWidget):
    """The last values as a line; one is added at a time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values: deque[float] = deque(maxlen=LENGTH)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(GRID * 20, GRID * 5)

    def add(self, value: float) -> None:
        """The newest value."""
        self._values.append(value)
        self.update()

    def clear(self) -> None:
        """Begin anew."""
        self._values.clear()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        tones = self._theme.tones
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        floor = self.height() - 1.5
        painter.setPen(QPen(QColor(tones.border), 1))
        painter.drawLine(QPointF(0, floor), QPointF(self.width(), floor))
        if len(self._values) >= 2:
            self._paint_line(painter, floor)
        painter.end()

    def _paint_line(self, painter: QPainter, floor: float) -> None:
        accent = QColor(self._theme.tones.accent)
        top = max(self._values) or 1.0
        step = self.width() / (LENGTH - 1)
        points = [
            QPointF(index * step, floor - value / top * (floor - 3))
            for index, value in enumerate(self._values)
        ]
        line = QPainterPath(points[0])
        for point in points[1:]:
            line.lineTo(point)
        area = QPainterPath(line)
        area.lineTo(points[-1].x(), floor)
        area.lineTo(points[0].x(), floor)
        area.closeSubpath()
        ground = QColor(accent)
        ground.setAlpha(40)
        painter.fillPath(area, ground)
        pen = QPen(accent, 1.6)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPath(line)
        painter.setBrush(accent)
        painter.drawEllipse(points[-1], 2, 2)
