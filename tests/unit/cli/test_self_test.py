"""`self-test`: a report of every part, and exit code 1 when one that is there fails."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.cli import self_test
from app.engine.protocol import Event, FinishReason, GenerationFinished, LoadFailed
from app.engine.stats import GenerationStats
from tests.unit.cli.scripted_run import LOADED, given, scripted

FINISHED = GenerationFinished("self-test", FinishReason.LENGTH, GenerationStats(generated_tokens=8))


def report(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    starter: Path,
    *script: Sequence[Event],
    window: dict[str, object] | None = None,
) -> tuple[int, dict[str, Any]]:
    _, run = scripted(*script)
    monkeypatch.setattr(self_test, "engine", lambda: given(run))
    monkeypatch.setattr(self_test, "starter_model", lambda: starter)
    check = None if window is None else lambda: window
    code = cli.main(["self-test", "--json"], window_check=check)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, found


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    path = tmp_path / "starter.gguf"
    path.touch()
    return path


def test_all_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], starter: Path
) -> None:
    window = {"opened": True}
    code, found = report(monkeypatch, capsys, starter, [LOADED], [FINISHED], window=window)
    assert (code, found["ok"]) == (0, True)
    assert found["starter"] == {"present": True, "tokens": 8, "speed": None}
    assert found["window"] == window
    assert found["engine"]["cpu_module"] == "fast"
    assert found["engine"]["devices"][0]["kind"] == "cpu"


def test_no_starter_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, found = report(monkeypatch, capsys, tmp_path / "none")
    assert (code, found["starter"]) == (0, {"present": False})
    assert "window" not in found


def test_a_starter_that_fails_is_a_failure_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], starter: Path
) -> None:
    failed = LoadFailed("model_not_loaded", {"path": "starter.gguf", "reason": "bad magic"})
    code, found = report(monkeypatch, capsys, starter, [failed])
    assert (code, found["ok"]) == (1, False)
    assert "starter.gguf could not be loaded: bad magic" in found["starter"]["error"]


def test_a_window_that_fails_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    window: dict[str, object] = {"error": "no screen"}
    code, found = report(monkeypatch, capsys, tmp_path / "none", window=window)
    assert (code, found["window"]) == (1, window)


def test_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, run = scripted()
    monkeypatch.setattr(self_test, "engine", lambda: given(run))
    monkeypatch.setattr(self_test, "starter_model", lambda: tmp_path / "none")
    assert cli.main(["self-test"]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert lines["ok"] == "True"
    assert json.loads(lines["starter"]) == {"present": False}
