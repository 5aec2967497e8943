"""A report for programs: one JSON object, a table of figures and a table of requests. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from app.measure.report import Report
from app.measure.results import RequestRecord
from app.measure.summary import Row
from app.monitor.tariff import Tariff, per_million

REPORT_VERSION = 1


def to_json(report: Report) -> dict[str, Any]:
    """Head, figures and advice as plain data."""
    return {
        "format": "slipstream-report",
        "version": REPORT_VERSION,
        "complete": report.summary.complete,
        "crashes": report.summary.crashes,
        "head": dict(report.results.head),
        "energy": {
            "available": bool(report.summary.energy_method),
            "scope": report.summary.energy_scope,
            "method": report.summary.energy_method,
            "price_per_kwh": report.tariff.price_per_kwh,
            "currency": report.tariff.currency,
            "price_is_example": report.tariff.is_example,
        },
        "rows": [_row_json(row, report.tariff) for row in report.summary.rows],
        "roofline": asdict(report.roofline) if report.roofline is not None else None,
        "advice": [asdict(each) for each in report.advice],
    }


def _row_json(row: Row, tariff: Tariff) -> dict[str, Any]:
    raw = asdict(row)
    if row.speed_up is not None:
        raw["speed_up"]["finding"] = row.speed_up.finding.value
    raw["cost_per_task"] = _cost(row.joules_per_task, tariff)
    raw["cost_per_million_tokens"] = cost_per_million(row, tariff)
    return raw


def _cost(joules: float | None, tariff: Tariff) -> float | None:
    return None if joules is None else tariff.cost(joules)


def cost_per_million(row: Row, tariff: Tariff) -> float | None:
    cost = _cost(row.joules_per_token, tariff)
    return None if cost is None else per_million(cost, 1)


def summary_csv(report: Report) -> str:
    """A line for each condition and arm; empty where there is nothing."""
    rows = []
    for row in report.summary.rows:
        gain = row.speed_up
        rows.append(
            {
                "workload": row.workload,
                "at_once": row.at_once,
                "arm": row.arm,
                "requests": row.requests,
                "ttft_median_s": row.ttft_seconds.median,
                "ttft_p95_s": row.ttft_seconds.p95,
                "latency_median_s": row.latency_seconds.median,
                "latency_p95_s": row.latency_seconds.p95,
                "tok_s_median": row.tokens_per_second and row.tokens_per_second.median,
                "tok_s_p95": row.tokens_per_second and row.tokens_per_second.p95,
                "tok_s_total_median": row.total_tokens_per_second,
                "acceptance": row.acceptance,
                "accepted_per_proposal": row.accepted_per_proposal,
                "peak_process_bytes": row.process_bytes,
                "peak_gpu_bytes": row.gpu_bytes,
                "joules_per_task": row.joules_per_task,
                "joules_per_token": row.joules_per_token,
                "cost_per_task": _cost(row.joules_per_task, report.tariff),
                "speed_up": gain and gain.factor,
                "speed_up_low": gain and gain.low,
                "speed_up_high": gain and gain.high,
                "finding": gain.finding.value if gain else None,
                "other_texts": row.other_texts,
            }
        )
    return _csv(rows)


def requests_csv(requests: Sequence[RequestRecord]) -> str:
    """A line for each request."""
    rows = []
    for each in requests:
        raw = asdict(each)
        del raw["token_ids"]
        raw["drafted_by_position"] = " ".join(map(str, each.drafted_by_position))
        raw["accepted_by_position"] = " ".join(map(str, each.accepted_by_position))
        raw["tokens_per_second"] = each.tokens_per_second
        rows.append(raw)
    return _csv(rows)


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()
