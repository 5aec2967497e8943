"""The library's ten lines, as the README shows them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.model

PROGRAM = """
import sys
from app.engine import open_pair
with open_pair(sys.argv[1], n_ctx=512) as pair:
    for piece in pair.answer("Say hello.", temperature=0, max_tokens=12):
        print(piece.text, end="")
    next(pair.answer("Tell a long story."))
    print()
    print(pair.stats.generated_tokens, pair.stats.tokens_per_second)
"""


def test_a_pair_answers_in_ten_lines(starter_model: Path) -> None:
    """In a process of its own, as a script is; an answer that is not read to its end is stopped."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(starter_model)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert "ello" in run.stdout
