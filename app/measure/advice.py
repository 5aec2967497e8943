"""What to change, judged by what was measured. Each piece of advice carries the numbers it rests
on, as a code for app.messages and its values. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.engine.protocol import Detail, KvType, LoadedModel, ModelsLoaded
from app.engine.stats import GenerationStats
from app.measure.estimates import Finding
from app.measure.roofline import Roofline
from app.measure.summary import Row, Summary

LOW_ACCEPTANCE = 0.5
ENOUGH_DRAFTED = 64  # below, an acceptance is chance
MARGIN_BYTES = 1 << 30
GOOD_SHARE = 0.1  # of the target's size: the draft that usually pays
MIB = 1 << 20
# Bytes of a cached number, block scales included.
_KV_BYTES = {KvType.F16: 2.0, KvType.Q8_0: 34 / 32, KvType.Q4_0: 18 / 32}


@dataclass(frozen=True, slots=True)
class Advice:
    """A code for app.messages and the numbers."""

    code: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OtherDraft:
    """A draft that would fit the target: a name to show and its parameters."""

    name: str
    parameters: int


def on_acceptance(
    stats: GenerationStats,
    loaded: ModelsLoaded,
    roofline: Roofline | None = None,
    others: Sequence[OtherDraft] = (),
) -> list[Advice]:
    """Acceptance under a half: shorter drafts, or another draft, and which."""
    acceptance = stats.acceptance
    if acceptance is None or stats.drafted_tokens < ENOUGH_DRAFTED or acceptance >= LOW_ACCEPTANCE:
        return []
    numbers: Detail = {
        "percent": round(acceptance * 100),
        "drafted": stats.drafted_tokens,
        "depth": round(stats.mean_depth or 0.0, 1),
    }
    found: list[Advice] = []
    if roofline is not None:
        best = roofline.best_depth(_chance(stats))
        if best.depth == 0:
            return [Advice("advice_switch_off", numbers)]
        if best.depth < (stats.mean_depth or 0.0) - 0.5:
            gain = round((best.speed_up - 1) * 100)
            found.append(Advice("advice_shorter", numbers | {"best": best.depth, "gain": gain}))
    other = _better(others, loaded) if loaded.draft is not None else None
    if other is not None:
        found.append(Advice("advice_other_draft", numbers | {"name": other.name}))
    return found or [Advice("advice_low_acceptance", numbers)]


def _chance(stats: GenerationStats) -> float:
    """Chance that a drafted token is right if those before it were: the first position, where no
    earlier refusal plays in.
    """
    return stats.accepted_by_position[0] / stats.drafted_by_position[0]


def _better(others: Sequence[OtherDraft], loaded: ModelsLoaded) -> OtherDraft | None:
    """A larger draft guesses better; of those not beyond a tenth of the target, the largest."""
    assert loaded.draft is not None
    fitting = [
        each
        for each in others
        if loaded.draft.parameters < each.parameters <= loaded.target.parameters * GOOD_SHARE
    ]
    return max(fitting, key=lambda each: each.parameters, default=None)


def on_bound(roofline: Roofline) -> list[Advice]:
    """Compute-bound: say so, and what it means here."""
    if roofline.is_memory_bound:
        return []
    rows, ratio = roofline.spoken
    numbers: Detail = {"rows": rows, "ratio": round(ratio, 2)}
    pays = roofline.pays_from()
    if pays is None:
        return [Advice("advice_compute_bound_never", numbers)]
    depth, least = pays
    percent = round(least * 100)
    return [Advice("advice_compute_bound", numbers | {"depth": depth, "percent": percent})]


def on_headroom(
    loaded: ModelsLoaded, free_bytes: int, margin_bytes: int = MARGIN_BYTES
) -> list[Advice]:
    """Headroom short: what to change, and what each change frees; the largest first."""
    if free_bytes >= margin_bytes:
        return []
    numbers: Detail = {"free": free_bytes // MIB, "margin": margin_bytes // MIB}
    ways = [("advice_drop_draft", loaded.draft.memory.total_bytes if loaded.draft else 0)]
    cache = _kv_bytes(loaded.target)
    ways.append(("advice_halve_context", (cache + _kv_bytes(loaded.draft)) // 2))
    if loaded.kv_type is KvType.F16:
        kept = _KV_BYTES[KvType.Q8_0] / _KV_BYTES[KvType.F16]
        ways.append(("advice_smaller_cache", int(cache * (1 - kept))))
    ways.sort(key=lambda way: -way[1])
    steps = [
        Advice(code, {"freed": freed // MIB, "context": loaded.n_ctx, "half": loaded.n_ctx // 2})
        for code, freed in ways
        if freed >= MIB
    ]
    return [Advice("advice_headroom_short", numbers), *steps]


def _kv_bytes(model: LoadedModel | None) -> int:
    if model is None:
        return 0
    return sum(kinds.get("kv", 0) for kinds in model.memory.by_device.values())


def on_benchmark(summary: Summary) -> list[Advice]:
    """What a benchmark says: the arm to use for each kind of work, and whether the gain is gone
    with several answers at once.
    """
    found: list[Advice] = []
    for workload, at_once in summary.conditions:
        best = _best(summary, workload, at_once)
        if best is None:
            found.append(Advice("advice_no_arm", {"workload": workload, "at_once": at_once}))
            continue
        numbers = _numbers(best)
        found.append(Advice("advice_best_arm", numbers))
        if at_once > 1:
            continue
        for other in _at_once(summary, best):
            assert other.speed_up is not None
            many: Detail = {
                "many": other.at_once,
                "many_factor": f"{other.speed_up.factor:.2f}",
                "finding": other.speed_up.finding.value,
            }
            found.append(Advice("advice_gone_at_once", numbers | many))
    return found


def _best(summary: Summary, workload: str, at_once: int) -> Row | None:
    """The arm with the largest speed-up that is shown; None if none is faster than off."""
    rows = [row for row in summary.rows if (row.workload, row.at_once) == (workload, at_once)]
    faster = [row for row in rows if row.speed_up and row.speed_up.finding is Finding.FASTER]
    return max(faster, key=lambda row: row.speed_up.factor if row.speed_up else 0.0, default=None)


def _at_once(summary: Summary, best: Row) -> list[Row]:
    """The same arm and work with several at once, where it does not gain any more."""
    return [
        row
        for row in summary.rows
        if (row.workload, row.arm) == (best.workload, best.arm)
        and row.at_once > 1
        and row.speed_up is not None
        and row.speed_up.finding in (Finding.SLOWER, Finding.NO_DIFFERENCE)
    ]


def _numbers(row: Row) -> Detail:
    assert row.speed_up is not None
    return {
        "workload": row.workload,
        "at_once": row.at_once,
        "arm": row.arm,
        "factor": f"{row.speed_up.factor:.2f}",
        "low": f"{row.speed_up.low:.2f}",
        "high": f"{row.speed_up.high:.2f}",
        "requests": row.requests,
    }
