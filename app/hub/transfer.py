"""One file from a Hub to the disk: resumed by range, checked by SHA-256, renamed only when whole.

Blocks the thread it is called from; `Control` stops it. Imports errors and its neighbours in this
room; neither huggingface_hub nor Qt.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from app.errors import DownloadFailed
from app.hub.names import is_gguf
from app.hub.partial import (
    Hash,
    Place,
    check_space,
    disk_errors,
    free_bytes,
    hash_file,
    only_writer,
    place_of,
)
from app.hub.progress import Control, Phase, Progress, Reporter
from app.hub.reader import Reader
from app.hub.records import Record, RemoteFile, load_record, save_record
from app.hub.retry import RetryPolicy, retrying
from app.hub.web import Answer, clean_etag

GGUF_MAGIC = b"GGUF"
# After these, what arrived cannot become the right file.
SPOILT = frozenset({"file_changed", "hash_mismatch", "not_a_model_file", "size_mismatch"})

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """Under which conditions a transfer runs.

    Attributes:
        token: sent to the Hub only.
        free: asks for the free space of a folder's disk.
    """

    token: str | None = None
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    free: Callable[[Path], int] = free_bytes


def fetch(
    file: RemoteFile,
    models: Path,
    terms: Terms,
    control: Control,
    callback: Callable[[Progress], None],
) -> Record:
    """Bring a file into the models folder, going on from what is already there.

    Raises:
        DownloadFailed: with what arrived kept, except where it cannot be right.
        Stopped: paused (kept) or cancelled (the caller removes what is left).
    """
    place = place_of(models, file)
    with only_writer(place):
        known = load_record(place.record)
        if known is not None and _is_same(known.file, file) and _is_whole(known, place):
            return known
        transfer = _Transfer(file, place, terms, control, callback)
        try:
            return transfer.adopt() or transfer.run()
        except DownloadFailed as error:
            if error.code in SPOILT:
                place.discard()
            raise


class _Transfer:
    """State of one `fetch`."""

    def __init__(
        self,
        file: RemoteFile,
        place: Place,
        terms: Terms,
        control: Control,
        callback: Callable[[Progress], None],
    ) -> None:
        self._record = Record(file)
        self._place = place
        self._terms = terms
        self._control = control
        self._size = file.size_bytes
        self._report = Reporter(callback, self._size)
        self._done = 0
        self._furthest = 0
        self._digest: Hash = hashlib.sha256()
        self._use_ranges = True

    def adopt(self) -> Record | None:
        """Use a finished file without a record, copied here by hand, if it is the right one."""
        file, final = self._record.file, self._place.final
        with disk_errors(self._place):
            if file.sha256 is None or not final.is_file() or final.stat().st_size != self._size:
                return None
            digest = hash_file(final, self._saw).hexdigest()
            if digest != file.sha256.lower():
                return None
            self._place.record.parent.mkdir(parents=True, exist_ok=True)
            record = replace(self._record, whole_sha256=digest)
            save_record(self._place.record, record)
            return record

    def run(self) -> Record:
        """Receive what is missing and finish."""
        with disk_errors(self._place):
            self._take_up()
            needed = max(0, (self._size or 0) - self._done)
            check_space(self._place.models, needed, self._terms.free)
            save_record(self._place.part_record, self._record)
            with self._place.part.open("r+b" if self._done else "wb", buffering=0) as out:
                out.seek(self._done)
                retrying(
                    lambda: self._attempt(out),
                    self._terms.policy,
                    self._wait,
                    self._has_progressed,
                )
            return self._finish()

    def _take_up(self) -> None:
        """Find out what is already here and can be kept."""
        old = load_record(self._place.part_record)
        have = self._place.part_bytes()
        if old is None or not _is_same(old.file, self._record.file):
            self._place.discard()
            return
        if not have or (self._size is not None and have > self._size):
            return
        self._record = replace(self._record, body_etag=old.body_etag)
        self._digest = hash_file(self._place.part, self._saw)
        self._done = self._furthest = have

    def _saw(self, checked_bytes: int) -> None:
        self._control.check()
        self._report.show(Phase.CHECKING, checked_bytes)

    def _has_progressed(self) -> bool:
        # Measured against the furthest point ever reached: a server that ignores ranges and always
        # breaks off at the same place would otherwise be asked for ever.
        progressed = self._done > self._furthest
        self._furthest = max(self._furthest, self._done)
        return progressed

    def _wait(self, seconds: float, code: str) -> None:
        self._report.show(Phase.RETRYING, self._done, code)
        self._control.wait(seconds)

    def _attempt(self, out: BinaryIO) -> None:
        if self._done == self._size:
            return
        self._report.show(Phase.CONNECTING, self._done)
        patience = self._terms.policy.stall_seconds
        with Reader(self._record.file, self._terms.token, self._range_headers()) as reader:
            for item in reader.take(self._control, patience):
                if isinstance(item, Answer):
                    self._begin(item, out)
                elif item is not None:
                    self._keep(item, out)
                if self._done:
                    self._report.show(Phase.RECEIVING, self._done)
        if self._size is None:
            self._size = self._done
        if self._done < self._size:
            raise DownloadFailed("connection_lost", name=self._record.file.name)

    def _range_headers(self) -> dict[str, str]:
        if not self._done or not self._use_ranges:
            return {}
        headers = {"Range": f"bytes={self._done}-"}
        if self._record.file.etag is None and self._record.body_etag:
            headers["If-Range"] = f'"{self._record.body_etag}"'
        return headers

    def _begin(self, answer: Answer, out: BinaryIO) -> None:
        """Judge an answer before its body: is it this file, and from where does it go on?"""
        headers = answer.response.headers
        file = self._record.file
        if headers.get("Content-Type", "").startswith("text/html"):
            raise DownloadFailed("html_received", host=answer.response.url.host, name=file.name)
        own = clean_etag(headers.get("ETag"))
        identity = answer.linked_etag or (None if answer.moved else own)
        if file.etag and identity and identity != file.etag:
            raise DownloadFailed("file_changed", name=file.name, repo=file.repo)
        if answer.response.status_code == 416:
            self._start_over(out, "the range was refused")
        start, total = _extent(answer)
        trusted = bool(file.etag and identity)
        if start and not trusted and own != self._record.body_etag:
            self._start_over(out, "the file may have changed")
        if start == 0:
            self._rewind(out)
        elif start != self._done:
            self._start_over(out, "the server sent another range")
        self._check_total(total)
        if own != self._record.body_etag:
            self._record = replace(self._record, body_etag=own)
            save_record(self._place.part_record, self._record)

    def _start_over(self, out: BinaryIO, why: str) -> None:
        """Drop what arrived and make the next attempt without a range."""
        _log.info("%s: starting over, %s", self._record.file.name, why)
        if not self._use_ranges:
            raise DownloadFailed("range_refused", name=self._record.file.name)
        self._use_ranges = False
        self._rewind(out)
        raise DownloadFailed("connection_lost", name=self._record.file.name)

    def _rewind(self, out: BinaryIO) -> None:
        out.seek(0)
        out.truncate()
        self._done, self._digest = 0, hashlib.sha256()

    def _check_total(self, total: int | None) -> None:
        if total is None:
            return
        if self._size is None:
            self._size = self._report.total_bytes = total
            check_space(self._place.models, total - self._done, self._terms.free)
        if total != self._size:
            raise DownloadFailed(
                "size_mismatch", name=self._record.file.name, need=self._size, have=total
            )

    def _keep(self, piece: bytes, out: BinaryIO) -> None:
        name = self._record.file.name
        if not self._done and piece and is_gguf(name) and not GGUF_MAGIC.startswith(piece[:4]):
            raise DownloadFailed("not_a_model_file", name=name)
        if self._size is not None and self._done + len(piece) > self._size:
            raise DownloadFailed(
                "size_mismatch", name=name, need=self._size, have=self._done + len(piece)
            )
        view = memoryview(piece)
        while view:  # an unbuffered write may take less than it is given
            view = view[out.write(view) :]
        self._digest.update(piece)
        self._done += len(piece)

    def _finish(self) -> Record:
        file = self._record.file
        digest = self._digest.hexdigest()
        if file.sha256 is not None and digest != file.sha256.lower():
            raise DownloadFailed("hash_mismatch", name=file.name, repo=file.repo)
        record = replace(
            self._record, whole_sha256=digest, file=replace(file, size_bytes=self._done)
        )
        self._control.check()
        self._place.finish(record)
        return record


def _is_whole(record: Record, place: Place) -> bool:
    """Whether the finished file is still there, as long as it was."""
    try:
        return place.final.stat().st_size == record.file.size_bytes
    except OSError:
        return False


def _is_same(one: RemoteFile, other: RemoteFile) -> bool:
    """Whether two remote files have the same content."""
    if one.sha256 and other.sha256:
        return one.sha256 == other.sha256
    if one.etag or other.etag:
        return one.etag == other.etag
    return one == other


def _extent(answer: Answer) -> tuple[int, int | None]:
    """Where the body starts in the file, and how large the whole file is said to be."""
    headers = answer.response.headers
    if answer.response.status_code == 206:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", headers.get("Content-Range", "").strip())
        if match is None:
            raise DownloadFailed("answer_unreadable", host=answer.response.url.host)
        return int(match[1]), None if match[2] == "*" else int(match[2])
    length = headers.get("Content-Length", "")
    return 0, int(length) if length.isascii() and length.isdigit() else None
