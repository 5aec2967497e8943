"""Full-text search: what the user typed as a query that cannot fail, and the statements for it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from typing import Any

from app.storage.records import MATCH_END, MATCH_START, SearchHit

MAX_TERMS = 16
SNIPPET_WORDS = 16
SNIPPET_CHARACTERS = 60
BATCH = 500

TITLES = """
    SELECT id, title, NULL, title, updated_at FROM conversations
    WHERE deleted_at IS NULL AND fold(title) LIKE ? ESCAPE '\\'
    ORDER BY pinned DESC, updated_at DESC"""

# Matches by the newest first, and what conversation each belongs to.
MATCHES = "SELECT rowid FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC"
OWNERS = """
    SELECT m.conversation, max(m.seq)
    FROM json_each(?) AS found
    CROSS JOIN messages m ON m.seq = found.value
    JOIN conversations c ON c.seq = m.conversation
    WHERE c.deleted_at IS NULL GROUP BY m.conversation"""

# Only what is shown costs a snippet.
MESSAGES = f"""
    SELECT c.id, c.title, m.id,
           snippet(message_text, 0, '{MATCH_START}', '{MATCH_END}', '…', {SNIPPET_WORDS}),
           c.updated_at
    FROM json_each(?2) AS newest
    CROSS JOIN message_text ON message_text.rowid = newest.value
    JOIN messages m ON m.seq = newest.value
    JOIN conversations c ON c.seq = m.conversation
    WHERE message_text MATCH ?1
    ORDER BY newest.value DESC"""

# Beside max(), the other columns are those of the newest message.
SUBSTRINGS = """
    SELECT c.id, c.title, m.id, m.content, c.updated_at, max(m.seq)
    FROM messages m JOIN conversations c ON c.seq = m.conversation
    WHERE fold(m.content) LIKE ?1 ESCAPE '\\' AND c.deleted_at IS NULL
    GROUP BY m.conversation ORDER BY max(m.seq) DESC LIMIT ?2"""


def find_words(connection: sqlite3.Connection, query: str, limit: int) -> list[Any]:
    """The newest match of each conversation, newest first rather than by rank.

    People look for what they remember. Reads no further back than is needed for `limit` of them:
    a single letter occurs in nearly every message.
    """
    matches = connection.execute(MATCHES, (query,))
    newest: dict[int, int] = {}
    while len(newest) < limit and (batch := [row[0] for row in matches.fetchmany(BATCH)]):
        for conversation, seq in connection.execute(OWNERS, (json.dumps(batch),)):
            newest.setdefault(conversation, seq)
    shown = sorted(newest.values(), reverse=True)[:limit]
    return connection.execute(MESSAGES, (query, json.dumps(shown))).fetchall()


def words_query(text: str) -> str:
    """An FTS5 query: every word must occur, the last may be unfinished; "" without a word."""
    terms = [term for term in text.split() if any(c.isalnum() for c in term)][:MAX_TERMS]
    quoted = ['"' + term.replace('"', '""').replace("\0", " ") + '"' for term in terms]
    return " ".join(quoted) + "*" if quoted else ""


def fold(text: str) -> str:
    """Text as it is compared: LIKE alone knows only the letters of ASCII."""
    return text.casefold()


def like_pattern(text: str) -> str:
    """A LIKE pattern for a text within a folded text."""
    escaped = fold(text.strip())
    for special in ("\\", "%", "_"):
        escaped = escaped.replace(special, "\\" + special)
    return f"%{escaped}%"


def needs_substrings(text: str) -> bool:
    """Whether words are no help: scripts without spaces, and signs that are no words."""
    return any(c >= "\u2e80" and c.isalnum() for c in text) or not words_query(text)


def with_snippet(hit: SearchHit, text: str) -> SearchHit:
    """A hit whose snippet is the whole message, cut to the place of the match and marked."""
    content = hit.snippet
    at = content.casefold().find(fold(text.strip()))
    if at < 0:
        return replace(hit, snippet=content[: 2 * SNIPPET_CHARACTERS])
    end = at + len(text.strip())
    before, after = max(0, at - SNIPPET_CHARACTERS), end + SNIPPET_CHARACTERS
    pieces = (
        "…" if before else "",
        content[before:at],
        MATCH_START,
        content[at:end],
        MATCH_END,
        content[end:after],
        "…" if after < len(content) else "",
    )
    return replace(hit, snippet="".join(pieces))
