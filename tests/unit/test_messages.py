"""Every code of the program has one sentence, and every value a sentence names is supplied."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from app import messages
from app.errors import AppError, RequestError
from app.messages import SENTENCES, describe, fill, sentence

APP = Path(messages.__file__).parent
# Where the code stands among the arguments, and whether the values are keywords or a dictionary
# behind it.
KEYWORDS = {
    "AppError",
    "ModelFileError",
    "PairingError",
    "LoadError",
    "RequestError",
    "StorageError",
    "DownloadFailed",
    "EngineLost",
    "ResultsError",
    "Stopped",
}
DICTIONARY = {
    "Advice": 0,
    "LoadStep": 0,
    "LoadFailed": 0,
    "RequestFailed": 1,
    "Notice": 0,
    "Problem": 0,
    "Reason": 0,
    "Missing": 0,
    "sentence": 0,
}
# Given by whoever fills a record, far from the code.
CODE_FIELDS = {"no_draft_because", "note"}


@dataclass(frozen=True)
class Use:
    """A code in the program's text.

    Attributes:
        pattern: the code; "*" stands for what is computed.
        values: names that are supplied with it; None where that cannot be seen.
    """

    place: str
    pattern: str
    values: frozenset[str] | None


def _patterns(node: ast.expr | None) -> list[str]:
    """Codes that an expression may give; none when that cannot be seen."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            shown = (part.value if isinstance(part, ast.Constant) else "*" for part in parts)
            return ["".join(str(each) for each in shown)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_patterns(body), *_patterns(orelse)]
        case _:
            return []


def _keys(node: ast.expr | None) -> frozenset[str] | None:
    if node is None:
        return frozenset()
    if not isinstance(node, ast.Dict):
        return None
    names = [key.value for key in node.keys if isinstance(key, ast.Constant)]
    return frozenset(map(str, names)) if len(names) == len(node.keys) else None


def _uses_of_call(call: ast.Call, place: str) -> Iterator[Use]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in KEYWORDS and call.args:
        given = [keyword.arg for keyword in call.keywords]
        values = None if None in given else frozenset(str(each) for each in given)
        for pattern in _patterns(call.args[0]):
            yield Use(place, pattern, values)
    elif name in DICTIONARY and len(call.args) > DICTIONARY[name]:
        at = DICTIONARY[name]
        named = next((k.value for k in call.keywords if k.arg == "detail"), None)
        detail = call.args[at + 1] if len(call.args) > at + 1 else named
        for pattern in _patterns(call.args[at]):
            yield Use(place, pattern, _keys(detail))
    for keyword in call.keywords:
        if keyword.arg in CODE_FIELDS:
            for pattern in _patterns(keyword.value):
                yield Use(place, pattern, None)


@cache
def uses() -> tuple[Use, ...]:
    """Every code that the program raises or reports, as far as its text tells."""
    found: list[Use] = []
    for path in sorted(APP.rglob("*.py")):
        if path == APP / "messages.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{path.relative_to(APP)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                found.extend(_uses_of_call(node, place))
    return tuple(found)


def _fields(code: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]) if name is not None}


def _id(use: Use) -> str:
    return f"{use.place} {use.pattern}"


def test_the_search_finds_the_codes() -> None:
    found = {use.pattern for use in uses()}
    assert len(found) > 60
    assert {"prompt_too_long", "context_shrunk", "not_loaded", "header_lies"} <= found


@pytest.mark.parametrize("use", uses(), ids=_id)
def test_a_code_has_a_sentence(use: Use) -> None:
    assert any(fnmatchcase(code, use.pattern) for code in SENTENCES), use.place


@pytest.mark.parametrize(
    "use", [use for use in uses() if use.values is not None and "*" not in use.pattern], ids=_id
)
def test_a_code_comes_with_every_value_its_sentence_names(use: Use) -> None:
    assert use.values is not None
    assert _fields(use.pattern) <= use.values, use.place


def test_no_code_has_two_sentences() -> None:
    tree = ast.parse((APP / "messages.py").read_text(encoding="utf-8"))
    keys = [
        key.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    ]
    assert sorted(keys) == sorted(set(keys))
    assert set(keys) >= set(SENTENCES)


def test_no_sentence_is_left_over() -> None:
    words: set[str] = set()
    for path in APP.rglob("*.py"):
        if path == APP / "messages.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant | ast.JoinedStr):
                words.update(_patterns(node))
    patterns = [word for word in words if re.fullmatch(r"[a-z0-9_*]*[a-z]{3}[a-z0-9_*]*", word)]
    unused = [
        code for code in SENTENCES if not any(fnmatchcase(code, pattern) for pattern in patterns)
    ]
    assert unused == []


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_is_whole_and_its_values_have_names(code: str) -> None:
    text = SENTENCES[code]
    assert text == " ".join(text.split()), "spaces"
    assert text[-1] in ".!?", text
    assert all(name.isidentifier() for name in _fields(code)), text
    assert "!" not in text.replace("!=", ""), "nobody is shouted at"


# --- filling in -----------------------------------------------------------------------------------


def test_values_are_filled_in() -> None:
    error = RequestError("prompt_too_long", prompt_tokens=900, fits=255)
    assert describe(error).startswith("The conversation is 900 tokens long and 255 fit.")


def test_a_value_that_is_missing_is_shown_by_its_name_and_loses_nothing() -> None:
    assert fill("{a} and {b}", {"a": 1}) == "1 and {b}"


def test_values_are_never_taken_for_patterns() -> None:
    assert fill("{path} is gone.", {"path": "{reason}{0}{.gguf"}) == "{reason}{0}{.gguf is gone."


def test_an_unknown_code_is_named() -> None:
    text = sentence("new_in_a_later_version", {})
    assert "new_in_a_later_version" in text
    assert describe(AppError("new_in_a_later_version", reason="x")) == text
