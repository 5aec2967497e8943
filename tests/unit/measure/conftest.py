"""No waiting for a disk: that every line is synced has a test of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def quick_disk() -> Iterator[None]:
    """The scripted benchmarks write thousands of lines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield
