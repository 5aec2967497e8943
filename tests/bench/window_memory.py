"""What the window's process takes in memory, fresh and over 200 answers.

    QT_QPA_PLATFORM=offscreen python tests/bench/window_memory.py [--answers 200]

A scripted engine; every answer streams Markdown with code, five to a chat. Prints megabytes and
the growth beside the text itself; judges nothing.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVERY = 25
MB = 1_000_000


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=200)
    arguments = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
    with tempfile.TemporaryDirectory() as home:
        os.environ["SLIPSTREAM_HOME"] = home
        measure(arguments.answers)
    return 0


def measure(answers: int) -> None:
    """Play the answers and print the process's resident memory now and then."""
    import psutil
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication
    from window_stream import TEXT

    from app import paths
    from app.monitor import EnergyMeter
    from app.storage import Storage
    from app.ui.application import Application
    from app.ui.theme import Theme
    from tests.ui.fake_engine import FakeEngine

    app = QApplication([])
    paths.ensure(paths.folders().data)
    application = Application(
        Theme(app), Storage(), lambda bridge, _: FakeEngine(bridge.post), EnergyMeter(())
    )
    engine = application.engine
    assert isinstance(engine, FakeEngine)

    def settle(seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            app.processEvents()
            app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # only exec() does it
            time.sleep(0.002)

    def taken_mb() -> float:
        gc.collect()
        return psutil.Process().memory_info().rss / MB

    application.start()
    settle(0.5)
    print(f"fresh                {taken_mb():7.1f} MB")
    for command in application.chat.session.load(Path("/models/target.gguf")):
        engine.send(command)
    engine.load()
    settle(0.2)
    text_mb = 0.0
    warm = 0.0
    for number in range(1, answers + 1):
        if number % 5 == 1:
            application.window.new_chat.emit()
        application.window.composer.submitted.emit(f"Question {number}?")
        for piece in TEXT.splitlines(keepends=True):
            engine.write(piece)
            settle(0.004)
        engine.finish()
        settle(0.08)
        text_mb += len(TEXT) / MB
        if number == EVERY:
            warm = taken_mb()
        if number % EVERY == 0:
            print(f"after {number:4d} answers   {taken_mb():7.1f} MB, text {text_mb:5.2f} MB")
    print(f"growth from {EVERY} to {answers}: {taken_mb() - warm:.1f} MB")
    application.window.close()
    application.dispose()


if __name__ == "__main__":
    sys.exit(main())
