"""Conversations as files for other people and programs: JSON in and out, Markdown out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from app.conversation import Conversation, Message, Problem, Role, new_id, rebuild
from app.errors import StorageError

FORMAT = "slipstream-conversation"
VERSION = 1

_KINDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "parent": (str, type(None)),
    "role": str,
    "content": str,
    "reasoning": str,
    "reasoning_seconds": (int, float),
    "created_at": (int, float),
    "finish_reason": (str, type(None)),
    "complete": bool,
    "stats": (dict, type(None)),
    "model": str,
}


def to_json(conversation: Conversation) -> str:
    """A conversation with all its branches."""
    head = {
        name: getattr(conversation, name)
        for name in ("title", "created_at", "updated_at", "system_prompt", "options", "leaf")
    }
    head["context_from"] = conversation.context_from
    messages = [asdict(message) for message in conversation.messages()]
    whole = {"format": FORMAT, "version": VERSION, **head, "messages": messages}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def to_markdown(conversation: Conversation, speakers: Mapping[Role, str]) -> str:
    """The active path under headings; `speakers` are the words for them in the user's language."""
    parts = [f"# {conversation.title}"] if conversation.title else []
    if conversation.system_prompt.strip():
        parts += [f"## {speakers[Role.SYSTEM]}", conversation.system_prompt.strip()]
    for message in conversation.path():
        parts += [f"## {speakers[message.role]}", message.content.strip()]
    return "\n\n".join(part for part in parts if part) + "\n"


def from_json(text: str) -> Conversation:
    """A conversation of a file, under new ids, so that importing twice makes two.

    Raises:
        StorageError: "import_unreadable": the file is something else, or newer.
    """
    try:
        raw = json.loads(text)
        if raw["format"] != FORMAT or raw["version"] > VERSION:
            raise StorageError("import_unreadable")
        ids: dict[str, str] = {}
        messages = [_message(entry, ids) for entry in raw["messages"]]
        head = Conversation(
            title=str(raw["title"]),
            created_at=float(raw["created_at"]),
            updated_at=float(raw["updated_at"]),
            system_prompt=str(raw["system_prompt"]),
            options=dict(raw["options"]),
            leaf=ids.get(str(raw["leaf"])),
            context_from=ids.get(str(raw.get("context_from"))),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise StorageError("import_unreadable") from error
    return rebuild(head, messages)


def _message(entry: dict[str, Any], ids: dict[str, str]) -> Message:
    given = {name: entry[name] for name in _KINDS if name in entry}
    for name, value in given.items():
        if not isinstance(value, _KINDS[name]):
            raise TypeError(name)
    problem = entry.get("problem")
    spans = tuple((str(source), int(length)) for source, length in entry.get("spans") or ())
    refused = tuple((int(place), str(guess)) for place, guess in entry.get("refused") or ())
    message = Message(
        **{**given, "role": Role(given["role"])},
        problem=Problem(str(problem["code"]), dict(problem["detail"])) if problem else None,
        spans=spans,
        refused=refused,
    )
    ids[message.id] = new_id()
    # A parent that did not come before is none: this also rules out circles.
    parent = ids.get(message.parent) if message.parent not in (None, message.id) else None
    return replace(message, id=ids[message.id], parent=parent)
