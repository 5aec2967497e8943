"""What the engine's events mean for a chat: for its models, its answers and its notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.conversation import Problem
from app.engine.protocol import (
    Command,
    Detail,
    Event,
    GenerationFinished,
    LoadFailed,
    LoadProgress,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    TokensGenerated,
    Unloaded,
    WorkerExited,
)
from app.session.answers import AnswerDesk
from app.session.models import EngineState, ModelDesk
from app.session.view import Level, Notice

# Codes by which the client answers requests that died with the engine.
ENGINE_CRASHED = "engine_crashed"
ENGINE_STOPPED = "engine_stopped"
# By which the engine refuses a conversation; said when older messages were left out because of it.
TOO_LONG = "prompt_too_long"
TRIMMED = "context_trimmed"

_GONE = (EngineState.EMPTY, EngineState.CRASHED, EngineState.LOAD_FAILED)


class EventIntake:
    """Hands each event to the models, the answers and the notices of one session."""

    def __init__(self, desk: ModelDesk, answers: AnswerDesk, notices: list[Notice]) -> None:
        self._desk = desk
        self._answers = answers
        self._notices = notices

    def apply(self, event: Event) -> list[Command]:
        """Take in what the engine says; events of other requests are ignored."""
        handlers: dict[type, Callable[[Any], list[Command]]] = {
            LoadProgress: self._on_load_progress,
            ModelsLoaded: self._on_loaded,
            LoadFailed: self._on_load_failed,
            Unloaded: self._on_unloaded,
            PromptProgress: self._on_prompt,
            TokensGenerated: self._on_tokens,
            GenerationFinished: self._on_finished,
            RequestFailed: self._on_request_failed,
            WorkerExited: self._on_exit,
        }
        handler = handlers.get(type(event))
        commands = handler(event) if handler is not None else []
        if self._desk.state in _GONE:
            self._answers.interrupt(None)  # whatever ended the engine, nobody waits for ever
        return commands

    def _on_load_progress(self, event: LoadProgress) -> list[Command]:
        self._desk.on_progress(event)
        return []

    def _on_loaded(self, event: ModelsLoaded) -> list[Command]:
        self._notices += self._desk.on_loaded(event)
        return self._dispatch()

    def _on_load_failed(self, event: LoadFailed) -> list[Command]:
        problem = self._desk.on_failed(event)
        if problem is not None:
            self._notices.append(problem)
            self._answers.fail_waiting(Problem(problem.code, problem.detail))
        return []

    def _on_unloaded(self, event: Unloaded) -> list[Command]:
        del event
        self._desk.on_unloaded()
        return []

    def _on_prompt(self, event: PromptProgress) -> list[Command]:
        self._answers.on_prompt(event)
        return []

    def _on_tokens(self, event: TokensGenerated) -> list[Command]:
        self._answers.on_tokens(event)
        return []

    def _on_finished(self, event: GenerationFinished) -> list[Command]:
        if self._answers.on_finished(event) and event.note is not None:
            self._notices.append(Notice(event.note, event.note_detail))
        return self._dispatch()

    def _on_request_failed(self, event: RequestFailed) -> list[Command]:
        if event.code == ENGINE_CRASHED:
            return []  # WorkerExited follows, and knows whether the engine comes back by itself
        if event.code == TOO_LONG and (again := self._answers.shorten(event)):
            if not any(notice.code == TRIMMED for notice in self._notices):
                self._notices.append(Notice(TRIMMED))
            return again
        if event.code == ENGINE_STOPPED:
            self._answers.interrupt_one(event.request_id)
        elif self._answers.on_refused(event):
            self._notices.append(Notice(event.code, event.detail, Level.ERROR))
        return self._dispatch()

    def _on_exit(self, event: WorkerExited) -> list[Command]:
        before = self._desk.state
        self._desk.on_exit(event)
        if event.expected:
            back_soon = self._desk.state is EngineState.LOADING
            self._answers.interrupt(None, keep_unstarted=back_soon)
            return []
        code = str(event.detail.get("code") or ENGINE_CRASHED)
        detail: Detail = {"reason": event.signal_name or f"exit code {event.exit_code}"}
        detail |= event.detail
        self._answers.interrupt(Problem(code, detail), keep_unstarted=event.retrying)
        if before not in (EngineState.LOAD_FAILED, EngineState.UNLOADING):
            level = Level.WARNING if event.retrying else Level.ERROR
            self._notices.append(Notice(code, detail, level))
        return []

    def _dispatch(self) -> list[Command]:
        loaded = self._desk.loaded
        return self._answers.dispatch(loaded) if loaded is not None else []
