"""The list on the left: new, open, rename, delete and bring back."""

from __future__ import annotations

import pytest

from app.engine.protocol import Cancel
from app.errors import StorageError
from app.ui.conversation_row import ID
from app.ui.notices import Action
from tests.ui.conftest import Stage


def two_chats(stage: Stage) -> tuple[str, str]:
    """Ids of two conversations, the second on screen."""
    stage.answer("Answer one", "Question one")
    first = stage.session.conversation.id
    stage.window.conversations._new.click()
    stage.answer("Answer two", "Question two")
    return first, stage.session.conversation.id


def test_a_new_chat_is_empty_and_ready_to_write(ready: Stage) -> None:
    ready.answer("Hello")
    ready.window.new_chat.emit()
    assert ready.window.empty.isVisible()
    assert ready.session.conversation.path() == ()
    assert ready.window.conversations.titles() == ["Hello?"]
    assert ready.window.composer._field.hasFocus()


def test_choosing_a_conversation_shows_it(ready: Stage) -> None:
    first, second = two_chats(ready)
    listed = ready.window.conversations
    assert listed.titles() == ["Question two", "Question one"]
    listed._list.itemClicked.emit(listed._list.item(1))
    assert ready.session.conversation.id == first
    assert listed._list.currentItem().data(ID) == first
    listed.opened.emit(second)
    assert ready.session.conversation.id == second


def test_an_answer_goes_on_in_its_conversation_while_another_is_read(ready: Stage) -> None:
    first, _ = two_chats(ready)
    ready.ask("Third question")
    ready.engine.write("Part one")
    ready.wait_state("Writing")
    home = ready.session.conversation.id
    ready.window.conversations.opened.emit(first)
    ready.engine.write(", part two")
    ready.engine.finish()
    ready.qtbot.wait(80)
    ready.window.conversations.opened.emit(home)
    assert ready.session.conversation.path()[-1].content == "Part one, part two"


def test_coming_back_to_an_answer_in_progress_shows_all_of_it(ready: Stage) -> None:
    first, _ = two_chats(ready)
    ready.ask("Third question")
    home = ready.session.conversation.id
    ready.engine.write("Part one")
    ready.wait_state("Writing")
    ready.window.conversations.opened.emit(first)
    ready.window.conversations.opened.emit(home)
    ready.engine.write(", part two")
    body = ready.window.chat._views[-1]
    tail = body._body._tail  # type: ignore[attr-defined]
    ready.qtbot.waitUntil(lambda: tail.toPlainText() == "Part one, part two")


@pytest.mark.parametrize("which", [0, 1], ids=["on screen", "another"])
def test_renaming_in_place(ready: Stage, which: int) -> None:
    two_chats(ready)
    listed = ready.window.conversations
    listed._list.item(which).setText("Better title")
    assert listed.titles()[which] == "Better title"
    titles = [summary.title for summary in ready.storage.conversations()]
    assert titles[which] == "Better title"


def test_deleting_takes_away_and_undo_brings_back(ready: Stage) -> None:
    first, second = two_chats(ready)
    listed = ready.window.conversations
    listed.deleted.emit(second)
    assert listed.titles() == ["Question one"]
    assert ready.session.conversation.path() == ()
    (text,) = ready.window.notices.texts()
    assert "Question two" in text
    ready.window.notices.acted.emit(Action.UNDO_DELETE)
    assert sorted(listed.titles()) == ["Question one", "Question two"]
    assert ready.session.conversation.id == second
    assert ready.window.notices.texts() == []
    assert first != second


def test_deleting_another_leaves_the_one_on_screen(ready: Stage) -> None:
    first, second = two_chats(ready)
    ready.window.conversations.deleted.emit(first)
    assert ready.session.conversation.id == second
    assert ready.window.conversations.titles() == ["Question two"]


def test_deleting_during_an_answer_stops_it(ready: Stage) -> None:
    ready.ask("Doomed")
    ready.engine.write("Half")
    ready.wait_state("Writing")
    ready.window.conversations.deleted.emit(ready.session.conversation.id)
    assert ready.engine.count(Cancel) == 1
    ready.engine.finish()
    ready.wait_state("Ready")
    assert ready.window.conversations.titles() == []


def test_a_store_that_fails_is_said(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = two_chats(ready)

    def fail(_conversation_id: str) -> None:
        raise StorageError("conversation_gone")

    monkeypatch.setattr(ready.storage, "load", fail)
    ready.window.conversations.opened.emit(first)
    assert "was deleted" in ready.window.notices.texts()[0]


def test_a_full_disk_is_said_and_the_text_stays(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_rest: object) -> None:
        raise StorageError("disk_full_saving", path="/disk")

    with monkeypatch.context() as patch:
        patch.setattr(ready.storage, "save", full)
        ready.ask("Remember this")
        ready.engine.write("I do")
        ready.engine.finish()
        ready.wait_state("Ready")
        assert "The disk is full" in ready.window.notices.texts()[0]
        assert ready.session.conversation.path()[-1].content == "I do"
