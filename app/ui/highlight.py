"""Colours code in slices of a few milliseconds, so that a long listing never holds up the window.

Pygments is imported at the first use. The colours lie over the document as layout formats: its
text is not touched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from app.ui.code_colours import colours, lexer_for, look_of
from app.ui.positions import qt_positions

if TYPE_CHECKING:
    from pygments.lexer import Lexer

SLICE_SECONDS = 0.006
MAX_CHARACTERS = 200_000  # longer code stays plain


class Highlighter(QObject):
    """Colours one document by its language, a slice at a time."""

    def __init__(self, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._document = document
        self._language = language
        self._formats: dict[str, QTextCharFormat | None] = {}
        self._dark = False
        self._work: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_turn)

    def start(self, *, dark: bool) -> None:
        """Colour the document from its beginning, also again after a change of theme."""
        lexer = lexer_for(self._language)
        if lexer is None or self._document.characterCount() > MAX_CHARACTERS:
            return
        self._dark = dark
        self._formats = {}
        self._work = self._colour(lexer, self._document.toPlainText())
        self._timer.start()

    @property
    def busy(self) -> bool:
        return self._work is not None

    @Slot()
    def _on_turn(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while self._work is not None and time.perf_counter() < until:
            if next(self._work, _DONE) is _DONE:
                self._work = None
        if self._work is None:
            self._timer.stop()

    def _colour(self, lexer: Lexer, text: str) -> Iterator[None]:
        """Walk the tokens line by line; one turn of the generator is one line."""
        block = self._document.firstBlock()
        ranges: list[tuple[int, int, QTextCharFormat]] = []
        column = 0
        for _index, kind, value in lexer.get_tokens_unprocessed(text):
            look = self._format(str(kind))
            for number, part in enumerate(str(value).split("\n")):
                if number:
                    self._dress(block, ranges)
                    yield
                    block, ranges, column = block.next(), [], 0
                if look is not None and part:
                    ranges.append((column, column + len(part), look))
                column += len(part)
        self._dress(block, ranges)

    def _dress(self, block: QTextBlock, ranges: list[tuple[int, int, QTextCharFormat]]) -> None:
        if not block.isValid() or not ranges:
            return
        to_qt = qt_positions(block.text())
        formats = []
        for start, end, look in ranges:
            part = QTextLayout.FormatRange()
            part.start, part.length = to_qt(start), to_qt(end) - to_qt(start)
            part.format = look
            formats.append(part)
        block.layout().setFormats(formats)
        self._document.markContentsDirty(block.position(), block.length())

    def _format(self, kind: str) -> QTextCharFormat | None:
        """The look of a token type, as "Token.Name.Function"."""
        if kind not in self._formats:
            name = look_of(kind)
            look = None
            if name:
                look = QTextCharFormat()
                look.setForeground(QColor(colours(dark=self._dark)[name]))
            self._formats[kind] = look
        return self._formats[kind]


_DONE = object()
