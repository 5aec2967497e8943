"""Runs a comparison on a thread of its own, over the engine that the window has."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.engine.protocol import Command, Event, Generate
from app.errors import AppError
from app.monitor import EnergyMeter, Probe

if TYPE_CHECKING:
    from app.measure.compare import Live

CLOSE_SECONDS = 2.0


class WindowLink:
    """The window's engine as `app.measure` wants it; the window passes its events on."""

    def __init__(self, send: Callable[[Command], None], pid: int | None) -> None:
        self._send = send
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._is_closed = False
        self.pid = pid

    def put(self, event: Event) -> None:
        """An event came."""
        self._events.put(event)

    def send(self, command: Command) -> None:
        """Pass a command on."""
        self._send(command)

    def next_event(self, timeout_seconds: float) -> Event | None:
        """The next event; None when none came in time.

        Raises:
            AppError: "measure_stopped": the window is closing.
        """
        if self._is_closed:
            raise AppError("measure_stopped")
        try:
            return self._events.get(timeout=timeout_seconds)
        except queue.Empty:
            return None

    def restart(self) -> None:
        """The window restarts its engine by itself, when the user wants it."""
        raise AppError("engine_stopped")

    def close(self) -> None:
        """No event will come any more."""
        self._is_closed = True


class CompareRunner(QObject):
    """One comparison at a time.

    Signals:
        finished: the Comparison.
        failed: the AppError that ended it, "measure_stopped" when it was stopped.
    """

    finished = Signal(object)
    failed = Signal(object)
    _ended = Signal(object)

    def __init__(self, meter: EnergyMeter, probe: Probe, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._meter = meter
        self._probe = probe
        self._lock = threading.Lock()
        self._lives: list[Live] = []
        self._stop = threading.Event()
        self._link: WindowLink | None = None
        self._thread: threading.Thread | None = None
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        """A comparison is on its way."""
        return self._thread is not None

    def start(self, link: WindowLink, request: Generate) -> None:
        """Compare the request's own way of speculating with none."""
        self._stop.clear()
        self._lives = []
        self._link = link
        self._thread = threading.Thread(
            target=self._work, args=(link, request), name="compare", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End it soon; `failed` follows."""
        self._stop.set()

    def take(self) -> list[Live]:
        """What was written since the last call."""
        with self._lock:
            lives, self._lives = self._lives, []
        return lives

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """What the engine said."""
        if self._link is not None:
            for event in events:
                self._link.put(event)

    def close(self) -> None:
        """End it at once: the thread may not speak to an object that is gone."""
        self._stop.set()
        if self._link is not None:
            self._link.close()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _work(self, link: WindowLink, request: Generate) -> None:
        # Imported here: it brings numpy along, which the window needs for nothing else.
        from app.measure.arms import Arm
        from app.measure.asking import Asker
        from app.measure.compare import compare
        from app.measure.meters import MonitorMeter

        asker = Asker(
            link,
            meter=MonitorMeter(self._meter),
            memory=self._probe,
            should_stop=self._stop.is_set,
        )
        arm = Arm(request.options.speculation, request.options.depth)
        outcome: object
        try:
            outcome = compare(asker, request, arm, watch=self._watch)
        except AppError as error:
            outcome = error
        self._ended.emit(outcome)

    def _watch(self, live: Live) -> None:
        with self._lock:
            self._lives.append(live)

    @Slot(object)
    def _on_ended(self, outcome: object) -> None:
        self._thread = None
        self._link = None
        if isinstance(outcome, AppError):
            self.failed.emit(outcome)
        else:
            self.finished.emit(outcome)
