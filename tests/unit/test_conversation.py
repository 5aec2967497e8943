"""The conversation tree: branches, the active path, what a model is given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import (
    TITLE_LENGTH,
    ChatMessage,
    Conversation,
    Message,
    Role,
    rebuild,
    title_from,
)


def said(conversation: Conversation, message_id: str, role: Role, content: str = "") -> Message:
    """Add a message below the active end."""
    message = Message(message_id, conversation.leaf, role, content or message_id)
    return conversation.add(message)


@pytest.fixture
def branched() -> Conversation:
    """q1 → a1 → q2 → a2, and a1b → q3 beside a1 (active)."""
    conversation = Conversation()
    said(conversation, "q1", Role.USER)
    said(conversation, "a1", Role.ASSISTANT)
    said(conversation, "q2", Role.USER)
    said(conversation, "a2", Role.ASSISTANT)
    conversation.rewind("q1")
    said(conversation, "a1b", Role.ASSISTANT)
    said(conversation, "q3", Role.USER)
    return conversation


def ids(conversation: Conversation) -> list[str]:
    return [message.id for message in conversation.path()]


def test_a_branch_overwrites_nothing(branched: Conversation) -> None:
    assert ids(branched) == ["q1", "a1b", "q3"]
    assert branched.siblings("a1") == ("a1", "a1b")
    assert len(branched) == 6


def test_choosing_a_branch_goes_down_to_where_it_was_left(branched: Conversation) -> None:
    branched.choose("a1")
    assert ids(branched) == ["q1", "a1", "q2", "a2"]
    branched.rewind("a1")
    said(branched, "q2b", Role.USER)
    branched.choose("a1b")
    branched.choose("a1")
    assert ids(branched) == ["q1", "a1", "q2b"], "the branch looked at last, not the first"
    branched.choose("q2")
    branched.choose("a1b")
    branched.choose("a1")
    assert ids(branched) == ["q1", "a1", "q2", "a2"]


def test_choosing_a_root_among_edited_first_questions() -> None:
    conversation = Conversation()
    said(conversation, "q1", Role.USER)
    said(conversation, "a1", Role.ASSISTANT)
    conversation.rewind(None)
    said(conversation, "q1b", Role.USER)
    assert conversation.siblings("q1") == ("q1", "q1b")
    conversation.choose("q1")
    assert ids(conversation) == ["q1", "a1"]


def test_a_model_is_given_no_reasoning_and_nothing_empty() -> None:
    conversation = Conversation(system_prompt="Be brief.")
    said(conversation, "q", Role.USER, "Hello")
    conversation.add(Message("a", "q", Role.ASSISTANT, "Hi", reasoning="They greet me."))
    said(conversation, "q2", Role.USER, "More")
    conversation.add(Message("a2", "q2", Role.ASSISTANT, "  ", complete=False))
    assert conversation.chat_messages() == (
        ChatMessage(Role.SYSTEM, "Be brief."),
        ChatMessage(Role.USER, "Hello"),
        ChatMessage(Role.ASSISTANT, "Hi"),
        ChatMessage(Role.USER, "More"),
    )


def test_questions_without_an_answer_between_them_are_joined() -> None:
    conversation = Conversation()
    said(conversation, "q", Role.USER, "one")
    conversation.add(Message("a", "q", Role.ASSISTANT, "", finish_reason="failed", complete=False))
    said(conversation, "q2", Role.USER, "two")
    assert conversation.chat_messages() == (ChatMessage(Role.USER, "one\n\ntwo"),)


def test_a_message_cannot_be_added_twice_nor_below_a_stranger_nor_move() -> None:
    conversation = Conversation()
    said(conversation, "q", Role.USER)
    with pytest.raises(ValueError, match="already there"):
        conversation.add(Message("q", None, Role.USER, "again"))
    with pytest.raises(ValueError, match="not of this conversation"):
        conversation.add(Message("x", "elsewhere", Role.USER, "lost"))
    said(conversation, "a", Role.ASSISTANT)
    with pytest.raises(ValueError, match="cannot move"):
        conversation.put(Message("a", None, Role.ASSISTANT, "moved"))


def test_rebuild_shows_messages_whose_parent_is_lost() -> None:
    messages = [
        Message("q", None, Role.USER, "q"),
        Message("x", "lost", Role.USER, "x"),
        Message("q", None, Role.USER, "twice"),
    ]
    conversation = rebuild(Conversation(leaf="q"), messages)
    assert conversation.siblings("q") == ("q", "x")
    assert [message.content for message in conversation.path()] == ["q"]


@given(st.lists(st.integers(min_value=-1, max_value=30), max_size=30), st.integers(0, 29))
def test_any_tree_is_rebuilt_as_it_was(parents: list[int], chosen: int) -> None:
    conversation = Conversation()
    for number, parent in enumerate(parents):
        above = str(parent) if 0 <= parent < number else None
        conversation.rewind(above)
        conversation.add(Message(str(number), above, Role.USER, str(number)))
    if parents:
        conversation.choose(str(chosen % len(parents)))
    again = rebuild(Conversation(leaf=conversation.leaf), conversation.messages())
    assert again.path() == conversation.path()
    assert again.messages() == conversation.messages()
    for message in conversation.messages():
        assert message.id in conversation.siblings(message.id)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hello", "Hello"),
        ("\n\n  What is\tKV cache?  \nmore", "What is KV cache?"),
        ("", ""),
        ("a\x00b\x1b[31mc", "a b [31mc"),
        ("x" * 200, "x" * TITLE_LENGTH + "…"),
        ("word " * 40, ("word " * 12).strip() + "…"),
    ],
)
def test_titles_by_themselves(text: str, title: str) -> None:
    assert title_from(text) == title
