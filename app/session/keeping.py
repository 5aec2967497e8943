"""Saving from a session: a full disk becomes a notice, and the text is tried again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from app.conversation import Conversation, Message
from app.errors import StorageError
from app.session.view import Level, Notice
from app.storage.records import Run


class ConversationStore(Protocol):
    """Where conversations are kept. What a save cannot write waits in memory for the next one."""

    def save(self, conversation: Conversation, messages: Iterable[Message] = ()) -> None:
        """Keep a conversation's head and the messages that changed; raises StorageError."""

    def add_run(self, run: Run) -> None:
        """Keep the numbers of a finished answer; raises StorageError."""

    def retry(self) -> None:
        """Save what an earlier call could not; raises StorageError."""


class Keeper:
    """Saves through a store and remembers whether the disk took it.

    Attributes:
        problem: why text is only in memory; None when all is saved.
    """

    def __init__(self, store: ConversationStore) -> None:
        self._store = store
        self.problem: Notice | None = None

    def save(self, conversation: Conversation, messages: Iterable[Message] = ()) -> None:
        """Keep a conversation's head and changed messages, and whatever waited before."""
        try:
            self._store.save(conversation, messages)
        except StorageError as error:
            self._failed(error)
        else:
            self.problem = None

    def add_run(self, run: Run) -> None:
        """Keep the numbers of an answer."""
        try:
            self._store.add_run(run)
        except StorageError as error:
            self._failed(error)

    def retry(self) -> None:
        """Try again to save what waits, if anything does."""
        if self.problem is None:
            return
        try:
            self._store.retry()
        except StorageError as error:
            self._failed(error)
        else:
            self.problem = None

    def _failed(self, error: StorageError) -> None:
        self.problem = Notice(error.code, dict(error.detail), Level.ERROR)
