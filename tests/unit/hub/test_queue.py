"""Several downloads: order, pause, resume, cancel, restart, and what is shown of them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import DownloadFailed
from app.hub.items import Item, ItemState, Snapshot, Wanted
from app.hub.partial import DISK_MARGIN_BYTES
from app.hub.progress import Phase
from app.hub.queue import DownloadQueue
from app.hub.records import RemoteFile
from app.hub.retry import RetryPolicy
from tests.loopback_hub import COMMIT, Fault, LoopbackHub

REPO = "owner/pair-GGUF"
TARGET, DRAFT = "target-Q4_K_M.gguf", "draft-Q8_0.gguf"
SIZES = {TARGET: 2_000_000, DRAFT: 500_000}
PAIR = [Wanted(REPO, TARGET, size_bytes=SIZES[TARGET]), Wanted(REPO, DRAFT)]
QUICK = RetryPolicy(attempts=3, first_wait_seconds=0.01, stall_seconds=20)


class PlainLocator:
    """Finds files on the loopback Hub without asking it."""

    def __init__(self, hub: LoopbackHub) -> None:
        self.hub = hub
        self.failures: list[DownloadFailed] = []
        self.asked: list[str | None] = []

    def locate(self, repo: str, name: str, revision: str | None = None) -> RemoteFile:
        self.asked.append(revision)
        if self.failures:
            raise self.failures.pop(0)
        file = self.hub.file(repo, name)
        commit = self.hub.repos[repo].commit
        return RemoteFile(
            self.hub.endpoint, repo, name, commit, file.size, file.sha256, file.sha256
        )


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[LoopbackHub]:
    with LoopbackHub() as running:
        running.add(REPO, write_files(tmp_path, seed=1))
        yield running


def write_files(folder: Path, seed: int) -> dict[str, Path]:
    paths = {}
    for name, size in SIZES.items():
        paths[name] = folder / f"{seed}-{name}"
        paths[name].write_bytes(b"GGUF" + random.Random(seed).randbytes(size - 4))
    return paths


@pytest.fixture
def make_queue(hub: LoopbackHub, tmp_path: Path) -> Iterator[Callable[..., DownloadQueue]]:
    made: list[DownloadQueue] = []

    def make(**options: object) -> DownloadQueue:
        locator = options.pop("locator", None) or PlainLocator(hub)
        queue = DownloadQueue(tmp_path / "models", locator, policy=QUICK, **options)  # type: ignore[arg-type]
        made.append(queue)
        return queue

    yield make
    for queue in made:
        queue.close()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def item(queue: DownloadQueue, key: str) -> Item:
    return next(one for one in queue.snapshot().items if one.key == key)


def test_a_pair_arrives_in_order_and_adds_up(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    shown: list[Snapshot] = []
    queue = make_queue(on_change=shown.append)
    keys = queue.add(PAIR)
    assert queue.wait(20)
    assert [one.state for one in queue.snapshot().items] == [ItemState.DONE] * 2
    for key in keys:
        assert item(queue, key).path.stat().st_size == item(queue, key).total_bytes
    bodies = [seen.path for seen in hub.requests if seen.server == "storage"]
    assert [path.rpartition("/")[2] for path in bodies] == [TARGET, DRAFT]
    end = queue.snapshot()
    assert end.done_bytes == end.total_bytes == sum(SIZES.values())
    assert any(snapshot.items[0].state is ItemState.RUNNING for snapshot in shown)
    queue.clear_done()
    assert queue.snapshot().items == ()


def test_pause_and_resume_lose_nothing(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, TARGET] = Fault(times=1, stall_after=1_000_000)
    queue = make_queue()
    target, draft = queue.add(PAIR)
    until(lambda: item(queue, target).done_bytes == 1_000_000)
    queue.pause(target)
    assert item(queue, target).state is ItemState.PAUSED  # at once, whatever the network does
    until(lambda: item(queue, draft).state is ItemState.DONE)  # the next one gets its turn
    queue.resume(target)
    assert queue.wait(20)
    assert item(queue, target).state is ItemState.DONE
    assert hub.sent[TARGET] == SIZES[TARGET]


def test_cancel_removes_what_arrived(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, TARGET] = Fault(stall_after=1_000_000)
    queue = make_queue()
    (key,) = queue.add(PAIR[:1])
    until(lambda: item(queue, key).done_bytes == 1_000_000)
    queue.cancel(key)
    assert queue.snapshot().items == ()
    until(lambda: not list(queue.models.rglob("*.part")))
    until(lambda: not list(queue.models.rglob("*.json")))


def test_a_cancelled_file_can_be_asked_for_again_at_once(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, TARGET] = Fault(times=1, stall_after=1_000_000)
    queue = make_queue()
    (key,) = queue.add(PAIR[:1])
    until(lambda: item(queue, key).done_bytes == 1_000_000)
    queue.cancel(key)
    queue.add(PAIR[:1])
    assert queue.wait(20)
    assert item(queue, key).state is ItemState.DONE
    assert hub.requests[-1].range is None  # cancelled means from the start


@pytest.mark.parametrize("again", [False, True])
def test_a_paused_download_can_be_cancelled(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue], again: bool
) -> None:
    hub.faults[REPO, TARGET] = Fault(stall_after=1_000_000)
    queue = make_queue()
    (key,) = queue.add(PAIR[:1])
    until(lambda: item(queue, key).done_bytes == 1_000_000)
    queue.pause(key)
    if again:
        queue.resume(key)
    queue.cancel(key)
    until(lambda: not list(queue.models.rglob("*.part")))
    queue.close()
    assert not list(queue.models.rglob("*.part"))


def test_partials_survive_a_restart(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, TARGET] = Fault(times=1, stall_after=1_000_000)
    first = make_queue()
    (key,) = first.add(PAIR[:1])
    until(lambda: item(first, key).done_bytes == 1_000_000)
    first.close()

    locator = PlainLocator(hub)
    second = make_queue(locator=locator)
    assert second.restore() == 1
    restored = item(second, key)
    assert (restored.state, restored.done_bytes) == (ItemState.PAUSED, 1_000_000)
    assert restored.total_bytes == SIZES[TARGET]
    second.resume(key)
    assert second.wait(20)
    assert item(second, key).state is ItemState.DONE
    assert hub.sent[TARGET] == SIZES[TARGET]
    assert locator.asked == []  # the record on disk knew enough


def test_one_file_asked_for_twice_is_one_download(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, DRAFT] = Fault(bytes_per_second=2_000_000)
    queue = make_queue()
    assert queue.add(PAIR[1:]) == queue.add(PAIR[1:])
    assert queue.wait(20)
    assert len(queue.snapshot().items) == 1
    assert hub.sent[DRAFT] == SIZES[DRAFT]


def test_two_queues_do_not_write_one_file(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, TARGET] = Fault(times=1, stall_after=1_000_000)
    one, other = make_queue(), make_queue()
    (key,) = one.add(PAIR[:1])
    until(lambda: item(one, key).done_bytes == 1_000_000)
    other.add(PAIR[:1])
    assert other.wait(20)
    error = item(other, key).error
    assert error is not None
    assert error.code == "download_running"


def test_all_together_must_fit_on_the_disk(make_queue: Callable[..., DownloadQueue]) -> None:
    wanted = [replace(one, size_bytes=SIZES[one.name]) for one in PAIR]
    queue = make_queue(free=lambda _: DISK_MARGIN_BYTES + sum(SIZES.values()) - 1)
    with pytest.raises(DownloadFailed) as caught:
        queue.add(wanted)
    assert caught.value.code == "disk_full"
    assert queue.snapshot().items == ()


def test_an_unsafe_name_is_refused_at_once(make_queue: Callable[..., DownloadQueue]) -> None:
    with pytest.raises(DownloadFailed) as caught:
        make_queue().add([Wanted(REPO, "../evil.gguf")])
    assert caught.value.code == "unsafe_name"


def test_a_failure_is_shown_and_the_next_file_still_comes(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    locator = PlainLocator(hub)
    locator.failures = [DownloadFailed("gated", repo=REPO)]
    queue = make_queue(locator=locator)
    target, draft = queue.add(PAIR)
    assert queue.wait(20)
    failed = item(queue, target)
    assert failed.state is ItemState.FAILED
    assert failed.error is not None
    assert failed.error.code == "gated"
    assert item(queue, draft).state is ItemState.DONE
    queue.resume(target)
    assert queue.wait(20)
    assert item(queue, target).state is ItemState.DONE


def test_looking_up_is_patient_too(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    locator = PlainLocator(hub)
    locator.failures = [DownloadFailed("server_error", status=503)] * 2
    reasons: list[str | None] = []

    def note(snapshot: Snapshot) -> None:
        reasons.extend(one.progress.reason for one in snapshot.items if one.progress)

    queue = make_queue(locator=locator, on_change=note)
    (key,) = queue.add(PAIR[1:])
    assert queue.wait(20)
    assert item(queue, key).state is ItemState.DONE
    assert "server_error" in reasons  # the wait is not silent


def test_a_file_that_changed_meanwhile_is_fetched_in_its_new_version(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue], tmp_path: Path
) -> None:
    hub.faults[REPO, TARGET] = Fault(times=1, stall_after=1_000_000)
    queue = make_queue()
    (key,) = queue.add(PAIR[:1])
    until(lambda: item(queue, key).done_bytes == 1_000_000)
    queue.pause(key)
    new = write_files(tmp_path, seed=2)
    hub.add(REPO, new)
    queue.resume(key)
    assert queue.wait(20)
    assert item(queue, key).state is ItemState.DONE
    assert item(queue, key).path.read_bytes() == new[TARGET].read_bytes()


def test_a_known_hash_is_used_where_the_hub_states_none(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    class Silent(PlainLocator):
        def locate(self, repo: str, name: str, revision: str | None = None) -> RemoteFile:
            return replace(super().locate(repo, name, revision), sha256=None)

    queue = make_queue(locator=Silent(hub))
    (key,) = queue.add([Wanted(REPO, DRAFT, COMMIT, sha256="0" * 64)])
    assert queue.wait(20)
    error = item(queue, key).error
    assert error is not None
    assert error.code == "hash_mismatch"


def test_what_is_here_already_needs_no_network(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    known = Wanted(REPO, DRAFT, sha256=hub.file(REPO, DRAFT).sha256)
    queue = make_queue()
    queue.add([known])
    assert queue.wait(20)
    hub.requests.clear()
    locator = PlainLocator(hub)
    later = make_queue(locator=locator)
    (key,) = later.add([known])
    assert later.wait(20)
    assert item(later, key).state is ItemState.DONE
    assert (locator.asked, hub.requests) == ([], [])


def test_pausing_during_a_retry_ends_the_wait(
    hub: LoopbackHub, make_queue: Callable[..., DownloadQueue]
) -> None:
    hub.faults[REPO, TARGET] = Fault(status=503, headers=(("Retry-After", "300"),))
    queue = make_queue()
    (key,) = queue.add(PAIR[:1])

    def waits() -> bool:
        progress = item(queue, key).progress
        return progress is not None and progress.phase is Phase.RETRYING

    until(waits)
    progress = item(queue, key).progress
    assert progress is not None
    assert progress.reason == "server_error"
    queue.close()
    until(lambda: not any(t.name == "download" for t in threading.enumerate()))
