"""The sampler: one thread that reads all sources while somebody listens, and is gone otherwise.

It opens, reads and closes the sources; nobody else touches them. With no listener there is no
thread, no reading and no open handle, so a laptop's graphics device may sleep. Imports the sample
and the sources.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from app.monitor.sample import GpuSample
from app.monitor.sources import Round, SourceSet

log = logging.getLogger(__name__)

PERIOD_SECONDS = 0.05  # of power; counters are read half as often
GPUS_EVERY_SECONDS = 1.0
STOP_SECONDS = 2.0


class Listener(Protocol):
    """Wants to hear every round, until it has heard enough."""

    def take(self, round_: Round) -> bool:
        """One round, on the sampler's thread; True when it wants no more."""

    def give_up(self) -> None:
        """No more rounds will come."""


class Sampler:
    """Reads sources for listeners.

    Attributes:
        gpus: the graphics devices as last read; empty while asleep.
        watts: drawn by all devices that tell it, as last read; None while asleep or untold.
    """

    def __init__(
        self,
        sources: SourceSet,
        clock: Callable[[], float],
        period_seconds: float = PERIOD_SECONDS,
    ) -> None:
        self._sources = sources
        self._clock = clock
        self._period = period_seconds
        self._changed = threading.Condition()
        self._listeners: list[Listener] = []
        self._urgent = False
        self._keep_open = False
        self._thread: threading.Thread | None = None
        self._gpus_at: float | None = None
        self.gpus: tuple[GpuSample, ...] = ()
        self.watts: float | None = None

    @property
    def awake(self) -> bool:
        """The thread runs."""
        return self._thread is not None

    def add(self, listener: Listener) -> None:
        """Read for a listener from now on; returns at once."""
        with self._changed:
            self._sources.wake()
            self._listeners.append(listener)
            self._rouse()

    def hurry(self) -> None:
        """Read now rather than at the next turn."""
        with self._changed:
            self._urgent = True
            self._changed.notify()

    def remove(self, listener: Listener) -> None:
        """Read no more for a listener."""
        with self._changed:
            if listener in self._listeners:
                self._listeners.remove(listener)
            self._changed.notify()

    def keep_open(self, keep: bool) -> None:
        """Whether the sources stay open between listeners.

        Only for while a model lies on a graphics device, whose context keeps the device awake
        anyway: the next answer is then measured from its first moment.
        """
        with self._changed:
            was_kept, self._keep_open = self._keep_open, keep
            if was_kept and not keep:
                self._rouse()  # a thread that finds nobody closes and ends

    def close(self) -> None:
        """End, with nothing held open."""
        with self._changed:
            listeners = list(self._listeners)
            self._listeners.clear()
            may_be_open = self._keep_open or self._thread is not None
            self._keep_open = False
            if may_be_open:
                self._rouse()
            thread = self._thread
        for listener in listeners:
            listener.give_up()
        if thread is not None:
            thread.join(STOP_SECONDS)

    def _rouse(self) -> None:
        self._urgent = True
        self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            self._read_on()
        except Exception:  # the top of a thread: a driver's library may fail in any way
            log.exception("reading the energy meters failed")
            with self._changed:
                listeners = list(self._listeners)
                self._listeners.clear()
                self._fall_asleep()
            for listener in listeners:
                listener.give_up()

    def _read_on(self) -> None:
        while self._has_listeners():
            started = self._clock()
            round_ = self._sources.read()
            self._publish(round_)
            self._tell(round_)
            # A source slower than the period may take half of the time, never all of it.
            self._pause(started + max(self._period_for(round_), 2 * (self._clock() - started)))

    def _has_listeners(self) -> bool:
        """Whether to go on; if not, everything is closed and the thread is as good as gone."""
        while True:
            with self._changed:
                if self._listeners:
                    return True
                if self._keep_open:
                    self._fall_asleep()
                    return False
            self._sources.close()  # may be slow, so nobody waits for the lock meanwhile
            with self._changed:
                if not self._listeners:
                    self._fall_asleep()
                    return False

    def _fall_asleep(self) -> None:
        self.gpus, self.watts, self._gpus_at = (), None, None
        self._thread = None

    def _period_for(self, round_: Round) -> float:
        """Power must be read often; a counter misses nothing in between."""
        all_count = all(reading.joules is not None for reading in round_.readings.values())
        return self._period * 2 if all_count else self._period

    def _publish(self, round_: Round) -> None:
        told = [r.watts for r in round_.readings.values() if r.watts is not None]
        self.watts = sum(told) if told else None
        if self._gpus_at is None or round_.at - self._gpus_at >= GPUS_EVERY_SECONDS:
            self._gpus_at = round_.at
            self.gpus = self._sources.gpus()

    def _tell(self, round_: Round) -> None:
        with self._changed:
            listeners = list(self._listeners)
        for listener in listeners:
            if listener.take(round_):
                self.remove(listener)

    def _pause(self, until: float) -> None:
        with self._changed:
            if not self._urgent and self._listeners:
                self._changed.wait(max(0.0, until - self._clock()))
            self._urgent = False
