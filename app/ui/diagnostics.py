"""The diagnostic report: versions, devices, settings, state, the ends of the logs; no text of the
user's, no name of theirs, no path beyond a file's name.
"""

from __future__ import annotations

import getpass
import json
import platform
import re
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QLocale, QObject, QUrl, Slot, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app import APP_NAME, __version__, paths
from app.engine.protocol import DeviceInfo, Event, ModelsLoaded, WorkerStarted
from app.session import SessionView
from app.settings import Settings, to_json

LOG_LINES = 40
TAIL_BYTES = 64 * 1024
HIDDEN = ("system_prompt", "target", "draft", "models_folder", "endpoint", "version")
SHORT_NAME = 3  # a user called "al" would take letters out of every word

_RECORD = re.compile(r"^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S* [A-Z]+ ")
_FRAME = re.compile(r'^\s+File ".*", line \d+, in ')
_RAISED = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Failed))\b")
_NATIVE = re.compile(r"^[a-z][a-z0-9_]*\s?:\s")
_PATH = re.compile(r"""(?:[A-Za-z]:)?(?:[\\/][^\\/\s:'",;()]+)+[\\/]([^\\/\s:'",;()]+)""")
_QUOTED = re.compile(r"""(?<!\w)['"].{25,}$""")


class Diagnostics(QObject):
    """Knows the engine's last words and writes the report.

    Attributes:
        settings, view: where the newest of both are to be had.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        view: Callable[[], SessionView],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings = settings
        self.view = view
        self._engine: WorkerStarted | None = None

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """The engine said something."""
        for event in events:
            if isinstance(event, WorkerStarted):
                self._engine = event

    @Slot()
    def on_copy(self) -> None:
        """Put the report on the clipboard."""
        QGuiApplication.clipboard().setText(self.report())

    @Slot()
    def on_logs(self) -> None:
        """Show the folder of the logs."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.ensure(paths.folders().logs))))

    def report(self) -> str:
        """All of it, as plain text."""
        parts = [
            (f"{APP_NAME} {__version__}", _system()),
            ("Engine", self._engine_lines()),
            ("State", _state_lines(self.view())),
            ("Settings", _settings_lines(self.settings())),
            ("Window's log", log_tail([paths.log_file("app")])),
            ("Engine's log", log_tail(sorted(paths.folders().logs.glob("engine-*.log"))[-1:])),
        ]
        text = "\n\n".join(
            "\n".join([f"## {title}", *(lines or ["nothing"])]) for title, lines in parts
        )
        return without_names(text) + "\n"

    def _engine_lines(self) -> list[str]:
        engine = self._engine
        if engine is None:
            return ["has not started"]
        lines = [f"{name}: {version}" for name, version in sorted(engine.versions.items())]
        lines.append(f"CPU module: {engine.cpu_module or 'built in'}")
        return lines + [_device_line(device) for device in engine.devices]


def _system() -> list[str]:
    screen = QGuiApplication.primaryScreen()
    return [
        f"time: {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        f"system: {platform.platform()} {platform.machine()}",
        f"Python {platform.python_version()}, PySide {pyside_version}, Qt {qVersion()}",
        f"bundle: {'yes' if hasattr(sys, '_MEIPASS') else 'no'}",
        f"platform: {QGuiApplication.platformName()}, scale {screen.devicePixelRatio():g}",
        f"language: {QLocale().name()}",
    ]


def _device_line(device: DeviceInfo) -> str:
    return (
        f"device {device.name} ({device.kind}): {device.description}, "
        f"{device.free_bytes / 1e9:.1f} of {device.total_bytes / 1e9:.1f} GB free at the start"
    )


def _state_lines(view: SessionView) -> list[str]:
    lines = [f"state: {view.state}"]
    for notice in (*view.notices, view.load_problem):
        if notice is not None:
            lines.append(f"notice: {notice.code} {_values(notice.detail)}")
    if view.crash is not None:
        crash = view.crash
        lines.append(f"crash: exit {crash.exit_code}, {crash.signal_name}, {crash.while_doing}")
    if view.loaded is not None:
        lines += _pair_lines(view.loaded)
    if view.stats is not None:
        lines.append(f"last answer: {json.dumps(view.stats.to_json())}")
    return lines


def _pair_lines(loaded: ModelsLoaded) -> list[str]:
    lines = []
    for role, model in (("target", loaded.target), ("draft", loaded.draft)):
        if model is not None:
            size = f"{model.size_bytes / 1e9:.2f} GB"
            layers = f"{model.gpu_layers} of {model.layers} layers on graphics"
            lines.append(f"{role}: {model.path.name}, {model.architecture}, {size}, {layers}")
            lines.append(f"{role} memory: {model.memory.by_device}")
    lines.append(
        f"context {loaded.n_ctx}, answers at once {loaded.n_parallel}, threads {loaded.threads}, "
        f"KV {loaded.kv_type}, loaded in {loaded.load_seconds:.1f} s"
    )
    lines += [f"fallback: {step.code} {_values(step.detail)}" for step in loaded.steps]
    if loaded.no_draft_because is not None:
        lines.append(f"no draft: {loaded.no_draft_because}")
    return lines


def _values(detail: dict[str, str | int | float | None]) -> str:
    return ", ".join(f"{name}={value}" for name, value in detail.items())


def _settings_lines(settings: Settings) -> list[str]:
    lines = [f"{n}: {v}" for n, v in to_json(settings).items() if n not in HIDDEN]
    lines.append(f"system prompt: {'set' if settings.system_prompt else 'none'}")
    lines.append(f"models folder: {'another one' if settings.models_folder else 'usual'}")
    host = urlsplit(settings.endpoint).hostname if settings.endpoint else None
    return [*lines, f"endpoint: {host or 'usual'}"]


def log_tail(files: Iterable[Path]) -> list[str]:
    """The last lines of logs, as far as they can hold nothing that somebody wrote."""
    lines: list[str] = []
    for file in files:
        try:
            with file.open("rb") as opened:
                opened.seek(max(0, file.stat().st_size - TAIL_BYTES))
                text = opened.read().decode("utf-8", errors="replace")
        except OSError as error:
            lines.append(f"not readable: {error.strerror}")
            continue
        lines += [kept for line in text.splitlines() if (kept := _kept(line))]
    return lines[-LOG_LINES:]


def _kept(line: str) -> str:
    """A line without what may be anybody's text; "" where nothing is left of it.

    Kept are records of the app and of llama.cpp, and of a traceback the places and the kind of
    error: its message may quote what it choked on.
    """
    raised = _RAISED.match(line)
    if raised is not None:
        return raised.group(1)
    if not (_RECORD.match(line) or _FRAME.match(line) or _NATIVE.match(line)):
        return ""
    if "system_prompt" in line or "chat_template" in line:
        return ""
    shown = _PATH.sub(r"…/\1", line)
    return shown if _FRAME.match(line) else _QUOTED.sub("'…'", shown)


def without_names(text: str) -> str:
    """The text without the names of the user, their home and their computer."""
    home = str(Path.home())
    for secret, instead in (
        (home, "~"),
        (home.replace("\\", "/"), "~"),
        (platform.node(), "COMPUTER"),
        (_user(), "USER"),  # last: the others may hold it
    ):
        if len(secret) >= SHORT_NAME:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", instead, text)
    return _PATH.sub(r"…/\1", text)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no entry for this user: nothing to hide then
        return ""
