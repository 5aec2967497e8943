"""The panel's energy, memory and verdict: measured, booked, and never made up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLabel

from app import settings
from app.engine.protocol import FinishReason, GenerationFinished, RequestFailed, Speculation
from app.monitor.sample import GpuSample, MachineSample
from app.ui.amounts import say_joules, say_money, say_watt_hours
from app.ui.device_memory import Headroom, devices_of
from app.ui.worth import Worth, WorthLine
from tests.ui.conftest import TARGET, Stage, Start
from tests.ui.fake_engine import GB, STATS, loaded_pair, model


@pytest.fixture
def metered(start: Start, home: object) -> Stage:
    """A user who has read 120 W from a plug meter and pays 0.30 EUR."""
    settings.save(
        settings.Settings(
            wall_load_watts=120.0, price_per_kwh=0.3, currency="EUR", price_is_set=True
        )
    )
    stage = start()
    stage.load()
    return stage


def texts(stage: Stage) -> dict[str, str]:
    return stage.window.panel.energy.texts()


def test_an_answer_is_measured_priced_and_booked(metered: Stage) -> None:
    metered.answer("Hello.")
    metered.qtbot.waitUntil(lambda: " J" in texts(metered)["answer"])
    said = texts(metered)
    assert "EUR" in said["cost"]
    assert "EUR" in said["million"]
    assert "Wh" in said["today"]
    assert said["source"] == "Whole computer, from your plug meter's figures."
    message = metered.session.conversation.path()[-1]
    entry = metered.storage.ledger.of_answer(message.id)
    assert entry is not None
    assert (entry.tokens, entry.target, entry.method) == (187, "target.gguf", "wall")
    assert metered.storage.ledger.day(date.today()).answers == 1


def test_what_cannot_be_measured_says_so_and_why(ready: Stage) -> None:
    ready.answer("Hello.")
    ready.qtbot.waitUntil(lambda: texts(ready)["answer"] == "not available")
    said = texts(ready)
    assert said["cost"] == said["million"] == said["today"] == "not available"
    assert "meter" in said["source"]
    assert "settings" in ready.window.panel.energy._joules.toolTip()


def test_a_failed_answer_is_not_booked(metered: Stage) -> None:
    request = metered.ask()
    metered.engine.say(RequestFailed(request, "context_full", {}))
    metered.wait_state("Ready")
    assert metered.storage.ledger.day(date.today()).answers == 0
    assert not metered.application.energy._running


def test_the_example_price_is_called_one(start: Start, home: object) -> None:
    settings.save(settings.Settings(wall_load_watts=50.0))
    stage = start()
    stage.load()
    stage.answer("Hello.")
    stage.qtbot.waitUntil(lambda: "J" in texts(stage)["answer"])
    assert "example" in texts(stage)["source"]


def test_the_day_is_there_at_the_next_start(metered: Stage, start: Start) -> None:
    metered.answer("Hello.")
    metered.qtbot.waitUntil(lambda: "Wh" in texts(metered)["today"])
    today = texts(metered)["today"]
    metered.close()
    second = start()
    second.qtbot.waitUntil(lambda: texts(second)["today"] == today)


def test_power_is_shown_only_while_it_is_read(ready: Stage) -> None:
    view = ready.window.panel.energy
    view.show_power(45.25)
    assert texts(ready)["power"] == "45 W"
    view.show_power(None)
    assert texts(ready)["power"] == "\u2013"


def test_rows_stand_still_when_numbers_come(metered: Stage) -> None:
    panel = metered.window.panel
    labels = [label for label in panel.findChildren(QLabel) if label.isVisible()]

    def places() -> list[int]:
        return [label.mapTo(panel, label.rect().topLeft()).y() for label in labels]

    before = places()
    metered.answer("Hello.")
    metered.qtbot.waitUntil(lambda: " J" in texts(metered)["answer"])
    assert places() == before


def test_drafting_that_loses_is_said_with_its_reason(ready: Stage) -> None:
    request = ready.ask()
    detail: dict[str, str | int | float | None] = {"percent": 12}
    ready.engine.say(
        GenerationFinished(
            request,
            FinishReason.END,
            STATS,
            speculation=Speculation.OFF,
            note="drafting_loses_here",
            note_detail=detail,
        )
    )
    ready.wait_state("Ready")
    line = ready.window.panel.worth
    assert "slower" in line.text()
    assert line.toolTip()
    ready.load()
    ready.qtbot.waitUntil(lambda: "not compared" in line.text())  # another load is judged anew


@pytest.fixture
def english() -> Iterator[None]:
    """Numbers and dates as in the United States, until the test ends."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("theme", "english")
def test_a_comparison_is_told_with_its_day() -> None:
    line = WorthLine()
    line.show_worth(Worth(1.42, time.time()))
    assert line.text() == "Speculation here: 1.4 × faster, measured today"
    line.show_worth(Worth(0.7, time.time() - 86_400))
    assert "0.70 × as fast" in line.text()
    assert "yesterday" in line.text()
    line.show_worth(Worth(1.01, 0.0))
    assert "no difference" in line.text()
    assert "1/1/70" in line.text()
    line.deleteLater()


def test_graphics_memory_is_the_newest_reading() -> None:
    loaded = loaded_pair(TARGET, target=model(TARGET, 8 * GB, "CUDA0"))
    gpu = loaded.devices[0].__class__("CUDA0", "NVIDIA H200", "gpu", 10 * GB, 24 * GB)
    loaded = loaded_pair(TARGET, target=model(TARGET, 8 * GB, "CUDA0"), devices=(gpu,))
    now = GpuSample("NVIDIA H200", total_bytes=24 * GB, free_bytes=GB // 2)
    first = devices_of(loaded, MachineSample(0.0, gpus=(now,)))[0]
    assert first.measured_now
    assert (first.free_bytes, first.headroom) == (GB // 2, Headroom.TIGHT)
    two = devices_of(loaded, MachineSample(0.0, gpus=(now, now)))[0]
    assert not two.measured_now, "which of two alike it is cannot be told"


@pytest.mark.usefixtures("theme", "english")
def test_amounts_are_written_for_people() -> None:
    assert say_joules(61.234) == "61.2 J"
    assert say_joules(0.0) == "0 J"
    assert say_joules(45_600) == "45.6 kJ"
    assert say_watt_hours(7_200) == "2.00 Wh"
    assert say_watt_hours(7_200_000) == "2.00 kWh"
    assert say_money(0.0000025, "USD") == "0.0000025 USD"
    assert say_money(0.4, "€") == "0.40 €"
    assert say_money(12, "€") == "12.00 €"
