"""Opening the database: a damaged one is set aside, a newer one left alone, a busy one awaited."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from app import paths
from app.errors import StorageError
from app.storage.schema import STEPS, Step, migrate, refuse_newer

BUSY_SECONDS = 2.0
CHECKPOINT_PAGES = 4000  # 16 MB: only a backstop, Storage.checkpoint() comes first
_DAMAGED = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_FULL = {sqlite3.SQLITE_FULL}
_COMPANIONS = ("", "-wal", "-shm")


class Damaged(Exception):
    """The file is no database, or not a sound one."""


def open_database(
    path: Path, busy_seconds: float = BUSY_SECONDS, steps: Sequence[Step] = STEPS
) -> tuple[sqlite3.Connection, Path | None]:
    """Open or create the database; returns it and where a damaged one was set aside.

    Raises:
        StorageError: "database_newer", "database_busy", "database_unreadable", "disk_full_saving".
    """
    paths.ensure(path.parent)
    try:
        try:
            return _open(path, busy_seconds, steps), None
        except Damaged:
            kept = set_aside(path)
            return _open(path, busy_seconds, steps), kept
    except sqlite3.Error as error:
        raise as_app_error(error, path) from error


def open_reader(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """A second connection to a database that is open, for reading beside its writer."""
    connection = sqlite3.connect(
        path, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = ON")
    return connection


def as_app_error(error: sqlite3.Error, path: Path) -> StorageError:
    """What a database error means for a person."""
    code = primary_code(error)
    if code in _FULL:
        return StorageError("disk_full_saving", path=str(path.parent))
    if code in _BUSY:
        return StorageError("database_busy", path=str(path))
    if code in _DAMAGED:
        return StorageError("database_damaged", path=str(path))
    return StorageError("database_unreadable", path=str(path), reason=str(error))


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its refinements; -1 where the error has none."""
    return int(getattr(error, "sqlite_errorcode", -1)) & 0xFF


def set_aside(path: Path) -> Path:
    """Rename a damaged database, and the log that belongs to it, to a name that is free.

    Raises:
        StorageError: "database_unreadable": it cannot be moved, so nothing was changed.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (f"{path.stem}.damaged-{stamp}{extra}{path.suffix}" for extra in ("", *_counted()))
    kept = next(name for name in map(path.with_name, names) if not name.exists())
    try:
        for companion in _COMPANIONS:
            source = path.with_name(path.name + companion)
            if source.exists():
                source.rename(kept.with_name(kept.name + companion))
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("database_unreadable", path=str(path), reason=reason) from error
    return kept


def _counted() -> tuple[str, ...]:
    return tuple(f"-{n}" for n in range(2, 1000))


def _open(path: Path, busy_seconds: float, steps: Sequence[Step]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    try:
        refuse_newer(connection, str(path), steps)  # before anything that writes
        _check(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        migrate(connection, steps)
    except sqlite3.DatabaseError as error:
        connection.close()
        if primary_code(error) in _DAMAGED:
            raise Damaged from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise Damaged(verdict)
