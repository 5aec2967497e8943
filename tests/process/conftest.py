"""Fixtures of the process tests: a client whose events can be waited for, a check of leftovers."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from app.engine.client import EngineClient
from app.engine.protocol import (
    Event,
    Generate,
    LoadModels,
    ModelsLoaded,
    WorkerExited,
    WorkerStarted,
)
from tests.process import scripted

E = TypeVar("E")
PATIENCE_SECONDS = 30.0  # how long a broken test waits; a passing one never does


class Harness:
    """An EngineClient and everything it said."""

    def __init__(self, log_dir: Path, factory: str, skip: frozenset[str]) -> None:
        self.log_dir = log_dir
        self.events: list[Event] = []
        self.threads: set[str] = set()
        self.remembered: list[frozenset[str]] = []
        self._arrived = threading.Condition()
        self.client = EngineClient(
            self._on_event,
            log_dir=log_dir,
            factory=factory,
            skip_cpu_modules=skip,
            remember_skip=self.remembered.append,
        )

    def _on_event(self, event: Event) -> None:
        with self._arrived:
            self.events.append(event)
            self.threads.add(threading.current_thread().name)
            self._arrived.notify_all()

    def wait(
        self, kind: type[E], matching: Callable[[E], bool] = lambda _: True, number: int = 1
    ) -> E:
        """The number-th event of a kind, waiting for it."""

        def found() -> list[E]:
            return [e for e in list(self.events) if isinstance(e, kind) and matching(e)]

        with self._arrived:
            there = self._arrived.wait_for(lambda: len(found()) >= number, PATIENCE_SECONDS)
        assert there, f"no {kind.__name__} number {number} in {self.events[-20:]}"
        return found()[number - 1]

    def of(self, *kinds: type) -> list[Event]:
        return [event for event in list(self.events) if isinstance(event, kinds)]

    def load(self, n_parallel: int = 1, **directives: object) -> ModelsLoaded:
        """Load a scripted model and wait for it."""
        before = len(self.of(ModelsLoaded))
        self.client.send(LoadModels(scripted.model(**directives), n_parallel=n_parallel))
        return self.wait(ModelsLoaded, number=before + 1)

    def generate(self, request_id: str, **directives: object) -> None:
        self.client.send(Generate(request_id, prompt=scripted.script(**directives)))

    def wait_for_log(self, line: str) -> None:
        """Wait until a worker wrote this line."""
        assert until(lambda: any(line in p.read_text() for p in self.log_dir.glob("*.log")))

    def started(self) -> WorkerStarted:
        self.client.start()
        return self.wait(WorkerStarted)

    def exited(self, number: int = 1) -> WorkerExited:
        return self.wait(WorkerExited, number=number)


def until(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true in good time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


@pytest.fixture
def make_harness(tmp_path: Path) -> Iterator[Callable[..., Harness]]:
    """Makes clients and stops them; nothing of them may be left."""
    made: list[Harness] = []

    def make(factory: str = "create", skip: frozenset[str] = frozenset()) -> Harness:
        harness = Harness(tmp_path / "logs", f"tests.process.scripted:{factory}", skip)
        made.append(harness)
        return harness

    yield make
    for harness in made:
        harness.client.stop()
    assert multiprocessing.active_children() == []
    names = [t.name for t in threading.enumerate() if t.name.startswith("engine-")]
    assert names == []


@pytest.fixture
def harness(make_harness: Callable[..., Harness]) -> Harness:
    """A started client."""
    harness = make_harness()
    harness.started()
    return harness
