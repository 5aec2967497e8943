"""The text of a code block."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QHelpEvent, QResizeEvent, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolTip

from app.ui.positions import from_qt
from app.ui.text_view import Hints
from app.ui.theme import GRID, code_font


class CodeText(QPlainTextEdit):
    """Read-only code, as high as its lines.

    Attributes:
        hints: what to say of a character when the mouse rests on it; None for nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hints: Hints | None = None
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFont(code_font(self.font()))
        self.document().setDocumentMargin(GRID)
        self.document().blockCountChanged.connect(self._on_lines)
        self.horizontalScrollBar().rangeChanged.connect(self._on_range)
        self._fit()

    def replace_end(self, count: int, text: str) -> None:
        """Put `text` in the place of the last `count` characters."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for _ in range(count):
            cursor.movePosition(
                QTextCursor.MoveOperation.PreviousCharacter, QTextCursor.MoveMode.KeepAnchor
            )
        cursor.insertText(text)

    def drop_last_break(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if cursor.block().text() == "" and self.document().blockCount() > 1:
            cursor.deletePreviousChar()

    @Slot(bool)
    def set_wrap(self, on: bool) -> None:
        """Break long lines, or let them run on."""
        mode = QTextOption.WrapMode
        widget = QPlainTextEdit.LineWrapMode
        self.setWordWrapMode(mode.WrapAtWordBoundaryOrAnywhere if on else mode.NoWrap)
        self.setLineWrapMode(widget.WidgetWidth if on else widget.NoWrap)
        self._fit()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self.hints and isinstance(event, QHelpEvent):
            place = self.cursorForPosition(event.pos()).position()
            hint = self.hints(from_qt(self.document().toRawText(), place))
            if hint:
                QToolTip.showText(event.globalPos(), hint, self)
                return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways is ours, up and down is the conversation's."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    @Slot()
    def _on_lines(self) -> None:
        self._fit()

    @Slot()
    def _on_range(self) -> None:
        self._fit()

    def _fit(self) -> None:
        line = self.fontMetrics().lineSpacing()
        bar = self.horizontalScrollBar()
        extra = bar.sizeHint().height() if bar.maximum() > 0 else 0
        margin = 2 * self.document().documentMargin()
        wraps = self.lineWrapMode() is not QPlainTextEdit.LineWrapMode.NoWrap
        # A plain document measures its height in lines, not in pixels.
        lines = self.document().size().height() if wraps else self.document().blockCount()
        height = round(lines * line + margin) + extra + 2
        if height != self.height():
            self.setFixedHeight(height)
