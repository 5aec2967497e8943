"""Keeps the column of messages as the session has them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from app.conversation import Conversation, Message
from app.session import ChatSession, SessionState, SessionView
from app.ui import wording
from app.ui.chat_view import ChatView


class ChatPicture(QObject):
    """Shows the active path, and the answer that is being written.

    Attributes:
        path: the messages on screen.
        answer: id of the answer being written on screen; None when none is.
    """

    def __init__(self, session: ChatSession, chat: ChatView) -> None:
        super().__init__(chat)
        self._session = session
        self._chat = chat
        self._shown: tuple[object, ...] | None = None
        self._seen = 0
        self.path: tuple[Message, ...] = ()
        self.answer: str | None = None
        chat.unfinished_shown.connect(self._on_unfinished_shown)

    def show(self, view: SessionView) -> tuple[Message, ...]:
        """Bring the column up to the session; returns the active path."""
        if view.answer_id != self.answer:
            self.answer = view.answer_id
            self._seen = 0
        self._show_path(view)
        if self.answer is not None:
            pieces = self._session.pieces(self._seen)
            self._seen += len(pieces)
            self._chat.append(self.answer, pieces)
            self._chat.show_status(self.answer, wording.answer_status(view))
        return self.path

    def forget(self) -> None:
        """Something of a message changed: show all anew next time."""
        self._shown = None

    def _show_path(self, view: SessionView) -> None:
        """Show the active path if it is another one, or if an answer began or ended."""
        conversation = self._session.conversation
        cut = conversation.context_from
        key = (conversation.id, conversation.leaf, view.answer_id, view.loaded is None, cut)
        if key != self._shown:
            self._shown = key
            self.path = tuple(_named(message, view) for message in conversation.path())
            self._chat.show_path(self.path, branches_of(conversation, self.path), cut)

    @Slot()
    def _on_unfinished_shown(self) -> None:
        """Its view was made anew, so it needs the text from the beginning."""
        self._seen = 0


def without_repeated(session: ChatSession, view: SessionView) -> SessionView:
    """A problem that stands below its answer need not stand above the composer as well."""
    path = session.conversation.path() if view.notices else ()
    problem = path[-1].problem if path else None
    if problem is None or view.state is SessionState.CRASHED:
        return view
    for notice in view.notices:
        same = (notice.code, notice.detail) == (problem.code, problem.detail)
        if same and notice != view.load_problem:
            session.dismiss(notice)
    return replace(view, notices=session.view().notices)


def branches_of(
    conversation: Conversation, path: tuple[Message, ...]
) -> dict[str, tuple[str, ...]]:
    """The versions of each message of a path that has more than one."""
    found = {message.id: conversation.siblings(message.id) for message in path}
    return {message_id: ids for message_id, ids in found.items() if len(ids) > 1}


def _named(message: Message, view: SessionView) -> Message:
    """An answer being written bears the name of the model that writes it."""
    if message.id != view.answer_id or view.loaded is None:
        return message
    return replace(message, model=wording.model_name(view.loaded.target.path))
