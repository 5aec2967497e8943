"""Measuring with a real engine: one small comparison, one small benchmark with a crash in it, and
the logits at one place of an answer.
"""

from __future__ import annotations

import json
import os
import queue
import signal
from pathlib import Path

import pytest

from app import cli
from app.conversation import ChatMessage, Role
from app.engine.client import EngineClient
from app.engine.engine import Engine
from app.engine.protocol import (
    Event,
    LoadModels,
    LogitsAt,
    ModelsLoaded,
    Speculation,
)
from app.measure import workloads
from app.measure.arms import parse_arms
from app.measure.asking import Asker
from app.measure.benchmark import Benchmark, Loaded
from app.measure.link import ClientLink
from app.measure.plan import Plan
from app.measure.progress import Progress
from app.measure.summary import summarise
from app.measure.testbed import Surroundings, describe
from tests.model.conftest import Loader
from tests.model.engine_help import ask, options

pytestmark = pytest.mark.model

QUESTION = "Count from one to twenty in words."


def test_logits_at_a_place_are_those_that_decided_there(
    engine: Engine, loader: Loader, starter_model: Path
) -> None:
    loader(starter_model, threads=1, n_ctx=512)
    reply = ask(engine, QUESTION, options(Speculation.OFF, max_tokens=8))
    message = (ChatMessage(Role.USER, QUESTION),)
    for place in (0, 7):
        chosen = reply.token_ids[place]
        read = engine.logits_at(
            LogitsAt("l", message, None, tuple(reply.token_ids[:place]), (chosen, 5))
        )
        assert read.best_token == chosen
        assert read.logits[0] == read.best_logit >= read.logits[1]
        assert read.texts[0] in reply.text
    # and the engine goes on as if nothing had been asked
    assert ask(engine, QUESTION, options(Speculation.OFF, max_tokens=8)).text == reply.text


def test_a_comparison(
    starter_model: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["--target", str(starter_model), "--prompt", QUESTION, "--ctx", "512"]
    how = ["--speculation", "lookup", "--temperature", "0", "--max-tokens", "24", "--threads", "1"]
    assert cli.main(["compare", *arguments, *how, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    off, on = result["runs"]
    assert (off["side"], on["side"]) == ("off", "on")
    assert off["stats"]["prompt_tokens"] == on["stats"]["prompt_tokens"] > 5
    assert off["stats"]["cached_tokens"] == on["stats"]["cached_tokens"] == 0
    assert off["stats"]["drafted_tokens"] == 0
    assert off["peak_process_bytes"] > 100 << 20
    speeds = [run["stats"]["tokens_per_second"] for run in (on, off)]
    assert result["speed_up"]["factor"] == pytest.approx(speeds[0] / speeds[1])
    assert result["same_text"] is (off["token_ids"] == on["token_ids"])
    assert len(result["verdict"]) >= 4


def test_a_benchmark_survives_the_end_of_its_engine(starter_model: Path, tmp_path: Path) -> None:
    plan = Plan(
        workloads=(workloads.load("chat")[0].with_limit(6),),
        arms=parse_arms("off,lookup"),
        requests=3,
        warm_ups=1,
    )
    command = LoadModels(starter_model, n_ctx=512, min_ctx=512, threads=1)
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    client = EngineClient(events.put, log_dir=tmp_path / "logs")
    killed: list[int] = []

    def kill_once(progress: Progress) -> None:
        if progress.done == 2 and not killed and client.pid is not None:
            killed.append(client.pid)
            os.kill(client.pid, signal.SIGKILL)

    client.start()
    try:
        client.send(command)
        while not isinstance(report := events.get(timeout=120), ModelsLoaded):
            continue
        loaded = Loaded(command, report)
        asker = Asker(ClientLink(client, events))
        benchmark = Benchmark(plan, asker, loaded, tmp_path / "out", kill_once)
        results = benchmark.run(describe(command, report, Surroundings()))
    finally:
        client.stop()
    summary = summarise(results)
    assert killed
    assert summary.complete
    assert summary.crashes == 1
    assert [row.requests for row in summary.rows] == [3, 3]
    assert all(row.ttft_seconds.median > 0 for row in summary.rows)
    assert len(results.head["circumstances"]["target"]["sha256"]) == 64


def test_the_bench_command_writes_a_report_and_resumes_to_nothing(
    starter_model: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.cli.bench.ROOFLINE_REPETITIONS", 1)
    arguments = ["bench", "--target", str(starter_model), "--workloads", "chat", "--ctx", "512"]
    size = ["--requests", "1", "--warmups", "0", "--max-tokens", "4", "--threads", "1"]
    out = ["--out", str(tmp_path / "b")]
    assert cli.main([*arguments, *size, *out, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["complete"]
    assert Path(first["files"]["report.html"]).read_text().startswith("<!doctype html>")
    assert cli.main([*arguments, *size, *out]) == 1  # it is there already
    assert "--resume" in capsys.readouterr().err
    again = [*arguments, *size, *out, "--resume", "--against", str(tmp_path / "b"), "--json"]
    assert cli.main(again) == 0
    second = json.loads(capsys.readouterr().out)
    assert second["rows"] == first["rows"]
    assert any("1.00 ×" in line for line in second["against"])
