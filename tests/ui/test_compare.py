"""Comparing: two columns as they are written, a verdict, a race, and the engine kept quiet."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.protocol import (
    Cancel,
    ClearCache,
    FinishReason,
    Generate,
    GenerationFinished,
    LogitsAt,
    LogitsRead,
    PieceSource,
    RequestFailed,
    Speculation,
    TextPiece,
    TokensGenerated,
)
from app.errors import RequestError
from app.measure.answered import Moment
from app.measure.compare import Live, Side
from app.monitor import Tariff
from app.session import generation_options
from app.settings import Settings
from app.ui.compare.dialog import CompareDialog
from app.ui.compare.race import Runner
from app.ui.compare.verdict import headline, sentences
from app.ui.theme import Theme
from tests.ui.compare_samples import OFF_TEXT, ON_TEXT, STATS, STATS_ON, comparison
from tests.ui.conftest import Stage


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> CompareDialog:
    made = CompareDialog("What is a cache?", "auto", theme)
    qtbot.addWidget(made)
    made.show()
    return made


def test_both_columns_fill_as_they_are_written(dialog: CompareDialog) -> None:
    dialog.show_running()
    assert not dialog._race.isEnabled()
    dialog.show_live(Live(Side.OFF, 0, "warming ", STATS, warm_up=True))
    dialog.show_live(Live(Side.OFF, 0, "plain ", STATS))
    dialog.show_live(Live(Side.ON, 0, "fast \x1b", STATS_ON))
    assert dialog.columns["off"].text() == "plain "
    assert dialog.columns["on"].text() == "fast \u241b"
    assert "50 % accepted" in dialog.columns["on"]._facts.text()
    assert "accepted" not in dialog.columns["off"]._facts.text()
    dialog.grab()


def test_the_verdict_says_what_came_out(dialog: CompareDialog) -> None:
    dialog.show_running()
    dialog.show_result(comparison(), Tariff(0.32, "EUR"))
    assert dialog._headline.text() == "1.75 × as fast with speculation in this run"
    said = dialog._sentences.text()
    assert "50 % of the guesses were accepted: 2.33 tokens per pass." in said
    assert "58.8 J with, 84.0 J without" in said
    assert "EUR" in said
    assert "“answered” without, “served” with" in said
    assert "rounding decides" in said
    assert dialog._race.isEnabled()
    assert dialog._run.text() == "Measure again"


def test_what_cannot_be_had_is_said() -> None:
    result = comparison(OFF_TEXT, OFF_TEXT, joules=None)
    said = "\n".join(sentences(result, None))
    assert "Energy:" in said
    assert "token for token" in said
    assert "0 J" not in said
    assert "million" not in said


def test_slower_is_called_slower() -> None:
    from dataclasses import replace

    result = comparison()
    assert result.speed_up is not None
    slow = replace(result, speed_up=replace(result.speed_up, factor=0.8))
    assert headline(slow).startswith("Slower with speculation")
    even = replace(result, speed_up=replace(result.speed_up, factor=1.01))
    assert headline(even).startswith("No difference")
    assert "too short" in headline(replace(result, speed_up=None))


def test_a_price_that_is_an_example_is_called_one() -> None:
    said = "\n".join(sentences(comparison(), Tariff(0.15, "USD", is_example=True)))
    assert "The price is an example" in said


# --- race -----------------------------------------------------------------------------------------


def test_a_runner_shows_what_had_appeared_by_then() -> None:
    runner = Runner([Moment(0.5, "a", 1), Moment(1.0, "b", 2), Moment(1.0, "c", 1)])
    place = runner.at(0.4)
    assert (place.text, place.share, place.finished_seconds) == ("", 0.0, None)
    place = runner.at(0.6)
    assert (place.text, place.tokens, place.finished_seconds) == ("a", 1, None)
    assert runner.at(0.1).text == "", "time only goes on"
    place = runner.at(9.0)
    assert (place.text, place.tokens, place.share) == ("bc", 4, 1.0)
    assert place.finished_seconds == 1.0
    assert Runner([]).at(0.0).finished_seconds == 0.0


def test_the_race_replays_both_at_their_own_pace(dialog: CompareDialog) -> None:
    dialog.show_running()
    dialog.show_result(comparison(), None)
    dialog._race.click()
    assert dialog.is_racing
    dialog._frames.stop()
    dialog.show_race_at(0.9)
    off, on = dialog.columns["off"], dialog.columns["on"]
    assert len(off.text()) < len(on.text())
    dialog.show_race_at(1.2)
    assert "finished" in on._facts.text()
    assert on._speed.text() == "1.1 s"
    assert "finished" not in off._facts.text()
    dialog.show_race_at(60.0)
    assert off.text().strip() == OFF_TEXT
    assert on.text().strip() == ON_TEXT
    assert off._speed.text() == "1.7 s"


def test_the_race_ends_by_itself(dialog: CompareDialog, qtbot: QtBot) -> None:
    dialog.show_running()
    dialog.show_result(comparison(), None)
    dialog.race()
    qtbot.waitUntil(lambda: not dialog.is_racing)
    assert math.isclose(dialog.columns["off"]._progress.value(), 1000)


# --- with the engine ------------------------------------------------------------------------------


def answer_all(stage: Stage, until: Callable[[], bool], since: int = 0) -> None:
    """Play the engine of a comparison: answer what is asked from `since`, until something holds."""
    done = since

    def turn() -> bool:
        nonlocal done
        while done < len(stage.engine.commands):
            command = stage.engine.commands[done]
            done += 1
            if isinstance(command, Generate):
                _answer(stage, command)
            elif isinstance(command, LogitsAt):
                words = tuple(f" {token}" for token in command.candidates)
                logits = (1.0, 0.9)[: len(words)]
                stage.engine.say(LogitsRead(command.request_id, logits, words, 1, 1.0))
        return until()

    stage.qtbot.waitUntil(turn, timeout=10_000)


def _answer(stage: Stage, command: Generate) -> None:
    on = command.options.speculation is not Speculation.OFF
    stats = STATS_ON if on else STATS
    source = PieceSource.DRAFT if on else PieceSource.TARGET
    piece = TextPiece("fast" if on else "plain", source)
    step = TokensGenerated(command.request_id, (piece,), (1, 2 if on else 3), stats)
    end = GenerationFinished(command.request_id, FinishReason.END, stats)
    stage.engine.say(step, end)


def start(stage: Stage, text: str = "What is a cache?") -> CompareDialog:
    stage.session.set_options(generation_options(Settings(temperature=0.0)))
    stage.window.composer.set_text(text)
    stage.window.composer._compare.click()
    dialog = stage.application.tools.comparing.dialog
    assert dialog is not None
    return dialog


def test_the_button_measures_and_shows_the_verdict(ready: Stage) -> None:
    dialog = start(ready)
    answer_all(ready, lambda: dialog._race.isEnabled())
    assert dialog._headline.text().startswith("1.75")
    assert dialog.columns["off"].text() == "plain"
    assert dialog.columns["on"].text() == "fast"
    asked = [c for c in ready.engine.commands if isinstance(c, Generate)]
    assert {c.options.speculation for c in asked} == {Speculation.OFF, Speculation.AUTO}
    assert {c.messages[-1].content for c in asked} == {"What is a cache?"}
    assert all(c.options.max_tokens is not None for c in asked)
    assert ready.engine.count(ClearCache) == len(asked)
    assert len(ready.session.conversation) == 0, "the chat is not touched"
    assert ready.window.composer.text() == "What is a cache?"
    dialog.close()
    assert ready.application.tools.comparing.dialog is None


def test_without_text_the_last_question_is_compared(ready: Stage) -> None:
    ready.answer("An answer", "The question")
    before = len(ready.engine.commands)
    dialog = start(ready, "")
    answer_all(ready, lambda: dialog._race.isEnabled(), before)
    asked = [c for c in ready.engine.commands if isinstance(c, Generate)][1:]
    assert {tuple(m.content for m in c.messages) for c in asked} == {("The question",)}
    dialog.close()


def test_measuring_again_and_stopping(ready: Stage) -> None:
    dialog = start(ready)
    answer_all(ready, lambda: dialog._race.isEnabled())
    dialog._run.click()
    assert dialog._run.text() == "Stop"
    ready.qtbot.waitUntil(lambda: isinstance(ready.engine.commands[-1], Generate))
    running = ready.engine.last(Generate)
    dialog._run.click()
    ready.qtbot.waitUntil(lambda: ready.engine.count(Cancel) == 1)
    assert ready.engine.last(Cancel).request_id == running.request_id
    ready.engine.say(GenerationFinished(running.request_id, FinishReason.CANCELLED, STATS))
    ready.qtbot.waitUntil(lambda: dialog._run.text() == "Measure again")
    assert dialog._sentences.text() == "", "who stopped it knows"
    dialog.close()


def test_closing_while_it_runs_waits_until_the_engine_is_quiet(ready: Stage) -> None:
    dialog = start(ready)
    ready.qtbot.waitUntil(lambda: ready.engine.count(Generate) == 1)
    running = ready.engine.last(Generate)
    dialog.close()
    assert ready.application.tools.comparing.dialog is dialog
    ready.qtbot.waitUntil(lambda: ready.engine.count(Cancel) == 1)
    ready.engine.say(GenerationFinished(running.request_id, FinishReason.CANCELLED, STATS))
    ready.qtbot.waitUntil(lambda: ready.application.tools.comparing.dialog is None)


def test_a_refusal_of_the_engine_is_said(ready: Stage) -> None:
    dialog = start(ready)
    ready.qtbot.waitUntil(lambda: ready.engine.count(Generate) == 1)
    request = ready.engine.last(Generate).request_id
    detail: dict[str, str | int | float | None] = {"prompt_tokens": 9000, "fits": 8000}
    refusal = RequestFailed(request, "prompt_too_long", detail)
    ready.engine.say(refusal, refusal)  # the second stands for the end of what is cancelled
    ready.qtbot.waitUntil(lambda: "9000" in dialog._sentences.text())
    dialog.close()


def test_why_it_cannot_be_compared_now(stage: Stage) -> None:
    button = stage.window.composer._compare
    assert not button.isEnabled()
    assert "open a model first" in button.toolTip()
    stage.load()
    assert button.isEnabled()
    button.click()
    assert "nothing to compare yet" in stage.window.notices.texts()[0]
    stage.ask("x")
    stage.engine.write("half")
    stage.wait_state("Writing")
    assert not button.isEnabled()
    assert "wait for the end" in button.toolTip()


def test_an_answer_in_another_chat_keeps_it_from_starting(ready: Stage) -> None:
    ready.ask("x")
    ready.engine.write("half")
    ready.wait_state("Writing")
    ready.window.new_chat.emit()
    QApplication.processEvents()
    assert not ready.window.composer._compare.isEnabled()
    ready.application.tools.comparing.open("text")
    assert ready.application.tools.comparing.dialog is None


def test_the_window_closes_during_a_comparison(ready: Stage) -> None:
    start(ready)
    ready.qtbot.waitUntil(lambda: ready.engine.count(Generate) == 1)
    ready.close()
    assert ready.engine.stopped


def test_failures_are_sentences(dialog: CompareDialog) -> None:
    dialog.show_running()
    dialog.show_failure(RequestError("engine_busy"))
    assert "busy" in dialog._sentences.text()
    assert not dialog._race.isEnabled()
