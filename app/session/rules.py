"""What a chat may do in which state. Pure functions over the models and the answers."""

from __future__ import annotations

from app.engine.protocol import ModelsLoaded
from app.session.answer import Answer
from app.session.answers import AnswerDesk
from app.session.models import EngineState, ModelDesk
from app.session.view import SessionState

_STATES = {
    EngineState.EMPTY: SessionState.EMPTY,
    EngineState.LOADING: SessionState.LOADING,
    EngineState.UNLOADING: SessionState.UNLOADING,
    EngineState.CRASHED: SessionState.CRASHED,
    EngineState.LOAD_FAILED: SessionState.LOAD_FAILED,
}


def state_of(desk: ModelDesk, answer: Answer | None) -> SessionState:
    """The one state a chat is in; `answer` is the one being written on screen."""
    if desk.state is not EngineState.LOADED:
        return _STATES[desk.state]
    if answer is None:
        return SessionState.READY
    if answer.stopping:
        return SessionState.STOPPING
    return SessionState.PROMPT if answer.stats is None else SessionState.GENERATING


def refusal_of(desk: ModelDesk, answers: AnswerDesk, answer: Answer | None) -> str | None:
    """Why nothing can be sent now: a code; None when it can."""
    if desk.state is EngineState.CRASHED:
        return "engine_stopped"
    if desk.state not in (EngineState.LOADED, EngineState.LOADING):
        return "not_loaded"
    if answer is not None:
        return "answer_running"
    return "engine_busy" if len(answers) >= _at_once(desk.loaded, desk) else None


def _at_once(loaded: ModelsLoaded | None, desk: ModelDesk) -> int:
    return loaded.n_parallel if loaded is not None else desk.options.n_parallel
