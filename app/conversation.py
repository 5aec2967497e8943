"""Messages and conversations: what was said, as a tree.

Editing a message or asking for another answer makes a branch; nothing is overwritten. Plain data; knows neither engine nor files.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What the model is given of one message."""

    role: Role
    content: str
