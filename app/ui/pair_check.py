"""Reads the headers of a target and a draft on a thread and says whether they go together.

The rules are `app.hub.pairing`'s; its imports and the reading of a large vocabulary stay off the
window's thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.engine.protocol import Detail
from app.errors import AppError
from app.session import LoadCheck

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
    _done = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.fit: Fit | None = None
        self._newest = 0
        self._thread: threading.Thread | None = None
        self._next: tuple[int, Path, Path | None] | None = None
        self._lock = threading.Lock()
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def start(self, target: Path, draft: Path | None) -> None:
        """Examine a pair; `finished` follows unless another one is asked for before."""
        self._newest += 1
        with self._lock:
            self._next = (self._newest, target, draft)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="pair-check", daemon=True)
                self._thread.start()

    def cancel(self) -> None:
        """Forget what was asked."""
        self._newest += 1
        with self._lock:
            self._next = None

    def close(self) -> None:
        """Wait for the thread: it may not speak to an object that is gone."""
        self.cancel()
        thread = self._thread
        if thread is not None:
            thread.join(CLOSE_SECONDS)

    def _work(self) -> None:
        while True:
            with self._lock:
                job, self._next = self._next, None
                if job is None:
                    self._thread = None
                    return
            number, target, draft = job
            self._done.emit(number, examine(target, draft, self.fit))

    @Slot(int, object)
    def _on_done(self, number: int, report: object) -> None:
        if number == self._newest:
            self.finished.emit(report)
