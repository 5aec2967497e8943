"""Files become text in a message and come out of it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.attachments import MAX_BYTES, AttachError, Attachment, compose, read, split


def test_the_question_comes_first_and_fences_never_end_early() -> None:
    file = Attachment("a.md", "before\n````\ninside\n````\nafter")
    message = compose("Look at this", (file,))
    assert message.startswith('Look at this\n\nFile "a.md":\n`````markdown\n')
    assert split(message) == ("Look at this", (file,))


@given(
    st.text(alphabet="ab `\n\"'", max_size=60),
    st.lists(st.text(alphabet="xy`\n ~", max_size=40), max_size=3),
)
def test_what_goes_in_comes_out(question: str, texts: list[str]) -> None:
    files = tuple(Attachment(f"f{n}.txt", text.strip("\n")) for n, text in enumerate(texts))
    message = compose(question, files)
    if split(question)[1]:
        return  # a question that looks like a file is shown as one
    found, kept = split(message)
    assert kept == files
    assert found.strip() == question.strip()


def test_ordinary_code_is_no_file() -> None:
    text = 'See "x":\n```python\ny\n```'
    assert split(text) == (text, ())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xef\xbb\xbfplain\r\nlines\r\n", "plain\nlines"),
        ("Grüße".encode(), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        ("Grüße".encode("cp1252"), "Grüße"),
        (b"", ""),
    ],
)
def test_text_of_any_usual_kind_is_read(tmp_path: Path, raw: bytes, text: str) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(raw)
    assert read(file).text == text


@pytest.mark.parametrize(
    ("name", "raw", "code"),
    [
        ("zero.bin", b"text\0more", "attach_not_text"),
        ("noise.bin", bytes(range(256)), "attach_not_text"),
        ("model.gguf", b"GGUF\x03\0\0\0", "attach_not_text"),
        ("large.txt", b"x" * (MAX_BYTES + 1), "attach_too_large"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, name: str, raw: bytes, code: str) -> None:
    file = tmp_path / name
    file.write_bytes(raw)
    with pytest.raises(AttachError) as caught:
        read(file)
    assert caught.value.code == code


def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(AttachError) as caught:
        read(tmp_path / "gone.txt")
    assert caught.value.code == "attach_unreadable"


def test_names_cannot_break_out(tmp_path: Path) -> None:
    file = tmp_path / 'a"b`c.txt'
    file.write_text("x")
    assert read(file).name == "a_b_c.txt"
