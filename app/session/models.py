"""The engine's side of a chat: which pair is wanted, loading, loaded, failed or gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from app.engine.protocol import (
    Command,
    Detail,
    KvType,
    LoadFailed,
    LoadModels,
    LoadProgress,
    ModelsLoaded,
    UnloadModels,
    WorkerExited,
)
from app.session.view import Level, LoadedPair, Notice

Refusal = tuple[str, Detail]
LOAD_CANCELLED = "load_cancelled"  # by an unload, or by the next load: which then reports itself

FileChecker = Callable[[Path], Refusal | None]
PairChecker = Callable[[Path, Path], Refusal | None]


class EngineState(StrEnum):
    """Where the models are."""

    EMPTY = "empty"
    LOADING = "loading"
    LOADED = "loaded"
    UNLOADING = "unloading"
    CRASHED = "crashed"
    LOAD_FAILED = "load_failed"


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to place a pair; the fields are those of LoadModels."""

    n_ctx: int = 8192
    min_ctx: int = 2048
    n_parallel: int = 1
    threads: int | None = None
    gpu_layers: int | None = None
    kv_type: KvType = KvType.F16


@dataclass(frozen=True, slots=True)
class LoadCheck:
    """What the files say about a pair before anything is loaded.

    Attributes:
        n_ctx: the longest context that fits into memory, where that is known.
        advice: what to say before loading, for example that memory is short.
    """

    target: Path
    draft: Path | None = None
    target_refused: Refusal | None = None
    draft_refused: Refusal | None = None
    n_ctx: int | None = None
    advice: tuple[Notice, ...] = ()


def accept_any_file(path: Path) -> Refusal | None:
    """Leave the judgement to the engine."""
    del path
    return None


def accept_any_pair(target: Path, draft: Path) -> Refusal | None:
    """Leave the judgement to the engine."""
    del target, draft
    return None


def check_files(
    target: Path,
    draft: Path | None,
    check_file: FileChecker = accept_any_file,
    check_pair: PairChecker = accept_any_pair,
) -> LoadCheck:
    """Judge two files by their headers; touches no session, so it may run on any thread."""
    refused = check_file(target)
    if refused is not None or draft is None:
        return LoadCheck(target, draft, refused)
    return LoadCheck(target, draft, None, check_file(draft) or check_pair(target, draft))


@dataclass(slots=True)
class ModelDesk:
    """Keeps the engine's state from commands sent and events received.

    Attributes:
        wanted: the pair last asked for; kept after a crash, a failed load and an unload.
        refused_draft: why the wanted draft is not in use.
        fitting_ctx: the longest context that fits for the wanted pair; a restart keeps to it.
    """

    options: LoadOptions = field(default_factory=LoadOptions)
    state: EngineState = EngineState.EMPTY
    wanted: LoadedPair | None = None
    loaded: ModelsLoaded | None = None
    stage: str = ""
    fraction: float = 0.0
    refused_draft: Notice | None = None
    problem: Notice | None = None
    crash: WorkerExited | None = None
    fitting_ctx: int | None = None

    def load(self, check: LoadCheck) -> tuple[list[Command], Notice | None]:
        """Commands for a checked pair, or the reason why not; then what is loaded stays loaded."""
        if check.target_refused is not None:
            code, detail = check.target_refused
            problem = Notice(code, detail, Level.ERROR)
            if self.state not in (EngineState.LOADED, EngineState.LOADING):
                self.wanted = LoadedPair(check.target, check.draft)
                self._fail(problem)
            return [], problem
        is_other = self.wanted is None or self.wanted.target != check.target
        if is_other or check.n_ctx is not None:
            self.fitting_ctx = check.n_ctx
        self.wanted = LoadedPair(check.target, check.draft)
        self._reset(EngineState.LOADING)
        because: str | None = None
        values: Detail = {}
        if check.draft_refused is not None:
            because, values = check.draft_refused
            self.refused_draft = Notice(because, values, Level.WARNING)
        o = self.options
        n_ctx = min(o.n_ctx, self.fitting_ctx or o.n_ctx)
        command = LoadModels(
            target=check.target,
            draft=check.draft if because is None else None,
            n_ctx=n_ctx,
            min_ctx=min(o.min_ctx, n_ctx),
            n_parallel=o.n_parallel,
            threads=o.threads,
            gpu_layers=o.gpu_layers,
            kv_type=o.kv_type,
            no_draft_because=because,
            no_draft_detail=values,
        )
        return [command], None

    def unload(self) -> list[Command]:
        """Commands that free the models; none when nothing is there to free."""
        if self.state not in (EngineState.LOADED, EngineState.LOADING):
            return []
        self._reset(EngineState.UNLOADING)
        return [UnloadModels()]

    def on_progress(self, event: LoadProgress) -> None:
        """Progress never goes back, whatever stage reports it."""
        if self.state is EngineState.LOADING:
            self.stage = event.stage
            self.fraction = max(self.fraction, min(1.0, event.fraction))

    def on_loaded(self, event: ModelsLoaded) -> list[Notice]:
        """Take note of what was placed where; returns what the user should hear about it."""
        if self.state is EngineState.UNLOADING or not self._is_wanted(event):
            return []  # another pair, or none, was asked for while this one loaded
        self._reset(EngineState.LOADED)
        self.loaded = event
        notices = [Notice(step.code, step.detail, Level.WARNING) for step in event.steps]
        if event.no_draft_because is not None:
            detail = event.no_draft_detail
            self.refused_draft = Notice(event.no_draft_because, detail, Level.WARNING)
            notices.append(self.refused_draft)
        return notices

    def on_failed(self, event: LoadFailed) -> Notice | None:
        """Nothing is loaded, for this reason; None when nobody waits for it any more."""
        if self.state is EngineState.UNLOADING or event.code == LOAD_CANCELLED:
            return None
        problem = Notice(event.code, event.detail, Level.ERROR)
        self._fail(problem)
        return problem

    def on_unloaded(self) -> None:
        """Nothing is in memory now. While loading this speaks of the pair before: ignored."""
        if self.state in (EngineState.LOADED, EngineState.UNLOADING):
            self._reset(EngineState.EMPTY)

    def on_exit(self, event: WorkerExited) -> None:
        """The process is gone: as asked, to come back by itself, or by a crash."""
        busy = self.state in (EngineState.LOADED, EngineState.LOADING)
        if event.expected or not busy:
            self.on_unloaded()
        elif event.retrying:
            self._reset(EngineState.LOADING)
        else:
            self._reset(EngineState.CRASHED)
            self.crash = event

    def without_draft(self) -> None:
        """Forget the wanted draft."""
        if self.wanted is not None:
            self.wanted = replace(self.wanted, draft=None)

    def _is_wanted(self, event: ModelsLoaded) -> bool:
        return self.wanted is None or self.wanted.target.name == event.target.path.name

    def _fail(self, problem: Notice) -> None:
        self._reset(EngineState.LOAD_FAILED)
        self.problem = problem

    def _reset(self, state: EngineState) -> None:
        self.state = state
        self.loaded = None
        self.stage = ""
        self.fraction = 0.0
        self.problem = None
        self.crash = None
        self.refused_draft = None
