"""What people type for a model, and which file of a repository that is."""

from __future__ import annotations

import pytest

from app.errors import DownloadFailed
from app.hub.records import RemoteFile
from app.hub.reference import Reference, find_choice, parse_reference, wanted_files
from app.hub.repository import Repository, RepoSummary, group_files


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("owner/repo", Reference("owner/repo")),
        (" owner/repo ", Reference("owner/repo")),
        ("owner/repo/a/b.gguf", Reference("owner/repo", "a/b.gguf")),
        ("owner/repo:Q4_K_M", Reference("owner/repo", None, "Q4_K_M")),
        ("hf.co/owner/repo:q8_0", Reference("owner/repo", None, "q8_0")),
        ("https://huggingface.co/owner/repo", Reference("owner/repo")),
        ("https://huggingface.co/owner/repo/tree/main", Reference("owner/repo")),
        (
            "https://huggingface.co/owner/repo/blob/main/a%20b.gguf?x=1#y",
            Reference("owner/repo", "a b.gguf"),
        ),
        (
            "http://127.0.0.1:9/owner/repo/resolve/0123/b.gguf",
            Reference("owner/repo", "b.gguf", None, "0123"),
        ),
    ],
)
def test_what_is_understood(text: str, expected: Reference) -> None:
    assert parse_reference(text) == expected


@pytest.mark.parametrize(
    "text", ["", "qwen3-8b+0.6b", "one", "../up/x", "/a/model.gguf", "a//b", "a b/c", "C:\\m/x"]
)
def test_what_is_no_repository(text: str) -> None:
    assert parse_reference(text) is None


def repository(*names: str) -> Repository:
    files = [RemoteFile("https://h", "o/r", name, "1" * 40, 10, "a" * 64) for name in names]
    summary = RepoSummary("o/r", "https://h/o/r", None, False, 0, 0, None, None, None, None)
    return Repository(summary, "1" * 40, *group_files(files))


MANY = repository("m-Q4_K_M.gguf", "m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf")


def test_any_part_means_the_whole_of_a_split_model() -> None:
    choice = find_choice(MANY, Reference("o/r", "M-Q8_0-00002-of-00002.gguf"))
    assert [one.name for one in wanted_files(choice)] == [
        "m-Q8_0-00001-of-00002.gguf",
        "m-Q8_0-00002-of-00002.gguf",
    ]
    assert all(one.revision == "1" * 40 and one.sha256 for one in wanted_files(choice))


def test_a_quantisation_names_a_file() -> None:
    assert find_choice(MANY, Reference("o/r", None, "q4_k_m")).files[0].name == "m-Q4_K_M.gguf"


def test_a_sidecar_can_be_named_and_is_never_assumed() -> None:
    found = repository("m-Q4_K_M.gguf", "mmproj-F16.gguf")
    assert find_choice(found, Reference("o/r", "mmproj-F16.gguf")).files[0].name.startswith("mmp")


@pytest.mark.parametrize(
    ("reference", "code", "words"),
    [
        (Reference("o/r"), "file_not_named", "m-Q4_K_M.gguf"),
        (Reference("o/r", "gone.gguf"), "file_not_in_repo", "gone.gguf"),
        (Reference("o/r", None, "Q2_K"), "file_not_in_repo", "Q2_K"),
    ],
)
def test_what_cannot_be_decided_is_said(reference: Reference, code: str, words: str) -> None:
    with pytest.raises(DownloadFailed) as caught:
        find_choice(MANY, reference)
    assert caught.value.code == code
    assert words in str(caught.value.detail)


def test_the_only_model_need_not_be_named() -> None:
    assert find_choice(repository("m-Q4_K_M.gguf"), Reference("o/r")).files[0].repo == "o/r"
