"""File names: what they say, and whether they are safe."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import DownloadFailed
from app.hub.names import FileKind, Split, kind_of, quantisation_of, safe_path, split_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Qwen3-8B-Q4_K_M.gguf", "Q4_K_M"),
        ("qwen2.5-0.5b-instruct-q4_k_m.gguf", "Q4_K_M"),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", "Q4_1"),
        ("UD/model-UD-Q4_K_XL.gguf", "UD-Q4_K_XL"),
        ("model.i1-IQ4_XS.gguf", "IQ4_XS"),
        ("gpt-oss-20b-MXFP4.gguf", "MXFP4"),
        ("gemma-3-4b-it-qat-q4_0-it.gguf", "Q4_0"),
        ("big-Q8_0-00001-of-00004.gguf", "Q8_0"),
        ("model-BF16.gguf", "BF16"),
        ("Q8_0-repo/plain.gguf", None),
    ],
)
def test_quantisation(name: str, expected: str | None) -> None:
    assert quantisation_of(name) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Qwen3-8B-Q4_K_M.gguf", FileKind.MODEL),
        ("mmproj-model-f16.gguf", FileKind.PROJECTOR),
        ("gemma-BF16-mmproj.gguf", FileKind.PROJECTOR),
        ("mtp-gemma-4-31B-it-Q8_0.gguf", FileKind.NATIVE_DRAFTER),
        ("MTP/x-Q4_0.gguf", FileKind.NATIVE_DRAFTER),
        ("Qwen3-4B-DFlash.Q8_0.gguf", FileKind.NATIVE_DRAFTER),
        ("llama-eagle3-Q4.gguf", FileKind.NATIVE_DRAFTER),
        ("DeepSeek-R1-DRAFT-0.5B-Q4_0.gguf", FileKind.DRAFT),
        ("imatrix.gguf", FileKind.OTHER),
        ("config.json", FileKind.OTHER),
        ("Llama-Draftsman-7B.gguf", FileKind.MODEL),
    ],
)
def test_kinds(name: str, kind: FileKind) -> None:
    assert kind_of(name) is kind


def test_splits() -> None:
    assert split_of("a/b-00002-of-00003.gguf") == Split("a/b", 2, 3)
    assert Split("a/b", 2, 3).part(1) == "a/b-00001-of-00003.gguf"
    assert split_of("a/b-00004-of-00003.gguf") is None
    assert split_of("a/b-00000-of-00003.gguf") is None
    assert split_of("a/b.gguf") is None


def test_a_plain_name_keeps_its_path() -> None:
    assert safe_path("owner/repo", "Q4/x.gguf") == PurePosixPath("owner/repo/Q4/x.gguf")


@pytest.mark.parametrize(
    ("repo", "name"),
    [
        ("owner/repo", name)
        for name in (
            "",
            "..",
            "../x.gguf",
            "a/../x.gguf",
            "/abs.gguf",
            "C:\\x.gguf",
            "c:x.gguf",
            "a\\b.gguf",
            "CON",
            "con.gguf",
            "a/LPT1.txt",
            "nul .gguf",
            "COM¹.gguf",
            "trailing.",
            "trailing ",
            "a//b.gguf",
            ".hidden",
            "new\nline.gguf",
            "bell\x07.gguf",
            "right\u202eleft.gguf",
            "x" * 300 + ".gguf",
            "what?.gguf",
        )
    ]
    + [("../up", "x.gguf"), ("a/b/c", "x.gguf"), ("", "x.gguf"), ("owner/aux", "x.gguf")],
)
def test_unsafe_names(repo: str, name: str) -> None:
    with pytest.raises(DownloadFailed) as caught:
        safe_path(repo, name)
    assert caught.value.code == "unsafe_name"


@given(st.text(max_size=60))
def test_no_text_leaves_the_folder(name: str) -> None:
    try:
        path = safe_path("owner/repo", name)
    except DownloadFailed:
        return
    assert path.parts[:2] == ("owner", "repo")
    assert ".." not in path.parts
    assert not path.is_absolute()
