"""A message while it is changed: a field in its place, and two buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.ui.growing_field import GrowingField
from app.ui.theme import GRID

MAX_LINES = 20


class MessageEditor(QFrame):
    """Changes a text; what was there stays as another branch.

    Signals:
        accepted: the new text.
        cancelled: all stays as it was.
    """

    accepted = Signal(str)
    cancelled = Signal()

    def __init__(
        self, text: str, *, is_question: bool, enter_sends: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._old = text
        self.setObjectName("editor")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.field = GrowingField(MAX_LINES)
        self.field.enter_sends = enter_sends and is_question
        self.field.take_escape()
        self.field.setPlainText(text)
        self.field.setAccessibleName(self.tr("Edit message"))
        self.field.entered.connect(self._on_accept)
        self.field.cancelled.connect(self.cancelled)
        self.field.textChanged.connect(self._on_changed)
        hint = QLabel(self.tr("The earlier version is kept beside it"))
        hint.setObjectName("muted")
        hint.setMinimumWidth(1)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.clicked.connect(self.cancelled)
        self.accept = QPushButton(self.tr("Send") if is_question else self.tr("Save"))
        self.accept.setObjectName("primary")
        self.accept.clicked.connect(self._on_accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(hint, 1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 2, GRID, GRID * 2, GRID * 3 // 2)
        column.setSpacing(GRID)
        column.addWidget(self.field)
        column.addLayout(buttons)
        self._on_changed()

    def begin(self) -> None:
        """Let the user write at the end of the text."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    @Slot()
    def _on_changed(self) -> None:
        self.accept.setEnabled(bool(self.field.toPlainText().strip()))

    @Slot()
    def _on_accept(self) -> None:
        text = self.field.toPlainText()
        if text == self._old:
            self.cancelled.emit()
        elif text.strip():
            self.accepted.emit(text)
