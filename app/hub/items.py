"""What a download queue shows of its downloads. Imports errors and its neighbours in this room."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from app.errors import AppError
from app.hub.progress import Phase, Progress


class ItemState(Enum):
    """Where one download stands."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to bring.

    Attributes:
        revision: branch or commit; the newest if there is none.
        size_bytes: as far as known before the Hub is asked, for the first look at the disk.
        sha256: of the version that is known to be good. Where the Hub states no hash this one is
            checked; where it has moved on to a newer version, that one is taken.
    """

    repo: str
    name: str
    revision: str | None = None
    size_bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One download as others see it.

    Attributes:
        path: where the file will be, or is.
        error: why it failed.
    """

    key: str
    wanted: Wanted
    path: Path
    state: ItemState
    progress: Progress | None = None
    error: AppError | None = None

    @property
    def done_bytes(self) -> int:
        """What has arrived."""
        return self.progress.done_bytes if self.progress else 0

    @property
    def total_bytes(self) -> int | None:
        """The size of the file, if known."""
        stated = self.progress.total_bytes if self.progress else None
        return stated if stated is not None else self.wanted.size_bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All downloads on the list, and their sums.

    Attributes:
        total_bytes, remaining_seconds: nothing while a size or the speed is unknown.
    """

    items: tuple[Item, ...]
    done_bytes: int
    total_bytes: int | None
    bytes_per_second: float
    remaining_seconds: float | None


def resting(done_bytes: int, total_bytes: int | None) -> Progress:
    """The progress of a download that does not move."""
    return Progress(Phase.CONNECTING, done_bytes, total_bytes)


def sum_up(items: tuple[Item, ...]) -> Snapshot:
    """The sums over all downloads."""
    totals = [item.total_bytes for item in items]
    known = [total for total in totals if total is not None]
    done = sum(item.done_bytes for item in items)
    total = sum(known) if len(known) == len(totals) else None
    speed = sum(
        item.progress.bytes_per_second
        for item in items
        if item.progress and item.state is ItemState.RUNNING
    )
    remaining = (total - done) / speed if total is not None and speed > 0 else None
    return Snapshot(items, done, total, speed, remaining)
