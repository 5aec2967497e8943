"""Two rooms may never meet in one process: the window and the engine's library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def modules_after(statement: str) -> set[str]:
    """Names of the modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_window_does_not_load_the_engines_library() -> None:
    """A native abort in llama.cpp may never take the window along."""
    loaded = modules_after("import app.ui.main_window")
    assert "PySide6.QtWidgets" in loaded
    assert "llama_cpp" not in loaded


def test_the_worker_does_not_load_qt() -> None:
    """The engine process stays small, and runs where there is no screen."""
    loaded = modules_after("import app.engine.worker")
    assert "app.engine.protocol" in loaded
    assert not {"PySide6", "shiboken6"} & loaded


def test_a_spawned_worker_reimports_main_without_loading_anything_heavy() -> None:
    """spawn imports main.py again in the child, before the worker's own imports."""
    loaded = modules_after("import main")
    assert not {name for name in loaded if name.split(".")[0] in ("app", "PySide6", "numpy")}
