"""A catalogue of one small pair that a Hub on loopback serves, for the window and the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import paths
from tests.loopback_hub import LoopbackHub
from tests.unit.hub import made_up as made

PAIR_REPO = "owner/pair-GGUF"
TARGET_FILE, DRAFT_FILE = "target-Q4_K_M.gguf", "draft-Q8_0.gguf"
TITLE = "Tiny + tinier"
TAIL = {"bos_token_id": 1, "eos_token_id": 2, "add_bos_token": True, "add_eos_token": False}


def made_up_pair(folder: Path) -> tuple[Path, Path]:
    """A target and a draft of a few kilobytes that go together by their headers."""
    folder.mkdir(parents=True, exist_ok=True)
    target, draft = folder / TARGET_FILE, folder / DRAFT_FILE
    target.write_bytes(made.model(width=640, tail=TAIL))
    draft.write_bytes(made.model(width=64, tail=TAIL))
    return target, draft


def serve_pair(hub: LoopbackHub, target: Path, draft: Path) -> None:
    """Put a pair on the Hub."""
    hub.add(PAIR_REPO, {TARGET_FILE: target, DRAFT_FILE: draft}, gguf={"total": 7_600_000_000})


def write_catalog(hub: LoopbackHub, path: Path) -> Path:
    """A catalogue with the pair that the Hub serves."""
    repo = hub.repos[PAIR_REPO]
    described = {
        part: {
            "repo": PAIR_REPO,
            "file": name,
            "size_bytes": repo.files[name].size,
            "quantisation": "Q4_K_M",
            "parameters": parameters,
            "licence": "mit",
            "gated": False,
            "sha256": repo.files[name].sha256,
            "revision": repo.commit,
        }
        for part, name, parameters in (
            ("target", TARGET_FILE, 8_000_000),
            ("draft", DRAFT_FILE, 800_000),
        )
    }
    pair = {
        "id": "tiny",
        "title": TITLE,
        "family": "Tiny",
        "uses": ["chat"],
        "verdict": "good",
        "evidence": "measured",
        **described,
        "need_bytes": {"4096": 10**9, "8192": 2 * 10**9},
        "mixture_of_experts": False,
        "measured": [],
        "note": None,
    }
    path.write_text(json.dumps({"version": 1, "pairs": [pair]}), encoding="utf-8")
    return path


def use_catalog(patch: pytest.MonkeyPatch, path: Path) -> None:
    """Put this catalogue in the place of the app's."""
    true_resource = paths.resource
    patch.setattr(
        paths, "resource", lambda name: path if name == "pairs.json" else true_resource(name)
    )
