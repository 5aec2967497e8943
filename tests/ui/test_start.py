"""What a user meets at the start: the starter model, the last pair, nothing, a second start."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app import paths, settings
from app.engine.protocol import Generate, Speculation
from app.ui.single_instance import SingleInstance
from tests.ui.conftest import Stage, Start
from tests.unit.hub import made_up as made


def put_starter(home: Path) -> Path:
    starter = home / "models" / paths.STARTER_MODEL
    starter.parent.mkdir(parents=True)
    starter.write_bytes(made.model(width=64))
    return starter


def test_the_first_start_without_any_model_says_what_to_do(stage: Stage) -> None:
    page = stage.window.empty
    assert page.isVisible()
    assert page._title.text() == "Open a model to begin"
    assert page._buttons[0].isVisible()
    assert stage.state() == "No model"
    assert not stage.window.composer._button.isEnabled()


def test_the_starter_model_loads_by_itself_and_answers_with_lookup(
    home: Path, start: Start
) -> None:
    starter = put_starter(home)
    stage = start()
    command = stage.wait_load()
    assert (command.target, command.draft) == (starter, None)
    stage.engine.load()
    stage.wait_state("Ready")
    stage.ask("Hi")
    assert stage.engine.last(Generate).options.speculation is Speculation.LOOKUP
    assert settings.load().speculation == "auto", "the user's choice is not overwritten"
    assert settings.load().target is None, "the starter is not remembered as a choice"


def test_the_pair_of_last_time_is_loaded(home: Path, start: Start) -> None:
    target, draft = home / "target.gguf", home / "draft.gguf"
    tail = {"bos_token_id": 1, "eos_token_id": 2, "add_bos_token": True, "add_eos_token": False}
    target.write_bytes(made.model(width=640, tail=tail))
    draft.write_bytes(made.model(width=64, tail=tail))
    settings.save(settings.Settings(target=target, draft=draft, speculation="draft", n_ctx=4096))
    stage = start()
    command = stage.wait_load()
    assert (command.target, command.draft, command.n_ctx) == (target, draft, 4096)
    assert stage.window.composer.switch.choice() is Speculation.DRAFT


def test_a_pair_that_is_gone_leaves_a_sentence_and_a_living_window(
    home: Path, start: Start
) -> None:
    settings.save(settings.Settings(target=home / "gone.gguf"))
    stage = start()
    stage.wait_state("Could not be loaded")
    assert "is not there any more" in stage.window.empty._text.text()
    assert stage.window.empty._buttons[1].text() == "Open another…"


def test_a_loaded_pair_is_remembered(ready: Stage) -> None:
    assert settings.load().target == Path("/models/target.gguf")
    assert settings.load().draft == Path("/models/draft.gguf")


def test_a_second_start_raises_the_first_window(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.claim()
    with qtbot.waitSignal(first.raised):
        assert not second.claim()
    first.close()
    assert second.claim(), "the name is free again"
    second.close()


def test_another_data_folder_is_another_instance(qtbot: QtBot, tmp_path: Path) -> None:
    first, other = SingleInstance(tmp_path / "a"), SingleInstance(tmp_path / "b")
    assert first.claim()
    assert other.claim()
    first.close()
    other.close()


def test_a_raised_window_comes_back_from_the_task_bar(stage: Stage) -> None:
    stage.window.showMinimized()
    stage.window.come_forward()
    assert stage.window.isVisible()
    assert not stage.window.isMinimized()


def test_size_and_panels_are_remembered(start: Start) -> None:
    first = start()
    first.window.resize(1200, 600)
    first.window.toggle_panel()
    first.window.resize(760, 600)
    first.close()
    second = start()
    assert second.window.size().width() == 760
    assert second.window.panel.isHidden()
    assert not second.window.conversations.isHidden()
    second.window.resize(1200, 700)
    assert second.window.panel.isHidden(), "by choice, not for want of room"


def test_a_narrow_window_keeps_the_chat(stage: Stage) -> None:
    window = stage.window
    window.resize(1200, 700)
    assert not window.panel.isHidden()
    window.resize(800, 600)
    assert window.panel.isHidden()
    assert not window.conversations.isHidden()
    window.resize(600, 600)
    assert window.conversations.isHidden()
    assert window.width() == 600
    window.toggle_panel()
    assert not window.panel.isHidden(), "asked for is asked for"
    window.toggle_panel()
    window.resize(1200, 700)
    assert not window.conversations.isHidden()


def test_a_damaged_window_file_does_not_matter(home: Path, start: Start) -> None:
    (home / "window.ini").write_text("[window]\ngeometry=@ByteArray(\\x1\\x2)\npanel=7\n")
    assert start().window.isVisible()
    assert QSettings(str(home / "window.ini"), QSettings.Format.IniFormat).value("window/panel")


def test_unreadable_settings_are_said_and_the_window_opens(
    home: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "settings.json").mkdir()  # reading a folder fails for root as well
    stage = start()
    assert "The settings in" in stage.window.notices.texts()[0]
