"""What `./run test` runs: format, lint, types, import contracts, tests; then a summary.

All of them run, whatever the first ones find. `./run test lint` leaves the tests out;
`./run test unit -k words` runs the tests of one area only, with options of pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("unit", "process", "ui", "model")


@dataclass(frozen=True, slots=True)
class Check:
    """One program to run; it passes when its exit code is 0."""

    name: str
    command: tuple[str, ...]


def program(name: str) -> str:
    """A program of the environment that runs this."""
    return str(Path(sys.executable).with_name(name + (".exe" if os.name == "nt" else "")))


def static_checks() -> list[Check]:
    """The checks that read the code without running it."""
    return [
        Check("format", (program("ruff"), "format", "--check", ".")),
        Check("lint", (program("ruff"), "check", ".")),
        Check("types", (program("mypy"),)),
        Check("contracts", (program("lint-imports"),)),
    ]


def plan(arguments: Sequence[str]) -> list[Check]:
    """Which checks the arguments ask for."""
    rest = list(arguments)
    if rest == ["lint"]:
        return static_checks()
    folders = []
    while rest and rest[0] in AREAS:
        folders.append(f"tests/{rest.pop(0)}")
    tests = Check("tests", (sys.executable, "-m", "pytest", "-ra", *folders, *rest))
    return [tests] if arguments else [*static_checks(), tests]


def run(check: Check) -> tuple[bool, float]:
    """Run one check with its output shown; whether it passed, and its seconds."""
    print(f"\n== {check.name}", flush=True)
    start = time.monotonic()
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(check.command, cwd=ROOT, env=environ, check=False)
    return done.returncode == 0, time.monotonic() - start


def main(arguments: Sequence[str]) -> int:
    """Run the checks; 0 only if all passed."""
    results = [(check.name, *run(check)) for check in plan(arguments)]
    print("\n== summary")
    for name, passed, seconds in results:
        print(f"{name:<10} {'passed' if passed else 'FAILED'}  {seconds:6.1f} s")
    return 0 if all(passed for _, passed, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
