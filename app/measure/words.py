"""Figures as text: for the command line, Markdown and the report page. English; the window has its
own. Pure.
"""

from __future__ import annotations

from app.measure.against import Against
from app.measure.compare import Comparison, Difference, Figures, Side
from app.measure.estimates import Finding, SpeedUp
from app.measure.meters import Energy
from app.messages import sentence
from app.monitor.tariff import Tariff, per_million

NOT_AVAILABLE = "not available"
_SCOPES = {
    "gpu": "GPU only",
    "cpu": "CPU only",
    "gpu+cpu": "GPU and CPU",
    "chip": "whole chip",
    "machine": "whole machine",
}
_METHODS = {
    "counter": "energy counter",
    "power": "integrated power",
    "wall": "wall figure",
    "estimate": "estimate",
}


def number(value: float | None, unit: str = "", digits: int = 1) -> str:
    """A value with its unit; never 0 for what cannot be had."""
    if value is None:
        return NOT_AVAILABLE
    return f"{value:,.{digits}f}{' ' if unit else ''}{unit}"


def seconds(value: float | None) -> str:
    """Milliseconds below one second."""
    if value is None:
        return NOT_AVAILABLE
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def share(value: float | None) -> str:
    """Per cent."""
    return NOT_AVAILABLE if value is None else f"{value:.0%}"


def size(value: int | None) -> str:
    """Bytes as MiB or GiB."""
    if value is None:
        return NOT_AVAILABLE
    return f"{value / 2**30:.1f} GiB" if value >= 2**30 else f"{value / 2**20:.0f} MiB"


def duration(value: float | None) -> str:
    """Whole minutes and seconds that are left."""
    if value is None:
        return "unknown"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def factor(value: SpeedUp | None) -> str:
    """ "1.42 × (1.31 to 1.54)"."""
    if value is None:
        return NOT_AVAILABLE
    if value.low is None or value.high is None:
        return f"{value.factor:.2f} ×"
    return f"{value.factor:.2f} × ({value.low:.2f} to {value.high:.2f})"


def finding(value: SpeedUp | None) -> str:
    """What the interval allows to say."""
    if value is None:
        return ""
    if value.finding is Finding.TOO_FEW:
        return f"too few pairs for an interval ({value.pairs})"
    return value.finding.value


def energy_source(scope: str, method: str) -> str:
    """What was measured, and how; several are named one after the other."""
    scopes = ", ".join(_SCOPES.get(each, each) for each in scope.split(", "))
    methods = ", ".join(_METHODS.get(each, each) for each in method.split(", "))
    return f"{scopes}; {methods}"


def energy_note(energy: Energy) -> str:
    """The source, or why there is none."""
    if energy.joules is None:
        return sentence(energy.reason or "energy_no_meter", {})
    return energy_source(energy.scope, energy.method)


def verdict(result: Comparison, tariff: Tariff | None = None) -> list[str]:
    """The verdict of a comparison, a sentence each."""
    said = [_speed(result)]
    said.append(
        f"First token after {seconds(result.on.ttft_seconds)} with speculation and "
        f"{seconds(result.off.ttft_seconds)} without."
    )
    if result.on.acceptance is not None:
        passes = number(result.on.tokens_per_pass, digits=2)
        said.append(
            f"{share(result.on.acceptance)} of the drafted tokens were accepted: {passes} tokens "
            "a pass."
        )
    said.append(_energy(result))
    if tariff is not None and result.on.joules_per_token and result.off.joules_per_token:
        said.append(_cost(result.on.joules_per_token, result.off.joules_per_token, tariff))
    said.append(_texts(result))
    return said


def _speed(result: Comparison) -> str:
    if result.speed_up is None:
        return "The answers were too short to have a speed."
    speeds = f"{_speed_of(result.on)} with speculation, {_speed_of(result.off)} without"
    rounds = result.speed_up.pairs
    if rounds == 1:
        return f"{result.speed_up.factor:.2f} × in this one run: {speeds}."
    return f"{factor(result.speed_up)} in {rounds} rounds: {finding(result.speed_up)}; {speeds}."


def _speed_of(figures: Figures) -> str:
    return number(figures.tokens_per_second, "tok/s")


def _energy(result: Comparison) -> str:
    if result.on.joules is None or result.off.joules is None:
        return f"Energy: {energy_note(result.energy)}"
    on, off = result.on, result.off
    return (
        f"Energy: {number(on.joules, 'J')} with speculation and {number(off.joules, 'J')} without "
        f"({number(on.joules_per_token, 'J', 2)} and {number(off.joules_per_token, 'J', 2)} a "
        f"token; {energy_note(result.energy)})."
    )


def _cost(on: float, off: float, tariff: Tariff) -> str:
    million = [per_million(tariff.cost(joules), 1) for joules in (on, off)]
    example = ", an example: no tariff is set" if tariff.is_example else ""
    return (
        f"A million tokens cost {number(million[0], tariff.currency, 2)} with speculation and "
        f"{number(million[1], tariff.currency, 2)} without ({tariff.price_per_kwh:g} "
        f"{tariff.currency} per kWh{example})."
    )


def _texts(result: Comparison) -> str:
    if not result.greedy:
        return "The answers were sampled, so their texts say nothing about speculation."
    if result.difference is None:
        return "Both wrote the same text, token for token."
    return difference(result.difference)


def difference(found: Difference) -> str:
    """Where two greedy texts part, and what that means."""
    where = f"The texts part at token {found.token + 1}"
    if not found.off_word or not found.on_word:
        return f"{where}: there one answer ended."
    words = f'"{found.off_word}" without, "{found.on_word}" with speculation'
    if found.gap is None:
        return f"{where}: {words}."
    gap = f"the model holds the two {abs(found.gap):.2f} apart (logits)"
    if found.is_near_tie:
        return (
            f"{where}: {words}; {gap}, so it is a near-tie that rounding decides: a batch rounds "
            "differently from a single token. Both are the model's own answers."
        )
    return f"{where}: {words}; {gap}. That is more than rounding explains; please report it."


def markdown(result: Comparison, tariff: Tariff | None = None) -> str:
    """A comparison as Markdown: figures, verdict, both texts."""
    rows = [
        ("first token", seconds(result.off.ttft_seconds), seconds(result.on.ttft_seconds)),
        ("whole answer", seconds(result.off.latency_seconds), seconds(result.on.latency_seconds)),
        ("speed", _speed_of(result.off), _speed_of(result.on)),
        ("accepted", "", share(result.on.acceptance)),
        ("energy", number(result.off.joules, "J"), number(result.on.joules, "J")),
    ]
    table = "\n".join(f"| {name} | {off} | {on} |" for name, off, on in rows)
    texts = "\n\n".join(
        f"## {title}\n\n{result.first(side).answer.text.strip()}"
        for side, title in ((Side.OFF, "Without"), (Side.ON, f"With ({result.arm.name})"))
    )
    said = "\n".join(f"- {each}" for each in verdict(result, tariff))
    head = f"|  | without | with ({result.arm.name}) |\n|---|---|---|"
    return f"# Comparison\n\n{head}\n{table}\n\n{said}\n\n{texts}\n"


def against(found: Against) -> list[str]:
    """Two benchmarks set against each other: what differs, and by how much."""
    said = [f"differs: {name}: {was}, then {now}" for name, was, now in found.differs]
    for change in found.changes:
        name = f"{change.workload} ×{change.at_once} {change.arm}"
        agree = {True: "intervals overlap", False: "intervals do not overlap", None: ""}
        parts = [f"{factor(change.speed)} the earlier speed", finding(change.speed)]
        said.append(f"{name}: {', '.join(p for p in (*parts, agree[change.agree]) if p)}")
    return said
