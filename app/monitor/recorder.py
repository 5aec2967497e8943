"""One task as the sampler's rounds come in, and how tasks at the same time share.

Imports the account and the sources.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from app.monitor.account import Account, Part
from app.monitor.sample import Missing, Scope
from app.monitor.sources import Round

PATIENCE_SECONDS = 1.0  # for a source that failed once just at the end

Result = tuple[Scope, Part | Missing]
OnClosed = Callable[[tuple[Result, ...]], None]


class Recorder:
    """Keeps an account per device from the begin of a task to its end.

    `end` comes from any thread, the rounds from the sampler's.
    """

    def __init__(self, begun_at: float) -> None:
        self._begun_at = begun_at
        self._lock = threading.Lock()
        self._accounts: dict[str, Account] = {}
        self._end_at: float | None = None
        self._on_closed: OnClosed | None = None
        self._over = False

    def end(self, at: float, on_closed: OnClosed) -> None:
        """The task has ended; `on_closed` is called once with a result per device."""
        with self._lock:
            self._end_at, self._on_closed = at, on_closed
            over = self._over
        if over:
            on_closed(self._results(at))

    def take(self, round_: Round) -> bool:
        """One round; True when the task needs no more."""
        with self._lock:
            end_at, on_closed = self._end_at, self._on_closed
            if round_.at < self._begun_at:  # was under way when the task began
                return False
            self._add(round_, end_at)
            self._over = self._is_over(round_, end_at)
            over = self._over
        if over and end_at is not None and on_closed is not None:
            on_closed(self._results(end_at))
        return over

    def give_up(self) -> None:
        """No more rounds will come."""
        with self._lock:
            was_over, self._over = self._over, True
            end_at, on_closed = self._end_at, self._on_closed
        if not was_over and end_at is not None and on_closed is not None:
            on_closed(self._results(end_at))

    def _add(self, round_: Round, end_at: float | None) -> None:
        for device, reading in round_.readings.items():
            account = self._accounts.get(device)
            if account is not None:
                account.add(round_.at, reading, end_at)
            elif end_at is None:
                self._accounts[device] = Account(self._begun_at, round_.at, reading)

    def _is_over(self, round_: Round, end_at: float | None) -> bool:
        if end_at is None:
            return not self._accounts and not round_.wavering  # nothing to read here, nor soon
        lag = max((account.lag_seconds for account in self._accounts.values()), default=0.0)
        if all(account.last_at >= end_at + lag for account in self._accounts.values()):
            return True
        return round_.at >= end_at + lag + (PATIENCE_SECONDS if round_.wavering else 0.0)

    def _results(self, ended_at: float) -> tuple[Result, ...]:
        return tuple(
            (account.scope, account.close(ended_at)) for account in self._accounts.values()
        )


class Overlaps:
    """How much of each task's time was its own: n tasks at once have an n-th each."""

    def __init__(self) -> None:
        self._begun: dict[str, float] = {}
        self._own_seconds: dict[str, float] = {}
        self._at = 0.0

    def begin(self, task: str, at: float) -> None:
        """A task begins."""
        self._advance(at)
        self._begun[task] = at
        self._own_seconds[task] = 0.0

    def end(self, task: str, at: float) -> float:
        """A task ends; the share of what was drawn meanwhile that is its own, 1.0 if alone."""
        self._advance(at)
        seconds, own = at - self._begun.pop(task), self._own_seconds.pop(task)
        return own / seconds if seconds > 0 else 1.0

    def _advance(self, at: float) -> None:
        for task in self._own_seconds:
            self._own_seconds[task] += (at - self._at) / len(self._own_seconds)
        self._at = at
