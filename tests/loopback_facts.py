"""What the Hub on loopback serves, how it misbehaves, and what it has seen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

COMMIT = "1" * 40
GOOD_TOKEN = "hf_loopback"


@dataclass(frozen=True, slots=True)
class Fault:
    """How one file misbehaves when its bytes are asked for.

    Attributes:
        times: for how many requests; then the file is served well.
        status: answer with this instead of the file, with `headers`.
        drop_after, stall_after: bytes of the body before the connection breaks or falls silent.
        ignore_range: always send everything.
        wrong_range: answer 206 from the start whatever was asked.
        stated_extra: state this many bytes more than the file has.
        html: send a page instead.
        corrupt: flip the first bit after the header.
        bytes_per_second: send slowly.
        redirect: send the client on to this address.
    """

    times: int = 1_000_000
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    drop_after: int | None = None
    stall_after: int | None = None
    ignore_range: bool = False
    wrong_range: bool = False
    stated_extra: int = 0
    html: bool = False
    corrupt: bool = False
    bytes_per_second: float = 0.0
    redirect: str = ""


@dataclass(slots=True)
class HubFile:
    """A served file."""

    path: Path
    sha256: str
    size: int

    @staticmethod
    def of(path: Path) -> HubFile:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return HubFile(path, digest, path.stat().st_size)


@dataclass(slots=True)
class HubRepo:
    """A served repository."""

    name: str
    files: dict[str, HubFile] = field(default_factory=dict)
    gated: bool = False
    private: bool = False
    licence: str = "apache-2.0"
    downloads: int = 1000
    gguf: dict[str, object] = field(default_factory=dict)
    commit: str = COMMIT
    status: int = 0  # answer every question about it with this
    status_headers: dict[str, str] = field(default_factory=dict)

    def siblings(self) -> list[dict[str, object]]:
        return [
            {
                "rfilename": name,
                "size": file.size,
                "blobId": file.sha256[:40],
                "lfs": {"size": file.size, "sha256": file.sha256, "pointerSize": 130},
            }
            for name, file in sorted(self.files.items())
        ]

    def info(self) -> dict[str, object]:
        return {
            "id": self.name,
            "sha": self.commit,
            "private": self.private,
            "gated": "auto" if self.gated else False,
            "downloads": self.downloads,
            "likes": 7,
            "lastModified": "2026-10-01T12:00:00.000Z",
            "tags": ["gguf", f"license:{self.licence}"],
            "gguf": self.gguf,
            "siblings": self.siblings(),
        }


@dataclass(frozen=True, slots=True)
class Seen:
    """A request that arrived."""

    server: str  # "hub" or "storage"
    method: str
    path: str
    range: str | None
    if_range: str | None
    authorization: str | None
