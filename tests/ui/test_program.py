"""The whole program, as a user starts it: the real process, the real engine, no model."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]


def started(home: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "SLIPSTREAM_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen([sys.executable, str(ROOT / "main.py")], env=environment, cwd=home)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to catch")
def test_start_second_start_and_end(tmp_path: Path) -> None:
    first = started(tmp_path)
    try:
        deadline = time.monotonic() + 50
        while not (tmp_path / "conversations.sqlite3").exists():
            assert first.poll() is None, "it ended by itself"
            assert time.monotonic() < deadline
            time.sleep(0.05)
        second = started(tmp_path)
        assert second.wait(50) == 0, "the second start finds the first and ends"
        assert first.poll() is None
        while not psutil.Process(first.pid).children():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        children = psutil.Process(first.pid).children(recursive=True)
        first.send_signal(signal.SIGTERM)
        assert first.wait(50) == 0
        gone, alive = psutil.wait_procs(children, timeout=10)
        assert alive == []
        assert gone
    finally:
        if first.poll() is None:
            first.kill()
            first.wait()
