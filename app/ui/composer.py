"""Where a person writes.

A text field that grows, files that go along, Send or Stop, the speculation switch, what this chat
does differently, the context meter.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.errors import AppError
from app.ui import attachments
from app.ui.attachment_row import AttachmentRow
from app.ui.context_meter import ContextMeter, estimated_tokens
from app.ui.growing_field import GrowingField
from app.ui.icons import icon
from app.ui.legend import Legend
from app.ui.speculation_switch import SpeculationSwitch
from app.ui.theme import GRID, Theme

ROOM_FOR_WORDS = 660  # below this the meter shows only its bar, and buttons only their signs
ROOM_FOR_LEGEND = 740  # for the words of all buttons beside the legend


class Composer(QWidget):
    """The lower edge of the chat.

    Attributes:
        switch: the speculation switch.
        meter: the context meter.

    Signals:
        submitted: a message is to be sent; it stays in the field until `clear`.
        stopped: the answer is to end.
        tint_toggled: drafted text is to be tinted, or not.
        compare_clicked: the answer with and without speculation is to be compared.
        chat_options_clicked: what this chat does differently is to be changed.
        refused: a file cannot go along: the AppError.
    """

    submitted = Signal(str)
    stopped = Signal()
    tint_toggled = Signal(bool)
    compare_clicked = Signal()
    chat_options_clicked = Signal()
    refused = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._can_send = False
        self._can_stop = False
        self._has_own = False
        self.setObjectName("composer")
        self._field = GrowingField()
        self._field.setPlaceholderText(self.tr("Ask anything"))
        self._field.setAccessibleName(self.tr("Message"))
        self._field.entered.connect(self._on_entered)
        self._field.textChanged.connect(self._on_changed)
        self._files = AttachmentRow(theme)
        self._files.changed.connect(self._on_changed)
        self._button = QToolButton()
        self._button.setObjectName("send")
        self._button.setIconSize(QSize(20, 20))
        self._button.clicked.connect(self._on_button)
        self._attach = self._tool(self.tr("Attach text files"))
        self._attach.clicked.connect(self._on_attach)
        self._tint = self._tool(self.tr("Show guesses"))
        self._compare = self._tool(self.tr("Compare"))
        self._options = self._tool(self.tr("This chat: instructions and answers"))
        self.switch = SpeculationSwitch()
        self.meter = ContextMeter(theme)
        self._legend = Legend(theme)
        self._set_up()
        self._lay_out()
        self.set_enter_sends(True)
        self.show_compare("")
        self.refresh_theme()

    def _tool(self, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quiet")
        button.setAccessibleName(text)
        button.setToolTip(text)
        return button

    def _set_up(self) -> None:
        self._tint.setCheckable(True)
        self._tint.setToolTip(self.tr("Tint the parts of answers that were guessed and accepted"))
        self._tint.toggled.connect(self._on_tint)
        self._legend.hide()
        self._compare.clicked.connect(self.compare_clicked)
        self._options.clicked.connect(self.chat_options_clicked)

    def _lay_out(self) -> None:
        box = QFrame()
        box.setObjectName("composerBox")
        line = QHBoxLayout()
        line.setSpacing(GRID // 2)
        line.addWidget(self._attach, 0, Qt.AlignmentFlag.AlignBottom)
        line.addWidget(self._field)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        inside = QVBoxLayout(box)
        inside.setContentsMargins(GRID, GRID, GRID, GRID)
        inside.setSpacing(GRID // 2)
        inside.addWidget(self._files)
        inside.addLayout(line)
        below = QHBoxLayout()
        below.setSpacing(GRID // 2)
        below.addWidget(self.switch)
        below.addSpacing(GRID // 2)
        below.addWidget(self._tint)
        below.addWidget(self._legend)
        below.addWidget(self._compare)
        below.addWidget(self._options)
        below.addStretch()
        below.addWidget(self.meter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(box)
        column.addLayout(below)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # --- what to show -------------------------------------------------------------------------

    def show_state(self, *, can_send: bool, can_stop: bool, hint: str) -> None:
        """What is possible now; `hint` is the field's placeholder."""
        self._can_send = can_send
        self._can_stop = can_stop
        if self._field.placeholderText() != hint:
            self._field.setPlaceholderText(hint)
            # Qt repaints when the hint appears or goes, not when it becomes another one.
            self._field.viewport().update()
        self._show_button()

    def show_compare(self, missing: str) -> None:
        """Why a comparison cannot be made now; "" when it can."""
        tip = self.tr("Answer twice, without and with speculation, and compare")
        self._compare.setEnabled(not missing)
        self._compare.setToolTip(missing or tip)

    def show_own(self, on: bool) -> None:
        """Whether this chat does something differently from the settings."""
        if on != self._has_own:
            self._has_own = on
            self.refresh_theme()

    def set_enter_sends(self, on: bool) -> None:
        """What Enter alone does: send, or begin a line (then Ctrl and Enter send)."""
        self._field.enter_sends = on
        said = self.tr("Enter sends, Shift and Enter begin a new line")
        if not on:
            said = self.tr("Ctrl and Enter send, Enter begins a new line")
        self._field.setAccessibleDescription(said)
        self._show_button()

    def text(self) -> str:
        """What is written, without files."""
        return self._field.toPlainText()

    def message(self) -> str:
        """What would be sent: the text and the files."""
        return attachments.compose(self.text(), self._files.files)

    def set_text(self, text: str) -> None:
        """Put a text there."""
        self._field.setPlainText(text)

    def attach(self, paths: Iterable[Path]) -> None:
        """Let files go along; what is no text is refused and said."""
        for path in paths:
            try:
                self._files.add(attachments.read(path))
            except AppError as error:
                self.refused.emit(error)

    def clear(self) -> None:
        """The message was sent."""
        self._field.clear()
        self._files.clear()

    def set_tint(self, on: bool) -> None:
        """Show the guesses, or not; reported like a click."""
        self._tint.setChecked(on)

    @Slot()
    def take_focus(self) -> None:
        """Let the user write."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        tones = self._theme.tones
        self._tint.setIcon(icon("tint", tones.muted))
        self._attach.setIcon(icon("attach", tones.muted))
        self._compare.setIcon(icon("compare", tones.muted, tones.border))
        self._options.setIcon(icon("tune", tones.accent if self._has_own else tones.muted))
        self._legend.refresh_theme()
        self._files.refresh_theme()
        self.meter.update()
        self._show_button()

    def _show_button(self) -> None:
        tones = self._theme.tones
        keys = self.tr("Send (Enter)") if self._field.enter_sends else self.tr("Send (Ctrl+Enter)")
        name, text = ("stop", self.tr("Stop (Esc)")) if self._can_stop else ("send", keys)
        self._button.setIcon(icon(name, tones.on_accent, tones.muted, size=20))
        self._button.setToolTip(text)
        self._button.setAccessibleName(text)
        self._button.setEnabled(self._can_stop or (self._can_send and self._has_something()))

    def _has_something(self) -> bool:
        return bool(self.text().strip() or self._files.files)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    def _show_words(self) -> None:
        """Words where there is room; the legend takes the place of the words beside it."""
        roomy = self.width() >= ROOM_FOR_WORDS
        tinted = self._tint.isChecked()
        self.meter.show_words(roomy)
        style = Qt.ToolButtonStyle
        all_fits = roomy and (not tinted or self.width() >= ROOM_FOR_LEGEND)
        for button, shown in ((self._tint, roomy and not tinted), (self._compare, all_fits)):
            button.setText(button.accessibleName() if shown else "")
            button.setToolButtonStyle(
                style.ToolButtonTextBesideIcon if shown else style.ToolButtonIconOnly
            )
        self._legend.setVisible(tinted)

    # --- what the user does -------------------------------------------------------------------

    @Slot()
    def _on_entered(self) -> None:
        if self._has_something():
            self.submitted.emit(self.message())

    @Slot()
    def _on_button(self) -> None:
        if self._can_stop:
            self.stopped.emit()
        else:
            self._on_entered()

    @Slot()
    def _on_changed(self) -> None:
        self._show_button()
        size = len(self.text()) + sum(len(file.text) for file in self._files.files)
        self.meter.show_written(estimated_tokens(size))

    @Slot()
    def _on_attach(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self, self.tr("Attach text files"))
        self.attach(Path(name) for name in chosen)

    @Slot(bool)
    def _on_tint(self, on: bool) -> None:
        self._show_words()
        self.tint_toggled.emit(on)
