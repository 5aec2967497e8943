"""llama.cpp's own log: passed on to standard error, and captured while loading to learn what was
placed where.

The callback must stay alive as long as the library; it runs on llama.cpp's threads. Imports only
protocol.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from app.engine.protocol import ModelMemory

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
_LEVEL_CONTINUE = 5
_LEVEL_DEBUG = 1
_ERROR_WORDS = (
    "error",
    "failed",
    "unable",
    "cannot",
    "missing",
    "invalid",
    "unknown",
    "mismatch",
    "not ",
)
# Said after every failure, behind the line that says why.
_GENERIC = ("failed to load model", "failed to initialize the context")
_SPEAKER = re.compile(r"^(?:[A-Za-z_0-9]+: )?(?:error loading model: )*")
_BUFFER = re.compile(
    r":\s+(?P<device>\S+)\s+(?P<kind>.*?)\s*buffer size\s*=\s*(?P<mib>[0-9.]+) MiB"
)
_KINDS = {"model": "weights", "KV": "kv", "RS": "kv", "compute": "compute", "output": "output"}

_sinks: list[list[str]] = []
_keep: list[object] = []


def install(lib: ctypes.CDLL) -> None:
    """Send llama.cpp's log here; repeated calls do nothing."""
    if _keep:
        return
    # Else ggml starts a debugger on an abort: it takes seconds, and its stack of addresses pushes
    # the failed assertion out of the log's last lines.
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")
    callback = _CALLBACK(_on_log)
    _keep.append(callback)
    lib.llama_log_set.argtypes = [_CALLBACK, ctypes.c_void_p]
    lib.llama_log_set(callback, None)


def _on_log(level: int, text: bytes | None, _user: object) -> None:
    line = (text or b"").decode(errors="replace")
    if level != _LEVEL_DEBUG and sys.stderr is not None:
        sys.stderr.write(line)
    for sink in _sinks:
        if level == _LEVEL_CONTINUE and sink:
            sink[-1] += line
        else:
            sink.append(line)


@contextmanager
def capture() -> Iterator[list[str]]:
    """Collect the lines written while the block runs."""
    lines: list[str] = []
    _sinks.append(lines)
    try:
        yield lines
    finally:
        # by identity: two captures may hold equal lines
        _sinks[:] = [sink for sink in _sinks if sink is not lines]


def last_words(lines: Iterable[str]) -> str:
    """The line that best says what went wrong: the last that speaks of an error, else the last."""
    kept = [line.strip() for line in lines if line.strip(" .\n")]
    telling = [line for line in kept if not line.endswith(_GENERIC)] or kept
    faults = [line for line in telling if any(word in line.lower() for word in _ERROR_WORDS)]
    return _SPEAKER.sub("", (faults or telling or ["no reason given"])[-1])


def buffers(lines: Iterable[str]) -> ModelMemory:
    """Buffer sizes by device and kind, from lines such as "CPU KV buffer size = 224.00 MiB";

    bytes.
    """
    found: dict[str, dict[str, int]] = {}
    for line in lines:
        match = _BUFFER.search(line)
        if match is None:
            continue
        kind = _KINDS.get(match["kind"].split()[-1] if match["kind"] else "")
        if kind is None:
            continue
        kinds = found.setdefault(match["device"], {})
        kinds[kind] = kinds.get(kind, 0) + round(float(match["mib"]) * 2**20)
    return ModelMemory(found)
