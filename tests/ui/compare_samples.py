"""A comparison as a real engine would have it measured, made by hand."""

from __future__ import annotations

from dataclasses import replace

from app.engine.protocol import FinishReason, Speculation
from app.engine.stats import GenerationStats
from app.measure.answered import Answered, Moment
from app.measure.arms import Arm
from app.measure.compare import Comparison, Difference, Figures, Run, Side
from app.measure.estimates import speed_up
from app.measure.meters import Energy, PeakMemory

OFF_TEXT = "A cache keeps what was fetched before, so the next request is answered from memory."
ON_TEXT = "A cache keeps what was fetched before, so the next request is served from memory."
STATS = GenerationStats(
    prompt_tokens=30,
    prompt_seconds=0.2,
    ttft_seconds=0.3,
    generated_tokens=15,
    generation_seconds=1.4,
    target_passes=14,
    target_seconds=1.3,
)
STATS_ON = replace(
    STATS,
    generation_seconds=0.8,
    target_passes=6,
    drafted_tokens=18,
    accepted_tokens=9,
    accepted_by_position=(6, 3),
    drafted_by_position=(9, 9),
)


def answered(side: Side, text: str, stats: GenerationStats) -> Answered:
    """Words as moments, evenly spread; with speculation they come two at a time."""
    words = text.split(" ")
    step = 2 if side is Side.ON else 1
    groups = [words[at : at + step] for at in range(0, len(words), step)]
    pace = stats.generation_seconds / max(1, len(groups) - 1)
    moments = tuple(
        Moment(stats.ttft_seconds + number * pace, " ".join(group) + " ", len(group))
        for number, group in enumerate(groups)
    )
    return Answered(
        f"compare/{side}/0",
        text,
        tuple(range(len(words))),
        FinishReason.END,
        stats,
        Speculation.DRAFT if side is Side.ON else Speculation.OFF,
        moments,
    )


def comparison(
    off_text: str = OFF_TEXT, on_text: str = ON_TEXT, *, joules: float | None = 84.0
) -> Comparison:
    """One round, greedy, the texts part at one word."""
    energy = Energy(joules, "gpu", "counter") if joules else Energy(reason="energy_no_meter")
    runs = (
        Run(Side.OFF, answered(Side.OFF, off_text, STATS), energy, PeakMemory()),
        Run(Side.ON, answered(Side.ON, on_text, STATS_ON), energy, PeakMemory()),
    )
    speeds = [run.answer.stats.tokens_per_second or 0.0 for run in runs]
    return Comparison(
        arm=Arm(Speculation.AUTO),
        runs=runs,
        off=_figures(runs[0], joules),
        on=_figures(runs[1], None if joules is None else joules * 0.7),
        speed_up=speed_up([(speeds[1], speeds[0])]),
        greedy=True,
        same_text=off_text == on_text,
        difference=None
        if off_text == on_text
        else Difference(11, 62, " answered", " served", 0.12),
        energy=energy,
    )


def _figures(run: Run, joules: float | None) -> Figures:
    stats = run.answer.stats
    return Figures(
        ttft_seconds=stats.ttft_seconds,
        latency_seconds=run.answer.latency_seconds,
        tokens_per_second=stats.tokens_per_second,
        acceptance=stats.acceptance,
        tokens_per_pass=stats.tokens_per_pass,
        joules=joules,
        joules_per_token=None if joules is None else joules / stats.generated_tokens,
    )
