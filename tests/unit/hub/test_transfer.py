"""One file from a Hub, against every way a server, a network or a disk can fail."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import DownloadFailed
from app.hub import partial
from app.hub.partial import DISK_MARGIN_BYTES, Place, only_writer, place_of
from app.hub.progress import Control, Phase, Progress, Stop, Stopped
from app.hub.records import Record, RemoteFile, load_record
from app.hub.retry import RetryPolicy
from app.hub.transfer import Terms, fetch
from tests.loopback_hub import COMMIT, GOOD_TOKEN, Fault, LoopbackHub

REPO, NAME = "owner/model-GGUF", "model-Q4_K_M.gguf"
SIZE = 3_000_000
QUICK = RetryPolicy(attempts=3, first_wait_seconds=0.01, stall_seconds=0.4)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[LoopbackHub]:
    path = tmp_path / "served.gguf"
    path.write_bytes(b"GGUF" + random.Random(1).randbytes(SIZE - 4))
    with LoopbackHub() as running:
        running.add(REPO, {NAME: path})
        yield running


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def remote(hub: LoopbackHub, name: str = NAME) -> RemoteFile:
    file = hub.file(REPO, name)
    return RemoteFile(hub.endpoint, REPO, name, COMMIT, file.size, file.sha256, file.sha256)


def bring(
    file: RemoteFile,
    models: Path,
    *,
    token: str | None = None,
    policy: RetryPolicy = QUICK,
    control: Control | None = None,
    seen: Callable[[Progress], None] = lambda _: None,
) -> Record:
    return fetch(file, models, Terms(token, policy), control or Control(), seen)


def code_of(file: RemoteFile, models: Path, token: str | None = None) -> DownloadFailed:
    with pytest.raises(DownloadFailed) as caught:
        bring(file, models, token=token)
    return caught.value


def is_right(models: Path, file: RemoteFile) -> bool:
    data = place_of(models, file).final.read_bytes()
    return hashlib.sha256(data).hexdigest() == file.sha256


def test_a_file_arrives_with_its_record_and_leaves_nothing_else(
    hub: LoopbackHub, models: Path
) -> None:
    file = remote(hub)
    record = bring(file, models)
    place = place_of(models, file)
    assert place.final == models / "owner" / "model-GGUF" / NAME
    assert is_right(models, file)
    assert record.whole_sha256 == file.sha256
    assert load_record(place.record) == record
    assert (record.file.commit, record.file.size_bytes) == (COMMIT, SIZE)
    assert not place.part.exists()
    assert not place.part_record.exists()


def test_a_file_that_is_here_is_not_asked_for_again(hub: LoopbackHub, models: Path) -> None:
    bring(remote(hub), models)
    hub.requests.clear()
    bring(remote(hub), models)
    assert hub.requests == []


def test_a_file_copied_in_by_hand_is_recognised_by_its_hash(hub: LoopbackHub, models: Path) -> None:
    file = remote(hub)
    place = place_of(models, file)
    place.final.parent.mkdir(parents=True)
    place.final.write_bytes(hub.file(REPO, NAME).path.read_bytes())
    bring(file, models)
    assert hub.requests == []
    assert load_record(place.record) is not None


def test_a_damaged_finished_file_is_replaced(hub: LoopbackHub, models: Path) -> None:
    file = remote(hub)
    bring(file, models)
    place_of(models, file).final.write_bytes(b"GGUF")
    bring(file, models)
    assert is_right(models, file)


def test_a_dropped_connection_goes_on_where_it_was(hub: LoopbackHub, models: Path) -> None:
    hub.faults[REPO, NAME] = Fault(times=2, drop_after=1_000_000)
    bring(remote(hub), models)
    assert is_right(models, remote(hub))
    assert hub.sent[NAME] == SIZE  # not a byte twice
    ranges = [seen.range for seen in hub.requests if seen.server == "storage"]
    assert ranges == [None, "bytes=1000000-", "bytes=2000000-"]


def test_a_server_without_ranges_is_survived(hub: LoopbackHub, models: Path) -> None:
    with pytest.raises(Stopped):
        stop_at(hub, models, 500_000)
    hub.faults[REPO, NAME] = Fault(ignore_range=True)
    bring(remote(hub), models)
    assert is_right(models, remote(hub))


def test_a_server_that_ignores_ranges_and_always_breaks_off_is_given_up(
    hub: LoopbackHub, models: Path
) -> None:
    hub.faults[REPO, NAME] = Fault(ignore_range=True, drop_after=1_000_000)
    assert code_of(remote(hub), models).code == "connection_lost"


@pytest.mark.parametrize("fault", [Fault(wrong_range=True), Fault(status=416)])
def test_a_wrong_or_refused_range_leads_to_a_fresh_start(
    hub: LoopbackHub, models: Path, fault: Fault
) -> None:
    with pytest.raises(Stopped):
        stop_at(hub, models, 500_000)
    hub.faults[REPO, NAME] = replace(fault, times=1)
    bring(remote(hub), models)
    assert is_right(models, remote(hub))


def test_a_range_refused_twice_is_an_error(hub: LoopbackHub, models: Path) -> None:
    hub.faults[REPO, NAME] = Fault(status=416)
    assert code_of(remote(hub), models).code == "range_refused"


def test_a_lie_about_the_size_is_noticed_before_it_is_downloaded(
    hub: LoopbackHub, models: Path
) -> None:
    hub.faults[REPO, NAME] = Fault(stated_extra=100)
    error = code_of(remote(hub), models)
    assert (error.code, error.detail["have"]) == ("size_mismatch", SIZE + 100)


def test_a_file_larger_than_the_hub_said_is_not_written(hub: LoopbackHub, models: Path) -> None:
    file = replace(remote(hub), size_bytes=SIZE - 10)
    assert code_of(file, models).code == "size_mismatch"
    assert not place_of(models, file).final.exists()


def test_a_body_shorter_than_stated_is_tried_again_then_given_up(
    hub: LoopbackHub, models: Path
) -> None:
    hub.faults[REPO, NAME] = Fault(stated_extra=100)
    file = replace(remote(hub), size_bytes=SIZE + 100, sha256=None)
    assert code_of(file, models).code in ("connection_lost", "range_refused")


def test_a_silent_server_counts_as_stalled_and_is_asked_again(
    hub: LoopbackHub, models: Path
) -> None:
    hub.faults[REPO, NAME] = Fault(times=1, stall_after=1_000_000)
    reasons: list[str | None] = []
    bring(remote(hub), models, seen=lambda p: reasons.append(p.reason))
    assert is_right(models, remote(hub))
    assert "stalled" in reasons
    assert hub.sent[NAME] == SIZE


def test_a_page_instead_of_the_file_is_refused(hub: LoopbackHub, models: Path) -> None:
    hub.faults[REPO, NAME] = Fault(html=True)
    assert code_of(remote(hub), models).code == "html_received"


def test_other_bytes_than_a_model_are_refused_at_the_first_one(
    hub: LoopbackHub, models: Path, tmp_path: Path
) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"PK\x03\x04" + bytes(2_000_000))
    hub.add(REPO, {"zip.gguf": path})
    assert code_of(remote(hub, "zip.gguf"), models).code == "not_a_model_file"


def test_a_wrong_hash_never_gets_the_final_name(hub: LoopbackHub, models: Path) -> None:
    hub.faults[REPO, NAME] = Fault(corrupt=True)
    file = remote(hub)
    assert code_of(file, models).code == "hash_mismatch"
    place = place_of(models, file)
    assert not place.final.exists()
    assert not place.part.exists()  # the next attempt must not build on it


def test_a_file_that_changed_between_attempts_is_noticed(
    hub: LoopbackHub, models: Path, tmp_path: Path
) -> None:
    file = remote(hub)
    with pytest.raises(Stopped):
        stop_at(hub, models, 500_000)
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF" + random.Random(2).randbytes(SIZE - 4))
    hub.add(REPO, {NAME: other})
    assert code_of(file, models).code == "file_changed"
    bring(remote(hub), models)
    assert is_right(models, remote(hub))


def test_without_an_identity_from_the_hub_the_bodys_etag_guards_a_resume(
    hub: LoopbackHub, models: Path, tmp_path: Path
) -> None:
    hub.redirects = False
    bare = replace(remote(hub), sha256=None, etag=None)
    with pytest.raises(Stopped):
        stop_at(hub, models, 500_000, file=bare)
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF" + random.Random(2).randbytes(SIZE - 4))
    hub.add(REPO, {NAME: other})
    bring(bare, models)
    assert hub.requests[-1].if_range is not None
    assert place_of(models, bare).final.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("status", "headers", "code"),
    [
        (401, {}, "needs_token"),
        (401, {"X-Error-Code": "GatedRepo"}, "gated_needs_token"),
        (403, {"X-Error-Code": "GatedRepo"}, "gated_needs_token"),
        (403, {}, "forbidden"),
        (404, {"X-Error-Code": "EntryNotFound"}, "file_not_in_repo"),
        (404, {"X-Error-Code": "RepoNotFound"}, "repo_not_found"),
        (404, {"X-Error-Code": "RevisionNotFound"}, "revision_not_found"),
        (400, {}, "request_refused"),
    ],
)
def test_a_refusal_is_named_and_not_repeated(
    hub: LoopbackHub, models: Path, status: int, headers: dict[str, str], code: str
) -> None:
    hub.redirects = False
    hub.faults[REPO, NAME] = Fault(status=status, headers=tuple(headers.items()))
    error = code_of(remote(hub), models)
    assert error.code == code
    assert error.detail["page"] == f"{hub.endpoint}/{REPO}"
    assert len(hub.requests) == 1


def test_a_gated_model_with_a_token_that_lacks_the_licence(hub: LoopbackHub, models: Path) -> None:
    hub.redirects = False
    hub.faults[REPO, NAME] = Fault(status=403, headers=(("X-Error-Code", "GatedRepo"),))
    assert code_of(remote(hub), models, token=GOOD_TOKEN).code == "gated"


def test_a_revoked_token_is_named(hub: LoopbackHub, models: Path) -> None:
    assert code_of(remote(hub), models, token="hf_revoked").code == "token_rejected"


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_after_the_time_it_asks_for(
    hub: LoopbackHub, models: Path, status: int
) -> None:
    hub.faults[REPO, NAME] = Fault(times=1, status=status, headers=(("Retry-After", "1"),))
    began = time.monotonic()
    bring(remote(hub), models)
    assert time.monotonic() - began >= 1.0
    assert is_right(models, remote(hub))


def test_a_server_that_asks_for_an_hour_is_told_to_the_user(hub: LoopbackHub, models: Path) -> None:
    hub.faults[REPO, NAME] = Fault(status=429, headers=(("Retry-After", "3600"),))
    error = code_of(remote(hub), models)
    assert (error.code, error.detail["retry_seconds"]) == ("rate_limited", 3600.0)


def test_an_expired_storage_address_is_renewed_by_asking_the_hub(
    hub: LoopbackHub, models: Path
) -> None:
    hub.faults[REPO, NAME] = Fault(times=1, status=403)
    bring(remote(hub), models)
    assert is_right(models, remote(hub))


def test_the_token_does_not_travel_to_the_storage_host(hub: LoopbackHub, models: Path) -> None:
    bring(remote(hub), models, token=GOOD_TOKEN)
    carried = {seen.server: seen.authorization for seen in hub.requests}
    assert carried == {"hub": f"Bearer {GOOD_TOKEN}", "storage": None}


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/x", "file:///etc/passwd", ""])
def test_a_redirect_elsewhere_is_refused(hub: LoopbackHub, models: Path, target: str) -> None:
    hub.faults[REPO, NAME] = (
        Fault(redirect=target) if target else Fault(redirect="/owner/model-GGUF/" + NAME)
    )
    assert code_of(remote(hub), models).code == "redirect_refused"


def test_no_network(models: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
        file = RemoteFile(endpoint, REPO, NAME, COMMIT, SIZE, "0" * 64, "0" * 64)
        assert code_of(file, models).code == "no_connection"


def test_a_name_that_does_not_resolve(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "unknown name")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    file = RemoteFile("http://hub.invalid", REPO, NAME, COMMIT, SIZE, "0" * 64, "0" * 64)
    assert code_of(file, models).code == "dns_failed"


def test_a_proxy_that_refuses(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        monkeypatch.setenv("http_proxy", f"http://user:secret@{address}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        error = code_of(remote(hub), models)
    assert (error.code, error.detail["proxy"]) == ("proxy_refused", address)


def test_a_proxy_of_the_environment_is_used(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.redirects = False
    monkeypatch.setenv("http_proxy", hub.endpoint)  # it answers for any host
    file = replace(remote(hub), endpoint="http://hub.invalid")
    bring(file, models)
    assert is_right(models, file)
    assert hub.requests[0].path.startswith("http://hub.invalid/")


def test_a_full_disk_is_noticed_before_a_byte_is_asked_for(hub: LoopbackHub, models: Path) -> None:
    terms = Terms(None, QUICK, lambda _: DISK_MARGIN_BYTES + SIZE - 1)
    with pytest.raises(DownloadFailed) as caught:
        fetch(remote(hub), models, terms, Control(), lambda _: None)
    assert caught.value.code == "disk_full"
    assert caught.value.detail["need_bytes"] == SIZE + DISK_MARGIN_BYTES
    assert hub.requests == []


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "disk_filled"),
        (errno.EFBIG, "file_too_large"),
        (errno.EROFS, "folder_not_writable"),
        (errno.EIO, "disk_failed"),
    ],
)
def test_a_disk_that_fails_midway_keeps_what_arrived(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    file, written = remote(hub), 0

    class Failing:
        """Passes a megabyte on, then fails as the system does."""

        def __init__(self, path: Path, mode: str, **_: object) -> None:
            self._file = open(path, mode, buffering=0)  # noqa: PTH123, SIM115 - closed below

        def __enter__(self) -> Failing:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def __getattr__(self, name: str) -> object:
            return getattr(self._file, name)

        def write(self, data: bytes) -> int:
            nonlocal written
            if written > 1_000_000:
                raise OSError(number, os.strerror(number))
            written += len(data)
            return self._file.write(data)

    part = place_of(models, file).part
    true_open = Path.open
    with monkeypatch.context() as patch:
        patch.setattr(
            Path,
            "open",
            lambda self, mode="r", **options: (
                Failing(self, mode) if self == part else true_open(self, mode, **options)
            ),
        )
        assert code_of(file, models).code == code
    kept = part.stat().st_size
    assert kept > 1_000_000
    bring(file, models)
    assert is_right(models, file)
    assert f"bytes={kept}-" in [seen.range for seen in hub.requests]


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise there")
def test_a_folder_that_cannot_be_written(hub: LoopbackHub, tmp_path: Path) -> None:
    blocked = tmp_path / "file-in-the-way"
    blocked.write_text("")
    assert code_of(remote(hub), blocked / "models").code == "folder_gone"


def test_a_folder_that_goes_away_midway(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: Place, record: Record) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr(partial.Place, "finish", gone)
    assert code_of(remote(hub), models).code == "folder_gone"


def test_two_writers_of_one_file(hub: LoopbackHub, models: Path) -> None:
    file = remote(hub)
    with only_writer(place_of(models, file)):
        assert code_of(file, models).code == "download_running"
    bring(file, models)
    assert is_right(models, file)


def stop_at(
    hub: LoopbackHub,
    models: Path,
    done_bytes: int,
    *,
    stop: Stop = Stop.PAUSE,
    file: RemoteFile | None = None,
) -> None:
    """Download slowly and stop once so much has arrived."""
    hub.faults[REPO, NAME] = Fault(times=1, stall_after=done_bytes)
    control = Control()

    def seen(progress: Progress) -> None:
        if progress.phase is Phase.RECEIVING and progress.done_bytes >= done_bytes:
            control.stop(stop)

    bring(
        file or remote(hub),
        models,
        control=control,
        seen=seen,
        policy=replace(QUICK, stall_seconds=20),
    )


def test_a_pause_keeps_what_arrived_and_the_rest_comes_later(
    hub: LoopbackHub, models: Path
) -> None:
    with pytest.raises(Stopped) as caught:
        stop_at(hub, models, 1_000_000)
    assert caught.value.stop is Stop.PAUSE
    assert place_of(models, remote(hub)).part_bytes() == 1_000_000
    phases: list[Phase] = []
    bring(remote(hub), models, seen=lambda p: phases.append(p.phase))
    assert is_right(models, remote(hub))
    assert phases[0] is Phase.CHECKING
    assert hub.sent[NAME] == SIZE


@pytest.mark.parametrize("after", [0, 700_000])
def test_a_silent_server_does_not_hold_up_a_pause(
    hub: LoopbackHub, models: Path, after: int
) -> None:
    hub.faults[REPO, NAME] = Fault(times=1, stall_after=after)
    control, ended = Control(), threading.Event()

    def work() -> None:
        with pytest.raises(Stopped):
            bring(remote(hub), models, control=control, policy=RetryPolicy(stall_seconds=60))
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not any(seen.server == "storage" for seen in hub.requests):
        time.sleep(0.01)
    control.stop(Stop.PAUSE)
    # Generous: the promise is half a second, the machine that runs this may be busy.
    assert ended.wait(10)
    thread.join()


def test_progress_says_speed_and_remaining_time(hub: LoopbackHub, models: Path) -> None:
    hub.faults[REPO, NAME] = Fault(bytes_per_second=4_000_000)
    seen: list[Progress] = []
    bring(remote(hub), models, seen=seen.append)
    moving = [p for p in seen if p.phase is Phase.RECEIVING and p.bytes_per_second > 0]
    assert moving
    for progress in moving:
        assert progress.total_bytes == SIZE
        assert progress.remaining_seconds == pytest.approx(
            (SIZE - progress.done_bytes) / progress.bytes_per_second
        )


def test_a_partial_of_other_content_is_not_built_upon(
    hub: LoopbackHub, models: Path, tmp_path: Path
) -> None:
    with pytest.raises(Stopped):
        stop_at(hub, models, 1_000_000)
    place = place_of(models, remote(hub))
    place.part_record.write_text("{ damaged")
    bring(remote(hub), models)
    assert is_right(models, remote(hub))
    assert hub.requests[-1].range is None


def test_bytes_damaged_on_the_disk_are_caught_at_the_end(hub: LoopbackHub, models: Path) -> None:
    with pytest.raises(Stopped):
        stop_at(hub, models, 1_000_000)
    place = place_of(models, remote(hub))
    data = bytearray(place.part.read_bytes())
    data[500_000] ^= 1
    place.part.write_bytes(data)
    assert code_of(remote(hub), models).code == "hash_mismatch"
    bring(remote(hub), models)
    assert is_right(models, remote(hub))


@pytest.mark.parametrize(
    "name",
    ["../x.gguf", "a/../../x.gguf", "/etc/x.gguf", "C:/x.gguf", "a\\..\\x.gguf", "nul.gguf"],
)
def test_a_name_that_leaves_the_folder_is_refused(
    hub: LoopbackHub, models: Path, name: str
) -> None:
    assert code_of(replace(remote(hub), name=name), models).code == "unsafe_name"
    assert not models.exists()
