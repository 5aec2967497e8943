"""The energy ledger: one entry per answer, summed by day, by pair and by month; as CSV.

An entry belongs to the day it was on the user's wall when it was written: its UTC offset is kept,
so neither travel nor summer time moves it to another day or month later. Its price is kept too: a
new tariff does not rewrite the past. Knows neither engine nor monitor.
"""

from __future__ import annotations

import calendar
import csv
import io
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

_COLUMNS = (
    "message, ended_at, utc_offset_seconds, day, target, draft, speculation, tokens, seconds, "
    "joules, scope, method, price_per_kwh, currency"
)
_INSERT = f"INSERT INTO energy ({_COLUMNS}) VALUES ({', '.join('?' * 14)})"
_JOULES_PER_KWH = 3_600_000.0
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run the cell
CSV_HEADER = (
    "ended_at",
    "target",
    "draft",
    "speculation",
    "tokens",
    "seconds",
    "joules",
    "scope",
    "method",
    "price_per_kwh",
    "cost",
    "currency",
)


@dataclass(frozen=True, slots=True)
class EnergyEntry:
    """What one answer took; holds no text, and outlives its conversation.

    Attributes:
        message_id: the answer; None where it was not kept.
        ended_at: seconds since the epoch.
        utc_offset_seconds: of the user's clock at that moment.
        target, draft: names of the models' files; draft None when none was loaded.
        seconds: from the question sent to the last token.
        joules, scope, method: None where they could not be measured.
    """

    message_id: str | None
    ended_at: float
    utc_offset_seconds: int
    target: str
    draft: str | None
    speculation: str
    tokens: int
    seconds: float
    joules: float | None
    scope: str | None
    method: str | None
    price_per_kwh: float
    currency: str

    @property
    def ended(self) -> datetime:
        """The moment on the user's clock."""
        zone = timezone(timedelta(seconds=self.utc_offset_seconds))
        return datetime.fromtimestamp(self.ended_at, UTC).astimezone(zone)

    @property
    def cost(self) -> float | None:
        """Money at the price of that moment; None where the energy is not known."""
        if self.joules is None:
            return None
        return self.joules / _JOULES_PER_KWH * self.price_per_kwh


@dataclass(frozen=True, slots=True)
class EnergyTotal:
    """Entries added up.

    Attributes:
        answers: all of them; measured of them have an energy, and only those are in what follows.
        joules: None when none was measured.
        costs: money by currency, the largest first; prices may have changed in between.
        scopes, methods: all that occur; more than one means that unlike figures were added.
    """

    answers: int
    measured: int
    tokens: int
    seconds: float
    joules: float | None
    costs: tuple[tuple[str, float], ...]
    scopes: tuple[str, ...]
    methods: tuple[str, ...]

    @property
    def joules_per_token(self) -> float | None:
        """Mean over what was measured."""
        return self.joules / self.tokens if self.joules is not None and self.tokens else None

    def cost_per_million_tokens(self, currency: str) -> float | None:
        """Money for a million tokens at the same rate; only where all was paid in one currency."""
        paid = dict(self.costs)
        if set(paid) != {currency} or not self.tokens:
            return None
        return paid[currency] / self.tokens * 1_000_000


@dataclass(frozen=True, slots=True)
class PairEnergy:
    """The entries of one target with one draft, or with none."""

    target: str
    draft: str | None
    total: EnergyTotal


@dataclass(frozen=True, slots=True)
class MonthView:
    """A calendar month, day by day; days without answers are left out."""

    year: int
    month: int
    total: EnergyTotal
    days: tuple[tuple[date, EnergyTotal], ...]
    pairs: tuple[PairEnergy, ...]


class Ledger:
    """The entries on disk; made by Storage, which owns the file.

    Every method raises StorageError when the disk refuses; an entry that could not be written waits
    for the next one.
    """

    def __init__(
        self,
        read: Callable[..., list[tuple[Any, ...]]],
        writing: Callable[[], AbstractContextManager[sqlite3.Connection]],
        lock: AbstractContextManager[bool],
    ) -> None:
        self._read = read
        self._writing = writing
        self._lock = lock  # the storage's own: two would wait for each other
        self._waiting: list[EnergyEntry] = []

    @property
    def unsaved(self) -> bool:
        """Entries wait in memory."""
        return bool(self._waiting)

    def add(self, entry: EnergyEntry) -> None:
        """Keep what an answer took."""
        with self._lock:
            self._waiting.append(entry)
        self.retry()

    def retry(self) -> None:
        """Write all that waits, whole or not at all."""
        with self._lock:
            if not self._waiting:
                return
            with self._writing() as connection:
                connection.executemany(_INSERT, [_row(entry) for entry in self._waiting])
            self._waiting.clear()

    def of_answer(self, message_id: str) -> EnergyEntry | None:
        """What one answer took; the newest, if it was written twice."""
        found = self._entries("WHERE message = ? ORDER BY seq DESC LIMIT 1", message_id)
        return found[0] if found else None

    def day(self, day: date) -> EnergyTotal:
        """All answers of a day."""
        return total(self._entries("WHERE day = ?", day.isoformat()))

    def pairs(self) -> tuple[PairEnergy, ...]:
        """All answers ever, by pair."""
        return _by_pair(self._entries(""))

    def months(self) -> tuple[tuple[int, int], ...]:
        """Months that have entries, the newest first, as (year, month)."""
        rows = self._read("SELECT DISTINCT substr(day, 1, 7) FROM energy ORDER BY 1 DESC")
        return tuple((int(month[:4]), int(month[5:])) for (month,) in rows)

    def month(self, year: int, month: int) -> MonthView:
        """All answers of a calendar month."""
        entries = self.between(*_month_ends(year, month))
        days: dict[date, list[EnergyEntry]] = {}
        for entry in entries:
            days.setdefault(entry.ended.date(), []).append(entry)
        return MonthView(
            year,
            month,
            total(entries),
            tuple((day, total(days[day])) for day in sorted(days)),
            _by_pair(entries),
        )

    def between(self, first: date, last: date) -> tuple[EnergyEntry, ...]:
        """Entries of these days, both included, in the order of time."""
        return self._entries(
            "WHERE day BETWEEN ? AND ? ORDER BY ended_at, seq", first.isoformat(), last.isoformat()
        )

    def _entries(self, where: str, *values: object) -> tuple[EnergyEntry, ...]:
        rows = self._read(f"SELECT {_COLUMNS} FROM energy {where}", *values)
        return tuple(EnergyEntry(*row[:3], *row[4:]) for row in rows)


def total(entries: Iterable[EnergyEntry]) -> EnergyTotal:
    """Entries added up; what was not measured is counted and left out of the sums."""
    entries = tuple(entries)
    measured = [entry for entry in entries if entry.joules is not None]
    costs: dict[str, float] = {}
    for entry in measured:
        costs[entry.currency] = costs.get(entry.currency, 0.0) + (entry.cost or 0.0)
    return EnergyTotal(
        answers=len(entries),
        measured=len(measured),
        tokens=sum(entry.tokens for entry in measured),
        seconds=sum(entry.seconds for entry in measured),
        joules=sum(entry.joules or 0.0 for entry in measured) if measured else None,
        costs=tuple(sorted(costs.items(), key=lambda item: (-item[1], item[0]))),
        scopes=tuple(sorted({entry.scope for entry in measured if entry.scope})),
        methods=tuple(sorted({entry.method for entry in measured if entry.method})),
    )


def to_csv(entries: Iterable[EnergyEntry]) -> str:
    """One line per answer, numbers with a point; empty where nothing was measured."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(CSV_HEADER)
    for entry in entries:
        writer.writerow(
            (
                entry.ended.isoformat(timespec="seconds"),
                _cell(entry.target),
                _cell(entry.draft or ""),
                _cell(entry.speculation),
                entry.tokens,
                f"{entry.seconds:.3f}",
                "" if entry.joules is None else f"{entry.joules:.3f}",
                entry.scope or "",
                entry.method or "",
                entry.price_per_kwh,
                "" if entry.cost is None else f"{entry.cost:.9f}",
                _cell(entry.currency),
            )
        )
    return file.getvalue()


def _row(entry: EnergyEntry) -> Sequence[object]:
    return (
        entry.message_id,
        entry.ended_at,
        entry.utc_offset_seconds,
        entry.ended.date().isoformat(),
        entry.target,
        entry.draft,
        entry.speculation,
        entry.tokens,
        entry.seconds,
        entry.joules,
        entry.scope,
        entry.method,
        entry.price_per_kwh,
        entry.currency,
    )


def _by_pair(entries: Iterable[EnergyEntry]) -> tuple[PairEnergy, ...]:
    pairs: dict[tuple[str, str | None], list[EnergyEntry]] = {}
    for entry in entries:
        pairs.setdefault((entry.target, entry.draft), []).append(entry)
    named = (PairEnergy(target, draft, total(own)) for (target, draft), own in pairs.items())
    return tuple(sorted(named, key=lambda pair: (-(pair.total.joules or 0.0), pair.target)))


def _month_ends(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
