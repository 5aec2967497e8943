"""What the window has sent to the worker and the worker has not read yet.

A reader thread fills it while the engine works, so that a cancel or a newer load is known within
one step. Imports only protocol.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass

from app.engine.protocol import Cancel, Command


@dataclass(frozen=True, slots=True)
class Arrival:
    """A command and when it was read, seconds by time.perf_counter()."""

    command: Command
    received_at: float


class Inbox:
    """Commands in the order of their arrival; filled by one thread, emptied by another."""

    def __init__(self) -> None:
        self._arrivals: deque[Arrival] = deque()
        self._filled = threading.Condition()

    def put(self, command: Command, *, first: bool = False) -> None:
        """Add a command; `first` puts it before all that wait."""
        arrival = Arrival(command, time.perf_counter())
        with self._filled:
            if first:
                self._arrivals.appendleft(arrival)
            else:
                self._arrivals.append(arrival)
            self._filled.notify()

    def pop(self, *, wait: bool) -> Arrival | None:
        """The oldest command; None when there is none and `wait` is off."""
        with self._filled:
            while wait and not self._arrivals:
                self._filled.wait()
            return self._arrivals.popleft() if self._arrivals else None

    def holds(self, *kinds: type) -> bool:
        """Whether a command of one of these kinds waits."""
        with self._filled:
            return any(isinstance(arrival.command, kinds) for arrival in self._arrivals)

    def cancels(self, request_id: str) -> bool:
        """Whether a cancel of this request waits."""
        cancel = Cancel(request_id)
        with self._filled:
            return any(arrival.command == cancel for arrival in self._arrivals)
