"""Runs searches on a thread; only the newest one counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.errors import AppError
from app.storage.records import SearchHit
from app.ui.newest import Newest

CLOSE_SECONDS = 3.0
Search = Callable[[str], tuple[SearchHit, ...]]
Outcome = tuple[str, tuple[SearchHit, ...] | AppError]


class Finder(QObject):
    """Looks for words, one request after the other.

    Signals:
        found: the words, and what was found: a tuple of SearchHit.
        failed: the AppError.
    """

    found = Signal(str, object)
    failed = Signal(object)

    def __init__(self, search: Search, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._search = search
        self._newest = Newest("search", CLOSE_SECONDS, self)
        self._newest.done.connect(self._on_done)

    def start(self, text: str) -> None:
        """Look for `text`; `found` follows unless another one is asked for before."""
        self._newest.start(partial(self._look, text))

    def cancel(self) -> None:
        """Forget what was asked."""
        self._newest.cancel()

    def close(self) -> None:
        """Wait for a search that runs."""
        self._newest.close()

    def _look(self, text: str) -> Outcome:
        try:
            return text, self._search(text)
        except AppError as error:
            return text, error

    @Slot(object)
    def _on_done(self, outcome: Outcome) -> None:
        text, found = outcome
        if isinstance(found, AppError):
            self.failed.emit(found)
        else:
            self.found.emit(text, found)
