"""What the worker asks of an engine.

Tests put a scripted one in its place. Imports only protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from app.engine.protocol import (
    DeviceInfo,
    Event,
    Generate,
    LoadModels,
    LogitsAt,
    LogitsRead,
    Measure,
    Measured,
    ModelsLoaded,
)


class EngineLike(Protocol):
    """What the worker asks of an engine. All calls come from one thread; failures are AppError.

    Attributes:
        active: requests started and not yet finished, failed or cancelled.
    """

    @property
    def active(self) -> int: ...

    def describe(self) -> tuple[dict[str, str], tuple[DeviceInfo, ...], str | None]:
        """Versions, devices, and the CPU module in use."""

    def load(self, command: LoadModels, progress: Callable[[str, float], bool]) -> ModelsLoaded:
        """Load, unloading what was loaded before.

        `progress` returning False aborts: AppError("load_cancelled").
        """

    def unload(self) -> None:
        """Free the models."""

    def start(self, command: Generate, received_at: float) -> None:
        """Begin an answer; `received_at` by time.perf_counter()."""

    def cancel(self, request_id: str) -> None:
        """Let the next step() finish this answer as CANCELLED; an unknown id is no error."""

    def clear_cache(self) -> None:
        """Forget kept prompts."""

    def step(self) -> list[Event]:
        """One unit of work over all active requests.

        An AppError with detail["request_id"] concerns that request alone, any other all of them.
        """

    def measure(self, command: Measure, keep_going: Callable[[], bool]) -> Measured:
        """Time the models (roofline), giving up when `keep_going` says so."""

    def logits_at(self, command: LogitsAt) -> LogitsRead:
        """What the target holds of some tokens at one place of an answer; none is in progress."""

    def close(self) -> None:
        """Free everything; the process ends next."""


EngineFactory = Callable[[frozenset[str]], EngineLike]
