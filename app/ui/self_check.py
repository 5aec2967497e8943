"""Could a window open here? Asked by `self-test`, in the shipped program as in the source tree."""

from __future__ import annotations

import os

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QApplication

from app.ui.main_window import MainWindow
from app.ui.theme import Theme


def check() -> dict[str, object]:
    """Open the main window without a screen and close it again."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication(["self-test"])
    if not isinstance(app, QApplication):
        return {"error": "another kind of application is running"}
    window = MainWindow(Theme(app))
    window.show()
    app.processEvents()
    opened = window.isVisible()
    window.deleteLater()
    app.processEvents()
    found: dict[str, object] = {
        "qt": qVersion(),
        "pyside": pyside_version,
        "platform": app.platformName(),
    }
    return found if opened else {**found, "error": "the window did not open"}
