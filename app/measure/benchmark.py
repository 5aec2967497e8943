"""Running a benchmark: all steps of a plan, every finished request written at once, the same
settings checked, crashes survived, stopped at any time without losing anything.

Blocks; run it on a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.engine.protocol import LoadModels, ModelsLoaded, Speculation
from app.errors import RequestError
from app.measure.answered import Answered, Wave
from app.measure.arms import OFF
from app.measure.asking import Asker, EngineLost
from app.measure.plan import Plan, Step
from app.measure.progress import Progress, Remaining
from app.measure.results import (
    RequestRecord,
    Results,
    ResultsError,
    ResultsFile,
    WaveRecord,
    read,
)
from app.measure.testbed import Circumstances, settings_of

MOST_CRASHES = 3  # in a row, in one step: then it is the step that crashes the engine
RESULTS_NAME = "results.jsonl"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The pair that is measured."""

    command: LoadModels
    report: ModelsLoaded


class Benchmark:
    """One benchmark in one folder."""

    def __init__(
        self,
        plan: Plan,
        asker: Asker,
        loaded: Loaded,
        folder: Path,
        on_progress: Callable[[Progress], None] = lambda _progress: None,
    ) -> None:
        """Prepare; nothing is asked or written yet.

        Raises:
            RequestError: "bench_needs_draft", "bench_needs_parallel".
        """
        for arm in plan.arms:
            if arm.needs_draft and loaded.report.draft is None:
                raise RequestError("bench_needs_draft", arm=arm.name)
        if plan.most_at_once > loaded.report.n_parallel:
            raise RequestError(
                "bench_needs_parallel", wanted=plan.most_at_once, loaded=loaded.report.n_parallel
            )
        self._plan = plan
        self._asker = asker
        self._loaded = loaded
        self._file = ResultsFile(folder / RESULTS_NAME)
        self._path = folder / RESULTS_NAME
        self._on_progress = on_progress
        self._clock = Remaining(plan)
        self._prompt_tokens: dict[tuple[str, str], int] = {}
        self._crashes = 0

    def run(self, circumstances: Circumstances, *, resume: bool = False) -> Results:
        """Ask all that is not in the results file yet; returns what it holds at the end.

        Raises:
            Stopped: on request; what was measured is kept.
            ResultsError: the file exists and `resume` is off, belongs to other settings, or cannot
                be written.
            RequestError: what should be equal is not, or the engine keeps crashing.
        """
        done = self._begin(circumstances, resume=resume)
        for condition in self._plan.conditions():
            steps = list(self._plan.steps(condition))
            if all(step.key in done for step in steps if not step.warm_up):
                continue
            for step in steps:
                if step.warm_up or step.key not in done:
                    self._do(step)
        return read(self._path)

    def _begin(
        self, circumstances: Circumstances, *, resume: bool
    ) -> frozenset[tuple[str, int, str, int]]:
        head = {"plan": self._plan.to_json(), "circumstances": circumstances.to_json()}
        if not (resume and self._path.exists()):
            self._file.begin({"begun_at": datetime.now(UTC).isoformat(timespec="seconds"), **head})
            return frozenset()
        results = read(self._path)
        _require_same(results, self._plan, circumstances)
        self._file.mend()
        for record in results.requests:
            self._check_prompt(record.workload, record.prompt, record.prompt_tokens)
        self._clock.resumed(results)
        return results.done

    def _do(self, step: Step) -> None:
        """One wave, repeated after a crash."""
        after_crash = False
        for attempt in range(1, MOST_CRASHES + 1):
            self._tell(step)
            try:
                wave = self._ask(step)
            except EngineLost as lost:
                self._crashes += 1
                if attempt == MOST_CRASHES:
                    raise RequestError(
                        "bench_engine_keeps_crashing",
                        condition=step.condition.name,
                        arm=step.arm.name,
                        times=attempt,
                        reason=str(lost.detail.get("reason", "")),
                    ) from lost
                self._recover(lost)
                after_crash = True
                continue
            if not step.warm_up:
                self._file.append(_wave_record(step, wave, after_crash=after_crash))
                self._clock.took(step, wave)
            return

    def _ask(self, step: Step) -> Wave:
        requests = self._plan.generates(step)
        slots = {request.request_id: slot for slot, request in enumerate(requests)}

        def keep(answer: Answered) -> None:
            record = _request_record(step, slots[answer.request_id], answer)
            self._check(step, record, answer)
            if not step.warm_up:
                self._file.append(record)

        self._asker.on_answer = keep
        return self._asker.ask(requests)

    def _recover(self, lost: EngineLost) -> None:
        """Start the engine again; the pair must be placed as before."""
        for attempt in range(1, MOST_CRASHES + 1):
            try:
                report = self._asker.recover(lost)
            except EngineLost as again:
                if attempt == MOST_CRASHES:
                    raise
                lost = again
                continue
            was = settings_of(self._loaded.command, self._loaded.report)
            now = settings_of(self._loaded.command, report)
            for name, value in was.items():
                if now[name] != value:
                    raise RequestError("bench_differs", what=name, first=value, second=now[name])
            return

    # what must be equal

    def _check(self, step: Step, record: RequestRecord, answer: Answered) -> None:
        """Raise where an arm did not get the same as the others, or was not what it is called.

        Raises:
            RequestError: "bench_differs", "bench_arm_not_in_force".
        """
        self._check_prompt(record.workload, record.prompt, record.prompt_tokens)
        if record.cached_tokens:
            raise RequestError(
                "bench_differs", what="kept prompt tokens", first=0, second=record.cached_tokens
            )
        drafted, depth = record.drafted_by_position, step.arm.depth
        is_wrong = (
            (step.arm == OFF and bool(drafted))
            or (depth is not None and len(drafted) > depth)
            or (step.arm.needs_draft and answer.speculation is Speculation.OFF)
        )
        if is_wrong:
            raise RequestError(
                "bench_arm_not_in_force", arm=step.arm.name, found=answer.speculation.value
            )

    def _check_prompt(self, workload: str, prompt: str, tokens: int) -> None:
        first = self._prompt_tokens.setdefault((workload, prompt), tokens)
        if first != tokens:
            what = f"prompt tokens of {workload}/{prompt}"
            raise RequestError("bench_differs", what=what, first=first, second=tokens)

    def _tell(self, step: Step) -> None:
        done, total = self._clock.counts
        self._on_progress(
            Progress(
                done,
                total,
                self._clock.remaining_seconds(),
                step.condition.name,
                step.arm.name,
                ", ".join(prompt.name for prompt in step.prompts),
                step.warm_up,
                self._crashes,
            )
        )


def _require_same(results: Results, plan: Plan, circumstances: Circumstances) -> None:
    """Raise unless a benchmark may go on: same plan, files, settings, machine and versions.

    Raises:
        ResultsError: "results_differ" with the first field that does.
    """
    mine = {"plan": plan.to_json(), "circumstances": circumstances.to_json()}
    for part, now in mine.items():
        was = results.head.get(part)
        if not isinstance(was, dict):
            raise ResultsError("results_differ", what=part, first=str(was), second="")
        for name, value in now.items():
            if was.get(name) != _plain(value):
                raise ResultsError(
                    "results_differ",
                    what=f"{part}: {name}",
                    first=str(was.get(name)),
                    second=str(value),
                )


def _plain(value: object) -> object:
    """As JSON would give it back."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def _request_record(step: Step, slot: int, answer: Answered) -> RequestRecord:
    stats = answer.stats
    return RequestRecord(
        workload=step.condition.workload.name,
        at_once=step.condition.at_once,
        arm=step.arm.name,
        wave=step.wave,
        slot=slot,
        prompt=step.prompts[slot].name,
        prompt_tokens=stats.prompt_tokens,
        cached_tokens=stats.cached_tokens,
        ttft_seconds=stats.ttft_seconds,
        latency_seconds=answer.latency_seconds,
        generated_tokens=stats.generated_tokens,
        generation_seconds=stats.generation_seconds,
        target_passes=stats.target_passes,
        drafted_by_position=stats.drafted_by_position,
        accepted_by_position=stats.accepted_by_position,
        finish_reason=answer.reason.value,
        token_ids=answer.token_ids,
    )


def _wave_record(step: Step, wave: Wave, *, after_crash: bool) -> WaveRecord:
    return WaveRecord(
        workload=step.condition.workload.name,
        at_once=step.condition.at_once,
        arm=step.arm.name,
        wave=step.wave,
        seconds=wave.seconds,
        tokens=wave.tokens,
        process_bytes=wave.peak.process_bytes,
        gpu_bytes=wave.peak.gpu_bytes,
        joules=wave.energy.joules,
        energy_scope=wave.energy.scope,
        energy_method=wave.energy.method,
        energy_reason=wave.energy.reason,
        after_crash=after_crash,
    )
