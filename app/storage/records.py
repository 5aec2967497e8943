"""What storage hands out besides conversations. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One line of the conversation list.

    Attributes:
        message_count: over all branches.
        preview: beginning of the newest message.
    """

    id: str
    title: str
    created_at: float
    updated_at: float
    pinned: bool = False
    message_count: int = 0
    preview: str = ""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A conversation that matches a search, with its newest match.

    Attributes:
        message_id: the matching message; None when the title matches.
        snippet: text around the match; the match itself lies between MATCH_START and MATCH_END.
    """

    conversation_id: str
    title: str
    message_id: str | None
    snippet: str
    updated_at: float


@dataclass(frozen=True, slots=True)
class Preset:
    """A way of answering under a name: what a conversation may set differently."""

    name: str
    system_prompt: str = ""
    options: dict[str, object] = field(default_factory=dict)


MATCH_START = "\x02"
MATCH_END = "\x03"


@dataclass(frozen=True, slots=True)
class Run:
    """The numbers of one finished answer; holds no text, and outlives its conversation.

    Attributes:
        created_at: seconds since the epoch.
        target, draft: names of the models' files; draft None when none was loaded.
        speculation: what was in force at the end.
        options, stats: JSON values.
    """

    message_id: str | None
    created_at: float
    target: str
    draft: str | None
    speculation: str
    finish_reason: str
    options: dict[str, object] = field(default_factory=dict)
    stats: dict[str, object] = field(default_factory=dict)
