"""A download whose process is killed at random points arrives whole and almost nothing twice."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from app.hub.partial import place_of
from app.hub.records import RemoteFile
from tests.loopback_hub import COMMIT, Fault, LoopbackHub

REPO, NAME = "owner/model-GGUF", "model.gguf"
SIZE = 48 * 1024 * 1024
KILLS = 10
MOST_TWICE_BYTES = 8 * 1024 * 1024  # per kill: what was under way in buffers


def test_killed_ten_times(tmp_path: Path) -> None:
    served = tmp_path / "served.gguf"
    served.write_bytes(b"GGUF" + random.Random(7).randbytes(SIZE - 4))
    chance = random.Random()
    with LoopbackHub() as hub:
        hub.add(REPO, {NAME: served})
        truth = hub.file(REPO, NAME)
        file = RemoteFile(hub.endpoint, REPO, NAME, COMMIT, SIZE, truth.sha256, truth.sha256)
        place = place_of(tmp_path / "models", file)
        # Slow enough that every kill hits a transfer under way.
        hub.faults[REPO, NAME] = Fault(bytes_per_second=40_000_000)
        for kill in range(KILLS):
            before, sent = place.part_bytes(), hub.sent.get(NAME, 0)
            aim = before + chance.randrange(1, (SIZE - before) // (KILLS - kill + 1))
            child = start(tmp_path / "models", hub, file)
            while place.part_bytes() < aim:
                assert child.poll() is None, "ended before it was killed"
                time.sleep(0.002)
            child.kill()  # SIGKILL: no handler, no flush
            child.wait()
            hub_is_quiet(hub)
            kept = place.part_bytes()
            assert kept >= aim
            assert hub.sent[NAME] - sent - (kept - before) <= MOST_TWICE_BYTES
        del hub.faults[REPO, NAME]
        assert start(tmp_path / "models", hub, file).wait(60) == 0
    assert hashlib.sha256(place.final.read_bytes()).hexdigest() == truth.sha256
    assert not place.part.exists()
    twice = hub.sent[NAME] - SIZE
    assert twice <= KILLS * MOST_TWICE_BYTES
    sys.stdout.write(f"fetched twice after {KILLS} kills: {twice / 1e6:.1f} MB in all\n")


def start(models: Path, hub: LoopbackHub, file: RemoteFile) -> subprocess.Popen[bytes]:
    arguments = [models, hub.endpoint, file.repo, file.name, file.size_bytes, file.sha256]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.process.download_child", *map(str, arguments)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"},
    )


def hub_is_quiet(hub: LoopbackHub) -> None:
    """Wait until the server has noticed that its client is gone."""
    last = -1
    while last != (last := hub.sent.get(NAME, 0)):
        time.sleep(0.1)
