"""One prompt, without and with speculation, fair by construction: the same options but for the way
tokens are proposed, prompt cache cleared before each answer, one warm-up each, order alternating,
strictly one after the other on a quiet engine. Then a verdict.

Blocks; run it on a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.engine.protocol import Generate, LogitsAt
from app.engine.stats import GenerationStats
from app.errors import RequestError
from app.measure.answered import Answered
from app.measure.arms import OFF, Arm
from app.measure.asking import Asker, EngineLost, shortened
from app.measure.estimates import SpeedUp, median, speed_up
from app.measure.meters import Energy, PeakMemory

WARM_UP_TOKENS = 24
# Logits. In a batch the ten best tokens moved by up to 0.19 (Qwen2.5-Coder 0.5B Q4_K_M on a CPU;
# not at all with Q4_1), so two of them meet or part by twice that; a wrong decoder shows more.
NEAR_TIE = 0.5


class Side(StrEnum):
    """A column."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Live:
    """New text of the answer being written. `warm_up` text is not part of it."""

    side: Side
    round: int
    text: str
    stats: GenerationStats
    warm_up: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """One measured answer of one side."""

    side: Side
    answer: Answered
    energy: Energy
    peak: PeakMemory


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two greedy answers part.

    Attributes:
        token, character: place of the first difference, counted from 0.
        off_word, on_word: what each wrote there; "" where one had ended.
        gap: how far apart the target holds the two, in logits; None where one had ended, or it
            could not be asked.
    """

    token: int
    character: int
    off_word: str
    on_word: str
    gap: float | None

    @property
    def is_near_tie(self) -> bool | None:
        """Whether rounding explains it; None when the gap is not known."""
        return None if self.gap is None else abs(self.gap) <= NEAR_TIE


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians over one side's runs; None where it cannot be had."""

    ttft_seconds: float
    latency_seconds: float
    tokens_per_second: float | None
    acceptance: float | None
    tokens_per_pass: float | None
    joules: float | None
    joules_per_token: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came out.

    Attributes:
        arm: the side that speculates; the other does not.
        speed_up: of the tokens per second; None when an answer was too short to have a speed.
        greedy: temperature 0, so the texts may be compared.
        same_text: None for sampled answers: nothing is said about them.
        energy: scope and method, or the reason why there is none.
    """

    arm: Arm
    runs: tuple[Run, ...]
    off: Figures
    on: Figures
    speed_up: SpeedUp | None
    greedy: bool
    same_text: bool | None
    difference: Difference | None
    energy: Energy

    def first(self, side: Side) -> Run:
        """The run that is shown."""
        return next(run for run in self.runs if run.side is side)


def compare(
    asker: Asker,
    request: Generate,
    arm: Arm,
    *,
    repeat: int = 1,
    watch: Callable[[Live], None] = lambda _live: None,
) -> Comparison:
    """Compare `arm` with plain decoding on one prompt.

    Raises:
        EngineLost, Stopped.
        RequestError: the engine refused, is busy, or the sides did not get the same.
    """
    arms = {Side.OFF: OFF, Side.ON: arm}
    for side in arms:
        warm = shortened(_of(request, arms[side], side, 0), f"warm/{side}", WARM_UP_TOKENS)
        try:
            _ask(asker, warm, side, 0, watch)
        except EngineLost as lost:
            # The first work after a load is where a CPU module faults that this machine lacks.
            if not lost.is_restarting:
                raise
            asker.recover(lost)
            _ask(asker, warm, side, 0, watch)
    runs: list[Run] = []
    for number in range(repeat):
        order = (Side.OFF, Side.ON) if number % 2 == 0 else (Side.ON, Side.OFF)
        runs += [
            _ask(asker, _of(request, arms[side], side, number), side, number, watch)
            for side in order
        ]
    _require_same(runs)
    greedy = request.options.sampling.temperature == 0
    difference = _difference(asker, request, runs) if greedy else None
    return Comparison(
        arm=arm,
        runs=tuple(runs),
        off=_figures(runs, Side.OFF),
        on=_figures(runs, Side.ON),
        speed_up=speed_up(_speeds(runs)),
        greedy=greedy,
        same_text=difference is None if greedy else None,
        difference=difference,
        energy=runs[-1].energy,
    )


def _of(request: Generate, arm: Arm, side: Side, number: int) -> Generate:
    return replace(
        request, request_id=f"compare/{side}/{number}", options=arm.apply(request.options)
    )


def _ask(
    asker: Asker, request: Generate, side: Side, number: int, watch: Callable[[Live], None]
) -> Run:
    is_warm_up = request.request_id.startswith("warm/")

    def show(_request_id: str, text: str, stats: GenerationStats) -> None:
        watch(Live(side, number, text, stats, is_warm_up))

    asker.on_text = show
    wave = asker.ask([request])
    return Run(side, wave.answers[0], wave.energy, wave.peak)


def _require_same(runs: Sequence[Run]) -> None:
    """Raise where the sides did not get the same, or were not what they are called.

    Raises:
        RequestError: "bench_differs", "bench_arm_not_in_force".
    """
    first = runs[0].answer.stats
    for run in runs:
        stats = run.answer.stats
        if stats.prompt_tokens != first.prompt_tokens:
            raise RequestError(
                "bench_differs",
                what="prompt tokens",
                first=first.prompt_tokens,
                second=stats.prompt_tokens,
            )
        if stats.cached_tokens:
            raise RequestError(
                "bench_differs", what="kept prompt tokens", first=0, second=stats.cached_tokens
            )
        if run.side is Side.OFF and stats.drafted_tokens:
            raise RequestError(
                "bench_arm_not_in_force", arm="off", found=run.answer.speculation.value
            )


def _speeds(runs: Sequence[Run]) -> list[tuple[float, float]]:
    """(on, off) round by round."""
    by_side: dict[Side, list[float | None]] = {
        side: [run.answer.stats.tokens_per_second for run in runs if run.side is side]
        for side in Side
    }
    pairs = zip(by_side[Side.ON], by_side[Side.OFF], strict=True)
    return [(on, off) for on, off in pairs if on is not None and off is not None]


def _figures(runs: Sequence[Run], side: Side) -> Figures:
    mine = [run for run in runs if run.side is side]
    stats = [run.answer.stats for run in mine]
    joules = [run.energy.joules for run in mine]
    per_token = [
        None if run.energy.joules is None else run.energy.joules / max(1, each.generated_tokens)
        for run, each in zip(mine, stats, strict=True)
    ]
    return Figures(
        ttft_seconds=median([each.ttft_seconds for each in stats]),
        latency_seconds=median([run.answer.latency_seconds for run in mine]),
        tokens_per_second=_median_of([each.tokens_per_second for each in stats]),
        acceptance=_median_of([each.acceptance for each in stats]),
        tokens_per_pass=_median_of([each.tokens_per_pass for each in stats]),
        joules=_median_of(joules),
        joules_per_token=_median_of(per_token),
    )


def _median_of(values: Sequence[float | None]) -> float | None:
    """None if any is missing: a median of some would not say of which."""
    known = [value for value in values if value is not None]
    return median(known) if known and len(known) == len(values) else None


def _difference(asker: Asker, request: Generate, runs: Sequence[Run]) -> Difference | None:
    """The earliest difference between an answer without and one with speculation."""
    off = [run.answer for run in runs if run.side is Side.OFF]
    on = [run.answer for run in runs if run.side is Side.ON]
    pairs = [(a, b, place) for a in off for b in on if (place := _parting(a, b)) is not None]
    if not pairs:
        return None
    left, right, place = min(pairs, key=lambda pair: pair[2])
    texts: tuple[str, ...] = ("", "")
    gap: float | None = None
    ids = (left.token_ids[place : place + 1], right.token_ids[place : place + 1])
    candidates = (*ids[0], *ids[1])
    read = asker.logits_at(
        LogitsAt(
            "compare/difference",
            request.messages,
            request.prompt,
            left.token_ids[:place],
            candidates,
        )
    )
    words = iter(read.texts)
    texts = tuple(next(words) if each else "" for each in ids)
    if ids[0] and ids[1]:
        gap = read.logits[0] - read.logits[1]
    return Difference(place, common_length(left.text, right.text), texts[0], texts[1], gap)


def _parting(left: Answered, right: Answered) -> int | None:
    """Index of the first token that differs; None when the answers are the same."""
    if left.token_ids == right.token_ids:
        return None
    return common_length(left.token_ids, right.token_ids)


def common_length(left: Sequence[object], right: Sequence[object]) -> int:
    """How many leading items agree."""
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return place
    return min(len(left), len(right))
