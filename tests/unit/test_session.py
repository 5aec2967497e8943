"""The chat's state machine, driven as a window would: methods, events, a clock, and a store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.conversation import EDITED, FAILED, INTERRUPTED, ChatMessage, Conversation, Message, Role
from app.engine.protocol import (
    Cancel,
    Command,
    Detail,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    GenerationOptions,
    LoadedModel,
    LoadFailed,
    LoadModels,
    LoadProgress,
    LoadStep,
    ModelMemory,
    ModelsLoaded,
    PieceSource,
    PromptProgress,
    RequestFailed,
    Shutdown,
    Speculation,
    TextPiece,
    TokensGenerated,
    Unloaded,
    UnloadModels,
    WorkerExited,
    WorkerStarted,
)
from app.engine.stats import GenerationStats
from app.errors import AppError, StorageError
from app.session import (
    ChatSession,
    Level,
    LoadOptions,
    Notice,
    SessionState,
    check_files,
)
from app.storage import Run

TARGET, DRAFT = Path("/models/target.gguf"), Path("/models/draft.gguf")


@dataclass(slots=True)
class MemoryStore:
    """A store without a disk: keeps what is saved and can be full."""

    saved: dict[str, Message] = field(default_factory=dict)
    heads: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    saves: int = 0
    full: bool = False
    waiting: list[Message] = field(default_factory=list)

    def save(self, conversation: Conversation, messages: Iterable[Message] = ()) -> None:
        self.waiting += messages
        self.heads[conversation.id] = (conversation.title, conversation.leaf)
        self.retry()
        self.saves += 1

    def add_run(self, run: Run) -> None:
        self.retry()
        self.runs.append(run)

    def retry(self) -> None:
        if self.full:
            raise StorageError("disk_full_saving", path="/")
        self.saved |= {message.id: message for message in self.waiting}
        self.waiting.clear()


@dataclass(slots=True)
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def loaded(
    target: Path = TARGET, draft: Path | None = None, *, n_parallel: int = 1
) -> ModelsLoaded:
    """What the engine says after a load."""

    def model(path: Path) -> LoadedModel:
        return LoadedModel(path, path.stem.title(), "llama", 1, 1, 1, 0, ModelMemory({}))

    return ModelsLoaded(
        target=model(target),
        draft=model(draft) if draft is not None else None,
        n_ctx=1000,
        n_ctx_train=2000,
        n_parallel=n_parallel,
        threads=2,
        kv_type=LoadOptions().kv_type,
        load_seconds=1.0,
    )


class Desk:
    """A session with everything around it in reach."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.clock = Clock()
        self.bad_files: dict[Path, tuple[str, Detail]] = {}
        self.bad_pair: tuple[str, Detail] | None = None
        self.session = ChatSession(
            self.store,
            clock=self.clock,
            wall_clock=lambda: 1_000_000.0 + self.clock.now,
            check_file=self.bad_files.get,
            check_pair=lambda target, draft: self.bad_pair,
        )

    @property
    def state(self) -> SessionState:
        return self.session.view().state

    def ready(self, draft: Path | None = None, n_parallel: int = 1) -> None:
        """Have a pair loaded."""
        self.session.load(TARGET, draft)
        self.session.apply(loaded(draft=draft, n_parallel=n_parallel))

    def ask(self, text: str = "Hello") -> Generate:
        """Send a message; the request that goes out."""
        (command,) = self.session.send(text)
        assert isinstance(command, Generate)
        return command

    def tokens(self, request: Generate, *texts: str, reasoning: bool = False) -> list[Command]:
        """The engine writes."""
        pieces = tuple(TextPiece(text, PieceSource.TARGET, reasoning) for text in texts)
        stats = GenerationStats(generated_tokens=len(texts))
        return self.session.apply(
            TokensGenerated(request.request_id, pieces, (1,) * len(texts), stats, context_used=40)
        )

    def finish(
        self, request: Generate, reason: FinishReason = FinishReason.END, *texts: str
    ) -> list[Command]:
        """The engine ends an answer."""
        return self.session.apply(
            GenerationFinished(
                request.request_id,
                reason,
                GenerationStats(generated_tokens=7),
                tuple(TextPiece(text) for text in texts),
                context_used=50,
                speculation=Speculation.LOOKUP,
            )
        )

    def answer(self, text: str = "Hello", reply: str = "Hi") -> Generate:
        """A whole exchange."""
        request = self.ask(text)
        self.tokens(request, reply)
        self.finish(request)
        return request

    def codes(self) -> list[str]:
        return [notice.code for notice in self.session.view().notices]

    def last(self) -> Message:
        return self.session.conversation.path()[-1]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def refusal(call: object, *args: object) -> str:
    """The code with which a method refuses."""
    assert callable(call)
    with pytest.raises(AppError) as caught:
        call(*args)
    return caught.value.code


# --- loading --------------------------------------------------------------------------------------


def test_from_nothing_to_an_answer(desk: Desk) -> None:
    assert desk.state is SessionState.EMPTY
    assert not desk.session.view().can_send
    assert desk.session.load(TARGET, DRAFT, LoadOptions(n_ctx=512, n_parallel=2)) == [
        LoadModels(TARGET, DRAFT, n_ctx=512, min_ctx=512, n_parallel=2)
    ]
    assert desk.state is SessionState.LOADING
    desk.session.apply(LoadProgress("target", 0.5))
    desk.session.apply(LoadProgress("draft", 0.4))
    view = desk.session.view()
    assert (view.load_stage, view.load_fraction) == ("draft", 0.5), "progress never goes back"
    desk.session.apply(loaded(draft=DRAFT))
    assert desk.state is SessionState.READY
    request = desk.ask("Hello")
    assert request.messages == (ChatMessage(Role.USER, "Hello"),)
    assert desk.state is SessionState.PROMPT
    desk.session.apply(PromptProgress(request.request_id, 20, 30, 10))
    view = desk.session.view()
    assert (view.prompt_done_tokens, view.prompt_total_tokens) == (20, 30)
    desk.tokens(request, "Hmm", reasoning=True)
    assert desk.state is SessionState.GENERATING
    assert desk.session.view().reasoning
    desk.clock.now += 2
    desk.tokens(request, "Hi")
    desk.tokens(request, " there")
    assert [piece.text for piece in desk.session.pieces(1)] == ["Hi", " there"]
    view = desk.session.view()
    assert (view.piece_count, view.context_used, view.context_free) == (3, 40, 960)
    desk.finish(request, FinishReason.LENGTH, "!")
    assert desk.state is SessionState.READY
    answer = desk.last()
    assert (answer.content, answer.reasoning, answer.model) == ("Hi there!", "Hmm", "target")
    assert (answer.finish_reason, answer.complete) == ("length", True)
    assert answer.reasoning_seconds == 2.0
    assert answer.spans == (("target", 9),)
    assert answer.stats is not None
    assert answer.stats["generated_tokens"] == 7
    assert desk.store.saved[answer.id] == answer
    view = desk.session.view()
    assert (view.context_used, view.speculation) == (50, Speculation.LOOKUP)
    (run,) = desk.store.runs
    assert (run.message_id, run.target, run.draft) == (answer.id, TARGET.name, DRAFT.name)


def test_fallbacks_and_a_lost_draft_are_said(desk: Desk) -> None:
    desk.session.load(TARGET, DRAFT)
    event = replace(
        loaded(),
        steps=(LoadStep("context_shrunk", {"to": 512}), LoadStep("draft_dropped")),
        no_draft_because="draft_no_memory",
        no_draft_detail={"need": 3},
    )
    desk.session.apply(event)
    view = desk.session.view()
    refused = Notice("draft_no_memory", {"need": 3}, Level.WARNING)
    assert view.notices == (
        Notice("context_shrunk", {"to": 512}, Level.WARNING),
        Notice("draft_dropped", {}, Level.WARNING),
        refused,
    )
    assert view.draft_refused == refused
    assert view.can_send, "the target stays usable"
    desk.session.dismiss(refused)
    assert len(desk.session.view().notices) == 2


def test_a_draft_that_does_not_fit_is_left_out_before_loading(desk: Desk) -> None:
    desk.bad_pair = ("token_differs", {"token": 139})
    (command,) = desk.session.load(TARGET, DRAFT)
    assert isinstance(command, LoadModels)
    assert command.draft is None
    assert (command.no_draft_because, command.no_draft_detail) == desk.bad_pair
    view = desk.session.view()
    assert view.draft_refused == Notice("token_differs", {"token": 139}, Level.WARNING)
    desk.bad_pair = None
    (command,) = desk.session.load(TARGET, DRAFT)
    assert isinstance(command, LoadModels)
    assert (command.draft, command.no_draft_because) == (DRAFT, None)
    assert desk.session.view().draft_refused is None


def test_a_damaged_draft_file_does_not_keep_the_target_from_loading(desk: Desk) -> None:
    desk.bad_files[DRAFT] = ("file_truncated", {})
    (command,) = desk.session.load(TARGET, DRAFT)
    assert isinstance(command, LoadModels)
    assert (command.draft, command.no_draft_because) == (None, "file_truncated")


def test_a_bad_target_with_nothing_loaded_is_a_failed_load(desk: Desk) -> None:
    desk.bad_files[TARGET] = ("file_truncated", {"need": 2})
    assert desk.session.load(TARGET) == []
    view = desk.session.view()
    assert view.state is SessionState.LOAD_FAILED
    assert view.load_problem == Notice("file_truncated", {"need": 2}, Level.ERROR)
    assert refusal(desk.session.send, "Hello") == "not_loaded"
    del desk.bad_files[TARGET]
    assert desk.session.restart() == [LoadModels(TARGET)]


def test_a_bad_target_leaves_what_is_loaded_alone(desk: Desk) -> None:
    desk.ready()
    bad = Path("/models/bad.gguf")
    desk.bad_files[bad] = ("not_gguf", {})
    assert desk.session.load(bad) == []
    assert desk.state is SessionState.READY
    assert desk.codes() == ["not_gguf"]
    wanted = desk.session.view().wanted
    assert wanted is not None
    assert wanted.target == TARGET


def test_files_can_be_checked_on_another_thread_first(desk: Desk) -> None:
    check = check_files(TARGET, DRAFT, lambda path: None, lambda target, draft: ("no", {}))
    (command,) = desk.session.load_checked(check)
    assert isinstance(command, LoadModels)
    assert command.no_draft_because == "no"


def test_a_failed_load_says_why_and_can_be_tried_again(desk: Desk) -> None:
    desk.session.load(TARGET, DRAFT)
    desk.session.apply(LoadFailed("no_memory", {"need": 1}))
    view = desk.session.view()
    assert view.state is SessionState.LOAD_FAILED
    assert view.load_problem == Notice("no_memory", {"need": 1}, Level.ERROR)
    assert desk.codes() == ["no_memory"]
    assert desk.session.restart(without_draft=True) == [LoadModels(TARGET)]
    assert desk.codes() == []


def test_events_of_a_load_that_was_superseded_change_nothing(desk: Desk) -> None:
    other = Path("/models/other.gguf")
    desk.session.load(TARGET)
    desk.session.unload()
    desk.session.apply(loaded())
    assert desk.state is SessionState.UNLOADING
    desk.session.load(other)
    for event in (LoadFailed("load_cancelled"), Unloaded(), loaded()):
        desk.session.apply(event)
        assert desk.state is SessionState.LOADING
    desk.session.apply(loaded(other))
    assert desk.state is SessionState.READY


def test_unload_ends_answers_and_frees(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.tokens(request, "Hal")
    assert desk.session.unload() == [Cancel(request.request_id), UnloadModels()]
    assert desk.state is SessionState.UNLOADING
    assert (desk.last().content, desk.last().finish_reason) == ("Hal", "cancelled")
    desk.finish(request, FinishReason.CANCELLED, "lo")  # too late
    assert desk.last().content == "Hal"
    desk.session.apply(Unloaded())
    desk.session.apply(WorkerExited(0, None, expected=True))
    assert desk.state is SessionState.EMPTY
    assert desk.session.view().context_free is None
    assert desk.session.unload() == []
    assert refusal(desk.session.send, "Hello") == "not_loaded"


# --- sending --------------------------------------------------------------------------------------


def test_a_message_sent_while_loading_waits_and_is_saved_at_once(desk: Desk) -> None:
    desk.session.load(TARGET)
    assert desk.session.send("Hello") == []
    view = desk.session.view()
    assert view.queued
    assert view.state is SessionState.LOADING
    assert [message.content for message in desk.store.saved.values()] == ["Hello", ""]
    assert refusal(desk.session.send, "More") == "answer_running"
    (request,) = desk.session.apply(loaded())
    assert isinstance(request, Generate)
    assert request.messages == (ChatMessage(Role.USER, "Hello"),)
    assert not desk.session.view().queued


def test_a_waiting_message_waits_for_the_next_pair_too(desk: Desk) -> None:
    other = Path("/models/other.gguf")
    desk.session.load(TARGET)
    desk.session.send("Hello")
    assert desk.session.load(other) == [LoadModels(other)]
    assert len(desk.session.apply(loaded(other))) == 1


def test_a_waiting_message_can_be_stopped(desk: Desk) -> None:
    desk.session.load(TARGET)
    desk.session.send("Hello")
    assert desk.session.stop() == []
    assert desk.last().finish_reason == "cancelled"
    assert desk.session.apply(loaded()) == []


def test_a_failed_load_fails_what_waited_and_keeps_the_question(desk: Desk) -> None:
    desk.session.load(TARGET)
    desk.session.send("Hello")
    desk.session.apply(LoadFailed("no_memory"))
    answer = desk.last()
    assert (answer.finish_reason, answer.complete) == (FAILED, False)
    assert answer.problem is not None
    assert answer.problem.code == "no_memory"
    desk.session.restart()
    desk.session.apply(loaded())
    (request,) = desk.session.regenerate()
    assert isinstance(request, Generate)
    assert request.messages == (ChatMessage(Role.USER, "Hello"),)


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_nothing_is_not_sent(desk: Desk, text: str) -> None:
    desk.ready()
    assert refusal(desk.session.send, text) == "empty_message"
    assert len(desk.session.conversation) == 0
    assert desk.store.saved == {}


def test_the_conversation_grows_and_is_named(desk: Desk) -> None:
    desk.ready()
    desk.answer("What is KV?\nPlease.", "A cache.")
    request = desk.answer("Why?", "Speed.")
    assert [message.content for message in request.messages] == [
        "What is KV?\nPlease.",
        "A cache.",
        "Why?",
    ]
    assert desk.session.view().title == "What is KV?"
    desk.session.rename("  KV  cache ")
    desk.answer("So?", "So.")
    assert desk.session.view().title == "KV cache"
    assert desk.store.heads[desk.session.conversation.id] == ("KV cache", desk.last().id)
    desk.session.rename("")
    assert desk.session.view().title == "What is KV?"


def test_options_and_system_prompt_reach_the_engine(desk: Desk) -> None:
    desk.ready()
    options = GenerationOptions(speculation=Speculation.OFF, max_tokens=5)
    desk.session.set_options(options)
    desk.session.set_system_prompt("Be brief.")
    request = desk.ask()
    assert request.options == options
    assert request.messages[0] == ChatMessage(Role.SYSTEM, "Be brief.")
    assert desk.session.view().speculation is Speculation.OFF


def test_a_refused_request_is_kept_with_its_reason(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.session.apply(RequestFailed(request.request_id, "prompt_too_long", {"tokens": 9}))
    assert desk.state is SessionState.READY
    answer = desk.store.saved[request.request_id]
    assert answer.finish_reason == FAILED
    assert answer.problem is not None
    assert answer.problem.detail == {"tokens": 9}
    assert desk.codes() == ["prompt_too_long"]
    assert desk.ask("Shorter").messages == (ChatMessage(Role.USER, "Hello\n\nShorter"),)


def test_what_the_user_should_know_at_the_end_is_said(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    event = GenerationFinished(
        request.request_id, FinishReason.END, GenerationStats(), note="speculation_lost_here"
    )
    desk.session.apply(event)
    assert desk.codes() == ["speculation_lost_here"]


# --- stopping, branching --------------------------------------------------------------------------


def test_stop_keeps_what_was_written(desk: Desk) -> None:
    desk.ready()
    assert desk.session.stop() == []
    request = desk.ask()
    desk.tokens(request, "Hal")
    assert desk.session.stop() == [Cancel(request.request_id)]
    assert desk.state is SessionState.STOPPING
    assert desk.session.stop() == [], "once is enough"
    assert not desk.session.view().can_stop
    desk.tokens(request, "l")
    desk.finish(request, FinishReason.CANCELLED, "o")
    assert desk.state is SessionState.READY
    assert (desk.last().content, desk.last().finish_reason) == ("Hallo", "cancelled")


def test_regenerate_makes_a_branch_and_does_not_show_the_model_its_first_answer(desk: Desk) -> None:
    desk.ready()
    first = desk.answer("Hello", "Hi")
    (request,) = desk.session.regenerate()
    assert isinstance(request, Generate)
    assert request.messages == (ChatMessage(Role.USER, "Hello"),)
    desk.tokens(request, "Good day")
    desk.finish(request)
    siblings = desk.session.conversation.siblings(first.request_id)
    assert siblings == (first.request_id, request.request_id)
    desk.session.choose(first.request_id)
    assert desk.last().content == "Hi"
    assert desk.session.view().context_used is None, "of this branch nothing is known"
    assert desk.store.heads[desk.session.conversation.id][1] == first.request_id


def test_regenerate_in_the_middle(desk: Desk) -> None:
    desk.ready()
    first = desk.answer("one", "1")
    desk.answer("two", "2")
    (request,) = desk.session.regenerate(first.request_id)
    assert isinstance(request, Generate)
    assert [message.content for message in request.messages] == ["one"]
    assert len(desk.session.conversation) == 5


def test_an_edited_question_is_answered_in_a_branch(desk: Desk) -> None:
    desk.ready()
    desk.answer("one", "1")
    question = desk.session.conversation.path()[0]
    (request,) = desk.session.edit(question.id, "uno")
    assert isinstance(request, Generate)
    assert request.messages == (ChatMessage(Role.USER, "uno"),)
    assert len(desk.session.conversation.siblings(question.id)) == 2
    assert desk.session.conversation.get(question.id).content == "one"


def test_an_edited_answer_stands_without_the_engine(desk: Desk) -> None:
    desk.ready()
    first = desk.answer("one", "1")
    desk.session.unload()
    assert desk.session.edit(first.request_id, "I") == []
    assert (desk.last().content, desk.last().finish_reason) == ("I", EDITED)
    assert desk.store.saved[desk.last().id] == desk.last()


def test_nothing_is_branched_under_an_answer_being_written(desk: Desk) -> None:
    desk.ready()
    first = desk.answer("one", "1")
    question = desk.session.conversation.path()[0]
    desk.ask("two")
    before = desk.session.conversation.messages()
    assert refusal(desk.session.regenerate) == "answer_running"
    assert refusal(desk.session.edit, question.id, "x") == "answer_running"
    assert refusal(desk.session.edit, first.request_id, "x") == "answer_running"
    assert refusal(desk.session.choose, first.request_id) == "answer_running"
    assert desk.session.conversation.messages() == before


def test_regenerate_needs_a_question(desk: Desk) -> None:
    desk.ready()
    assert refusal(desk.session.regenerate) == "nothing_to_answer"
    assert refusal(desk.session.regenerate, "elsewhere") == "nothing_to_answer"


# --- other conversations --------------------------------------------------------------------------


def test_an_answer_goes_on_where_it_belongs_when_another_conversation_is_opened(desk: Desk) -> None:
    desk.ready()
    request = desk.ask("one")
    desk.tokens(request, "1")
    first = desk.session.conversation
    desk.session.new_conversation("Be kind.")
    assert desk.state is SessionState.READY
    assert desk.session.pieces() == ()
    assert refusal(desk.session.send, "two") == "engine_busy"
    desk.tokens(request, "2")
    desk.session.open(Conversation(id=first.id))  # as loaded from disk: older than what is live
    assert desk.session.conversation is first
    assert [piece.text for piece in desk.session.pieces()] == ["1", "2"]
    desk.session.new_conversation()
    desk.finish(request)
    assert desk.store.saved[request.request_id].content == "12"


def test_several_answers_at_once_where_the_engine_has_room(desk: Desk) -> None:
    desk.ready(n_parallel=2)
    one = desk.ask("one")
    first = desk.session.conversation
    desk.session.new_conversation()
    two = desk.ask("two")
    desk.tokens(one, "1")
    desk.tokens(two, "2")
    assert [piece.text for piece in desk.session.pieces()] == ["2"]
    assert desk.session.stop() == [Cancel(two.request_id)]
    desk.session.open(first)
    assert desk.state is SessionState.GENERATING
    desk.session.new_conversation()
    assert refusal(desk.session.send, "three") == "engine_busy"


def test_events_of_others_are_ignored(desk: Desk) -> None:
    desk.ready()
    stranger = Generate("comparison")
    desk.tokens(stranger, "x")
    desk.finish(stranger)
    desk.session.apply(PromptProgress("comparison", 1, 2, 0))
    desk.session.apply(RequestFailed("comparison", "prompt_too_long"))
    desk.session.apply(WorkerStarted(1, 1, {}, ()))
    assert desk.state is SessionState.READY
    assert desk.codes() == []
    assert desk.store.runs == []


# --- crashes --------------------------------------------------------------------------------------


def crash(desk: Desk, request: Generate | None = None, *, retrying: bool = False) -> list[Command]:
    """The worker dies, as the client reports it."""
    if request is not None:
        desk.session.apply(RequestFailed(request.request_id, "engine_crashed"))
    code = "illegal_instruction_retry" if retrying else "engine_crashed"
    return desk.session.apply(
        WorkerExited(
            -9,
            "SIGKILL",
            ("last line",),
            while_doing="generating",
            retrying=retrying,
            detail={"code": code, "reason": "SIGKILL"},
        )
    )


def test_a_crash_keeps_the_partial_answer_and_offers_the_same_pair(desk: Desk) -> None:
    desk.ready(DRAFT)
    request = desk.ask()
    desk.tokens(request, "Half an ans")
    assert crash(desk, request) == []
    view = desk.session.view()
    assert view.state is SessionState.CRASHED
    assert view.crash is not None
    assert view.crash.last_log_lines == ("last line",)
    assert desk.codes() == ["engine_crashed"]
    answer = desk.store.saved[request.request_id]
    assert (answer.content, answer.finish_reason) == ("Half an ans", INTERRUPTED)
    assert not answer.complete
    assert answer.problem is not None
    assert answer.problem.detail["reason"] == "SIGKILL"
    assert refusal(desk.session.send, "More") == "engine_stopped"
    assert desk.session.restart() == [LoadModels(TARGET, DRAFT)]
    assert desk.codes() == []
    desk.session.apply(loaded(draft=DRAFT))
    assert desk.ask("More").messages[1] == ChatMessage(Role.ASSISTANT, "Half an ans")


@pytest.mark.parametrize("when", ["loading", "prompt"])
def test_a_crash_before_the_first_token(desk: Desk, when: str) -> None:
    desk.session.load(TARGET)
    desk.session.send("Hello")
    request = None
    if when == "prompt":
        (command,) = desk.session.apply(loaded())
        assert isinstance(command, Generate)
        request = command
    crash(desk, request)
    assert desk.state is SessionState.CRASHED
    assert desk.last().finish_reason == INTERRUPTED
    assert desk.session.restart() == [LoadModels(TARGET)]


def test_an_answer_not_yet_begun_is_asked_again_when_the_engine_comes_back_by_itself(
    desk: Desk,
) -> None:
    desk.ready()
    request = desk.ask()
    crash(desk, request, retrying=True)
    view = desk.session.view()
    assert view.state is SessionState.LOADING
    assert view.queued
    assert desk.codes() == ["illegal_instruction_retry"]
    assert desk.session.apply(loaded()) == [request]
    desk.tokens(request, "Hi")
    desk.finish(request)
    assert desk.last().content == "Hi"


def test_an_answer_begun_is_not_asked_again(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.tokens(request, "Ha")
    crash(desk, request, retrying=True)
    assert desk.last().finish_reason == INTERRUPTED
    assert desk.session.apply(loaded()) == []


def test_a_worker_that_cannot_start_is_said(desk: Desk) -> None:
    detail: Detail = {"code": "engine_start_failed", "reason": "no such file"}
    desk.session.apply(WorkerExited(None, None, while_doing="starting", detail=detail))
    assert desk.codes() == ["engine_start_failed"]
    assert desk.session.view().notices[0].detail["reason"] == "no such file"


def test_a_worker_that_ends_after_its_failed_load_is_not_said_twice(desk: Desk) -> None:
    desk.session.load(TARGET)
    desk.session.apply(LoadFailed("library_missing"))
    crash(desk)
    assert desk.state is SessionState.LOAD_FAILED
    assert desk.codes() == ["library_missing"]


def test_a_worker_killed_while_it_was_to_go_is_no_crash(desk: Desk) -> None:
    desk.ready()
    desk.session.unload()
    crash(desk)
    assert desk.state is SessionState.EMPTY
    assert desk.codes() == []


def test_a_crash_while_stopping(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.session.stop()
    crash(desk, request, retrying=True)
    assert desk.last().finish_reason == INTERRUPTED, "nobody wants it asked again"
    assert desk.session.apply(loaded()) == []


def test_restart_with_nothing_wanted(desk: Desk) -> None:
    assert refusal(desk.session.restart) == "not_loaded"


# --- saving ---------------------------------------------------------------------------------------


def test_streaming_text_is_saved_twice_a_second_at_most(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    before = desk.store.saves
    for _ in range(300):
        desk.clock.now += 0.01
        desk.tokens(request, "x")
        saved = desk.store.saved[request.request_id]
        shown = len(desk.session.pieces())
        assert shown - len(saved.content) <= 51
        assert saved.finish_reason is None
    assert 5 <= desk.store.saves - before <= 6


def test_text_is_saved_when_due_although_the_engine_pauses(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.tokens(request, "x")
    desk.session.tick()
    assert desk.store.saved[request.request_id].content == ""
    desk.clock.now += 0.5
    desk.session.tick()
    assert desk.store.saved[request.request_id].content == "x"
    saves = desk.store.saves
    desk.clock.now += 5
    desk.session.tick()
    assert desk.store.saves == saves, "nothing new, nothing written"


def test_a_full_disk_is_said_once_and_the_text_comes_later(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.store.full = True
    for _ in range(3):
        desk.clock.now += 1
        desk.tokens(request, "x")
    desk.finish(request)
    view = desk.session.view()
    assert view.unsaved
    assert view.notices == (Notice("disk_full_saving", {"path": "/"}, Level.ERROR),)
    assert view.state is SessionState.READY
    desk.session.tick()
    assert desk.session.view().unsaved
    desk.store.full = False
    desk.session.tick()
    assert not desk.session.view().unsaved
    assert desk.codes() == []
    assert desk.store.saved[request.request_id].content == "xxx"


def test_closing_during_an_answer_keeps_it(desk: Desk) -> None:
    desk.ready()
    request = desk.ask()
    desk.tokens(request, "Half")
    assert desk.session.close() == [Shutdown()]
    saved = desk.store.saved[request.request_id]
    assert (saved.content, saved.finish_reason, saved.complete) == ("Half", INTERRUPTED, False)


# --- any order of everything ----------------------------------------------------------------------


class AnyOrder(RuleBasedStateMachine):
    """Methods and events in any order: never an exception but AppError, never text lost."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()
        self.requests: list[Generate] = []
        self.written: dict[str, str] = {}
        self.questions = 0

    def do(self, commands: list[Command]) -> None:
        self.requests += [command for command in commands if isinstance(command, Generate)]

    def attempt(self, call: object, *args: object) -> None:
        assert callable(call)
        before = self.desk.session.conversation.messages()
        try:
            result = call(*args)
        except AppError:
            assert self.desk.session.conversation.messages() == before, "a refusal changes nothing"
        else:
            self.do(result or [])

    @rule()
    def send(self) -> None:
        self.attempt(self.desk.session.send, f"question {self.questions}")
        self.questions += 1

    @rule(draft=st.sampled_from([None, DRAFT]))
    def load(self, draft: Path | None) -> None:
        self.attempt(self.desk.session.load, TARGET, draft)

    @rule(name=st.sampled_from(["stop", "unload", "restart", "regenerate", "new_conversation"]))
    def press(self, name: str) -> None:
        self.attempt(getattr(self.desk.session, name))

    @rule(
        event=st.sampled_from(
            [
                loaded(),
                loaded(draft=DRAFT, n_parallel=2),
                LoadFailed("no_memory"),
                LoadProgress("target", 0.5),
                Unloaded(),
                WorkerExited(0, None, expected=True),
                WorkerExited(-9, "SIGKILL"),
                WorkerExited(-4, "SIGILL", retrying=True),
            ]
        )
    )
    def happen(self, event: Event) -> None:
        self.do(self.desk.session.apply(event))

    @rule(back=st.integers(1, 3), end=st.sampled_from(["write", "finish", "refuse"]))
    def answer(self, back: int, end: str) -> None:
        if len(self.requests) < back:
            return
        request = self.requests[-back]
        live = self.desk.store.saved[request.request_id].finish_reason is None
        self.desk.clock.now += 0.2
        if end == "refuse":
            self.do(self.desk.session.apply(RequestFailed(request.request_id, "too_long")))
            return
        if live and self.desk.session._answers._answers[request.request_id].sent:
            self.written[request.request_id] = self.written.get(request.request_id, "") + "x"
        elif live:
            return  # waits for the engine to come back: no event can come
        if end == "write":
            self.do(self.desk.tokens(request, "x"))
        else:
            self.do(self.desk.finish(request, FinishReason.END, "x"))

    @rule()
    def tick(self) -> None:
        self.desk.clock.now += 1
        self.desk.session.tick()

    @invariant()
    def what_ended_is_saved_whole(self) -> None:
        for message in self.desk.store.saved.values():
            if message.role is Role.ASSISTANT and message.finish_reason is not None:
                assert message.content == self.written.get(message.id, "")

    @invariant()
    def the_view_is_consistent(self) -> None:
        view = self.desk.session.view()
        busy = (SessionState.PROMPT, SessionState.GENERATING, SessionState.STOPPING)
        if view.state in busy:
            assert view.answer_id is not None
            assert not view.can_send
        if view.can_send:
            assert view.state in (SessionState.READY, SessionState.LOADING)
        if view.state in (SessionState.EMPTY, SessionState.CRASHED, SessionState.LOAD_FAILED):
            assert view.loaded is None
            assert view.answer_id is None, "no answer is left to wait for ever"


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = hypothesis_settings(max_examples=60, stateful_step_count=30, deadline=None)
