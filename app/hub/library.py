"""Model files on this computer: the app's own folder, and those of other programs, only to read.

The app's folder is plain and visible: models/owner/repository/file. Imports errors and its
neighbours in this room.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePosixPath

from app.errors import ModelFileError
from app.hub.folders import ModelFolder, Origin, real_path
from app.hub.names import FileKind, is_gguf, kind_of, quantisation_of, split_of
from app.hub.partial import DOWNLOADS, RECORDS, Place, hash_file
from app.hub.progress import Control, Phase, Progress, Reporter
from app.hub.records import Record, load_record

_log = logging.getLogger(__name__)

# A folder this deep below another program's is not where it keeps models.
DEEPEST = 6


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """One model or sidecar on disk; a split model counts as one.

    Attributes:
        path: the file to load; the first part of a split model.
        paths: all its files.
        size_bytes: of all files together.
        missing_parts: numbers of the parts that are not there; it cannot be loaded then.
        is_link: it only points to a file elsewhere; deleting it frees nothing.
        record: where it came from, for what this app has downloaded.
    """

    path: Path
    paths: tuple[Path, ...]
    size_bytes: int
    kind: FileKind
    quantisation: str | None
    origin: Origin
    missing_parts: tuple[int, ...] = ()
    is_link: bool = False
    record: Record | None = None

    @property
    def is_read_only(self) -> bool:
        """Whether it belongs to another program."""
        return self.origin is not Origin.OWN

    @property
    def is_complete(self) -> bool:
        """Whether all parts are here."""
        return not self.missing_parts


@dataclass(frozen=True, slots=True)
class PairInUse:
    """A pair somebody chose, by the files it is made of."""

    title: str
    target: Path
    draft: Path


@dataclass(frozen=True, slots=True)
class Deletion:
    """What deleting would do, to be shown before it is done.

    Attributes:
        freed_bytes: what the disk gains; 0 for a link.
        pairs: titles of the pairs that lose a part.
    """

    file: LibraryFile
    freed_bytes: int
    pairs: tuple[str, ...]


class Verdict(Enum):
    """What checking a file against its record has shown."""

    RIGHT = "right"
    DAMAGED = "damaged"
    UNKNOWN = "unknown"  # there is no record to compare with


class Library:
    """The models folder and, read-only, those of other programs.

    Attributes:
        folder: where downloads and imports go.
    """

    def __init__(self, folder: Path, others: Sequence[ModelFolder] = ()) -> None:
        self.folder = folder
        self._others = tuple(others)

    def scan(self) -> list[LibraryFile]:
        """All models and sidecars, the app's own first; a file seen twice is listed once."""
        found: list[LibraryFile] = []
        seen: set[Path] = set()
        for folder in (ModelFolder(self.folder, Origin.OWN), *self._others):
            for file in _scan_folder(folder):
                real = real_path(file.path)
                if real not in seen:
                    seen.add(real)
                    found.append(self._with_record(file))
        return found

    def _with_record(self, file: LibraryFile) -> LibraryFile:
        if file.origin is not Origin.OWN:
            return file
        relative = PurePosixPath(file.path.relative_to(self.folder).as_posix())
        return replace(file, record=load_record(Place(self.folder, relative).record))

    def plan_deletion(self, file: LibraryFile, pairs: Iterable[PairInUse] = ()) -> Deletion:
        """Say what deleting a file would free and break.

        Raises:
            ModelFileError: "not_ours_to_delete".
        """
        if file.is_read_only:
            raise ModelFileError("not_ours_to_delete", path=str(file.path))
        mine = set(file.paths)
        losing = tuple(pair.title for pair in pairs if {pair.target, pair.draft} & mine)
        freed = sum(_freed_bytes(path) for path in file.paths)
        return Deletion(file, freed, losing)

    def delete(self, deletion: Deletion) -> None:
        """Delete what was planned, its records, and folders that become empty.

        Raises:
            ModelFileError: "delete_failed", for example while a model is loaded on Windows.
        """
        for path in deletion.file.paths:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                reason = error.strerror or str(error)
                raise ModelFileError("delete_failed", path=str(path), reason=reason) from error
            relative = PurePosixPath(path.relative_to(self.folder).as_posix())
            record = Place(self.folder, relative).record
            record.unlink(missing_ok=True)
            self._prune(path.parent)
            self._prune(record.parent)

    def _prune(self, folder: Path) -> None:
        while folder != self.folder and self.folder in folder.parents:
            try:
                folder.rmdir()
            except OSError:
                return  # not empty
            folder = folder.parent

    def verify(
        self,
        file: LibraryFile,
        control: Control | None = None,
        callback: Callable[[Progress], None] = lambda _: None,
    ) -> Verdict:
        """Read a file again and compare it with the hash kept from its download.

        Raises:
            ModelFileError: "file_missing" or "file_unreadable".
        """
        if file.is_read_only:
            return Verdict.UNKNOWN
        control, total = control or Control(), 0
        report = Reporter(callback, file.size_bytes)
        verdict = Verdict.RIGHT
        for path in file.paths:
            relative = PurePosixPath(path.relative_to(self.folder).as_posix())
            record = load_record(Place(self.folder, relative).record)
            if record is None or record.whole_sha256 is None:
                verdict = Verdict.UNKNOWN
                continue
            before = total

            def saw(done: int, before: int = before) -> None:
                control.check()
                report.show(Phase.CHECKING, before + done)

            digest = _hash(path, saw)
            total += path.stat().st_size
            if digest != record.whole_sha256:
                return Verdict.DAMAGED
        return verdict


def split_bytes(path: Path) -> int | None:
    """All parts of a split model together; nothing for a whole file."""
    split = split_of(path.name)
    if split is None:
        return None
    parts = [path.with_name(split.part(index + 1)) for index in range(split.count)]
    return sum(part.stat().st_size for part in parts if part.is_file())


def _scan_folder(folder: ModelFolder) -> Iterator[LibraryFile]:
    """The models below a folder, parts of a split one joined."""
    splits: dict[tuple[Path, str, int], dict[int, Path]] = {}
    for path in _gguf_files(folder.path):
        split = split_of(path.name)
        if split is None or kind_of(path.name) is FileKind.OTHER:
            yield from _entry(folder, (path,), ())
        else:
            splits.setdefault((path.parent, split.stem, split.count), {})[split.index] = path
    for (_, _, count), parts in splits.items():
        missing = tuple(index for index in range(1, count + 1) if index not in parts)
        yield from _entry(folder, tuple(parts[index] for index in sorted(parts)), missing)


def _gguf_files(folder: Path) -> Iterator[Path]:
    """GGUF files below a folder. Links to folders are not followed: they could go in circles."""
    for current, folders, names in os.walk(folder, onerror=_unreadable):
        depth = len(Path(current).relative_to(folder).parts)
        folders[:] = sorted(
            name
            for name in folders
            if depth < DEEPEST and name not in (DOWNLOADS, RECORDS, ".locks", "blobs")
        )
        yield from (Path(current) / name for name in sorted(names) if is_gguf(name))


def _unreadable(error: OSError) -> None:
    _log.info("skipping a folder that cannot be read: %s", error)


def _entry(
    folder: ModelFolder, paths: tuple[Path, ...], missing: tuple[int, ...]
) -> Iterator[LibraryFile]:
    """One entry, unless a file is gone, a dangling link or empty."""
    try:
        sizes = [path.stat().st_size for path in paths]
    except OSError as error:
        _log.info("skipping %s: %s", paths[0].name, error.strerror)
        return
    if not all(sizes):
        return
    name = paths[0].relative_to(folder.path).as_posix()
    yield LibraryFile(
        path=paths[0],
        paths=paths,
        size_bytes=sum(sizes),
        kind=kind_of(name),
        quantisation=quantisation_of(name),
        origin=folder.origin,
        missing_parts=missing,
        is_link=any(path.is_symlink() for path in paths),
    )


def _freed_bytes(path: Path) -> int:
    """What deleting one name frees: nothing while the bytes have another name."""
    try:
        status = path.lstat()
    except OSError:
        return 0
    return 0 if path.is_symlink() or status.st_nlink > 1 else status.st_size


def _hash(path: Path, saw: Callable[[int], None]) -> str:
    try:
        return hash_file(path, saw).hexdigest()
    except FileNotFoundError as error:
        raise ModelFileError("file_missing", path=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFileError("file_unreadable", path=str(path), reason=reason) from error
