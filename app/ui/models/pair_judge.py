"""Which drafts may serve a target: installed ones, and those of the catalogue. No Qt; on a thread.

Files are read by their headers only, far ones by ranges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from app.errors import AppError
from app.hub.catalog import Catalog, CatalogFile, find_installed
from app.hub.download import Hub
from app.hub.gguf import FileSource, Header, Want, read_header
from app.hub.library import LibraryFile
from app.hub.names import FileKind
from app.hub.pairing import Proposal, Reason, Verdict, propose
from app.hub.reference import find_choice, parse_reference

CANDIDATES = (FileKind.MODEL, FileKind.DRAFT)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft that could be proposed: here, or in the catalogue."""

    name: str
    size_bytes: int
    path: Path | None = None
    listed: CatalogFile | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate and what the rules say of it."""

    candidate: Candidate
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """All candidates, best first.

    Attributes:
        target: the file, if it is on this computer.
        trouble: why far drafts could not be looked at.
    """

    target: Path | None
    judged: tuple[Judged, ...]
    trouble: AppError | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a target, and whether the network may be used for drafts."""

    target: str
    files: tuple[LibraryFile, ...]
    catalog: Catalog
    look_far: bool = False


def answer(question: Question, hub: Hub) -> Answer:
    """Judge every candidate.

    Raises:
        AppError: the target cannot be read.
    """
    with ExitStack() as stack:
        path, target = _open_target(question.target, hub, stack)
        candidates = list(_here(question, path))
        found: dict[str, tuple[Candidate, Header]] = {}
        broken: list[Judged] = []
        trouble = None
        for candidate in candidates:
            try:
                assert candidate.path is not None
                header = read_header(FileSource(candidate.path), Want.SIZING)
            except AppError as error:
                broken.append(_refused(candidate, error))
            else:
                found[header.name_of_file] = candidate, header
        try:
            for candidate in _far(question) if question.look_far else ():
                header = _open_listed(candidate, hub, stack)
                found[header.name_of_file] = candidate, header
        except AppError as error:
            trouble = error
        proposals = propose(target, [header for _, header in found.values()])
        judged = [_judged(found, proposal) for proposal in proposals]
    return Answer(path, (*judged, *broken), trouble)


def _judged(found: dict[str, tuple[Candidate, Header]], proposal: Proposal) -> Judged:
    candidate, _ = found[proposal.draft.name_of_file]
    return Judged(candidate, proposal.verdict)


def _refused(candidate: Candidate, error: AppError) -> Judged:
    return Judged(candidate, Verdict(False, Reason(error.code, error.detail), ()))


def _open_target(text: str, hub: Hub, stack: ExitStack) -> tuple[Path | None, Header]:
    reference = parse_reference(text)
    if reference is None or Path(text).exists():
        path = Path(text).expanduser()
        return path, read_header(FileSource(path), Want.SIZING)
    choice = find_choice(hub.repository(reference.repo, reference.revision), reference)
    remote = stack.enter_context(hub.open(choice.files[0]))
    return None, read_header(remote, Want.SIZING)


def _open_listed(candidate: Candidate, hub: Hub, stack: ExitStack) -> Header:
    listed = candidate.listed
    assert listed is not None  # only catalogue files are far
    file = hub.locate(listed.repo, listed.file, listed.revision)
    return read_header(stack.enter_context(hub.open(file)), Want.SIZING)


def _here(question: Question, target: Path | None) -> Iterator[Candidate]:
    for file in question.files:
        if file.kind in CANDIDATES and file.is_complete and file.path != target:
            yield Candidate(file.path.name, file.size_bytes, file.path)


def _far(question: Question) -> Sequence[Candidate]:
    drafts = {(pair.draft.repo, pair.draft.file): pair.draft for pair in question.catalog.pairs}
    return [
        Candidate(f"{one.repo}/{one.file}", one.size_bytes, None, one)
        for one in drafts.values()
        if find_installed(one, question.files) is None
    ]
