"""Runs jobs on a thread, one after the other; only the newest one's outcome is told."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

Job = Callable[[], object]


class Newest(QObject):
    """A thread that lives as long as there is something to do.

    Signals:
        done: what the newest job returned; on the thread of this object.
    """

    done = Signal(object)
    _ended = Signal(int, object)

    def __init__(self, name: str, close_seconds: float, parent: QObject | None = None) -> None:
        """`close_seconds`: more than a job takes that was begun before `close`."""
        super().__init__(parent)
        self._name = name
        self._close_seconds = close_seconds
        self._number = 0
        self._next: tuple[int, Job] | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    def start(self, job: Job) -> None:
        """Do `job`; `done` follows unless another one is started before."""
        self._number += 1
        with self._lock:
            self._next = (self._number, job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()

    def cancel(self) -> None:
        """Forget what was started."""
        self._number += 1
        with self._lock:
            self._next = None

    def close(self) -> None:
        """Wait for the thread: it may not speak to an object that is gone."""
        self.cancel()
        thread = self._thread
        if thread is not None:
            thread.join(self._close_seconds)

    def _work(self) -> None:
        while True:
            with self._lock:
                following, self._next = self._next, None
                if following is None:
                    self._thread = None
                    return
            number, job = following
            self._ended.emit(number, job())

    @Slot(int, object)
    def _on_ended(self, number: int, outcome: object) -> None:
        if number == self._number:
            self.done.emit(outcome)
