"""A command over a real worker with a scripted engine: faults that the command must outlive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from app import settings
from app.cli import engine_run
from app.engine.client import EngineClient
from app.engine.protocol import Event, Generate, GenerationFinished, LoadModels, TokensGenerated
from app.errors import AppError
from app.messages import describe
from tests.process import scripted


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[engine_run.EngineRun]:
    """A started engine, as a command gets it."""
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    client = partial(EngineClient, factory="tests.process.scripted:create")
    monkeypatch.setattr(engine_run, "EngineClient", client)
    with engine_run.engine() as started:
        yield started


def answer(run: engine_run.EngineRun, **directives: object) -> list[Event]:
    """Ask and collect everything up to the end."""
    run.send(Generate("chat", prompt=scripted.script(**directives)))
    events: list[Event] = []
    while not events or not isinstance(events[-1], GenerationFinished):
        events.append(run.next())
    return events


def skipped() -> tuple[str, ...]:
    return settings.load().skipped_cpu_modules


def test_an_illegal_instruction_at_the_first_prompt_is_survived(
    run: engine_run.EngineRun, capsys: pytest.CaptureFixture[str]
) -> None:
    run.load(LoadModels(scripted.model()))
    events = answer(run, tokens=3, crash="SIGILL", crash_on=["fast"], at="prompt")
    assert sum(isinstance(event, TokensGenerated) for event in events) == 3
    assert run.started is not None
    assert run.started.cpu_module == "medium"
    assert "CPU module fast" in capsys.readouterr().err
    assert skipped() == ("fast",)


def test_an_illegal_instruction_while_loading_is_survived(run: engine_run.EngineRun) -> None:
    run.load(LoadModels(scripted.model(crash="SIGILL", crash_on=["fast"])))
    assert answer(run, tokens=2)
    assert skipped() == ("fast",)


def test_an_illegal_instruction_behind_the_first_token_ends_the_command(
    run: engine_run.EngineRun,
) -> None:
    run.load(LoadModels(scripted.model()))
    with pytest.raises(AppError) as raised:
        answer(run, tokens=9, crash="SIGILL", crash_on=["fast"], at=3)
    assert raised.value.code == "illegal_instruction_retry"
    assert skipped() == ("fast",)  # so the next command works


def test_two_faulting_modules_are_one_too_many(run: engine_run.EngineRun) -> None:
    with pytest.raises(AppError) as raised:
        run.load(LoadModels(scripted.model(crash="SIGILL", crash_on=["fast", "medium"])))
    assert raised.value.code == "illegal_instruction"
    assert "medium" in describe(raised.value)


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("SIGKILL", "probably_out_of_memory"),
        ("abort", "engine_crashed"),
        ("exit", "engine_crashed"),
    ],
)
def test_another_death_is_told_by_its_own_sentence(
    run: engine_run.EngineRun, how: str, code: str
) -> None:
    run.load(LoadModels(scripted.model()))
    with pytest.raises(AppError) as raised:
        answer(run, tokens=9, crash=how, at=2)
    assert raised.value.code == code
    assert "{" not in describe(raised.value)


@pytest.mark.parametrize(("fail", "code"), [("app", "context_too_large"), ("bug", "engine_error")])
def test_a_load_that_fails_is_told(run: engine_run.EngineRun, fail: str, code: str) -> None:
    load: Callable[[], object] = partial(run.load, LoadModels(scripted.model(fail=fail)))
    with pytest.raises(AppError) as raised:
        load()
    assert raised.value.code == code
