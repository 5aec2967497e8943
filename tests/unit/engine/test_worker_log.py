"""The log stays small, keeps its end, and its absence hurts nobody."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.engine import worker_log


def test_a_log_that_grew_too_long_keeps_its_last_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(b"".join(b"line %05d\n" % i for i in range(1000)))
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
    worker_log.trim(descriptor, limit_bytes=5_000, kept_bytes=105)
    os.write(descriptor, b"new\n")
    os.close(descriptor)
    assert path.read_text().splitlines() == [
        "[older lines were dropped]",
        *(f"line {i:05}" for i in range(991, 1000)),
        "new",
    ]


def test_a_short_log_and_a_device_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_text("short\n")
    for target in (path, Path(os.devnull)):
        descriptor = os.open(target, os.O_RDWR)
        worker_log.trim(descriptor)
        os.close(descriptor)
    assert path.read_text() == "short\n"


def test_only_the_newest_logs_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    made = []
    for number in range(1, 12):
        path = worker_log.new_log_file(folder, number)
        path.touch()
        made.append(path)
    (folder / "something else.txt").touch()
    worker_log.new_log_file(folder, 12)
    assert sorted(folder.glob("engine-*")) == made[-worker_log.KEPT_FILES + 1 :]
    assert (folder / "something else.txt").exists()


def test_a_folder_that_cannot_be_made_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    path = worker_log.new_log_file(tmp_path / "file" / "logs", 1)
    assert worker_log.last_lines(path) == ()
    assert len(caplog.records) == 2


def test_last_lines_of_any_bytes(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(b"old\n" * 50_000 + b"\xff\xfe bad\nlast")
    lines = worker_log.last_lines(path)
    assert len(lines) == worker_log.TAIL_LINES
    assert lines[-2:] == ("\ufffd\ufffd bad", "last")
