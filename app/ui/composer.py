"""Where a person writes.

A text field that grows, Send or Stop, the speculation switch, the context meter.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
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

from app.ui.context_meter import ContextMeter
from app.ui.icons import icon
from app.ui.speculation_switch import SpeculationSwitch
from app.ui.theme import GRID, Theme

MAX_LINES = 9
ROOM_FOR_WORDS = 660  # below this the meter shows only its bar


class Composer(QWidget):
    """The lower edge of the chat.

    Attributes:
        switch: the speculation switch.
        meter: the context meter.

    Signals:
        submitted: a text is to be sent; it stays in the field until `clear`.
        stopped: the answer is to end.
        tint_toggled: drafted text is to be tinted, or not.
    """

    submitted = Signal(str)
    stopped = Signal()
    tint_toggled = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._can_send = False
        self._can_stop = False
        self.setObjectName("composer")
        self._field = _Field()
        self._field.setPlaceholderText(self.tr("Ask anything"))
        self._field.setAccessibleName(self.tr("Message"))
        self._field.setAccessibleDescription(
            self.tr("Enter sends, Shift and Enter begin a new line")
        )
        self._field.entered.connect(self._on_entered)
        self._field.textChanged.connect(self._on_changed)
        self._button = QToolButton()
        self._button.setObjectName("send")
        self._button.setIconSize(QSize(20, 20))
        self._button.clicked.connect(self._on_button)
        self.switch = SpeculationSwitch()
        self.meter = ContextMeter(theme)
        self._tint = QToolButton()
        self._legend = _Legend(theme)
        self._set_up_tint()
        self._lay_out()
        self.refresh_theme()

    def _set_up_tint(self) -> None:
        self._tint.setObjectName("quiet")
        self._tint.setCheckable(True)
        self._tint.setText(self.tr("Show guesses"))
        self._tint.setToolTip(self.tr("Tint the parts of answers that were guessed and accepted"))
        self._tint.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._tint.toggled.connect(self._on_tint)
        self._legend.hide()

    def _lay_out(self) -> None:
        box = QFrame()
        box.setObjectName("composerBox")
        inside = QHBoxLayout(box)
        inside.setContentsMargins(GRID * 2, GRID, GRID, GRID)
        inside.setSpacing(GRID)
        inside.addWidget(self._field)
        inside.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        below = QHBoxLayout()
        below.setSpacing(GRID)
        below.addWidget(self.switch)
        below.addWidget(self._tint)
        below.addWidget(self._legend)
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

    def text(self) -> str:
        """What is written."""
        return self._field.toPlainText()

    def set_text(self, text: str) -> None:
        """Put a text there."""
        self._field.setPlainText(text)

    def clear(self) -> None:
        """The text was sent."""
        self._field.clear()

    def set_tint(self, on: bool) -> None:
        """Show the guesses, or not; reported like a click."""
        self._tint.setChecked(on)

    def take_focus(self) -> None:
        """Let the user write."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        self._tint.setIcon(icon("tint", self._theme.tones.muted))
        self._legend.refresh_theme()
        self.meter.update()
        self._show_button()

    def _show_button(self) -> None:
        tones = self._theme.tones
        name, text = (
            ("stop", self.tr("Stop (Esc)")) if self._stops() else ("send", self.tr("Send (Enter)"))
        )
        self._button.setIcon(icon(name, tones.on_accent, tones.muted, size=20))
        self._button.setToolTip(text)
        self._button.setAccessibleName(text)
        sendable = self._can_send and bool(self.text().strip())
        self._button.setEnabled(self._can_stop or (sendable and not self._stops()))

    def _stops(self) -> bool:
        return self._can_stop

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.meter.show_words(self.width() >= ROOM_FOR_WORDS)

    # --- what the user does -------------------------------------------------------------------

    @Slot()
    def _on_entered(self) -> None:
        if self.text().strip():
            self.submitted.emit(self.text())

    @Slot()
    def _on_button(self) -> None:
        if self._stops():
            self.stopped.emit()
        else:
            self._on_entered()

    @Slot()
    def _on_changed(self) -> None:
        self._show_button()

    @Slot(bool)
    def _on_tint(self, on: bool) -> None:
        self._legend.setVisible(on)
        self.tint_toggled.emit(on)


class _Field(QPlainTextEdit):
    """Grows with its text up to a limit; Enter sends."""

    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("field")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(GRID // 2)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)

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
        height = min(lines, MAX_LINES) * self.fontMetrics().lineSpacing() + GRID + 2
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if lines > MAX_LINES else policy.ScrollBarAlwaysOff
        )
        if round(height) != self.height():
            self.setFixedHeight(round(height))


class _Legend(QWidget):
    """What the tints mean."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._draft = QLabel(self.tr("draft"))
        self._lookup = QLabel(self.tr("lookup"))
        self._draft.setToolTip(self.tr("Guessed by the draft model and accepted by the target"))
        self._lookup.setToolTip(self.tr("Guessed from the text so far and accepted by the target"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._draft, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._lookup, 0, Qt.AlignmentFlag.AlignVCenter)

    def refresh_theme(self) -> None:
        tones = self._theme.tones
        common = f"color: {tones.text}; padding: 2px 8px; border-radius: 3px;"
        self._draft.setStyleSheet(f"{common} background: {tones.tint_draft};")
        self._lookup.setStyleSheet(
            f"{common} background: {tones.tint_lookup}; border-bottom: 2px dotted {tones.accent};"
        )
