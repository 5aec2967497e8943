"""A text field that grows with its text up to a limit; Enter sends, or begins a line."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from app.ui.theme import GRID

MAX_LINES = 9


class GrowingField(QPlainTextEdit):
    """Where a message is written.

    Attributes:
        enter_sends: Enter alone sends and Shift+Enter begins a line; else Ctrl+Enter sends.

    Signals:
        entered: the text is to be sent.
        cancelled: Escape was pressed.
    """

    entered = Signal()
    cancelled = Signal()

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        super().__init__()
        self.enter_sends = True
        self._max_lines = max_lines
        self._takes_escape = False
        self.setObjectName("field")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(GRID // 2)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size)
        self._fit()

    def take_escape(self) -> None:
        """Let Escape mean `cancelled` here, whatever it does in the window."""
        self._takes_escape = True

    def event(self, event: QEvent) -> bool:
        if (
            self._takes_escape
            and event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._sends(event):
            self.entered.emit()
            return
        if event.key() == Qt.Key.Key_Escape and self._takes_escape:
            self.cancelled.emit()
            return
        super().keyPressEvent(event)

    def _sends(self, event: QKeyEvent) -> bool:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return True
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return self.enter_sends and not shifted

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Files are the window's to take."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    @Slot()
    def _on_size(self) -> None:
        self._fit()

    def _fit(self) -> None:
        # A plain document measures its height in lines, not in pixels.
        lines = max(1.0, self.document().size().height())
        height = min(lines, self._max_lines) * self.fontMetrics().lineSpacing() + GRID + 2
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if lines > self._max_lines else policy.ScrollBarAlwaysOff
        )
        if round(height) != self.height():
            self.setFixedHeight(round(height))
