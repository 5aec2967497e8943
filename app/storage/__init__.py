"""Conversations and runs on disk. The room to import from; knows neither engine nor window."""

from app.storage.database import Storage
from app.storage.exchange import from_json, to_json, to_markdown
from app.storage.ledger import (
    EnergyEntry,
    EnergyTotal,
    Ledger,
    MonthView,
    PairEnergy,
    to_csv,
)
from app.storage.records import MATCH_END, MATCH_START, ConversationSummary, Preset, Run, SearchHit

__all__ = [
    "MATCH_END",
    "MATCH_START",
    "ConversationSummary",
    "EnergyEntry",
    "EnergyTotal",
    "Ledger",
    "MonthView",
    "PairEnergy",
    "Preset",
    "Run",
    "SearchHit",
    "Storage",
    "from_json",
    "to_csv",
    "to_json",
    "to_markdown",
]
