"""EnergyMeter: the joules of one task, with their scope and the method they came from.

Best first: figures the user read at the plug, when set; a device's own counter; power integrated;
an estimate from rated power, called so. What cannot be had is None with the reasons, never 0.
Imports errors and this room.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass

from app.errors import AppError
from app.monitor.recorder import Overlaps, Recorder, Result
from app.monitor.sample import GpuSample, Missing
from app.monitor.sampler import PERIOD_SECONDS, Sampler
from app.monitor.sources import Source, SourceSet
from app.monitor.task_energy import (
    TaskEnergy,
    at_the_wall,
    estimated,
    measured,
    without_meter,
)
from app.monitor.wall import WallFigures

IDLE_SECONDS = 1.0
FINISH_SECONDS = 3.0
_IDLE_TASK = "idle"
_READY_TASK = "ready"


@dataclass(frozen=True, slots=True)
class _Task:
    begun_at: float
    recorder: Recorder | None  # None: nothing is read for it


class SteadyClock:
    """A clock that stands where another one jumps back, so that no time is negative."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._latest = clock()

    def __call__(self) -> float:
        """Seconds; never less than before."""
        self._latest = max(self._latest, self._clock())
        return self._latest


class EnergyMeter:
    """Measures tasks between `begin` and `end`; asleep in between. Meant for one thread.

    `begin`, `end`, `drop` and `keep_open` return at once. Several tasks at a time share what the
    devices take, evenly, moment by moment.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        clock: Callable[[], float] = time.perf_counter,  # monotonic() ticks at 16 ms on Windows
        period_seconds: float = PERIOD_SECONDS,
    ) -> None:
        self._clock = SteadyClock(clock)
        self._sources = SourceSet(sources, self._clock)
        self._sampler = Sampler(self._sources, self._clock, period_seconds)
        self._tasks: dict[str, _Task] = {}
        self._overlaps = Overlaps()
        self._idle_watts: dict[str, float] = {}
        self._wall: WallFigures | None = None
        self._wall_problem: tuple[Missing, ...] = ()
        self._subtract_idle = False

    @property
    def gpus(self) -> tuple[GpuSample, ...]:
        """The graphics devices as last read; empty while no task runs."""
        return self._sampler.gpus

    @property
    def watts(self) -> float | None:
        """Drawn now by all devices that tell it; None while no task runs, or untold."""
        return self._sampler.watts

    @property
    def awake(self) -> bool:
        """Something is being read."""
        return self._sampler.awake

    def is_running(self, task: str) -> bool:
        """It was begun and neither ended nor dropped."""
        return task in self._tasks

    def configure(self, wall: WallFigures | None, *, subtract_idle: bool) -> None:
        """Take the user's choices; figures that cannot be right are not used, and it is said."""
        self._wall, self._wall_problem = wall, ()
        self._subtract_idle = subtract_idle
        try:
            if wall is not None:
                wall.check()
        except AppError as error:
            self._wall = None
            self._wall_problem = (Missing(error.code, dict(error.detail)),)

    def keep_open(self, keep: bool) -> None:
        """Hold the meters open between tasks, so that the next is read from its first moment.

        For while a model lies on a graphics device: its context keeps the device awake anyway.
        """
        self._sampler.keep_open(keep)

    def begin(self, task: str) -> None:
        """A task begins now; one of the same name that was never ended is dropped."""
        self.drop(task)
        now = self._clock()
        self._overlaps.begin(task, now)
        recorder = None
        if self._wall is None and not self._sources.all_gone:
            recorder = Recorder(now)
            self._sampler.add(recorder)
        self._tasks[task] = _Task(now, recorder)

    def end(self, task: str) -> Future[TaskEnergy]:
        """A task ends now; its energy comes within a moment, on whichever thread.

        Raises:
            KeyError: it was not begun.
        """
        begun, now = self._tasks.pop(task), self._clock()
        share = self._overlaps.end(task, now)
        seconds = now - begun.begun_at
        result: Future[TaskEnergy] = Future()
        if begun.recorder is None:
            result.set_result(self._unread(seconds).shared(share))
            return result

        def on_closed(parts: tuple[Result, ...]) -> None:
            result.set_result(self._read(seconds, parts).shared(share))

        begun.recorder.end(now, on_closed)
        self._sampler.hurry()
        return result

    def finish(self, task: str, timeout_seconds: float = FINISH_SECONDS) -> TaskEnergy:
        """`end`, waiting for the result: not for a window's thread."""
        seconds = self._clock() - self._tasks[task].begun_at
        try:
            return self.end(task).result(timeout_seconds)
        except FutureTimeoutError:
            return TaskEnergy(seconds, missing=(Missing("energy_no_answer"),))

    def drop(self, task: str) -> None:
        """A task came to nothing; unknown ones are ignored."""
        begun = self._tasks.pop(task, None)
        if begun is None:
            return
        self._overlaps.end(task, self._clock())
        if begun.recorder is not None:
            self._sampler.remove(begun.recorder)

    def get_ready(self) -> None:
        """Open the meters and wait until they were read once: not for a window's thread."""
        self.keep_open(True)
        self.begin(_READY_TASK)
        self.finish(_READY_TASK)

    def measure_idle(self, seconds: float = IDLE_SECONDS) -> None:
        """Learn what the devices draw while nothing is asked of them; blocks for that long."""
        if self._wall is not None or self._sources.all_gone:
            return
        self.begin(_IDLE_TASK)
        time.sleep(seconds)
        self.learn_idle(self.finish(_IDLE_TASK))

    def learn_idle(self, energy: TaskEnergy) -> None:
        """Take a task in which nothing happened as what the devices draw anyway."""
        for part in energy.parts:
            self._idle_watts[part.device] = part.joules / energy.seconds

    def close(self) -> None:
        """End, with nothing held open."""
        self._tasks.clear()
        self._sampler.close()

    def _read(self, seconds: float, parts: tuple[Result, ...]) -> TaskEnergy:
        energy = measured(seconds, parts, self._sources.missing)
        if not parts:
            energy = without_meter(energy)
        if energy.joules is None:
            return self._estimated(energy)
        if self._subtract_idle:
            energy = energy.less_idle(self._idle_watts)
        return energy.noted(*self._wall_problem)

    def _unread(self, seconds: float) -> TaskEnergy:
        if self._wall is not None:
            return at_the_wall(self._wall, seconds, subtract_idle=self._subtract_idle)
        energy = measured(seconds, (), self._sources.missing)
        return self._estimated(without_meter(energy))

    def _estimated(self, energy: TaskEnergy) -> TaskEnergy:
        return estimated(energy, self._sources.rated()).noted(*self._wall_problem)
