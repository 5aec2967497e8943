"""What every test may rely on: no screen, no network beyond this computer, no trace left behind.

A test fails if a thread, a process or a running timer that it started outlives it, or if it talks
to another computer. Settings and models of the person who runs the tests are never touched.
"""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# No test fails on a time, and none writes into the repository.
settings.register_profile("slipstream", deadline=None, database=None, print_blob=True)
settings.load_profile("slipstream")

GRACE_SECONDS = 5.0  # for a thread or process that is already ending
LONG_LIVED_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")

STARTER = "SmolLM2-135M-Instruct.Q4_1.gguf"
DRAFT = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
TARGET = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"


# --- the person's own files ----------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Settings, logs and conversations of the tests lie in a folder of their own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLIPSTREAM_HOME", str(home))
        yield home


# --- models --------------------------------------------------------------------------------------


def model_file(name: str) -> Path:
    """A real GGUF file; the test is skipped, aloud, where it cannot be had."""
    given = os.environ.get("SLIPSTREAM_TEST_MODELS")
    folder = Path(given) if given else Path.home() / ".cache" / "slipstream-test-models"
    path = folder / name
    if not path.is_file():
        missing = f"no {name} in {folder}: ./run test fetches it"
        if os.environ.get("SLIPSTREAM_REQUIRE_MODELS"):
            pytest.fail(missing)
        pytest.skip(missing)
    return path


@pytest.fixture(scope="session")
def starter_model() -> Path:
    """SmolLM2 135M: small, of another family than the pair."""
    return model_file(STARTER)


@pytest.fixture(scope="session")
def draft_model() -> Path:
    """Qwen2.5-Coder 0.5B, the draft of the pair."""
    return model_file(DRAFT)


@pytest.fixture(scope="session")
def target_model() -> Path:
    """Qwen2.5-Coder 1.5B, the target of the pair."""
    return model_file(TARGET)


# --- the network ---------------------------------------------------------------------------------


def is_on_this_computer(host: object) -> bool:
    """Whether a host name or address cannot leave this computer."""
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test at the first attempt to reach another computer."""

    def guard(name: str) -> None:
        real: Callable[..., object] = getattr(socket.socket, name)

        def checked(self: socket.socket, address: object, *rest: object) -> object:
            if self.family in (socket.AF_INET, socket.AF_INET6):
                assert isinstance(address, tuple)
                if not is_on_this_computer(address[0]):
                    pytest.fail(f"the test reached for {address}: only this computer is allowed")
            return real(self, address, *rest)

        monkeypatch.setattr(socket.socket, name, checked)

    guard("connect")
    guard("connect_ex")
    look_up: Callable[..., object] = socket.getaddrinfo

    def checked_look_up(host: object, *rest: object, **named: object) -> object:
        if not is_on_this_computer(host):
            pytest.fail(f"the test looked {host!r} up: only this computer is allowed")
        return look_up(host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", checked_look_up)


# --- what a test leaves behind -------------------------------------------------------------------


def running_threads() -> set[threading.Thread]:
    """Threads that Python started; Qt's own show up as dummies and never end."""
    return {
        thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)
    }


def running_children() -> dict[int, str]:
    """Processes below this one, by id, that are neither ended nor helpers of the library."""
    found = {}
    for child in psutil.Process().children(recursive=True):
        try:
            command = " ".join(child.cmdline())
            ended = child.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            continue
        if not ended and not any(helper in command for helper in LONG_LIVED_HELPERS):
            found[child.pid] = command
    return found


def running_timers() -> list[str]:
    """Qt timers that are still ticking; none if Qt was not loaded."""
    core = sys.modules.get("PySide6.QtCore")
    shiboken = sys.modules.get("shiboken6")
    if core is None or shiboken is None:
        return []
    timers = [thing for thing in gc.get_objects() if isinstance(thing, core.QTimer)]
    return [
        f"{timer.objectName() or 'timer'} of {timer.parent()!r}"
        for timer in timers
        if shiboken.isValid(timer) and timer.isActive()
    ]


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test whose threads, processes or timers outlive it.

    Set up before a test's own fixtures and so torn down after them; what wider fixtures keep
    running was there before and does not count.
    """
    threads, children = running_threads(), set(running_children())
    yield
    deadline = time.monotonic() + GRACE_SECONDS
    while True:
        left = [f"thread {thread.name}" for thread in running_threads() - threads]
        now = running_children()
        left += [f"process {pid}: {now[pid]}" for pid in now.keys() - children]
        if not left or time.monotonic() > deadline:
            break
        time.sleep(0.02)
    if "qtbot" in request.fixturenames or "qapp" in request.fixturenames:
        left += [f"running {timer}" for timer in running_timers()]
    if left:
        pytest.fail("left behind: " + "; ".join(left))
