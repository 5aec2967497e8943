"""Downloads 1 GB from loopback, checked by SHA-256, against curl from the same server.

`python -m tests.bench.download_speed [--size-mb N] [--rounds N]`; prints both rates for each round,
the ratio of the medians, and by how much the memory of the downloading process grew.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from app.hub.progress import Control
from app.hub.records import RemoteFile
from app.hub.transfer import Terms, fetch
from tests.loopback_hub import COMMIT, HubFile

REPO, NAME = "owner/model-GGUF", "model.gguf"


def make_file(path: Path, size: int) -> None:
    path.parent.mkdir(parents=True)
    piece = random.Random(3).randbytes(1_000_000)
    with path.open("wb") as file:
        file.write(b"GGUF")
        left = size - 4
        while left:
            left -= file.write(piece[: min(left, len(piece))])


def with_curl(endpoint: str, folder: Path, size: int) -> float:
    out = folder / "curl.out"
    out.unlink(missing_ok=True)
    began = time.perf_counter()
    url = f"{endpoint}/{REPO}/resolve/{COMMIT}/{NAME}"
    subprocess.run(["curl", "--silent", "--fail", "--location", "-o", out, url], check=True)
    return size / (time.perf_counter() - began)


def with_ours(endpoint: str, folder: Path, served: HubFile) -> float:
    models = folder / "models"
    shutil.rmtree(models, ignore_errors=True)
    file = RemoteFile(endpoint, REPO, NAME, COMMIT, served.size, served.sha256, served.sha256)
    began = time.perf_counter()
    fetch(file, models, Terms(), Control(), lambda _: None)
    return served.size / (time.perf_counter() - began)


def peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size-mb", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "served" / REPO / NAME
        make_file(source, arguments.size_mb * 1_000_000)
        served = HubFile.of(source)
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.loopback_hub", folder / "served"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        endpoint = server.stdout.readline().strip()
        try:
            with_curl(endpoint, folder, served.size)  # warm both sides
            start_mb = peak_mb()
            curl, ours = [], []
            for turn in range(arguments.rounds):
                curl.append(with_curl(endpoint, folder, served.size) / 1e6)
                ours.append(with_ours(endpoint, folder, served) / 1e6)
                print(f"round {turn + 1}: curl {curl[-1]:6.0f} MB/s   ours {ours[-1]:6.0f} MB/s")
        finally:
            server.communicate()
    result = {
        "curl_mb_per_second": round(statistics.median(curl)),
        "ours_mb_per_second": round(statistics.median(ours)),
        "ratio": round(statistics.median(ours) / statistics.median(curl), 2),
        "memory_growth_mb": round(peak_mb() - start_mb, 1),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
