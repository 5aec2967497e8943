"""Every failure of this room has a sentence, and every value the sentence names is given."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from app.hub import library, partial, web
from app.hub.records import RemoteFile
from app.messages import SENTENCES, describe

ROOM = Path(library.__file__).parent
RAISERS = {"DownloadFailed", "AppError", "ModelFileError", "PairingError", "Reason"}


def raised() -> list[tuple[str, str, set[str]]]:
    """File, code and keyword names of every error made in this room with its code written out."""
    found = []
    for path in sorted(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            first = node.args[0] if node.args else None
            if node.func.id in RAISERS and isinstance(first, ast.Constant):
                names = {str(keyword.arg) for keyword in node.keywords}
                if node.func.id == "Reason":  # the tests that make reasons look at those
                    names = {"in a dictionary"}
                found.append((path.name, str(first.value), names))
    return found


def fields_of(code: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]) if name}


def test_codes_are_found() -> None:
    assert len(raised()) > 40


@pytest.mark.parametrize(("file", "code", "names"), raised())
def test_a_code_has_a_sentence_and_its_values(file: str, code: str, names: set[str]) -> None:
    assert code in SENTENCES, file
    if names != {"in a dictionary"}:
        assert fields_of(code) <= names, file


@pytest.mark.parametrize("status", [400, 401, 403, 404, 407, 408, 418, 429, 500, 503])
@pytest.mark.parametrize("error_code", ["", "GatedRepo", "RepoNotFound", "EntryNotFound"])
@pytest.mark.parametrize("has_token", [False, True])
@pytest.mark.parametrize("moved", [False, True])
def test_every_refusal_can_be_said(
    status: int, error_code: str, has_token: bool, moved: bool
) -> None:
    file = RemoteFile("https://hub.example", "owner/repo", "m.gguf", "1" * 40)
    headers = {"X-Error-Code": error_code}
    error = web.refusal_of(status, headers, file, has_token=has_token, moved=moved)
    assert "{" not in describe(error)


@pytest.mark.parametrize("number", [1, 2, 5, 13, 20, 27, 28, 30, 122, 116])
def test_every_disk_failure_can_be_said(tmp_path: Path, number: int) -> None:
    place = partial.place_of(
        tmp_path, RemoteFile("https://hub.example", "owner/repo", "m.gguf", "1" * 40)
    )
    error = partial.disk_failure(OSError(number, "reason"), place)
    assert "{" not in describe(error)
