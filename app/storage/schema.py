"""The tables, as steps from one version to the next; PRAGMA user_version says where a file is.

A step that was released is never edited: what comes later is a further step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from app.errors import StorageError

Step = tuple[str, ...]

# An answer that streams changes twice a second. It is put into the index of the search when it has
# ended (finish_reason set), so that a long answer is not indexed again and again.
_INDEXED_NEW = "new.role <> 'assistant' OR new.finish_reason IS NOT NULL"
_INDEXED_OLD = "old.role <> 'assistant' OR old.finish_reason IS NOT NULL"
_FORGET = """INSERT INTO message_text (message_text, rowid, content)
             SELECT 'delete', old.seq, old.content WHERE """
_LEARN = """INSERT INTO message_text (rowid, content)
            SELECT new.seq, new.content WHERE """

_FIRST: Step = (
    """CREATE TABLE conversations (
           seq INTEGER PRIMARY KEY,
           id TEXT NOT NULL UNIQUE,
           title TEXT NOT NULL,
           created_at REAL NOT NULL,
           updated_at REAL NOT NULL,
           pinned INTEGER NOT NULL,
           system_prompt TEXT NOT NULL,
           options TEXT NOT NULL,
           leaf TEXT,
           deleted_at REAL)""",
    """CREATE TABLE messages (
           seq INTEGER PRIMARY KEY,
           id TEXT NOT NULL UNIQUE,
           conversation INTEGER NOT NULL REFERENCES conversations (seq) ON DELETE CASCADE,
           parent TEXT,
           role TEXT NOT NULL,
           content TEXT NOT NULL,
           reasoning TEXT NOT NULL,
           reasoning_seconds REAL NOT NULL,
           created_at REAL NOT NULL,
           finish_reason TEXT,
           complete INTEGER NOT NULL,
           stats TEXT,
           model TEXT NOT NULL,
           problem TEXT,
           spans TEXT)""",
    "CREATE INDEX messages_by_conversation ON messages (conversation, seq)",
    """CREATE INDEX messages_unfinished ON messages (seq)
       WHERE finish_reason IS NULL AND role = 'assistant'""",
    """CREATE TABLE runs (
           seq INTEGER PRIMARY KEY,
           message TEXT,
           created_at REAL NOT NULL,
           target TEXT NOT NULL,
           draft TEXT,
           speculation TEXT NOT NULL,
           finish_reason TEXT NOT NULL,
           options TEXT NOT NULL,
           stats TEXT NOT NULL)""",
    "CREATE INDEX runs_by_time ON runs (created_at)",
    """CREATE VIRTUAL TABLE message_text USING fts5 (
           content, content='messages', content_rowid='seq',
           tokenize="unicode61 remove_diacritics 2")""",
    f"""CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
            {_LEARN} {_INDEXED_NEW}; END""",
    f"""CREATE TRIGGER message_gone AFTER DELETE ON messages BEGIN
            {_FORGET} {_INDEXED_OLD}; END""",
    f"""CREATE TRIGGER message_changed AFTER UPDATE ON messages BEGIN
            {_FORGET} {_INDEXED_OLD};
            {_LEARN} {_INDEXED_NEW}; END""",
)

_ENERGY: Step = (
    """CREATE TABLE energy (
           seq INTEGER PRIMARY KEY,
           message TEXT,
           ended_at REAL NOT NULL,
           utc_offset_seconds INTEGER NOT NULL,
           day TEXT NOT NULL,
           target TEXT NOT NULL,
           draft TEXT,
           speculation TEXT NOT NULL,
           tokens INTEGER NOT NULL,
           seconds REAL NOT NULL,
           joules REAL,
           scope TEXT,
           method TEXT,
           price_per_kwh REAL NOT NULL,
           currency TEXT NOT NULL)""",
    "CREATE INDEX energy_by_day ON energy (day)",
    "CREATE INDEX energy_by_message ON energy (message)",
)

_CHATS: Step = (
    "ALTER TABLE messages ADD COLUMN refused TEXT",
    "ALTER TABLE conversations ADD COLUMN context_from TEXT",
    """CREATE TABLE presets (
           name TEXT NOT NULL PRIMARY KEY,
           system_prompt TEXT NOT NULL,
           options TEXT NOT NULL)""",
)

STEPS: tuple[Step, ...] = (_FIRST, _ENERGY, _CHATS)


def version_of(connection: sqlite3.Connection) -> int:
    """The version a file is at; 0 for a new one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def refuse_newer(connection: sqlite3.Connection, path: str, steps: Sequence[Step] = STEPS) -> None:
    """Leave a file alone that a newer Slipstream wrote.

    Raises:
        StorageError: "database_newer".
    """
    found = version_of(connection)
    if found > len(steps):
        raise StorageError("database_newer", path=path, found=found, known=len(steps))


def migrate(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> None:
    """Bring a file to the newest version, each step whole or not at all.

    Two processes may do this at once: the version is read again once the file is locked.
    """
    while version_of(connection) < len(steps):
        connection.execute("BEGIN IMMEDIATE")
        try:
            at = version_of(connection)
            if at < len(steps):
                for statement in steps[at]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {at + 1}")
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
