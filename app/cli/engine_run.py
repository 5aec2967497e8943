"""One command's dealings with the engine process:

check the files, start it, load, wait for events, stop it.
"""

from __future__ import annotations

import argparse
import platform
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from app import settings
from app.engine.client import EngineClient
from app.engine.protocol import (
    Command,
    Event,
    LoadFailed,
    LoadModels,
    ModelsLoaded,
    RequestFailed,
    WorkerExited,
    WorkerStarted,
)
from app.errors import AppError, LoadError, RequestError
from app.hub.gguf import read_model_file
from app.hub.pairing import judge
from app.paths import ensure, folders


@dataclass(slots=True)
class EngineRun:
    """A running engine and the events it sent.

    Attributes:
        started: the worker's first message, once it came.
    """

    client: EngineClient
    events: queue.SimpleQueue[Event]
    started: WorkerStarted | None = None
    devices: list[str] = field(default_factory=list)

    def send(self, command: Command) -> None:
        """Pass a command on."""
        self.client.send(command)

    def next(self) -> Event:
        """The next event.

        Raises:
            AppError: the engine died, could not load, or refused the request.
        """
        event = self.events.get()
        if isinstance(event, WorkerStarted):
            self.started = event
        if isinstance(event, LoadFailed):
            raise LoadError(event.code, **event.detail)
        if isinstance(event, RequestFailed):
            raise RequestError(event.code, **event.detail)
        if isinstance(event, WorkerExited) and not event.retrying:
            raise AppError(
                "engine_crashed",
                how=event.signal_name or str(event.exit_code),
                doing=event.while_doing,
            )
        return event

    def load(self, command: LoadModels) -> ModelsLoaded:
        """Load and wait."""
        self.send(command)
        while True:
            event = self.next()
            if isinstance(event, ModelsLoaded):
                return event


@contextmanager
def engine() -> Iterator[EngineRun]:
    """A started engine process, ended when the block is left."""
    computer = platform.node()
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    client = EngineClient(
        events.put,
        log_dir=ensure(folders().logs),
        skip_cpu_modules=frozenset(settings.load().cpu_modules_to_skip(computer)),
        remember_skip=lambda skipped: _remember(skipped, computer),
    )
    client.start()
    try:
        yield EngineRun(client, events)
    finally:
        client.stop()


def _remember(skipped: frozenset[str], computer: str) -> None:
    """Keep which CPU modules fault on this computer, so that the next start avoids them."""
    known = replace(settings.load(), skipped_cpu_modules=tuple(sorted(skipped)), skipped_on=computer)
    settings.save(known)


def load_command(arguments: argparse.Namespace) -> LoadModels:
    """What to load, both files checked before anything starts.

    Raises:
        ModelFileError: a file is missing, damaged or no GGUF.
        PairingError: the draft may not serve this target.
    """
    target = read_model_file(arguments.target)
    if arguments.draft is not None:
        judge(target, read_model_file(arguments.draft)).require()
    return LoadModels(
        target=arguments.target.absolute(),
        draft=arguments.draft.absolute() if arguments.draft else None,
        n_ctx=arguments.ctx,
        min_ctx=min(arguments.ctx, 2048),
        threads=arguments.threads,
        gpu_layers=arguments.gpu_layers,
        kv_type=arguments.kv_type,
    )
