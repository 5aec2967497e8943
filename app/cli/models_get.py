"""`models get`: a pair of the list or a file of a repository, downloaded and checked.

Progress goes to standard error. Ctrl+C keeps what arrived; the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app import paths
from app.cli.models_hub import open_hub, token
from app.errors import AppError, DownloadFailed
from app.hub.catalog import load_catalog
from app.hub.download import Hub
from app.hub.gguf import read_model_file
from app.hub.items import Item, ItemState, Snapshot, Wanted
from app.hub.names import safe_path
from app.hub.pairing import judge
from app.hub.partial import Place, gigabytes
from app.hub.progress import Phase
from app.hub.queue import DownloadQueue
from app.hub.records import load_record
from app.hub.reference import find_choice, parse_reference, wanted_files
from app.hub.retry import RetryPolicy
from app.messages import describe, sentence

LOOK_SECONDS = 0.5
LINE_SECONDS = 10.0  # between lines where nothing can be overwritten
POLICY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be brought; `pair` is its id in the catalogue."""

    wanted: list[Wanted]
    pair: str | None = None


def run(arguments: argparse.Namespace) -> int:
    """Download, then say where the files are and, for a pair, whether they go together."""
    hub = open_hub()
    order = _order(arguments.what, hub)
    with _queue(hub) as queue:
        keys = queue.add(order.wanted)
        _watch(queue, _Line())
        items = {item.key: item for item in queue.snapshot().items}
    files = [items[key].path for key in keys]
    verdict = _judge(files) if order.pair is not None else None
    if arguments.json:
        described = [_file_json(one, file) for one, file in zip(order.wanted, files, strict=True)]
        print(json.dumps({"pair": order.pair, "files": described, "verdict": verdict}))
        return 0
    for file in files:
        print(file)
    if verdict is not None:
        print(verdict, file=sys.stderr)
        print(f'chat with it: chat --target "{files[0]}" --draft "{files[1]}" --prompt TEXT')
    return 0


def _order(what: str, hub: Hub) -> _Order:
    """Understand what was asked for.

    Raises:
        AppError: "model_name_wrong"; what the Hub says of the repository.
    """
    pair = load_catalog(paths.resource("pairs.json")).get(what)
    if pair is not None:
        return _Order(pair.downloads(), pair.id)
    reference = parse_reference(what)
    if reference is None:
        raise AppError("model_name_wrong", name=what)
    choice = find_choice(hub.repository(reference.repo, reference.revision), reference)
    return _Order(wanted_files(choice))


@contextmanager
def _queue(hub: Hub) -> Iterator[DownloadQueue]:
    """A queue that keeps what arrived, however the block ends."""
    queue = DownloadQueue(paths.folders().models, hub, token=token().get, policy=POLICY)
    try:
        yield queue
    except KeyboardInterrupt:
        print(file=sys.stderr)
        print(sentence("download_paused", {}), file=sys.stderr)
        raise
    finally:
        queue.close()


def _watch(queue: DownloadQueue, line: _Line) -> None:
    """Show progress until all is here.

    Raises:
        DownloadFailed: why the first of them failed.
    """
    while True:
        is_over = queue.wait(LOOK_SECONDS)
        snapshot = queue.snapshot()
        line.show(snapshot)
        failed = next((i for i in snapshot.items if i.state is ItemState.FAILED), None)
        if failed is not None:
            line.end()
            raise failed.error or DownloadFailed("download_broke", reason="")
        if is_over:
            line.end()
            return


class _Line:
    """Progress on standard error: one line that changes on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._overwrites = sys.stderr.isatty()
        self._shown = ""
        self._next = 0.0

    def show(self, snapshot: Snapshot) -> None:
        """Bring the line up to date."""
        running = next((i for i in snapshot.items if i.state is ItemState.RUNNING), None)
        if running is None or running.progress is None:
            return
        text = _progress_words(running, snapshot)
        now = time.monotonic()
        if text == self._shown or (not self._overwrites and now < self._next):
            return
        if self._overwrites:
            padding = " " * max(0, len(self._shown) - len(text))
            print(f"\r{text}{padding}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)
        self._shown, self._next = text, now + LINE_SECONDS

    def end(self) -> None:
        """Leave the line."""
        if self._overwrites and self._shown:
            print(file=sys.stderr)
        self._shown = ""


def _progress_words(item: Item, snapshot: Snapshot) -> str:
    progress = item.progress
    assert progress is not None  # only running downloads with progress are shown
    name = item.path.name
    if progress.phase is Phase.RETRYING:
        return f"{name}: trying again ({progress.reason})"
    if progress.phase is Phase.CHECKING:
        return f"{name}: checking what is here, {gigabytes(progress.done_bytes)}"
    total = gigabytes(snapshot.total_bytes) if snapshot.total_bytes is not None else "?"
    words = f"{name}: {gigabytes(snapshot.done_bytes)} of {total}"
    if progress.bytes_per_second > 0:
        words += f", {progress.bytes_per_second / 1e6:.1f} MB/s"
    if snapshot.remaining_seconds is not None:
        words += f", {_duration(snapshot.remaining_seconds)} left"
    return words


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _judge(files: list[Path]) -> str:
    """Whether the files that arrived go together, by their own headers."""
    try:
        target, draft = (read_model_file(file) for file in files)
        judge(target, draft).require()
    except AppError as error:
        return describe(error)
    return "The two go together."


def _file_json(wanted: Wanted, file: Path) -> dict[str, object]:
    place = Place(paths.folders().models, safe_path(wanted.repo, wanted.name))
    record = load_record(place.record)
    return {
        "repo": wanted.repo,
        "file": wanted.name,
        "path": str(file),
        "size_bytes": record.file.size_bytes if record else None,
        "sha256": record.whole_sha256 if record else None,
        "commit": record.file.commit if record else None,
    }
