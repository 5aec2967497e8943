"""Tests of this room talk to a Hub on loopback, whatever this computer's environment says."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def plain_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, no other Hub, no token of the person who runs the tests."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name in ("HF_ENDPOINT", "HF_HUB_OFFLINE", "HF_TOKEN", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
