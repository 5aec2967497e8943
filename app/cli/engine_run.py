"""One command's dealings with the engine process: check the files, start it, load, wait for events,
stop it.
"""

from __future__ import annotations

import argparse
import platform
import queue
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from app import settings
from app.engine.client import EngineClient
from app.engine.protocol import (
    Command,
    DeviceInfo,
    Event,
    Generate,
    LoadFailed,
    LoadModels,
    Measure,
    ModelsLoaded,
    RequestFailed,
    TokensGenerated,
    WorkerExited,
    WorkerStarted,
)
from app.errors import AppError, LoadError, ModelFileError, RequestError, StorageError
from app.hub.gguf import Role, read_model_file
from app.hub.pairing import judge
from app.measure import profiles
from app.messages import describe, sentence
from app.monitor.probes import first_probe
from app.paths import ensure, folders
from app.session import LoadOptions
from app.session.fitting import MachineMemory, fit_pair, machine_memory


class Sender(Protocol):
    """What a command needs of the engine's client."""

    @property
    def pid(self) -> int | None:
        """The engine's process, None when there is none."""

    def send(self, command: Command) -> None:
        """Pass a command on; never blocks."""

    def restart(self) -> None:
        """End the engine's process and start another that loads the same models."""


@dataclass(slots=True)
class EngineRun:
    """A running engine and the events it sent.

    Attributes:
        started: the newest worker's first message, once it came.
    """

    client: Sender
    events: queue.SimpleQueue[Event]
    started: WorkerStarted | None = None
    _repeatable: Command | None = None

    def send(self, command: Command) -> None:
        """Pass a command on."""
        if isinstance(command, Generate | Measure):
            self._repeatable = command
        self.client.send(command)

    def next(self) -> Event:
        """The next event.

        A request that an illegal instruction ended before its first token is sent once more when
        the engine comes back with a simpler CPU module.

        Raises:
            AppError: the engine died, could not load, or refused the request.
        """
        while True:
            event = self.events.get()
            match event:
                case WorkerStarted():
                    self.started = event
                case TokensGenerated():
                    self._repeatable = None
                case LoadFailed(code=code, detail=detail):
                    raise LoadError(code, **detail)
                case RequestFailed(code="engine_crashed"):
                    continue  # the end of the process comes next and says more
                case RequestFailed(code=code, detail=detail):
                    raise RequestError(code, **detail)
                case WorkerExited():
                    self._survive(event)
                case _:
                    pass
            return event

    def _survive(self, exited: WorkerExited) -> None:
        """Go on after the worker's end if that is possible, else raise."""
        busy = exited.while_doing in ("prompt", "generating", "measuring")
        if not exited.retrying or (busy and self._repeatable is None):
            raise died(exited)
        print(describe(died(exited)), file=sys.stderr)
        if busy and self._repeatable is not None:
            self.client.send(self._repeatable)

    def load(self, command: LoadModels) -> ModelsLoaded:
        """Load and wait; what will probably not fit is said before."""
        self.send(command)
        while True:
            event = self.next()
            if isinstance(event, WorkerStarted):
                warn_if_short(command, event)
            if isinstance(event, ModelsLoaded):
                return event


def warn_if_short(command: LoadModels, started: WorkerStarted) -> None:
    """Say that memory is short; a file that cannot be read is the engine's to report."""
    try:
        target = read_model_file(command.target)
        draft = read_model_file(command.draft) if command.draft is not None else None
    except ModelFileError:
        return
    options = LoadOptions(
        n_ctx=command.n_ctx,
        min_ctx=command.n_ctx,
        gpu_layers=command.gpu_layers,
        kv_type=command.kv_type,
    )
    machine = memory_of(started.devices)
    for notice in fit_pair(target, draft, machine, options).advice():
        print(sentence(notice.code, notice.detail), file=sys.stderr)


def memory_of(devices: Sequence[DeviceInfo]) -> MachineMemory:
    """The engine's devices, with RAM as it is now."""
    probe = first_probe()
    try:
        sample = probe.sample()
    finally:
        probe.close()
    return machine_memory(devices, sample.ram_available_bytes, sample.ram_total_bytes)


def died(exited: WorkerExited) -> AppError:
    """The worker's end as an error: the client gives its code and values."""
    detail = dict(exited.detail)
    code = detail.pop("code", None)
    if not isinstance(code, str):  # it ended as if it had been asked to
        return AppError("engine_stopped")
    return AppError(code, **detail)


@contextmanager
def engine(known: settings.Settings | None = None) -> Iterator[EngineRun]:
    """A started engine process, ended when the block is left; `known`: settings already read."""
    known = known or settings_or_usual()
    computer = platform.node()
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    client = EngineClient(
        events.put,
        log_dir=ensure(folders().logs),
        skip_cpu_modules=frozenset(known.cpu_modules_to_skip(computer)),
        remember_skip=lambda skipped: _remember(skipped, computer),
    )
    client.start()
    try:
        yield EngineRun(client, events)
    finally:
        client.stop()


def settings_or_usual() -> settings.Settings:
    """The person's settings; the usual ones where they cannot be read, and that is said."""
    try:
        return settings.load()
    except StorageError as error:
        print(describe(error), file=sys.stderr)
        return settings.Settings()


def _remember(skipped: frozenset[str], computer: str) -> None:
    """Keep which CPU modules fault on this computer, so that the next start avoids them.

    Runs on the client's thread, which must go on even if nothing can be saved.
    """
    modules = tuple(sorted(skipped))
    try:
        known = settings.load()
        settings.save(replace(known, skipped_cpu_modules=modules, skipped_on=computer))
    except StorageError as error:
        print(describe(error), file=sys.stderr)


def load_command(arguments: argparse.Namespace) -> LoadModels:
    """What to load, both files checked before anything starts.

    Raises:
        ModelFileError: a file is missing, damaged, no GGUF, or no model by itself.
        PairingError: the draft may not serve this target.
    """
    target = read_model_file(arguments.target)
    if target.role is Role.OTHER:
        raise ModelFileError(
            "not_a_text_model", path=str(arguments.target), architecture=target.architecture
        )
    if target.role is not Role.MODEL:
        raise ModelFileError(
            "pair_target_not_a_model", path=str(arguments.target), role=target.role.value
        )
    if arguments.draft is not None:
        judge(target, read_model_file(arguments.draft)).require()
    command = LoadModels(
        target=arguments.target.absolute(),
        draft=arguments.draft.absolute() if arguments.draft else None,
        n_ctx=arguments.ctx,
        min_ctx=min(arguments.ctx, 2048),
        threads=arguments.threads,
        gpu_layers=arguments.gpu_layers,
        kv_type=arguments.kv_type,
    )
    return replace(command, profile=profiles.load(command))
