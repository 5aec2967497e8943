"""The joules of one device between two moments, from its readings. Pure arithmetic.

Two sums run side by side: what the counter says, and power integrated by the trapezoid rule. The
counter is better; power fills in where the counter was reset, stuck or is not to be believed.
Imports the sample.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.monitor.sample import Method, Missing, Reading, Scope

MAX_GAP_SECONDS = 2.0  # power is not known between readings further apart than this
MAX_WATTS = 20_000.0  # per device; a counter that grew faster was reset or misread
HEAD_SHARE = 0.05  # of the task may pass before the first reading; filled with the mean power
PROMPT_SECONDS = 0.02  # a reading this soon after the end still shows the task's power
STUCK_SECONDS = 1.0  # a counter that has not moved for so long does not work
DOUBT_RATIO = 2.0  # a doubtful counter is believed within this factor of the integrated power


@dataclass(frozen=True, slots=True)
class Part:
    """One device's share of a task.

    Attributes:
        joules: idle draw included.
        seconds: what was really read.
        was_reset: the counter began anew; that interval comes from power.
    """

    device: str
    scope: Scope
    joules: float
    method: Method
    seconds: float
    was_reset: bool = False


@dataclass(slots=True)
class _Sum:
    joules: float = 0.0
    whole: bool = True


class Account:
    """Fed with every reading of one device from the begin of a task on.

    Attributes:
        last_at: when it was last read.
    """

    def __init__(self, begun_at: float, at: float, reading: Reading) -> None:
        self._begun_at = begun_at
        self._first_at = at
        self.last_at = at
        self._last = reading
        self._counter = _Sum(whole=reading.joules is not None)
        self._power = _Sum(whole=reading.watts is not None)
        self._resets = 0
        self._tail_joules = 0.0
        self._end_at: float | None = None

    @property
    def lag_seconds(self) -> float:
        """How long to read on after the end, so that a late counter has caught up.

        Only if power is known as well: what the wait adds is then taken off again.
        """
        has_both = self._last.watts is not None and self._last.joules is not None
        return self._last.lag_seconds if has_both else 0.0

    def add(self, at: float, reading: Reading, end_at: float | None) -> None:
        """One more reading; `end_at` once the task has ended."""
        if at <= self.last_at:  # the clock stood or jumped back: the next reading covers this one
            return
        end = at if end_at is None else min(max(end_at, self.last_at), at)
        self._add_power(end, at, reading)
        self._add_counter(end, at, reading)
        self._last, self.last_at = reading, at
        if end_at is not None and self._end_at is None and at >= end_at:
            self._end_at = end_at

    @property
    def scope(self) -> Scope:
        """The part of the machine the device is."""
        return self._last.scope

    def close(self, ended_at: float) -> Part | Missing:
        """The task's joules, or why they are not known."""
        if self._end_at is None:
            return Missing("energy_not_to_the_end")
        covered = self._end_at - self._first_at
        best = self._best(covered)
        if isinstance(best, Missing):
            return best
        method, joules = best
        head = max(0.0, self._first_at - self._begun_at)
        if head > HEAD_SHARE * (ended_at - self._begun_at):
            return Missing("energy_started_late")
        joules += joules / covered * head
        return Part(self._last.device, self._last.scope, joules, method, covered, self._resets > 0)

    def _best(self, covered: float) -> tuple[Method, float] | Missing:
        power = self._power.joules if self._power.whole and self._power.joules > 0 else None
        counted = self._counter.joules - self._tail_joules
        late = covered < self._last.lag_seconds and power is not None
        if self._counter.whole and counted > 0 and covered > 0 and not late:
            if not self._last.doubtful:
                return Method.COUNTER, counted
            if power is not None and 1 / DOUBT_RATIO <= counted / power <= DOUBT_RATIO:
                return Method.COUNTER, counted
        if power is not None and covered > 0:
            return Method.POWER, power
        if not self._counter.whole or self._last.doubtful:
            return Missing("energy_gap")
        return Missing("energy_counter_stuck" if covered >= STUCK_SECONDS else "energy_too_short")

    def _add_power(self, end: float, at: float, reading: Reading) -> None:
        before, now = self._last.watts, reading.watts
        if before is None or now is None or at - self.last_at > MAX_GAP_SECONDS:
            if end > self.last_at:
                self._power.whole = False
            return
        # What is drawn after the end is not the task's; it falls as soon as the task has ended.
        at_end = now if at - end <= PROMPT_SECONDS else before
        self._power.joules += (before + at_end) / 2 * (end - self.last_at)
        self._tail_joules += now * (at - end)

    def _add_counter(self, end: float, at: float, reading: Reading) -> None:
        if not self._counter.whole:
            return
        seconds, own_seconds = at - self.last_at, end - self.last_at
        before, now = self._last.joules, reading.joules
        grown = None if before is None or now is None else now - before
        if grown is not None and grown < 0 and reading.wraps_at_joules is not None:
            grown += reading.wraps_at_joules
        # A counter that is renewed every so often grows by all of that at once.
        most = MAX_WATTS * (seconds + reading.lag_seconds + PROMPT_SECONDS)
        if grown is None or not 0 <= grown <= most:
            self._bridge_reset(seconds, reading)
        elif reading.watts is None:  # the part after the end cannot be told by power
            self._counter.joules += grown * own_seconds / seconds
        else:
            self._counter.joules += grown

    def _bridge_reset(self, seconds: float, reading: Reading) -> None:
        """The counter says nothing of this interval; power may."""
        before, now = self._last.watts, reading.watts
        if before is None or now is None or seconds > MAX_GAP_SECONDS:
            self._counter.whole = False
            return
        self._resets += 1
        self._counter.joules += (before + now) / 2 * seconds
