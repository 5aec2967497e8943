"""Asks the system's keyring on a thread: it may take its time, or ask the user for a password."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.errors import AppError

if TYPE_CHECKING:
    from app.hub.token import TokenStore


class TokenKeeper(QObject):
    """One request at a time.

    Signals:
        told: whether a token is kept, whether it outlives the program, and the AppError or None.
    """

    told = Signal(bool, bool, object)
    _done = Signal(bool, bool, object)

    def __init__(self, store: Callable[[], TokenStore], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._lock = threading.Lock()
        self._closed = False
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def ask(self) -> None:
        """Whether a token is kept; `told` follows."""
        self._run(None)

    @Slot(str)
    def give(self, token: str) -> None:
        """Keep a token; "" forgets it; `told` follows."""
        self._run(token)

    def close(self) -> None:
        """Say nothing more; a thread that still waits for the keyring ends by itself."""
        with self._lock:
            self._closed = True

    def _run(self, token: str | None) -> None:
        threading.Thread(target=self._work, args=(token,), name="keyring", daemon=True).start()

    def _work(self, token: str | None) -> None:
        store = self._store()
        problem: AppError | None = None
        try:
            if token:
                store.set(token)
            elif token is not None:
                store.forget()
        except AppError as error:
            problem = error
        is_set = store.get() is not None
        with self._lock:
            if not self._closed:
                self._done.emit(is_set, store.is_persistent, problem)

    @Slot(bool, bool, object)
    def _on_done(self, is_set: bool, is_persistent: bool, problem: object) -> None:
        self.told.emit(is_set, is_persistent, problem)
