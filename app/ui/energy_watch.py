"""Has every answer's energy measured, and books it.

Follows the commands sent and the events received; the numbers arrive on the sampler's thread and
are passed on to the window's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.engine.protocol import (
    Command,
    Event,
    Generate,
    GenerationFinished,
    LoadFailed,
    ModelsLoaded,
    RequestFailed,
    Shutdown,
    Unloaded,
    UnloadModels,
    WorkerExited,
)
from app.errors import AppError
from app.monitor import EnergyMeter
from app.session.energy import Answered, AnswerEnergy, EnergyDesk
from app.settings import Settings
from app.storage.ledger import Ledger

log = logging.getLogger(__name__)

POWER_MS = 500


class EnergyWatch(QObject):
    """One per window.

    Signals:
        measured: what an answer took, booked or not: an AnswerEnergy.
        today_changed: the sum of this day: an EnergyTotal.
        power_read: watts drawn now; None when nobody is asked, or nobody knows.
    """

    measured = Signal(object)
    today_changed = Signal(object)
    power_read = Signal(object)
    _delivered = Signal(object)

    def __init__(
        self,
        meter: EnergyMeter,
        ledger: Ledger,
        on_error: Callable[[AppError], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._meter = meter
        self._ledger = ledger
        self._desk = EnergyDesk(meter, ledger)
        self._on_error = on_error
        self._loaded: ModelsLoaded | None = None
        self._running: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setInterval(POWER_MS)
        self._timer.timeout.connect(self._on_turn)
        self._delivered.connect(self._on_delivered, Qt.ConnectionType.QueuedConnection)

    def set_settings(self, settings: Settings) -> None:
        """Another tariff, or other figures of the plug meter."""
        self._desk.set_settings(settings)

    def refresh_today(self) -> None:
        """Add this day up again."""
        try:
            self.today_changed.emit(self._ledger.day(date.today()))
        except AppError as error:
            self._on_error(error)

    def close(self) -> None:
        """Measure nothing more."""
        self._timer.stop()
        self._desk.close()

    # --- what happens -------------------------------------------------------------------------

    @Slot(object)
    def on_command(self, command: Command) -> None:
        """A command is about to be sent."""
        if isinstance(command, Generate):
            self._running.add(command.request_id)
            self._desk.begin(command.request_id)
            self._timer.start()
        elif isinstance(command, UnloadModels | Shutdown):
            self._drop_all()

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """What the engine said."""
        for event in events:
            if isinstance(event, GenerationFinished):
                self._end(event)
            elif isinstance(event, RequestFailed):
                self._drop(event.request_id)
            elif isinstance(event, ModelsLoaded):
                self._loaded = event
                self._desk.set_loaded(on_graphics=_is_on_graphics(event))
            elif isinstance(event, WorkerExited | Unloaded | LoadFailed):
                self._drop_all()
                self._desk.set_loaded(on_graphics=False)

    def _end(self, event: GenerationFinished) -> None:
        if event.request_id not in self._running:
            return
        self._let_go(event.request_id)
        loaded = self._loaded
        draft = loaded.draft.path.name if loaded is not None and loaded.draft is not None else None
        answered = Answered(
            message_id=event.request_id,
            target=loaded.target.path.name if loaded is not None else "",
            draft=draft,
            speculation=event.speculation.value,
            tokens=event.stats.generated_tokens,
        )
        self._desk.end(answered, self._delivered.emit)

    def _drop(self, request_id: str) -> None:
        self._desk.drop(request_id)
        self._let_go(request_id)

    def _drop_all(self) -> None:
        for request_id in tuple(self._running):
            self._drop(request_id)

    def _let_go(self, request_id: str) -> None:
        self._running.discard(request_id)
        if not self._running:
            self._timer.stop()
            self.power_read.emit(None)

    @Slot()
    def _on_turn(self) -> None:
        self.power_read.emit(self._meter.watts)

    @Slot(object)
    def _on_delivered(self, answer: AnswerEnergy) -> None:
        try:
            self._desk.book(answer)
        except AppError as error:
            self._on_error(error)
        self.measured.emit(answer)
        self.refresh_today()


def _is_on_graphics(loaded: ModelsLoaded) -> bool:
    graphics = {device.name for device in loaded.devices if device.kind != "cpu"}
    models = (loaded.target, loaded.draft)
    return any(graphics & set(m.memory.by_device) for m in models if m is not None)
