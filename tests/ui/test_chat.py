"""Asking and answering: what the user does and what is on screen then."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextBrowser

from app.conversation import FAILED
from app.engine.protocol import (
    Cancel,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadModels,
    PieceSource,
    PromptProgress,
    RequestFailed,
    Speculation,
    TextPiece,
)
from app.settings import load as load_settings
from app.ui.answer_view import AnswerView
from app.ui.code_view import CodeView
from app.ui.user_view import UserView
from tests.ui.conftest import DRAFT, TARGET, Stage
from tests.ui.fake_engine import STATS


def answer_view(stage: Stage) -> AnswerView:
    view = stage.window.chat._views[-1]
    assert isinstance(view, AnswerView)
    return view


def shown(stage: Stage) -> str:
    """All text of the last answer that is visible."""
    texts = [
        view.toPlainText()
        for view in answer_view(stage).findChildren(QTextBrowser)
        if view.isVisibleTo(answer_view(stage))
    ]
    code = [view.shown_text() for view in answer_view(stage).findChildren(CodeView)]
    return "\n".join([*texts, *code])


def type_text(stage: Stage, text: str) -> None:
    QTest.keyClicks(stage.window.composer._field, text)


def press(stage: Stage, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    field = stage.window.composer._field
    QTest.keyClick(field, key, modifier or Qt.KeyboardModifier.NoModifier)


def test_enter_sends_and_empties_the_field(ready: Stage) -> None:
    type_text(ready, "Hello there")
    press(ready, Qt.Key.Key_Return)
    assert ready.engine.last(Generate).messages[-1].content == "Hello there"
    assert ready.window.composer.text() == ""
    assert isinstance(ready.window.chat._views[0], UserView)
    assert ready.window.windowTitle().startswith("Hello there")


def test_shift_enter_begins_a_line_and_the_field_grows(ready: Stage) -> None:
    height = ready.window.composer._field.height()
    type_text(ready, "one")
    press(ready, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    type_text(ready, "two")
    assert ready.window.composer.text() == "one\ntwo"
    assert ready.engine.count(Generate) == 0
    assert ready.window.composer._field.height() > height


def test_the_field_stops_growing_and_scrolls(ready: Stage) -> None:
    field = ready.window.composer._field
    field.setPlainText("line\n" * 9)
    nine = field.height()
    field.setPlainText("line\n" * 90)
    assert field.height() == nine


def test_white_space_is_not_sent(ready: Stage) -> None:
    type_text(ready, "   ")
    press(ready, Qt.Key.Key_Return)
    assert ready.engine.count(Generate) == 0
    assert not ready.window.composer._button.isEnabled()


def test_an_answer_streams_as_text_and_is_rendered_block_by_block(ready: Stage) -> None:
    ready.ask()
    ready.engine.write("First **bold** para")
    ready.qtbot.waitUntil(lambda: "First **bold** para" in shown(ready))
    ready.engine.write("graph.\n\nSecond **un")
    ready.qtbot.waitUntil(lambda: "First bold paragraph." in shown(ready))
    assert "Second **un" in shown(ready)
    ready.engine.write("finished**")
    ready.engine.finish()
    ready.wait_state("Ready")
    assert "Second unfinished" in shown(ready)


def test_text_that_comes_with_the_end_is_shown(ready: Stage) -> None:
    """A stop string is held back until the end, and events of one frame arrive together."""
    ready.ask()
    ready.engine.write("beginning")
    ready.engine.finish(pieces=(TextPiece(" and end"),))
    ready.wait_state("Ready")
    assert "beginning and end" in shown(ready)


def test_code_is_shown_as_code_and_copied_exactly(ready: Stage) -> None:
    source = "def f():\n\treturn '\u00e9\U0001f600'\n"
    ready.answer(f"Look:\n\n```python\n{source}```\n\nDone.")
    (code,) = answer_view(ready).findChildren(CodeView)
    assert code.language == "python"
    code._copy.click()
    assert QGuiApplication.clipboard().text() == source
    assert code._copy.text() == "Copied"
    ready.qtbot.waitUntil(lambda: not code._colours.busy)
    block = code._text.document().firstBlock()
    assert block.layout().formats(), "def is coloured"
    code._back.stop()


def test_the_whole_answer_is_copied_as_the_model_wrote_it(ready: Stage) -> None:
    ready.answer("A **bold** word")
    answer_view(ready)._copy.click()
    assert QGuiApplication.clipboard().text() == "A **bold** word"


def test_stop_by_button_keeps_what_was_written(ready: Stage) -> None:
    request = ready.ask()
    ready.engine.write("Half an ans")
    ready.wait_state("Writing")
    ready.window.composer._button.click()
    assert ready.engine.last(Cancel).request_id == request
    ready.wait_state("Stopping")
    ready.engine.finish(FinishReason.CANCELLED)
    ready.wait_state("Ready")
    assert "Half an ans" in shown(ready)
    assert "stopped by you" in answer_view(ready)._facts.text()


def test_escape_stops(ready: Stage) -> None:
    ready.ask()
    ready.engine.write("Half")
    ready.wait_state("Writing")
    ready.window.activateWindow()
    QTest.keyClick(ready.window, Qt.Key.Key_Escape)
    assert ready.engine.count(Cancel) == 1


def test_a_refused_message_stays_in_the_field_with_the_reason(stage: Stage) -> None:
    stage.window.composer.set_text("Keep me")
    stage.window.composer.submitted.emit("Keep me")
    assert stage.window.composer.text() == "Keep me"
    assert "No model is loaded" in stage.window.notices.texts()[0]


def test_a_question_asked_while_loading_is_answered_afterwards(stage: Stage) -> None:
    for command in stage.session.load(TARGET, DRAFT):
        stage.engine.send(command)
    stage.window.composer.set_text("Early")
    stage.window.composer.submitted.emit("Early")
    assert stage.engine.count(Generate) == 0
    assert answer_view(stage)._status.text() == "Waiting for the model"
    stage.engine.load()
    stage.qtbot.waitUntil(lambda: stage.engine.count(Generate) == 1)
    assert answer_view(stage)._who.text() == "target"


def test_the_prompt_is_read_with_a_count(ready: Stage) -> None:
    request = ready.ask()
    ready.engine.say(PromptProgress(request, 512, 2048, 0))
    ready.wait_state("Reading")
    ready.qtbot.waitUntil(lambda: "512" in answer_view(ready)._status.text())
    ready.engine.write("Now")
    ready.qtbot.waitUntil(lambda: not answer_view(ready)._status.isVisible())


def test_an_answer_that_fails_says_why_once(ready: Stage) -> None:
    request = ready.ask()
    detail: dict[str, str | int | float | None] = {"need": 9000, "have": 8192}
    ready.engine.say(RequestFailed(request, "not_loaded", detail))
    ready.wait_state("Ready")
    assert answer_view(ready)._problem.isVisible()
    assert "No model is loaded" in answer_view(ready)._problem.text()
    assert ready.window.notices.texts() == []
    assert ready.session.conversation.path()[-1].finish_reason == FAILED


def test_reasoning_is_closed_until_it_is_opened(ready: Stage) -> None:
    ready.ask()
    ready.engine.write("Secret thought", reasoning=True)
    ready.wait_state("Thinking")
    view = answer_view(ready)
    assert view._reasoning is not None
    assert not view._reasoning._text.isVisible()
    view._reasoning._toggle.click()
    assert "Secret thought" in view._reasoning._text.toPlainText()
    assert view._reasoning._text.isVisible()
    ready.engine.write("Answer")
    ready.engine.finish()
    ready.wait_state("Ready")
    assert "Secret" not in ready.session.conversation.path()[-1].content


def test_the_switch_decides_who_proposes(ready: Stage) -> None:
    switch = ready.window.composer.switch
    for choice in Speculation:
        switch._buttons[choice].click()
        ready.answer("ok")
        assert ready.engine.last(Generate).options.speculation is choice
        assert load_settings().speculation == choice.value


def test_draft_cannot_be_chosen_without_a_draft_and_says_why(stage: Stage) -> None:
    stage.load(draft=False)
    button = stage.window.composer.switch._buttons[Speculation.DRAFT]
    assert not button.isEnabled()
    assert "No draft model" in button.toolTip()


def test_another_answer_takes_the_place_of_the_last(ready: Stage) -> None:
    ready.answer("First answer")
    answer_view(ready)._retry.click()
    ready.engine.write("Second answer")
    ready.engine.finish()
    ready.wait_state("Ready")
    assert "Second answer" in shown(ready)
    assert len(ready.window.chat._views) == 2
    assert len(ready.session.conversation) == 3


def test_only_a_clicked_web_link_is_opened(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    ready.answer("[a](https://example.org/x) and [b](file:///etc/passwd)")
    assert opened == []
    ready.window.chat.link_clicked.emit("https://example.org/x")
    ready.window.chat.link_clicked.emit("file:///etc/passwd")
    ready.window.chat.link_clicked.emit("javascript:alert(1)")
    assert opened == ["https://example.org/x"]


def test_guesses_are_tinted_on_request_while_streaming_and_after(ready: Stage) -> None:
    ready.ask()
    ready.engine.write("Plain ")
    ready.engine.write("drafted", PieceSource.DRAFT)
    ready.engine.write(" looked up", PieceSource.LOOKUP)
    ready.qtbot.waitUntil(lambda: "looked up" in shown(ready))
    body = answer_view(ready)._body
    assert body._tail.extraSelections() == []
    ready.window.composer._tint.click()
    tinted = [s.cursor.selectedText() for s in body._tail.extraSelections()]
    assert tinted == ["drafted", " looked up"]
    assert ready.window.composer._legend.isVisible()
    ready.engine.finish()
    ready.wait_state("Ready")
    view = body._parts[0]
    assert not isinstance(view, tuple)
    assert [s.cursor.selectedText() for s in view.view.extraSelections()] == [
        "drafted",
        "looked up",
    ]
    ready.window.composer._tint.click()
    assert view.view.extraSelections() == []


def test_the_panel_and_the_meter_show_the_numbers(ready: Stage) -> None:
    panel = ready.window.panel
    assert panel._speed.text() == "\u2013"
    ready.ask()
    ready.engine.write("word")
    ready.qtbot.waitUntil(lambda: panel._speed.text() == "27.4")
    assert panel._acceptance.text() == "66 %"
    assert panel._ttft.text() == "0.86 s"
    assert panel._prompt.text() == "247 tok/s"
    assert panel._depth.text() == "4 tokens"
    assert "1: 82 %, 2: 64 %, 3: 46 %, 4: 33 %" in panel._bars.toolTip()
    assert ready.window.composer.meter._label.text() == "321 of 8192"
    ready.engine.finish()
    ready.wait_state("Ready")
    assert panel._speed.text() == "27.0"
    assert panel._acceptance.text() == "62 %"


def test_numbers_that_cannot_be_had_say_why(ready: Stage) -> None:
    from dataclasses import replace

    request = ready.ask()
    stats = replace(STATS, drafted_tokens=0, cached_tokens=212, prompt_seconds=0.0)
    ready.engine.say(GenerationFinished(request, FinishReason.END, stats))
    ready.wait_state("Ready")
    panel = ready.window.panel
    assert panel._prompt.text() == "not available"
    assert "still in memory" in panel._prompt.toolTip()
    assert "Nothing was guessed" in panel._acceptance.toolTip()


def test_the_panel_does_not_change_its_width(ready: Stage) -> None:
    width = ready.window.panel.width()
    ready.answer("word " * 50)
    assert ready.window.panel.width() == width


def test_memory_is_asked_for_only_while_a_model_is_loaded_and_seen(stage: Stage) -> None:
    assert not stage.application.numbers.watch.active
    stage.load()
    assert stage.application.numbers.watch.active
    memory = stage.window.panel.memory
    assert memory._rows["RAM"]._legend._sizes["Target"].text() == "1.1 GB"
    assert memory._rows["RAM"]._legend._sizes["Draft"].text() == "400.0 MB"
    stage.window.hide()
    assert not stage.application.numbers.watch.active
    stage.window.show()
    assert stage.application.numbers.watch.active


def test_the_chat_stays_at_the_bottom_unless_the_reader_scrolls(ready: Stage) -> None:
    ready.ask()
    bar = ready.window.chat.verticalScrollBar()
    for number in range(60):
        ready.engine.write(f"line {number}\n\n")
    ready.qtbot.waitUntil(lambda: "line 59" in shown(ready))
    ready.qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.setValue(0)
    for number in range(60, 90):
        ready.engine.write(f"line {number}\n\n")
    ready.qtbot.waitUntil(lambda: "line 89" in shown(ready))
    assert bar.value() == 0


def test_a_long_conversation_shows_the_newest_first(ready: Stage) -> None:
    for number in range(30):
        ready.answer(f"answer {number}", f"question {number}")
    ready.window.new_chat.emit()
    ready.window.conversations.opened.emit(ready.storage.conversations()[0].id)
    chat = ready.window.chat
    assert len(chat._views) < 60
    ready.qtbot.waitUntil(lambda: len(chat._views) == 30)
    assert chat._earlier.isVisible()
    chat._earlier.click()
    ready.qtbot.waitUntil(lambda: len(chat._views) == 60)
    assert not chat._earlier.isVisible()
    ids = [view.message_id for view in chat._views]
    assert ids == [message.id for message in ready.session.conversation.path()]


def test_the_keyboard_reaches_everything(ready: Stage) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    window = ready.window
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_J, control)
    assert window.panel.isHidden()
    QTest.keyClick(window, Qt.Key.Key_B, control)
    assert window.conversations.isHidden()
    QTest.keyClick(window, Qt.Key.Key_O, control)
    assert ready.application._dialog is not None
    ready.application._dialog.reject()
    window.conversations.setFocus()
    QTest.keyClick(window, Qt.Key.Key_L, control)
    assert window.composer._field.hasFocus()


def test_every_button_has_a_name(ready: Stage) -> None:
    from PySide6.QtWidgets import QAbstractButton

    ready.answer("Look:\n\n```python\nx\n```\n")
    nameless = [
        button
        for button in ready.window.findChildren(QAbstractButton)
        if not button.isHidden() and not button.accessibleName() and not button.text()
    ]
    assert nameless == []


def test_no_load_is_asked_for_when_nothing_is_there(stage: Stage) -> None:
    assert stage.engine.count(LoadModels) == 0
    assert Path(stage.storage.path).exists()
