"""Messages, conversations and runs as rows. JSON that cannot be read back is dropped and logged."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

from app.conversation import INTERRUPTED, Conversation, Message, Problem, Role
from app.storage.records import ConversationSummary, Preset, Run

log = logging.getLogger(__name__)

MESSAGE_COLUMNS = (
    "id, parent, role, content, reasoning, reasoning_seconds, created_at, finish_reason, complete, "
    "stats, model, problem, spans, refused"
)
HEAD_COLUMNS = (
    "id, title, created_at, updated_at, pinned, system_prompt, options, leaf, context_from"
)
RUN_COLUMNS = "message, created_at, target, draft, speculation, finish_reason, options, stats"

Row = Sequence[Any]


def message_row(message: Message) -> tuple[object, ...]:
    """Values in the order of MESSAGE_COLUMNS."""
    problem = message.problem
    return (
        message.id,
        message.parent,
        message.role.value,
        _storable(message.content),
        _storable(message.reasoning),
        message.reasoning_seconds,
        message.created_at,
        message.finish_reason,
        message.complete,
        _dump(message.stats),
        message.model,
        _dump([problem.code, problem.detail] if problem is not None else None),
        _dump(message.spans or None),
        _dump(message.refused or None),
    )


def message_of(row: Row) -> Message:
    """A message from the columns MESSAGE_COLUMNS.

    An answer that was still being written belongs to a process that is gone: it was interrupted.
    """
    role = Role(row[2])
    ended = row[7] is not None or role is not Role.ASSISTANT
    problem = _parse(row[11], list)
    return Message(
        id=row[0],
        parent=row[1],
        role=role,
        content=row[3],
        reasoning=row[4],
        reasoning_seconds=row[5],
        created_at=row[6],
        finish_reason=row[7] if ended else INTERRUPTED,
        complete=bool(row[8]) and ended,
        stats=_parse(row[9], dict),
        model=row[10],
        problem=Problem(*problem) if problem is not None else None,
        spans=tuple((str(source), int(length)) for source, length in _parse(row[12], list) or ()),
        refused=tuple((int(place), str(guess)) for place, guess in _parse(row[13], list) or ()),
    )


def head_row(conversation: Conversation) -> tuple[object, ...]:
    """Values in the order of HEAD_COLUMNS."""
    return (
        conversation.id,
        _storable(conversation.title),
        conversation.created_at,
        conversation.updated_at,
        conversation.pinned,
        _storable(conversation.system_prompt),
        _dump(conversation.options),
        conversation.leaf,
        conversation.context_from,
    )


def head_of(row: Row) -> Conversation:
    """A conversation without its messages, from the columns HEAD_COLUMNS."""
    return Conversation(
        id=row[0],
        title=row[1],
        created_at=row[2],
        updated_at=row[3],
        pinned=bool(row[4]),
        system_prompt=row[5],
        options=_parse(row[6], dict) or {},
        leaf=row[7],
        context_from=row[8],
    )


def summary_of(row: Row) -> ConversationSummary:
    """One line of the list: id, title, created_at, updated_at, pinned, count, preview."""
    preview = " ".join((row[6] or "").split())
    return ConversationSummary(row[0], row[1], row[2], row[3], bool(row[4]), row[5], preview)


def preset_row(preset: Preset) -> tuple[object, ...]:
    """Name, system prompt, options."""
    return (_storable(preset.name), _storable(preset.system_prompt), _dump(preset.options))


def preset_of(row: Row) -> Preset:
    """A preset from name, system prompt, options."""
    return Preset(row[0], row[1], _parse(row[2], dict) or {})


def run_row(run: Run) -> tuple[object, ...]:
    """Values in the order of RUN_COLUMNS."""
    return (
        run.message_id,
        run.created_at,
        run.target,
        run.draft,
        run.speculation,
        run.finish_reason,
        _dump(run.options),
        _dump(run.stats),
    )


def run_of(row: Row) -> Run:
    """A run from the columns RUN_COLUMNS."""
    return Run(
        message_id=row[0],
        created_at=row[1],
        target=row[2],
        draft=row[3],
        speculation=row[4],
        finish_reason=row[5],
        options=_parse(row[6], dict) or {},
        stats=_parse(row[7], dict) or {},
    )


def _storable(text: str) -> str:
    """Text without lone surrogates, which UTF-8 cannot hold (a broken clipboard has them)."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _dump(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=True)


def _parse(text: str | None, kind: type) -> Any:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, kind):
        log.warning("a stored value is not readable and was left out")
        return None
    return value
