"""Ctrl+C in a terminal and the end of a desktop session close the window as a click would.

Python's handlers run only when Python runs, and Qt's loop may sleep: a socket wakes it.
"""

from __future__ import annotations

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts(QObject):
    """Turns signals of the operating system into one of Qt's.

    Signals:
        received: the program was asked to end.
    """

    received = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._write, self._read = socket.socketpair()
        for end in (self._write, self._read):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_awake)
        self._before = {number: signal.signal(number, self._note) for number in SIGNALS}
        self._wake_before = signal.set_wakeup_fd(self._write.fileno())
        self._noted = False

    def close(self) -> None:
        """Put everything back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wake_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._write.close()
        self._read.close()

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._noted = True

    @Slot()
    def _on_awake(self) -> None:
        self._read.recv(64)
        if self._noted:
            self._noted = False
            self.received.emit()
