"""The program around the window: one per user, its log, its language, and its end.

Asked to end by a signal or closed by the user, it ends the same way.
"""

from __future__ import annotations

import logging
import logging.handlers
import sys
from collections.abc import Sequence

from PySide6.QtWidgets import QApplication, QMessageBox

from app import APP_ID, APP_NAME, __version__, paths
from app import settings as settings_store
from app.engine.client import EngineClient
from app.errors import AppError
from app.storage import Storage
from app.ui import language
from app.ui.application import Application
from app.ui.engine_bridge import Engine, EngineBridge
from app.ui.failures import Failures
from app.ui.interrupts import Interrupts
from app.ui.messages import say
from app.ui.preferences import Preferences
from app.ui.single_instance import SingleInstance
from app.ui.theme import Theme

log = logging.getLogger(__name__)

LOG_BYTES = 1_000_000


def run(argv: Sequence[str]) -> int:
    """Run the window until it is closed; the exit code is the program's."""
    app = QApplication([APP_ID, *argv])
    app.setApplicationName(APP_NAME)
    app.setApplicationDisplayName(APP_NAME)
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(APP_ID)
    theme = Theme(app)
    language.install(app, _wanted_language())
    try:
        folders = paths.folders()
        for folder in (folders.data, folders.config, folders.logs):
            paths.ensure(folder)
        instance = SingleInstance(folders.data)
        if not instance.claim():
            return 0
        _set_up_log()
        storage = Storage()
    except AppError as error:
        QMessageBox.critical(None, APP_NAME, say(error.code, error.detail))
        return 1
    application = Application(theme, storage, make_client)
    failures = Failures(application.window, str(paths.log_file("app")))
    failures.install()
    instance.raised.connect(application.window.come_forward)
    interrupts = Interrupts()
    interrupts.received.connect(application.window.close)
    application.start()
    try:
        return app.exec()
    finally:
        instance.close()
        interrupts.close()
        failures.uninstall()
        application.dispose()


def make_client(bridge: EngineBridge, preferences: Preferences) -> Engine:
    """The real engine, in a process of its own."""
    preferences.load()
    skip = preferences.settings.cpu_modules_to_skip(preferences.computer)
    return EngineClient(
        bridge.post,
        log_dir=paths.folders().logs,
        skip_cpu_modules=frozenset(skip),
        remember_skip=bridge.post_skipped,
    )


def _wanted_language() -> str:
    """As the settings say; whether they can be read is said later, by the window."""
    try:
        return settings_store.load().language
    except AppError:
        return language.SYSTEM


def _set_up_log() -> None:
    handler = logging.handlers.RotatingFileHandler(
        paths.log_file("app"), maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    log.info("%s %s, Python %s", APP_NAME, __version__, sys.version.split()[0])
