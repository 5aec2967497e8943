"""Work on plain threads, answered in a slot: for everything that asks a disk or a network."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.errors import AppError, DownloadFailed

log = logging.getLogger(__name__)


class Background(QObject):
    """Runs work by topic; an answer that was asked for again meanwhile is dropped.

    Signals:
        done: topic and result.
        failed: topic and AppError.
        told: topic and what the work said on its way.
    """

    done = Signal(str, object)
    failed = Signal(str, object)
    told = Signal(str, object)
    _arrived = Signal(str, int, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._closed = False
        self._newest: dict[str, int] = {}
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)

    def run(self, topic: str, work: Callable[[], object]) -> None:
        """Begin; `done` or `failed` follows, unless the topic is asked again or forgotten."""
        number = self._newest[topic] = self._newest.get(topic, 0) + 1
        thread = threading.Thread(
            target=self._work, args=(topic, number, work), name=f"models-{topic}", daemon=True
        )
        thread.start()

    def tell(self, topic: str, value: object) -> None:
        """Say something on the way; from the thread that does the work."""
        self._hand_over(topic, self._newest.get(topic, 0), "told", value)

    def forget(self, topic: str) -> None:
        """The answer is no longer wanted."""
        self._newest[topic] = self._newest.get(topic, 0) + 1

    def close(self) -> None:
        """Say nothing more; threads that still wait for a network end by themselves."""
        with self._lock:
            self._closed = True

    def _work(self, topic: str, number: int, work: Callable[[], object]) -> None:
        """The top of a thread."""
        try:
            kind, value = "done", work()
        except AppError as error:
            kind, value = "failed", error
        except Exception as error:  # top of a thread: shown, not lost
            log.exception("%s broke", topic)
            kind, value = "failed", DownloadFailed("models_broke", reason=type(error).__name__)
        self._hand_over(topic, number, kind, value)

    def _hand_over(self, topic: str, number: int, kind: str, value: object) -> None:
        # Under the lock: after `close` this object may be gone.
        with self._lock:
            if not self._closed:
                self._arrived.emit(topic, number, kind, value)

    @Slot(str, int, str, object)
    def _on_arrived(self, topic: str, number: int, kind: str, value: object) -> None:
        if number == self._newest.get(topic):
            {"done": self.done, "failed": self.failed, "told": self.told}[kind].emit(topic, value)
