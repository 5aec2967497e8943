"""The worker process: its start, its two pipes and its end, which never comes after its window's.

The engine itself comes from a factory given by dotted name, so that importing this file loads no
native library. Must not import PySide6 or llama_cpp.
"""

from __future__ import annotations

import faulthandler
import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from app.engine import worker_log
from app.engine.contract import EngineFactory
from app.engine.contract import EngineLike as EngineLike
from app.engine.inbox import Inbox
from app.engine.outcome import EXIT_NOT_UNDERSTOOD, EXIT_START_FAILED
from app.engine.protocol import (
    PROTOCOL_VERSION,
    Event,
    LoadFailed,
    Shutdown,
    WorkerStarted,
)
from app.engine.worker_loop import WorkerLoop
from app.errors import AppError

logger = logging.getLogger(__name__)

ORPHAN_GRACE_SECONDS = (
    0.5  # for an orderly end after the window is gone; then the process ends at once
)


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a worker is told at its start.

    Attributes:
        factory: "module:name" of a function from the CPU modules to skip to an engine.
    """

    factory: str
    skip_cpu_modules: frozenset[str]
    log_file: Path


def main(commands: Connection, events: Connection, setup: WorkerSetup) -> None:
    """Serve until told to end or the window is gone; then end the process."""
    log = worker_log.take_over_output(setup.log_file)
    _settle(setup.log_file.parent)
    inbox = Inbox()
    threading.Thread(target=_listen, args=(commands, inbox), name="commands", daemon=True).start()
    outbox = Outbox(events)
    exit_code = _serve(setup, inbox, outbox, log)
    logger.info("worker ends with code %d", exit_code)
    sys.stderr.flush()
    # Without the interpreter's own teardown: native libraries are known to crash in theirs.
    os._exit(exit_code)


def _serve(setup: WorkerSetup, inbox: Inbox, outbox: Outbox, log: int) -> int:
    try:
        engine = _factory(setup.factory)(setup.skip_cpu_modules)
        versions, devices, cpu_module = engine.describe()
    except AppError as error:
        logger.exception("the engine did not start")
        outbox.emit(LoadFailed(error.code, error.detail))
        return EXIT_START_FAILED
    outbox.emit(WorkerStarted(PROTOCOL_VERSION, os.getpid(), versions, devices, cpu_module))
    WorkerLoop(engine, inbox, outbox.emit, lambda: worker_log.trim(log)).run()
    engine.close()
    return 0


def _factory(dotted_name: str) -> EngineFactory:
    module, _, name = dotted_name.partition(":")
    factory: EngineFactory = getattr(importlib.import_module(module), name)
    return factory


def _settle(folder: Path) -> None:
    """Let a crash leave a trace in the log, but no dialog and no gigabytes of core file."""
    # Ctrl+C in a terminal reaches the whole group; the command line decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable(file=2, all_threads=True)
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    if sys.platform == "win32":
        import ctypes

        fail_critical_errors, no_gp_fault_box = 0x0001, 0x0002
        ctypes.windll.kernel32.SetErrorMode(fail_critical_errors | no_gp_fault_box)
    else:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        os.chdir(folder)  # so that the folder the app was started in can be removed or unmounted
    except OSError as error:
        logger.warning("stays in the folder it was started in: %s", error)


class Outbox:
    """Sends events to the client; quiet once that is gone, as the worker is about to end too."""

    def __init__(self, events: Connection) -> None:
        self._events = events
        self._broken = False

    def emit(self, event: Event) -> bool:
        """Send one event; False when nobody listens any more."""
        if not self._broken:
            try:
                self._events.send(event)
            except OSError as error:
                logger.info("the window is gone: %s", error)
                self._broken = True
        return not self._broken


def _listen(commands: Connection, inbox: Inbox) -> None:
    """Fill the inbox; when the window is gone, end the process even if the engine never returns."""
    parent = multiprocessing.parent_process()
    watched: list[Connection | int] = [commands]
    if parent is not None:
        watched.append(parent.sentinel)
    try:
        while commands in wait(watched):
            inbox.put(commands.recv())
    except (EOFError, OSError) as error:
        logger.info("no more commands: %r", error)
    except (pickle.UnpicklingError, ImportError, AttributeError, TypeError, ValueError):
        logger.exception("a command from another version of the program")
        os._exit(EXIT_NOT_UNDERSTOOD)
    inbox.put(Shutdown(), first=True)
    time.sleep(ORPHAN_GRACE_SECONDS)
    os._exit(0)
