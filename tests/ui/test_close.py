"""Closing the window: whatever goes on, what was written is kept and the engine ends."""

from __future__ import annotations

import signal
import time

from app.engine.protocol import Shutdown
from app.storage import Storage
from app.ui.interrupts import Interrupts
from tests.ui.conftest import Stage, Start


def test_closing_during_an_answer_keeps_it_and_ends_the_engine(ready: Stage) -> None:
    ready.ask("A long story, please")
    ready.engine.write("Once upon a ")
    ready.wait_state("Writing")
    ready.engine.write("time")  # not shown yet: it is still on its way
    begin = time.monotonic()
    ready.window.close()
    assert time.monotonic() - begin < 30, "it does not hang"
    assert ready.engine.stopped
    assert ready.engine.count(Shutdown) == 1
    storage = Storage()
    (summary,) = storage.conversations()
    answer = storage.load(summary.id).path()[-1]
    storage.close()
    assert answer.content.startswith("Once upon a ")
    assert not answer.complete


def test_what_was_said_is_there_at_the_next_start(start: Start) -> None:
    first = start()
    first.load()
    first.answer("I remember **this**", "What do you remember?")
    first.close()
    second = start()
    assert second.window.conversations.titles() == ["What do you remember?"]
    second.window.conversations.opened.emit(second.storage.conversations()[0].id)
    assert second.session.conversation.path()[-1].content == "I remember **this**"
    assert len(second.window.chat._views) == 2


def test_events_after_the_end_are_harmless(ready: Stage) -> None:
    ready.ask()
    ready.window.close()
    ready.engine.write("late")
    ready.qtbot.wait(60)
    assert ready.engine.stopped


def test_closing_twice_is_closing_once(ready: Stage) -> None:
    ready.window.close()
    ready.application.close()
    assert ready.engine.count(Shutdown) == 1


def test_the_end_of_the_session_closes_the_window(stage: Stage) -> None:
    interrupts = Interrupts()
    interrupts.received.connect(stage.window.close)
    try:
        with stage.qtbot.waitSignal(stage.window.closing):
            signal.raise_signal(signal.SIGTERM)
    finally:
        interrupts.close()
    assert stage.engine.stopped
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
