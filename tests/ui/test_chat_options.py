"""What one chat does differently, and presets of that."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QInputDialog

from app.engine.protocol import Generate, Speculation
from app.settings import load as load_settings
from app.ui.chat_options import ChatOptions
from tests.ui.conftest import Stage


def open_options(stage: Stage) -> ChatOptions:
    stage.window.composer._options.click()
    dialog = stage.application.tools.options
    assert dialog is not None
    return dialog


def test_a_chat_has_its_own_instructions_and_numbers(ready: Stage) -> None:
    ready.answer("x")
    dialog = open_options(ready)
    dialog._prompt.setPlainText("Be brief.")
    row = dialog.rows["temperature"]
    assert row.field.value() == pytest.approx(0.8)
    assert not row.field.isEnabled()
    row.own.click()
    row.field.setValue(0)
    dialog.accept()
    ready.ask("And?")
    request = ready.engine.last(Generate)
    assert request.messages[0].content == "Be brief."
    assert request.options.sampling.temperature == 0.0
    assert request.options.sampling.top_k == 40
    assert ready.application.tools.options is None
    assert load_settings().temperature == pytest.approx(0.8), "the others stay as they were"
    ready.engine.finish()
    ready.wait_state("Ready")
    ready.window.new_chat.emit()
    ready.ask("New")
    assert ready.engine.last(Generate).options.sampling.temperature == pytest.approx(0.8)
    assert ready.engine.last(Generate).messages[0].content == "New"


def test_cancel_changes_nothing_and_reset_takes_back(ready: Stage) -> None:
    dialog = open_options(ready)
    dialog._prompt.setPlainText("Never mind")
    dialog.reject()
    assert ready.session.conversation.system_prompt == ""
    dialog = open_options(ready)
    dialog.show_values("Text", {"top_k": 3})
    dialog._reset.click()
    dialog.accept()
    assert ready.session.conversation.options == {}
    assert ready.session.conversation.system_prompt == ""


def test_a_chats_own_way_to_guess_is_shown_and_changed_by_the_switch(ready: Stage) -> None:
    ready.answer("x", "first")
    home = ready.session.conversation.id
    dialog = open_options(ready)
    dialog._speculation.setCurrentIndex(dialog._speculation.findData("off"))
    dialog.accept()
    switch = ready.window.composer.switch
    assert switch.choice() is Speculation.OFF
    assert load_settings().speculation == "auto"
    switch._buttons[Speculation.LOOKUP].click()
    assert ready.session.conversation.options == {"speculation": "lookup"}
    assert load_settings().speculation == "auto"
    ready.window.new_chat.emit()
    assert switch.choice() is Speculation.AUTO
    ready.window.conversations.opened.emit(home)
    assert switch.choice() is Speculation.LOOKUP


def test_what_the_settings_leave_open_gets_a_number_only_when_wanted(ready: Stage) -> None:
    dialog = open_options(ready)
    row = dialog.rows["max_tokens"]
    assert row.field.text() == "open"
    assert "max_tokens" not in dialog.own
    row.own.click()
    assert dialog.own == {"max_tokens": 512}
    row.own.click()
    assert row.field.text() == "open"


def test_instructions_can_be_those_of_new_chats(ready: Stage) -> None:
    dialog = open_options(ready)
    dialog._prompt.setPlainText("In rhyme.")
    dialog.for_new_chats.setChecked(True)
    dialog.accept()
    ready.window.new_chat.emit()
    ready.ask("Hi")
    assert ready.engine.last(Generate).messages[0].content == "In rhyme."
    assert load_settings().system_prompt == "In rhyme."


def test_presets_are_saved_chosen_and_deleted(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def name_it(*_: Any, **__: Any) -> tuple[str, bool]:
        return "  Strict \n", True

    monkeypatch.setattr(QInputDialog, "getText", name_it)
    dialog = open_options(ready)
    assert not dialog._preset.isEnabled()
    dialog.show_values("Be exact.", {"temperature": 0.1, "speculation": "draft"})
    dialog._keep.click()
    assert dialog._preset.currentText() == "Strict"
    dialog.reject()
    dialog = open_options(ready)
    assert dialog.system_prompt == ""
    index = dialog._preset.findText("Strict")
    dialog._preset.setCurrentIndex(index)
    dialog._preset.activated.emit(index)
    assert dialog.system_prompt == "Be exact."
    assert dialog.own == {"temperature": 0.1, "speculation": "draft"}
    dialog._forget.click()
    assert dialog._preset.findText("Strict") == -1
    assert ready.storage.presets.all() == ()
    dialog.reject()


def test_the_sign_tells_a_chat_with_something_of_its_own(ready: Stage) -> None:
    assert not ready.window.composer._has_own
    ready.application.chat.set_own("x", {})
    assert ready.window.composer._has_own
    ready.window.new_chat.emit()
    assert not ready.window.composer._has_own
