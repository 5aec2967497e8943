"""A worker must start without Qt, and a window without llama.cpp."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("module", ["app.engine.worker", "app.engine.client"])
def test_neither_side_loads_the_other_sides_libraries(module: str) -> None:
    code = (
        f"import sys, {module}; "
        "heavy = {'PySide6', 'llama_cpp', 'numpy', 'jinja2'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
