"""`bench`: workloads, arms, a report; may be stopped and resumed."""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import FrameType

from app.cli.chat import say_steps
from app.cli.engine_run import engine, load_command, settings_or_usual
from app.cli.instruments import Instruments, instruments
from app.cli.roofline import keep_profile
from app.engine.depth_profile import DepthProfile
from app.engine.protocol import LoadModels, Measure
from app.errors import RequestError
from app.hub.gguf import read_model_file
from app.measure import report, words
from app.measure.against import Against, set_against
from app.measure.arms import parse_arms
from app.measure.asking import Stopped
from app.measure.benchmark import RESULTS_NAME, Benchmark, Loaded
from app.measure.plan import Plan
from app.measure.progress import Progress
from app.measure.report_data import to_json
from app.measure.report_files import write
from app.measure.results import Results, ResultsError, read
from app.measure.roofline import Roofline, bytes_per_pass
from app.measure.testbed import Surroundings, describe
from app.measure.workloads import load
from app.messages import describe as say
from app.messages import sentence
from app.paths import ensure, folders

INTERRUPTED = 130
COSTS_NAME = "costs.json"
ROOFLINE_REPETITIONS = 3
MOST_AT_ONCE = 16
ARMS_WITH_DRAFT = "off,draft:3,auto,lookup"
ARMS_WITHOUT = "off,lookup"


def run(arguments: argparse.Namespace) -> int:
    """Measure, write the report, say where it is; 130 when stopped, with a report all the same."""
    plan = plan_of(arguments)
    folder = _folder(arguments)
    if not arguments.resume and (folder / RESULTS_NAME).exists():
        raise ResultsError("results_exist", path=str(folder / RESULTS_NAME))
    earlier = _results_in(arguments.against) if arguments.against is not None else None
    command = replace(load_command(arguments), n_parallel=plan.most_at_once)
    stop = _Stop()
    with engine() as run_:
        loaded = Loaded(command, run_.load(command))
        say_steps(loaded.report)
        with instruments(run_, settings_or_usual(), stop.is_asked) as tools, stop.listening():
            around = Surroundings(tools.machine, run_.started)
            circumstances = describe(command, loaded.report, around)
            benchmark = Benchmark(plan, tools.asker, loaded, folder, _show)
            roofline = None
            try:
                roofline = _roofline(tools, command, folder)
                benchmark.run(circumstances, resume=arguments.resume)
            except Stopped as stopped:
                stop.happened = True
                print(f"\n{say(stopped)}", file=sys.stderr)
    results = _results_in(folder)
    made = report.make(results, tools.tariff, roofline, _command_line(arguments, folder))
    against = set_against(earlier, results) if earlier is not None else None
    _tell(made, folder, against, as_json=arguments.json)
    return INTERRUPTED if stop.happened else 0


def plan_of(arguments: argparse.Namespace) -> Plan:
    """The plan that the options describe.

    Raises:
        RequestError: "workload_unknown", "arm_unknown", "concurrency_unclear".
    """
    named = dict.fromkeys(name.strip() for name in arguments.workloads.split(","))
    workloads = [kind for name in named for kind in load(name)]
    wanted = arguments.arms
    if wanted is None:
        wanted = ARMS_WITH_DRAFT if arguments.draft is not None else ARMS_WITHOUT
    return Plan(
        workloads=tuple(each.with_limit(arguments.max_tokens) for each in workloads),
        arms=parse_arms(wanted),
        requests=arguments.requests,
        warm_ups=arguments.warmups,
        concurrency=_concurrency(arguments.concurrency),
    )


def _concurrency(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        numbers = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        numbers = ()
    if not numbers or not all(1 <= number <= MOST_AT_ONCE for number in numbers):
        raise RequestError("concurrency_unclear", text=text, most=MOST_AT_ONCE)
    return numbers


def _folder(arguments: argparse.Namespace) -> Path:
    if arguments.out is not None:
        folder: Path = arguments.out.absolute()
        return folder
    if arguments.resume:
        raise RequestError("resume_needs_folder")
    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return folders().data / "benchmarks" / f"{now}-{arguments.target.stem}"


def _results_in(folder: Path) -> Results:
    """Of a folder, or of the file itself.

    Raises:
        ResultsError: it cannot be read.
    """
    return read(folder / RESULTS_NAME if folder.is_dir() else folder)


def _roofline(tools: Instruments, command: LoadModels, folder: Path) -> Roofline:
    """The pair's costs, for the report and for the pair's profile; of a resumed benchmark, those
    it began with.
    """
    kept = folder / COSTS_NAME
    costs = DepthProfile.from_json(_text_of(kept)) if kept.exists() else DepthProfile()
    if not costs.verify_seconds:
        print("Measuring what a pass costs ...", file=sys.stderr)
        measured = tools.asker.measure(Measure("roofline", repetitions=ROOFLINE_REPETITIONS))
        keep_profile(command, measured)
        costs = DepthProfile(measured.verify_seconds, measured.draft_seconds or 0.0)
        _keep(kept, costs.to_json())
    header = read_model_file(command.target)
    return Roofline(costs.verify_seconds, costs.draft_seconds or None, bytes_per_pass(header))


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # then it is measured again


def _keep(path: Path, text: str) -> None:
    try:
        ensure(path.parent)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResultsError("results_unwritable", path=str(path), reason=reason) from error


def _show(progress: Progress) -> None:
    """One line on standard error, drawn over the one before."""
    what = "warming up" if progress.warm_up else progress.prompt
    left = words.duration(progress.remaining_seconds)
    line = f"{progress.done}/{progress.total}  {progress.condition}  {progress.arm}  {what}"
    crashes = f", {progress.crashes} crashes" if progress.crashes else ""
    line = f"{line[:80]}  ({left} left{crashes})"
    if sys.stderr.isatty():
        print(f"\r{line:<118}", end="", file=sys.stderr, flush=True)
    elif not progress.warm_up:
        print(line, file=sys.stderr, flush=True)


def _tell(made: report.Report, folder: Path, against: Against | None, *, as_json: bool) -> None:
    """Write the files, and say what they say.

    Raises:
        ResultsError: "results_unwritable".
    """
    files = write(made, folder)
    if as_json:
        answer = to_json(made) | {"files": {name: str(path) for name, path in files.items()}}
        answer["against"] = None if against is None else words.against(against)
        print(json.dumps(answer, ensure_ascii=False))
        return
    print(file=sys.stderr)
    for row in made.summary.rows:
        speed = row.tokens_per_second.median if row.tokens_per_second else None
        gain = "" if row.speed_up is None else f"{words.factor(row.speed_up)}: "
        print(
            f"{row.workload + ' ×' + str(row.at_once):<20} {row.arm:<9} {row.requests:3d} requests"
            f"  {words.number(speed, 'tok/s'):>14}  {gain}{words.finding(row.speed_up)}"
        )
    for advice in made.advice:
        print(sentence(advice.code, advice.detail))
    for line in words.against(against) if against is not None else ():
        print(line)
    print(f"Report: {files['report.html']}")


def _command_line(arguments: argparse.Namespace, folder: Path) -> str:
    """What repeats this benchmark in a new folder."""
    parts = ["bench", "--target", str(arguments.target)]
    if arguments.draft is not None:
        parts += ["--draft", str(arguments.draft)]
    for name in ("workloads", "arms", "requests", "warmups", "concurrency", "max_tokens", "ctx"):
        value = getattr(arguments, name)
        if value is not None:
            parts += [f"--{name.replace('_', '-')}", str(value)]
    parts += ["--out", str(folder.with_name(folder.name + "-again"))]
    return f"main.py {shlex.join(parts)}"


class _Stop:
    """Ctrl-C: the first one ends the benchmark properly, the second at once.

    Attributes:
        happened: the benchmark was stopped by it.
    """

    def __init__(self) -> None:
        self._asked = False
        self.happened = False

    def is_asked(self) -> bool:
        """Whether to stop."""
        return self._asked

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take Ctrl-C while the block runs; only the main thread may."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
