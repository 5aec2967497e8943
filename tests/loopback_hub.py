"""A model Hub on loopback: serves real files to the real huggingface_hub, and misbehaves on demand.

Standard library only. Two servers: the Hub and a storage host on another port, to which large files
are redirected as the real one does. Alone: `python -m tests.loopback_hub FOLDER` serves
FOLDER/owner/repo/file and prints its address.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from tests.loopback_facts import COMMIT, GOOD_TOKEN, Fault, HubFile, HubRepo, Seen
from tests.loopback_server import HubServer

__all__ = [
    "COMMIT",
    "GOOD_TOKEN",
    "Fault",
    "HubFile",
    "HubRepo",
    "LoopbackHub",
    "Seen",
    "serve_folder",
]


class LoopbackHub:
    """The two servers; a context manager.

    Attributes:
        repos, faults: what is served and how; faults by (repo, file).
        requests: all that arrived.
        sent: bytes of file bodies given to the network, by file.
        redirects: send file bodies from the storage host.
    """

    def __init__(self, *, redirects: bool = True) -> None:
        self.repos: dict[str, HubRepo] = {}
        self.faults: dict[tuple[str, str], Fault] = {}
        self.requests: list[Seen] = []
        self.sent: dict[str, int] = {}
        self.redirects = redirects
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._hub = HubServer("hub", self)
        self._storage = HubServer("storage", self)
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
            for server in (self._hub, self._storage)
        ]

    def __enter__(self) -> LoopbackHub:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        for server in (self._hub, self._storage):
            server.shutdown()
            server.break_connections()
            server.server_close()
        for thread in self._threads:
            thread.join()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._hub.server_port}"

    @property
    def storage(self) -> str:
        return f"http://127.0.0.1:{self._storage.server_port}"

    def add(self, name: str, files: Mapping[str, Path], **facts: object) -> HubRepo:
        """Serve a repository; facts are attributes of HubRepo."""
        served = {file: HubFile.of(path) for file, path in files.items()}
        repo = HubRepo(name, served, **cast("Any", facts))
        self.repos[name] = repo
        return repo

    def file(self, repo: str, name: str) -> HubFile:
        return self.repos[repo].files[name]

    def take_fault(self, repo: str, name: str) -> Fault:
        """The fault that applies to this request, counted down."""
        with self._lock:
            fault = self.faults.get((repo, name))
            if fault is None or fault.times <= 0:
                return Fault()
            self.faults[repo, name] = replace(fault, times=fault.times - 1)
            return fault

    def note(self, seen: Seen) -> None:
        with self._lock:
            self.requests.append(seen)

    def count(self, name: str, sent: int) -> None:
        with self._lock:
            self.sent[name] = self.sent.get(name, 0) + sent


def serve_folder(hub: LoopbackHub, folder: Path) -> None:
    """Serve FOLDER/owner/repo/file."""
    for repo in sorted(folder.glob("*/*")):
        files = {str(p.relative_to(repo)): p for p in sorted(repo.rglob("*")) if p.is_file()}
        hub.add(f"{repo.parent.name}/{repo.name}", files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slow", type=float, default=0.0, metavar="BYTES_PER_SECOND")
    arguments = parser.parse_args()
    with LoopbackHub() as hub:
        serve_folder(hub, arguments.folder)
        for repo in hub.repos.values():
            for name in repo.files:
                if arguments.slow:
                    hub.faults[repo.name, name] = Fault(bytes_per_second=arguments.slow)
        sys.stdout.write(hub.endpoint + "\n")
        sys.stdout.flush()
        sys.stdin.read()  # until whoever started it goes away


if __name__ == "__main__":
    main()
