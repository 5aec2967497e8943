"""The composer: keys, files, the context meter, drops."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.engine.protocol import Generate
from app.ui.attachment_row import _Chip
from app.ui.user_view import UserView
from tests.ui.conftest import Stage


def text_file(folder: Path, name: str = "notes.py", text: str = "print('x')\n") -> Path:
    file = folder / name
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("enter_sends", "modifier", "sends"),
    [
        (True, Qt.KeyboardModifier.NoModifier, True),
        (True, Qt.KeyboardModifier.ShiftModifier, False),
        (True, Qt.KeyboardModifier.ControlModifier, True),
        (False, Qt.KeyboardModifier.NoModifier, False),
        (False, Qt.KeyboardModifier.ControlModifier, True),
    ],
)
def test_which_keys_send(
    ready: Stage, enter_sends: bool, modifier: Qt.KeyboardModifier, sends: bool
) -> None:
    ready.application.preferences.change(enter_sends=enter_sends)
    field = ready.window.composer._field
    QTest.keyClicks(field, "one")
    QTest.keyClick(field, Qt.Key.Key_Return, modifier)
    assert ready.engine.count(Generate) == int(sends)
    assert ready.window.composer.text() == ("" if sends else "one\n")


def test_files_go_along_and_are_shown_folded(
    ready: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = text_file(tmp_path)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(file)], ""))
    composer = ready.window.composer
    composer._attach.click()
    assert composer._button.isEnabled(), "a file alone can be sent"
    QTest.keyClicks(composer._field, "What is this?")
    QTest.keyClick(composer._field, Qt.Key.Key_Return)
    sent = ready.engine.last(Generate).messages[-1].content
    assert sent == "What is this?\n\nFile \"notes.py\":\n```python\nprint('x')\n```"
    assert composer._files.files == ()
    assert ready.window.windowTitle().startswith("What is this?")
    view = ready.window.chat._views[0]
    assert isinstance(view, UserView)
    (folded,) = view._files
    assert folded._text is None
    folded.toggle.click()
    assert folded._text is not None
    assert folded._text.source() == "print('x')"
    assert folded._text.language == "python"


def test_a_file_can_be_taken_out_again(ready: Stage, tmp_path: Path) -> None:
    composer = ready.window.composer
    composer.attach([text_file(tmp_path, "a.txt"), text_file(tmp_path, "b.txt")])
    item = composer._files._column.itemAt(0)
    assert item is not None
    first = item.widget()
    assert isinstance(first, _Chip)
    first.remove.click()
    assert [file.name for file in composer._files.files] == ["b.txt"]
    composer.attach([tmp_path / "b.txt"])
    assert len(composer._files.files) == 1, "the same file again takes its old place"


def test_what_is_no_text_is_refused_and_said(ready: Stage, tmp_path: Path) -> None:
    binary = tmp_path / "photo.png"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    ready.window.composer.attach([binary, text_file(tmp_path)])
    assert "no text file" in ready.window.notices.texts()[0]
    assert [file.name for file in ready.window.composer._files.files] == ["notes.py"]


def test_a_refused_message_keeps_its_files(stage: Stage, tmp_path: Path) -> None:
    composer = stage.window.composer
    composer.attach([text_file(tmp_path)])
    composer.set_text("Keep me")
    composer._on_entered()
    assert "No model is loaded" in stage.window.notices.texts()[0]
    assert len(composer._files.files) == 1
    assert composer.text() == "Keep me"


def dropped(stage: Stage, *files: Path) -> bool:
    """Drag files over the window and let go; whether they were taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, data, button, keys)
    enter.ignore()
    QApplication.sendEvent(stage.window, enter)
    if not enter.isAccepted():
        return False
    drop = QDropEvent(QPointF(9, 9), action, data, button, keys)
    QApplication.sendEvent(stage.window, drop)
    return True


def test_dropped_text_files_go_along(ready: Stage, tmp_path: Path) -> None:
    assert dropped(ready, text_file(tmp_path))
    assert [file.name for file in ready.window.composer._files.files] == ["notes.py"]
    assert not dropped(ready, tmp_path), "a folder is no file"


def test_a_dropped_model_is_not_attached(ready: Stage, tmp_path: Path) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(b"GGUF")
    assert dropped(ready, model)
    assert ready.window.composer._files.files == ()


def test_files_dropped_on_the_field_go_along_too(ready: Stage, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(text_file(tmp_path)))])
    assert not ready.window.composer._field.canInsertFromMimeData(data), "the window takes them"
    data = QMimeData()
    data.setText("plain")
    assert ready.window.composer._field.canInsertFromMimeData(data)


def test_the_meter_counts_what_is_being_written(ready: Stage, tmp_path: Path) -> None:
    meter = ready.window.composer.meter
    ready.answer("x")
    assert "400 of 8192" in meter.toolTip()
    assert "7792 free" in meter.toolTip()
    ready.window.composer.attach([text_file(tmp_path, text="word " * 2000)])
    assert "adds about 2778 tokens" in meter.toolTip()
    ready.window.composer.set_text("word " * 8000)
    assert "more than fits" in meter.toolTip()
    ready.window.composer.clear()
    assert "adds" not in meter.toolTip()
    meter.grab()


def test_the_switch_says_which_draft_guesses(ready: Stage) -> None:
    from app.engine.protocol import Speculation

    tip = ready.window.composer.switch._buttons[Speculation.DRAFT].toolTip()
    assert "draft" in tip


def test_narrow_composers_leave_words_out(ready: Stage) -> None:
    composer = ready.window.composer
    composer.resize(500, composer.height())
    assert composer._compare.text() == ""
    composer.resize(800, composer.height())
    assert composer._compare.text() == "Compare"
    composer._tint.click()
    assert composer._tint.text() == "", "the legend stands there"
    assert composer._legend.isVisibleTo(composer)
