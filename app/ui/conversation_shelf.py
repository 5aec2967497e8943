"""Joins the list on the left with the store: open, rename, delete and bring back."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, Slot

from app.conversation import Conversation
from app.errors import AppError
from app.session import Level
from app.storage.records import ConversationSummary
from app.ui.chat_controller import ChatController
from app.ui.main_window import MainWindow
from app.ui.messages import say
from app.ui.notices import Action, Banner


class Shelf(Protocol):
    """What the list needs of a store; `app.storage.Storage` is one."""

    def conversations(self) -> tuple[ConversationSummary, ...]:
        """All conversations, as they are listed."""

    def load(self, conversation_id: str) -> Conversation:
        """One with all its messages."""

    def rename(self, conversation_id: str, title: str) -> None:
        """Another title for one that is not open."""

    def delete(self, conversation_id: str) -> None:
        """Take one out of the list."""

    def undelete(self, conversation_id: str) -> None:
        """Bring it back."""


class ConversationShelf(QObject):
    """Keeps the list as the store has it."""

    def __init__(self, shelf: Shelf, chat: ChatController, window: MainWindow) -> None:
        super().__init__(window)
        self._shelf = shelf
        self._chat = chat
        self._window = window
        self._deleted: str | None = None
        listed = window.conversations
        listed.new_requested.connect(self.on_new)
        listed.opened.connect(self.on_opened)
        listed.renamed.connect(self.on_renamed)
        listed.deleted.connect(self.on_deleted)
        window.new_chat.connect(self.on_new)
        window.notices.acted.connect(self.on_action)
        chat.saved.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show what the store has."""
        try:
            summaries = self._shelf.conversations()
        except AppError as error:
            self._complain(error)
            return
        self._window.conversations.show_list(summaries, self._chat.session.conversation.id)

    @Slot()
    def on_new(self) -> None:
        """An empty conversation, ready to be written in."""
        self._chat.show_conversation(None)
        self.refresh()
        self._window.composer.take_focus()

    @Slot(str)
    def on_opened(self, conversation_id: str) -> None:
        """Show another conversation."""
        if conversation_id == self._chat.session.conversation.id:
            return
        try:
            conversation = self._shelf.load(conversation_id)
        except AppError as error:
            self._complain(error)
            return
        self._chat.show_conversation(conversation)
        self.refresh()

    @Slot(str, str)
    def on_renamed(self, conversation_id: str, title: str) -> None:
        """Another title, for the one on screen or any other."""
        try:
            if conversation_id == self._chat.session.conversation.id:
                self._chat.session.rename(title)
                self._chat.refresh()
            else:
                self._shelf.rename(conversation_id, title)
        except AppError as error:
            self._complain(error)
        self.refresh()

    @Slot(str)
    def on_deleted(self, conversation_id: str) -> None:
        """Take one away, with a way back instead of a question before."""
        title = next((s.title for s in self._shelf.conversations() if s.id == conversation_id), "")
        try:
            if conversation_id == self._chat.session.conversation.id:
                self._chat.on_stopped()
                self._chat.show_conversation(None)
            self._shelf.delete(conversation_id)
        except AppError as error:
            self._complain(error)
            return
        self._deleted = conversation_id
        text = self.tr("“{title}” was deleted.").format(title=title or self.tr("Untitled"))
        undo = (Action.UNDO_DELETE, self.tr("Undo"))
        self._chat.complain(Banner("deleted", text, Level.INFO, (undo,)))
        self.refresh()

    @Slot(Action)
    def on_action(self, action: Action) -> None:
        """Undo, if that is the button."""
        if action is not Action.UNDO_DELETE or self._deleted is None:
            return
        restored, self._deleted = self._deleted, None
        try:
            self._shelf.undelete(restored)
        except AppError as error:
            self._complain(error)
            return
        self._chat.complain(None)
        self.on_opened(restored)

    def _complain(self, error: AppError) -> None:
        self._chat.complain(Banner("store", say(error.code, error.detail), Level.ERROR))
