"""What is known of a file on a Hub, and the same kept on disk beside what was downloaded of it.
Imports only errors.

One small JSON file per model file, written before the first byte arrives and kept after the last:
it is what lets a download go on after a crash, a restart or an update of the app, and what "verify
files" compares with later.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from urllib.parse import quote

VERSION = 1


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a repository at one commit.

    Attributes:
        endpoint: address of the Hub, without a slash at the end.
        name: path inside the repository.
        commit: 40 hex digits.
        size_bytes, sha256: as the Hub states them; nothing where it does not.
        etag: identity of the content on the Hub, without quotes.
    """

    endpoint: str
    repo: str
    name: str
    commit: str
    size_bytes: int | None = None
    sha256: str | None = None
    etag: str | None = None

    @property
    def url(self) -> str:
        """Where the bytes are asked for; the Hub may send us on from there."""
        return f"{self.endpoint}/{quote(self.repo)}/resolve/{self.commit}/{quote(self.name)}"

    @property
    def page(self) -> str:
        """The page a person can open, for example to accept a licence."""
        return f"{self.endpoint}/{self.repo}"


@dataclass(frozen=True, slots=True)
class Record:
    """A remote file and what its local copy was made from.

    Attributes:
        body_etag: of the server that sent the bytes, often not the Hub; only compared with itself.
        whole_sha256: computed over the finished local file; nothing while it is partial.
    """

    file: RemoteFile
    body_etag: str | None = None
    whole_sha256: str | None = None


def save_record(path: Path, record: Record) -> None:
    """Write a record so that a crash leaves either the old one or the new one."""
    text = json.dumps({"version": VERSION, **asdict(record)}, indent=1)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def load_record(path: Path) -> Record | None:
    """The record in a file; nothing when there is none or it cannot be understood."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return None
    raw = data.get("file")
    if not isinstance(raw, dict):
        return None
    file = _remote_file(raw)
    if file is None:
        return None
    return Record(file, _text(data.get("body_etag")), _text(data.get("whole_sha256")))


def _remote_file(raw: Mapping[str, object]) -> RemoteFile | None:
    size = raw.get("size_bytes")
    if size is not None and (not isinstance(size, int) or isinstance(size, bool) or size < 0):
        return None
    texts = {f.name: _text(raw.get(f.name)) for f in fields(RemoteFile) if f.name != "size_bytes"}
    endpoint, repo, name, commit = (texts[k] for k in ("endpoint", "repo", "name", "commit"))
    if endpoint is None or repo is None or name is None or commit is None:
        return None
    return RemoteFile(endpoint, repo, name, commit, size, texts["sha256"], texts["etag"])


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
