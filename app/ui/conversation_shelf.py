"""Joins the list on the left with the store.

Open, find, rename, pin, delete and bring back, export and import.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Slot

from app.conversation import Conversation, Message
from app.errors import AppError
from app.session import Level
from app.storage.records import ConversationSummary, SearchHit
from app.ui import exchange_files
from app.ui.chat_controller import ChatController
from app.ui.conversation_menu import ExportKind
from app.ui.finder import Finder
from app.ui.main_window import MainWindow
from app.ui.messages import say
from app.ui.notices import Action, Banner

UNDO_MS = 12_000


class Shelf(Protocol):
    """What the list needs of a store; `app.storage.Storage` is one."""

    def conversations(self) -> tuple[ConversationSummary, ...]:
        """All conversations, as they are listed."""

    def load(self, conversation_id: str) -> Conversation:
        """One with all its messages."""

    def save(self, conversation: Conversation, messages: Iterable[Message] = ()) -> None:
        """Keep one."""

    def search(self, text: str) -> tuple[SearchHit, ...]:
        """Where words occur; called on another thread."""

    def rename(self, conversation_id: str, title: str) -> None:
        """Another title for one that is not open."""

    def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep one at the top, or no longer."""

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
        self._finder = Finder(shelf.search, self)
        self._finder.found.connect(self._on_found)
        self._finder.failed.connect(self._complain)
        self._undo_time = QTimer(self)
        self._undo_time.setSingleShot(True)
        self._undo_time.setInterval(UNDO_MS)
        self._undo_time.timeout.connect(self._on_undo_over)
        listed = window.conversations
        listed.hit_opened.connect(self.on_hit)
        listed.searched.connect(self.on_searched)
        listed.pinned.connect(self.on_pinned)
        listed.exported.connect(self.on_exported)
        listed.import_requested.connect(self.on_import)
        window.closing.connect(self._finder.close)
        listed.new_requested.connect(self.on_new)
        listed.opened.connect(self.on_opened)
        listed.renamed.connect(self.on_renamed)
        listed.deleted.connect(self.on_deleted)
        window.new_chat.connect(self.on_new)
        window.notices.acted.connect(self.on_action)
        chat.saved.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show what the store has, or what is looked for in it."""
        if self._window.conversations.query:
            self._finder.start(self._window.conversations.query)
            return
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

    # --- searching ----------------------------------------------------------------------------

    @Slot(str)
    def on_searched(self, text: str) -> None:
        """Look for words, or show all again."""
        self._finder.cancel()
        if text:
            self._finder.start(text)
        else:
            self.refresh()

    @Slot(str, object)
    def _on_found(self, text: str, hits: tuple[SearchHit, ...]) -> None:
        if text == self._window.conversations.query:
            self._window.conversations.show_hits(hits, self._chat.session.conversation.id)

    @Slot(str, str)
    def on_hit(self, conversation_id: str, message_id: str) -> None:
        """Show the place that was found, whatever branch it lies on."""
        self.on_opened(conversation_id)
        conversation = self._chat.session.conversation
        if conversation.id == conversation_id and message_id in conversation:
            self._chat.show_message(message_id)

    # --- changing -----------------------------------------------------------------------------

    @Slot(str, bool)
    def on_pinned(self, conversation_id: str, pinned: bool) -> None:
        """Keep one at the top, or no longer."""
        try:
            self._shelf.pin(conversation_id, pinned)
        except AppError as error:
            self._complain(error)
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
        self._undo_time.start()
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
        self._undo_time.stop()
        self._chat.complain(None)
        self.on_opened(restored)

    @Slot()
    def _on_undo_over(self) -> None:
        """The offer to undo goes by itself; what was deleted stays in the store for a while."""
        if self._deleted is not None:
            self._deleted = None
            self._chat.withdraw("deleted")

    # --- files --------------------------------------------------------------------------------

    @Slot(str, ExportKind)
    def on_exported(self, conversation_id: str, kind: ExportKind) -> None:
        """Write a conversation to a file."""
        try:
            conversation = self._whole(conversation_id)
            path = exchange_files.ask_where_to_export(conversation, kind, self._window)
            if path is None:
                return
            exchange_files.write(conversation, kind, path)
        except AppError as error:
            self._complain(error)
            return
        text = self.tr("Exported to {path}.").format(path=path)
        self._chat.complain(Banner("exported", text, Level.INFO))

    @Slot()
    def on_import(self) -> None:
        """Make a conversation of a file that the user chooses."""
        path = exchange_files.ask_what_to_import(self._window)
        if path is not None:
            self.import_file(path)

    def import_file(self, path: Path) -> None:
        """Make a conversation of a file, and show it."""
        try:
            conversation = exchange_files.read(path)
            conversation.updated_at = time.time()
            self._shelf.save(conversation, conversation.messages())
        except AppError as error:
            self._complain(error)
            return
        self._chat.show_conversation(conversation)
        self.refresh()

    def _whole(self, conversation_id: str) -> Conversation:
        """As it is open, with what is not saved yet, or as the store has it."""
        current = self._chat.session.conversation
        return current if current.id == conversation_id else self._shelf.load(conversation_id)

    @Slot(object)
    def _complain(self, error: AppError) -> None:
        self._chat.complain(Banner("store", say(error.code, error.detail), Level.ERROR))
