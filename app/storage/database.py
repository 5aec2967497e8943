"""Storage: conversations and runs in one SQLite file.

Commits do not wait for the disk (WAL, synchronous NORMAL): an app that is killed loses nothing that
was committed, a power cut at most the last moments. Meant for one thread; its lock makes a stray
call from another one safe. What cannot be written stays in memory and is written by the next save.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from app import paths
from app.conversation import INTERRUPTED, Conversation, Message, rebuild
from app.errors import StorageError
from app.storage import rows, searching
from app.storage.ledger import Ledger
from app.storage.opening import BUSY_SECONDS, as_app_error, open_database, open_reader
from app.storage.presets import Presets
from app.storage.records import ConversationSummary, Run, SearchHit

_SAVE_HEAD = f"""
    INSERT INTO conversations ({rows.HEAD_COLUMNS}) VALUES ({", ".join("?" * 9)})
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at,
        system_prompt = excluded.system_prompt, options = excluded.options, leaf = excluded.leaf,
        context_from = excluded.context_from"""

_SAVE_MESSAGE = f"""
    INSERT INTO messages (conversation, {rows.MESSAGE_COLUMNS})
    VALUES ((SELECT seq FROM conversations WHERE id = ?), {", ".join("?" * 14)})
    ON CONFLICT (id) DO UPDATE SET content = excluded.content, reasoning = excluded.reasoning,
        reasoning_seconds = excluded.reasoning_seconds, finish_reason = excluded.finish_reason,
        complete = excluded.complete, stats = excluded.stats, model = excluded.model,
        problem = excluded.problem, spans = excluded.spans, refused = excluded.refused"""

_SAVE_RUN = f"INSERT INTO runs ({rows.RUN_COLUMNS}) VALUES ({', '.join('?' * 8)})"

_SUMMARIES = """
    SELECT id, title, created_at, updated_at, pinned,
           (SELECT count(*) FROM messages WHERE conversation = c.seq),
           (SELECT substr(content, 1, 120) FROM messages
            WHERE conversation = c.seq ORDER BY seq DESC LIMIT 1)
    FROM conversations c WHERE deleted_at IS NULL
    ORDER BY pinned DESC, updated_at DESC, seq DESC"""

_CLOSE_LOST = f"""
    UPDATE messages SET finish_reason = '{INTERRUPTED}', complete = 0
    WHERE finish_reason IS NULL AND role = 'assistant'"""


class Storage:
    """Conversations and runs on disk. Every method raises StorageError when the disk refuses.

    Attributes:
        path: the database file.
        ledger: what answers took in energy.
        presets: ways of answering under names.
        set_aside: where a damaged database was moved at opening; None when it was sound. Say it.
    """

    def __init__(self, path: Path | None = None, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path or paths.database_file()
        self._lock = threading.RLock()
        self._heads: dict[str, tuple[object, ...]] = {}  # waiting to be written, as are these two:
        self._messages: dict[str, tuple[str, Message]] = {}
        self._runs: list[Run] = []
        self._connection, self.set_aside = open_database(self.path, busy_seconds)
        self.ledger = Ledger(self._all, self._writing, self._lock)
        self.presets = Presets(self._all, self._writing)
        self._search_lock = threading.Lock()
        self._reader = open_reader(self.path, busy_seconds)
        self._reader.create_function("fold", 1, searching.fold, deterministic=True)
        try:
            with self._writing() as connection:
                # Answers a dead process left open. One of a live process sets itself right again.
                connection.execute(_CLOSE_LOST)
        except StorageError:
            self._reader.close()
            self._connection.close()
            raise

    @property
    def unsaved(self) -> bool:
        """Whether something waits in memory because the disk refused it."""
        waits = self._heads or self._messages or self._runs
        return bool(waits) or self.ledger.unsaved

    def save(self, conversation: Conversation, messages: Iterable[Message] = ()) -> None:
        """Keep a conversation's head and the given messages, parents first.

        `pinned` is kept only for a new conversation; afterwards it belongs to `pin`.
        """
        with self._lock:
            self._heads[conversation.id] = rows.head_row(conversation)
            for message in messages:
                self._messages[message.id] = (conversation.id, message)
            self.retry()

    def add_run(self, run: Run) -> None:
        """Keep the numbers of a finished answer."""
        with self._lock:
            self._runs.append(run)
            self.retry()

    def retry(self) -> None:
        """Write all that waits, whole or not at all."""
        with self._lock:
            with self._writing() as connection:
                for head in self._heads.values():
                    connection.execute(_SAVE_HEAD, head)
                for conversation_id, message in self._messages.values():
                    values = (conversation_id, *rows.message_row(message))
                    connection.execute(_SAVE_MESSAGE, values)
                for run in self._runs:
                    connection.execute(_SAVE_RUN, rows.run_row(run))
            self._heads.clear()
            self._messages.clear()
            self._runs.clear()
            self.ledger.retry()

    def load(self, conversation_id: str) -> Conversation:
        """A conversation with all its branches.

        Raises:
            StorageError: "conversation_gone": it was deleted.
        """
        with self._lock:
            head = self._heads.get(conversation_id) or self._one(
                f"SELECT {rows.HEAD_COLUMNS} FROM conversations "
                "WHERE id = ? AND deleted_at IS NULL",
                conversation_id,
            )
            if head is None:
                raise StorageError("conversation_gone")
            stored = self._all(
                f"SELECT {rows.MESSAGE_COLUMNS} FROM messages WHERE conversation = "
                "(SELECT seq FROM conversations WHERE id = ?) ORDER BY seq",
                conversation_id,
            )
            known = {row[0]: rows.message_of(row) for row in stored}
            known |= {m.id: m for owner, m in self._messages.values() if owner == conversation_id}
        return rebuild(rows.head_of(head), known.values())

    def conversations(self) -> tuple[ConversationSummary, ...]:
        """All that are not deleted: pinned first, then the newest; before them what is unsaved."""
        with self._lock:
            listed = [rows.summary_of(row) for row in self._all(_SUMMARIES)]
            known = {summary.id for summary in listed}
            waiting = [rows.head_of(row) for row in self._heads.values() if row[0] not in known]
        new = [ConversationSummary(h.id, h.title, h.created_at, h.updated_at) for h in waiting]
        return (*new, *listed)

    def search(self, text: str, limit: int = 50) -> tuple[SearchHit, ...]:
        """Conversations whose title or messages match, the newest match of each; titles first.

        Reads through a connection of its own: on another thread it holds up no save.
        """
        if not text.strip():
            return ()
        pattern = searching.like_pattern(text)
        substrings = searching.needs_substrings(text)
        with self._search_lock, self._translated():
            titles = self._reader.execute(searching.TITLES, (pattern,)).fetchall()
            if substrings:
                found = self._reader.execute(searching.SUBSTRINGS, (pattern, limit)).fetchall()
            else:
                words = searching.words_query(text)
                found = searching.find_words(self._reader, words, limit)
        by_title = (searching.with_snippet(SearchHit(*row), text) for row in titles)
        hits = {hit.conversation_id: hit for hit in by_title}
        for row in found:  # in the place of the title, but leading to the message
            hit = SearchHit(*row[:5])
            hits[hit.conversation_id] = searching.with_snippet(hit, text) if substrings else hit
        return tuple(hits.values())[:limit]

    def rename(self, conversation_id: str, title: str) -> None:
        """Another title, for a conversation that is not open (an open one saves its own)."""
        self._change("title = ?", title, conversation_id)

    def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top of the list."""
        self._change("pinned = ?", pinned, conversation_id)

    def delete(self, conversation_id: str) -> None:
        """Take a conversation out of list and search; `undelete` brings it back until `purge`."""
        self._change("deleted_at = ?", time.time(), conversation_id)

    def undelete(self, conversation_id: str) -> None:
        """Bring a deleted conversation back."""
        self._change("deleted_at = ?", None, conversation_id)

    def purge(self, deleted_before: float) -> None:
        """Remove for good what was deleted before a time (seconds since the epoch)."""
        with self._writing() as connection:
            connection.execute("DELETE FROM conversations WHERE deleted_at < ?", (deleted_before,))

    def runs(self, limit: int = 100) -> tuple[Run, ...]:
        """The newest runs first."""
        query = f"SELECT {rows.RUN_COLUMNS} FROM runs ORDER BY seq DESC LIMIT ?"
        return tuple(rows.run_of(row) for row in self._all(query, limit))

    def checkpoint(self) -> None:
        """Move committed text into the main file. Waits for the disk, so call it from a thread."""
        with self._translated(), contextlib.closing(sqlite3.connect(self.path)) as own:
            own.execute("PRAGMA wal_checkpoint (PASSIVE)")

    def close(self) -> None:
        """Write what waits and close the file; raises StorageError if text would be lost."""
        with self._lock:
            try:
                if self.unsaved:
                    self.retry()
            finally:
                with self._search_lock:
                    self._reader.close()
                self._connection.close()

    def _change(self, what: str, value: object, conversation_id: str) -> None:
        with self._writing() as connection:
            connection.execute(
                f"UPDATE conversations SET {what} WHERE id = ?", (value, conversation_id)
            )

    def _one(self, query: str, *values: object) -> tuple[object, ...] | None:
        return next(iter(self._all(query, *values)), None)

    def _all(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._lock, self._translated():
            return self._connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise as_app_error(error, self.path) from error
