"""Questions to a Hub: search, files, tokens. The only file that imports huggingface_hub.

The bytes themselves are fetched by `transfer.py`: huggingface_hub no longer resumes across restarts
and checks no hashes. It is imported at the first question, because that takes a moment and reads
the environment, which must be set before. Imports errors and its neighbours in this room.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2

from app.errors import DownloadFailed
from app.hub.records import RemoteFile
from app.hub.remote import RemoteBytes
from app.hub.repository import Repository, RepoSummary, group_files
from app.hub.web import CONNECT_SECONDS, lost, refusal

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import ModelInfo

DEFAULT_ENDPOINT = "https://huggingface.co"
ANSWER_SECONDS = 30.0
AGAIN = frozenset({408, 429, 500, 502, 503, 504})  # what huggingface_hub answers with patience
ENVIRONMENT = {
    "HF_HUB_DISABLE_XET": "1",  # its transfers cannot be cancelled
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",  # only the token the user gave to this app
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",  # a windowed build has no standard error to draw on
}


class Hub:
    """Questions to one Hub; every answer may take seconds, so ask from a thread of your own."""

    def __init__(
        self, token: Callable[[], str | None] = lambda: None, endpoint: str | None = None
    ) -> None:
        chosen = endpoint or os.environ.get("HF_ENDPOINT") or DEFAULT_ENDPOINT
        self.endpoint = chosen.rstrip("/")
        self._token = token

    def search(
        self, text: str, *, licence: str | None = None, limit: int = 40
    ) -> list[RepoSummary]:
        """Repositories with GGUF files, most downloaded first."""
        filters = ["gguf"] if licence is None else ["gguf", f"license:{licence}"]
        with self._asking(RemoteFile(self.endpoint, "", "", "")) as api:
            found = api.list_models(
                search=text or None,
                filter=filters,
                sort="downloads",
                limit=limit,
                expand=["downloads", "likes", "gated", "lastModified", "tags", "gguf"],
            )
            return [self._summary(info) for info in found]

    def repository(self, repo: str, revision: str | None = None) -> Repository:
        """The models in a repository.

        Raises:
            DownloadFailed: "no_gguf" when there are none.
        """
        about = RemoteFile(self.endpoint, repo, "", revision or "main")
        with self._asking(about) as api:
            info = api.model_info(
                repo, revision=revision, files_metadata=True, timeout=ANSWER_SECONDS
            )
        commit = info.sha
        if not commit:
            raise DownloadFailed("not_a_hub", host=_host(self.endpoint))
        files = [
            RemoteFile(
                self.endpoint,
                repo,
                sibling.rfilename,
                commit,
                sibling.size,
                sibling.lfs.sha256 if sibling.lfs else None,
                sibling.lfs.sha256 if sibling.lfs else sibling.blob_id,
            )
            for sibling in info.siblings or []
        ]
        choices, sidecars, incomplete = group_files(files)
        if not choices and not sidecars:
            raise DownloadFailed("no_gguf", repo=repo, page=about.page)
        return Repository(self._summary(info), commit, choices, sidecars, incomplete)

    def locate(self, repo: str, name: str, revision: str | None = None) -> RemoteFile:
        """One file with commit, size and hash. A name that differs in case only is found too."""
        try:
            return self._locate(repo, name, revision)
        except DownloadFailed as error:
            if error.code not in ("file_not_in_repo", "revision_not_found"):
                raise
            failure = error
        # Publishers rename files and rewrite history; the file is often still there.
        for file in self._files(self.repository(repo)):
            if file.name.lower() == name.lower():
                return file
        raise failure

    def open(self, file: RemoteFile) -> RemoteBytes:
        """A file to read headers from, without downloading it."""
        return RemoteBytes(file, self._token())

    def user_name(self) -> str:
        """Who the token belongs to; fails if the Hub does not accept it."""
        if self._token() is None:
            raise DownloadFailed("token_missing")
        with self._asking(RemoteFile(self.endpoint, "", "", "")) as api:
            name = api.whoami().get("name")
        return name if isinstance(name, str) else ""

    def _locate(self, repo: str, name: str, revision: str | None) -> RemoteFile:
        about = RemoteFile(self.endpoint, repo, name, revision or "main")
        with self._asking(about):
            import huggingface_hub

            found = huggingface_hub.get_hf_file_metadata(
                about.url,
                token=self._token() or False,
                timeout=ANSWER_SECONDS,
                endpoint=self.endpoint,
            )
        if found.commit_hash is None or found.etag is None:
            raise DownloadFailed("not_a_hub", host=_host(self.endpoint))
        sha256 = found.etag if len(found.etag) == 64 else None
        return RemoteFile(
            self.endpoint, repo, name, found.commit_hash, found.size, sha256, found.etag
        )

    def _files(self, repository: Repository) -> Iterator[RemoteFile]:
        for choice in repository.choices:
            yield from choice.files
        yield from repository.sidecars

    def _summary(self, info: ModelInfo) -> RepoSummary:
        gguf: dict[str, Any] = info.gguf or {}
        tags = info.tags or []
        licences = [tag.removeprefix("license:") for tag in tags if tag.startswith("license:")]
        return RepoSummary(
            repo=info.id,
            page=f"{self.endpoint}/{info.id}",
            licence=licences[0] if licences else None,
            is_gated=bool(info.gated),
            downloads=info.downloads or 0,
            likes=info.likes or 0,
            updated=info.last_modified.date().isoformat() if info.last_modified else None,
            parameters=_number(gguf.get("total")),
            architecture=str(gguf["architecture"]) if gguf.get("architecture") else None,
            context_length=_number(gguf.get("context_length")),
        )

    @contextmanager
    def _asking(self, about: RemoteFile) -> Iterator[HfApi]:
        """The library's interface, with its errors turned into ours."""
        _prepare()
        import huggingface_hub
        from huggingface_hub import errors

        token = self._token()
        try:
            yield huggingface_hub.HfApi(endpoint=self.endpoint, token=token or False)
        except _AtOnce as error:
            if error.response is not None:
                raise refusal(error.response, about, has_token=bool(token)) from error
            raise lost(error.__cause__ or error, about) from error
        except errors.OfflineModeIsEnabled as error:
            raise DownloadFailed("offline_mode") from error
        except errors.HFValidationError as error:
            raise DownloadFailed("repo_name_wrong", repo=about.repo) from error
        except errors.HfHubHTTPError as error:
            raise refusal(error.response, about, has_token=bool(token)) from error
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            # A mirror or a captive portal answered something that is no answer of a Hub.
            raise DownloadFailed("not_a_hub", host=_host(self.endpoint)) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise lost(error, about) from error


class _AtOnce(Exception):
    """An answer or a lost connection that the library would try again for half a minute.

    A search is asked by somebody who waits: better say what is wrong and let them decide.
    """

    def __init__(self, response: httpx2.Response | None = None) -> None:
        super().__init__()
        self.response = response


class _Client(httpx2.Client):
    """Fails at once where the library would wait and try again."""

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            response = super().send(request, **options)
        except httpx2.TransportError as error:
            raise _AtOnce from error
        if response.status_code in AGAIN:
            response.read()
            raise _AtOnce(response)
        return response


@functools.cache
def _prepare() -> None:
    """Set the library up, once, before its first import."""
    os.environ.update(ENVIRONMENT)
    import huggingface_hub

    huggingface_hub.set_client_factory(
        lambda: _Client(follow_redirects=True, event_hooks={"request": [_before_request]})
    )


def _before_request(request: httpx2.Request) -> None:
    """Give every request of the library a time limit; some of its calls have none of their own."""
    import huggingface_hub

    if huggingface_hub.is_offline_mode():
        raise huggingface_hub.errors.OfflineModeIsEnabled("HF_HUB_OFFLINE is set")
    limit = httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
    request.extensions = {**request.extensions, "timeout": limit.as_dict()}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _host(endpoint: str) -> str:
    return urlsplit(endpoint).hostname or endpoint


def close() -> None:
    """Close the connections that huggingface_hub keeps; it opens new ones when asked again."""
    import huggingface_hub

    huggingface_hub.close_session()
