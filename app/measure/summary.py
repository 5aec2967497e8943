"""From the records of a benchmark to its figures: per condition and arm. Pure.

Requests of one wave share the machine, so at several at once the intervals are a little too narrow;
the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.measure.arms import OFF
from app.measure.estimates import SpeedUp, median, percentile, speed_up
from app.measure.results import RequestRecord, Results, WaveRecord


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 95th percentile."""

    median: float
    p95: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread | None:
        """None without values."""
        return cls(median(values), percentile(values, 95)) if values else None


@dataclass(frozen=True, slots=True)
class Row:
    """One arm in one condition.

    Attributes:
        requests: how many were measured.
        tokens_per_second: of each request; total_tokens_per_second of all at once, median over
            the waves.
        accepted_per_proposal: accepted tokens / passes that verified at least one drafted token.
        acceptance_by_position: of the 1st, 2nd, ... drafted token.
        joules_per_task, joules_per_token: None where energy cannot be had for every wave.
        speed_up: against "off" on the same prompts; None for "off" itself.
        other_texts: of `compared_texts` greedy answers, how many differ from the one of "off".
    """

    workload: str
    at_once: int
    arm: str
    requests: int
    ttft_seconds: Spread
    latency_seconds: Spread
    tokens_per_second: Spread | None
    total_tokens_per_second: float | None
    generated_tokens: int
    process_bytes: int | None
    gpu_bytes: int | None
    acceptance: float | None
    accepted_per_proposal: float | None
    acceptance_by_position: tuple[float, ...]
    joules_per_task: float | None
    joules_per_token: float | None
    speed_up: SpeedUp | None
    other_texts: int
    compared_texts: int
    speeds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """All rows, in the order of the plan.

    Attributes:
        complete: everything that was planned was measured.
        crashes: waves that had to be repeated because the engine crashed.
        energy_scope, energy_method: of the joules; "" where there are none.
    """

    rows: tuple[Row, ...]
    complete: bool
    crashes: int
    energy_scope: str
    energy_method: str

    def row(self, workload: str, at_once: int, arm: str) -> Row | None:
        """One of them."""
        wanted = (workload, at_once, arm)
        return next((r for r in self.rows if (r.workload, r.at_once, r.arm) == wanted), None)

    @property
    def conditions(self) -> list[tuple[str, int]]:
        """Workload and number at once, in order."""
        return list(dict.fromkeys((row.workload, row.at_once) for row in self.rows))


def summarise(results: Results) -> Summary:
    """Figures of all that was measured so far."""
    plan = results.head["plan"]
    rows: list[Row] = []
    missing = False
    for name, waves in plan["conditions"].items():
        workload, _, number = name.rpartition(" x")
        for arm in plan["arms"]:
            key = (workload, int(number), arm)
            mine = [wave for wave in results.waves if wave.wave_key[:3] == key]
            missing = missing or len(mine) < waves
            row = _row(key, mine, results.requests) if mine else None
            if row is not None:
                rows.append(row)
    scopes = sorted({wave.energy_scope for wave in results.waves if wave.joules is not None})
    methods = sorted({wave.energy_method for wave in results.waves if wave.joules is not None})
    return Summary(
        tuple(rows),
        complete=not missing,
        crashes=sum(wave.after_crash for wave in results.waves),
        energy_scope=", ".join(scopes),
        energy_method=", ".join(methods),
    )


def _row(
    key: tuple[str, int, str], waves: Sequence[WaveRecord], requests: Iterable[RequestRecord]
) -> Row:
    of_condition = [each for each in requests if (each.workload, each.at_once) == key[:2]]
    mine = [each for each in of_condition if each.arm == key[2]]
    off = {(each.wave, each.slot): each for each in of_condition if each.arm == OFF.name}
    speeds = [each.tokens_per_second for each in mine]
    known = tuple(speed for speed in speeds if speed is not None)
    drafted, accepted = _by_position(mine, drafted=True), _by_position(mine, drafted=False)
    tokens = sum(each.generated_tokens for each in mine)
    joules = _joules(waves)
    pairs = [(each, off[place]) for each in mine if (place := (each.wave, each.slot)) in off]
    is_off = key[2] == OFF.name
    return Row(
        *key,
        requests=len(mine),
        ttft_seconds=_spread(mine, lambda each: each.ttft_seconds),
        latency_seconds=_spread(mine, lambda each: each.latency_seconds),
        tokens_per_second=Spread.of(known),
        total_tokens_per_second=_total_speed(waves),
        generated_tokens=tokens,
        process_bytes=_most(wave.process_bytes for wave in waves),
        gpu_bytes=_most(wave.gpu_bytes for wave in waves),
        acceptance=sum(accepted) / sum(drafted) if sum(drafted) else None,
        accepted_per_proposal=sum(accepted) / drafted[0] if drafted else None,
        acceptance_by_position=tuple(
            right / sent for sent, right in zip(drafted, accepted, strict=True) if sent
        ),
        joules_per_task=None if joules is None else joules / len(mine),
        joules_per_token=None if joules is None or not tokens else joules / tokens,
        speed_up=None if is_off else speed_up(_paired_speeds(pairs)),
        other_texts=0 if is_off else sum(a.token_ids != b.token_ids for a, b in pairs),
        compared_texts=0 if is_off else len(pairs),
        speeds=known,
    )


def _spread(records: Sequence[RequestRecord], what: Callable[[RequestRecord], float]) -> Spread:
    values = [what(record) for record in records]
    return Spread(median(values), percentile(values, 95))


def _paired_speeds(
    pairs: Iterable[tuple[RequestRecord, RequestRecord]],
) -> list[tuple[float, float]]:
    speeds = [(arm.tokens_per_second, off.tokens_per_second) for arm, off in pairs]
    return [(arm, off) for arm, off in speeds if arm is not None and off is not None]


def _by_position(records: Sequence[RequestRecord], *, drafted: bool) -> list[int]:
    sums: list[int] = []
    for record in records:
        counts = record.drafted_by_position if drafted else record.accepted_by_position
        sums += [0] * (len(counts) - len(sums))
        for place, count in enumerate(counts):
            sums[place] += count
    return sums


def _total_speed(waves: Sequence[WaveRecord]) -> float | None:
    speeds = [wave.tokens / wave.seconds for wave in waves if wave.seconds > 0]
    return median(speeds) if speeds else None


def _joules(waves: Sequence[WaveRecord]) -> float | None:
    """Of all waves; None if any is missing: a sum of some would look cheap."""
    known = [wave.joules for wave in waves if wave.joules is not None]
    return sum(known) if len(known) == len(waves) and known else None


def _most(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return max(known) if known else None
