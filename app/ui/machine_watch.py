"""Asks the machine once a second while somebody looks and a model is loaded; asleep otherwise."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.monitor.sample import MachineSample

EVERY_MS = 1000


class MachineWatch(QObject):
    """Polls a probe.

    Signals:
        sampled: a MachineSample.
    """

    sampled = Signal(object)

    def __init__(
        self,
        take: Callable[[], MachineSample],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._take = take
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._on_turn)

    @property
    def active(self) -> bool:
        return self._timer.isActive()

    def set_active(self, active: bool) -> None:
        """Begin with a sample at once, or fall asleep."""
        if active == self._timer.isActive():
            return
        if active:
            self._timer.start()
            self._on_turn()
        else:
            self._timer.stop()

    @Slot()
    def _on_turn(self) -> None:
        self.sampled.emit(self._take())
