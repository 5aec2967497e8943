"""What a window or a command line reads of a chat: states, notices and one snapshot. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.engine.protocol import Detail, ModelsLoaded, Speculation, WorkerExited
from app.engine.stats import GenerationStats


class SessionState(StrEnum):
    """What the chat on screen is doing; exactly one at a time."""

    EMPTY = "empty"  # no model loaded
    LOADING = "loading"
    READY = "ready"
    PROMPT = "prompt"  # the engine reads the conversation
    GENERATING = "generating"
    STOPPING = "stopping"  # Stop was pressed, the engine has not confirmed yet
    UNLOADING = "unloading"
    CRASHED = "crashed"  # the engine's process ended by itself; restart() loads the same pair
    LOAD_FAILED = "load_failed"


class Level(StrEnum):
    """How loudly a notice speaks."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say in words: a code of app.messages and its values."""

    code: str
    detail: Detail = field(default_factory=dict)
    level: Level = Level.INFO


@dataclass(frozen=True, slots=True)
class LoadedPair:
    """The files last asked for; `restart` loads them again."""

    target: Path
    draft: Path | None = None


@dataclass(frozen=True, slots=True)
class SessionView:
    """A cheap snapshot of a chat; take one per frame.

    Attributes:
        answer_id: message being written on the active path (also while queued); None when none is.
        queued: the answer waits for the model to finish loading.
        load_stage, load_fraction: of the load in progress, "" and 0.0 otherwise.
        prompt_done_tokens, prompt_total_tokens: of the prompt being read.
        piece_count: pieces of the answer so far; fetch new ones with `pieces(since)`.
        reasoning: the newest piece was reasoning.
        stats: of the answer being written, else of the last one on screen; None before the first.
        context_used, context_free: tokens; None when not known (nothing loaded, another branch).
        left_out: older messages that no longer fit and that the model is not given.
        quiet: a pair is loaded and writes nothing, in any conversation.
        speculation: in force now (what was asked while generating, what auto became at the end).
        loaded: what was placed where; None when nothing is loaded.
        wanted: the pair last asked for, loaded or not.
        draft_refused: why the draft asked for is not in use.
        load_problem: why the last load failed, in state LOAD_FAILED.
        crash: how the engine's process ended, in state CRASHED, with its last log lines.
        notices: oldest first, until dismissed.
        unsaved: the disk refused text, which is kept in memory and tried again.
        can_send: a message would be answered now, or queued while loading.
    """

    state: SessionState
    conversation_id: str
    title: str
    answer_id: str | None = None
    queued: bool = False
    load_stage: str = ""
    load_fraction: float = 0.0
    prompt_done_tokens: int = 0
    prompt_total_tokens: int = 0
    piece_count: int = 0
    reasoning: bool = False
    stats: GenerationStats | None = None
    context_used: int | None = None
    context_free: int | None = None
    left_out: int = 0
    quiet: bool = False
    speculation: Speculation = Speculation.OFF
    loaded: ModelsLoaded | None = None
    wanted: LoadedPair | None = None
    draft_refused: Notice | None = None
    load_problem: Notice | None = None
    crash: WorkerExited | None = None
    notices: tuple[Notice, ...] = ()
    unsaved: bool = False
    can_send: bool = False
    can_stop: bool = False
