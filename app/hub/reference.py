"""What a person types or pastes to mean a model on a Hub, and which of its files that is.

Imports errors and its neighbours in this room; asks no network itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from app.errors import DownloadFailed
from app.hub.items import Wanted
from app.hub.names import is_gguf, kind_of, quantisation_of
from app.hub.records import RemoteFile
from app.hub.repository import ModelChoice, Repository

# Shown when no file was named: more would not be read.
MOST_NAMED = 12

_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_VIEWS = ("resolve", "blob", "tree", "raw")


@dataclass(frozen=True, slots=True)
class Reference:
    """A repository and perhaps one model in it.

    Attributes:
        file: path inside the repository.
        quantisation: instead of a file, as in "owner/repo:Q4_K_M".
        revision: from a pasted address; the newest if there is none.
    """

    repo: str
    file: str | None = None
    quantisation: str | None = None
    revision: str | None = None


def parse_reference(text: str) -> Reference | None:
    """Read "owner/repo", "owner/repo/file.gguf", "owner/repo:Q4_K_M" or an address of these.

    Nothing where the text cannot mean a repository.
    """
    text = text.strip()
    if text.lower().startswith(("http://", "https://")):
        text = unquote(urlsplit(text).path).strip("/")
    else:
        text = text.removeprefix("huggingface.co/").removeprefix("hf.co/")
    path, _, quantisation = text.partition(":")
    parts = path.split("/")
    repo = "/".join(parts[:2])
    if len(parts) < 2 or not _REPO.fullmatch(repo) or set(parts) & {"", ".", ".."}:
        return None
    rest, revision = parts[2:], None
    if len(rest) >= 2 and rest[0] in _VIEWS:
        revision = rest[1] if rest[1] != "main" else None
        rest = rest[2:]
    return Reference(repo, "/".join(rest) or None, quantisation or None, revision)


def find_choice(repository: Repository, reference: Reference) -> ModelChoice:
    """The model meant: with all its parts where it is split. A single one need not be named.

    Raises:
        DownloadFailed: "file_not_in_repo"; "file_not_named" where there are several.
    """
    found = [choice for choice in _offered(repository) if _is_meant(choice, reference)]
    if len(found) == 1 or (found and (reference.file or reference.quantisation)):
        return found[0]
    names = [choice.files[0].name for choice in _offered(repository)]
    if not found:
        name = reference.file or reference.quantisation or ""
        page = repository.summary.page
        raise DownloadFailed("file_not_in_repo", name=name, repo=reference.repo, page=page)
    shown = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    raise DownloadFailed("file_not_named", repo=reference.repo, names=shown)


def wanted_files(choice: ModelChoice) -> list[Wanted]:
    """All files of a model as downloads, at the commit that was looked at."""
    return [
        Wanted(file.repo, file.name, file.commit, file.size_bytes, file.sha256)
        for file in choice.files
    ]


def as_choice(file: RemoteFile) -> ModelChoice:
    """A single file, for example a sidecar, as something to download."""
    return ModelChoice((file,), kind_of(file.name), quantisation_of(file.name), file.size_bytes)


def _offered(repository: Repository) -> list[ModelChoice]:
    return [*repository.choices, *(as_choice(file) for file in repository.sidecars)]


def _is_meant(choice: ModelChoice, reference: Reference) -> bool:
    if reference.file is not None:
        wanted = reference.file.lower()
        return any(file.name.lower() == wanted for file in choice.files)
    if reference.quantisation is not None:
        wanted = reference.quantisation.upper().removesuffix(".GGUF")
        return choice.quantisation is not None and choice.quantisation == wanted
    return all(is_gguf(file.name) for file in choice.files)
