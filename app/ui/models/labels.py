"""Small widgets and words that several pages of the dialog share. Knows no page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.session.fitting import FitLevel
from app.ui.messages import say_bytes
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.folders import Origin
    from app.hub.names import FileKind

translate = QCoreApplication.translate


def text_label(text: str = "", name: str = "") -> QLabel:
    """A wrapped text that can be selected; `name` is its place in the style sheet."""
    label = QLabel(text)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setMinimumWidth(1)
    return label


def primary(text: str) -> QPushButton:
    """The one button that goes on."""
    button = QPushButton(text)
    button.setObjectName("primary")
    return button


def fit_words(level: FitLevel) -> str:
    """A badge's text."""
    return {
        FitLevel.FITS: translate("models", "Fits"),
        FitLevel.PARTLY: translate("models", "Fits partly, slower"),
        FitLevel.TOO_LARGE: translate("models", "Too large"),
        FitLevel.UNKNOWN: translate("models", "Size unknown"),
    }[level]


def origin_words(origin: Origin) -> str:
    """Whose folder a file lies in."""
    return {
        "own": translate("models", "Slipstream"),
        "hugging_face": translate("models", "Hugging Face"),
        "lm_studio": "LM Studio",
        "llama_cpp": "llama.cpp",
    }.get(origin.value, translate("models", "another program"))


def kind_words(kind: FileKind) -> str:
    """What a file is for."""
    return {
        "model": translate("models", "model"),
        "draft": translate("models", "made as a draft"),
        "native_drafter": translate("models", "draft head"),
        "projector": translate("models", "for pictures"),
    }.get(kind.value, translate("models", "other"))


def size_words(size_bytes: int | None) -> str:
    """A size, or that it is not known."""
    return say_bytes(size_bytes) if size_bytes is not None else translate("models", "unknown size")


class FitBadge(QLabel):
    """How well something fits into this computer's memory."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("state")

    def show_level(self, level: FitLevel, need_bytes: int | None, about: bool) -> None:
        """`about`: by a rule of thumb, or with doubts."""
        self.setText(fit_words(level))
        tone = {FitLevel.FITS: "good", FitLevel.TOO_LARGE: "bad"}.get(level, "plain")
        self.setProperty("tone", tone)
        self.style().polish(self)
        if need_bytes is None:
            self.setToolTip("")
            return
        tip = (
            translate("models", "Needs about {size} of memory")
            if about
            else translate("models", "Needs {size} of memory")
        ).format(size=say_bytes(need_bytes))
        self.setToolTip(tip)
        self.setAccessibleName(f"{self.text()}. {tip}")


class RowList(QScrollArea):
    """Rows one below the other; scrolls when there are many."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        inner.setObjectName("rows")
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, GRID, 0)
        self._column.setSpacing(GRID)
        self._column.addStretch()
        self.setWidget(inner)

    def set_rows(self, rows: Sequence[QWidget]) -> None:
        """Show these; the old ones are destroyed."""
        while self._column.count() > 1:
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None and widget not in rows:
                widget.hide()
                widget.deleteLater()
        for index, row in enumerate(rows):
            self._column.insertWidget(index, row)
