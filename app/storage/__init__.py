"""Conversations and runs on disk. The room to import from; knows neither engine nor window."""

from app.storage.database import Storage
from app.storage.exchange import from_json, to_json, to_markdown
from app.storage.records import MATCH_END, MATCH_START, ConversationSummary, Run, SearchHit

__all__ = [
    "MATCH_END",
    "MATCH_START",
    "ConversationSummary",
    "Run",
    "SearchHit",
    "Storage",
    "from_json",
    "to_json",
    "to_markdown",
]
