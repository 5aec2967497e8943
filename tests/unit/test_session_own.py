"""What one conversation does differently, what no longer fits, and what was refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.conversation import Conversation, Message, Role
from app.engine.protocol import (
    Generate,
    GenerationOptions,
    PieceSource,
    RequestFailed,
    Speculation,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import GenerationStats
from app.monitor.sample import Method, Missing, Scope
from app.monitor.tariff import Tariff
from app.monitor.task_energy import TaskEnergy
from app.session import own_options, with_own
from app.session.energy import Answered, AnswerEnergy, energy_facts
from app.storage import Preset, Storage, from_json, to_json
from tests.unit.test_session import Desk


@pytest.fixture
def desk() -> Desk:
    made = Desk()
    made.ready()
    return made


# --- own options ----------------------------------------------------------------------------------


def test_own_options_come_first_and_the_rest_stays_usual(desk: Desk) -> None:
    desk.session.set_options(GenerationOptions(speculation=Speculation.LOOKUP, max_tokens=99))
    desk.session.set_own("Be brief.", {"temperature": 0.0, "speculation": "off", "seed": 7})
    request = desk.ask("Hello")
    assert request.messages[0].content == "Be brief."
    assert request.options.sampling.temperature == 0.0
    assert request.options.sampling.seed == 7
    assert request.options.sampling.top_k == 40
    assert request.options.speculation is Speculation.OFF
    assert request.options.max_tokens == 99
    assert desk.session.view().speculation is Speculation.OFF
    desk.session.new_conversation()
    assert desk.session.answer_options.speculation is Speculation.LOOKUP


def test_own_options_are_kept_with_the_conversation(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "a.sqlite")
    desk = Desk()
    desk.session._keeper._store = storage
    desk.ready()
    desk.answer("Hello")
    desk.session.set_own("Be brief.", {"top_k": 3})
    kept = storage.load(desk.session.conversation.id)
    assert (kept.system_prompt, kept.options) == ("Be brief.", {"top_k": 3})
    storage.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", "hot"),
        ("temperature", float("nan")),
        ("temperature", -1.0),
        ("top_k", 1.5),
        ("top_k", True),
        ("speculation", "magic"),
        ("max_tokens", 0),
        ("target", "/etc/passwd"),
        ("price_per_kwh", 5.0),
    ],
)
def test_what_a_file_says_wrongly_is_left_out(name: str, value: object) -> None:
    assert own_options({name: value, "top_p": 0.5}) == {"top_p": 0.5}
    base = GenerationOptions()
    assert with_own(base, {name: value}) == base


def test_a_whole_number_is_a_number() -> None:
    assert with_own(GenerationOptions(), {"temperature": 1}).sampling.temperature == 1


def test_presets_are_kept_by_name(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "a.sqlite")
    storage.presets.save(Preset("Strict", "Be exact.", {"temperature": 0.0}))
    storage.presets.save(Preset("Loose", "", {"temperature": 1.5}))
    storage.presets.save(Preset("Strict", "Be very exact.", {}))
    storage.close()
    storage = Storage(tmp_path / "a.sqlite")
    assert [preset.name for preset in storage.presets.all()] == ["Loose", "Strict"]
    assert storage.presets.all()[1] == Preset("Strict", "Be very exact.", {})
    storage.presets.delete("Strict")
    storage.presets.delete("never there")
    assert [preset.name for preset in storage.presets.all()] == ["Loose"]
    storage.close()


# --- what no longer fits --------------------------------------------------------------------------


def too_long(request: Generate, need: int, fits: int) -> RequestFailed:
    return RequestFailed(
        request.request_id, "prompt_too_long", {"prompt_tokens": need, "fits": fits}
    )


def test_the_oldest_exchanges_are_left_out_and_it_is_said_once(desk: Desk) -> None:
    desk.session.set_system_prompt("System.")
    for number in range(6):
        desk.answer(f"question {number} " + "x" * 100, "y" * 100)
    request = desk.ask("The last question")
    (again,) = desk.session.apply(too_long(request, 1300, 1000))
    assert isinstance(again, Generate)
    assert again.request_id == request.request_id
    assert again.messages[0].content == "System."
    assert again.messages[1].role is Role.USER
    assert again.messages[-1].content == "The last question"
    assert len(again.messages) < len(request.messages)
    (further,) = desk.session.apply(too_long(again, 1100, 1000))
    assert isinstance(further, Generate)
    assert len(further.messages) < len(again.messages)
    assert desk.codes() == ["context_trimmed"]
    assert desk.session.view().left_out > 0
    desk.tokens(further, "ok")
    desk.finish(further)
    following = desk.ask("And then?")
    assert following.messages[1] == further.messages[1], "the cut stays where it is"


def test_a_question_that_is_too_long_by_itself_is_refused(desk: Desk) -> None:
    desk.answer("short", "short")
    request = desk.ask("x" * 10_000)
    commands = desk.session.apply(too_long(request, 9000, 1000))
    (again,) = commands
    assert isinstance(again, Generate)
    assert [m.content for m in again.messages] == ["x" * 10_000]
    assert desk.session.apply(too_long(again, 8990, 1000)) == []
    problem = desk.last().problem
    assert problem is not None
    assert problem.code == "prompt_too_long"


def test_a_branch_without_the_cut_is_given_whole() -> None:
    conversation = Conversation()
    for number in range(4):
        role = Role.ASSISTANT if number % 2 else Role.USER
        conversation.add(Message(str(number), conversation.leaf, role, f"text {number}"))
    conversation.context_from = "2"
    assert [m.content for m in conversation.chat_messages()] == ["text 2", "text 3"]
    conversation.rewind("1")
    assert [m.content for m in conversation.chat_messages()] == ["text 0", "text 1"]
    again = from_json(to_json(conversation))
    assert again.context_from is not None
    assert again.get(again.context_from).content == "text 2"


# --- refused guesses ------------------------------------------------------------------------------


def step(request: Generate, pieces: list[TextPiece], refused: str = "") -> TokensGenerated:
    return TokensGenerated(request.request_id, tuple(pieces), (1,), GenerationStats(), refused)


def test_a_refused_guess_is_kept_where_the_targets_own_word_stands(desk: Desk) -> None:
    request = desk.ask()
    thought = TextPiece("thinking", PieceSource.TARGET, reasoning=True)
    desk.session.apply(step(request, [thought], "never kept"))
    desk.session.apply(step(request, [TextPiece("The ")], " cat"))
    drafted = [TextPiece("big ", PieceSource.DRAFT), TextPiece("dog")]
    desk.session.apply(step(request, drafted, "cat sat"))
    desk.session.apply(step(request, [TextPiece(" ran")]))
    desk.finish(request)
    assert desk.last().content == "The big dog ran"
    assert desk.last().refused == ((0, " cat"), (8, "cat sat"))
    again = from_json(to_json(desk.session.conversation))
    assert again.path()[-1].refused == desk.last().refused


# --- energy ---------------------------------------------------------------------------------------


def test_energy_is_added_to_the_answer_that_ended_last(desk: Desk) -> None:
    request = desk.answer()
    took = TaskEnergy(2.0, 36.0, Scope.GPU, Method.COUNTER)
    answered = Answered(request.request_id, "t", None, "off", 10)
    energy = AnswerEnergy(answered, took, Tariff(0.30, "EUR"), 0.0)
    facts = energy_facts(energy)
    assert facts["joules"] == 36.0
    assert facts["method"] == "counter"
    assert facts["cost"] == pytest.approx(36.0 / 3.6e6 * 0.30)
    assert desk.session.attach(request.request_id, "energy", facts)
    stats = desk.store.saved[request.request_id].stats
    assert stats is not None
    assert stats["energy"] == facts
    assert stats["generated_tokens"] == 7
    assert not desk.session.attach("another", "energy", facts)
    unknown = replace(energy, energy=TaskEnergy(2.0, missing=(Missing("energy_no_meter"),)))
    assert energy_facts(unknown)["joules"] is None
    assert energy_facts(unknown)["reason"] == "energy_no_meter"
