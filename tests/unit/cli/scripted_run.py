"""An engine for commands: it answers each command with events written down beforehand."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.cli.engine_run import EngineRun
from app.engine.protocol import (
    Command,
    DeviceInfo,
    Event,
    KvType,
    LoadedModel,
    ModelMemory,
    ModelsLoaded,
    WorkerStarted,
)

GIB = 2**30
STARTED = WorkerStarted(
    1, 42, {"llama-cpp-python": "0"}, (DeviceInfo("CPU", "made up", "cpu", GIB, 2 * GIB),), "fast"
)
TARGET = LoadedModel(Path("/t.gguf"), "t", "llama", 1, 1, 1, 0, ModelMemory({}))
LOADED = ModelsLoaded(TARGET, None, 512, 512, 1, 1, KvType.F16, 0.1)


@dataclass
class ScriptedClient:
    """Takes commands; each releases the next events.

    Attributes:
        sent: the commands, in order.
    """

    script: list[Sequence[Event]]
    events: queue.SimpleQueue[Event] = field(default_factory=queue.SimpleQueue)
    sent: list[Command] = field(default_factory=list)

    def send(self, command: Command) -> None:
        self.sent.append(command)
        for event in self.script.pop(0) if self.script else ():
            self.events.put(event)


def scripted(*script: Sequence[Event]) -> tuple[ScriptedClient, EngineRun]:
    """An engine that has started."""
    client = ScriptedClient(list(script))
    client.events.put(STARTED)
    return client, EngineRun(client, client.events)


@contextmanager
def given(run: EngineRun) -> Iterator[EngineRun]:
    """In the place of `app.cli.engine_run.engine`."""
    yield run
