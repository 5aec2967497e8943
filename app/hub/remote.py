"""A file on a Hub read at any place by ranges. Imports errors and its neighbours in this room.

Used for headers: whether two models fit together is known after some hundred kilobytes.
"""

from __future__ import annotations

from types import TracebackType

import httpx2

from app.errors import DownloadFailed
from app.hub.records import RemoteFile
from app.hub.retry import RETRYABLE
from app.hub.web import TRANSPORT_ERRORS, Answer, lost, make_client, open_file

ATTEMPTS = 3
# From a server that ignores ranges, read this much from the start rather than give up.
MOST_SKIPPED_BYTES = 4 * 1024 * 1024


class RemoteBytes:
    """A far file with the shape of a near one; a context manager, because it keeps a connection.

    Attributes:
        fetched_bytes: body bytes received so far.
    """

    def __init__(self, file: RemoteFile, token: str | None = None) -> None:
        if file.size_bytes is None:
            raise DownloadFailed("answer_unreadable", host=httpx2.URL(file.endpoint).host)
        self._file = file
        self._token = token
        self._size = file.size_bytes
        self._client = make_client()
        self._known_url: httpx2.URL | None = None
        self.fetched_bytes = 0

    def __enter__(self) -> RemoteBytes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    @property
    def name(self) -> str:
        return f"{self._file.repo}/{self._file.name}"

    @property
    def size(self) -> int:
        return self._size

    @property
    def is_remote(self) -> bool:
        return True

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the end of the file.

        Raises:
            DownloadFailed: after a few tries.
        """
        length = min(length, self._size - offset)
        if length <= 0:
            return b""
        for left in reversed(range(ATTEMPTS)):
            try:
                return self._read(offset, length)
            except DownloadFailed as error:
                self._known_url = None  # it may have expired
                if error.code not in RETRYABLE or not left:
                    raise
        raise AssertionError("unreachable")

    def _read(self, offset: int, length: int) -> bytes:
        headers = {"Range": f"bytes={offset}-{offset + length - 1}"}
        try:
            with open_file(
                self._client, self._file, self._token, headers, known_url=self._known_url
            ) as answer:
                self._known_url = answer.response.url if answer.moved else None
                return self._collect(answer, offset, length)
        except TRANSPORT_ERRORS as error:
            raise lost(error, self._file) from error

    def _collect(self, answer: Answer, offset: int, length: int) -> bytes:
        status = answer.response.status_code
        if answer.response.headers.get("Content-Type", "").startswith("text/html"):
            raise DownloadFailed(
                "html_received", host=answer.response.url.host, name=self._file.name
            )
        if status == 206:
            stated = answer.response.headers.get("Content-Range", "")
            skip = 0 if stated.startswith(f"bytes {offset}-") else None
        else:
            skip = offset if status == 200 and offset <= MOST_SKIPPED_BYTES else None
        if skip is None:
            raise DownloadFailed("range_refused", name=self._file.name)
        found = bytearray()
        for piece in answer.response.iter_raw():
            self.fetched_bytes += len(piece)
            found += piece
            if len(found) >= skip + length:
                break
        if len(found) < skip + length:
            raise DownloadFailed("connection_lost", host=answer.response.url.host)
        return bytes(found[skip : skip + length])
