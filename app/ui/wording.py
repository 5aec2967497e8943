"""What the state of a chat is called.

For the top bar, the composer, the empty page and the notices.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app import paths
from app.session import Level, Notice, SessionState, SessionView
from app.ui.messages import say, say_number
from app.ui.notices import Action, Banner

CRASHED = "engine_crashed"

translate = QCoreApplication.translate


def state_text(view: SessionView) -> str:
    """One or two words on what the engine does."""
    match view.state:
        case SessionState.LOADING:
            return translate("wording", "Loading {percent} %").format(
                percent=round(view.load_fraction * 100)
            )
        case SessionState.EMPTY:
            return translate("wording", "No model")
        case SessionState.READY:
            return translate("wording", "Ready")
        case SessionState.PROMPT:
            return translate("wording", "Reading")
        case SessionState.GENERATING:
            return (
                translate("wording", "Thinking")
                if view.reasoning
                else translate("wording", "Writing")
            )
        case SessionState.STOPPING:
            return translate("wording", "Stopping")
        case SessionState.UNLOADING:
            return translate("wording", "Unloading")
        case SessionState.CRASHED:
            return translate("wording", "Stopped unexpectedly")
        case SessionState.LOAD_FAILED:
            return translate("wording", "Could not be loaded")


def stage_text(view: SessionView) -> str:
    """What is being loaded now."""
    stages = {
        "target": translate("wording", "Reading the model into memory"),
        "draft": translate("wording", "Reading the draft model into memory"),
        "context": translate("wording", "Making room for the conversation"),
        "warmup": translate("wording", "Warming up"),
    }
    return stages.get(view.load_stage, translate("wording", "Starting the engine"))


def pair_text(view: SessionView) -> tuple[str, str]:
    """The names of target and draft, or what stands in their place."""
    loaded, wanted = view.loaded, view.wanted
    if loaded is not None:
        # The names inside the files are often those of a training run; the files' own are known.
        draft = model_name(loaded.draft.path) if loaded.draft is not None else ""
        return model_name(loaded.target.path), draft
    if wanted is None or view.state is SessionState.EMPTY:
        return translate("wording", "No model loaded"), ""
    draft = (
        model_name(wanted.draft) if wanted.draft is not None and view.draft_refused is None else ""
    )
    return model_name(wanted.target), draft


def pair_details(view: SessionView) -> str:
    """How the pair was placed, for a tooltip; "" when nothing is loaded."""
    loaded = view.loaded
    if loaded is None:
        return ""
    lines = [
        translate("wording", "{layers} of {all} layers on the graphics card").format(
            layers=loaded.target.gpu_layers, all=loaded.target.layers
        ),
        translate("wording", "Context: {tokens} tokens, KV cache {kind}").format(
            tokens=say_number(loaded.n_ctx), kind=loaded.kv_type.value
        ),
        translate("wording", "{count} threads").format(count=loaded.threads),
        translate("wording", "Loaded in {seconds} s").format(
            seconds=say_number(loaded.load_seconds, 1)
        ),
    ]
    return "\n".join([str(loaded.target.path), *lines])


def model_name(path: Path) -> str:
    """A file's name without its ending."""
    return path.name.removesuffix(".gguf")


def is_starter(view: SessionView) -> bool:
    """Whether the model the app came with is what answers."""
    return view.loaded is not None and view.loaded.target.path == paths.starter_model()


def composer_hint(view: SessionView) -> str:
    """What the empty text field says."""
    match view.state:
        case SessionState.EMPTY | SessionState.UNLOADING | SessionState.LOAD_FAILED:
            return translate("wording", "Open a model to chat")
        case SessionState.CRASHED:
            return translate("wording", "Restart the engine to go on")
        case SessionState.LOADING:
            return translate("wording", "Ask already: the answer comes when the model is loaded")
        case _:
            return translate("wording", "Ask anything")


def compare_missing(view: SessionView) -> str:
    """Why no comparison can be made now; "" when it can."""
    if view.loaded is None:
        return translate("wording", "To compare, open a model first.")
    if not view.quiet:
        return translate("wording", "To compare, wait for the end of the answer, or stop it.")
    return ""


def answer_status(view: SessionView) -> str:
    """The line in the place of an answer's text before its first word."""
    if view.answer_id is None or view.piece_count:
        return ""
    if view.queued:
        return translate("wording", "Waiting for the model")
    if view.prompt_total_tokens and view.prompt_done_tokens < view.prompt_total_tokens:
        return translate("wording", "Reading the conversation: {done} of {total} tokens").format(
            done=say_number(view.prompt_done_tokens), total=say_number(view.prompt_total_tokens)
        )
    return translate("wording", "Reading the conversation")


def draft_missing(view: SessionView) -> str:
    """Why "draft" cannot be chosen; "" when it can."""
    if view.loaded is None:
        return translate("wording", "No draft model is loaded. Choose one under Open.")
    if view.loaded.draft is not None:
        return ""
    if view.draft_refused is not None:
        return say(view.draft_refused.code, view.draft_refused.detail)
    return translate("wording", "No draft model is loaded. Choose one under Open.")


def banners(view: SessionView, *, centre_says: bool) -> list[Banner]:
    """The notices as banners; what the page in the middle says already is left out."""
    stopped = view.state in (SessionState.CRASHED, SessionState.LOAD_FAILED)
    return [
        _banner(number, notice, view)
        for number, notice in enumerate(view.notices)
        if not (centre_says and stopped and _is_stop(notice, view))
    ]


def stop_actions(view: SessionView) -> tuple[tuple[Action, str], ...]:
    """What can be done after a crash or a failed load."""
    if view.state is SessionState.CRASHED:
        actions = [(Action.RESTART, translate("wording", "Restart"))]
        if view.wanted is not None and view.wanted.draft is not None:
            actions.append(
                (Action.RESTART_WITHOUT_DRAFT, translate("wording", "Restart without draft"))
            )
        actions.append((Action.COPY_REPORT, translate("wording", "Copy report")))
        return tuple(actions)
    if view.state is SessionState.LOAD_FAILED:
        return (Action.RESTART, translate("wording", "Try again")), (
            Action.OPEN,
            translate("wording", "Open another…"),
        )
    return ()


def stop_text(view: SessionView) -> str:
    """Why nothing is running, in a sentence."""
    problem = view.load_problem
    if problem is not None:
        return say(problem.code, problem.detail)
    crash = next((n for n in reversed(view.notices) if _is_stop(n, view)), None)
    if crash is not None:
        return say(crash.code, crash.detail)
    return translate("wording", "Restart the engine to go on. Your conversation is saved.")


def last_lines(view: SessionView) -> str:
    """The end of the engine's log after a crash, for a tooltip."""
    return "\n".join(view.crash.last_log_lines[-8:]) if view.crash is not None else ""


def _is_stop(notice: Notice, view: SessionView) -> bool:
    if view.crash is not None and view.crash.detail.get("code", CRASHED) == notice.code:
        return True
    return notice == view.load_problem


def _banner(number: int, notice: Notice, view: SessionView) -> Banner:
    actions: tuple[tuple[Action, str], ...] = ()
    tip = ""
    if _is_stop(notice, view):
        actions, tip = stop_actions(view), last_lines(view)
    elif notice == view.draft_refused:
        actions = ((Action.OPEN, translate("wording", "Choose another…")),)
    level = notice.level if notice.level in Level else Level.INFO
    return Banner(str(number), say(notice.code, notice.detail), level, actions, tip)
