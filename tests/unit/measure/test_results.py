"""Results files: foreign, damaged, cut short, unwritable."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.measure import report
from app.measure.benchmark import RESULTS_NAME
from app.measure.report_page import to_markdown
from app.measure.results import ResultsError, ResultsFile, read
from app.monitor.tariff import Tariff
from tests.unit.measure.bench_help import a_plan, run
from tests.unit.measure.scripted_link import ScriptedLink


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a small finished benchmark."""
    folder = tmp_path_factory.mktemp("good")
    run(ScriptedLink(), folder, a_plan(requests=2, warm_ups=0))
    return (folder / RESULTS_NAME).read_text(encoding="utf-8")


def code_of(path: Path) -> str:
    with pytest.raises(ResultsError) as caught:
        read(path)
    return caught.value.code


def test_what_was_written_comes_back(good: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(good)
    results = read(path)
    assert results.requests[0].token_ids == tuple(range(31))
    assert results.head["plan"]["arms"] == ["off", "draft:3", "auto", "lookup"]
    assert len(results.done) == len(results.waves)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "results_foreign"),
        ("hello\n", "results_foreign"),
        ('{"a": 1}\n', "results_foreign"),
        ("[]\n", "results_foreign"),
        ('{"format": "slipstream-benchmark", "version": 99}\n', "results_newer"),
        ("[" * 100_000 + "\n", "results_foreign"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, text: str, code: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(text)
    assert code_of(path) == code


def test_missing_and_binary_files(tmp_path: Path) -> None:
    assert code_of(tmp_path / "none") == "results_unreadable"
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    assert code_of(tmp_path / "b") == "results_unreadable"


@pytest.mark.parametrize(
    "change",
    [
        {"ttft_seconds": "soon"},
        {"ttft_seconds": -1.0},
        {"ttft_seconds": float("nan")},
        {"ttft_seconds": float("inf")},
        {"token_ids": [1, "two"]},
        {"slot": True},
        {"prompt": None},
    ],
)
def test_a_damaged_record_is_told_by_its_line(
    good: str, tmp_path: Path, change: dict[str, object]
) -> None:
    lines = good.splitlines()
    number = next(n for n, line in enumerate(lines) if '"kind":"request"' in line)
    lines[number] = json.dumps(json.loads(lines[number]) | change)
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ResultsError) as caught:
        read(path)
    assert caught.value.code == "results_damaged"
    assert caught.value.detail["line"] == number + 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(data=st.data())
def test_no_damage_ends_in_anything_but_a_sentence(
    good: str, tmp_path: Path, data: st.DataObject
) -> None:
    raw = bytearray(good.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "r.jsonl"
    path.write_bytes(bytes(raw[: data.draw(st.integers(0, len(raw)))]))
    with contextlib.suppress(ResultsError):
        to_markdown(report.make(read(path), Tariff(0.1, "EUR")))


def test_requests_of_an_unfinished_wave_do_not_count(good: str, tmp_path: Path) -> None:
    lines = good.splitlines()
    assert '"kind":"wave"' in lines[-1]
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(lines[:-1]) + "\n")
    results = read(path)
    assert len(results.requests) == sum(wave.at_once for wave in results.waves)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="rights do not bind this user")
def test_an_unwritable_folder_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ResultsError, match="results_unwritable"):
            ResultsFile(tmp_path / "r.jsonl").begin({})
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_in_the_way_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ResultsError, match="results_unwritable"):
        ResultsFile(tmp_path / "file" / "r.jsonl").begin({})


@pytest.mark.parametrize("part", ["plan", "circumstances"])
def test_a_head_without_its_parts_is_damaged(good: str, tmp_path: Path, part: str) -> None:
    lines = good.splitlines()
    head = json.loads(lines[0])
    for name in head[part]:
        if name in ("requests", "max_depth", "draft"):
            continue
        path = tmp_path / f"{name}.jsonl"
        lacks = head | {part: {key: value for key, value in head[part].items() if key != name}}
        path.write_text("\n".join([json.dumps(lacks), *lines[1:]]) + "\n")
        assert code_of(path) == "results_damaged"


def test_every_line_reaches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    run(ScriptedLink(), tmp_path, a_plan(requests=1, warm_ups=0))
    assert len(synced) == len((tmp_path / RESULTS_NAME).read_text().splitlines())
