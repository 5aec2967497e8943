"""What was asked of `./run`, and whether the environment already fits it.

A stamp in `.venv`, written last, holds a hash of the lock files and of the engine's recipe: while
it matches, nothing has to be set up. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "packaging" / "locks"
VENV = ROOT / ".venv"
STAMP = VENV / "slipstream.json"
UNFINISHED = VENV / "slipstream-installing"  # there while pip works: if it stays, start over
PYTHONS = ((3, 11), (3, 14))  # first and last version that every dependency is published for
STAMP_FORMAT = 1

BACKENDS = ("auto", "cpu", "cuda", "vulkan", "metal")
USAGE = """usage: ./run [auto | cpu | cuda | vulkan | metal] [COMMAND ...]

  ./run                 set up what is missing, then open the window
  ./run COMMAND ...     the same without a window; ./run --help lists the commands
  ./run setup           only set up
  ./run test [AREA]     set up, then format, lint, types, import contracts and all tests;
                        AREA: lint, unit, process, ui or model, then options of pytest
  ./run cuda ...        build the engine for this backend and keep to it; auto chooses again
"""


@dataclass(frozen=True, slots=True)
class Request:
    """What was typed after ./run."""

    backend: str | None
    action: str  # "app", "setup", "test" or "help"
    rest: tuple[str, ...]

    @property
    def window(self) -> bool:
        """Whether the window will open."""
        return self.action == "app" and not self.rest


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the environment was set up for.

    Attributes:
        runtime: hash of what the app needs; dev: of what the checks need, "" if not installed.
        backend: the engine's; forced: it was asked for by name.
        engine: key of the installed engine.
        gpu_tools: which NVIDIA programs were there when the backend was chosen.
        window_missing: system libraries that the window lacks.
    """

    runtime: str
    dev: str
    backend: str
    forced: bool
    engine: str
    gpu_tools: str
    window_missing: tuple[str, ...] = ()


def venv_python(home: Path = VENV) -> Path:
    """The interpreter of a virtual environment."""
    return home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def parse(arguments: Sequence[str]) -> Request:
    """Tell ./run's own words from the app's."""
    rest = list(arguments)
    backend = rest.pop(0) if rest and rest[0] in BACKENDS else None
    action = "app"
    if rest and rest[0] in ("setup", "test"):
        action = rest.pop(0)
    elif rest and rest[0] in ("-h", "--help", "help"):
        action = "help"
    return Request(backend, action, tuple(rest))


def fingerprint(*files: Path) -> str:
    """Hash of the files and of the Python version."""
    digest = hashlib.sha256(f"{STAMP_FORMAT} {sys.version_info[:2]}".encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def runtime_hash() -> str:
    """Hash of everything that shapes what the app runs on."""
    recipe = ROOT / "packaging" / "engine_recipe.py"
    return fingerprint(LOCKS / "runtime.lock", LOCKS / "engine.lock", recipe)


def dev_hash() -> str:
    """Hash of what the checks need besides."""
    return fingerprint(LOCKS / "dev.lock")


def gpu_tools() -> str:
    """Which of NVIDIA's programs can be found: when that changes, the backend is chosen anew."""
    return " ".join(name for name in ("nvidia-smi", "nvcc") if shutil.which(name))


def read_stamp() -> Stamp | None:
    """The stamp of a finished set-up; None if there is none that can be read."""
    try:
        raw = json.loads(STAMP.read_text(encoding="utf-8"))
        return Stamp(**{**raw, "window_missing": tuple(raw["window_missing"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_stamp(stamp: Stamp) -> None:
    """Write the stamp in one step."""
    staged = STAMP.with_suffix(".new")
    staged.write_text(json.dumps(asdict(stamp), indent=1), encoding="utf-8")
    staged.replace(STAMP)


def is_current(stamp: Stamp | None, request: Request) -> bool:
    """Whether nothing has to be set up for this request."""
    if stamp is None or stamp.runtime != runtime_hash():
        return False
    if request.action == "test" and stamp.dev != dev_hash():
        return False
    if request.backend is None:
        return stamp.forced or stamp.gpu_tools == gpu_tools()
    if request.backend == "auto":
        return not stamp.forced and stamp.gpu_tools == gpu_tools()
    return stamp.forced and stamp.backend == request.backend
