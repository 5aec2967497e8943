"""The line below an answer, from stored numbers that may be anything."""

from __future__ import annotations

from dataclasses import replace

from app.conversation import Message, Role
from app.monitor import Method, Scope, Tariff, TaskEnergy
from app.session.energy import Answered, AnswerEnergy
from app.ui.answer_facts import all_facts, number, short_facts
from app.ui.answer_view import AnswerView
from tests.ui.conftest import Stage
from tests.ui.fake_engine import STATS

ENERGY = {
    "joules": 84.5,
    "scope": "gpu",
    "method": "counter",
    "cost": 0.0000075,
    "currency": "EUR",
    "cost_per_million_tokens": 0.04,
}
ANSWER = Message(
    "a", None, Role.ASSISTANT, "text", finish_reason="end",
    stats={**STATS.to_json(), "energy": ENERGY},
)  # fmt: skip


def with_energy(**changes: object) -> Message:
    return replace(ANSWER, stats={**STATS.to_json(), "energy": {**ENERGY, **changes}})


def test_everything_that_is_known_is_said() -> None:
    assert list(short_facts(ANSWER)) == [
        "27.0 tok/s", "first token 0.86 s", "187 tokens", "62 % accepted", "84.5 J",
        "0.0000075 EUR",
    ]  # fmt: skip
    said = "\n".join(all_facts(ANSWER))
    assert "212 tokens, 12 of them still in memory" in said
    assert "131 of 213 guessed tokens accepted" in said
    assert "graphics device, counted by the device" in said
    assert "0.040 EUR per million tokens" in said
    assert "The model ended the answer" in said


def test_an_estimate_is_called_one() -> None:
    said = list(short_facts(with_energy(method="estimate")))
    assert "about 84.5 J (estimate)" in said


def test_what_was_not_measured_is_not_zero() -> None:
    said = " ".join(short_facts(with_energy(joules=None, cost=None)))
    assert " J" not in said
    assert "EUR" not in said
    assert list(short_facts(replace(ANSWER, stats=None))) == []


def test_how_an_answer_ended_is_said() -> None:
    assert "stopped by you" in list(short_facts(replace(ANSWER, finish_reason="cancelled")))
    assert "ended at the length limit" in list(short_facts(replace(ANSWER, finish_reason="length")))
    assert "Ended at a stop text" in list(all_facts(replace(ANSWER, finish_reason="stop_string")))


def test_only_numbers_are_numbers() -> None:
    for value in ("1", True, None, [1], float("inf"), float("nan")):
        assert number({"x": value}, "x") is None
    assert number({"x": 2}, "x") == 2.0


def test_energy_that_arrives_later_is_shown_and_kept(ready: Stage) -> None:
    ready.answer("Some answer")
    message = ready.session.conversation.path()[-1]
    took = TaskEnergy(2.0, 36.0, Scope.CPU, Method.POWER)
    answered = Answered(message.id, "t", None, "off", 10)
    ready.application.chat.on_energy(AnswerEnergy(answered, took, Tariff(0.3, "EUR"), 0.0))
    view = ready.window.chat._views[-1]
    assert isinstance(view, AnswerView)
    assert "36.0 J" in view._facts.text()
    kept = ready.storage.load(ready.session.conversation.id).path()[-1]
    assert kept.stats is not None
    assert kept.stats["energy"] == {
        "joules": 36.0, "scope": "cpu", "method": "power", "reason": None,
        "cost": 36.0 / 3.6e6 * 0.3, "currency": "EUR",
        "cost_per_million_tokens": 36.0 / 3.6e6 * 0.3 / 10 * 1e6,
    }  # fmt: skip
