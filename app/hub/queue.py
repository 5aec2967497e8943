"""Several downloads, one after the other, each of which can be paused, resumed and cancelled.

Threads, not Qt: the callback comes from a worker thread. Partial files from earlier runs are taken
up by `restore`. Imports errors and its neighbours in this room, not huggingface_hub.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from app.errors import AppError, DownloadFailed
from app.hub.items import Item, ItemState, Snapshot, Wanted, resting, sum_up
from app.hub.names import safe_path
from app.hub.partial import Place, check_space, free_bytes, only_writer, settle, unfinished
from app.hub.progress import Control, Phase, Progress, Stop, Stopped
from app.hub.records import RemoteFile, load_record
from app.hub.retry import RetryPolicy, retrying
from app.hub.transfer import Terms, fetch

_log = logging.getLogger(__name__)


class Locator(Protocol):
    """Finds commit, size and hash of a file; `download.Hub` does."""

    def locate(self, repo: str, name: str, revision: str | None = None) -> RemoteFile: ...


@dataclass(slots=True)
class _Slot:
    """What the queue keeps of an item besides what it shows."""

    item: Item
    control: Control = field(default_factory=Control)
    file: RemoteFile | None = None
    drop: bool = False


class DownloadQueue:
    """The downloads of one models folder. Every method returns at once.

    Attributes:
        models: the folder.
    """

    def __init__(
        self,
        models: Path,
        hub: Locator,
        on_change: Callable[[Snapshot], None] = lambda _: None,
        *,
        token: Callable[[], str | None] = lambda: None,
        policy: RetryPolicy | None = None,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        self.models = models
        self._hub = hub
        self._on_change = on_change
        self._token = token
        self._policy = policy or RetryPolicy()
        self._free = free
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._slots: dict[str, _Slot] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._closed = False

    def restore(self) -> int:
        """List what an earlier run left unfinished, paused; how many."""
        found = 0
        with self._lock:
            for record in unfinished(self.models):
                file = record.file
                wanted = Wanted(file.repo, file.name, file.commit, file.size_bytes, file.sha256)
                slot = self._new_slot(wanted, ItemState.PAUSED)
                slot.file = file
                done = Place(self.models, safe_path(file.repo, file.name)).part_bytes()
                slot.item = replace(slot.item, progress=resting(done, file.size_bytes))
                found += slot.item.key not in self._slots
                self._slots.setdefault(slot.item.key, slot)
        self._tell()
        return found

    def add(self, wanted: Sequence[Wanted]) -> list[str]:
        """Queue files, for example a pair; their keys. What is queued already is resumed.

        Raises:
            DownloadFailed: "unsafe_name", or "disk_full" when all together cannot fit.
        """
        with self._lock:
            slots = [self._new_slot(one, ItemState.QUEUED) for one in wanted]
            new = [slot for slot in slots if not self._is_known(slot.item.key)]
            check_space(self.models, self._missing(new), self._free)
            for slot in new:
                self._slots[slot.item.key] = slot
            keys = [slot.item.key for slot in slots]
        for key in keys:
            self.resume(key)
        self._go_on()
        return keys

    def pause(self, key: str) -> None:
        """Stop a download and keep what arrived."""
        with self._lock:
            slot = self._slots.get(key)
            if slot is None or slot.item.state not in (ItemState.RUNNING, ItemState.QUEUED):
                return
            slot.control.stop(Stop.PAUSE)
            slot.item = replace(slot.item, state=ItemState.PAUSED)
        self._go_on()

    def resume(self, key: str) -> None:
        """Queue a paused or failed download again."""
        with self._lock:
            slot = self._slots.get(key)
            if slot is None or slot.item.state not in (ItemState.PAUSED, ItemState.FAILED):
                return
            # The old thread, if it still ends, has its own control and no longer counts.
            self._slots[key] = _Slot(
                replace(slot.item, state=ItemState.QUEUED, error=None), file=slot.file
            )
        self._go_on()

    def cancel(self, key: str) -> None:
        """Stop a download and remove what arrived; finished files stay."""
        with self._lock:
            slot = self._slots.pop(key, None)
            if slot is None:
                return
            slot.drop = True
            slot.control.stop(Stop.CANCEL)
            if slot.item.state not in (ItemState.DONE, ItemState.RUNNING):
                self._start(slot, self._discard)  # a running one does it itself
        self._go_on()

    def clear_done(self) -> None:
        """Take finished downloads off the list."""
        with self._lock:
            done = [k for k, s in self._slots.items() if s.item.state is ItemState.DONE]
            for key in done:
                del self._slots[key]
        self._tell()

    def pause_all(self) -> None:
        """Stop all downloads and keep what arrived."""
        for key in [item.key for item in self.snapshot().items]:
            self.pause(key)

    def snapshot(self) -> Snapshot:
        """How things stand."""
        with self._lock:
            items = tuple(slot.item for slot in self._slots.values())
        return sum_up(items)

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """Wait until nothing runs or waits for its turn; False when the time is over before."""
        busy = (ItemState.QUEUED, ItemState.RUNNING)
        with self._changed:
            return self._changed.wait_for(
                lambda: not any(slot.item.state in busy for slot in self._slots.values()),
                timeout_seconds,
            )

    def close(self, timeout_seconds: float = 2.0) -> None:
        """Pause everything and wait a moment for the threads to end."""
        with self._lock:
            self._closed = True
            threads = list(self._threads.values())
        self.pause_all()
        for thread in threads:
            thread.join(timeout_seconds)

    # inside

    def _new_slot(self, wanted: Wanted, state: ItemState) -> _Slot:
        relative = safe_path(wanted.repo, wanted.name)
        return _Slot(Item(str(relative), wanted, self.models / relative, state))

    def _is_known(self, key: str) -> bool:
        slot = self._slots.get(key)
        return slot is not None and slot.item.state is not ItemState.DONE

    def _missing(self, new: Sequence[_Slot]) -> int:
        """Bytes still to come of what is queued and of what is new, as far as sizes are known."""
        waiting = [s for s in self._slots.values() if s.item.state is not ItemState.DONE]
        items = [slot.item for slot in (*waiting, *new)]
        return sum(max(0, (item.total_bytes or 0) - item.done_bytes) for item in items)

    def _go_on(self) -> None:
        """Start the next download if none runs."""
        with self._lock:
            states = [slot.item.state for slot in self._slots.values()]
            if not self._closed and ItemState.RUNNING not in states:
                for slot in self._slots.values():
                    if slot.item.state is ItemState.QUEUED:
                        slot.item = replace(slot.item, state=ItemState.RUNNING)
                        self._start(slot, self._run)
                        break
        self._tell()

    def _start(self, slot: _Slot, work: Callable[[_Slot, threading.Thread | None], None]) -> None:
        # One thread at a time per file: an attempt that was stopped still lets go of its lock.
        before = self._threads.get(slot.item.key)
        thread = threading.Thread(target=work, args=(slot, before), name="download", daemon=True)
        self._threads[slot.item.key] = thread
        thread.start()

    def _run(self, slot: _Slot, before: threading.Thread | None) -> None:
        """Bring one file; the top of its thread."""
        if before is not None:
            before.join()
        state, error = ItemState.DONE, None
        try:
            self._bring(slot)
        except Stopped:
            state = ItemState.PAUSED
        except AppError as failure:
            state, error = ItemState.FAILED, failure
        except Exception as failure:  # noqa: BLE001 - top of a thread: shown, not lost
            _log.exception("a download broke")
            state, error = ItemState.FAILED, DownloadFailed("download_broke", reason=str(failure))
        with self._lock:
            slot.item = replace(slot.item, state=state, error=error)
            if state is ItemState.DONE and slot.file is not None:
                size = slot.file.size_bytes
                slot.item = replace(slot.item, progress=resting(size or 0, size))
        if slot.drop and state is not ItemState.DONE:
            self._discard(slot, None)
        self._go_on()
        if state is ItemState.DONE:
            settle(slot.item.path)

    def _bring(self, slot: _Slot) -> None:
        """Locate, then fetch; once more from the start if the file changed meanwhile."""
        if slot.file is None:
            slot.file = self._already_here(slot.item.wanted)
        for is_last in (False, True):
            file = slot.file or self._locate(slot)
            slot.file = file
            terms = Terms(self._token(), self._policy, self._free)
            try:
                record = fetch(
                    file, self.models, terms, slot.control, lambda p: self._note(slot, p)
                )
                slot.file = record.file
            except DownloadFailed as error:
                if error.code != "file_changed" or is_last:
                    raise
                with self._lock:
                    slot.file = None
                    newest = replace(slot.item.wanted, revision=None)
                    slot.item = replace(slot.item, wanted=newest)
            else:
                return

    def _already_here(self, wanted: Wanted) -> RemoteFile | None:
        """The finished file that is wanted, known by its hash without asking the network."""
        place = Place(self.models, safe_path(wanted.repo, wanted.name))
        record = load_record(place.record)
        if record is None or wanted.sha256 is None or record.whole_sha256 != wanted.sha256:
            return None
        return record.file if place.final.is_file() else None

    def _locate(self, slot: _Slot) -> RemoteFile:
        wanted = slot.item.wanted
        found: list[RemoteFile] = []

        def ask() -> None:
            slot.control.check()
            found.append(self._hub.locate(wanted.repo, wanted.name, wanted.revision))

        def wait(seconds: float, code: str) -> None:
            done, total = slot.item.done_bytes, slot.item.total_bytes
            self._note(slot, Progress(Phase.RETRYING, done, total, reason=code))
            slot.control.wait(seconds)

        retrying(ask, self._policy, wait, lambda: False)
        file = found[0]
        if wanted.sha256 and file.sha256 is None and file.commit == wanted.revision:
            return replace(file, sha256=wanted.sha256)
        if wanted.sha256 and file.sha256 and wanted.sha256.lower() != file.sha256.lower():
            _log.warning("%s: another version than expected", file.name)
        return file

    def _note(self, slot: _Slot, progress: Progress) -> None:
        with self._lock:
            slot.item = replace(slot.item, progress=progress)
        self._tell()

    def _discard(self, slot: _Slot, before: threading.Thread | None) -> None:
        """Remove what a cancelled download left."""
        if before is not None:
            before.join()
        place = Place(self.models, safe_path(slot.item.wanted.repo, slot.item.wanted.name))
        try:
            with only_writer(place):
                place.discard()
        except (DownloadFailed, OSError) as error:
            _log.warning("could not remove a partial download: %s", error)

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
        self._on_change(self.snapshot())
