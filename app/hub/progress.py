"""How far a transfer is, how fast, and how it is stopped. Imports only errors."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from app.errors import AppError

SPEED_WINDOW_SECONDS = 5.0
TICK_SECONDS = 0.25


class Phase(Enum):
    """What a transfer is doing."""

    CHECKING = "checking"  # reading what is already here
    CONNECTING = "connecting"
    RECEIVING = "receiving"
    RETRYING = "retrying"  # waiting before the next attempt
    COPYING = "copying"


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot.

    Attributes:
        remaining_seconds: nothing while the speed or the size is unknown.
        reason: in RETRYING, the code of what went wrong.
    """

    phase: Phase
    done_bytes: int
    total_bytes: int | None
    bytes_per_second: float = 0.0
    remaining_seconds: float | None = None
    reason: str | None = None


class Stop(Enum):
    """Why a transfer is to end early."""

    PAUSE = "pause"  # keep what arrived
    CANCEL = "cancel"  # drop it


class Stopped(AppError):
    """The user paused or cancelled.

    Attributes:
        stop: which of the two.
    """

    def __init__(self, stop: Stop) -> None:
        super().__init__("download_paused" if stop is Stop.PAUSE else "download_cancelled")
        self.stop = stop

    def __reduce__(self) -> tuple[object, ...]:
        return Stopped, (self.stop,)


class Control:
    """Lets one thread stop the work of another."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._stop = Stop.PAUSE

    def stop(self, stop: Stop) -> None:
        """Ask the work to end. Cancel wins over pause."""
        if not self._event.is_set() or stop is Stop.CANCEL:
            self._stop = stop
        self._event.set()

    def check(self) -> None:
        """Raise `Stopped` when the work is to end."""
        if self._event.is_set():
            raise Stopped(self._stop)

    def wait(self, seconds: float) -> None:
        """Sleep, unless and until the work is to end."""
        self._event.wait(seconds)
        self.check()


class SpeedMeter:
    """Bytes per second over the last seconds; falls to 0 when nothing arrives."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._points: deque[tuple[float, int]] = deque()

    def add(self, done_bytes: int) -> None:
        """Note how much is done now."""
        now = self._clock()
        self._points.append((now, done_bytes))
        while len(self._points) > 2 and self._points[1][0] < now - SPEED_WINDOW_SECONDS:
            self._points.popleft()

    def bytes_per_second(self) -> float:
        """The speed now."""
        if len(self._points) < 2:
            return 0.0
        (start, first), (_, last) = self._points[0], self._points[-1]
        elapsed = max(self._clock() - start, 0.001)
        return max(0.0, (last - first) / elapsed)


class Reporter:
    """Turns counts into `Progress` and calls back a few times a second.

    Attributes:
        total_bytes: may become known later.
    """

    def __init__(self, callback: Callable[[Progress], None], total_bytes: int | None) -> None:
        self._callback = callback
        self._meter = SpeedMeter()
        self._phase: Phase | None = None
        self._next = 0.0
        self.total_bytes = total_bytes

    def show(self, phase: Phase, done_bytes: int, reason: str | None = None) -> None:
        """Report, at once when the phase changes, else when a tick has passed."""
        now = time.monotonic()
        if phase is self._phase and now < self._next:
            return
        if phase is not self._phase:
            self._meter = SpeedMeter()
        self._phase, self._next = phase, now + TICK_SECONDS
        self._meter.add(done_bytes)
        speed, remaining = self._meter.bytes_per_second(), None
        if speed > 0 and self.total_bytes is not None:
            remaining = max(0, self.total_bytes - done_bytes) / speed
        self._callback(Progress(phase, done_bytes, self.total_bytes, speed, remaining, reason))
