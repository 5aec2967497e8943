"""A code block: its language, copy and wrap buttons, the code in colours, scrolling sideways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.code_text import CodeText
from app.ui.highlight import Highlighter
from app.ui.icons import icon
from app.ui.readable import readable
from app.ui.text_view import Hints, tint_selections
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
        self._wrap = QToolButton()
        self._wrap.setObjectName("quiet")
        self._wrap.setCheckable(True)
        self._wrap.setAccessibleName(self.tr("Wrap long lines"))
        self._wrap.setToolTip(self.tr("Wrap long lines"))
        self._text = CodeText()
        self._wrap.toggled.connect(self._text.set_wrap)
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
        head.addWidget(self._wrap)
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

    def set_hints(self, hints: Hints) -> None:
        """What to say of a character of the code when the mouse rests on it."""
        self._text.hints = hints

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
        self._wrap.setIcon(icon("wrap", self._theme.tones.muted, size=16))
        self._copy.setText(self.tr("Copy"))
        self._copy.setIcon(icon("copy", self._theme.tones.muted))
