"""Questions to a Hub, asked through the real huggingface_hub."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.errors import DownloadFailed
from app.hub import download
from app.hub.download import Hub
from app.hub.names import FileKind
from app.hub.remote import RemoteBytes
from tests.loopback_hub import COMMIT, GOOD_TOKEN, Fault, LoopbackHub

REPO = "owner/Model-GGUF"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[LoopbackHub]:
    with LoopbackHub() as running:
        running.add(REPO, files(tmp_path, "Model-Q4_K_M.gguf", "Model-Q8_0.gguf", "README.md"))
        yield running
    download.close()


def files(folder: Path, *names: str) -> dict[str, Path]:
    found = {}
    for number, name in enumerate(names):
        path = folder / f"{len(list(folder.iterdir()))}-{number}"
        path.write_bytes(b"GGUF" + name.encode() * 100)
        found[name] = path
    return found


def ask(hub: LoopbackHub, token: str | None = None) -> Hub:
    return Hub(lambda: token, hub.endpoint)


def failure(question: Callable[[], object]) -> DownloadFailed:
    with pytest.raises(DownloadFailed) as caught:
        question()
    return caught.value


def test_search_shows_licence_gate_and_size_before_anything_is_downloaded(
    hub: LoopbackHub, tmp_path: Path
) -> None:
    hub.add(
        "owner/Gated-GGUF",
        files(tmp_path, "g.gguf"),
        gated=True,
        licence="gemma",
        downloads=5,
        gguf={"total": 1_000_000, "architecture": "gemma3", "context_length": 8192},
    )
    free, gated = ask(hub).search("gguf")
    assert (free.repo, free.licence, free.is_gated) == (REPO, "apache-2.0", False)
    assert (gated.licence, gated.is_gated, gated.downloads) == ("gemma", True, 5)
    assert (gated.parameters, gated.architecture, gated.context_length) == (
        1_000_000,
        "gemma3",
        8192,
    )
    assert [one.repo for one in ask(hub).search("", licence="gemma")] == ["owner/Gated-GGUF"]
    assert ask(hub).search("no such model") == []


def test_a_repository_is_pinned_to_a_commit_with_sizes_and_hashes(hub: LoopbackHub) -> None:
    found = ask(hub).repository(REPO)
    assert found.commit == COMMIT
    assert [choice.quantisation for choice in found.choices] == ["Q4_K_M", "Q8_0"]
    file = found.choices[0].files[0]
    truth = hub.file(REPO, file.name)
    assert (file.commit, file.size_bytes, file.sha256) == (COMMIT, truth.size, truth.sha256)


def test_split_files_and_sidecars_are_recognised(hub: LoopbackHub, tmp_path: Path) -> None:
    names = [
        "Q8_0/big-Q8_0-00001-of-00002.gguf",
        "Q8_0/big-Q8_0-00002-of-00002.gguf",
        "half-Q4_0-00001-of-00002.gguf",
        "both-Q4_0.gguf",
        "both-Q4_0-00001-of-00001.gguf",
        "mmproj-F16.gguf",
        "MTP/mtp-big.gguf",
        "small-DRAFT-Q4_0.gguf",
        "imatrix.gguf",
    ]
    hub.add(REPO, files(tmp_path, *names))
    found = ask(hub).repository(REPO)
    by_first = {choice.files[0].name: choice for choice in found.choices}
    assert set(by_first) == {names[0], names[3], names[7]}
    big = by_first[names[0]]
    assert [file.name for file in big.files] == names[:2]
    assert big.size_bytes == sum(hub.file(REPO, name).size for name in names[:2])
    assert by_first[names[7]].kind is FileKind.DRAFT
    assert {file.name for file in found.sidecars} == {names[5], names[6]}
    assert found.incomplete == ("half-Q4_0",)


def test_a_repository_without_models_says_so(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.add("owner/empty", files(tmp_path, "README.md"))
    assert failure(lambda: ask(hub).repository("owner/empty")).code == "no_gguf"


def test_a_file_is_located_with_one_question(hub: LoopbackHub) -> None:
    file = ask(hub).locate(REPO, "Model-Q8_0.gguf")
    truth = hub.file(REPO, "Model-Q8_0.gguf")
    assert (file.commit, file.size_bytes, file.sha256) == (COMMIT, truth.size, truth.sha256)
    assert [seen.method for seen in hub.requests] == ["HEAD"]


@pytest.mark.parametrize(
    ("name", "revision"), [("MODEL-q8_0.gguf", None), ("Model-Q8_0.gguf", "9" * 40)]
)
def test_a_renamed_file_or_a_rewritten_history_is_survived(
    hub: LoopbackHub, name: str, revision: str | None
) -> None:
    assert ask(hub).locate(REPO, name, revision).name == "Model-Q8_0.gguf"


def test_a_file_that_is_not_there(hub: LoopbackHub) -> None:
    assert failure(lambda: ask(hub).locate(REPO, "other.gguf")).code == "file_not_in_repo"


def test_missing_and_private_repositories(hub: LoopbackHub, tmp_path: Path) -> None:
    assert failure(lambda: ask(hub).repository("owner/none")).code == "needs_token"
    assert failure(lambda: ask(hub, GOOD_TOKEN).repository("owner/none")).code == "repo_not_found"
    hub.add("owner/mine", files(tmp_path, "m.gguf"), private=True)
    assert failure(lambda: ask(hub).repository("owner/mine")).code == "needs_token"
    assert ask(hub, GOOD_TOKEN).repository("owner/mine").choices


def test_a_gated_file_names_the_page_to_visit(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.add("owner/gated", files(tmp_path, "g.gguf"), gated=True)
    error = failure(lambda: ask(hub).locate("owner/gated", "g.gguf"))
    assert (error.code, error.detail["page"]) == (
        "gated_needs_token",
        f"{hub.endpoint}/owner/gated",
    )
    assert ask(hub, GOOD_TOKEN).locate("owner/gated", "g.gguf").size_bytes


def test_a_revoked_token(hub: LoopbackHub) -> None:
    assert failure(lambda: ask(hub, "hf_old").repository(REPO)).code == "token_rejected"
    assert failure(lambda: ask(hub, "hf_old").user_name()).code == "token_rejected"
    assert failure(lambda: ask(hub).user_name()).code == "token_missing"
    assert ask(hub, GOOD_TOKEN).user_name() == "tester"


@pytest.mark.parametrize(
    ("status", "headers", "code", "seconds"),
    [
        (429, {"Retry-After": "7"}, "rate_limited", 7.0),
        (429, {"RateLimit": '"api";r=0;t=55'}, "rate_limited", 55.0),
        (503, {}, "server_error", None),
        (403, {}, "forbidden", None),
    ],
)
def test_a_hub_that_refuses(
    hub: LoopbackHub, status: int, headers: dict[str, str], code: str, seconds: float | None
) -> None:
    hub.repos[REPO].status, hub.repos[REPO].status_headers = status, headers
    error = failure(lambda: ask(hub).repository(REPO))
    assert error.code == code
    assert error.detail.get("retry_seconds") == seconds


def test_no_network() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nowhere = Hub(endpoint=f"http://127.0.0.1:{unused.getsockname()[1]}")
        assert failure(lambda: nowhere.repository(REPO)).code == "no_connection"
        assert failure(lambda: nowhere.locate(REPO, "x.gguf")).code == "no_connection"


def test_a_name_that_is_none() -> None:
    assert failure(lambda: Hub().repository("a//b")).code == "repo_name_wrong"


def test_something_that_is_no_hub(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(hub.repos[REPO]), "info", lambda self: ["not", "an", "object"])
    assert failure(lambda: ask(hub).repository(REPO)).code == "not_a_hub"


def test_offline_mode_is_respected(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    ask(hub).search("warm the library up")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert failure(lambda: ask(hub).repository(REPO)).code == "offline_mode"


def test_the_endpoint_comes_from_the_environment(
    hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.endpoint + "/")
    assert Hub().endpoint == hub.endpoint
    assert Hub().repository(REPO).commit == COMMIT


def test_only_the_token_given_to_this_app_is_used(
    hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_of_another_program")
    ask(hub).repository(REPO)
    assert {seen.authorization for seen in hub.requests} == {None}
    assert os.environ["HF_HUB_DISABLE_XET"] == "1"


# reading a far file in place


def opened(hub: LoopbackHub, name: str = "Model-Q8_0.gguf") -> RemoteBytes:
    return ask(hub, GOOD_TOKEN).open(ask(hub).locate(REPO, name))


def test_ranges_of_a_far_file(hub: LoopbackHub) -> None:
    truth = hub.file(REPO, "Model-Q8_0.gguf").path.read_bytes()
    with opened(hub) as far:
        assert (far.size, far.is_remote) == (len(truth), True)
        assert far.name == f"{REPO}/Model-Q8_0.gguf"
        assert far.read(0, 64) == truth[:64]
        assert far.read(100, 50) == truth[100:150]
        assert far.read(far.size - 3, 100) == truth[-3:]
        assert far.read(far.size, 1) == b""
        assert far.fetched_bytes == 64 + 50 + 3
    assert all(seen.authorization is None for seen in hub.requests if seen.server == "storage")


def test_the_hub_is_asked_once_where_a_far_file_lies_until_that_place_expires(
    hub: LoopbackHub,
) -> None:
    with opened(hub) as far:
        hub.requests.clear()
        for offset in range(3):
            far.read(offset, 4)
        assert [seen.server for seen in hub.requests] == ["hub", "storage", "storage", "storage"]
        hub.faults[REPO, "Model-Q8_0.gguf"] = Fault(times=1, status=403)
        far.read(9, 4)
        assert [seen.server for seen in hub.requests[4:]] == ["storage", "hub", "storage"]


def test_a_far_file_survives_a_dropped_connection(hub: LoopbackHub) -> None:
    with opened(hub) as far:
        hub.faults[REPO, "Model-Q8_0.gguf"] = Fault(times=2, drop_after=5)
        assert far.read(0, 10) == hub.file(REPO, "Model-Q8_0.gguf").path.read_bytes()[:10]


@pytest.mark.parametrize("fault", [Fault(ignore_range=True), Fault(wrong_range=True)])
def test_a_far_file_on_a_server_without_ranges(hub: LoopbackHub, fault: Fault) -> None:
    truth = hub.file(REPO, "Model-Q8_0.gguf").path.read_bytes()
    hub.faults[REPO, "Model-Q8_0.gguf"] = fault
    with opened(hub) as far:
        if fault.ignore_range:
            assert far.read(10, 10) == truth[10:20]
        else:
            assert failure(lambda: far.read(10, 10)).code == "range_refused"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(html=True), "html_received"),
        (Fault(status=503), "server_error"),
        (Fault(drop_after=2), "connection_lost"),
    ],
)
def test_a_far_file_that_cannot_be_had(hub: LoopbackHub, fault: Fault, code: str) -> None:
    hub.faults[REPO, "Model-Q8_0.gguf"] = fault
    with opened(hub) as far:
        assert failure(lambda: far.read(0, 10)).code == code


def test_a_search_without_a_network_fails_at_the_first_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The library would try for half a minute, while somebody waits."""
    download.close()
    attempts: list[str] = []
    send = httpx2.Client.send

    def counted(self: httpx2.Client, request: httpx2.Request, **options: Any) -> httpx2.Response:
        attempts.append(str(request.url))
        return send(self, request, **options)

    monkeypatch.setattr(httpx2.Client, "send", counted)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        hub = Hub(endpoint=f"http://127.0.0.1:{unused.getsockname()[1]}")
        assert failure(lambda: hub.search("x")).code == "no_connection"
    assert len(attempts) == 1
    download.close()
