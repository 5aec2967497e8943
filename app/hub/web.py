"""Asking a server for a file: redirects, the token, and what every refusal means. Imports only
errors and records.

Redirects are followed here and not by the client, because the token must not travel to another host
and because the Hub's own answer says which content the storage host will send.
"""

from __future__ import annotations

import email.utils
import functools
import re
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpcore2
import httpx2

from app.errors import DownloadFailed
from app.hub.records import RemoteFile

MOST_REDIRECTS = 6
CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0  # a stall is noticed sooner by whoever waits for the bytes
USER_AGENT = "slipstream"

TRANSPORT_ERRORS = (
    httpx2.HTTPError,
    httpx2.StreamError,
    httpx2.InvalidURL,
    httpcore2.NetworkError,
    httpcore2.TimeoutException,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    OSError,
)
Trace = Callable[[str, Mapping[str, object]], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer with an open body.

    Attributes:
        linked_etag: identity of the content, as the Hub stated it before sending us on.
        moved: the bytes come from another host than the Hub.
    """

    response: httpx2.Response
    linked_etag: str | None
    moved: bool


@functools.cache
def _trusted() -> ssl.SSLContext:
    """The certificates to trust; reading them takes 50 ms, so they are read once."""
    return httpx2.create_ssl_context()


def make_client() -> httpx2.Client:
    """A client for one transfer. Proxies come from the environment or the system's settings."""
    return httpx2.Client(
        verify=_trusted(),
        timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
        follow_redirects=False,
        headers={"Accept-Encoding": "identity", "User-Agent": USER_AGENT},
    )


@contextmanager
def open_file(
    client: httpx2.Client,
    file: RemoteFile,
    token: str | None,
    headers: Mapping[str, str],
    trace: Trace | None = None,
    known_url: httpx2.URL | None = None,
) -> Iterator[Answer]:
    """Ask for a file and yield the answer, whatever its status below 300 or equal to 416.

    `known_url` is where an earlier question was sent on to; it saves asking the Hub again.

    Raises:
        DownloadFailed: for every other status and for redirects that lead nowhere.
    """
    url = known_url or httpx2.URL(file.url)
    linked: str | None = None
    for _ in range(MOST_REDIRECTS):
        sent = dict(headers)
        if token and _origin(url) == _origin(httpx2.URL(file.endpoint)):
            sent["Authorization"] = f"Bearer {token}"
        extensions = {"trace": trace} if trace else None
        with client.stream("GET", url, headers=sent, extensions=extensions) as response:
            linked = clean_etag(response.headers.get("X-Linked-ETag")) or linked
            if response.is_redirect:
                url = _next(url, response, file)
                continue
            moved = _origin(url) != _origin(httpx2.URL(file.endpoint))
            if response.status_code >= 300 and response.status_code != 416:
                raise refusal(response, file, has_token=bool(token), moved=moved)
            yield Answer(response, linked, moved)
            return
    raise DownloadFailed("redirect_refused", name=file.name, host=url.host)


def _next(url: httpx2.URL, response: httpx2.Response, file: RemoteFile) -> httpx2.URL:
    location = response.headers.get("Location")
    if not location:
        raise DownloadFailed("redirect_refused", name=file.name, host=url.host)
    target = url.join(location)
    if target.scheme not in ("http", "https") or (
        url.scheme == "https" and target.scheme == "http"
    ):
        raise DownloadFailed("redirect_refused", name=file.name, host=target.host)
    return target


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    default = {"http": 80, "https": 443}.get(url.scheme)
    return url.scheme, url.host, url.port or default


def clean_etag(value: str | None) -> str | None:
    """An ETag without its quotes; a weak one is no identity and counts as none."""
    if value is None or value.startswith("W/"):
        return None
    return value.strip().strip('"') or None


def refusal(
    response: httpx2.Response, file: RemoteFile, *, has_token: bool, moved: bool = False
) -> DownloadFailed:
    """The error for a status that is no success."""
    return refusal_of(
        response.status_code, response.headers, file, has_token=has_token, moved=moved
    )


def refusal_of(
    status: int,
    headers: Mapping[str, str],
    file: RemoteFile,
    *,
    has_token: bool,
    moved: bool = False,
) -> DownloadFailed:
    """The error for a status and its headers.

    With `moved` a storage host and not the Hub has spoken.
    """
    host = urlsplit(file.endpoint).hostname or file.endpoint
    if status == 429:
        wait = retry_after_seconds(headers)
        return DownloadFailed("rate_limited", host=host, retry_seconds=wait)
    if status in (408, 425) or status >= 500:
        wait = retry_after_seconds(headers)
        return DownloadFailed("server_error", host=host, status=status, retry_seconds=wait)
    if status == 407:
        return DownloadFailed("proxy_refused", host=host, proxy=proxy_for(file.endpoint))
    if moved and status in (401, 403, 404):
        # Addresses on the storage host expire; asking the Hub again brings a fresh one.
        return DownloadFailed("storage_refused", name=file.name, status=status)
    if status == 401 and "nvalid " in headers.get("X-Error-Message", ""):
        code = "token_rejected"  # "Invalid credentials in Authorization header"
    else:
        code = _client_error(status, headers.get("X-Error-Code"), has_token=has_token)
    return DownloadFailed(
        code, repo=file.repo, name=file.name, page=file.page, host=host, status=status
    )


def _client_error(status: int, error_code: str | None, *, has_token: bool) -> str:
    named = {
        "GatedRepo": "gated" if has_token else "gated_needs_token",
        "RepoNotFound": "repo_not_found" if has_token or status == 404 else "needs_token",
        "RevisionNotFound": "revision_not_found",
        "EntryNotFound": "file_not_in_repo",
    }
    if error_code in named:
        return named[error_code]
    if status == 401:
        return "token_rejected" if has_token else "needs_token"
    return {403: "forbidden", 404: "file_not_in_repo"}.get(status, "request_refused")


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """How long the server asks us to wait, from Retry-After (seconds or a date) or RateLimit."""
    value = headers.get("Retry-After")
    if value is not None:
        value = value.strip()
        if value.isascii() and value.isdigit():
            return float(value[:9])
        try:
            date = email.utils.parsedate_to_datetime(value)
        except (TypeError, ValueError):
            return None
        return max(0.0, date.timestamp() - time.time())
    match = re.search(r";\s*t=(\d{1,9})", headers.get("RateLimit") or "")
    return float(match[1]) if match else None


def lost(error: BaseException, file: RemoteFile) -> DownloadFailed:
    """The error for a connection that failed or broke."""
    host = urlsplit(file.endpoint).hostname or file.endpoint
    causes = list(_causes(error))
    if any(isinstance(e, ssl.SSLCertVerificationError) for e in causes):
        return DownloadFailed("certificate_refused", host=host)
    if any(isinstance(e, httpx2.ProxyError | httpcore2.ProxyError) for e in causes):
        return DownloadFailed("proxy_refused", host=host, proxy=proxy_for(file.endpoint))
    if any(isinstance(e, socket.gaierror) for e in causes):
        return DownloadFailed("dns_failed", host=host)
    if any(isinstance(e, httpx2.InvalidURL | httpx2.UnsupportedProtocol) for e in causes):
        return DownloadFailed("address_wrong", host=host)
    if any(isinstance(e, httpx2.ConnectError | httpx2.ConnectTimeout) for e in causes):
        proxy = proxy_for(file.endpoint)
        if proxy:
            return DownloadFailed("proxy_refused", host=host, proxy=proxy)
        return DownloadFailed("no_connection", host=host)
    if any(isinstance(e, httpx2.TimeoutException | httpcore2.TimeoutException) for e in causes):
        return DownloadFailed("stalled", host=host)
    return DownloadFailed("connection_lost", host=host)


def proxy_for(endpoint: str) -> str | None:
    """Host and port of the proxy that the environment or the system sets for an address."""
    address = urlsplit(endpoint)
    found = urllib.request.getproxies().get(address.scheme)
    if not found or urllib.request.proxy_bypass(address.hostname or ""):
        return None
    return urlsplit(found).netloc.rpartition("@")[2] or None  # without a password


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 10:
        yield error
        error = error.__cause__ or error.__context__
        seen += 1
