"""Shows text a model wrote: selectable, as high as its content, loading nothing.

Pictures, style sheets and files are never fetched, whatever the text says. Links are reported,
not followed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, QPointF, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFont,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QTextEdit, QToolTip, QWidget

from app.engine.protocol import PieceSource
from app.ui.code_colours import class_of, colours
from app.ui.markdown import copied_text, is_web_address
from app.ui.positions import from_qt, qt_positions
from app.ui.theme import Tones, code_font
from app.ui.tint import Span

MIDDLE_LIGHTNESS = 128
Hints = Callable[[int], str]


def rich_style(tones: Tones, font: QFont) -> str:
    """The style sheet for rendered Markdown."""
    mono = code_font(font)
    size = font.pointSizeF()
    return f"""
        p {{ margin-top: 0px; margin-bottom: 8px; line-height: 140%; }}
        li {{ margin-bottom: 4px; line-height: 140%; }}
        ul, ol {{ margin-top: 0px; margin-bottom: 8px; }}
        .h1 {{ font-size: {size * 1.4:.1f}pt; font-weight: 600; margin-top: 8px; }}
        .h2 {{ font-size: {size * 1.2:.1f}pt; font-weight: 600; margin-top: 8px; }}
        .h3 {{ font-size: {size * 1.05:.1f}pt; font-weight: 600; margin-top: 8px; }}
        a {{ color: {tones.accent}; }}
        .code, pre {{ font-family: '{mono.family()}'; font-size: {mono.pointSizeF():.1f}pt; }}
        .code {{ background-color: {tones.hover}; }}
        pre {{ margin: 0px; line-height: 125%; }}
        .language {{ color: {tones.muted}; }}
        .math {{ font-family: serif; font-style: italic; }}
        .formula {{ font-family: serif; font-style: italic; margin-left: 24px; }}
        {_code_style(tones)}
        .quote {{ color: {tones.muted}; margin-left: 16px; margin-right: 0px; }}
        table {{ margin-bottom: 8px; }}
        .grid {{ border-color: {tones.border}; border-collapse: collapse; border-style: solid; }}
        .grid th {{ background-color: {tones.code}; font-weight: 600; }}
        .box td {{ background-color: {tones.code}; }}
    """


def _code_style(tones: Tones) -> str:
    dark = QColor(tones.surface).lightness() < MIDDLE_LIGHTNESS
    looks = colours(dark=dark).items()
    return " ".join(f".{class_of(look)} {{ color: {colour}; }}" for look, colour in looks)


def tint_selections(
    document: QTextDocument, text: str, spans: Sequence[Span], tones: Tones
) -> list[QTextEdit.ExtraSelection]:
    """Spans of the shown text as coloured overlays; the document itself is not changed."""
    to_qt = qt_positions(text)
    looks = tint_formats(tones)
    result = []
    for span in spans:
        selection: Any = QTextEdit.ExtraSelection()
        selection.cursor = QTextCursor(document)
        selection.cursor.setKeepPositionOnInsert(True)
        selection.cursor.setPosition(to_qt(span.start))
        selection.cursor.setPosition(to_qt(span.end), QTextCursor.MoveMode.KeepAnchor)
        selection.format = looks[span.source]
        result.append(selection)
    return result


def tint_formats(tones: Tones) -> dict[PieceSource, QTextCharFormat]:
    """A ground for drafted text; a paler one with dots for looked-up text: not only a colour."""
    draft, lookup = QTextCharFormat(), QTextCharFormat()
    draft.setBackground(QColor(tones.tint_draft))
    lookup.setBackground(QColor(tones.tint_lookup))
    lookup.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    lookup.setUnderlineColor(QColor(tones.accent))
    return {PieceSource.DRAFT: draft, PieceSource.LOOKUP: lookup}


class TextView(QTextBrowser):
    """A read-only text as high as its content.

    Signals:
        link_clicked: a web address in the text was clicked.
    """

    link_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size_changed)
        self._hints: Hints | None = None
        self.anchorClicked.connect(self._on_anchor)
        self.highlighted.connect(self._on_highlighted)
        self.viewport().setAutoFillBackground(False)

    def loadResource(self, kind: int, _name: QUrl | str) -> Any:
        """Nothing a text names is ever loaded.

        Something must be answered: Qt reads the file by itself where the answer is empty.
        """
        if kind == QTextDocument.ResourceType.ImageResource.value:
            nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
            nothing.fill(0)
            return nothing
        return QByteArray(b" ")

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(320, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(64, self.height())

    def show_rich(self, html: str, tones: Tones) -> None:
        """Show rendered Markdown."""
        self.document().setDefaultStyleSheet(rich_style(tones, self.font()))
        self.setHtml(html)

    def append_plain(self, text: str) -> None:
        """Add plain text at the end."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text, QTextCharFormat())

    def show_tint(self, spans: Sequence[Span], tones: Tones) -> None:
        """Colour spans of the shown text; no spans, no colour."""
        text = self.shown_text() if spans else ""
        self.setExtraSelections(tint_selections(self.document(), text, spans, tones))

    def shown_text(self) -> str:
        """The text on screen; its indices are the document's positions, emoji apart."""
        # toPlainText() loses the frame marks around tables and with them the count.
        return self.document().toRawText()

    def set_hints(self, hints: Hints | None) -> None:
        """What to say of the character at an index of the shown text when the mouse rests there."""
        self._hints = hints

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self._hints and isinstance(event, QHelpEvent):
            where = QPointF(event.pos())
            place = self.document().documentLayout().hitTest(where, Qt.HitTestAccuracy.ExactHit)
            hint = self._hints(from_qt(self.shown_text(), place)) if place >= 0 else ""
            if hint and not self.anchorAt(event.pos()):
                QToolTip.showText(event.globalPos(), hint, self)
                return True
        return super().viewportEvent(event)

    @Slot()
    def _on_size_changed(self) -> None:
        self._fit()

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height())
        if height != self.height():
            self.setFixedHeight(max(1, height))

    @Slot(QUrl)
    def _on_anchor(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        copied = copied_text(address)
        if copied is not None:
            QGuiApplication.clipboard().setText(copied)
            QToolTip.showText(QCursor.pos(), self.tr("Copied"), self)
            return
        if is_web_address(address):
            self.link_clicked.emit(address)

    @Slot(QUrl)
    def _on_highlighted(self, url: QUrl) -> None:
        """Say where a link really goes, whatever its text says."""
        address = url.toString()
        is_copy = copied_text(address) is not None
        self.setToolTip(self.tr("Copy code") if is_copy else address)
        if url.isEmpty():
            QToolTip.hideText()
