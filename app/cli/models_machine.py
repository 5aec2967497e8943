"""Free memory of this computer for a command: the engine knows its devices, the monitor RAM."""

from __future__ import annotations

import sys

from app.cli.engine_run import engine, memory_of
from app.engine.protocol import DeviceInfo, WorkerStarted
from app.errors import AppError
from app.messages import describe
from app.session.fitting import MachineMemory


def memory_here() -> MachineMemory:
    """What is free; without an engine that starts, RAM alone, and that is said."""
    try:
        devices = _devices()
    except AppError as error:
        print(describe(error), file=sys.stderr)
        devices = ()
    return memory_of(devices)


def _devices() -> tuple[DeviceInfo, ...]:
    """Start the engine for a moment and ask."""
    with engine() as run_:
        while not isinstance(event := run_.next(), WorkerStarted):
            continue
    return event.devices
