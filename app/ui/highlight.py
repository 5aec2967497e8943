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

from app.ui.positions import qt_positions

if TYPE_CHECKING:
    from pygments.lexer import Lexer

SLICE_SECONDS = 0.006
MAX_CHARACTERS = 200_000  # longer code stays plain

_LIGHT = {
    "Keyword": "#8b2fa8",
    "Name.Builtin": "#0b6a8f",
    "Name.Function": "#1457a8",
    "Name.Class": "#1457a8",
    "Name.Decorator": "#80530f",
    "Name.Tag": "#1457a8",
    "Name.Attribute": "#80530f",
    "Literal.String": "#2c6b2f",
    "Literal.Number": "#a1440c",
    "Comment": "#697380",
    "Operator.Word": "#8b2fa8",
    "Generic.Deleted": "#b3261e",
    "Generic.Inserted": "#2c6b2f",
    "Generic.Heading": "#1457a8",
}
_DARK = {
    "Keyword": "#d4a1ec",
    "Name.Builtin": "#7cc7e8",
    "Name.Function": "#8ab8f5",
    "Name.Class": "#8ab8f5",
    "Name.Decorator": "#e3bd7c",
    "Name.Tag": "#8ab8f5",
    "Name.Attribute": "#e3bd7c",
    "Literal.String": "#9fd49b",
    "Literal.Number": "#f2ab7d",
    "Comment": "#8793a0",
    "Operator.Word": "#d4a1ec",
    "Generic.Deleted": "#ff8f86",
    "Generic.Inserted": "#9fd49b",
    "Generic.Heading": "#8ab8f5",
}


def lexer_for(language: str) -> Lexer | None:
    """The lexer of a fence's language, None for no or an unknown one."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


class Highlighter(QObject):
    """Colours one document by its language, a slice at a time."""

    def __init__(self, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._document = document
        self._language = language
        self._formats: dict[str, QTextCharFormat | None] = {}
        self._colours: dict[str, str] = _LIGHT
        self._work: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_turn)

    def start(self, *, dark: bool) -> None:
        """Colour the document from its beginning, also again after a change of theme."""
        lexer = lexer_for(self._language)
        if lexer is None or self._document.characterCount() > MAX_CHARACTERS:
            return
        self._colours = _DARK if dark else _LIGHT
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
        """The look of a token type or of its nearest parent, as "Token.Name.Function"."""
        if kind not in self._formats:
            name = kind.removeprefix("Token").lstrip(".")
            while name and name not in self._colours:
                name = name.rpartition(".")[0]
            look = None
            if name:
                look = QTextCharFormat()
                look.setForeground(QColor(self._colours[name]))
            self._formats[kind] = look
        return self._formats[kind]


_DONE = object()
