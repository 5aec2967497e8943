"""How the set-up scripts talk: to a person on the screen, in full to a log file.

Standard library only: these scripts run before anything is installed.
"""

from __future__ import annotations

import collections
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

LAST_LINES = 12  # of the log, shown when a step fails
NETWORK_SIGNS = ("connection broken", "Could not fetch URL", "Temporary failure resolving")
NETWORK_HINT = (
    "\n\nIs this computer online? Behind a company's proxy, set HTTPS_PROXY and PIP_CERT."
)
PLAIN_STEP = 0.1  # progress is printed this often when it cannot be drawn over


class SetupError(Exception):
    """Set-up cannot go on; the text says why and what to do, for the person who started it."""


class CommandFailed(SetupError):
    """A program that set-up relies on failed.

    Attributes:
        log: the file that holds everything it said.
        tail: its last lines.
    """

    def __init__(self, what: str, log: Path, tail: Sequence[str]) -> None:
        lines = "\n".join(f"    {line}" for line in tail)
        hint = NETWORK_HINT if any(sign in lines for sign in NETWORK_SIGNS) else ""
        super().__init__(f"{what} failed. Its last lines:\n\n{lines}\n\nAll of it: {log}{hint}")
        self.log = log
        self.tail = tuple(tail)


def say(text: str = "") -> None:
    """Print one line at once, even into a pipe."""
    print(text, flush=True)


class Progress:
    """Shows how far a long step is: drawn over on a terminal, a line now and then elsewhere."""

    def __init__(self, label: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.label = label
        self._clock = clock
        self._start = clock()
        self._first: tuple[float, float] | None = None  # seconds and fraction at the first report
        self._shown = -1.0
        self._terminal = sys.stdout.isatty()

    def show(self, fraction: float) -> None:
        """Report that `fraction` (0 to 1) is done."""
        if fraction - self._shown < (0.01 if self._terminal else PLAIN_STEP):
            return
        self._shown = fraction
        text = f"  {self.label}: {fraction:4.0%}{self._remaining(fraction)}"
        if self._terminal:
            sys.stdout.write(f"\r{text:<70}")
            sys.stdout.flush()
        else:
            say(text)

    def finish(self) -> None:
        """Say how long it took."""
        seconds = self._clock() - self._start
        took = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
        say(f"{chr(13) if self._terminal else ''}{f'  {self.label}: done in {took}':<70}".rstrip())

    def _remaining(self, fraction: float) -> str:
        now = self._clock()
        if self._first is None:
            self._first = (now, fraction)
        since, done = now - self._first[0], fraction - self._first[1]
        if since < 20 or done <= 0:  # too early to tell
            return ""
        minutes = since / done * (1 - fraction) / 60
        return f", about {max(1, round(minutes))} min left"


def run_logged(
    what: str,
    command: Sequence[str | Path],
    log: Path,
    *,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> None:
    """Run a program with its output appended to `log`; CommandFailed with `what` if it fails."""
    words = [str(word) for word in command]
    log.parent.mkdir(parents=True, exist_ok=True)
    tail: collections.deque[str] = collections.deque(maxlen=LAST_LINES)
    with log.open("a", encoding="utf-8", errors="replace") as out:
        out.write(f"\n$ {' '.join(words)}\n")
        out.flush()
        try:
            child = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that its own children can be ended with it
            )
        except OSError as error:
            raise CommandFailed(what, log, [str(error)]) from error
        with ended(child):
            assert child.stdout is not None
            for line in child.stdout:
                out.write(line)
                if line.strip():
                    tail.append(line.rstrip()[:500])
                if on_line is not None:
                    on_line(line)
    if child.returncode != 0:
        raise CommandFailed(what, log, tail)


@contextlib.contextmanager
def ended(child: subprocess.Popen[str]) -> Iterator[None]:
    """Wait for a child; when we are interrupted, end it and all that it started first.

    A compiler left running would write into the folder that the next attempt builds in.
    """
    try:
        yield
        child.wait()
    except BaseException:
        _end_group(child)
        raise
    finally:
        if child.stdout is not None:
            child.stdout.close()


def _end_group(child: subprocess.Popen[str]) -> None:
    if sys.platform == "win32":
        child.kill()
        child.wait()
        return
    for number in (signal.SIGINT, signal.SIGKILL):  # the first lets make tools tidy up
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=5)


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold a lock file; wait, and say so, while another set-up holds it. Freed when we die."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as handle:
        if not _try_lock(handle):
            say("Another set-up is at work here; waiting for it to finish ...")
            while not _try_lock(handle):
                time.sleep(0.5)
        yield


def _try_lock(handle: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
