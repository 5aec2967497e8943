"""Keys, names, focus, drops, announcements, notifications: what a careful user counts on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from app.engine.protocol import FinishReason, Generate, RequestFailed, Speculation, WorkerExited
from app.ui.attention import LONG_SECONDS, Attention, is_named
from app.ui.drops import model_files
from app.ui.settings.dialog import SettingsDialog
from app.ui.shortcuts import GROUPS, ShortcutSheet
from app.ui.theme import Theme
from tests.ui.conftest import DRAFT, TARGET, Stage

INTERACTIVE = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractItemView)


def keys_of(shortcut: QShortcut) -> list[QKeySequence]:
    return list(QShortcut.keys(shortcut))


def press(stage: Stage, keys: str) -> None:
    """As if the keys had been pressed; the offscreen platform gives no window the focus."""
    wanted = QKeySequence(keys)
    found = [s for s in stage.window.findChildren(QShortcut) if wanted in keys_of(s)]
    assert len(found) == 1, f"{keys} is bound {len(found)} times"
    found[0].activated.emit()


# --- keys -----------------------------------------------------------------------------------------


def test_every_key_of_the_window_is_on_the_sheet(stage: Stage) -> None:
    listed = {QKeySequence(k) for group in GROUPS for s in group.shortcuts for k in s.keys}
    bound = {key for s in stage.window.findChildren(QShortcut) for key in keys_of(s)}
    assert {key.toString() for key in bound - listed} == set()


def test_the_sheet_opens_once_and_closes(stage: Stage) -> None:
    press(stage, "F1")
    sheet = stage.application.around.keys.sheet
    assert sheet is not None
    press(stage, "Ctrl+/")
    assert stage.application.around.keys.sheet is sheet
    texts = [label.text() for label in sheet.findChildren(QLabel)]
    assert "Stop the answer" in texts
    sheet.reject()
    assert stage.application.around.keys.sheet is None


def test_answer_again_by_key(ready: Stage) -> None:
    press(ready, "Ctrl+R")
    assert ready.engine.count(Generate) == 0, "there is nothing to answer"
    ready.answer("One.")
    press(ready, "Ctrl+R")
    ready.qtbot.waitUntil(lambda: ready.engine.count(Generate) == 2)
    assert len(ready.session.conversation.path()) == 2


def test_copy_the_last_answer_by_key(ready: Stage) -> None:
    ready.answer("Some **bold** words.")
    ready.answer("And `more`.", "Go on.")
    press(ready, "Ctrl+Shift+C")
    assert QGuiApplication.clipboard().text() == "And `more`."


def test_show_guesses_by_key(ready: Stage) -> None:
    press(ready, "Ctrl+T")
    assert ready.application.preferences.settings.tint
    press(ready, "Ctrl+T")
    assert not ready.application.preferences.settings.tint


def test_another_one_guesses_by_key(stage: Stage) -> None:
    stage.load(draft=False)
    switch = stage.window.composer.switch
    seen = []
    for _ in range(4):
        press(stage, "Ctrl+G")
        seen.append(switch.choice())
    assert Speculation.DRAFT not in seen, "there is none"
    assert set(seen) == {Speculation.OFF, Speculation.LOOKUP, Speculation.AUTO}
    stage.ask()
    assert stage.engine.last(Generate).options.speculation is seen[-1]


# --- names and focus ------------------------------------------------------------------------------


def interactive(top: QWidget) -> Iterator[QWidget]:
    for widget in top.findChildren(QWidget):
        if not isinstance(widget, INTERACTIVE) or not widget.isVisible():
            continue
        if widget.objectName().startswith("qt_") or isinstance(widget.parent(), QComboBox):
            continue
        yield widget


def reached_by_tab(top: QWidget) -> set[QWidget]:
    """Every widget the Tab key comes to, starting anywhere."""
    start: QWidget = top
    found: set[QWidget] = set()
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            found.add(widget)
        widget = widget.nextInFocusChain()
    return found


def describe(widgets: list[QWidget]) -> list[str]:
    return [f"{type(w).__name__} {w.objectName()} {w.toolTip()}" for w in widgets]


def assert_reachable_and_named(top: QWidget) -> None:
    parts = list(interactive(top))
    assert len(parts) > 1
    assert describe([w for w in parts if not is_named(w)]) == []
    reached = reached_by_tab(top)
    # Of a row of exclusive buttons Tab reaches the checked one; the arrows reach the others.
    missed = [w for w in parts if w.isEnabled() and w not in reached and not _in_group(w)]
    assert describe(missed) == []


def _in_group(widget: QWidget) -> bool:
    return isinstance(widget, QAbstractButton) and widget.group() is not None


def test_the_window_can_be_used_without_a_mouse_or_eyes(ready: Stage) -> None:
    ready.answer("Text.\n\n```python\nprint()\n```\n\nMore.")
    assert_reachable_and_named(ready.window)


def test_the_empty_window_too(stage: Stage) -> None:
    assert_reachable_and_named(stage.window)


def test_the_settings_too(ready: Stage) -> None:
    ready.window.settings_wanted.emit()
    dialog = ready.application.settings.dialog
    assert isinstance(dialog, SettingsDialog)
    for page in dialog.pages:
        dialog.open_page(type(page))
        QApplication.processEvents()
        assert_reachable_and_named(dialog)


def test_the_sheet_too(stage: Stage, theme: Theme) -> None:
    sheet = ShortcutSheet(stage.window)
    sheet.open()
    assert all(is_named(button) for button in sheet.findChildren(QAbstractButton))
    sheet.reject()


# --- drops ----------------------------------------------------------------------------------------


def dragged(*files: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return data


def drop(stage: Stage, data: QMimeData) -> bool:
    """Drag over the window and let go; whether it took it."""
    buttons, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPointF(500, 300).toPoint(), copy, data, buttons, none)
    QApplication.sendEvent(stage.window, enter)
    if not enter.isAccepted():
        return False
    assert stage.application.around.drops._cover.isVisible()
    event = QDropEvent(QPointF(500, 300), copy, data, buttons, none)
    QApplication.sendEvent(stage.window, event)
    return event.isAccepted()


def test_dropped_models_are_shown_before_they_are_loaded(stage: Stage, tmp_path: Path) -> None:
    small, large = tmp_path / "small.gguf", tmp_path / "LARGE.GGUF"
    small.write_bytes(b"x")
    large.write_bytes(b"x" * 100)
    assert drop(stage, dragged(small, large))
    dialog = stage.application._dialog
    assert dialog is not None
    assert (dialog._target.path(), dialog._draft.path()) == (large, small)
    assert not stage.application.around.drops._cover.isVisible()
    dialog.reject()


def test_folders_and_what_is_gone_are_not_for_the_window(stage: Stage, tmp_path: Path) -> None:
    assert not drop(stage, dragged(tmp_path, tmp_path / "gone.txt"))
    assert stage.application._dialog is None


def test_a_drag_that_goes_away_leaves_nothing(stage: Stage, tmp_path: Path) -> None:
    data = dragged(tmp_path / "gone.gguf")
    assert model_files(data) == [tmp_path / "gone.gguf"]
    enter = QDragEnterEvent(
        QPointF(5, 5).toPoint(),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(stage.window, enter)
    QApplication.sendEvent(stage.window, QDragLeaveEvent())
    assert not stage.application.around.drops._cover.isVisible()


def test_an_address_is_no_file() -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://hub.example/model.gguf")])
    assert model_files(data) == []


# --- attention ------------------------------------------------------------------------------------


class Ears:
    """Hears what would be announced and notified.

    Attributes:
        now: seconds on the clock.
    """

    def __init__(self, stage: Stage) -> None:
        self.announced: list[str] = []
        self.notified: list[tuple[str, str]] = []
        self.now = 0.0
        self.in_front = False
        attention = stage.application.around.attention
        attention.announce = self.announced.append
        attention.notify = lambda title, text: self.notified.append((title, text))
        attention.is_in_front = lambda: self.in_front
        attention._clock = lambda: self.now


@pytest.fixture
def ears(ready: Stage) -> Ears:
    return Ears(ready)


def test_the_end_of_an_answer_is_announced(ready: Stage, ears: Ears) -> None:
    ready.answer("Hello.")
    assert ears.announced == ["Answer complete: 187 tokens in 0 seconds."]
    assert ears.notified == [], "it was short"


def test_a_long_answer_in_the_background_is_notified(ready: Stage, ears: Ears) -> None:
    ready.ask()
    ears.now = LONG_SECONDS
    ready.engine.finish()
    ready.wait_state("Ready")
    assert ears.notified[0][0] == "The answer is there"


def test_nobody_is_notified_of_what_they_see_or_do_not_want(ready: Stage, ears: Ears) -> None:
    ears.in_front = True
    ready.ask()
    ears.now += LONG_SECONDS
    ready.engine.finish()
    ready.wait_state("Ready")
    ears.in_front = False
    ready.application.preferences.change(notify=False)
    ready.ask()
    ears.now += LONG_SECONDS
    ready.engine.finish()
    ready.wait_state("Ready")
    assert ears.notified == []
    assert len(ears.announced) == 2


def test_stopping_and_failing_are_announced(ready: Stage, ears: Ears) -> None:
    ready.ask()
    ready.engine.finish(FinishReason.CANCELLED)
    ready.wait_state("Ready")
    request = ready.ask()
    ready.engine.say(RequestFailed(request, "context_full", {}))
    ready.wait_state("Ready")
    ready.ask()
    ready.engine.say(WorkerExited(-9, "SIGKILL", while_doing="generating"))
    ready.wait_state("Stopped unexpectedly")
    assert ears.announced == [
        "Stopped.",
        "The question could not be answered.",
        "The engine stopped unexpectedly.",
    ]


def test_a_download_in_the_background_is_notified(ready: Stage, ears: Ears) -> None:
    ready.application.around.attention.on_download("Qwen 7B", TARGET, DRAFT)
    assert ears.notified == [("Download complete", "Qwen 7B")]


def test_announcements_and_notifications_are_really_made(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def update(event: object) -> None:
        assert isinstance(event, QAccessibleAnnouncementEvent)
        made.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", update)
    attention = Attention(ready.window)
    attention.announce("Done.")
    assert made == ["Done."]
    attention.notify("Title", "text")  # there is no tray here: nothing happens, nothing fails
    attention._on_clicked()
    attention.close()


def test_events_of_the_window_pass_the_filter(ready: Stage) -> None:
    drops = ready.application.around.drops
    assert not drops.eventFilter(QDialog(), QEvent(QEvent.Type.User))
