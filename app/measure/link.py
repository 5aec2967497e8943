"""What measuring asks of an engine, and the engine's client in that shape.

Tests put a scripted engine with known timings in its place. Imports only the engine's protocol.
"""

from __future__ import annotations

import queue
from typing import Protocol

from app.engine.protocol import Command, Event


class EngineLink(Protocol):
    """An engine with a pair in memory, used by nobody else meanwhile."""

    @property
    def pid(self) -> int | None:
        """The engine's process, None when there is none."""

    def send(self, command: Command) -> None:
        """Pass a command on; never blocks."""

    def next_event(self, timeout_seconds: float) -> Event | None:
        """The next event; None when none came in time."""

    def restart(self) -> None:
        """End the engine and start another that loads the same pair; ModelsLoaded follows."""


class Client(Protocol):
    """The part of EngineClient that is used."""

    @property
    def pid(self) -> int | None: ...
    def send(self, command: Command) -> None: ...
    def restart(self) -> None: ...


class ClientLink:
    """An EngineClient as a link; whoever gets its events passes them to `put`, from any thread."""

    def __init__(self, client: Client, events: queue.SimpleQueue[Event] | None = None) -> None:
        self._client = client
        self._events = queue.SimpleQueue() if events is None else events

    @property
    def pid(self) -> int | None:
        """The engine's process."""
        return self._client.pid

    def put(self, event: Event) -> None:
        """An event came from the engine."""
        self._events.put(event)

    def send(self, command: Command) -> None:
        """Pass a command on."""
        self._client.send(command)

    def next_event(self, timeout_seconds: float) -> Event | None:
        """The next event; None when none came in time."""
        try:
            return self._events.get(timeout=timeout_seconds)
        except queue.Empty:
            return None

    def restart(self) -> None:
        """End the engine's process and start another that loads the same pair."""
        self._client.restart()
