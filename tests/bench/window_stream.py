"""How smooth the window stays while an engine writes 300 tokens a second.

    python tests/bench/window_stream.py [--seconds 30] [--rate 300] [--tint] [--skip-start]

A scripted engine on a thread of its own sends Markdown with code; events are unpickled as the real
client's are. A timer of 5 ms on the window's loop measures the gaps. Prints a table; judges
nothing. Run it with QT_QPA_PLATFORM=offscreen, or under Xvfb.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TICK_MS = 5

CHILD = """
import os, sys, time
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QTimer
app = QApplication([])
from app import paths
from app.storage import Storage
from app.ui.application import Application
from app.ui.theme import Theme
from tests.ui.fake_engine import FakeEngine
paths.ensure(paths.folders().data)
application = Application(Theme(app), Storage(), lambda bridge, _: FakeEngine(bridge.post))
application.start()
app.processEvents()
print(time.time(), "llama_cpp" in sys.modules, "pygments" in sys.modules, flush=True)
application.close()
os._exit(0)
"""

TEXT = """\
## A heading with `code`

Some prose that is **long enough** to fill a line or two of the window, with a [link](https://a.org)
and *emphasis*, so that the paragraph is worth rendering as rich text when it is finished.

- one point of a list, with words
- another point of the list, with more words than the first

```python
def fibonacci(count: int) -> list[int]:
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])  # the sum of the last two
    return numbers[:count]
```

| name | value |
|------|------:|
| a    |     1 |
| b    |     2 |

"""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=int, default=300)
    parser.add_argument("--tint", action="store_true")
    parser.add_argument("--skip-start", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["SLIPSTREAM_HOME"] = home
        if not arguments.skip_start:
            measure_start()
        measure_stream(arguments.seconds, arguments.rate, arguments.tint)
    return 0


def measure_start() -> None:
    """From the start of the process to a window that was painted."""
    paths = [os.environ.get("PYTHONPATH"), str(ROOT)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    taken = []
    for _ in range(3):
        begin = time.time()
        command = [sys.executable, "-c", CHILD]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        shown, llama, pygments = done.stdout.split()
        taken.append(float(shown) - begin)
    print(
        f"start to usable      {sorted(taken)[1]:6.2f} s"
        f"   (3 runs: {min(taken):.2f}..{max(taken):.2f})"
    )
    print(f"llama_cpp loaded     {llama}, pygments loaded {pygments}")


def measure_stream(seconds: float, rate: int, tint: bool) -> None:
    """Gaps of the window's loop while an answer streams."""
    from PySide6.QtCore import QElapsedTimer, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from app import paths
    from app.engine.protocol import Generate
    from app.storage import Storage
    from app.ui.application import Application
    from app.ui.theme import Theme
    from tests.ui.fake_engine import FakeEngine

    app = QApplication([])
    paths.ensure(paths.folders().data)
    application = Application(Theme(app), Storage(), lambda bridge, _: FakeEngine(bridge.post))
    application.start()
    engine = application.engine
    assert isinstance(engine, FakeEngine)
    session = application.chat.session
    for command in session.load(Path("/m/target.gguf"), Path("/m/draft.gguf")):
        engine.send(command)
    engine.load()
    spin(app, 1.5)
    application.window.composer.set_tint(tint)
    application.chat.on_submitted("Write a lot.")
    request = engine.last(Generate).request_id

    gaps: list[float] = []
    clock = QElapsedTimer()
    clock.start()
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(TICK_MS)
    timer.timeout.connect(lambda: gaps.append(clock.nsecsElapsed() / 1e6) or clock.restart())
    timer.start()
    writer = threading.Thread(target=write, args=(engine, request, seconds, rate))
    begin, busy, whole = time.monotonic(), time.thread_time(), time.process_time()
    writer.start()
    while writer.is_alive():
        spin(app, 0.2)
    spin(app, 0.5)
    wall = time.monotonic() - begin
    busy, whole = time.thread_time() - busy, time.process_time() - whole
    streaming = len(gaps)
    engine.finish()
    spin(app, 1.0)
    timer.stop()
    report("while streaming", gaps[:streaming])
    report("with the ending", gaps)
    print(
        f"window's thread      {100 * busy / wall:6.1f} % of a core;"
        f" the process {100 * whole / wall:.1f} %"
    )
    message = session.conversation.path()[-1]
    print(f"answer               {len(message.content)} characters in {wall:.1f} s")
    application.window.close()


def report(name: str, gaps: list[float]) -> None:
    """Percentiles of the time between two ticks."""
    ordered = sorted(gaps)
    p50, p999 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.999)]
    over = sum(gap > 50 for gap in ordered)
    print(
        f"gaps {name}  p50 {p50:5.1f}  p99.9 {p999:5.1f}  max {ordered[-1]:5.1f} ms"
        f"  ({over} of {len(ordered)} over 50 ms; the tick is {TICK_MS} ms)"
    )


def write(engine: object, request: str, seconds: float, rate: int) -> None:
    """Send steps of three tokens, unpickled as they would come through a pipe."""
    from app.engine.protocol import PieceSource, TextPiece, TokensGenerated
    from tests.ui.fake_engine import STATS, FakeEngine

    assert isinstance(engine, FakeEngine)
    words = [word + " " for word in TEXT.split(" ")]
    begin, sent = time.monotonic(), 0
    while (now := time.monotonic() - begin) < seconds:
        while sent < now * rate:
            pieces = tuple(
                TextPiece(words[(sent + k) % len(words)], source)
                for k, source in enumerate(
                    (PieceSource.DRAFT, PieceSource.LOOKUP, PieceSource.TARGET)
                )
            )
            sent += 3
            stats = replace(STATS, generated_tokens=sent, generation_seconds=now)
            event = TokensGenerated(request, pieces, (1, 2, 3), stats, context_used=sent)
            engine.say(pickle.loads(pickle.dumps(event)))
        time.sleep(0.002)


def spin(app: object, seconds: float) -> None:
    """Run the event loop for a while."""
    from PySide6.QtCore import QEventLoop, QTimer

    del app
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
