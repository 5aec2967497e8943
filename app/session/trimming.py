"""Which messages a model is given when not all of them fit into its context.

The oldest go first, whole exchanges at a time; the system prompt and the newest question stay.
"""

from __future__ import annotations

from app.conversation import Conversation, Role

KEEP_SHARE = 0.7  # of what fits: so that the next turns need no new cut, and find their prefix kept


def next_start(conversation: Conversation, need_tokens: int, fit_tokens: int) -> str | None:
    """The question to begin at so that the prompt fits; None when nothing more can be left out."""
    given = conversation.given_path()
    questions = [i for i, m in enumerate(given) if m.role is Role.USER and m.content.strip()][1:]
    if not questions:
        return None
    lengths = [len(message.content) for message in given]
    whole = sum(lengths) + len(conversation.system_prompt)
    most = fit_tokens * KEEP_SHARE * whole / max(1, need_tokens) - len(conversation.system_prompt)
    for first in questions:
        if sum(lengths[first:]) <= most:
            return given[first].id
    return given[questions[-1]].id


def left_out(conversation: Conversation) -> int:
    """How many messages of the active path the model is not given."""
    if conversation.context_from is None:
        return 0
    return len(conversation.path()) - len(conversation.given_path())
