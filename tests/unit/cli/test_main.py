"""The top of the command line: failures become a sentence, an object and an exit code."""

from __future__ import annotations

import io
import json
import sys

import pytest

from app import cli
from app.errors import AppError, RequestError

ARGUMENTS = ["self-test"]


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run(*_: object) -> int:
        raise error

    monkeypatch.setattr(cli.self_test, "run", run)


@pytest.mark.parametrize("as_json", [False, True])
def test_a_failure(
    as_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, RequestError("prompt_too_long", prompt_tokens=9, fits=8))
    assert cli.main([*ARGUMENTS, "--json"] if as_json else ARGUMENTS) == 1
    out, err = capsys.readouterr()
    assert err.startswith("The conversation is 9 tokens long and 8 fit.")
    if as_json:
        assert json.loads(out) == {
            "error": {
                "code": "prompt_too_long",
                "detail": {"prompt_tokens": 9, "fits": 8},
                "message": err.rstrip("\n"),
            }
        }
    else:
        assert out == ""


def test_an_unknown_code_is_still_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, AppError("never_heard_of"))
    assert cli.main(ARGUMENTS) == 1
    assert "never_heard_of" in capsys.readouterr().err


def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    assert cli.main(ARGUMENTS) == 130
    assert capsys.readouterr() == ("", "Stopped.\n")


def test_a_programming_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        cli.main(ARGUMENTS)


def test_outputs_take_every_character(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    monkeypatch.setattr(cli.self_test, "run", lambda *_: 0 * sys.stdout.write("zwölf 🙂 \ud800\n"))
    assert cli.main(ARGUMENTS) == 0
    sys.stdout.flush()
    assert raw.getvalue().decode() == "zwölf 🙂 \\ud800\n"
