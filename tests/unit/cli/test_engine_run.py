"""A command's dealings with the engine: what is refused before, what is said when it ends."""

from __future__ import annotations

import argparse
import queue
from pathlib import Path

import pytest

from app import settings
from app.cli import engine_run
from app.cli.arguments import parse
from app.engine.outcome import Outcome
from app.engine.protocol import (
    Cancel,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    Measure,
    ModelsLoaded,
    RequestFailed,
    TokensGenerated,
    WorkerExited,
)
from app.engine.stats import GenerationStats
from app.errors import AppError, LoadError, ModelFileError, PairingError, RequestError
from app.messages import describe
from tests.unit.cli.scripted_run import LOADED, STARTED, scripted
from tests.unit.hub import made_up

LOAD = LoadModels(Path("/t.gguf"))
ASK = Generate("chat", prompt="a")
WRITTEN = TokensGenerated("chat", (), (1,), GenerationStats())
FINISHED = GenerationFinished("chat", FinishReason.END, GenerationStats())
CRASHED = RequestFailed("chat", "engine_crashed", {"reason": "SIGKILL"})


def died(signal_name: str, while_doing: str, *, retrying: bool = False) -> WorkerExited:
    code = {"SIGILL": -4, "SIGKILL": -9, "SIGABRT": -6}[signal_name]
    outcome = Outcome(code, signal_name, while_doing=while_doing, cpu_module="fast")
    return outcome.to_event(retrying=retrying)


def until(run: engine_run.EngineRun, kind: type[Event]) -> Event:  # type: ignore[valid-type]
    while not isinstance(event := run.next(), kind):
        continue
    return event


def test_loading_waits_for_its_end_and_notes_who_started() -> None:
    client, run = scripted([LOADED])
    assert run.load(LOAD) is LOADED
    assert run.started is STARTED
    assert client.sent == [LOAD]


def test_a_failed_load_and_a_refused_request_are_errors() -> None:
    _, run = scripted([LoadFailed("file_missing", {"path": "x"})])
    with pytest.raises(LoadError) as load:
        run.load(LOAD)
    assert (load.value.code, load.value.detail) == ("file_missing", {"path": "x"})
    _, run = scripted([RequestFailed("chat", "prompt_too_long", {"fits": 1})])
    run.send(ASK)
    with pytest.raises(RequestError) as request:
        until(run, GenerationFinished)
    assert (request.value.code, request.value.detail) == ("prompt_too_long", {"fits": 1})


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (died("SIGKILL", "generating"), "probably_out_of_memory"),
        (died("SIGABRT", "generating"), "engine_crashed"),
        (died("SIGABRT", "loading"), "engine_crashed_loading"),
        (died("SIGILL", "prompt"), "illegal_instruction"),
        (Outcome(1, None, while_doing="starting").to_event(retrying=False), "engine_start_failed"),
        (WorkerExited(0, None, expected=True), "engine_stopped"),
    ],
)
def test_the_end_of_the_process_is_told_by_its_own_code(end: WorkerExited, code: str) -> None:
    _, run = scripted([CRASHED, end])
    run.send(ASK)
    with pytest.raises(AppError) as raised:
        until(run, GenerationFinished)
    assert raised.value.code == code
    assert "code" not in raised.value.detail
    assert "{" not in describe(raised.value)


def test_a_request_before_its_first_token_is_sent_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    end = died("SIGILL", "prompt", retrying=True)
    client, run = scripted([LOADED], [CRASHED, end, STARTED, LOADED], [WRITTEN, FINISHED])
    run.load(LOAD)
    run.send(ASK)
    assert until(run, GenerationFinished) is FINISHED
    assert client.sent == [LOAD, ASK, ASK]
    assert "fast" in capsys.readouterr().err


def test_a_measurement_is_sent_again_too() -> None:
    end = died("SIGILL", "measuring", retrying=True)
    measure = Measure("roofline")
    client, run = scripted([LOADED], [CRASHED, end, STARTED, LOADED], [FINISHED])
    run.load(LOAD)
    run.send(measure)
    until(run, GenerationFinished)
    assert client.sent == [LOAD, measure, measure]


def test_a_request_that_has_written_is_not_repeated() -> None:
    end = died("SIGILL", "generating", retrying=True)
    client, run = scripted([LOADED], [WRITTEN, CRASHED, end])
    run.load(LOAD)
    run.send(ASK)
    with pytest.raises(AppError) as raised:
        until(run, GenerationFinished)
    assert raised.value.code == "illegal_instruction_retry"
    assert client.sent == [LOAD, ASK]


def test_a_load_that_is_retried_by_itself_is_not_sent_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    end = died("SIGILL", "loading", retrying=True)
    client, run = scripted([end, STARTED, LOADED])
    assert run.load(LOAD) is LOADED
    assert client.sent == [LOAD]
    assert "started again with a simpler module" in capsys.readouterr().err


def test_a_cancel_is_passed_on_and_never_repeated() -> None:
    client, run = scripted()
    run.send(Cancel("chat"))
    assert client.sent == [Cancel("chat")]
    assert run._repeatable is None


# --- files ----------------------------------------------------------------------------------------


def arguments(target: Path, *more: str | Path) -> argparse.Namespace:
    return parse(("roofline", "--target", str(target), *map(str, more)))


def test_both_files_are_checked_before_anything_starts(tmp_path: Path) -> None:
    target, draft = tmp_path / "t.gguf", tmp_path / "d.gguf"
    target.write_bytes(made_up.model(width=64))
    draft.write_bytes(made_up.model(width=32))
    command = engine_run.load_command(
        arguments(target, "--draft", draft, "--ctx", "512", "--threads", "1", "--gpu-layers", "3")
    )
    assert (command.target, command.draft) == (target, draft)
    assert (command.n_ctx, command.min_ctx) == (512, 512)
    assert (command.threads, command.gpu_layers) == (1, 3)
    with pytest.raises(PairingError) as pairing:
        engine_run.load_command(arguments(draft, "--draft", target))
    assert pairing.value.code.startswith("pair_draft_")
    draft.write_bytes(b"<html>")
    with pytest.raises(ModelFileError) as file:
        engine_run.load_command(arguments(target, "--draft", draft))
    assert (file.value.code, file.value.detail["path"]) == ("not_a_gguf", str(draft))


def test_a_long_context_may_shrink_to_2048(tmp_path: Path) -> None:
    target = tmp_path / "t.gguf"
    target.write_bytes(made_up.model())
    command = engine_run.load_command(arguments(target, "--ctx", "8192"))
    assert (command.n_ctx, command.min_ctx) == (8192, 2048)


def test_paths_are_absolute_for_a_worker_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.gguf").write_bytes(made_up.model())
    monkeypatch.chdir(tmp_path)
    assert engine_run.load_command(arguments(Path("t.gguf"))).target == tmp_path / "t.gguf"


@pytest.mark.parametrize(
    ("architecture", "code"),
    [("bert", "not_a_text_model"), ("clip", "pair_target_not_a_model")],
)
def test_a_target_that_cannot_write_is_refused(
    tmp_path: Path, architecture: str, code: str
) -> None:
    target = tmp_path / "t.gguf"
    target.write_bytes(made_up.model(architecture=architecture))
    with pytest.raises(ModelFileError) as raised:
        engine_run.load_command(arguments(target))
    assert raised.value.code == code
    assert "{" not in describe(raised.value)


# --- settings -------------------------------------------------------------------------------------


class Client:
    """In the place of the real client: notes how it was made."""

    made: dict[str, object] = {}  # noqa: RUF012 - read by the test, replaced by each

    def __init__(self, on_event: object, **how: object) -> None:
        Client.made = {"on_event": on_event, **how, "calls": []}

    def start(self) -> None:
        self._note("start")

    def stop(self) -> None:
        self._note("stop")

    def _note(self, what: str) -> None:
        calls = Client.made["calls"]
        assert isinstance(calls, list)
        calls.append(what)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    monkeypatch.setattr(engine_run, "EngineClient", Client)
    monkeypatch.setattr(engine_run.platform, "node", lambda: "this computer")
    return tmp_path


def test_the_engine_is_ended_whatever_happens(home: Path) -> None:
    with pytest.raises(RuntimeError, match="in between"), engine_run.engine():
        raise RuntimeError("in between")
    assert Client.made["calls"] == ["start", "stop"]
    assert Client.made["log_dir"] == home / "logs"


def test_a_module_that_faulted_is_remembered_for_this_computer_only(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del home
    with engine_run.engine():
        assert Client.made["skip_cpu_modules"] == frozenset()
        remember = Client.made["remember_skip"]
        assert callable(remember)
        remember(frozenset({"fast"}))
    with engine_run.engine():
        assert Client.made["skip_cpu_modules"] == frozenset({"fast"})
    monkeypatch.setattr(engine_run.platform, "node", lambda: "another computer")
    with engine_run.engine():
        assert Client.made["skip_cpu_modules"] == frozenset()


def test_settings_that_cannot_be_had_stop_no_command(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "settings.json").mkdir()
    with engine_run.engine():
        assert Client.made["skip_cpu_modules"] == frozenset()
        assert str(home) in capsys.readouterr().err
        remember = Client.made["remember_skip"]
        assert callable(remember)
        remember(frozenset({"fast"}))  # on the client's thread, where nobody would catch an error
        assert str(home) in capsys.readouterr().err


def test_the_settings_file_has_the_name_used_here(home: Path) -> None:
    settings.save(settings.Settings())
    assert (home / "settings.json").is_file()


def test_events_are_queued_for_the_command(home: Path) -> None:
    del home
    with engine_run.engine() as run:
        put = Client.made["on_event"]
        assert callable(put)
        put(LOADED)
        assert isinstance(run.events, queue.SimpleQueue)
        assert isinstance(run.next(), ModelsLoaded)
