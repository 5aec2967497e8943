"""A real worker with a scripted engine: loading, answering, cancelling, measuring, unloading."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

from app.engine.protocol import (
    Cancel,
    ClearCache,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    LoadProgress,
    Measure,
    Measured,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    TokensGenerated,
    Unloaded,
    UnloadModels,
    WorkerStarted,
)
from tests.process import scripted
from tests.process.conftest import Harness, until


def finished(harness: Harness, request_id: str) -> GenerationFinished:
    return harness.wait(GenerationFinished, lambda event: event.request_id == request_id)


def text_of(harness: Harness, request_id: str) -> str:
    steps = [e for e in harness.events if isinstance(e, TokensGenerated)]
    return "".join(p.text for s in steps if s.request_id == request_id for p in s.pieces)


def test_the_first_event_names_the_worker_and_its_machine(harness: Harness) -> None:
    started = harness.events[0]
    assert isinstance(started, WorkerStarted)
    assert started.pid == harness.client.pid
    assert started.devices[0].description == "scripted"
    assert started.cpu_module == "fast"
    assert harness.client.alive


def test_a_worker_lives_in_its_log_folder_and_leaves_no_core_files(
    harness: Harness, tmp_path: Path
) -> None:
    started = harness.started()
    assert started.versions["cwd"] == str(tmp_path / "logs")
    assert started.versions["core"] == "0"


def test_loading_reports_progress_and_then_what_was_loaded(harness: Harness) -> None:
    harness.load(stages=10)
    seen = [(e.stage, e.fraction) for e in harness.events if isinstance(e, LoadProgress)]
    assert seen == [("target" if i < 5 else "draft", (i + 1) / 10) for i in range(10)]


def test_a_path_relative_to_the_windows_folder_still_means_the_same_file(harness: Harness) -> None:
    harness.client.send(LoadModels(Path("relative.gguf"), draft=Path("small.gguf")))
    assert harness.wait(ModelsLoaded).target.path == Path.cwd() / "relative.gguf"


def test_a_load_that_fails_leaves_a_worker_that_can_load(harness: Harness) -> None:
    harness.client.send(LoadModels(scripted.model(fail="app")))
    failed = harness.wait(LoadFailed)
    assert (failed.code, failed.detail) == ("context_too_large", {"want": 8192, "fits": 1024})
    harness.client.send(LoadModels(scripted.model(fail="bug")))
    bug = harness.wait(LoadFailed, number=2)
    assert bug.code == "engine_error"
    assert "KeyError" in str(bug.detail["reason"])
    harness.load()


def test_unloading_aborts_a_load_and_ends_the_process(harness: Harness) -> None:
    harness.client.send(LoadModels(scripted.model(stages=10_000, sleep=0.005)))
    harness.wait(LoadProgress)
    harness.client.send(UnloadModels())
    assert harness.wait(LoadFailed).code == "load_cancelled"
    harness.wait(Unloaded)
    exited = harness.exited()
    assert exited.expected
    assert exited.exit_code == 0
    assert not harness.client.alive


def test_a_newer_load_aborts_the_older_one(harness: Harness) -> None:
    harness.client.send(LoadModels(scripted.model(stages=10_000, sleep=0.005)))
    harness.wait(LoadProgress)
    harness.load(stages=2)
    assert [type(e) for e in harness.of(LoadFailed, ModelsLoaded)] == [LoadFailed, ModelsLoaded]


def test_after_unloading_the_next_load_gets_a_fresh_worker(harness: Harness) -> None:
    harness.load()
    first_pid = harness.client.pid
    harness.client.send(UnloadModels())
    loaded = harness.load()  # sent at once, while the old worker is still ending
    assert loaded.n_ctx == 8192
    assert harness.client.pid != first_pid
    assert len(harness.of(Unloaded)) == 1
    harness.generate("a")
    assert finished(harness, "a").reason is FinishReason.END


def test_without_a_worker_requests_are_refused_in_words(harness: Harness) -> None:
    harness.client.send(UnloadModels())
    harness.exited()
    harness.generate("a")
    harness.client.send(Measure("m"))
    harness.client.send(Cancel("a"))
    harness.client.send(UnloadModels())
    harness.wait(Unloaded, number=2)
    failures = harness.of(RequestFailed)
    assert failures == [RequestFailed("a", "not_loaded"), RequestFailed("m", "not_loaded")]
    assert harness.client.pid is None


def test_without_models_the_worker_refuses_too(harness: Harness) -> None:
    harness.generate("a")
    harness.client.send(ClearCache())
    harness.client.send(Measure("m"))
    harness.wait(RequestFailed, number=2)
    assert [e.code for e in harness.events if isinstance(e, RequestFailed)] == ["not_loaded"] * 2


def test_an_answer_streams_in_order(harness: Harness) -> None:
    harness.load()
    harness.generate("a", prompt=3, tokens=5)
    assert finished(harness, "a").stats.generated_tokens == 5
    assert text_of(harness, "a") == "t1 t2 t3 t4 t5 "
    progress = [e.done_tokens for e in harness.events if isinstance(e, PromptProgress)]
    assert progress == [1, 2, 3]
    assert harness.threads == {"engine-client"}


def test_a_refused_request_says_why_and_the_next_is_answered(harness: Harness) -> None:
    harness.load()
    harness.generate("long", refuse=True)
    harness.generate("a")
    finished(harness, "a")
    assert harness.of(RequestFailed) == [
        RequestFailed("long", "prompt_too_long", {"have": 9000, "fits": 8192})
    ]


def test_several_answers_run_at_once_and_the_rest_wait_their_turn(harness: Harness) -> None:
    harness.load(n_parallel=2)
    for name in "abcd":
        harness.generate(name, tokens=20, sleep=0.001)
    for name in "abcd":
        finished(harness, name)
        assert text_of(harness, name) == "".join(f"t{i} " for i in range(1, 21))
    order = [e.request_id for e in harness.events if isinstance(e, TokensGenerated)]
    assert "b" in order[:4]  # a and b alternate
    assert set(order[:20]) == {"a", "b"}  # c had to wait


def test_cancel_while_queued(harness: Harness) -> None:
    harness.load()
    harness.generate("a", tokens=100_000, sleep=0.002)
    harness.generate("b")
    harness.wait(TokensGenerated)
    harness.client.send(Cancel("b"))
    assert finished(harness, "b").reason is FinishReason.CANCELLED
    assert text_of(harness, "b") == ""
    harness.client.send(Cancel("a"))
    assert finished(harness, "a").reason is FinishReason.CANCELLED


def test_cancel_while_reading_the_prompt(harness: Harness) -> None:
    harness.load()
    harness.generate("a", prompt=100_000, sleep=0.002)
    harness.wait(PromptProgress)
    harness.client.send(Cancel("a"))
    assert finished(harness, "a").reason is FinishReason.CANCELLED
    assert text_of(harness, "a") == ""


def test_cancel_while_generating_keeps_what_was_written(harness: Harness) -> None:
    harness.load()
    harness.generate("a", tokens=100_000, sleep=0.002)
    harness.wait(TokensGenerated, number=3)
    harness.client.send(Cancel("a"))
    end = finished(harness, "a")
    assert end.reason is FinishReason.CANCELLED
    assert end.stats.generated_tokens == len(text_of(harness, "a").split()) >= 3


def test_cancelling_twice_or_after_the_end_does_no_harm(harness: Harness) -> None:
    harness.load()
    harness.generate("a")
    finished(harness, "a")
    harness.client.send(Cancel("a"))
    harness.client.send(Cancel("a"))
    harness.generate("b")
    finished(harness, "b")
    assert len(harness.of(GenerationFinished)) == 2


def test_a_load_ends_running_answers_first(harness: Harness) -> None:
    harness.load()
    harness.generate("a", tokens=100_000, sleep=0.002)
    harness.generate("queued")
    harness.wait(TokensGenerated)
    harness.load()
    assert finished(harness, "a").reason is FinishReason.CANCELLED
    assert finished(harness, "queued").reason is FinishReason.CANCELLED


def test_a_measurement_waits_for_a_quiet_engine_and_can_be_cancelled(harness: Harness) -> None:
    harness.load()
    harness.generate("a", tokens=5)
    harness.client.send(Measure("m", repetitions=1))
    harness.wait(Measured)
    ends = harness.of(GenerationFinished, Measured)
    assert [type(e) for e in ends] == [GenerationFinished, Measured]
    harness.client.send(Measure("n", repetitions=100_000))
    harness.client.send(Cancel("n"))
    assert harness.wait(RequestFailed).code == "measure_cancelled"


def test_a_bug_in_a_step_fails_the_request_and_not_the_worker(harness: Harness) -> None:
    harness.load(n_parallel=2)
    harness.generate("a", at=2, fail="bug")
    failed = harness.wait(RequestFailed)
    assert failed.code == "engine_error"
    assert "ZeroDivisionError" in str(failed.detail["reason"])
    harness.generate("b")
    finished(harness, "b")


def test_a_failure_of_one_request_leaves_the_others_running(harness: Harness) -> None:
    harness.load(n_parallel=2)
    harness.generate("a", at=2, fail="app")
    harness.generate("b", tokens=20)
    assert harness.wait(RequestFailed) == RequestFailed("a", "context_full", {"request_id": "a"})
    assert finished(harness, "b").stats.generated_tokens == 20


def test_a_flood_of_events_arrives_whole_and_commands_still_get_through(harness: Harness) -> None:
    harness.load()
    harness.generate("a", tokens=10, burst=2_000)
    finished(harness, "a")
    assert len(harness.of(TokensGenerated)) == 20_000
    harness.generate("b", tokens=1_000_000, burst=50)
    harness.wait(TokensGenerated, lambda e: e.request_id == "b")
    harness.client.send(Cancel("b"))
    assert finished(harness, "b").reason is FinishReason.CANCELLED


def test_native_output_goes_to_the_log(harness: Harness, tmp_path: Path) -> None:
    harness.load(say="hello from below")
    logs = list((tmp_path / "logs").glob("engine-*.log"))
    assert len(logs) == 1
    lines = logs[0].read_text().splitlines()
    for source in ("native stdout", "native stderr", "python"):
        assert f"{source}: hello from below" in lines


def test_sending_never_blocks_even_when_the_worker_does_not_read(
    make_harness: Callable[..., Harness],
) -> None:
    harness = make_harness()
    pid = harness.started().pid
    os.kill(pid, signal.SIGSTOP)
    try:

        def send_much() -> None:
            for number in range(50):
                harness.client.send(Generate(str(number), prompt="x" * 100_000))

        sender = threading.Thread(target=send_much)
        sender.start()
        assert until(lambda: not sender.is_alive())
    finally:
        os.kill(pid, signal.SIGCONT)
    harness.wait(RequestFailed, number=50)
