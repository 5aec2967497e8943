"""Messages and conversations: what was said, as a tree.

Editing a message or asking for another answer makes a branch; nothing is overwritten. Plain data;
knows neither engine nor files nor words on screen.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

TITLE_LENGTH = 60

# Finish reasons that no engine reports; the others are the values of engine.protocol.FinishReason.
INTERRUPTED = "interrupted"  # the engine or the app died under the answer
FAILED = "failed"  # the engine refused the request
EDITED = "edited"  # a person wrote this answer


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


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an answer is not whole: a code for app.messages and its values."""

    code: str
    detail: dict[str, str | int | float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a conversation.

    Attributes:
        parent: id of the message it answers or follows; None at the root.
        reasoning: the model's own notes before the answer; never given back to a model.
        reasoning_seconds: how long it reasoned.
        created_at: seconds since the epoch.
        finish_reason: why it ended: a FinishReason value, INTERRUPTED, FAILED or EDITED. None for
            what a person wrote, and for an answer that is still being written.
        complete: False while it streams, and for ever if it was interrupted or failed.
        stats: GenerationStats.to_json() of the answer.
        model: name of the model that answered.
        spans: where `content` came from, as runs of (PieceSource value, characters).
        refused: guesses that the target did not take, as (place in `content`, guess).
    """

    id: str
    parent: str | None
    role: Role
    content: str
    reasoning: str = ""
    reasoning_seconds: float = 0.0
    created_at: float = 0.0
    finish_reason: str | None = None
    complete: bool = True
    stats: dict[str, object] | None = None
    model: str = ""
    problem: Problem | None = None
    spans: tuple[tuple[str, int], ...] = ()
    refused: tuple[tuple[int, str], ...] = ()


def new_id() -> str:
    """An id that no other message or conversation has."""
    return uuid.uuid4().hex


def title_from(text: str) -> str:
    """A title made of the first line of a message, cut at a word."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = " ".join("".join(c if c.isprintable() else " " for c in first).split())
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[:TITLE_LENGTH]
    head, _, _ = cut.rpartition(" ")
    return (head if len(head) > TITLE_LENGTH // 2 else cut) + "…"


@dataclass(slots=True)
class Conversation:
    """A tree of messages with one active path, as it is open now; storage keeps it on disk.

    Attributes:
        leaf: last message of the active path; None while it is empty.
        system_prompt: instructions put before the first message; "" for none.
        options: what this conversation sets differently from the settings; JSON values.
        context_from: the first message a model is given, older ones no longer fit; None for all.
    """

    id: str = field(default_factory=new_id)
    title: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0
    pinned: bool = False
    system_prompt: str = ""
    options: dict[str, object] = field(default_factory=dict)
    leaf: str | None = None
    context_from: str | None = None
    _messages: dict[str, Message] = field(default_factory=dict)
    _children: dict[str | None, list[str]] = field(default_factory=dict)
    _chosen: dict[str | None, str] = field(default_factory=dict)  # the branch last looked at

    def __len__(self) -> int:
        return len(self._messages)

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._messages

    def messages(self) -> tuple[Message, ...]:
        """Every message of every branch, parents before children."""
        return tuple(self._messages.values())

    def get(self, message_id: str) -> Message:
        """One message; KeyError if it is not of this conversation."""
        return self._messages[message_id]

    def add(self, message: Message) -> Message:
        """Put a new message under its parent and make it the end of the active path.

        Raises:
            ValueError: the id is taken or the parent is not of this conversation.
        """
        self._insert(message)
        self._activate(message.id)
        return message

    def put(self, message: Message) -> Message:
        """Replace a message by a newer state of itself; its place in the tree stays."""
        old = self._messages[message.id]
        if old.parent != message.parent:
            raise ValueError("a message cannot move")
        self._messages[message.id] = message
        return message

    def choose(self, message_id: str) -> None:
        """Make the branch through a message active, down to the end last seen (or the newest)."""
        end = message_id
        while below := self._children.get(end):
            end = self._chosen.get(end, below[-1])
        self._activate(end)

    def rewind(self, message_id: str | None) -> None:
        """End the active path at a message (None: before the first): `add` branches there."""
        if message_id is None:
            self.leaf = None
        else:
            self._activate(message_id)

    def siblings(self, message_id: str) -> tuple[str, ...]:
        """Ids of a message and its alternatives, oldest first."""
        return tuple(self._children[self.get(message_id).parent])

    def path(self) -> tuple[Message, ...]:
        """The active path from the root to the leaf."""
        found: list[Message] = []
        at = self.leaf
        while at is not None:
            message = self._messages[at]
            found.append(message)
            at = message.parent
        return tuple(reversed(found))

    def given_path(self) -> tuple[Message, ...]:
        """The part of the active path that a model is given."""
        path = self.path()
        first = next((i for i, m in enumerate(path) if m.id == self.context_from), 0)
        return path[first:]

    def chat_messages(self) -> tuple[ChatMessage, ...]:
        """The active path as a model is given it: no reasoning, nothing empty, roles alternating.

        Many chat templates refuse two user messages in a row, as an answer that never came leaves
        them; such neighbours are joined.
        """
        said = [ChatMessage(m.role, m.content) for m in self.given_path() if m.content.strip()]
        if self.system_prompt.strip():
            said.insert(0, ChatMessage(Role.SYSTEM, self.system_prompt))
        joined: list[ChatMessage] = []
        for message in said:
            if joined and joined[-1].role == message.role:
                both = joined[-1].content + "\n\n" + message.content
                joined[-1] = replace(message, content=both)
            else:
                joined.append(message)
        return tuple(joined)

    def _insert(self, message: Message) -> None:
        if message.id in self._messages:
            raise ValueError(f"message {message.id} is already there")
        if message.parent is not None and message.parent not in self._messages:
            raise ValueError(f"parent {message.parent} is not of this conversation")
        self._messages[message.id] = message
        self._children.setdefault(message.parent, []).append(message.id)

    def _activate(self, message_id: str) -> None:
        self.leaf = at = message_id
        while True:
            parent = self._messages[at].parent
            self._chosen[parent] = at
            if parent is None:
                return
            at = parent


def rebuild(head: Conversation, messages: Iterable[Message]) -> Conversation:
    """Fill an empty conversation with stored messages, parents before children.

    A message whose parent is lost becomes a root: shown in the wrong place rather than not at all.
    An id that comes twice is taken once.
    """
    newest = None
    for message in messages:
        if message.id in head:
            continue
        lost = message.parent is not None and message.parent not in head
        head._insert(replace(message, parent=None) if lost else message)
        newest = message.id
    end = head.leaf if head.leaf is not None and head.leaf in head else newest
    if end is not None:
        head.choose(end)
    return head
