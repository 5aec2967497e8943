"""Reads the headers of a target and a draft on a thread and says whether they go together.

The rules are `app.hub.pairing`'s; its imports and the reading of a large vocabulary stay off the
window's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.protocol import Detail
from app.errors import AppError
from app.session import LoadCheck
from app.ui.newest import Newest

if TYPE_CHECKING:
    from app.hub.gguf import Header
    from app.session.fitting import FitReport

    Fit = Callable[[Path, Header, Header | None], FitReport]

CLOSE_SECONDS = 1.0  # more than the header of a large vocabulary takes


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What is worth knowing of a model file; None where it does not say."""

    path: Path
    size_bytes: int
    parameters: int | None
    quantisation: str | None
    context_tokens: int | None


@dataclass(frozen=True, slots=True)
class PairReport:
    """What the two headers say.

    Attributes:
        check: what a session needs to load the pair.
        target, draft: facts of files that could be read.
        hints: worth saying about a pair that may be used: code, values, whether it discourages.
    """

    check: LoadCheck
    target: FileFacts | None = None
    draft: FileFacts | None = None
    hints: tuple[tuple[str, Detail, bool], ...] = ()


def examine(target: Path, draft: Path | None, fit: Fit | None = None) -> PairReport:
    """Read and judge; on any thread. `fit` says what goes into memory."""
    from app.hub import gguf, pairing

    try:
        header = gguf.read_model_file(target)
    except AppError as error:
        return PairReport(LoadCheck(target, draft, (error.code, error.detail)))
    facts = _facts(target, header)
    if header.role is not gguf.Role.MODEL:
        detail: Detail = {"path": str(target), "role": header.role.value}
        return PairReport(LoadCheck(target, draft, ("pair_target_not_a_model", detail)), facts)
    if draft is None:
        return PairReport(_fitted(LoadCheck(target), fit, header, None), facts)
    try:
        other = gguf.read_model_file(draft)
        verdict = pairing.judge(header, other)
    except AppError as error:
        check = LoadCheck(target, draft, None, (error.code, error.detail))
        return PairReport(_fitted(check, fit, header, None), facts)
    reason = verdict.reason
    refused = (reason.code, dict(reason.detail)) if reason is not None else None
    hints = tuple((hint.code, dict(hint.detail), hint.discourages) for hint in verdict.hints)
    check = LoadCheck(target, draft, None, refused)
    check = _fitted(check, fit, header, other if reason is None else None)
    return PairReport(check, facts, _facts(draft, other), hints)


def _fitted(check: LoadCheck, fit: Fit | None, target: Header, draft: Header | None) -> LoadCheck:
    """With what the memory of this computer allows."""
    if fit is None:
        return check
    report = fit(check.target, target, draft)
    n_ctx = report.n_ctx if report.n_ctx < report.wanted_ctx else None
    return replace(check, n_ctx=n_ctx, advice=report.advice())


def _facts(path: Path, header: object) -> FileFacts:
    from app.hub.gguf import Header

    assert isinstance(header, Header)
    return FileFacts(
        path=path,
        size_bytes=header.file_bytes,
        parameters=header.parameters,
        quantisation=header.quantisation,
        context_tokens=header.context_length,
    )


class PairCheck(QObject):
    """Examines pairs one after the other; only the newest answer counts.

    Attributes:
        fit: says what of a pair fits into memory; None leaves that to the engine.

    Signals:
        finished: a PairReport.
    """

    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.fit: Fit | None = None
        self._newest = Newest("pair-check", CLOSE_SECONDS, self)
        self._newest.done.connect(self.finished)

    def start(self, target: Path, draft: Path | None) -> None:
        """Examine a pair; `finished` follows unless another one is asked for before."""
        self._newest.start(partial(examine, target, draft, self.fit))

    def cancel(self) -> None:
        """Forget what was asked."""
        self._newest.cancel()

    def close(self) -> None:
        """Wait for a check that runs."""
        self._newest.close()
