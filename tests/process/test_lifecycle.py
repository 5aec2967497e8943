"""How a real worker ends: asked, crashed, refused, orphaned; and what the client makes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from app.engine.client import EngineClient
from app.engine.protocol import (
    Event,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    LoadProgress,
    ModelsLoaded,
    RequestFailed,
    Shutdown,
    TokensGenerated,
    Unloaded,
    UnloadModels,
    WorkerExited,
    WorkerStarted,
)
from tests.process import scripted
from tests.process.conftest import Harness, until

ROOT = Path(__file__).parents[2]

CRASHES = [("abort", "SIGABRT"), ("SIGSEGV", "SIGSEGV"), ("SIGKILL", "SIGKILL")]

MakeHarness = Callable[..., Harness]


def is_gone(pid: int) -> bool:
    """Ended, even if nobody has reaped it yet."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


# --- asked to end ---------------------------------------------------------------------------------


def test_shutdown_when_idle(harness: Harness) -> None:
    pid = harness.client.pid
    assert pid is not None
    harness.load()
    harness.client.stop()
    exited = harness.exited()
    assert (exited.expected, exited.exit_code, exited.signal_name) == (True, 0, None)
    assert exited.while_doing == "idle"
    assert exited.last_log_lines[-2] == "scripted engine closed"
    assert is_gone(pid)
    assert not harness.client.alive


def test_shutdown_while_generating_fails_what_was_running(harness: Harness) -> None:
    harness.load()
    harness.generate("a", tokens=100_000, sleep=0.002)
    harness.generate("b")
    harness.wait(TokensGenerated)
    harness.client.stop()
    assert harness.exited().exit_code == 0
    failures = harness.of(RequestFailed)
    assert failures == [RequestFailed("a", "engine_stopped"), RequestFailed("b", "engine_stopped")]
    assert isinstance(harness.events[-1], WorkerExited)


def test_shutdown_while_loading(harness: Harness) -> None:
    harness.client.send(LoadModels(scripted.model(stages=100_000, sleep=0.005)))
    harness.wait(LoadProgress)
    harness.client.stop()
    assert harness.exited().exit_code == 0


def test_shutdown_inside_a_native_call_is_enforced(harness: Harness) -> None:
    harness.client.send(LoadModels(scripted.model(block=600)))
    harness.wait_for_log(scripted.BLOCKED)
    harness.client.stop(0.2)
    exited = harness.exited()
    assert exited.expected
    assert exited.signal_name == "SIGTERM"
    assert exited.detail == {}


def test_a_worker_deaf_to_polite_requests_is_killed(make_harness: MakeHarness) -> None:
    harness = make_harness("create_unending")
    pid = harness.started().pid
    harness.client.stop(0.2)
    exited = harness.exited()
    assert (exited.expected, exited.signal_name) == (True, "SIGKILL")
    assert is_gone(pid)


def test_unloading_inside_a_native_call_is_enforced(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.client.UNLOAD_GRACE_SECONDS", 0.2)
    harness.client.send(LoadModels(scripted.model(block=600)))
    harness.wait_for_log(scripted.BLOCKED)
    harness.client.send(UnloadModels())
    harness.wait(Unloaded)
    assert harness.exited().expected
    assert [type(e) for e in harness.events[-3:]] == [LoadFailed, Unloaded, WorkerExited]
    harness.load()


def test_stopping_early_twice_and_starting_again(make_harness: MakeHarness) -> None:
    harness = make_harness()
    harness.client.stop()
    harness.client.start()
    harness.client.stop()  # perhaps before the worker has said a word
    harness.client.stop()
    assert all(e.expected for e in harness.events if isinstance(e, WorkerExited))
    harness.client.start()
    harness.load()
    harness.client.send(Shutdown())
    assert until(lambda: not harness.client.alive)


def test_stopping_from_inside_an_event(tmp_path: Path) -> None:
    events: list[Event] = []

    def on_event(event: Event) -> None:
        events.append(event)
        client.stop()

    client = EngineClient(on_event, log_dir=tmp_path, factory="tests.process.scripted:create")
    client.start()
    assert until(lambda: not client.alive and len(events) == 2)
    assert [type(event) for event in events] == [WorkerStarted, WorkerExited]


def test_a_listener_that_fails_costs_the_worker_and_is_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids: list[int] = []
    hidden: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", hidden.append)
    monkeypatch.setattr("app.engine.worker_process.EXIT_GRACE_SECONDS", 0.1)

    def on_event(event: Event) -> None:
        assert isinstance(event, WorkerStarted)
        pids.append(event.pid)
        raise RuntimeError("the window is broken")

    client = EngineClient(on_event, log_dir=tmp_path, factory="tests.process.scripted:create")
    client.start()
    assert until(lambda: bool(hidden))
    assert str(hidden[0].exc_value) == "the window is broken"
    assert is_gone(pids[0])
    client.stop()


class _FromTheFuture:
    """A command whose pickle means nothing in the worker."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("not a number",)


def test_a_command_the_worker_cannot_read_is_a_mismatch(harness: Harness) -> None:
    harness.client.send(_FromTheFuture())  # type: ignore[arg-type]
    assert harness.exited().detail["code"] == "protocol_mismatch"


# --- crashes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "name"), CRASHES)
def test_a_crash_while_loading(harness: Harness, how: str, name: str) -> None:
    harness.client.send(LoadModels(scripted.model(crash=how)))
    exited = harness.exited()
    assert (exited.expected, exited.retrying) == (False, False)
    assert exited.signal_name == name
    assert exited.while_doing == "loading"


@pytest.mark.parametrize("where", ["prompt", 3])
@pytest.mark.parametrize(("how", "name"), CRASHES)
def test_a_crash_during_an_answer_and_a_restart_with_the_same_models(
    harness: Harness, how: str, name: str, where: str | int
) -> None:
    harness.load(n_parallel=1)
    harness.generate("a", tokens=10, crash=how, at=where)
    harness.generate("queued")
    exited = harness.exited()
    assert exited.exit_code == -signal.Signals[name]
    assert exited.while_doing == ("prompt" if where == "prompt" else "generating")
    failures = harness.of(RequestFailed)
    assert failures == [
        RequestFailed("a", "engine_crashed", {"reason": name}),
        RequestFailed("queued", "engine_crashed", {"reason": name}),
    ]
    first = harness.wait(ModelsLoaded)
    harness.client.restart()
    assert harness.wait(ModelsLoaded, number=2).target == first.target
    harness.generate("b")
    harness.wait(GenerationFinished)


def test_a_segfault_leaves_its_trace_in_the_last_log_lines(harness: Harness) -> None:
    harness.load()
    harness.generate("a", crash="SIGSEGV", at=1)
    text = "\n".join(harness.exited().last_log_lines)
    assert "Fatal Python error: Segmentation fault" in text
    assert "in _fault" in text


def test_being_killed_by_the_system_probably_means_memory(harness: Harness) -> None:
    os.kill(harness.started().pid, signal.SIGKILL)
    exited = harness.exited()
    assert exited.detail["code"] == "probably_out_of_memory"
    assert exited.while_doing == "idle"


def test_a_native_exit_is_a_crash_too(harness: Harness) -> None:
    harness.load()
    harness.generate("a", crash="exit", at=1)
    exited = harness.exited()
    assert (exited.exit_code, exited.signal_name, exited.expected) == (7, None, False)
    assert exited.detail["code"] == "engine_crashed"


def test_a_load_after_a_crash_starts_a_worker_by_itself(harness: Harness) -> None:
    harness.load()
    harness.generate("a", crash="abort", at=1)
    harness.exited()
    harness.generate("b")
    assert harness.wait(RequestFailed, number=2) == RequestFailed("b", "not_loaded")
    harness.load()
    assert len(harness.of(WorkerStarted)) == 2


@pytest.mark.parametrize(
    ("factory", "code"),
    [
        ("create_aborting", "engine_start_failed"),
        ("create_broken", "engine_start_failed"),
        ("create_refusing", "engine_library_missing"),
        ("create_other_version", "protocol_mismatch"),
        ("nothing_of_that_name", "engine_start_failed"),
    ],
)
def test_a_worker_that_cannot_start_says_so_once(
    make_harness: MakeHarness, factory: str, code: str
) -> None:
    harness = make_harness(factory)
    harness.client.start()
    harness.client.send(LoadModels(scripted.model()))
    exited = harness.exited()
    assert not exited.expected
    assert exited.while_doing == "starting"
    assert exited.detail["code"] == code
    assert exited.last_log_lines or code == "protocol_mismatch"
    assert harness.of(WorkerStarted) == []
    harness.generate("a")
    harness.wait(RequestFailed)
    assert len(harness.of(WorkerExited)) == 1
    assert not harness.client.alive


# --- illegal instruction --------------------------------------------------------------------------


def test_an_illegal_instruction_while_loading_is_retried_with_the_next_module(
    harness: Harness,
) -> None:
    harness.load(crash="SIGILL", crash_on=["fast"])
    exited = harness.exited()
    assert (exited.signal_name, exited.retrying, exited.expected) == ("SIGILL", True, False)
    assert exited.detail["code"] == "illegal_instruction_retry"
    assert exited.detail["cpu_module"] == "fast"
    assert harness.remembered == [frozenset({"fast"})]
    assert harness.wait(WorkerStarted, number=2).cpu_module == "medium"
    assert len(harness.of(ModelsLoaded)) == 1


def test_an_illegal_instruction_at_the_first_prompt_fails_it_and_loads_again(
    harness: Harness,
) -> None:
    harness.load()
    harness.generate("a", crash="SIGILL", crash_on=["fast"], at="prompt")
    harness.wait(ModelsLoaded, number=2)
    assert harness.of(RequestFailed) == [RequestFailed("a", "engine_crashed", {"reason": "SIGILL"})]
    harness.generate("b", crash="SIGILL", crash_on=["fast"], at="prompt")
    harness.wait(GenerationFinished)


def test_it_is_retried_only_once_but_a_restart_goes_on(harness: Harness) -> None:
    harness.client.send(LoadModels(scripted.model(crash="SIGILL", crash_on=["fast", "medium"])))
    second = harness.exited(number=2)
    assert (second.retrying, second.detail["code"]) == (False, "illegal_instruction")
    assert harness.remembered == [frozenset({"fast"})]
    assert not harness.client.alive
    harness.client.restart()
    harness.wait(ModelsLoaded)
    assert harness.remembered[-1] == frozenset({"fast", "medium"})


def test_a_remembered_choice_is_used_from_the_start(make_harness: MakeHarness) -> None:
    harness = make_harness(skip=frozenset({"fast", "medium"}))
    assert harness.started().cpu_module == "baseline"


# --- restart, leaks, orphans ----------------------------------------------------------------------


def test_restarting_a_hung_worker(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.client.RESTART_GRACE_SECONDS", 0.2)
    harness.load()
    harness.generate("a", at=1, block=600)
    harness.wait_for_log(scripted.BLOCKED)
    harness.client.restart()
    assert harness.exited().expected
    harness.wait(ModelsLoaded, number=2)
    assert harness.of(RequestFailed) == [RequestFailed("a", "engine_stopped")]


def test_ten_restarts_leave_no_open_files(harness: Harness, tmp_path: Path) -> None:
    def open_files() -> int:
        return int(psutil.Process().num_fds())

    harness.load()
    before = open_files()
    for number in range(10):
        harness.client.restart()
        harness.wait(ModelsLoaded, number=number + 2)
    assert open_files() == before
    assert len(list((tmp_path / "logs").iterdir())) <= 5


@pytest.mark.parametrize("directives", [{}, {"block": 600}, {"sleep": 0.01, "stages": 100_000}])
def test_a_worker_does_not_outlive_its_window(tmp_path: Path, directives: dict[str, float]) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(tmp_path), str(scripted.model(**directives))],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    assert parent.stdout is not None
    worker_pid = int(parent.stdout.readline())
    assert not is_gone(worker_pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert until(lambda: is_gone(worker_pid))  # while the block alone would take minutes


WINDOW = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from app.engine.client import EngineClient
    from app.engine.protocol import LoadModels, LoadProgress

    def on_event(event):
        if isinstance(event, LoadProgress):
            print(client.pid, flush=True)

    client = EngineClient(
        on_event, log_dir=Path(sys.argv[1]), factory="tests.process.scripted:create"
    )
    client.start()
    client.send(LoadModels(Path(sys.argv[2])))
    time.sleep(600)
    """
)
