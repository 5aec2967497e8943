"""How a long past behaves: opening and scrolling 2,000 messages, searching 10,000.

    python tests/bench/window_history.py [--messages 2000] [--searched 10000]

A timer of 5 ms on the window's loop measures the gaps. Prints a table; judges nothing. Run it with
QT_QPA_PLATFORM=offscreen, or under Xvfb.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
TICK_MS = 5
ANSWER = """\
**Point {number}.** Some prose that fills a line or two of the window, with `code` in it.

- one item of a list, with words
- another item, with more words than the first one

```python
def answer_{number}(count: int) -> int:
    return count * {number}  # as asked
```

And a last paragraph, so that a message has about as many characters as a short answer has.
"""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--searched", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["SLIPSTREAM_HOME"] = home
        measure_search(arguments.searched)
        measure_history(arguments.messages)
    return 0


def measure_search(count: int) -> None:
    """The store alone; the window asks it on a thread."""
    from app import paths
    from app.conversation import Conversation, Message, Role, new_id
    from app.storage import Storage

    paths.ensure(paths.folders().data)
    storage = Storage()
    dice = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(dice.choices(letters, k=dice.randint(3, 9))) for _ in range(4000)]
    for _ in range(count // 50):
        conversation = Conversation(title=" ".join(dice.choices(words, k=5)))
        messages = []
        for number in range(50):
            role = Role.ASSISTANT if number % 2 else Role.USER
            text = " ".join(dice.choices(words, k=80 if number % 2 else 20))
            end = "end" if number % 2 else None
            message = Message(new_id(), conversation.leaf, role, text, finish_reason=end)
            messages.append(conversation.add(message))
        storage.save(conversation, messages)
    for query in (words[0], words[1][:2], words[2][:1], f"{words[3]} {words[4]}", "日本", "..."):
        begin = time.perf_counter()
        hits = storage.search(query)
        taken = 1000 * (time.perf_counter() - begin)
        print(f"search {query!r:14} in {count} messages: {taken:6.1f} ms, {len(hits)} hits")
    storage.close()
    storage.path.unlink()


def measure_history(count: int) -> None:
    """Open, scroll to the top, jump, scroll back."""
    from PySide6.QtCore import QElapsedTimer, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from app.conversation import Conversation, Message, Role, new_id
    from app.storage import Storage
    from app.ui.application import Application
    from app.ui.theme import Theme
    from tests.ui.fake_engine import FakeEngine

    app = QApplication([])
    storage = Storage()
    conversation = Conversation(title="long")
    for number in range(count):
        role = Role.ASSISTANT if number % 2 else Role.USER
        text = ANSWER.format(number=number) if number % 2 else f"Question {number}: " + "why " * 9
        end = "end" if number % 2 else None
        conversation.add(Message(new_id(), conversation.leaf, role, text, finish_reason=end))
    storage.save(conversation, conversation.messages())
    size = sum(len(message.content) for message in conversation.messages())
    application = Application(Theme(app), storage, lambda bridge, _: FakeEngine(bridge.post))
    application.start()
    spin(1.5)
    chat = application.window.chat
    bar = chat.verticalScrollBar()
    gaps: list[float] = []
    clock = QElapsedTimer()
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(TICK_MS)
    timer.timeout.connect(lambda: gaps.append(clock.nsecsElapsed() / 1e6) or clock.restart())

    begin = time.perf_counter()
    application.window.conversations.opened.emit(conversation.id)
    app.processEvents()
    shown = time.perf_counter() - begin
    while not chat._stretch.complete:
        app.processEvents()
    whole = time.perf_counter() - begin
    print(f"open {count} messages ({size / 1e6:.2f} MB): {shown:.3f} s to see, {whole:.3f} s whole")

    clock.start()
    timer.start()
    deadline = time.monotonic() + 60
    while chat._stretch.first > 0 and time.monotonic() < deadline:
        bar.setValue(bar.value() - 120)
        spin(0.016)
    report("scrolling up", gaps)
    print(f"                     {len(chat._views)} messages built at the top")
    for name, move in (
        ("jump to the middle", lambda: chat.scroll_to(conversation.path()[count // 2].id)),
        ("jump to the bottom", chat.scroll_to_bottom),
    ):
        gaps.clear()
        clock.restart()
        move()
        spin(1.0)
        report(name, gaps)
    timer.stop()
    application.window.close()
    application.dispose()


def report(name: str, gaps: list[float]) -> None:
    """Percentiles of the time between two ticks."""
    ordered = sorted(gaps) or [0.0]
    p50, p999 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.999)]
    over = sum(gap > 50 for gap in ordered)
    print(
        f"gaps {name:18} p50 {p50:5.1f}  p99.9 {p999:5.1f}  max {ordered[-1]:5.1f} ms"
        f"  ({over} of {len(ordered)} over 50 ms)"
    )


def spin(seconds: float) -> None:
    """Run the event loop for a while."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
