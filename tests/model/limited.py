"""The real engine in a worker that may not have much more memory than it starts with."""

from __future__ import annotations

from pathlib import Path

from app.engine import engine

_PAGE_BYTES = 4096
_MORE_BYTES = 230 * 2**20


def create(skip_cpu_modules: frozenset[str] = frozenset()) -> engine.Engine:
    """Allow this process 230 MiB more than it holds now."""
    import resource  # only POSIX has it

    made = engine.create(skip_cpu_modules)
    held = int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (held + _MORE_BYTES,) * 2)
    return made
