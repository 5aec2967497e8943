"""A model file from anywhere on disk into the library, by a link or as a copy.

Imports errors and its neighbours in this room.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from app.errors import DownloadFailed, ModelFileError
from app.hub.names import is_gguf, split_of
from app.hub.partial import PIECE_BYTES, check_space, free_bytes
from app.hub.progress import Control, Phase, Progress, Reporter

IMPORTED = "imported"
MAGIC = b"GGUF"


class ImportMode(Enum):
    """How an imported file comes into the library."""

    LINK = "link"  # takes no space; breaks when the original moves
    COPY = "copy"


def import_file(
    source: Path,
    library: Path,
    mode: ImportMode,
    control: Control | None = None,
    callback: Callable[[Progress], None] = lambda _: None,
    free: Callable[[Path], int] = free_bytes,
) -> Path:
    """Bring a model, with all its parts, into `library`/imported; its path there.

    Raises:
        ModelFileError: "not_a_model", "file_missing", "parts_missing", "import_exists",
            "link_impossible" (offer to copy), "import_failed".
        DownloadFailed: "disk_full" before, "disk_filled" while copying.
        Stopped: by `control`; nothing is left behind.
    """
    sources = _all_parts(source)
    folder = library / IMPORTED
    targets = [folder / path.name for path in sources]
    for target in targets:
        if target.exists() or target.is_symlink():
            raise ModelFileError("import_exists", path=str(target))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if mode is ImportMode.LINK:
            _link_all(sources, targets)
        else:
            check_space(library, sum(path.stat().st_size for path in sources), free)
            _copy_all(sources, targets, control or Control(), callback)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFileError("import_failed", path=str(source), reason=reason) from error
    return targets[0]


def _all_parts(source: Path) -> list[Path]:
    """The file itself, or all parts of the split model it belongs to, each looked at."""
    paths = [source.with_name(name) for name in _part_names(source.name)]
    missing = [path.name for path in paths if not path.is_file()]
    if missing:
        code = "file_missing" if len(paths) == 1 else "parts_missing"
        raise ModelFileError(code, path=str(source), parts=", ".join(missing))
    for path in paths:
        if not is_gguf(path.name) or _first_bytes(path) != MAGIC:
            raise ModelFileError("not_a_model", path=str(path))
    return paths


def _part_names(name: str) -> list[str]:
    split = split_of(name)
    if split is None:
        return [name]
    suffix = name[-len(".gguf") :]  # whatever its case
    return [split.part(index).removesuffix(".gguf") + suffix for index in range(1, split.count + 1)]


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC))
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFileError("file_unreadable", path=str(path), reason=reason) from error


def _link_all(sources: list[Path], targets: list[Path]) -> None:
    done: list[Path] = []
    try:
        for source, target in zip(sources, targets, strict=True):
            _link(source.resolve(), target)
            done.append(target)
    except OSError as error:
        for target in done:
            target.unlink()
        raise ModelFileError("link_impossible", path=str(sources[0])) from error


def _link(source: Path, target: Path) -> None:
    """A symbolic link; where Windows forbids it, a second name, which needs the same disk."""
    try:
        target.symlink_to(source)
    except OSError:
        os.link(source, target)


def _copy_all(
    sources: list[Path],
    targets: list[Path],
    control: Control,
    callback: Callable[[Progress], None],
) -> None:
    report = Reporter(callback, sum(path.stat().st_size for path in sources))
    news = [target.with_name(target.name + ".part") for target in targets]
    done = 0
    finished = False
    try:
        for source, new in zip(sources, news, strict=True):
            with source.open("rb", buffering=0) as read, new.open("wb") as write:
                while piece := read.read(PIECE_BYTES):
                    control.check()
                    write.write(piece)
                    done += len(piece)
                    report.show(Phase.COPYING, done)
        for new, target in zip(news, targets, strict=True):
            new.replace(target)
        finished = True
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise DownloadFailed("disk_filled", name=targets[0].name) from error
        raise
    finally:
        if not finished:
            for path in news:
                path.unlink(missing_ok=True)
