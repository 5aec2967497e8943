"""Downloads one file through the queue and exits; killed by the test that starts it."""

from __future__ import annotations

import sys
from pathlib import Path

from app.hub.items import ItemState, Wanted
from app.hub.queue import DownloadQueue
from app.hub.records import RemoteFile
from tests.loopback_hub import COMMIT


class Known:
    """A locator that was told everything."""

    def __init__(self, endpoint: str, size: int, sha256: str) -> None:
        self._facts = (endpoint, size, sha256)

    def locate(self, repo: str, name: str, revision: str | None = None) -> RemoteFile:
        endpoint, size, sha256 = self._facts
        return RemoteFile(endpoint, repo, name, revision or COMMIT, size, sha256, sha256)


def main() -> int:
    models, endpoint, repo, name, size, sha256 = sys.argv[1:]
    queue = DownloadQueue(Path(models), Known(endpoint, int(size), sha256))
    queue.restore()
    queue.add([Wanted(repo, name)])
    queue.wait()
    states = [item.state for item in queue.snapshot().items]
    queue.close()
    return 0 if states == [ItemState.DONE] else 1


if __name__ == "__main__":
    raise SystemExit(main())
