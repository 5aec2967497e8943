"""Whether a far draft serves a far target is known after little has been read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.hub import download
from app.hub.download import Hub
from app.hub.gguf import Want, read_header
from app.hub.pairing import Verdict, judge
from tests.loopback_hub import LoopbackHub

pytestmark = pytest.mark.model

REPO = "owner/real-GGUF"


@pytest.fixture(scope="module")
def hub(target_model: Path, draft_model: Path, starter_model: Path) -> Iterator[LoopbackHub]:
    files = {"target.gguf": target_model, "draft.gguf": draft_model, "other.gguf": starter_model}
    with LoopbackHub() as running:
        running.add(REPO, files)
        yield running


def verdict(hub: LoopbackHub, target: str, draft: str) -> tuple[Verdict, int]:
    """The verdict, and how many bytes it took."""
    asked = Hub(endpoint=hub.endpoint)
    with (
        asked.open(asked.locate(REPO, target)) as far_target,
        asked.open(asked.locate(REPO, draft)) as far_draft,
    ):
        found = judge(
            read_header(far_target, Want.SIZING),
            read_header(far_draft, Want.SIZING),
        )
        read_bytes = far_target.fetched_bytes + far_draft.fetched_bytes
    download.close()
    return found, read_bytes


def test_vocabularies_are_compared_within_8_mib(hub: LoopbackHub) -> None:
    found, read_bytes = verdict(hub, "target.gguf", "draft.gguf")
    assert found.ok
    assert read_bytes <= 8 * 1024 * 1024


def test_an_earlier_rule_fails_within_200_kib(hub: LoopbackHub) -> None:
    found, read_bytes = verdict(hub, "target.gguf", "other.gguf")
    assert not found.ok
    assert read_bytes < 200 * 1024
