"""The worker's log file: everything the process or its native libraries print, kept small.

The worker writes it, the client reads its last lines after a crash. Imports nothing of this room.
"""

from __future__ import annotations

import logging
import os
import sys
from datetime import datetime
from pathlib import Path

logger = logging.getLogger(__name__)

LIMIT_BYTES = 2 * 1024 * 1024
KEPT_BYTES = 256 * 1024  # of a file that grew beyond the limit
KEPT_FILES = 5
TAIL_LINES = 60
TAIL_BYTES = 32 * 1024


def take_over_output(log_file: Path) -> int:
    """Point file descriptors 1 and 2, and Python's streams, at the log file.

    Windowed programs have no usable descriptors, and native libraries write to them directly.
    Where the file cannot be had, output is thrown away: the engine must work on a full disk.
    Returns the file's descriptor.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(log_file, flags, 0o600)
    except OSError:
        descriptor = os.open(os.devnull, os.O_RDWR)
    for standard in (1, 2):
        os.dup2(descriptor, standard)
    sys.stdout = sys.stderr = open(  # noqa: SIM115 - lives as long as the process
        2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )
    return descriptor


def trim(descriptor: int, limit_bytes: int = LIMIT_BYTES, kept_bytes: int = KEPT_BYTES) -> None:
    """Keep only the end of a log that grew too long.

    In place, because Windows cannot rename an open file.
    """
    size_bytes = os.fstat(descriptor).st_size
    if size_bytes <= limit_bytes:
        return
    os.lseek(descriptor, size_bytes - kept_bytes, os.SEEK_SET)
    kept = os.read(descriptor, kept_bytes)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, b"[older lines were dropped]\n" + kept.partition(b"\n")[2])


def new_log_file(log_dir: Path, number: int) -> Path:
    """A name for the next worker's log, after making room for it: only the newest few are kept."""
    name = f"engine-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}-{number:03}.log"
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
        old = sorted(log_dir.glob("engine-*.log"))
        for path in old[: max(0, len(old) - KEPT_FILES + 1)]:
            path.unlink(missing_ok=True)
    except OSError as error:
        # An open file on Windows, or a folder that cannot be written: not worth a failure.
        logger.warning("old engine logs could not be removed: %s", error)
    return log_dir / name


def last_lines(log_file: Path) -> tuple[str, ...]:
    """The last lines of a log; none when it cannot be read."""
    try:
        with log_file.open("rb") as file:
            size_bytes = file.seek(0, os.SEEK_END)
            file.seek(max(0, size_bytes - TAIL_BYTES))
            text = file.read().decode("utf-8", errors="replace")
    except OSError as error:
        logger.warning("the engine's log could not be read: %s", error)
        return ()
    return tuple(text.splitlines()[-TAIL_LINES:])
