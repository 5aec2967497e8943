"""Producing tokens: models, drafting, verifying, the worker process and its client.

For scripts: `from app.engine import open_pair` (see simple.py). The name is looked up only when it
is used, since the window imports this package's other files and must not load llama.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.simple import LoadedPair, open_pair

__all__ = ["LoadedPair", "open_pair"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from app.engine import simple

        return getattr(simple, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
