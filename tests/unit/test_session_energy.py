"""The window's energy desk: measured, priced, booked; and the chat command's object."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from app.cli.energy import energy_json, energy_words
from app.monitor.energy import EnergyMeter
from app.monitor.sample import Method, Missing, Scope
from app.monitor.tariff import Tariff
from app.monitor.task_energy import TaskEnergy
from app.session.energy import Answered, AnswerEnergy, EnergyDesk
from app.settings import Settings
from app.storage import Storage

ANSWERED = Answered("m1", "target.gguf", None, "off", 20)
NOON = datetime(2026, 5, 31, 12, 0).timestamp()  # on the clock of whoever runs the tests
MEASURED = TaskEnergy(2.0, 7200.0, Scope.GPU, Method.COUNTER)
UNKNOWN = TaskEnergy(2.0, missing=(Missing("energy_no_meter"), Missing("rapl_absent")))


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    storage = Storage(tmp_path / "conversations.sqlite3")
    yield storage
    storage.close()


def test_an_answer_is_measured_priced_and_booked(storage: Storage) -> None:
    desk = EnergyDesk(EnergyMeter([]), storage.ledger, wall_clock=lambda: NOON)
    desk.set_settings(Settings(wall_load_watts=360.0, price_per_kwh=0.5, currency="CHF"))
    delivered, came = list[AnswerEnergy](), threading.Event()

    def deliver(answer: AnswerEnergy) -> None:
        delivered.append(answer)
        came.set()

    desk.begin("m1")
    desk.end(ANSWERED, deliver)
    assert came.wait(20)
    desk.end(ANSWERED, deliver)  # not begun any more
    (answer,) = delivered
    assert answer.energy.joules == pytest.approx(360 * answer.energy.seconds)
    assert answer.cost == pytest.approx(answer.energy.joules / 3.6e6 * 0.5)
    desk.book(answer)
    total = storage.ledger.day(datetime.fromtimestamp(NOON).date())
    assert total.answers == 1
    assert total.costs == (("CHF", pytest.approx(answer.cost)),)
    desk.close()


def test_an_answer_without_a_meter_is_booked_without_joules(storage: Storage) -> None:
    desk = EnergyDesk(EnergyMeter([]), storage.ledger, wall_clock=lambda: NOON)
    answers: list[AnswerEnergy] = []
    desk.begin("m1")
    desk.begin("m2")
    desk.drop("m2")
    desk.end(ANSWERED, answers.append)
    (answer,) = answers
    assert (answer.cost, answer.joules_per_token, answer.cost_per_million_tokens) == (None,) * 3
    desk.book(answer)
    entry = storage.ledger.of_answer("m1")
    assert entry is not None
    assert (entry.joules, entry.cost, entry.scope, entry.method) == (None, None, None, None)
    desk.close()


def test_figures_of_an_answer() -> None:
    answer = AnswerEnergy(ANSWERED, MEASURED, Tariff(0.25, "EUR"), NOON)
    assert answer.cost == pytest.approx(0.0005)
    assert answer.joules_per_token == 360.0
    assert answer.cost_per_million_tokens == pytest.approx(25.0)


def test_the_object_of_the_chat_command_has_one_shape() -> None:
    tariff = Tariff(0.25, "EUR", is_example=True)
    known, unknown = energy_json(MEASURED, tariff), energy_json(UNKNOWN, tariff)
    assert list(known) == list(unknown)
    assert known == {
        "available": True,
        "joules": 7200.0,
        "scope": "gpu",
        "method": "counter",
        "cost": pytest.approx(0.0005),
        "currency": "EUR",
        "reason": None,
    }
    reason = unknown.pop("reason")
    assert unknown == {**dict.fromkeys(unknown), "available": False}
    assert isinstance(reason, str)
    assert "not available" in reason
    assert "virtual machine" in reason
    assert "example" in energy_words(MEASURED, tariff)
    assert energy_words(UNKNOWN, tariff) == "energy not available"


def test_an_estimate_says_so() -> None:
    energy = TaskEnergy(2.0, 250.0, Scope.CPU, Method.ESTIMATE).noted(
        Missing("energy_estimated", {"watts": "125"})
    )
    said = energy_json(energy, Tariff(0.25, "EUR"))
    assert said["method"] == "estimate"
    assert "estimate" in str(said["reason"])
    assert "estimate" in energy_words(energy, Tariff(0.25, "EUR"))
