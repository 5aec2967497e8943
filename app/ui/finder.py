"""Runs searches on a thread; only the newest one counts."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.errors import AppError
from app.storage.records import SearchHit

CLOSE_SECONDS = 3.0
Search = Callable[[str], tuple[SearchHit, ...]]


class Finder(QObject):
    """Looks for words, one request after the other.

    Signals:
        found: the words, and what was found: a tuple of SearchHit.
        failed: the AppError.
    """

    found = Signal(str, object)
    failed = Signal(object)
    _done = Signal(int, str, object)

    def __init__(self, search: Search, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._search = search
        self._newest = 0
        self._next: tuple[int, str] | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def start(self, text: str) -> None:
        """Look for `text`; `found` follows unless another one is asked for before."""
        self._newest += 1
        with self._lock:
            self._next = (self._newest, text)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="search", daemon=True)
                self._thread.start()

    def cancel(self) -> None:
        """Forget what was asked."""
        self._newest += 1
        with self._lock:
            self._next = None

    def close(self) -> None:
        """Wait for the thread: it may not speak to an object that is gone."""
        self.cancel()
        thread = self._thread
        if thread is not None:
            thread.join(CLOSE_SECONDS)

    def _work(self) -> None:
        while True:
            with self._lock:
                job, self._next = self._next, None
                if job is None:
                    self._thread = None
                    return
            number, text = job
            outcome: tuple[SearchHit, ...] | AppError
            try:
                outcome = self._search(text)
            except AppError as error:
                outcome = error
            self._done.emit(number, text, outcome)

    @Slot(int, str, object)
    def _on_done(self, number: int, text: str, outcome: object) -> None:
        if number != self._newest:
            return
        if isinstance(outcome, AppError):
            self.failed.emit(outcome)
        else:
            self.found.emit(text, outcome)
