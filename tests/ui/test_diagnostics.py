"""The diagnostic report: enough to help, and nothing that is nobody's business."""

from __future__ import annotations

import getpass
import logging
import platform
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app import __version__, paths, settings
from app.engine.protocol import PROTOCOL_VERSION, DeviceInfo, WorkerExited, WorkerStarted
from app.ui.diagnostics import log_tail, without_names
from app.ui.notices import Action
from app.ui.settings.help_page import HelpPage
from tests.ui.conftest import Stage, Start
from tests.ui.fake_engine import GB

SECRET = "my grandmother's recipe for plum dumplings"


def report(stage: Stage) -> str:
    return stage.application.around.diagnostics.report()


def write_logs(home: Path) -> None:
    logs = paths.ensure(paths.folders().logs)
    record = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    warning = logging.LogRecord("app.x", 30, "x", 1, "the disk is full: %s", (home / "a.db",), None)
    lines = [
        record.format(warning),
        "Traceback (most recent call last):",
        f'  File "{home}/app/ui/text_view.py", line 12, in show',
        "    self.setPlainText(text)",
        f"ValueError: cannot show {SECRET!r}",
        SECRET,
    ]
    (logs / "app.log").write_text("\n".join(lines), encoding="utf-8")
    engine = [
        "llama_model_loader: loaded meta data with 34 key-value pairs",
        f"{record.format(warning)}",
        f"user: {SECRET}"[6:],
        f"llama_chat: chat_template says {SECRET}",
        f"error: cannot tokenize '{SECRET}'",
    ]
    (logs / "engine-20260101-000000-1-001.log").write_text("\n".join(engine), encoding="utf-8")


def test_it_says_what_helps(ready: Stage, home: Path) -> None:
    write_logs(home)
    device = DeviceInfo("CUDA0", "NVIDIA GeForce RTX 4090", "gpu", 20 * GB, 24 * GB)
    ready.engine.say(
        WorkerStarted(PROTOCOL_VERSION, 42, {"llama_cpp": "0.3.36"}, (device,), "haswell")
    )
    ready.answer("An answer.")
    said = report(ready)
    for expected in (
        __version__, "RTX 4090", "llama_cpp: 0.3.36", "haswell", "target.gguf", "n_ctx: 8192",
        "tokens_per_second", "the disk is full", "llama_model_loader", "ValueError",
        "text_view.py", "state: ready",
    ):  # fmt: skip
        assert expected in said, expected


def test_nothing_that_somebody_wrote_is_in_it(home: Path, start: Start) -> None:
    write_logs(home)
    settings.save(
        settings.Settings(
            system_prompt=SECRET,
            models_folder=home,
            endpoint="https://me:password@hub.example/api",
        )
    )
    stage = start()
    stage.load()
    stage.answer(f"About {SECRET}: no.", question=f"Tell me {SECRET}")
    said = report(stage)
    for word in ("grandmother", "plum", "dumplings", "password", "me:p", str(home)):
        assert word not in said, word
    assert "system prompt: set" in said
    assert "endpoint: hub.example" in said
    assert stage.session.conversation.title not in said


def test_names_and_folders_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    monkeypatch.setattr(platform, "node", lambda: "ada-laptop")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    said = without_names(
        "/home/ada/models/x.gguf ada on ada-laptop; adamant C:\\Users\\Bob\\y.gguf"
    )
    assert said == "~…/x.gguf USER on COMPUTER; adamant …/y.gguf"


def test_a_log_that_is_not_there_or_not_text_is_no_trouble(tmp_path: Path) -> None:
    assert log_tail([tmp_path / "none.log"])[0].startswith("not readable")
    file = tmp_path / "app.log"
    file.write_bytes(b"\xff\xfe\x00" * 100_000 + b"\n2026-01-01 10:00:00,1 INFO app: fine\n")
    assert log_tail([file]) == ["2026-01-01 10:00:00,1 INFO app: fine"]


def test_it_is_copied_after_a_crash(ready: Stage) -> None:
    ready.ask()
    ready.engine.say(WorkerExited(-11, "SIGSEGV", ("a line",), while_doing="generating"))
    ready.wait_state("Stopped unexpectedly")
    ready.window.notices.acted.emit(Action.COPY_REPORT)
    said = QGuiApplication.clipboard().text()
    assert "SIGSEGV" in said
    assert "generating" in said


def test_the_help_page_copies_opens_and_shows(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    ready.window.settings_wanted.emit()
    dialog = ready.application.settings.dialog
    assert dialog is not None
    dialog.open_page(HelpPage)
    buttons = {button.text(): button for button in dialog.help.findChildren(type(dialog._close))}
    buttons["Copy diagnostic report"].click()
    assert __version__ in QGuiApplication.clipboard().text()
    buttons["Open the log folder"].click()
    assert opened[0].toLocalFile() == str(paths.folders().logs)
    buttons["Keyboard shortcuts"].click()
    sheet = ready.application.around.keys.sheet
    assert sheet is not None
    sheet.reject()
