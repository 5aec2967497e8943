"""Everything that can go wrong with a download, and the words a person must see for it.

One table for the command line and for the window: each case prepares a Hub on loopback, or this
computer, so that bringing REPO/NAME fails.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest

from app.hub.partial import Place, only_writer
from app.hub.retry import RetryPolicy
from tests.loopback_hub import Fault, LoopbackHub

REPO, NAME = "owner/model-GGUF", "model-Q4_K_M.gguf"
SIZE = 1_500_000
QUICK = RetryPolicy(attempts=2, first_wait_seconds=0.01, stall_seconds=0.3)


@dataclass
class Scene:
    """Where a case plays.

    Attributes:
        what: the file asked for, as REPO/FILE.
        undo: cleaned up at the end of the test.
    """

    hub: LoopbackHub
    models: Path
    patch: pytest.MonkeyPatch
    undo: ExitStack
    what: str = f"{REPO}/{NAME}"

    def fault(self, **how: object) -> None:
        """The file misbehaves when its bytes are asked for."""
        self.hub.faults[REPO, NAME] = Fault(**how)  # type: ignore[arg-type]

    def serve(self, name: str, first: bytes = b"GGUF") -> None:
        """Another file in the repository."""
        path = self.models.parent / f"served-{len(self.hub.repos[REPO].files)}"
        path.write_bytes(first + random.Random(3).randbytes(100_000))
        files = {name: path, NAME: self.hub.file(REPO, NAME).path}
        self.hub.add(REPO, files)
        self.what = f"{REPO}/{name}"

    def hold(self, context: AbstractContextManager[object]) -> None:
        self.undo.enter_context(context)


@dataclass(frozen=True)
class Case:
    """A failure and what must be said.

    Attributes:
        early: it shows when the repository is looked at, before anything is queued.
    """

    name: str
    words: str
    prepare: Callable[[Scene], None]
    early: bool = False


def scene(hub: LoopbackHub, home: Path, patch: pytest.MonkeyPatch, undo: ExitStack) -> Scene:
    """A Hub with one file, and a person who was never here."""
    path = home / "served.gguf"
    path.write_bytes(b"GGUF" + random.Random(1).randbytes(SIZE - 4))
    hub.add(REPO, {NAME: path})
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        patch.delenv(name, raising=False)
        patch.delenv(name.upper(), raising=False)
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HF_HOME", "HF_HUB_CACHE", "LLAMA_CACHE"):
        patch.delenv(name, raising=False)
    patch.setenv("HF_ENDPOINT", hub.endpoint)
    return Scene(hub, home / "models", patch, undo)


def unused_address(at: Scene) -> str:
    """An address nobody listens at."""
    unused = at.undo.enter_context(socket.socket())
    unused.bind(("127.0.0.1", 0))
    return f"127.0.0.1:{unused.getsockname()[1]}"


def _no_network(at: Scene) -> None:
    at.patch.setenv("HF_ENDPOINT", f"http://{unused_address(at)}")


def _no_name(at: Scene) -> None:
    def fail(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "unknown name")

    at.patch.setattr(socket, "getaddrinfo", fail)
    at.patch.setenv("HF_ENDPOINT", "http://hub.invalid")


def _proxy(at: Scene) -> None:
    at.patch.setenv("http_proxy", f"http://{unused_address(at)}")


def _hub_status(status: int, **headers: str) -> Callable[[Scene], None]:
    def prepare(at: Scene) -> None:
        at.hub.repos[REPO].status = status
        at.hub.repos[REPO].status_headers = headers

    return prepare


def _direct(at: Scene, **how: object) -> None:
    """The Hub itself sends the bytes, so what it refuses is its own word."""
    at.hub.redirects = False
    at.fault(**how)


def _gated(at: Scene) -> None:
    at.hub.repos[REPO].gated = True


def _private(at: Scene) -> None:
    at.hub.repos[REPO].private = True


def _no_model(at: Scene) -> None:
    path = at.models.parent / "README.md"
    path.write_text("nothing here")
    at.hub.add(REPO, {"README.md": path})


def _full_at_start(at: Scene) -> None:
    usage = SimpleNamespace(total=10**12, used=10**12, free=5 * 10**8)
    at.patch.setattr(shutil, "disk_usage", lambda _: usage)


def _full_midway(at: Scene) -> None:
    part = Place(at.models, PurePosixPath(f"{REPO}/{NAME}")).part
    true_open = Path.open

    class Full:
        """A disk without room."""

        def __init__(self, file: object) -> None:
            self._file = file

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()  # type: ignore[attr-defined]

        def __getattr__(self, name: str) -> object:
            return getattr(self._file, name)

        def write(self, _: bytes) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def opened(self: Path, mode: str = "r", **options: object) -> object:
        file = true_open(self, mode, **options)  # type: ignore[call-overload]
        return Full(file) if self == part and "w" in mode else file

    at.patch.setattr(Path, "open", opened)


def _folder_blocked(at: Scene) -> None:
    at.models.write_text("a file in the way")


def _folder_read_only(at: Scene) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    at.patch.setattr(Path, "mkdir", refuse)


def _climbing_name(at: Scene) -> None:
    at.serve("a/../../evil-Q2_K.gguf")
    at.what = f"{REPO}:Q2_K"


def _two_writers(at: Scene) -> None:
    at.hold(only_writer(Place(at.models, PurePosixPath(f"{REPO}/{NAME}"))))


CASES = (
    Case("no network", "cannot be reached", _no_network, early=True),
    Case("name lookup fails", "cannot be found", _no_name, early=True),
    Case("proxy refuses", "does not let us through", _proxy, early=True),
    Case("hub error", "has trouble of its own (error 500)", _hub_status(500), early=True),
    Case(
        "too many requests",
        "asks for a pause",
        _hub_status(429, **{"Retry-After": "3600"}),
        early=True,
    ),
    Case("private", "does not exist, or only some people may see it", _private, early=True),
    Case("no model", "holds no model in the GGUF format", _no_model, early=True),
    Case("gated", "want you to accept their licence first", _gated),
    Case("refused", "does not allow this download", lambda at: _direct(at, status=403)),
    Case("storage refuses", "refuses to send", lambda at: at.fault(status=403)),
    Case("storage error", "trouble of its own (error 503)", lambda at: at.fault(status=503)),
    Case(
        "storage asks for an hour",
        "asks for a pause",
        lambda at: at.fault(status=429, headers=(("Retry-After", "3600"),)),
    ),
    Case("range refused", "cannot send", lambda at: at.fault(status=416)),
    Case("lies about size", "but it should have", lambda at: at.fault(stated_extra=100)),
    Case("drops", "broke off several times", lambda at: at.fault(drop_after=0)),
    Case("stalls", "has stopped sending", lambda at: at.fault(stall_after=0)),
    Case(
        "ignores ranges and drops",
        "broke off several times",
        lambda at: at.fault(ignore_range=True, drop_after=500_000),
    ),
    Case("sends a page", "sent a web page instead of", lambda at: at.fault(html=True)),
    Case("wrong hash", "arrived damaged", lambda at: at.fault(corrupt=True)),
    Case(
        "redirects elsewhere", "somewhere we will not go", lambda at: at.fault(redirect="ftp://x/y")
    ),
    Case("no model in it", "is not a model", lambda at: at.serve("zip.gguf", b"PK\x03\x04")),
    Case("climbing name", "could be harmful", _climbing_name),
    Case("reserved name", "could be harmful", lambda at: at.serve("con.gguf")),
    Case("disk full before", "There is not enough room", _full_at_start),
    Case("disk full midway", "The disk became full", _full_midway),
    Case("folder gone", "is not there any more", _folder_blocked),
    Case("folder read-only", "cannot be written to", _folder_read_only),
    Case("already running", "is already being downloaded by another window", _two_writers),
)


def cases(*, early: bool | None = None) -> list[object]:
    """The table for pytest.mark.parametrize."""
    return [
        pytest.param(case, id=case.name) for case in CASES if early is None or case.early is early
    ]
