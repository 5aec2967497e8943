"""The answers being written: begun, fed, saved as they stream, ended in one of four ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

from app.conversation import FAILED, INTERRUPTED, Conversation, Message, Problem, Role, new_id
from app.engine.protocol import (
    Cancel,
    Command,
    FinishReason,
    Generate,
    GenerationFinished,
    GenerationOptions,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    TokensGenerated,
)
from app.session.answer import Answer
from app.session.keeping import Keeper
from app.session.trimming import next_start
from app.storage.records import Run

SAVE_EVERY_SECONDS = 0.5


class AnswerDesk:
    """Keeps answers by request id; an event for an answer that is not here came late: ignored.

    Attributes:
        last: the answer that ended last, for the numbers on screen.
    """

    def __init__(
        self, keeper: Keeper, clock: Callable[[], float], wall_clock: Callable[[], float]
    ) -> None:
        self._keeper = keeper
        self._clock = clock
        self._wall_clock = wall_clock
        self._answers: dict[str, Answer] = {}
        self.last: Answer | None = None

    def __len__(self) -> int:
        return len(self._answers)

    def of(self, conversation_id: str) -> Answer | None:
        """The answer being written in a conversation."""
        for answer in self._answers.values():
            if answer.conversation.id == conversation_id:
                return answer
        return None

    def begin(
        self, conversation: Conversation, options: GenerationOptions, changed: list[Message]
    ) -> Answer:
        """Put an empty answer at the end of the active path; saved with what changed before."""
        asked = conversation.chat_messages()
        now = self._wall_clock()
        message = Message(
            new_id(), conversation.leaf, Role.ASSISTANT, "", created_at=now, complete=False
        )
        conversation.add(message)
        conversation.updated_at = now
        request = Generate(message.id, asked, options=options)
        answer = Answer(conversation, message, request, saved_at=self._clock())
        self._answers[answer.id] = answer
        self._keeper.save(conversation, [*changed, message])
        return answer

    def dispatch(self, loaded: ModelsLoaded) -> list[Command]:
        """Ask the engine for the answers that wait, as many as run at once."""
        free = loaded.n_parallel - sum(a.sent for a in self._answers.values())
        waiting = [a for a in self._answers.values() if not a.sent][: max(0, free)]
        for answer in waiting:
            answer.sent = True
            answer.loaded = loaded
        return [answer.request for answer in waiting]

    def stop(self, answer: Answer) -> list[Command]:
        """End an answer as the user wishes: at once if it waited, else when the engine says so."""
        if answer.stopping:
            return []
        if not answer.sent:
            self._end(answer, FinishReason.CANCELLED, complete=True)
            return []
        answer.stopping = True
        return [Cancel(answer.id)]

    def let_go(self, *, waiting_too: bool) -> list[Command]:
        """Stop without waiting for the engine to confirm: its models are about to go."""
        commands: list[Command] = []
        for answer in list(self._answers.values()):
            if answer.sent:
                commands.append(Cancel(answer.id))
            if answer.sent or waiting_too:
                self._end(answer, FinishReason.CANCELLED, complete=True)
        return commands

    def on_prompt(self, event: PromptProgress) -> None:
        """The engine reads the conversation."""
        answer = self._answers.get(event.request_id)
        if answer is not None:
            answer.done_tokens = event.done_tokens
            answer.total_tokens = event.total_tokens

    def on_tokens(self, event: TokensGenerated) -> None:
        """Text arrived; it is saved if the last save is long enough ago."""
        answer = self._answers.get(event.request_id)
        if answer is not None:
            answer.take(event, self._clock())
            self._save_if_due(answer)

    def on_finished(self, event: GenerationFinished) -> bool:
        """The answer is whole; False if it was not ours."""
        answer = self._answers.get(event.request_id)
        if answer is None:
            return False
        answer.take(event, self._clock())
        answer.speculation = event.speculation
        self._end(answer, event.reason, complete=True)
        self._keeper.add_run(self._run_of(answer, event))
        return True

    def on_refused(self, event: RequestFailed) -> bool:
        """The engine cannot answer this; False if it was not ours."""
        answer = self._answers.get(event.request_id)
        if answer is None:
            return False
        self._end(answer, FAILED, complete=False, problem=Problem(event.code, event.detail))
        return True

    def shorten(self, event: RequestFailed) -> list[Command]:
        """Ask again with fewer old messages; nothing when the refusal has to stand."""
        answer = self._answers.get(event.request_id)
        need, fit = event.detail.get("prompt_tokens"), event.detail.get("fits")
        if answer is None or answer.stopping:
            return []
        if not isinstance(need, int) or not isinstance(fit, int):
            return []
        first = next_start(answer.conversation, need, fit)
        if first is None:
            return []
        answer.conversation.context_from = first
        answer.request = replace(answer.request, messages=answer.conversation.chat_messages())
        self._keeper.save(answer.conversation)
        return [answer.request]

    def attach(self, message_id: str, name: str, facts: dict[str, object]) -> bool:
        """Add facts to the numbers of the answer that ended last; False if it is another."""
        last = self.last
        if last is None or last.id != message_id:
            return False
        message = last.conversation.get(message_id)
        message = replace(message, stats={**(message.stats or {}), name: facts})
        self._keeper.save(last.conversation, [last.conversation.put(message)])
        return True

    def fail_waiting(self, problem: Problem) -> None:
        """The model they waited for does not come."""
        for answer in [a for a in self._answers.values() if not a.sent]:
            self._end(answer, FAILED, complete=False, problem=problem)

    def interrupt_one(self, request_id: str) -> None:
        """The engine was ended under one answer, as somebody asked."""
        answer = self._answers.get(request_id)
        if answer is not None:
            self._end(answer, INTERRUPTED, complete=False)

    def interrupt(self, problem: Problem | None, *, keep_unstarted: bool = False) -> None:
        """The engine died (or the app closes). `keep_unstarted`: it comes back; ask again there."""
        for answer in list(self._answers.values()):
            if keep_unstarted and not answer.pieces and not answer.stopping:
                answer.sent = False
            else:
                self._end(answer, INTERRUPTED, complete=False, problem=problem)

    def tick(self) -> None:
        """Save text that is due although nothing new arrives."""
        for answer in list(self._answers.values()):
            self._save_if_due(answer)

    def _save_if_due(self, answer: Answer) -> None:
        now = self._clock()
        if answer.dirty and now - answer.saved_at >= SAVE_EVERY_SECONDS:
            answer.saved_at = now
            answer.dirty = False
            self._keeper.save(answer.conversation, [answer.snapshot()])

    def _end(
        self, answer: Answer, reason: str, *, complete: bool, problem: Problem | None = None
    ) -> None:
        del self._answers[answer.id]
        self.last = answer
        message = answer.end(str(reason), complete=complete, problem=problem)
        answer.conversation.updated_at = self._wall_clock()
        self._keeper.save(answer.conversation, [message])

    def _run_of(self, answer: Answer, event: GenerationFinished) -> Run:
        loaded = answer.loaded
        draft = loaded.draft if loaded is not None else None
        return Run(
            message_id=answer.id,
            created_at=self._wall_clock(),
            target=loaded.target.path.name if loaded is not None else "",
            draft=draft.path.name if draft is not None else None,
            speculation=event.speculation.value,
            finish_reason=event.reason.value,
            options=asdict(answer.request.options),
            stats=event.stats.to_json(),
        )
