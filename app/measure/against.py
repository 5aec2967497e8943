"""Two benchmarks beside each other: what differs between them, and how much faster the second is.
Refused where something differs that should be equal. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.measure.estimates import SpeedUp, speed_up
from app.measure.results import RequestRecord, Results, ResultsError
from app.measure.summary import Row, summarise

_MODEL_PARTS = ("target", "draft")
_EQUAL_SETTINGS = ("context", "KV cache", "answers at once")


@dataclass(frozen=True, slots=True)
class Change:
    """One condition and arm in both.

    Attributes:
        speed: of the second against the first, on the same prompts.
        agree: whether the intervals of their speed-ups over "off" overlap; None for "off" itself,
            or where there is no interval.
    """

    workload: str
    at_once: int
    arm: str
    speed: SpeedUp | None
    agree: bool | None


@dataclass(frozen=True, slots=True)
class Against:
    """Both together.

    Attributes:
        differs: what was different, as (name, first, second): what a change may be due to.
    """

    differs: tuple[tuple[str, str, str], ...]
    changes: tuple[Change, ...]


def set_against(first: Results, second: Results) -> Against:
    """Compare two benchmarks on what they have in common.

    Raises:
        ResultsError: "reports_not_comparable" with the first thing that should be equal and is not.
    """
    _require_equal(first.head, second.head)
    before, after = summarise(first), summarise(second)
    changes = [
        _change(first, second, row, other)
        for row in before.rows
        if (other := after.row(row.workload, row.at_once, row.arm)) is not None
    ]
    if not changes:
        raise ResultsError(
            "reports_not_comparable",
            what="the set of workloads and arms",
            first=", ".join(first.head["plan"]["conditions"]),
            second=", ".join(second.head["plan"]["conditions"]),
        )
    return Against(tuple(_differences(first.head, second.head)), tuple(changes))


def _require_equal(first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    mine, theirs = _must_be_equal(first), _must_be_equal(second)
    shared = first["plan"]["workloads"].keys() & second["plan"]["workloads"].keys()
    for name, value in mine.items():
        is_other_work = name.startswith("workload ") and name.split()[1] not in shared
        if not is_other_work and theirs.get(name) != value:
            raise ResultsError(
                "reports_not_comparable", what=name, first=value, second=theirs.get(name, "nothing")
            )


def _must_be_equal(head: Mapping[str, Any]) -> dict[str, str]:
    plan, bed = head["plan"], head["circumstances"]
    found = {
        f"{part} file (sha256)": bed[part]["sha256"] if bed[part] else "none"
        for part in _MODEL_PARTS
    }
    found |= {name: str(bed["settings"].get(name)) for name in _EQUAL_SETTINGS}
    found |= {f"sampling: {name}": str(value) for name, value in plan["sampling"].items()}
    for name, workload in plan["workloads"].items():
        found |= {
            f"workload {name} {key}": str(workload[key]) for key in ("prompts", "raw", "max_tokens")
        }
    return found


def _differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    one, other = first["circumstances"], second["circumstances"]
    found: list[tuple[str, str, str]] = []
    for part in ("machine", "versions", "settings"):
        for name in dict.fromkeys((*one[part], *other[part])):
            was, now = one[part].get(name, "nothing"), other[part].get(name, "nothing")
            if was != now:
                found.append((name, str(was), str(now)))
    return found


def _change(first: Results, second: Results, row: Row, other: Row) -> Change:
    key = (row.workload, row.at_once, row.arm)
    before, after = _speeds(first, key), _speeds(second, key)
    pairs = [(after[place], before[place]) for place in before if place in after]
    return Change(*key, speed=speed_up(pairs), agree=_overlap(row.speed_up, other.speed_up))


def _speeds(results: Results, key: tuple[str, int, str]) -> dict[tuple[int, int], float]:
    mine: list[RequestRecord] = [each for each in results.requests if each.wave_key[:3] == key]
    return {
        (each.wave, each.slot): speed
        for each in mine
        if (speed := each.tokens_per_second) is not None
    }


def _overlap(one: SpeedUp | None, other: SpeedUp | None) -> bool | None:
    if one is None or other is None:
        return None
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return None
    return one.low <= other.high and other.low <= one.high
