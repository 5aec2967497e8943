"""The local side of a download: where the part lies, who may write it, what the disk allows.

Beside the models, in `.downloads`, lies for each unfinished file a part, its record and a lock; in
`.records` the records of finished files. All on one disk, so that finishing is a rename. Imports
only errors and records.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

import filelock

from app.errors import DownloadFailed
from app.hub.names import safe_path
from app.hub.records import Record, RemoteFile, load_record, save_record

DOWNLOADS = ".downloads"
RECORDS = ".records"
PIECE_BYTES = 1024 * 1024
# Left free on the disk, so that a download never makes the computer itself run out.
DISK_MARGIN_BYTES = 512 * 1024 * 1024


_log = logging.getLogger(__name__)


class Hash(Protocol):
    """What hashlib returns."""

    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Paths of one file below a models folder."""

    models: Path
    relative: PurePosixPath

    @property
    def final(self) -> Path:
        return self.models / self.relative

    @property
    def record(self) -> Path:
        return self.models / RECORDS / f"{self.relative}.json"

    @property
    def part(self) -> Path:
        return self.models / DOWNLOADS / f"{self.relative}.part"

    @property
    def part_record(self) -> Path:
        return self.models / DOWNLOADS / f"{self.relative}.json"

    @property
    def lock(self) -> Path:
        return self.models / DOWNLOADS / f"{self.relative}.lock"

    def part_bytes(self) -> int:
        """How much has arrived."""
        try:
            return self.part.stat().st_size
        except OSError:
            return 0

    def discard(self) -> None:
        """Remove what arrived. The lock file stays: removing it could let two writers in."""
        self.part.unlink(missing_ok=True)
        self.part_record.unlink(missing_ok=True)

    def finish(self, record: Record) -> None:
        """Give the complete part its final name and keep the record with it."""
        self.final.parent.mkdir(parents=True, exist_ok=True)
        self.record.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.part.replace(self.final)
        except PermissionError as error:  # Windows, while a loaded model holds the old file
            if not self.final.exists():
                raise
            raise DownloadFailed("file_in_use", name=self.final.name) from error
        save_record(self.record, record)
        self.part_record.unlink(missing_ok=True)


def place_of(models: Path, file: RemoteFile) -> Place:
    """Where a remote file goes.

    Raises:
        DownloadFailed: "unsafe_name".
    """
    return Place(models, safe_path(file.repo, file.name))


@contextmanager
def only_writer(place: Place) -> Iterator[None]:
    """Hold the lock of a place; it falls away with the process, however that ends.

    Raises:
        DownloadFailed: "download_running", when another window or process writes this file.
    """
    with disk_errors(place):
        place.lock.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(place.lock, timeout=0, thread_local=False)
    try:
        with disk_errors(place):
            lock.acquire()
    except filelock.Timeout:
        raise DownloadFailed("download_running", name=place.relative.name) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def disk_errors(place: Place) -> Iterator[None]:
    """Turn what the system says about a disk into an error with a sentence."""
    try:
        yield
    except filelock.Timeout:
        raise
    except OSError as error:
        raise disk_failure(error, place) from error


def disk_failure(error: OSError, place: Place) -> DownloadFailed:
    """The error for a failed write, rename or folder."""
    codes = {
        errno.ENOSPC: "disk_filled",
        errno.EDQUOT: "disk_filled",
        errno.EFBIG: "file_too_large",
        errno.EACCES: "folder_not_writable",
        errno.EPERM: "folder_not_writable",
        errno.EROFS: "folder_not_writable",
        errno.ENOENT: "folder_gone",
        errno.ENOTDIR: "folder_gone",
        errno.ESTALE: "folder_gone",
    }
    code = codes.get(error.errno or 0, "disk_failed")
    return DownloadFailed(
        code,
        name=place.relative.name,
        folder=str(place.models),
        reason=error.strerror or str(error),
    )


def free_bytes(folder: Path) -> int:
    """Free space on the disk that holds, or would hold, a folder."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def check_space(models: Path, need_bytes: int, free: Callable[[Path], int] = free_bytes) -> None:
    """Refuse to begin what the disk cannot hold.

    Raises:
        DownloadFailed: "disk_full" with both figures.
    """
    try:
        have = free(models)
    except OSError as error:
        raise DownloadFailed("folder_gone", folder=str(models)) from error
    need = need_bytes + DISK_MARGIN_BYTES
    if need > have:
        raise DownloadFailed(
            "disk_full",
            folder=str(models),
            need=gigabytes(need),
            have=gigabytes(have),
            need_bytes=need,
            free_bytes=have,
        )


def gigabytes(count: int) -> str:
    """A number of bytes as people read it."""
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"


def hash_file(path: Path, seen: Callable[[int], None]) -> Hash:
    """Read a file into a SHA-256; `seen` is told how much after each piece and may raise."""
    digest = hashlib.sha256()
    done = 0
    with path.open("rb", buffering=0) as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
            done += len(piece)
            seen(done)
    return digest


def unfinished(models: Path) -> list[Record]:
    """The records of all downloads that were begun and not finished, oldest first."""
    found = sorted((models / DOWNLOADS).rglob("*.json"), key=_modified)
    records = (load_record(path) for path in found)
    return [record for record in records if record is not None]


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def settle(path: Path) -> None:
    """Make a finished file survive a power cut; after it was reported, because it can take long."""
    try:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    except OSError as error:
        _log.info("could not settle %s: %s", path.name, error.strerror)
