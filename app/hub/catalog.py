"""Known pairs of a target and a draft, read from resources/pairs.json and checked while reading.

Sizes and hashes are what was published when the list was written; before a download the Hub is
asked again. Imports errors and its neighbours in this room.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from app.errors import AppError, DownloadFailed
from app.hub.fields import Fields, Wrong
from app.hub.items import Wanted
from app.hub.library import LibraryFile
from app.hub.names import is_gguf, safe_path

VERSION = 1


class PairVerdict(Enum):
    """What is to be expected of a pair."""

    GOOD = "good"
    FAIR = "fair"
    UNMEASURED = "unmeasured"
    MARGINAL = "marginal"
    SMALLEST = "smallest"  # for the smallest computers; not for its answers
    NOT_WORTH_IT = "not_worth_it"  # listed so that the reason can be shown


class Evidence(Enum):
    """Why the two are believed to fit."""

    MEASURED = "measured"  # a run is on record
    DOCUMENTED = "documented"  # a maker names the pair
    VOCABULARY = "vocabulary"  # the same tokens, by their headers


class Use(Enum):
    """What a pair is for."""

    CHAT = "chat"
    CODE = "code"
    REASONING = "reasoning"


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """One model file of the catalogue.

    Attributes:
        gated: whether the Hub asks for an accepted licence; nothing if sources disagree.
        revision: the commit at which size and hash were seen.
    """

    repo: str
    file: str
    size_bytes: int
    quantisation: str
    parameters: int
    licence: str
    gated: bool | None
    sha256: str | None
    revision: str | None

    def wanted(self) -> Wanted:
        """This file as a download: at the commit that was checked, where one is known."""
        return Wanted(self.repo, self.file, self.revision, self.size_bytes, self.sha256)


@dataclass(frozen=True, slots=True)
class Measured:
    """What others have measured on their machine; never shown as a promise."""

    speed_up: float
    hardware: str
    settings: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """A target and the draft that serves it.

    Attributes:
        need_bytes: free memory by context length in tokens, ascending.
    """

    id: str
    title: str
    family: str
    uses: tuple[Use, ...]
    verdict: PairVerdict
    evidence: Evidence
    target: CatalogFile
    draft: CatalogFile
    need_bytes: tuple[tuple[int, int], ...]
    is_mixture_of_experts: bool
    measured: tuple[Measured, ...]
    note: str | None

    @property
    def size_bytes(self) -> int:
        """What has to be downloaded."""
        return self.target.size_bytes + self.draft.size_bytes

    def needed_bytes(self, context_tokens: int) -> int:
        """Free memory needed at a context length, between and beyond the listed ones in a line."""
        (low, low_need), (high, high_need) = self.need_bytes[0], self.need_bytes[-1]
        per_token = (high_need - low_need) / (high - low)
        return round(max(low_need, low_need + (context_tokens - low) * per_token))

    def downloads(self) -> list[Wanted]:
        """Both files for a download queue; the draft last, because the target works alone."""
        return [self.target.wanted(), self.draft.wanted()]


@dataclass(frozen=True, slots=True)
class Catalog:
    """All pairs, in order of preference among equals."""

    pairs: tuple[Pair, ...]

    def get(self, pair_id: str) -> Pair | None:
        """A pair by its id, whatever its case."""
        return next((pair for pair in self.pairs if pair.id == pair_id.lower()), None)


def load_catalog(path: Path) -> Catalog:
    """Read the catalogue.

    Raises:
        AppError: "catalog_damaged", with the place in the file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise AppError("catalog_damaged", path=str(path), where=str(error)) from error
    try:
        return _catalog(Fields(data, "top"))
    except Wrong as error:
        raise AppError("catalog_damaged", path=str(path), where=str(error)) from error


def find_installed(file: CatalogFile, files: Iterable[LibraryFile]) -> LibraryFile | None:
    """The file on this computer that is this one: by its hash, its origin, or name and size."""
    for one in files:
        if one.is_complete and _is_this(file, one):
            return one
    return None


def _is_this(file: CatalogFile, one: LibraryFile) -> bool:
    if one.record is not None:
        if file.sha256 is not None and one.record.whole_sha256 == file.sha256:
            return True
        source = one.record.file
        return (source.repo, source.name.lower()) == (file.repo, file.file.lower())
    return one.path.name.lower() == file.file.lower() and one.size_bytes == file.size_bytes


def _catalog(top: Fields) -> Catalog:
    if top.count("version") != VERSION:
        raise top.fail("version", "is one this app does not know")
    pairs = tuple(_pair(fields) for fields in top.children("pairs"))
    ids = [pair.id for pair in pairs]
    for one in ids:
        if ids.count(one) > 1:
            raise top.fail("pairs", f"has {one} twice")
    if not pairs:
        raise top.fail("pairs", "is empty")
    return Catalog(pairs)


def _pair(fields: Fields) -> Pair:
    target, draft = _file(fields.child("target")), _file(fields.child("draft"))
    if draft.size_bytes >= target.size_bytes:
        raise fields.fail("draft", "is not smaller than the target")
    return Pair(
        id=fields.text("id", r"[a-z0-9.+-]+"),
        title=fields.text("title"),
        family=fields.text("family"),
        uses=fields.choices("uses", Use),
        verdict=fields.choice("verdict", PairVerdict),
        evidence=fields.choice("evidence", Evidence),
        target=target,
        draft=draft,
        need_bytes=_needs(fields.child("need_bytes"), target.size_bytes + draft.size_bytes),
        is_mixture_of_experts=bool(fields.flag_or_none("mixture_of_experts")),
        measured=tuple(
            Measured(one.number("speed_up"), one.text("hardware"), one.text_or_none("settings"))
            for one in fields.children("measured")
        ),
        note=fields.text_or_none("note"),
    )


def _needs(fields: Fields, weights_bytes: int) -> tuple[tuple[int, int], ...]:
    needs = tuple((context, fields.count(str(context))) for context in (4096, 8192))
    previous = weights_bytes
    for context, need in needs:
        if need < previous:
            raise fields.fail(str(context), "is less than the weights or a shorter context")
        previous = need
    return needs


def _file(fields: Fields) -> CatalogFile:
    file = CatalogFile(
        repo=fields.text("repo", r"[\w.-]+/[\w.-]+"),
        file=fields.text("file"),
        size_bytes=fields.count("size_bytes"),
        quantisation=fields.text("quantisation", r"[A-Z0-9_-]+"),
        parameters=fields.count("parameters"),
        licence=fields.text("licence"),
        gated=fields.flag_or_none("gated"),
        sha256=fields.text_or_none("sha256", r"[0-9a-f]{64}"),
        revision=fields.text_or_none("revision", r"[0-9a-f]{40}"),
    )
    try:
        safe_path(file.repo, file.file)
    except DownloadFailed as error:
        raise fields.fail("file", "is no safe name") from error
    if not is_gguf(file.file):
        raise fields.fail("file", "is no GGUF file")
    return file
