"""Benchmarks on an engine of known timings: numbers, interleaving, crashes, stops, resuming."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.protocol import Generate, Speculation
from app.errors import RequestError
from app.measure.arms import parse_arms
from app.measure.asking import Stopped
from app.measure.benchmark import RESULTS_NAME, Benchmark, Loaded
from app.measure.progress import Progress
from app.measure.results import ResultsError, read
from app.measure.summary import Row, Summary, summarise
from tests.unit.measure.bench_help import a_benchmark, a_plan, an_asker, circumstances, run
from tests.unit.measure.scripted_link import (
    FAST,
    PROMPT_SECONDS,
    SLOW,
    WATTS,
    Pace,
    ScriptedLink,
    is_cleared_before_each,
    load_command,
    loaded,
    pace_of,
)

TOKENS = 31


def close(value: float) -> object:
    return pytest.approx(value, rel=0.01)


def row(summary: Summary, *key: object) -> Row:
    found = summary.row(*key)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_every_number_is_right(tmp_path: Path) -> None:
    summary = summarise(run(ScriptedLink(), tmp_path))
    assert summary.complete
    off, fast = row(summary, "chat", 1, "off"), row(summary, "chat", 1, "draft:3")
    slow = row(summary, "chat", 1, "lookup")
    assert (off.requests, fast.requests) == (6, 6)
    assert off.ttft_seconds.median == close(PROMPT_SECONDS)
    assert off.latency_seconds.p95 == close(PROMPT_SECONDS + 3.0)
    assert off.tokens_per_second is not None
    assert fast.tokens_per_second is not None
    assert off.tokens_per_second.median == close(10.0)
    assert fast.tokens_per_second.median == close(FAST.speed)
    assert off.total_tokens_per_second == close(TOKENS / 3.5)
    assert fast.acceptance == close(2 / 3)
    assert fast.accepted_per_proposal == close(2.0)
    assert fast.acceptance_by_position == (1.0, 1.0, 0.0)
    assert off.joules_per_task == close(WATTS * 3.5)
    assert fast.joules_per_token == close(WATTS * (0.5 + 10 * FAST.seconds) / TOKENS)
    assert off.acceptance is None
    assert fast.speed_up is not None
    assert slow.speed_up is not None
    assert fast.speed_up.factor == close(1.875)
    assert slow.speed_up.factor == close(SLOW.speed / 10)
    assert slow.speed_up.finding.value == "slower"
    assert off.process_bytes is not None
    assert (summary.energy_scope, summary.energy_method) == ("gpu", "counter")


def test_four_at_once_share_the_passes(tmp_path: Path) -> None:
    summary = summarise(run(ScriptedLink(), tmp_path))
    four = row(summary, "long", 4, "off")
    assert four.requests == 4
    # the prompts come one after the other, each pass then serves all four
    wave = 4 * PROMPT_SECONDS + 3.0
    assert four.total_tokens_per_second == close(4 * TOKENS / wave)
    assert four.joules_per_task == close(WATTS * wave / 4)


def test_each_request_is_on_the_disk_before_the_next_is_asked(tmp_path: Path) -> None:
    link = ScriptedLink()
    path = tmp_path / RESULTS_NAME
    lines: list[int] = []
    send = link.send

    def look_and_send(command: object) -> None:
        if isinstance(command, Generate) and command.request_id.startswith("bench/chat"):
            lines.append(len(path.read_text().splitlines()))
        send(command)  # type: ignore[arg-type]

    link.send = look_and_send  # type: ignore[method-assign]
    run(link, tmp_path)
    assert lines == [1 + 2 * number for number in range(len(lines))]


def test_everything_starts_cold(tmp_path: Path) -> None:
    link = ScriptedLink()
    run(link, tmp_path)
    assert is_cleared_before_each(link.commands)


def test_remaining_time_and_counts(tmp_path: Path) -> None:
    link = ScriptedLink()
    seen: list[Progress] = []
    command = load_command()
    benchmark = Benchmark(
        a_plan(), an_asker(link), Loaded(command, loaded(command)), tmp_path, seen.append
    )
    benchmark.run(circumstances())
    assert seen[0].remaining_seconds is None
    assert seen[-1].done == seen[-1].total - 4
    known = [each for each in seen if each.remaining_seconds is not None]
    assert known[0].remaining_seconds != known[-1].remaining_seconds
    last = known[-1].remaining_seconds
    assert last is not None
    assert 2.0 < last < 8.0  # one wave of four


# --- crashes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [1, 6, 20, 40])
def test_a_crash_costs_one_wave_and_changes_no_number(tmp_path: Path, at: int) -> None:
    calm = summarise(run(ScriptedLink(), tmp_path / "calm"))
    link = ScriptedLink(crashes={at})
    results = run(link, tmp_path / "crash")
    assert link.restarts == 1
    shaken = summarise(results)
    assert shaken.complete
    assert shaken.crashes == sum(wave.after_crash for wave in results.waves)
    for was, now in zip(calm.rows, shaken.rows, strict=True):
        assert now.requests == was.requests
        assert now.latency_seconds.median == close(was.latency_seconds.median)


def test_an_engine_that_keeps_crashing_ends_it_and_keeps_what_there_was(tmp_path: Path) -> None:
    link = ScriptedLink(crashes=set(range(12, 40)))
    with pytest.raises(RequestError, match="bench_engine_keeps_crashing"):
        run(link, tmp_path)
    assert len(read(tmp_path / RESULTS_NAME).waves) == 7
    again = ScriptedLink()
    assert summarise(run(again, tmp_path, resume=True)).complete


def test_an_engine_that_comes_back_smaller_is_not_the_same(tmp_path: Path) -> None:
    link = ScriptedLink(crashes={9})
    benchmark = a_benchmark(link, tmp_path)
    link.report = loaded(load_command(), n_ctx=2048)
    with pytest.raises(RequestError, match="bench_differs"):
        benchmark.run(circumstances())


# --- stopping and resuming -----------------------------------------------------------------------


def stopped_after(folder: Path, waves: int) -> None:
    """A benchmark that was stopped when some waves were done."""
    link = ScriptedLink()
    benchmark = a_benchmark(link, folder)
    path = folder / RESULTS_NAME

    def should_stop() -> bool:
        return path.exists() and path.read_text().count('"kind":"wave"') >= waves

    benchmark._asker.should_stop = should_stop
    with pytest.raises(Stopped):
        benchmark.run(circumstances())


@pytest.mark.parametrize("waves", [1, 5, 24, 30])
def test_a_stopped_benchmark_goes_on_and_ends_as_if_never_stopped(
    tmp_path: Path, waves: int
) -> None:
    stopped_after(tmp_path / "a", waves)
    assert not summarise(read(tmp_path / "a" / RESULTS_NAME)).complete
    link = ScriptedLink()
    resumed = run(link, tmp_path / "a", resume=True)
    whole = run(ScriptedLink(), tmp_path / "b")
    assert len(resumed.requests) == len(whole.requests)
    assert {wave.wave_key for wave in resumed.waves} == {wave.wave_key for wave in whole.waves}
    for was, now in zip(summarise(whole).rows, summarise(resumed).rows, strict=True):
        assert replace(now, process_bytes=None) == replace(was, process_bytes=None)
    asked = [c.request_id for c in link.commands if isinstance(c, Generate)]
    assert len([name for name in asked if name.startswith("bench/")]) < len(whole.requests)


def test_a_half_written_line_is_dropped_and_measured_again(tmp_path: Path) -> None:
    stopped_after(tmp_path, 5)
    path = tmp_path / RESULTS_NAME
    path.write_bytes(path.read_bytes()[:-40])
    assert len(read(path).waves) == 4
    assert summarise(run(ScriptedLink(), tmp_path, resume=True)).complete
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_an_existing_benchmark_is_not_overwritten(tmp_path: Path) -> None:
    run(ScriptedLink(), tmp_path)
    before = (tmp_path / RESULTS_NAME).read_bytes()
    with pytest.raises(ResultsError, match="results_exist"):
        run(ScriptedLink(), tmp_path)
    assert (tmp_path / RESULTS_NAME).read_bytes() == before


def test_resuming_with_other_settings_is_refused(tmp_path: Path) -> None:
    run(ScriptedLink(), tmp_path)
    with pytest.raises(ResultsError, match="plan: conditions"):
        run(ScriptedLink(), tmp_path, a_plan(requests=9), resume=True)
    command = load_command()
    other = Benchmark(
        a_plan(), an_asker(ScriptedLink()), Loaded(command, loaded(command)), tmp_path
    )
    with pytest.raises(ResultsError, match="circumstances: machine"):
        other.run(circumstances(processor="another"), resume=True)


def test_a_finished_one_resumes_to_nothing(tmp_path: Path) -> None:
    first = run(ScriptedLink(), tmp_path)
    link = ScriptedLink()
    assert run(link, tmp_path, resume=True) == first
    assert not link.commands


# --- what must be equal --------------------------------------------------------------------------


def test_arms_that_need_a_draft_are_refused_without_one(tmp_path: Path) -> None:
    command = load_command()
    report = loaded(command, draft=None)
    with pytest.raises(RequestError, match="bench_needs_draft"):
        Benchmark(a_plan(), an_asker(ScriptedLink()), Loaded(command, report), tmp_path)


def test_a_pair_loaded_for_too_few_at_once_is_refused(tmp_path: Path) -> None:
    command = load_command(n_parallel=1)
    with pytest.raises(RequestError, match="bench_needs_parallel"):
        Benchmark(a_plan(), an_asker(ScriptedLink()), Loaded(command, loaded(command)), tmp_path)


def test_kept_prompt_tokens_are_noticed(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="kept prompt tokens"):
        run(ScriptedLink(cached_tokens=2), tmp_path)


@pytest.mark.parametrize(
    ("speculation", "pace"),
    [
        (Speculation.OFF, Pace(0.1, depth=1, accepted=1)),
        (Speculation.DRAFT, Pace(0.1, depth=4, accepted=1)),
    ],
)
def test_an_arm_that_is_not_what_it_is_called(
    tmp_path: Path, speculation: Speculation, pace: Pace
) -> None:
    def wrong(request: Generate) -> Pace:
        return pace if request.options.speculation is speculation else pace_of(request)

    with pytest.raises(RequestError, match="bench_arm_not_in_force"):
        run(ScriptedLink(pace=wrong), tmp_path)


def test_texts_that_differ_from_off_are_counted(tmp_path: Path) -> None:
    def write(request: Generate, count: int) -> list[int]:
        shift = request.options.speculation is Speculation.LOOKUP and count > 24
        return [token + shift for token in range(count)]

    summary = summarise(
        run(ScriptedLink(words=write), tmp_path, a_plan(arms=parse_arms("auto,lookup")))
    )
    assert (
        row(summary, "chat", 1, "lookup").other_texts,
        row(summary, "chat", 1, "auto").other_texts,
    ) == (6, 0)
