"""A code block: its language, a copy button, the code in colours, scrolling sideways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.highlight import Highlighter
from app.ui.icons import icon
from app.ui.readable import readable
from app.ui.text_view import tint_selections
from app.ui.theme import GRID, Theme, code_font
from app.ui.tint import Span

COPIED_MS = 1500
TITLE_LENGTH = 40


class CodeView(QFrame):
    """One fenced block.

    Attributes:
        language: as the fence says it.
    """

    def __init__(self, language: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.language = language
        self._theme = theme
        self._source: list[str] = []
        self._pending = 0
        self._finished = False
        self.setObjectName("code")
        self._title = QLabel(readable(language)[:TITLE_LENGTH] or self.tr("text"))
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setObjectName("codeTitle")
        self._title.setMinimumWidth(1)  # the model may call its language anything
        self._copy = QToolButton()
        self._copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._copy.setAccessibleName(self.tr("Copy code"))
        self._copy.clicked.connect(self._on_copy)
        self._text = _CodeText()
        self._text.setAccessibleName(self.tr("Code"))
        self._colours = Highlighter(self._text.document(), language)
        self._back = QTimer(self)
        self._back.setSingleShot(True)
        self._back.setInterval(COPIED_MS)
        self._back.timeout.connect(self._show_copy)
        self._lay_out()
        self._show_copy()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(GRID * 3 // 2, GRID // 2, GRID // 2, 0)
        head.addWidget(self._title)
        head.addStretch()
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def append(self, text: str, pending: str = "") -> None:
        """More code, and the line that is being written; all stays plain until `finish`."""
        self._source.append(text)
        self._text.replace_end(self._pending, readable(text + pending))
        self._pending = len(pending)

    def finish(self) -> None:
        """The code is complete: drop its last line break and colour it."""
        self.append("")
        self._finished = True
        if self.source().endswith("\n"):
            self._text.drop_last_break()
        self._colours.start(dark=self._theme.dark)

    def source(self) -> str:
        """The code as the model wrote it."""
        return "".join(self._source)

    def shown_text(self) -> str:
        return self._text.document().toRawText()

    def show_tint(self, spans: Sequence[Span]) -> None:
        """Colour the ground of drafted parts."""
        text = self.shown_text() if spans else ""
        self._text.setExtraSelections(
            tint_selections(self._text.document(), text, spans, self._theme.tones)
        )

    def refresh_theme(self) -> None:
        """The theme changed."""
        self._show_copy()
        self._text.setFont(code_font(self.font()))
        if self._finished:
            self._colours.start(dark=self._theme.dark)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.source())
        self._copy.setText(self.tr("Copied"))
        self._copy.setIcon(icon("check", self._theme.tones.muted))
        self._back.start()

    @Slot()
    def _show_copy(self) -> None:
        self._copy.setText(self.tr("Copy"))
        self._copy.setIcon(icon("copy", self._theme.tones.muted))


class _CodeText(QPlainTextEdit):
    """Read-only code, as high as its lines."""

    def __init__(self) -> None:
        super().__init__()
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
        height = round(self.document().blockCount() * line + margin) + extra + 2
        if height != self.height():
            self.setFixedHeight(height)
