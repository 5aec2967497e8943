"""The head of a results file: has it all that reports and comparisons read from it? Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORKLOAD_KEYS = {"title", "prompts", "raw", "max_tokens"}


def is_head(head: Mapping[str, Any]) -> bool:
    """Whether a head has all that reports and comparisons read from it."""
    plan, bed = head.get("plan"), head.get("circumstances")
    if not isinstance(plan, dict) or not isinstance(bed, dict):
        return False
    return (
        _is_table(plan.get("conditions"), int)
        and _is_table(plan.get("workloads"), dict)
        and _is_table(plan.get("sampling"), int | float | None)
        and isinstance(plan.get("arms"), list)
        and all(isinstance(arm, str) for arm in plan["arms"])
        and isinstance(plan.get("warm_ups"), int)
        and all(_names_workload(name, plan["workloads"]) for name in plan["conditions"])
        and all(each.keys() >= _WORKLOAD_KEYS for each in plan["workloads"].values())
        and all(_is_table(bed.get(part), str) for part in ("machine", "versions", "settings"))
        and _is_model(bed.get("target"))
        and (bed.get("draft") is None or _is_model(bed["draft"]))
    )


def _is_table(value: object, kind: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, kind) for each in value.values())


def _names_workload(condition: str, workloads: Mapping[str, object]) -> bool:
    name, _, number = condition.rpartition(" x")
    return name in workloads and number.isascii() and number.isdigit()


def _is_model(value: object) -> bool:
    texts = ("file", "name", "quantisation", "sha256")
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(name), str) for name in texts)
        and isinstance(value.get("size_bytes"), int)
    )
