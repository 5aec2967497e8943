"""What nobody caught is said once and logged, on whatever thread it happened."""

from __future__ import annotations

import logging
import threading

import pytest
from PySide6.QtWidgets import QMessageBox

from app.ui.failures import Failures
from tests.ui.conftest import Stage


def test_an_uncaught_error_of_a_thread_is_said_once(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    failures = Failures(stage.window, "/logs/app.log")

    def fail() -> None:
        raise ZeroDivisionError

    failures.install()
    try:
        with caplog.at_level(logging.CRITICAL):
            for _ in range(2):
                thread = threading.Thread(target=fail, name="doomed")
                thread.start()
                thread.join()
            stage.qtbot.waitUntil(lambda: bool(stage.window.findChildren(QMessageBox)))
    finally:
        failures.uninstall()
    (box,) = stage.window.findChildren(QMessageBox)
    assert "ZeroDivisionError" in box.text()
    assert "/logs/app.log" in box.text()
    assert caplog.text.count("doomed") >= 2
    box.close()
