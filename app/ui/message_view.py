"""What all messages on screen have in common: a place in the tree, and being looked for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QVBoxLayout, QWidget

from app.conversation import Message
from app.ui.branch_stepper import BranchStepper
from app.ui.icons import icon
from app.ui.message_editor import MessageEditor
from app.ui.theme import GRID, Theme

FLASH_MS = 1600
EDGE = GRID  # of the ground that a found message is shown on


class MessageView(QFrame):
    """One message.

    Attributes:
        message_id: of the message shown.
        enter_sends: as in the composer.

    Signals:
        link_clicked: a web address in the text was clicked.
        branch_wanted: another version is to be shown: its message id.
        edited: message id and the new text, for a branch beside it.
        resend_wanted: another answer is wanted beside the given one.
    """

    link_clicked = Signal(str)
    branch_wanted = Signal(str)
    edited = Signal(str, str)
    resend_wanted = Signal(str)

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message_id = message.id
        self.enter_sends = True
        self._message = message
        self._theme = theme
        self._is_found = False
        self._cut: QLabel | None = None
        self._stepper: BranchStepper | None = None
        self._editor: MessageEditor | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID // 2)

    # --- for the kinds of message ---------------------------------------------------------------

    def show_message(self, message: Message) -> None:
        """Bring the text up to date with the message."""
        self._message = message

    def set_tint(self, on: bool) -> None:
        """Show or hide which parts were drafted and accepted."""

    def refresh_theme(self) -> None:
        """The theme changed."""
        if self._stepper is not None:
            self._stepper.refresh_theme()

    def _place_stepper(self, stepper: BranchStepper) -> None:
        """Put the steps between versions where they belong."""

    def _reading_parts(self) -> Sequence[QWidget]:
        """What gives way to the editor."""
        return ()

    # --- common ---------------------------------------------------------------------------------

    def show_branches(self, ids: Sequence[str]) -> None:
        """All versions of this message, oldest first, itself included."""
        if len(ids) < 2:
            if self._stepper is not None:
                self._stepper.hide()
            return
        if self._stepper is None:
            self._stepper = BranchStepper(self._theme)
            self._stepper.chosen.connect(self.branch_wanted)
            self._place_stepper(self._stepper)
        self._stepper.show_place(ids, self.message_id)
        self._stepper.show()

    def show_cut(self, on: bool) -> None:
        """Say above this message that the model is not given what stands before it."""
        if on and self._cut is None:
            self._cut = QLabel(self.tr("The model no longer sees what is above this line"))
            self._cut.setObjectName("cut")
            self._cut.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            self._cut.setWordWrap(True)
            self._column.insertWidget(0, self._cut)
        if self._cut is not None:
            self._cut.setVisible(on)

    def show_found(self) -> None:
        """Draw attention to this message for a moment."""
        self._is_found = True
        self.update()
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(self._on_flash_over)
        timer.timeout.connect(timer.deleteLater)
        timer.start(FLASH_MS)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_found:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.tones.warning_soft))
            painter.drawRoundedRect(self.rect(), EDGE, EDGE)
            painter.end()

    @Slot()
    def _on_flash_over(self) -> None:
        self._is_found = False
        self.update()

    def _tool(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quiet")
        button.setIcon(icon(name, self._theme.tones.muted, size=16))
        button.setToolTip(text)
        button.setAccessibleName(text)
        return button

    # --- editing --------------------------------------------------------------------------------

    def edit(self, *, is_question: bool) -> None:
        """Put an editor in the place of the text."""
        if self._editor is not None:
            return
        editor = MessageEditor(
            self._message.content, is_question=is_question, enter_sends=self.enter_sends
        )
        editor.accepted.connect(self._on_accepted)
        editor.cancelled.connect(self.end_edit)
        self._editor = editor
        for part in self._reading_parts():
            part.hide()
        self._column.addWidget(editor)
        editor.begin()

    @Slot()
    def end_edit(self) -> None:
        """Show the text again, as it was."""
        editor, self._editor = self._editor, None
        if editor is None:
            return
        self._column.removeWidget(editor)
        editor.hide()
        editor.deleteLater()
        for part in self._reading_parts():
            part.show()

    @Slot(str)
    def _on_accepted(self, text: str) -> None:
        self.edited.emit(self.message_id, text)
