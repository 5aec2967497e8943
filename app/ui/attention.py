"""Tells people who do not look: a screen reader always, the system's notifications when asked to.

A notification only comes after something long, and only while another window is in front.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.engine.protocol import (
    Command,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    RequestFailed,
    WorkerExited,
)
from app.ui.icons import app_icon
from app.ui.main_window import MainWindow
from app.ui.messages import say_number

LONG_SECONDS = 15.0
SHOWN_MS = 8000


class Attention(QObject):
    """One per window.

    Attributes:
        announce, notify, is_in_front: how it is done; tests put others there.
        wanted: whether the user wants notifications.
    """

    def __init__(self, window: MainWindow, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._window = window
        self._clock = clock
        self._begun: dict[str, float] = {}
        self._tray: QSystemTrayIcon | None = None
        self.wanted = True
        self.announce: Callable[[str], None] = self._announce
        self.notify: Callable[[str, str], None] = self._notify
        self.is_in_front: Callable[[], bool] = window.isActiveWindow

    @Slot(object)
    def on_command(self, command: Command) -> None:
        """A command is about to be sent."""
        if isinstance(command, Generate):
            self._begun[command.request_id] = self._clock()

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """What the engine said."""
        for event in events:
            if isinstance(event, GenerationFinished):
                self._on_answer(event)
            elif isinstance(event, RequestFailed):
                if self._begun.pop(event.request_id, None) is not None:
                    self.announce(self.tr("The question could not be answered."))
            elif isinstance(event, WorkerExited) and not event.expected:
                self._begun.clear()
                self.announce(self.tr("The engine stopped unexpectedly."))

    @Slot(str, Path, Path)
    def on_download(self, title: str, _target: Path, _draft: Path) -> None:
        """A pair that was asked for is complete."""
        self._tell(self.tr("Download complete"), title)

    def close(self) -> None:
        """Take the icon out of the tray."""
        if self._tray is not None:
            self._tray.hide()

    def _on_answer(self, event: GenerationFinished) -> None:
        begun = self._begun.pop(event.request_id, None)
        if begun is None:
            return
        if event.reason is FinishReason.CANCELLED:
            self.announce(self.tr("Stopped."))
            return
        seconds = self._clock() - begun
        text = self.tr("Answer complete: {tokens} tokens in {seconds} seconds.").format(
            tokens=say_number(event.stats.generated_tokens), seconds=say_number(seconds)
        )
        self.announce(text)
        if seconds >= LONG_SECONDS:
            self._tell(self.tr("The answer is there"), text)

    def _tell(self, title: str, text: str) -> None:
        if self.wanted and not self.is_in_front():
            self.notify(title, text)

    def _announce(self, text: str) -> None:
        event = QAccessibleAnnouncementEvent(self._window, text)
        QAccessible.updateAccessibility(event)

    def _notify(self, title: str, text: str) -> None:
        """By the tray, which is where Qt's notifications come from; or by the task bar alone."""
        QApplication.alert(self._window)
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(app_icon(), self)
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(self._on_clicked)
        self._tray.show()
        self._tray.showMessage(title, text, app_icon(), SHOWN_MS)

    @Slot()
    def _on_clicked(self) -> None:
        if self._tray is not None:
            self._tray.hide()
        self._window.come_forward()


def is_named(widget: QWidget) -> bool:
    """Whether a screen reader has something to say of a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface is not None and bool(interface.text(QAccessible.Text.Name).strip())
