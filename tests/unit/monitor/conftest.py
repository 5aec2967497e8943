"""A libnvidia-ml that plays known power, under the real pynvml; a clock that only a test moves."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

COUNTER, INSTANT, USAGE, MEMORY_V2 = 1, 2, 4, 8
EVERYTHING = COUNTER | INSTANT | USAGE | MEMORY_V2
Curve = Sequence[tuple[float, float]]


class Clock:
    """Seconds as the test wants them."""

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class StandIn:
    """The library's other side: what it offers, plays and refuses."""

    def __init__(self, library: Any) -> None:
        self.library = library
        library.stand_in_joules.restype = ctypes.c_double
        self.offer(EVERYTHING)

    def offer(self, abilities: int, devices: int = 1) -> None:
        """Begin anew with these abilities, at 100 W for ever, on the real clock."""
        self.library.stand_in_begin(abilities, devices)

    def play(self, curve: Curve) -> None:
        """Power over time: straight lines between points (seconds, watts)."""
        for index, (at, watts) in enumerate(curve):
            self.library.stand_in_point(index, ctypes.c_double(at), ctypes.c_double(watts))

    def time(self, now: float) -> None:
        """Stop the library's clock at a moment."""
        self.library.stand_in_time(ctypes.c_double(now))

    def counter(self, step_seconds: float = 0.0, reset_at: float = -1.0) -> None:
        """Renew the counter in steps only; begin again at 0 at a moment."""
        self.library.stand_in_counter(ctypes.c_double(step_seconds), ctypes.c_double(reset_at))

    def fail(self, *, init: int = 0, calls: int = 0, after: int = 0) -> None:
        """Answer with NVML error codes: at nvmlInit, and from some call on."""
        self.library.stand_in_fail(init, calls, after)

    def joules(self, begin: float, end: float) -> float:
        """What was really drawn."""
        return float(self.library.stand_in_joules(ctypes.c_double(begin), ctypes.c_double(end)))

    @property
    def calls(self) -> int:
        return int(self.library.stand_in_calls())

    @property
    def is_open(self) -> bool:
        return bool(self.library.stand_in_open())


@pytest.fixture(scope="session")
def nvml_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in, compiled, under the name that pynvml loads."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: the stand-in for NVIDIA's library cannot be built")
    built = tmp_path_factory.mktemp("nvml") / "libnvidia-ml.so.1"
    source = Path(__file__).with_name("stand_in_nvml.c")
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", built, source]
    subprocess.run(command, check=True)
    return built


@pytest.fixture
def nvml(nvml_library: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """The real pynvml, on the stand-in; fails if NVML is left open."""
    import pynvml

    library = ctypes.CDLL(str(nvml_library))
    monkeypatch.setattr(pynvml, "nvmlLib", library)
    monkeypatch.setattr(pynvml, "_nvmlGetFunctionPointer_cache", {})
    stand_in = StandIn(library)
    yield stand_in
    assert not stand_in.is_open, "NVML was left open"


@pytest.fixture
def clock() -> Clock:
    return Clock()
