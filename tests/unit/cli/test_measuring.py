"""compare and bench without an engine process: plans, refusals, outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app import cli
from app.cli import bench, compare
from app.cli.arguments import parse
from app.cli.instruments import Instruments
from app.engine.protocol import LoadModels, ModelsLoaded
from app.errors import RequestError
from app.measure.asking import Asker
from app.monitor.tariff import Tariff
from tests.unit.cli.scripted_run import given, scripted
from tests.unit.hub import made_up
from tests.unit.measure.scripted_link import ScriptedLink, SteadyMeter, loaded

COMPARE = ["compare", "--target", "t.gguf", "--prompt", "Hi", "--temperature", "0"]


@pytest.fixture
def link() -> ScriptedLink:
    return ScriptedLink()


@pytest.fixture
def target(link: ScriptedLink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Both commands on the scripted engine."""
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path / "home"))
    path = tmp_path / "t.gguf"
    path.write_bytes(made_up.model())

    def report(command: LoadModels) -> ModelsLoaded:
        one = loaded(command)
        target = replace(one.target, path=path)
        return loaded(command, target=target, draft=None)

    @contextmanager
    def tools(*_: object) -> Iterator[Instruments]:
        asker = Asker(
            link,
            meter=SteadyMeter(link),
            should_stop=_[-1],  # type: ignore[arg-type]
            clock=link.clock,
        )
        yield Instruments(asker, Tariff(0.3, "EUR"), {"graphics 0": "made up"})

    for module in (compare, bench):
        monkeypatch.setattr(module, "load_command", lambda _: LoadModels(path))
    command = LoadModels(path, n_parallel=4)
    _, run_of_compare = scripted([report(command)])
    _, run_of_bench = scripted([report(command)])
    monkeypatch.setattr(compare, "engine", lambda: given(run_of_compare))
    monkeypatch.setattr(bench, "engine", lambda: given(run_of_bench))
    monkeypatch.setattr(bench, "instruments", tools)
    monkeypatch.setattr(
        compare, "instruments", lambda run_, settings: tools(run_, settings, lambda: False)
    )
    return path


# --- compare -------------------------------------------------------------------------------------


def test_compare_prints_both_answers_and_the_verdict(
    target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*COMPARE, "--max-tokens", "7", "--speculation", "auto"]) == 0
    out = capsys.readouterr().out
    text = "w0 w1 w2 w3 w4 w5 w6"
    assert f"--- Without speculation ---\n{text}" in out
    assert f"--- With (auto) ---\n{text}" in out
    assert "1.87 × in this one run" in out
    assert "same text, token for token" in out


def test_compare_as_json(target: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*COMPARE, "--max-tokens", "7", "--repeat", "4", "--json"]) == 0
    captured = capsys.readouterr()
    answer = json.loads(captured.out)
    assert answer["speed_up"]["finding"] == "faster"
    assert answer["same_text"] is True
    assert answer["energy"] == {
        "available": True,
        "scope": "gpu",
        "method": "counter",
        "reason": None,
    }
    assert [run["side"] for run in answer["runs"]][:4] == ["off", "on", "on", "off"]


def test_compare_needs_speculation(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*COMPARE, "--speculation", "off"]) == 1
    assert "--speculation auto" in capsys.readouterr().err


# --- bench ---------------------------------------------------------------------------------------


def plan(*arguments: str) -> bench.Plan:
    return bench.plan_of(parse(["bench", "--target", "t.gguf", *arguments]))


def test_defaults_follow_whether_there_is_a_draft() -> None:
    assert [arm.name for arm in plan().arms] == ["off", "lookup"]
    with_draft = plan("--draft", "d.gguf")
    assert [arm.name for arm in with_draft.arms] == ["off", "draft:3", "auto", "lookup"]
    assert [each.name for each in with_draft.workloads] == [
        "chat",
        "code-repetitive",
        "code-novel",
        "long",
    ]
    assert with_draft.most_at_once == 4


def test_options_change_the_plan() -> None:
    made = plan("--workloads", "chat,chat", "--concurrency", "2,1", "--max-tokens", "9")
    assert [each.name for each in made.conditions()] == ["chat x2", "chat x1"]
    assert made.workloads[0].max_tokens == 9


@pytest.mark.parametrize("text", ["", "0", "four", "1,,2", "17", "-1"])
def test_unclear_concurrency_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match="concurrency_unclear"):
        plan(f"--concurrency={text}")


def test_resuming_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--target", "t.gguf", "--resume"]) == 1
    assert "--out" in capsys.readouterr().err


def small(target: Path, out: Path) -> list[str]:
    size = ["--workloads", "chat", "--requests", "5", "--warmups", "0", "--max-tokens", "7"]
    return ["bench", "--target", str(target), *size, "--out", str(out)]


def test_bench_says_what_it_found_and_where_the_report_is(
    target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(small(target, tmp_path / "out")) == 0
    captured = capsys.readouterr()
    assert "chat ×1" in captured.out
    assert "0.80 × (0.80 to 0.80): slower" in captured.out
    page = Path(captured.out.splitlines()[-1].removeprefix("Report: ")).read_text()
    assert "made up" in page
    assert f"--out {tmp_path / 'out-again'}" in page
    assert "4/10" in captured.err


def test_a_stopped_bench_still_writes_its_report(
    target: Path, link: ScriptedLink, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "out" / "results.jsonl"

    def is_asked(_self: object) -> bool:
        return results.exists() and results.read_text().count('"kind":"wave"') >= 3

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench._Stop, "is_asked", is_asked)
        assert cli.main([*small(target, tmp_path / "out"), "--json"]) == bench.INTERRUPTED
    answer = json.loads(capsys.readouterr().out)
    assert answer["complete"] is False
    assert sum(row["requests"] for row in answer["rows"]) == 3


def test_an_existing_benchmark_is_refused_before_anything_is_loaded(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "results.jsonl").write_text("mine")
    monkeypatch.setattr(bench, "engine", lambda: pytest.fail("the engine was started"))
    assert cli.main(small(target, tmp_path / "out")) == 1
    assert (tmp_path / "out" / "results.jsonl").read_text() == "mine"


def test_the_costs_are_measured_once(target: Path, link: ScriptedLink, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    tools = Instruments(Asker(link, clock=link.clock), Tariff(0.3, "EUR"), {})
    first = bench._roofline(tools, LoadModels(target), folder)
    asked = len(link.commands)
    assert bench._roofline(tools, LoadModels(target), folder) == first
    assert len(link.commands) == asked
    (folder / bench.COSTS_NAME).write_text("damaged")
    assert bench._roofline(tools, LoadModels(target), folder) == first
    assert len(link.commands) == asked + 1
