"""ChatSession: one conversation on screen, the answers being written, the pair that writes them.

Imports the protocol, conversations and storage's records; no process, no file, no thread, no timer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app.conversation import EDITED, Conversation, Message, Role, new_id, title_from
from app.engine.protocol import Command, Event, GenerationOptions, Shutdown, TextPiece
from app.errors import RequestError
from app.session.answer import Answer
from app.session.answers import AnswerDesk
from app.session.intake import EventIntake
from app.session.keeping import ConversationStore, Keeper
from app.session.models import (
    FileChecker,
    LoadCheck,
    LoadOptions,
    ModelDesk,
    PairChecker,
    accept_any_file,
    accept_any_pair,
    check_files,
)
from app.session.options import own_options, with_own
from app.session.rules import refusal_of, state_of
from app.session.trimming import left_out
from app.session.view import Notice, SessionView


class ChatSession:
    """The state machine of a chat; see the package for its methods.

    Attributes:
        conversation: on screen; live, so it shows an answer's text only up to its last save.
        options: sampling and speculation of the next answers, where a conversation has no own.
    """

    def __init__(
        self,
        store: ConversationStore,
        *,
        clock: Callable[[], float],
        wall_clock: Callable[[], float],
        check_file: FileChecker = accept_any_file,
        check_pair: PairChecker = accept_any_pair,
    ) -> None:
        self._wall_clock = wall_clock
        self._check_file = check_file
        self._check_pair = check_pair
        self._keeper = Keeper(store)
        self._desk = ModelDesk()
        self._answers = AnswerDesk(self._keeper, clock, wall_clock)
        self._notices: list[Notice] = []
        self._intake = EventIntake(self._desk, self._answers, self._notices)
        self.conversation = Conversation(created_at=wall_clock())
        self.options = GenerationOptions()

    # --- models -------------------------------------------------------------------------------

    def load(
        self, target: Path, draft: Path | None = None, options: LoadOptions | None = None
    ) -> list[Command]:
        """Load a pair after looking at the files; a draft that does not fit is left out."""
        check = check_files(target, draft, self._check_file, self._check_pair)
        return self.load_checked(check, options)

    def load_checked(self, check: LoadCheck, options: LoadOptions | None = None) -> list[Command]:
        """Load a pair whose files were looked at already; answers in progress are stopped."""
        if options is not None:
            self._desk.options = options
        commands, problem = self._desk.load(check)
        if problem is not None:
            self._notices.append(problem)
            return []
        self._notices[:] = check.advice
        return self._answers.let_go(waiting_too=False) + commands

    def unload(self) -> list[Command]:
        """Free the models; answers in progress are stopped."""
        commands = self._desk.unload()
        return self._answers.let_go(waiting_too=True) + commands if commands else []

    def restart(self, *, without_draft: bool = False) -> list[Command]:
        """Load the wanted pair again, after a crash or a failed load."""
        if without_draft:
            self._desk.without_draft()
        wanted = self._desk.wanted
        if wanted is None:
            raise RequestError("not_loaded")
        return self.load(wanted.target, wanted.draft)

    # --- answers ------------------------------------------------------------------------------

    def send(self, text: str) -> list[Command]:
        """Say something and ask for the answer; while a model loads, the answer waits for it."""
        self._refuse_unless_free()
        if not text.strip():
            raise RequestError("empty_message")
        return self._ask(text, self.conversation.leaf)

    def regenerate(self, message_id: str | None = None) -> list[Command]:
        """Ask for another answer beside one (the last); a question without an answer gets one."""
        self._refuse_unless_free()
        at = message_id or self.conversation.leaf
        if at is None or at not in self.conversation:
            raise RequestError("nothing_to_answer")
        message = self.conversation.get(at)
        question = message.id if message.role is Role.USER else message.parent
        if question is None:
            raise RequestError("nothing_to_answer")
        self.conversation.rewind(question)
        return self._answer([])

    def edit(self, message_id: str, text: str) -> list[Command]:
        """Branch with another text; an edited question is answered, an edited answer stands."""
        old = self.conversation.get(message_id)
        if not text.strip():
            raise RequestError("empty_message")
        if old.role is Role.USER:
            self._refuse_unless_free()
            return self._ask(text, old.parent)
        self._refuse_while_writing()
        self.conversation.rewind(old.parent)
        edited = Message(
            new_id(),
            old.parent,
            old.role,
            text,
            created_at=self._wall_clock(),
            finish_reason=EDITED,
        )
        self._keeper.save(self.conversation, [self.conversation.add(edited)])
        return []

    def stop(self) -> list[Command]:
        """End the answer on screen; what was written stays."""
        answer = self._current()
        return self._answers.stop(answer) if answer is not None else []

    def set_options(self, options: GenerationOptions) -> None:
        """Sampling and speculation of the next answers."""
        self.options = options

    @property
    def answer_options(self) -> GenerationOptions:
        """What the next answer on screen is asked with: the conversation's own come first."""
        return with_own(self.options, self.conversation.options)

    def attach(self, message_id: str, name: str, facts: dict[str, object]) -> bool:
        """Add what was measured of the answer that ended last; False if it is another."""
        return self._answers.attach(message_id, name, facts)

    # --- the conversation on screen -----------------------------------------------------------

    def open(self, conversation: Conversation) -> None:
        """Show another conversation; an answer being written goes on where it belongs."""
        answer = self._answers.of(conversation.id)
        self.conversation = answer.conversation if answer is not None else conversation

    def new_conversation(self, system_prompt: str = "") -> None:
        """Show an empty conversation; it is kept once something is said."""
        now = self._wall_clock()
        self.conversation = Conversation(created_at=now, system_prompt=system_prompt)

    def choose(self, message_id: str) -> None:
        """Step to the branch through a message."""
        self._refuse_while_writing()
        self.conversation.choose(message_id)
        self._keeper.save(self.conversation)

    def rename(self, title: str) -> None:
        """Give the conversation a title; an empty one goes back to the title made by itself."""
        first = next((m.content for m in self.conversation.path() if m.role is Role.USER), "")
        self.conversation.title = " ".join(title.split()) or title_from(first)
        self._keeper.save(self.conversation)

    def set_system_prompt(self, text: str) -> None:
        """Instructions put before the first message, from the next answer on."""
        self.set_own(text, self.conversation.options)

    def set_own(self, system_prompt: str, options: Mapping[str, object]) -> None:
        """What this conversation does differently, from the next answer on."""
        self.conversation.system_prompt = system_prompt
        self.conversation.options = own_options(options)
        if len(self.conversation):
            self._keeper.save(self.conversation)

    # --- reading ------------------------------------------------------------------------------

    def pieces(self, since: int = 0) -> tuple[TextPiece, ...]:
        """Pieces of the answer on screen from number `since` on."""
        answer = self._current()
        return tuple(answer.pieces[since:]) if answer is not None else ()

    def dismiss(self, notice: Notice) -> None:
        """The user has read it."""
        if notice in self._notices:
            self._notices.remove(notice)

    def view(self) -> SessionView:
        """A snapshot; its cost does not grow with the text."""
        desk, answer = self._desk, self._current()
        shown = answer or self._last_on_screen()
        used = shown.context_used if shown is not None else None
        n_ctx = desk.loaded.n_ctx if desk.loaded is not None else None
        problem = self._keeper.problem
        return SessionView(
            state=state_of(desk, answer),
            conversation_id=self.conversation.id,
            title=self.conversation.title,
            answer_id=answer.id if answer is not None else None,
            queued=answer is not None and not answer.sent,
            load_stage=desk.stage,
            load_fraction=desk.fraction,
            prompt_done_tokens=answer.done_tokens if answer is not None else 0,
            prompt_total_tokens=answer.total_tokens if answer is not None else 0,
            piece_count=len(answer.pieces) if answer is not None else 0,
            reasoning=answer is not None and answer.in_reasoning,
            stats=shown.stats if shown is not None else None,
            context_used=used if n_ctx is not None else None,
            context_free=max(0, n_ctx - used) if n_ctx is not None and used is not None else None,
            speculation=(shown and shown.speculation) or self.answer_options.speculation,
            left_out=left_out(self.conversation),
            quiet=desk.loaded is not None and not len(self._answers),
            loaded=desk.loaded,
            wanted=desk.wanted,
            draft_refused=desk.refused_draft,
            load_problem=desk.problem,
            crash=desk.crash,
            notices=(*self._notices, *([problem] if problem is not None else [])),
            unsaved=problem is not None,
            can_send=refusal_of(desk, self._answers, answer) is None,
            can_stop=answer is not None and not answer.stopping,
        )

    # --- events and time ------------------------------------------------------------------------

    def apply(self, event: Event) -> list[Command]:
        """Take in what the engine says; events of other requests are ignored."""
        return self._intake.apply(event)

    def tick(self) -> None:
        """Save what is due, and what the disk refused before."""
        self._answers.tick()
        self._keeper.retry()

    def close(self) -> list[Command]:
        """Keep what is written and end the engine."""
        self._answers.interrupt(None)
        self._keeper.retry()
        return [Shutdown()]

    # --- inside -----------------------------------------------------------------------------------

    def _ask(self, text: str, parent: str | None) -> list[Command]:
        conversation = self.conversation
        conversation.rewind(parent)
        now = self._wall_clock()
        question = conversation.add(Message(new_id(), parent, Role.USER, text, created_at=now))
        conversation.title = conversation.title or title_from(text)
        return self._answer([question])

    def _answer(self, changed: list[Message]) -> list[Command]:
        self._answers.begin(self.conversation, self.answer_options, changed)
        loaded = self._desk.loaded
        return self._answers.dispatch(loaded) if loaded is not None else []

    def _current(self) -> Answer | None:
        return self._answers.of(self.conversation.id)

    def _last_on_screen(self) -> Answer | None:
        last = self._answers.last
        return last if last is not None and last.id == self.conversation.leaf else None

    def _refuse_unless_free(self) -> None:
        refusal = refusal_of(self._desk, self._answers, self._current())
        if refusal is not None:
            raise RequestError(refusal)

    def _refuse_while_writing(self) -> None:
        if self._current() is not None:
            raise RequestError("answer_running")
