"""A thread that asks a server for a file and hands over what arrives.

Apart from the one who writes it down, for two reasons: waiting for the network can then be left at
any moment (a blocked system call cannot), and receiving overlaps with hashing and writing.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Iterator, Mapping

import httpx2

from app.errors import DownloadFailed
from app.hub.progress import Control
from app.hub.records import RemoteFile
from app.hub.web import READ_SECONDS, TRANSPORT_ERRORS, Answer, lost, make_client, open_file

PIECE_BYTES = 1024 * 1024
TLS_PIECE_BYTES = 64 * 1024
QUEUED_PIECES = 4  # what is in memory at most, times the size of a piece
POLL_SECONDS = 0.1

_END = object()


class _Left(Exception):
    """Nobody waits for the bytes any more."""


class Reader:
    """One request. Used as a context manager: leaving it ends the request, wherever it is."""

    def __init__(self, file: RemoteFile, token: str | None, headers: Mapping[str, str]) -> None:
        self._file = file
        self._token = token
        self._headers = dict(headers)
        self._queue: queue.Queue[object] = queue.Queue(QUEUED_PIECES)
        self._leaving = threading.Event()
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, name="download-reader", daemon=True)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving.set()
        self._break_connection()
        # Long enough for an ordinary end; name look-up and connecting cannot be interrupted, and
        # then the thread ends by itself, having touched nothing.
        self._thread.join(2 * POLL_SECONDS)

    def take(self, control: Control, patience_seconds: float) -> Iterator[Answer | bytes | None]:
        """The answer, then the pieces of its body; nothing in between, whenever time passes.

        Raises:
            DownloadFailed: the request failed, or no byte came for `patience_seconds`.
            Stopped: the user wants it to end.
        """
        heard = time.monotonic()
        while True:
            control.check()
            try:
                item = self._queue.get(timeout=POLL_SECONDS)
            except queue.Empty:
                if time.monotonic() - heard > patience_seconds:
                    raise DownloadFailed("stalled", host=httpx2.URL(self._file.url).host) from None
                yield None
                continue
            heard = time.monotonic()
            if item is _END:
                return
            if isinstance(item, BaseException):
                raise item
            if isinstance(item, Answer | bytes):
                yield item

    def _run(self) -> None:
        try:
            self._read()
            self._put(_END)
        except _Left:
            return
        except BaseException as error:  # noqa: BLE001 - top of a thread: raised where it is awaited
            self._hand_over(error)

    def _read(self) -> None:
        try:
            with (
                make_client() as client,
                open_file(client, self._file, self._token, self._headers, self._trace) as answer,
            ):
                self._put(answer)
                for piece in body(answer.response):
                    self._put(piece)
        except TRANSPORT_ERRORS as error:
            raise lost(error, self._file) from error

    def _hand_over(self, error: BaseException) -> None:
        try:
            self._put(error)
        except _Left:
            return

    def _put(self, item: object) -> None:
        while not self._leaving.is_set():
            try:
                self._queue.put(item, timeout=POLL_SECONDS)
            except queue.Full:
                continue
            return
        raise _Left

    def _trace(self, event: str, info: Mapping[str, object]) -> None:
        """Remember the socket, so that a wait for the server can be broken off."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        stream = info.get("return_value")
        found = stream.get_extra_info("socket") if hasattr(stream, "get_extra_info") else None
        self._socket = found if isinstance(found, socket.socket) else None
        if self._leaving.is_set():
            raise _Left

    def _break_connection(self) -> None:
        if self._socket is None:
            return
        try:
            # Not the method of an SSL socket: that one takes away what the other thread reads from.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        except OSError:
            return  # already closed


def body(response: httpx2.Response) -> Iterator[bytes]:
    """The bytes of an answer as they arrive.

    A body of stated length is read from the connection directly once the parser has given out what
    it holds: the parser copies every byte three times in pieces of 64 KiB, which costs 0.9 s of
    processor per gigabyte instead of 0.3.
    """
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise DownloadFailed("answer_unreadable", host=response.url.host)
    length = response.headers.get("Content-Length", "")
    stream = response.extensions.get("network_stream")
    pieces = response.iter_raw()
    plain = "Transfer-Encoding" not in response.headers and response.http_version == "HTTP/1.1"
    if not (plain and length.isascii() and length.isdigit()) or stream is None:
        yield from pieces
        return
    first = next(pieces, b"")
    yield first
    left = int(length) - len(first)
    # TLS gives out 16 KiB at a time; asking it for more only costs memory to set aside.
    most = PIECE_BYTES if stream.get_extra_info("ssl_object") is None else TLS_PIECE_BYTES
    while left > 0:
        piece: bytes = stream.read(min(left, most), timeout=READ_SECONDS)
        if not piece:
            raise httpx2.RemoteProtocolError("the server closed the connection too early")
        left -= len(piece)
        yield piece
