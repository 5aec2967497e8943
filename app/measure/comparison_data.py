"""A comparison for programs: plain data, with both texts. Pure."""

from __future__ import annotations

from dataclasses import asdict

from app.measure import words
from app.measure.compare import Comparison, Run
from app.monitor.tariff import Tariff


def to_json(result: Comparison, tariff: Tariff) -> dict[str, object]:
    """The comparison as plain data."""
    gain = result.speed_up
    return {
        "arm": result.arm.name,
        "off": asdict(result.off),
        "on": asdict(result.on),
        "speed_up": {**asdict(gain), "finding": gain.finding.value} if gain else None,
        "greedy": result.greedy,
        "same_text": result.same_text,
        "difference": (
            {**asdict(result.difference), "near_tie": result.difference.is_near_tie}
            if result.difference
            else None
        ),
        "energy": {
            "available": result.energy.joules is not None,
            "scope": result.energy.scope,
            "method": result.energy.method,
            "reason": words.energy_note(result.energy) if result.energy.joules is None else None,
        },
        "verdict": words.verdict(result, tariff),
        "runs": [_run_json(each) for each in result.runs],
    }


def _run_json(run_: Run) -> dict[str, object]:
    answer = run_.answer
    return {
        "side": run_.side.value,
        "text": answer.text,
        "token_ids": list(answer.token_ids),
        "finish_reason": answer.reason.value,
        "stats": answer.stats.to_json(),
        "joules": run_.energy.joules,
        "peak_process_bytes": run_.peak.process_bytes,
        "peak_gpu_bytes": run_.peak.gpu_bytes,
    }
