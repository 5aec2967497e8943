"""The lines of the conversation list: a title, perhaps a pin, perhaps what was found."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.storage.records import MATCH_END, MATCH_START
from app.ui.icons import pixmap
from app.ui.positions import qt_positions
from app.ui.readable import readable
from app.ui.theme import GRID, Theme

ID = Qt.ItemDataRole.UserRole
PINNED = ID + 1
SNIPPET = ID + 2
MESSAGE = ID + 3
PIN_SIZE = 14
LINES = 2

Index = QModelIndex | QPersistentModelIndex


class ConversationRow(QStyledItemDelegate):
    """Draws a conversation, or a place where a search found something."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = option.fontMetrics
        if index.data(SNIPPET) is None:
            return QSize(0, metrics.height() + GRID * 2)
        return QSize(0, metrics.height() + LINES * metrics.lineSpacing() + GRID * 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        given: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option, given)
        area = given.adjusted(GRID + 2, GRID, -GRID, -GRID)
        if index.data(PINNED):
            picture = pixmap("pin", self._theme.tones.muted, PIN_SIZE, 2.0)
            painter.drawPixmap(area.right() - PIN_SIZE, area.top() + 1, picture)
            area.setRight(area.right() - PIN_SIZE - GRID // 2)
        metrics = option.fontMetrics
        title = metrics.elidedText(
            str(index.data(Qt.ItemDataRole.DisplayRole)),
            Qt.TextElideMode.ElideRight,
            area.width(),
        )
        painter.setPen(QColor(self._theme.tones.text))
        painter.setFont(option.font)
        line = QRect(area.left(), area.top(), area.width(), metrics.height())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft), title)
        snippet = index.data(SNIPPET)
        if snippet is not None:
            below = QRect(area.left(), line.bottom() + 1, area.width(), area.height())
            self._paint_snippet(painter, str(snippet), below, option.font)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect) -> None:
        state: QStyle.StateFlag = option.state
        tones = self._theme.tones
        if state & QStyle.StateFlag.State_Selected:
            colour = tones.accent_soft
        elif state & QStyle.StateFlag.State_MouseOver:
            colour = tones.hover
        else:
            colour = ""
        painter.setPen(Qt.PenStyle.NoPen)
        if colour:
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), 6, 6)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(tones.accent))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 6, 6)

    def _paint_snippet(self, painter: QPainter, marked: str, area: QRect, font: QFont) -> None:
        text, matches = split_matches(marked)
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        to_qt = qt_positions(text)
        strong = QTextCharFormat()
        strong.setFontWeight(QFont.Weight.DemiBold)
        strong.setForeground(QColor(self._theme.tones.text))
        formats = []
        for start, end in matches:
            part = QTextLayout.FormatRange()
            part.start, part.length = to_qt(start), to_qt(end) - to_qt(start)
            part.format = strong
            formats.append(part)
        layout.setFormats(formats)
        layout.beginLayout()
        top = 0.0
        for _ in range(LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width())
            line.setPosition(QPointF(0, top))
            top += line.height()
        layout.endLayout()
        painter.setPen(QColor(self._theme.tones.muted))
        layout.draw(painter, QPointF(area.topLeft()))


def split_matches(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """A snippet as one line, and where in it the matches lie."""
    text: list[str] = []
    matches: list[tuple[int, int]] = []
    begun: int | None = None
    for character in " ".join(marked.split()):
        if character == MATCH_START:
            begun = len(text)
        elif character == MATCH_END:
            if begun is not None:
                matches.append((begun, len(text)))
            begun = None
        else:
            text.append(readable(character))
    return "".join(text), matches


class ConversationRows(QListWidget):
    """The list itself.

    Signals:
        delete_pressed: what is chosen is to go.
    """

    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("conversations")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)
