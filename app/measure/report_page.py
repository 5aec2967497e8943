"""A report for people: Markdown, and one HTML page with plots that needs nothing beside itself.

Imports jinja2; the page's template lies in resources/report/.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app import APP_NAME, __version__, paths
from app.measure import plots, words
from app.measure.report import Report
from app.measure.report_data import cost_per_million
from app.measure.roofline import Roofline
from app.measure.roofline import verdict as roofline_verdict
from app.measure.summary import Row, Spread
from app.messages import sentence
from app.monitor.tariff import Tariff

_COLUMNS = (
    "arm",
    "n",
    "first token, median / p95",
    "answer, median / p95",
    "tok/s each, median / p95",
    "tok/s in all",
    "accepted",
    "per proposal",
    "peak memory",
    "energy a task",
    "cost a million tokens",
    "speed-up over off (95 %)",
    "",
)
NOTHING = "–"


def to_markdown(report: Report) -> str:
    """For notes, issues and chats."""
    parts = [f"# {_title(report)}", _byline(report)]
    parts += [f"- {sentence(each.code, each.detail)}" for each in report.advice]
    for workload, at_once in report.summary.conditions:
        parts.append(f"\n## {_condition(report, workload, at_once)}\n")
        parts.append("| " + " | ".join(_COLUMNS) + " |")
        parts.append("|" + "---|" * len(_COLUMNS))
        parts += [
            "| " + " | ".join(_cells(row, report.tariff)) + " |"
            for row in _rows(report, workload, at_once)
        ]
    parts.append("\n## How it was measured\n")
    parts += [f"- {note}" for note in notes(report)]
    parts.append("\n## Measured on\n")
    parts += [f"- {name}: {value}" for name, value in _bed_lines(report)]
    return "\n".join(parts) + "\n"


def to_html(report: Report) -> str:
    """One page; everything in it is escaped."""
    environment = Environment(
        loader=FileSystemLoader(paths.resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        app=f"{APP_NAME} {__version__}",
        title=_title(report),
        byline=_byline(report),
        complete=report.summary.complete,
        advice=[sentence(each.code, each.detail) for each in report.advice],
        columns=_COLUMNS,
        conditions=[_condition_part(report, *each) for each in report.summary.conditions],
        roofline=_roofline_part(report.roofline),
        notes=notes(report),
        bed=_bed_lines(report),
        command=report.command,
    )


def _condition_part(report: Report, workload: str, at_once: int) -> dict[str, Any]:
    rows = _rows(report, workload, at_once)
    return {
        "title": _condition(report, workload, at_once),
        "rows": [_cells(row, report.tariff) for row in rows],
        "speed_ups": plots.speed_ups(rows),
        "speeds": plots.speeds(rows),
        "acceptance": plots.acceptance(rows),
    }


def _roofline_part(roofline: Roofline | None) -> dict[str, Any] | None:
    if roofline is None:
        return None
    bandwidth = roofline.bandwidth_bytes_per_second
    return {
        "plot": plots.costs(roofline),
        "verdict": roofline_verdict(roofline),
        "bandwidth": words.number(None if bandwidth is None else bandwidth / 1e9, "GB/s"),
        "draft": words.seconds(roofline.draft_seconds),
    }


def _title(report: Report) -> str:
    bed = report.results.head["circumstances"]
    draft = bed["draft"]
    name = bed["target"]["name"] or bed["target"]["file"]
    return f"{name} with {draft['name'] or draft['file']}" if draft else f"{name}"


def _byline(report: Report) -> str:
    head = report.results.head
    machine = head["circumstances"]["machine"]
    state = "" if report.summary.complete else " Not complete: stopped before its end."
    begun = str(head.get("begun_at", ""))[:16].replace("T", " ")
    return f"Benchmark of {begun} UTC on {machine.get('processor', '')}.{state}"


def _condition(report: Report, workload: str, at_once: int) -> str:
    known = report.results.head["plan"]["workloads"][workload]
    return f"{known['title']}, {at_once} at a time, up to {known['max_tokens']} tokens"


def _rows(report: Report, workload: str, at_once: int) -> list[Row]:
    rows = report.summary.rows
    return [row for row in rows if (row.workload, row.at_once) == (workload, at_once)]


def _cells(row: Row, tariff: Tariff) -> list[str]:
    speed = row.tokens_per_second
    memory = row.process_bytes if row.gpu_bytes is None else row.gpu_bytes
    cost = cost_per_million(row, tariff)
    return [
        row.arm,
        str(row.requests),
        _both(row.ttft_seconds),
        _both(row.latency_seconds),
        f"{speed.median:.1f} / {speed.p95:.1f}" if speed else words.NOT_AVAILABLE,
        words.number(row.total_tokens_per_second),
        NOTHING if row.acceptance is None else words.share(row.acceptance),
        NOTHING if row.accepted_per_proposal is None else f"{row.accepted_per_proposal:.2f}",
        words.size(memory),
        words.number(row.joules_per_task, "J"),
        words.number(cost, tariff.currency, 2),
        NOTHING if row.speed_up is None else words.factor(row.speed_up),
        words.finding(row.speed_up),
    ]


def _both(spread: Spread) -> str:
    return f"{words.seconds(spread.median)} / {words.seconds(spread.p95)}"


def notes(report: Report) -> list[str]:
    """What a reader must know to judge the figures."""
    plan, summary = report.results.head["plan"], report.summary
    greedy = plan["sampling"]["temperature"] == 0
    found = [
        "Per request: tok/s are tokens after the first over the time since the first, by the "
        "engine's own clock. In all: tokens of a wave over the time until its last answer ended.",
        f"Each arm answered the same prompts with the same settings ({_sampling(plan)}); the "
        "prompt cache was cleared before each; arms took turns, each time another one first; "
        f"{plan['warm_ups']} warm-ups per condition and arm are not counted.",
        "Speed-up: geometric mean of the ratios to off, prompt by prompt, with a bootstrap "
        "interval (95 %, 10,000 resamples of prompts). Where the interval spans 1, no difference "
        "was shown. Answers of one wave share the machine, so at several at a time the intervals "
        "are a little too narrow.",
        _energy_note(report),
    ]
    if greedy:
        other = sum(row.other_texts for row in summary.rows)
        compared = sum(row.compared_texts for row in summary.rows)
        found.append(_texts_note(other, compared))
    if summary.crashes:
        found.append(f"The engine crashed; {summary.crashes} waves were repeated after it.")
    return found


def _texts_note(other: int, compared: int) -> str:
    if not other:
        return f"All {compared} answers with drafting have the same text as the one without."
    return (
        f"{other} of {compared} answers with drafting differ in text from the one without: at "
        "near-ties a batch rounds differently from a single token."
    )


def _sampling(plan: dict[str, Any]) -> str:
    temperature = plan["sampling"]["temperature"]
    return "greedy" if temperature == 0 else f"temperature {temperature}"


def _energy_note(report: Report) -> str:
    summary = report.summary
    if not summary.energy_method:
        reasons = [wave.energy_reason for wave in report.results.waves if wave.energy_reason]
        return f"Energy: {sentence(reasons[0] if reasons else 'energy_no_meter', {})}"
    source = words.energy_source(summary.energy_scope, summary.energy_method)
    price = f"{report.tariff.price_per_kwh:g} {report.tariff.currency} per kWh"
    example = " (an example: no tariff is set)" if report.tariff.is_example else ""
    return f"Energy: {source}. Cost at {price}{example}."


def _bed_lines(report: Report) -> list[tuple[str, str]]:
    bed = report.results.head["circumstances"]
    lines: list[tuple[str, str]] = []
    for part in ("target", "draft"):
        facts = bed[part]
        if facts is None:
            lines.append((part, "none"))
            continue
        about = f"{facts['file']}, {facts['quantisation']}, {words.size(facts['size_bytes'])}"
        lines.append((part, about))
        lines.append((f"{part} sha256", facts["sha256"]))
    return [*lines, *_pairs(bed[part] for part in ("machine", "versions", "settings"))]


def _pairs(parts: Iterable[dict[str, str]]) -> list[tuple[str, str]]:
    return [(name, str(value)) for part in parts for name, value in part.items()]
