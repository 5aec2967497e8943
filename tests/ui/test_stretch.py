"""Which messages of a long conversation are built: always some around the reader, never all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from app.conversation import Conversation, Message, Role, new_id
from app.ui.stretch import MOST, PAGE, Stretch
from tests.ui.conftest import Stage


def settle(stretch: Stretch) -> None:
    """Do one step after the other, as the view does."""
    for _ in range(10_000):
        if stretch.complete:
            return
        if stretch.lacks_below:
            stretch.built(stretch.first, stretch.last + 1)
        elif stretch.lacks_above:
            stretch.built(stretch.first - 1, stretch.last)
        elif stretch.spare_above:
            stretch.built(stretch.first + 1, stretch.last)
        else:
            stretch.built(stretch.first, stretch.last - 1)
    raise AssertionError("it never ends")


@given(st.integers(0, 3000), st.lists(st.sampled_from(["above", "below", "grow"]), max_size=30))
def test_it_is_never_too_much_and_never_outside(count: int, moves: list[str]) -> None:
    stretch = Stretch()
    stretch.begin_at_end(count)
    settle(stretch)
    assert stretch.last - stretch.first == min(count, PAGE)
    for move in moves:
        if move == "above":
            stretch.want_above()
        elif move == "below":
            stretch.want_below(count)
        else:
            stretch.follow(count, count + 2)
            count += 2
        settle(stretch)
        assert 0 <= stretch.first <= stretch.last <= count
        assert stretch.last - stretch.first <= MOST
        assert stretch.last > stretch.first or count == 0


def long_conversation(stage: Stage, count: int) -> Conversation:
    conversation = Conversation(title="long")
    for number in range(count):
        role = Role.ASSISTANT if number % 2 else Role.USER
        reason = "end" if number % 2 else None
        text = f"message {number} " + "word " * 60
        conversation.add(Message(new_id(), conversation.leaf, role, text, finish_reason=reason))
    stage.storage.save(conversation, conversation.messages())
    return conversation


def test_scrolling_up_brings_older_messages_and_lets_newer_go(ready: Stage) -> None:
    conversation = long_conversation(ready, 400)
    ready.window.conversations.opened.emit(conversation.id)
    chat = ready.window.chat
    bar = chat.verticalScrollBar()
    ready.qtbot.waitUntil(lambda: chat._stretch.complete)
    assert chat._stretch.last == 400
    for _ in range(8):
        QApplication.processEvents()
        bar.setValue(0)
        ready.qtbot.waitUntil(lambda: chat._stretch.complete)
        QApplication.processEvents()
    assert chat._stretch.first < 200
    assert len(chat._views) <= MOST
    assert chat._later.isVisible()
    shown = [view.message_id for view in chat._views]
    path = [message.id for message in conversation.path()]
    assert shown == path[chat._stretch.first : chat._stretch.last]
    chat.scroll_to_bottom()
    ready.qtbot.waitUntil(lambda: chat._stretch.complete)
    assert chat._stretch.last == 400
    assert bar.value() == bar.maximum()


def test_what_is_read_stays_in_place_while_more_comes_above(ready: Stage) -> None:
    conversation = long_conversation(ready, 200)
    ready.window.conversations.opened.emit(conversation.id)
    chat = ready.window.chat
    ready.qtbot.waitUntil(lambda: chat._stretch.complete)
    QApplication.processEvents()
    bar = chat.verticalScrollBar()
    bar.setValue(10)
    anchor = chat._reader.anchor
    assert anchor is not None
    ready.qtbot.waitUntil(lambda: chat._stretch.first < 160 and chat._stretch.complete)
    view, offset = anchor
    ready.qtbot.waitUntil(lambda: abs(chat._reader.top_of(view) - bar.value() - offset) <= 1)


def test_an_answer_goes_on_while_the_reader_is_far_away(ready: Stage) -> None:
    conversation = long_conversation(ready, 300)
    ready.window.conversations.opened.emit(conversation.id)
    ready.ask("Go on")
    ready.engine.write("First part")
    ready.wait_state("Writing")
    chat = ready.window.chat
    conversation = ready.session.conversation
    chat.scroll_to(conversation.path()[5].id)
    ready.qtbot.waitUntil(lambda: chat._stretch.complete)
    assert chat._stretch.last < 300
    ready.engine.write(", second part")
    ready.qtbot.wait(80)
    chat.scroll_to_bottom()
    ready.engine.write(", third part")
    last = conversation.path()[-1].id

    def whole() -> bool:
        view = chat._answer(last)
        return view is not None and view._body._tail.toPlainText().endswith("third part")

    ready.qtbot.waitUntil(whole)
    view = chat._answer(last)
    assert view is not None
    assert view._body._tail.toPlainText() == "First part, second part, third part"
