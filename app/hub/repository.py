"""What a repository on a Hub holds: its models, whole or split, and what goes with them.

Imports its neighbours in this room.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.hub.names import FileKind, is_gguf, kind_of, quantisation_of, split_of
from app.hub.records import RemoteFile


@dataclass(frozen=True, slots=True)
class RepoSummary:
    """One line of a search.

    Attributes:
        parameters, architecture, context_length: of the model, where the Hub has read its header.
    """

    repo: str
    page: str
    licence: str | None
    is_gated: bool
    downloads: int
    likes: int
    updated: str | None
    parameters: int | None
    architecture: str | None
    context_length: int | None


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model file of a repository, or all parts of a split one.

    Attributes:
        files: in the order of their parts; load the first.
        size_bytes: of all parts; nothing where the Hub states none.
    """

    files: tuple[RemoteFile, ...]
    kind: FileKind
    quantisation: str | None
    size_bytes: int | None


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository at one commit.

    Attributes:
        choices: its models, complete ones only, drafts among them.
        sidecars: projectors and native drafters, not models by themselves.
        incomplete: stems of split models of which parts are missing.
    """

    summary: RepoSummary
    commit: str
    choices: tuple[ModelChoice, ...]
    sidecars: tuple[RemoteFile, ...]
    incomplete: tuple[str, ...]


def group_files(
    files: list[RemoteFile],
) -> tuple[tuple[ModelChoice, ...], tuple[RemoteFile, ...], tuple[str, ...]]:
    """Sort a repository's files into models, sidecars and split models with missing parts."""
    choices: list[ModelChoice] = []
    sidecars: list[RemoteFile] = []
    parts: dict[tuple[str, int], dict[int, RemoteFile]] = {}
    for file in files:
        kind, split = kind_of(file.name), split_of(file.name)
        if not is_gguf(file.name) or kind is FileKind.OTHER:
            continue
        if kind in (FileKind.PROJECTOR, FileKind.NATIVE_DRAFTER):
            sidecars.append(file)
        elif split is None:
            choices.append(_choice((file,)))
        else:
            parts.setdefault((split.stem, split.count), {})[split.index] = file
    whole = {choice.files[0].name.lower() for choice in choices}
    incomplete = []
    for (stem, count), found in parts.items():
        if len(found) < count:
            incomplete.append(stem)
        elif f"{stem}.gguf".lower() not in whole:  # the whole file is simpler to keep
            choices.append(_choice(tuple(found[index] for index in range(1, count + 1))))
    return tuple(choices), tuple(sidecars), tuple(incomplete)


def _choice(files: tuple[RemoteFile, ...]) -> ModelChoice:
    sizes = [file.size_bytes for file in files]
    known = [size for size in sizes if size is not None]
    name = files[0].name
    total = sum(known) if len(known) == len(sizes) else None
    return ModelChoice(files, kind_of(name), quantisation_of(name), total)
