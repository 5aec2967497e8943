"""From the engine client's thread to the window's.

Events are gathered and handed over some thirty times a second.

The window's side knows the engine only by the Protocol below.
"""

from __future__ import annotations

import threading
import time
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.engine.protocol import Command, Event

FRAME_SECONDS = 0.033


class Engine(Protocol):
    """What the window needs of an engine; `app.engine.client.EngineClient` is one."""

    @property
    def pid(self) -> int | None:
        """Of the worker process, None when there is none."""

    def start(self) -> None:
        """Start the worker."""

    def send(self, command: Command) -> None:
        """Send a command; never blocks."""

    def stop(self, timeout_seconds: float = ...) -> None:
        """End the worker, by force after a while."""


class EngineBridge(QObject):
    """Gathers events on any thread, delivers them in order on its own.

    Signals:
        events_arrived: a list of events, oldest first.
        modules_skipped: CPU modules that fault on this computer, as a frozenset.
    """

    events_arrived = Signal(list)
    modules_skipped = Signal(object)
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._events: list[Event] = []
        self._is_awake = False
        self._is_closed = False
        self._delivered_at = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._deliver)
        self._woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)

    def post(self, event: Event) -> None:
        """Take an event, on any thread; never blocks."""
        with self._lock:
            if self._is_closed:
                return
            self._events.append(event)
            if self._is_awake:
                return
            self._is_awake = True
            self._woken.emit()

    def post_skipped(self, modules: frozenset[str]) -> None:
        """Take note of faulting CPU modules, on any thread."""
        self.modules_skipped.emit(modules)

    def close(self) -> None:
        """Deliver nothing more."""
        self._timer.stop()
        with self._lock:
            self._is_closed = True
            self._events.clear()

    @Slot()
    def _on_woken(self) -> None:
        """Deliver at once after a pause, else at the next frame."""
        since = time.monotonic() - self._delivered_at
        self._timer.start(max(0, round((FRAME_SECONDS - since) * 1000)))

    @Slot()
    def _deliver(self) -> None:
        self._delivered_at = time.monotonic()
        with self._lock:
            events, self._events = self._events, []
            self._is_awake = False
        if events:
            self.events_arrived.emit(events)
