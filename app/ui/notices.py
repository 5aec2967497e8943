"""Sentences above the composer: what happened, and the buttons for what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.session import Level
from app.ui.icons import icon, pixmap
from app.ui.theme import GRID, Theme

MOST = 3  # more at once would push the conversation away; the newest win


class Action(StrEnum):
    """What a notice's button does."""

    OPEN = "open"
    RESTART = "restart"
    RESTART_WITHOUT_DRAFT = "restart_without_draft"
    UNDO_DELETE = "undo_delete"
    COPY_REPORT = "copy_report"
    OPEN_LOGS = "open_logs"
    MODELS = "models"
    DOWNLOADS = "downloads"
    GET_RECOMMENDED = "get_recommended"
    LOAD_ARRIVED = "load_arrived"


@dataclass(frozen=True, slots=True)
class Banner:
    """A notice ready to be shown: words and buttons.

    Attributes:
        key: what `dismissed` reports; equal keys are one notice.
    """

    key: str
    text: str
    level: Level
    actions: tuple[tuple[Action, str], ...] = ()
    tip: str = ""


class Notices(QWidget):
    """A short stack of banners.

    Signals:
        acted: a button was pressed: the Action.
        dismissed: a banner was closed: its key.
    """

    acted = Signal(Action)
    dismissed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Banner, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        self.hide()

    def show_banners(self, banners: Sequence[Banner]) -> None:
        """Show these, and no others."""
        newest = tuple(banners)[-MOST:]
        if newest == self._shown:
            return
        self._shown = newest
        self._rebuild()

    def texts(self) -> list[str]:
        """The sentences on screen."""
        return [banner.text for banner in self._shown]

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        self._rebuild()

    def _rebuild(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for banner in self._shown:
            row = _BannerRow(banner, self._theme)
            row.acted.connect(self.acted)
            row.dismissed.connect(self.dismissed)
            self._column.addWidget(row)
        self.setVisible(bool(self._shown))


class _BannerRow(QFrame):
    acted = Signal(Action)
    dismissed = Signal(str)

    def __init__(self, banner: Banner, theme: Theme) -> None:
        super().__init__()
        self._banner = banner
        self.setObjectName(f"banner_{banner.level.value}")
        self.setAccessibleName(banner.text)
        self.setToolTip(banner.tip)
        tones = theme.tones
        colour = {Level.INFO: tones.accent, Level.WARNING: tones.warning, Level.ERROR: tones.danger}
        sign = QLabel()
        name = "info" if banner.level is Level.INFO else "alert"
        sign.setPixmap(pixmap(name, colour[banner.level], 18, 2.0))
        text = QLabel(banner.text)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setMinimumWidth(1)  # a long path may not widen the window
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QToolButton()
        close.setObjectName("quiet")
        close.setIcon(icon("close", tones.muted, size=16))
        close.setAccessibleName(self.tr("Dismiss"))
        close.setToolTip(self.tr("Dismiss"))
        close.clicked.connect(self._on_close)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 3 // 2, GRID, GRID, GRID)
        row.setSpacing(GRID)
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        for action, label in banner.actions:
            row.addWidget(self._button(action, label))
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)

    def _button(self, action: Action, label: str) -> QPushButton:
        button = QPushButton(label)
        button.setObjectName("bannerButton")
        button.setProperty("action", action.value)
        button.clicked.connect(self._on_action)
        return button

    @Slot()
    def _on_action(self) -> None:
        self.acted.emit(Action(self.sender().property("action")))

    @Slot()
    def _on_close(self) -> None:
        self.dismissed.emit(self._banner.key)
