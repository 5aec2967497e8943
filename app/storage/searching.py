"""Full-text search: what the user typed as a query that cannot fail, and the statements for it."""

from __future__ import annotations

from dataclasses import replace

from app.storage.records import MATCH_END, MATCH_START, SearchHit

MAX_TERMS = 16
SNIPPET_WORDS = 16
SNIPPET_CHARACTERS = 60

TITLES = """
    SELECT id, title, NULL, title, updated_at FROM conversations
    WHERE deleted_at IS NULL AND fold(title) LIKE ? ESCAPE '\\'
    ORDER BY pinned DESC, updated_at DESC"""

# The newest match of each conversation, newest first rather than by rank: people look for what they
# remember. The match is found first and shown second, so that only what is shown costs a snippet.
MESSAGES = f"""
    WITH newest AS MATERIALIZED (
        SELECT max(m.seq) AS seq
        FROM message_text
        JOIN messages m ON m.seq = message_text.rowid
        JOIN conversations c ON c.seq = m.conversation
        WHERE message_text MATCH ?1 AND c.deleted_at IS NULL
        GROUP BY m.conversation ORDER BY 1 DESC LIMIT ?2)
    SELECT c.id, c.title, m.id,
           snippet(message_text, 0, '{MATCH_START}', '{MATCH_END}', '…', {SNIPPET_WORDS}),
           c.updated_at
    FROM newest
    CROSS JOIN message_text ON message_text.rowid = newest.seq
    JOIN messages m ON m.seq = newest.seq
    JOIN conversations c ON c.seq = m.conversation
    WHERE message_text MATCH ?1
    ORDER BY newest.seq DESC"""

# Beside max(), the other columns are those of the newest message.
SUBSTRINGS = """
    SELECT c.id, c.title, m.id, m.content, c.updated_at, max(m.seq)
    FROM messages m JOIN conversations c ON c.seq = m.conversation
    WHERE fold(m.content) LIKE ?1 ESCAPE '\\' AND c.deleted_at IS NULL
    GROUP BY m.conversation ORDER BY max(m.seq) DESC LIMIT ?2"""


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
