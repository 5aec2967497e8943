"""The list on the left: finding, pinning, exporting, importing."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app.conversation import Conversation, Message, Role, new_id
from app.errors import StorageError
from app.storage.records import MATCH_END, MATCH_START
from app.ui.conversation_menu import ConversationMenu, ExportKind
from app.ui.conversation_row import MESSAGE, PINNED, SNIPPET, split_matches
from app.ui.exchange_files import file_name
from tests.ui.conftest import Stage
from tests.ui.test_conversations import two_chats


def look_for(stage: Stage, text: str) -> None:
    """Type into the search field and wait for what is found."""
    listed = stage.window.conversations
    listed._search.setFocus()
    QTest.keyClicks(listed._search, text)
    stage.qtbot.waitUntil(lambda: listed.query == text and listed._shown is None)


def test_typing_finds_messages_and_shows_where(ready: Stage) -> None:
    ready.answer("The cache is cold", "Question one")
    ready.window.new_chat.emit()
    ready.answer("Nothing of that kind", "Question two")
    look_for(ready, "cach")
    listed = ready.window.conversations
    assert listed.titles() == ["Question one"]
    item = listed._list.item(0)
    text, matches = split_matches(item.data(SNIPPET))
    assert [text[start:end] for start, end in matches] == ["cache"]
    assert not item.flags() & Qt.ItemFlag.ItemIsEditable
    ready.window.grab()
    listed._search.clear()
    ready.qtbot.waitUntil(lambda: listed.titles() == ["Question two", "Question one"])


def test_nothing_found_is_said(ready: Stage) -> None:
    ready.answer("Something")
    look_for(ready, "zebra")
    listed = ready.window.conversations
    ready.qtbot.waitUntil(lambda: listed._nothing.isVisible())
    assert listed.titles() == []
    QTest.keyClick(listed._search, Qt.Key.Key_Escape)
    ready.qtbot.waitUntil(lambda: listed.titles() == ["Hello?"])
    assert listed.query == ""
    assert not listed._nothing.isVisible()


def test_a_hit_opens_its_conversation_at_its_message(ready: Stage) -> None:
    for number in range(60):
        ready.answer(f"reply {number}", "needle" if number == 3 else f"question {number}")
    home = ready.session.conversation
    ready.window.new_chat.emit()
    look_for(ready, "needle")
    listed = ready.window.conversations
    item = listed._list.item(0)
    listed._list.itemActivated.emit(item)
    assert ready.session.conversation.id == home.id
    chat = ready.window.chat
    found = next(view for view in chat._views if view.message_id == item.data(MESSAGE))
    assert found._is_found
    ready.qtbot.waitUntil(lambda: chat._stretch.complete)

    def in_sight() -> bool:
        top = chat.verticalScrollBar().value()
        return top <= chat._reader.top_of(found) <= top + chat.viewport().height()

    ready.qtbot.waitUntil(in_sight)
    assert chat._later.isVisible() or chat._stretch.last == len(chat._path)


def test_a_hit_on_another_branch_brings_that_branch(ready: Stage) -> None:
    ready.answer("zebra crossing", "First")
    first = ready.session.conversation.path()[0].id
    ready.window.chat.edited.emit(first, "Second")
    ready.engine.write("other")
    ready.engine.finish()
    ready.wait_state("Ready")
    look_for(ready, "zebra")
    listed = ready.window.conversations
    listed._list.itemActivated.emit(listed._list.item(0))
    assert [m.content for m in ready.session.conversation.path()] == ["First", "zebra crossing"]


def test_search_runs_beside_the_window_and_its_failure_is_said(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready.answer("Something")
    threads: list[str] = []

    def fail(_text: str) -> None:
        threads.append(threading.current_thread().name)
        raise StorageError("database_busy", path="/x")

    monkeypatch.setattr(ready.application.shelf._finder, "_search", fail)
    QTest.keyClicks(ready.window.conversations._search, "x")
    ready.qtbot.waitUntil(lambda: len(ready.window.notices.texts()) == 1)
    assert threads == ["search"]


def test_the_keys_of_a_search(ready: Stage) -> None:
    ready.answer("Something")
    window = ready.window
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    listed = window.conversations
    assert listed._search.hasFocus()
    look_for(ready, "some")
    QTest.keyClick(listed._search, Qt.Key.Key_Down)
    assert listed._list.hasFocus()
    listed._search.setFocus()
    opened: list[str] = []
    listed.hit_opened.connect(lambda *ids: opened.append(ids[0]))
    QTest.keyClick(listed._search, Qt.Key.Key_Return)
    assert opened == [ready.session.conversation.id]


def test_a_snippet_is_one_line_with_its_signs_visible() -> None:
    text, matches = split_matches(f"a\n  {MATCH_START}b\u202e{MATCH_END} c")
    assert text == "a b\ufffd c"
    assert [text[start:end] for start, end in matches] == ["b\ufffd"]


def test_pinning_brings_to_the_top_and_stays(ready: Stage) -> None:
    first, _ = two_chats(ready)
    listed = ready.window.conversations
    menu = ConversationMenu(first, False, ready.application._theme, listed)
    menu.pinned.connect(listed.pinned)
    menu.pin.trigger()
    assert listed.titles() == ["Question one", "Question two"]
    assert listed._list.item(0).data(PINNED)
    ready.answer("more", "and more")
    assert listed.titles()[0] == "Question one"
    listed.pinned.emit(first, False)
    assert listed.titles() == ["Question two", "Question one"]


def test_the_menu_offers_what_can_be_done(ready: Stage) -> None:
    ready.answer("x")
    listed = ready.window.conversations
    listed._on_menu(listed._list.visualItemRect(listed._list.item(0)).center())
    menu = listed._menu
    assert menu is not None
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == ["Rename", "Pin", "Export as Markdown…", "Export as JSON…", "Delete"]
    menu.rename.trigger()
    assert listed._list.state() == listed._list.State.EditingState
    menu.hide()


@pytest.mark.parametrize("kind", list(ExportKind))
def test_export_writes_a_file(
    ready: Stage, kind: ExportKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready.answer("Some **answer**", "What / is: it?")
    target = tmp_path / "out.file"
    asked: list[str] = []

    def choose(*arguments: object) -> tuple[str, str]:
        asked.append(str(arguments[2]))
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    ready.window.conversations.exported.emit(ready.session.conversation.id, kind)
    text = target.read_text(encoding="utf-8")
    assert asked[0].startswith("What is it.")
    if kind is ExportKind.MARKDOWN:
        assert "## You" in text
        assert "Some **answer**" in text
    else:
        assert json.loads(text)["messages"][1]["content"] == "Some **answer**"
    assert str(target) in ready.window.notices.texts()[0]


def test_export_that_fails_is_said(
    ready: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready.answer("x")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "x"), ""))
    ready.window.conversations.exported.emit(ready.session.conversation.id, ExportKind.JSON)
    assert "could not be written" in ready.window.notices.texts()[0]


def test_import_makes_a_conversation_and_shows_it(
    ready: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready.answer("An answer", "A question")
    file = tmp_path / "a.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    ready.window.conversations.exported.emit(ready.session.conversation.id, ExportKind.JSON)
    before = ready.session.conversation.id
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    ready.window.conversations._import.trigger()
    assert ready.session.conversation.id != before
    assert [m.content for m in ready.session.conversation.path()] == ["A question", "An answer"]
    assert ready.window.conversations.titles() == ["A question", "A question"]
    assert len(ready.window.chat._views) == 2


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', "\x00\xff"])
def test_a_file_that_is_no_conversation_is_refused(ready: Stage, tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(text, encoding="latin-1")
    ready.application.shelf.import_file(file)
    assert "not a conversation" in ready.window.notices.texts()[0]
    ready.application.shelf.import_file(tmp_path / "missing.json")
    assert "cannot be read" in ready.window.notices.texts()[0]


def test_hostile_numbers_of_an_imported_file_do_not_stop_the_window(ready: Stage) -> None:
    conversation = Conversation(title="x")
    question = conversation.add(Message(new_id(), None, Role.USER, "q"))
    conversation.add(
        Message(
            new_id(),
            question.id,
            Role.ASSISTANT,
            "answer",
            finish_reason="\u202eodd",
            stats={
                "tokens_per_second": "fast",
                "generated_tokens": [1],
                "acceptance": float("nan"),
                "energy": {"joules": True, "scope": 3, "method": "magic", "cost": "1"},
            },
            spans=(("king", 3), ("draft", -5), ("draft", 10**9)),
            refused=((10**9, "x"), (-4, "y")),
        )
    )
    ready.storage.save(conversation, conversation.messages())
    ready.window.composer.set_tint(True)
    ready.window.conversations.opened.emit(conversation.id)
    ready.window.grab()
    assert len(ready.window.chat._views) == 2


def test_the_offer_to_undo_goes_by_itself(ready: Stage) -> None:
    _, second = two_chats(ready)
    ready.window.conversations.deleted.emit(second)
    assert len(ready.window.notices.texts()) == 1
    ready.application.shelf._undo_time.timeout.emit()
    assert ready.window.notices.texts() == []


@pytest.mark.parametrize(
    ("title", "name"),
    [("a/b\\c:d", "a b c d"), ("..", "conversation"), ("x" * 200, "x" * 60), ("", "conversation")],
)
def test_titles_become_file_names(title: str, name: str) -> None:
    assert file_name(title) == name


def test_no_message_box_is_left_behind() -> None:
    assert not [w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox)]
