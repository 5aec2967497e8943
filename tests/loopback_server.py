"""The HTTP side of the Hub on loopback: its routes and its faults. Standard library only."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tests.loopback_facts import GOOD_TOKEN, Fault, HubFile, HubRepo, Seen

if TYPE_CHECKING:
    from tests.loopback_hub import LoopbackHub

SLICE_BYTES = 64 * 1024


class HubServer(ThreadingHTTPServer):
    """One of the two servers, which can break off what is still open."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 32

    def __init__(self, role: str, hub: LoopbackHub) -> None:
        self.role = role
        self.hub = hub
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), HubHandler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def break_connections(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # already gone

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):  # clients that leave are ordinary here
            super().handle_error(request, client_address)


class HubHandler(BaseHTTPRequestHandler):
    """Routes of the Hub that huggingface_hub uses, and the storage host's only one."""

    protocol_version = "HTTP/1.1"
    server: HubServer

    @property
    def hub(self) -> LoopbackHub:
        return self.server.hub

    def log_message(self, format: str, *args: Any) -> None:
        del format, args

    def do_HEAD(self) -> None:
        self._route()

    def do_GET(self) -> None:
        self._route()

    def _route(self) -> None:
        address = urlsplit(self.path)
        self.hub.note(
            Seen(
                self.server.role,
                self.command,
                self.path,
                self.headers.get("Range"),
                self.headers.get("If-Range"),
                self.headers.get("Authorization"),
            )
        )
        parts = unquote(address.path).strip("/").split("/")
        if self.server.role == "storage":
            self._serve("/".join(parts[:2]), "/".join(parts[2:]))
        elif parts[:2] == ["api", "models"]:
            self._api(parts[2:], parse_qs(address.query))
        elif parts[:2] == ["api", "whoami-v2"]:
            self._whoami()
        elif len(parts) > 4 and parts[2] == "resolve":
            self._resolve("/".join(parts[:2]), parts[3], "/".join(parts[4:]))
        else:
            self._refuse(404, "RepoNotFound")

    # answers

    def _json(self, data: object) -> None:
        text = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def _refuse(self, status: int, code: str = "", headers: Mapping[str, str] = {}) -> None:
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _page(self) -> None:
        page = b"<!doctype html><title>Log in to this network</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)

    # routes

    def _token(self) -> str | None:
        return (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None

    def _whoami(self) -> None:
        if self._token() != GOOD_TOKEN:
            headers = {"X-Error-Message": "Invalid credentials in Authorization header"}
            return self._refuse(401, "", headers)
        return self._json({"name": "tester", "type": "user"})

    def _allowed(self, repo: HubRepo | None) -> HubRepo | None:
        """The repository, unless the client may not see it; then it has been told."""
        token = self._token()
        if token is not None and token != GOOD_TOKEN:
            headers = {"X-Error-Message": "Invalid credentials in Authorization header"}
            self._refuse(401, "", headers)
        elif repo is None or (repo.private and token is None):
            self._refuse(404 if token else 401, "RepoNotFound")
        elif repo.status:
            self._refuse(repo.status, "", repo.status_headers)
        else:
            return repo
        return None

    def _api(self, parts: list[str], query: dict[str, list[str]]) -> None:
        if not parts:
            return self._search(query)
        repo = self._allowed(self.hub.repos.get("/".join(parts[:2])))
        if repo is None:
            return None
        rest = parts[2:]
        if len(rest) == 2 and rest[0] in ("revision", "tree"):
            if rest[1] not in ("main", repo.commit):
                return self._refuse(404, "RevisionNotFound")
            if rest[0] == "tree":
                return self._json([_tree_entry(entry) for entry in repo.siblings()])
        return self._json(repo.info())

    def _search(self, query: dict[str, list[str]]) -> None:
        text = query.get("search", [""])[0].lower()
        wanted = set(query.get("filter", []))
        start = int(query.get("cursor", ["0"])[0])
        limit = int(query.get("limit", ["50"])[0])
        found = [
            repo.info()
            for repo in self.hub.repos.values()
            if text in repo.name.lower() and wanted <= {"gguf", f"license:{repo.licence}"}
        ]
        found.sort(key=lambda info: -cast("int", info["downloads"]))
        self._json(found[start : start + limit])

    def _resolve(self, name: str, revision: str, file_name: str) -> None:
        repo = self._allowed(self.hub.repos.get(name))
        if repo is None:
            return None
        if repo.gated and self._token() is None:
            return self._refuse(401, "GatedRepo")
        if revision not in ("main", repo.commit):
            return self._refuse(404, "RevisionNotFound")
        file = repo.files.get(file_name)
        if file is None:
            return self._refuse(404, "EntryNotFound", {"X-Repo-Commit": repo.commit})
        if self.command == "GET" and not self.hub.redirects:
            return self._serve(name, file_name)
        self.send_response(302 if self.hub.redirects else 200)
        if self.hub.redirects:
            self.send_header("Location", f"{self.hub.storage}/{quote(name)}/{quote(file_name)}")
        self.send_header("X-Repo-Commit", repo.commit)
        self.send_header("X-Linked-ETag", f'"{file.sha256}"')
        self.send_header("X-Linked-Size", str(file.size))
        self.send_header("ETag", f'"{file.sha256}"')
        self.send_header("Content-Length", "0" if self.hub.redirects else str(file.size))
        self.end_headers()
        return None

    def _serve(self, repo: str, name: str) -> None:
        """The bytes of a file, with the fault that is set for it."""
        served = self.hub.repos.get(repo)
        file = served.files.get(name) if served else None
        if file is None:
            return self._refuse(404)
        fault = self.hub.take_fault(repo, name)
        if fault.redirect:
            return self._refuse(302, "", {"Location": fault.redirect})
        if fault.status:
            return self._refuse(fault.status, "", dict(fault.headers))
        if fault.html:
            return self._page()
        start = 0 if fault.ignore_range or fault.wrong_range else self._range_start(file)
        if start > file.size or (start == file.size and file.size):
            return self._refuse(416, "", {"Content-Range": f"bytes */{file.size}"})
        self._head_of(file, fault, start)
        if self.command != "HEAD":
            self._body(name, file, fault, start)
        return None

    def _range_start(self, file: HubFile) -> int:
        asked = self.headers.get("Range", "")
        condition = self.headers.get("If-Range")
        if not asked.startswith("bytes=") or condition not in (None, f'"{file.sha256}"'):
            return 0
        return int(asked.removeprefix("bytes=").partition("-")[0])

    def _range_end(self, file: HubFile) -> int:
        last = self.headers.get("Range", "").partition("-")[2]
        return min(file.size, int(last) + 1) if last else file.size

    def _head_of(self, file: HubFile, fault: Fault, start: int) -> None:
        partial = bool(self.headers.get("Range")) and not fault.ignore_range
        partial = partial and (start > 0 or self._range_end(file) < file.size or fault.wrong_range)
        end = self._range_end(file) if partial else file.size
        self.send_response(206 if partial else 200)
        stated = end - start + fault.stated_extra
        self.send_header("Content-Length", str(stated))
        if partial:
            total = file.size + fault.stated_extra
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{total}")
        self.send_header("ETag", f'"{file.sha256}"')
        self.send_header("Content-Type", "application/octet-stream")
        self.end_headers()

    def _body(self, name: str, file: HubFile, fault: Fault, start: int) -> None:
        end = self._range_end(file) if not fault.ignore_range else file.size
        with file.path.open("rb") as source:
            plain = (fault.drop_after, fault.stall_after) == (None, None) and not fault.corrupt
            if plain and not fault.bytes_per_second:
                try:
                    self.connection.sendfile(source, start, end - start)
                finally:
                    self.hub.count(name, source.tell() - start)
            else:
                source.seek(start)
                for piece in _pieces(source.read, end - start):
                    if not self._send(name, piece, fault, source.tell() - len(piece) - start):
                        break
        if fault.drop_after is not None or fault.stated_extra:
            self.close_connection = True

    def _send(self, name: str, piece: bytes, fault: Fault, done: int) -> bool:
        """Send one slice as the fault allows; whether to go on."""
        if fault.corrupt and done == 0:
            piece = piece[:8] + bytes([piece[8] ^ 1]) + piece[9:]
        limit = fault.drop_after if fault.drop_after is not None else fault.stall_after
        if limit is not None:
            piece = piece[: max(0, limit - done)]
        self.connection.sendall(piece)
        self.hub.count(name, len(piece))
        if limit is not None and done + len(piece) >= limit:
            if fault.stall_after is not None:
                self.hub.stopping.wait(60)
            return False
        if fault.bytes_per_second:
            time.sleep(len(piece) / fault.bytes_per_second)
        return not self.hub.stopping.is_set()


def _pieces(read: Any, left: int) -> Iterator[bytes]:
    while left > 0 and (piece := read(min(left, SLICE_BYTES))):
        left -= len(piece)
        yield piece


def _tree_entry(sibling: dict[str, object]) -> dict[str, object]:
    lfs = cast("dict[str, object]", sibling["lfs"])
    return {
        "type": "file",
        "path": sibling["rfilename"],
        "size": sibling["size"],
        "oid": sibling["blobId"],
        "lfs": {"oid": lfs["sha256"], "size": lfs["size"], "pointerSize": 130},
    }
