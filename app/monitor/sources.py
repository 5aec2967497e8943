"""Sources: what a device's energy and graphics numbers are read from, and their failures.

Each kind of device has a file of its own (nvidia, amd, apple, rapl) with one class of the shape
`Source`. A source is found once. Failing twice in a row makes it "not available" with the reason;
it is then left alone. All of this runs on the sampler's thread. Imports errors and the sample.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from app.errors import AppError
from app.monitor.sample import GpuSample, Missing, Rated, Reading

log = logging.getLogger(__name__)

FAILURES_ALLOWED = 2  # in a row; the second one ends it
RETRY_SECONDS = 0.5  # two readings in the same hiccup are one failure

_T = TypeVar("_T")


class ProbeError(AppError):
    """A device could not be read this time."""


class AbsentError(ProbeError):
    """There is nothing to read, now or later: no such device, no driver, no permission."""


class AsleepError(ProbeError):
    """The device is switched off to save power; asking it would wake it. Not a failure."""


class Source(Protocol):
    """One kind of device. Every method may raise ProbeError or a child of it."""

    name: str

    def open(self) -> None:
        """Get ready to read; cheap to call again after `close`."""

    def read(self) -> tuple[Reading, ...]:
        """Energy and power now, one reading per device; must take a few milliseconds at most."""

    def gpus(self) -> tuple[GpuSample, ...]:
        """The graphics devices now; asked once a second."""

    def rated(self) -> tuple[Rated, ...]:
        """What the devices may draw at most, where `read` gives no power; needs no `open`."""

    def close(self) -> None:
        """Hold nothing open: a held handle keeps a laptop's graphics device awake."""


class Guarded:
    """One source with the memory of its failures; never raises.

    Attributes:
        missing: why it cannot be read now; None while it can.
        gone: it will not be asked again.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._open = False
        self._failures = 0
        self._retry_at: float | None = None
        self.missing: Missing | None = None
        self.gone = False
        self._asleep = False

    @property
    def wavering(self) -> bool:
        """It failed once and gets its second chance soon."""
        return self._failures > 0 and not self.gone

    def wake(self) -> None:
        """A task begins: a device that was asleep may be awake now."""
        self._asleep = False

    def prepare(self, now: float) -> None:
        """Open it if it is due; this may be slow."""
        due = self._retry_at is None or now >= self._retry_at
        if due and not (self._open or self.gone or self._asleep):
            self._guard(now, self._open_up, None)

    def read(self, now: float) -> tuple[Reading, ...]:
        """Energy and power now; nothing if they cannot be had."""
        return self._guard(now, self._read, ()) if self._open else ()

    def gpus(self, now: float) -> tuple[GpuSample, ...]:
        """The graphics devices now; nothing if they cannot be had."""
        return self._guard(now, self._source.gpus, ()) if self._open else ()

    def rated(self) -> tuple[Rated, ...]:
        """What its devices may draw at most."""
        try:
            return self._source.rated()
        except ProbeError as error:
            log.info("%s: no rated power: %s", self._source.name, error)
            return ()

    def close(self) -> None:
        """Hold nothing open."""
        if not self._open:
            return
        self._open = False
        try:
            self._source.close()
        except ProbeError as error:
            log.warning("%s: closing failed: %s", self._source.name, error)

    def _open_up(self) -> None:
        self._source.open()
        self._open = True

    def _read(self) -> tuple[Reading, ...]:
        readings = self._source.read()
        self._failures, self._retry_at, self.missing = 0, None, None
        return readings

    def _guard(self, now: float, ask: Callable[[], _T], nothing: _T) -> _T:
        try:
            return ask()
        except AsleepError as error:
            self._asleep = True
            self._let_go(error)
        except AbsentError as error:
            self.gone = True
            self._let_go(error)
        except ProbeError as error:
            self._failures += 1
            self._retry_at = now + RETRY_SECONDS
            self.gone = self._failures >= FAILURES_ALLOWED
            self._let_go(error)
            log.warning("%s: failure %d: %s", self._source.name, self._failures, error)
        return nothing

    def _let_go(self, error: ProbeError) -> None:
        self.missing = Missing(error.code, dict(error.detail))
        self.close()


@dataclass(frozen=True, slots=True)
class Round:
    """All sources read once.

    Attributes:
        at: clock seconds.
        readings: by device.
        wavering: a source failed once and is asked again shortly.
    """

    at: float
    readings: dict[str, Reading]
    wavering: bool = False


class SourceSet:
    """All sources of this machine, read together."""

    def __init__(self, sources: Sequence[Source], clock: Callable[[], float]) -> None:
        self._guarded = [Guarded(source) for source in sources]
        self._clock = clock

    @property
    def all_gone(self) -> bool:
        """Nothing will ever be read here."""
        return all(guarded.gone for guarded in self._guarded)

    @property
    def missing(self) -> tuple[Missing, ...]:
        """Why sources cannot be read, one reason each."""
        return tuple(g.missing for g in self._guarded if g.missing is not None)

    def wake(self) -> None:
        """A task begins."""
        for guarded in self._guarded:
            guarded.wake()

    def read(self) -> Round:
        """Read every source once; what must be opened for it is opened before the time is taken."""
        for guarded in self._guarded:
            guarded.prepare(self._clock())
        at = self._clock()
        readings: dict[str, Reading] = {}
        for guarded in self._guarded:
            readings |= {reading.device: reading for reading in guarded.read(at)}
        return Round(at, readings, any(guarded.wavering for guarded in self._guarded))

    def gpus(self) -> tuple[GpuSample, ...]:
        """All graphics devices that can be read."""
        now = self._clock()
        return tuple(gpu for guarded in self._guarded for gpu in guarded.gpus(now))

    def rated(self) -> tuple[Rated, ...]:
        """Rated power of all devices that have one."""
        return tuple(rated for guarded in self._guarded for rated in guarded.rated())

    def close(self) -> None:
        """Hold nothing open."""
        for guarded in self._guarded:
            guarded.close()
