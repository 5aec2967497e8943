"""The plots of a report as SVG text: no library, no script, no network; colours come from the page.

Everything that is not a number is escaped. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from app.measure.roofline import Roofline
from app.measure.summary import Row

_WIDTH = 720
_LEFT = 110
_RIGHT = 150
_ROW = 30
_TOP = 8
_AXIS = 34
_INNER = _WIDTH - _LEFT - _RIGHT


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to places along a line."""

    low: float
    high: float
    start: float
    length: float

    def at(self, value: float) -> float:
        """Where a value lies."""
        return self.start + (value - self.low) / (self.high - self.low) * self.length

    def ticks(self, most: int = 6) -> list[float]:
        """Round values within the scale."""
        step = _round_step((self.high - self.low) / most)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= least * (1 - 1e-9))


def speed_ups(rows: Sequence[Row]) -> Markup:
    """One line for each arm: the factor and its interval, beside the line of "no drafting"."""
    shown = [row for row in rows if row.speed_up is not None]
    if not shown:
        return Markup("")
    ends = [1.0]
    for row in shown:
        assert row.speed_up is not None
        ends += [row.speed_up.factor, row.speed_up.low or 1.0, row.speed_up.high or 1.0]
    room = max(0.1, max(ends) - min(ends)) * 0.06
    scale = Scale(max(0.0, min(ends) - room), max(ends) + room, _LEFT, _INNER)
    height = _TOP + _ROW * len(shown)
    marks = [_grid(scale, height, "×")]
    one = scale.at(1.0)
    marks.append(_line(one, _TOP - 4, one, height, "one"))
    for number, row in enumerate(shown):
        marks.append(_interval(row, scale, _TOP + _ROW * (number + 0.5)))
    return _figure(height + _AXIS, "Speed-up over no drafting", marks)


def _interval(row: Row, scale: Scale, y: float) -> Markup:
    gain = row.speed_up
    assert gain is not None
    marks = [_label(row.arm, y)]
    said = f"{gain.factor:.2f} ×"
    if gain.low is not None and gain.high is not None:
        left, right = scale.at(gain.low), scale.at(gain.high)
        marks.append(_line(left, y, right, y, f"whisker {_hue(row.arm)}"))
        marks += [_line(x, y - 5, x, y + 5, f"whisker {_hue(row.arm)}") for x in (left, right)]
        said += f"  ({gain.low:.2f}–{gain.high:.2f})"
    title = f"{row.arm}: {said}, {gain.finding.value}"
    marks.append(_dot(scale.at(gain.factor), y, 5, _hue(row.arm), title))
    marks.append(_text(_WIDTH - _RIGHT + 12, y + 4, said, "value"))
    return Markup("").join(marks)


def speeds(rows: Sequence[Row]) -> Markup:
    """Every request as a dot, the median as a bar."""
    shown = [row for row in rows if row.speeds]
    if not shown:
        return Markup("")
    scale = Scale(0.0, max(max(row.speeds) for row in shown) * 1.05, _LEFT, _INNER)
    height = _TOP + _ROW * len(shown)
    marks = [_grid(scale, height, "tok/s")]
    for number, row in enumerate(shown):
        y = _TOP + _ROW * (number + 0.5)
        marks.append(_label(row.arm, y))
        marks += [
            _dot(scale.at(speed), y + _spread(place), 3, f"{_hue(row.arm)} faint", f"{speed:.1f}")
            for place, speed in enumerate(row.speeds)
        ]
        if row.tokens_per_second is not None:
            middle = scale.at(row.tokens_per_second.median)
            marks.append(_line(middle, y - 10, middle, y + 10, f"middle {_hue(row.arm)}"))
            said = f"{row.tokens_per_second.median:.1f} tok/s"
            marks.append(_text(_WIDTH - _RIGHT + 12, y + 4, said, "value"))
    return _figure(height + _AXIS, "Tokens per second of each request", marks)


def _spread(place: int) -> float:
    """Keeps dots of nearly equal speed apart; always the same for the same place."""
    return (place * 5 % 9 - 4) * 1.6


def acceptance(rows: Sequence[Row]) -> Markup:
    """Share accepted by place in the proposal, a group of bars for each arm, side by side."""
    shown = [row for row in rows if row.acceptance_by_position]
    if not shown:
        return Markup("")
    bars = sum(len(row.acceptance_by_position) for row in shown)
    wide = min(42.0, (_WIDTH * 2 - 2 * _LEFT) / (bars + len(shown)))
    tall, base = 70.0, _TOP + 90.0
    marks: list[Markup] = []
    left = 8.0
    for row in shown:
        marks.append(_text(left, _TOP + 10, row.arm, "label"))
        marks.append(_line(left, base, left + wide * len(row.acceptance_by_position), base, "grid"))
        for place, share in enumerate(row.acceptance_by_position):
            x = left + place * wide
            title = f"{row.arm}, token {place + 1}: {share:.0%} accepted"
            marks.append(
                _bar((x, base - tall * share, wide * 0.8, tall * share), _hue(row.arm), title)
            )
            said = f"{share:.0%}" if wide > 36 else str(place + 1)
            marks.append(_text(x + wide * 0.4, base + 15, said, "tick middle-text"))
        left += wide * (len(row.acceptance_by_position) + 1.2)
    return _figure(base + 22, "Accepted by place in the proposal", marks, _WIDTH * 2)


def costs(roofline: Roofline) -> Markup:
    """What a pass costs by the rows it checks, in plain passes; beside it, what memory alone and
    arithmetic alone would allow.
    """
    ratios = [seconds / roofline.verify_seconds[0] for seconds in roofline.verify_seconds]
    most = len(ratios)
    across = Scale(1, max(2, most), _LEFT, _INNER)
    high, bottom = 200.0, _TOP + 200.0
    up = Scale(0, max(2.0, max(ratios) * 1.08), bottom, -high)
    marks = [_grid(across, bottom, "rows", whole=True)]
    for tick in up.ticks(5):
        y = up.at(tick)
        marks.append(_line(_LEFT, y, _LEFT + _INNER, y, "grid"))
        marks.append(_text(_LEFT - 8, y + 4, f"{tick:g} ×", "tick end-text"))
    flat = up.at(1.0)
    marks.append(_line(_LEFT, flat, _LEFT + _INNER, flat, "one"))
    marks.append(_text(_LEFT + _INNER + 8, flat + 4, "memory-bound", "tick"))
    points = [(across.at(rows), up.at(ratio)) for rows, ratio in enumerate(ratios, start=1)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    marks.append(Markup('<polyline class="curve h1" points="{}"/>').format(path))
    for rows, (x, y) in enumerate(points, start=1):
        seconds = roofline.verify_seconds[rows - 1] * 1000
        title = f"{rows} rows: {seconds:.1f} ms, {ratios[rows - 1]:.2f} ×"
        marks.append(_dot(x, y, 4, "h1", title))
    return _figure(bottom + _AXIS, "Cost of checking several tokens at once", marks)


# --- marks ---------------------------------------------------------------------------------------


def _figure(height: float, title: str, marks: Sequence[Markup], width: int = _WIDTH) -> Markup:
    return Markup(
        '<svg viewBox="0 0 {} {:.0f}" role="img" aria-label="{}" '
        'xmlns="http://www.w3.org/2000/svg">{}</svg>'
    ).format(width, height, title, Markup("").join(marks))


def _grid(scale: Scale, bottom: float, unit: str, *, whole: bool = False) -> Markup:
    marks = []
    for tick in scale.ticks(8):
        if whole and tick != int(tick):
            continue
        x = scale.at(tick)
        marks.append(_line(x, _TOP - 4, x, bottom, "grid"))
        marks.append(_text(x, bottom + 15, f"{tick:g}", "tick middle-text"))
    marks.append(_text(scale.start + scale.length / 2, bottom + 30, unit, "tick middle-text"))
    return Markup("").join(marks)


def _hue(arm: str) -> str:
    """The class of an arm's colour: the same arm has the same one everywhere."""
    word = arm.partition(":")[0]
    return {"off": "h0", "draft": "h1", "auto": "h2", "lookup": "h3"}.get(word, "h4")


def _label(text: str, y: float) -> Markup:
    return _text(_LEFT - 12, y + 4, text, "label end-text")


def _text(x: float, y: float, text: str, kind: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" class="{}">{}</text>').format(
        x, y, kind, escape(text)
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="{}"/>').format(
        x1, y1, x2, y2, kind
    )


def _dot(x: float, y: float, radius: float, kind: str, title: str) -> Markup:
    return Markup(
        '<circle cx="{:.1f}" cy="{:.1f}" r="{}" class="dot {}"><title>{}</title></circle>'
    ).format(x, y, radius, kind, title)


def _bar(box: tuple[float, float, float, float], kind: str, title: str) -> Markup:
    return Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2" class="dot {}">'
        "<title>{}</title></rect>"
    ).format(*box, kind, title)
