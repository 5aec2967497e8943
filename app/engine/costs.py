"""What a target pass over n rows and a drafted token cost on this machine, as running estimates.

Timings are noisy, and mostly one way: something else ran. So each estimate is a low median of the
last few. Pure Python; imports nothing of app.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import pairwise

MAX_ROWS = 64

# A row count whose estimate rests on this many timings may speak for those not timed lately.
_SETTLED = 5
# Changes smaller than this are noise; the second is for what was saved and not timed since.
_LEAST_DRIFT = 0.08
_LEAST_DRIFT_OF_SAVED = 0.3
_SPEAKERS = 3
# Before anything is measured, as shares of a plain pass: light, so that the first look measures
# both.
_GUESSED_ROW = 0.1
_GUESSED_DRAFT = 0.1


class _Window:
    """The last few timings of one thing; its value is their lower median: of two, the smaller.

    Attributes:
        value: the estimate in seconds; 0.0 while nothing is known.
        timings: how many were taken, a saved estimate not counted.
        beside: the estimates of the settled row counts when this one was last timed.
    """

    __slots__ = ("_kept", "beside", "saved", "timings", "value")

    _SIZE = 7

    def __init__(self, saved: float = 0.0) -> None:
        self._kept: deque[float] = deque([saved] if saved > 0.0 else [], maxlen=self._SIZE)
        self.saved = saved > 0.0
        self.value = saved
        self.timings = 0
        self.beside: dict[int, float] = {}

    @property
    def trusted(self) -> bool:
        """A single timing may be a spike."""
        return self.saved or self.timings > 1

    def add(self, seconds: float) -> None:
        self._kept.append(seconds)
        self.timings += 1
        self.value = sorted(self._kept)[(len(self._kept) - 1) // 2]


class CostModel:
    """Seconds of a verification by its rows, and of a drafted token.

    One per loaded pair, shared by its requests. Row counts never timed are read off the line
    between the nearest timed ones.
    """

    def __init__(
        self, verify_seconds: Mapping[int, float] | None = None, draft_seconds: float = 0.0
    ) -> None:
        self._windows: dict[int, _Window] = {}
        for rows, seconds in sorted((verify_seconds or {}).items()):
            if 1 <= rows <= MAX_ROWS and seconds > 0.0:
                self._windows[rows] = _Window(seconds)
        for window in self._windows.values():
            window.beside = {n: other.value for n, other in self._windows.items()}
        self._draft = _Window(max(draft_seconds, 0.0))
        self._host = _Window()
        self._speakers: deque[int] = deque(maxlen=_SPEAKERS)
        self._newest = (0, 0.0)
        self._table: list[float] = []
        self._fill()

    @property
    def table(self) -> list[float]:
        """c_v by rows, 1..MAX_ROWS; index 0 is unused. Read only."""
        return self._table

    @property
    def draft_seconds(self) -> float:
        """c_d: seconds per drafted token."""
        return self._draft.value or _GUESSED_DRAFT * self._table[1]

    @property
    def host_seconds(self) -> float:
        """Seconds of a step outside both models."""
        return self._host.value

    @property
    def most_rows_known(self) -> int:
        """Most rows ever timed; 0 if none."""
        return max(self._windows, default=0)

    @property
    def knows_plain(self) -> bool:
        """Whether c_v(1) rests on enough: all else is judged by it."""
        return 1 in self._windows and (self._windows[1].saved or self.plain_timings > 2)

    @property
    def plain_timings(self) -> int:
        """How often a plain pass was timed."""
        return self._windows[1].timings if 1 in self._windows else 0

    @property
    def knows_draft(self) -> bool:
        """Whether c_d was measured."""
        return self._draft.trusted

    @property
    def measured(self) -> dict[int, float]:
        """c_v of the row counts that were timed, to be saved."""
        return {rows: self._table[rows] for rows in sorted(self._windows)}

    def observe_verify(self, rows: int, seconds: float, *, shared: bool = False) -> None:
        """Learn from one target pass. A shared one is told by each sequence and counts once."""
        if not 1 <= rows <= MAX_ROWS or seconds <= 0.0:
            return
        if shared and self._newest == (rows, seconds):
            return
        self._newest = (rows, seconds)
        window = self._windows.setdefault(rows, _Window())
        window.add(seconds)
        if window.timings >= _SETTLED and rows not in self._speakers:
            self._speakers.append(rows)
        window.beside = {n: w.value for n, w in self._windows.items() if w.timings >= _SETTLED}
        self._fill()

    def observe_draft(self, passes: float, seconds: float) -> None:
        """Learn from one step's draft passes; 0 passes or seconds say nothing."""
        if passes > 0 and seconds > 0.0:
            self._draft.add(seconds / passes)

    def observe_host(self, seconds: float) -> None:
        """Learn the time a step spends outside both models."""
        self._host.add(max(seconds, 0.0))

    def _drift(self, rows: int) -> float:
        """What became of the machine since these rows were timed: hotter, a longer context."""
        then = self._windows[rows].beside
        since = sorted(
            self._windows[n].value / then[n] for n in self._speakers if n in then and n != rows
        )
        factor = since[(len(since) - 1) // 2] if since else 1.0
        least = _LEAST_DRIFT if self._windows[rows].timings else _LEAST_DRIFT_OF_SAVED
        return factor if abs(factor - 1.0) > least else 1.0

    def _fill(self) -> None:
        now = {rows: w.value * self._drift(rows) for rows, w in self._windows.items()}
        table = _through({rows: now[rows] for rows in now if self._windows[rows].trusted})
        doubted = [rows for rows in now if not self._windows[rows].trusted]
        if doubted:
            # a single dear timing may be a spike, and would never be tried again if it were
            # believed
            now.update({rows: min(now[rows], table[rows]) for rows in doubted})
            table = _through(now)
        self._table = table


def _through(known: Mapping[int, float]) -> list[float]:
    """c_v for 0..MAX_ROWS rows on straight lines through what is known."""
    marks = dict(known) or {1: 1.0}
    first, last = min(marks), max(marks)
    marks.setdefault(1, marks[first] / (1.0 + _GUESSED_ROW * (first - 1)))
    # more rows may be cheaper than fewer (4 than 3), but one row is never dearer than many
    marks[1] = min(marks.values())
    slope = (marks[last] - marks[1]) / (last - 1) if last > 1 else _GUESSED_ROW * marks[1]
    marks.setdefault(MAX_ROWS, marks[last] + slope * (MAX_ROWS - last))
    table = [0.0]
    for low, high in pairwise(sorted(marks)):
        step = (marks[high] - marks[low]) / (high - low)
        table.extend(marks[low] + step * count for count in range(high - low))
    table.append(marks[MAX_ROWS])
    return table
