"""Joins the panel with what it shows: the machine, the meter, the engine's events.

Asks the machine only while a model is loaded and somebody can see the numbers.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Slot

from app.engine.protocol import Event, GenerationFinished, ModelsLoaded
from app.monitor import EnergyMeter, MachineSample, Probe, first_probe
from app.ui.chat_controller import ChatController
from app.ui.energy_watch import EnergyWatch
from app.ui.engine_bridge import Engine, EngineBridge
from app.ui.machine_watch import MachineWatch
from app.ui.main_window import MainWindow
from app.ui.worth import Worth
from app.ui.worth_store import WorthStore


class PanelController(QObject):
    """One per window.

    Attributes:
        watch: asks the machine.
    """

    def __init__(
        self,
        window: MainWindow,
        chat: ChatController,
        engine: Engine,
        meter: EnergyMeter,
        energy: EnergyWatch,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._panel = window.panel
        self._chat = chat
        self._engine = engine
        self._loaded: ModelsLoaded | None = None
        self._closed = False
        self._worths = WorthStore()
        self._probe: Probe = first_probe(lambda: meter.gpus)
        self.watch = MachineWatch(self.sample, self)
        self.watch.sampled.connect(self._on_sample)
        window.visibility_changed.connect(self.on_visibility)
        view = self._panel.energy
        energy.power_read.connect(view.show_power)
        energy.measured.connect(view.show_answer)
        energy.today_changed.connect(view.show_today)

    def connect_to(self, bridge: EngineBridge) -> None:
        """Listen to the engine; after the session, whose view is asked."""
        bridge.events_arrived.connect(self._on_events)

    def sample(self) -> MachineSample:
        """The machine now; on any thread."""
        return self._probe.sample(self._engine.pid)

    def show_worth(self, worth: Worth) -> None:
        """What is known of speculation with this pair."""
        self._panel.worth.show_worth(worth)

    def close(self) -> None:
        """Ask nothing more."""
        self._closed = True
        self.watch.set_active(False)
        self._probe.close()

    @Slot(float)
    def on_compared(self, factor: float) -> None:
        """The loaded pair answered one question both ways."""
        worth = Worth(factor, time.time())
        self.show_worth(worth)
        if self._loaded is not None:
            self._worths.keep(self._loaded, worth)

    @Slot(list)
    def _on_events(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, ModelsLoaded):
                self.show_worth(self._worths.of(event))
            elif isinstance(event, GenerationFinished) and event.note is not None:
                self.show_worth(Worth(loss_code=event.note, loss_detail=event.note_detail))
        loaded = self._chat.session.view().loaded
        if loaded is not self._loaded or (loaded is not None) != self.watch.active:
            self._loaded = loaded
            self._panel.show_memory(loaded, None)
            self.on_visibility()

    @Slot()
    def on_visibility(self) -> None:
        """Somebody can see the numbers now, or nobody can."""
        seen = self._window.isVisible() and not self._window.isMinimized()
        self.watch.set_active(seen and self._loaded is not None and not self._closed)

    @Slot(object)
    def _on_sample(self, sample: MachineSample) -> None:
        self._panel.show_memory(self._loaded, sample)
