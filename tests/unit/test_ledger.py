"""The energy ledger: what belongs to which day, what is added up, and what is not a number."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.errors import StorageError
from app.storage import EnergyEntry, Storage, to_csv
from app.storage.opening import open_database
from app.storage.schema import STEPS

ENTRY = EnergyEntry(
    message_id="m1",
    ended_at=0.0,
    utc_offset_seconds=0,
    target="target.gguf",
    draft="draft.gguf",
    speculation="draft",
    tokens=100,
    seconds=4.0,
    joules=720.0,
    scope="gpu",
    method="counter",
    price_per_kwh=0.25,
    currency="EUR",
)


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    storage = Storage(tmp_path / "conversations.sqlite3")
    yield storage
    storage.close()


def entry_at(zone: str, *when: int, **changed: object) -> EnergyEntry:
    """An entry at a moment on the wall of some place."""
    local = datetime(*when, tzinfo=ZoneInfo(zone))  # type: ignore[misc,arg-type]
    offset = local.utcoffset()
    assert offset is not None
    at = {"ended_at": local.timestamp(), "utc_offset_seconds": int(offset.total_seconds())}
    return replace(ENTRY, **at, **changed)  # type: ignore[arg-type]


def test_an_entry_comes_back_as_it_was(storage: Storage) -> None:
    entry = entry_at("Europe/Zurich", 2026, 3, 1, 12, 0)
    unknown = replace(entry, message_id="m2", draft=None, joules=None, scope=None, method=None)
    storage.ledger.add(entry)
    storage.ledger.add(unknown)
    assert storage.ledger.of_answer("m1") == entry
    assert storage.ledger.of_answer("m2") == unknown
    assert storage.ledger.of_answer("m3") is None


@pytest.mark.parametrize(
    ("zone", "when", "day"),
    [
        ("Pacific/Auckland", (2026, 1, 1, 0, 30), date(2026, 1, 1)),  # still 2025 in UTC
        ("Pacific/Honolulu", (2026, 1, 31, 23, 59), date(2026, 1, 31)),  # already February in UTC
        ("Asia/Kolkata", (2026, 3, 1, 2, 0), date(2026, 3, 1)),  # half an hour zones
        ("Europe/Berlin", (2026, 3, 29, 3, 0), date(2026, 3, 29)),  # the hour that was skipped
        ("Europe/Berlin", (2026, 10, 25, 2, 30), date(2026, 10, 25)),  # the hour that came twice
        ("America/New_York", (2024, 2, 29, 23, 59, 59), date(2024, 2, 29)),
        ("UTC", (2026, 12, 31, 23, 59, 59), date(2026, 12, 31)),
    ],
)
def test_an_answer_belongs_to_the_day_on_the_users_wall(
    storage: Storage, zone: str, when: tuple[int, ...], day: date
) -> None:
    storage.ledger.add(entry_at(zone, *when))
    assert storage.ledger.day(day).answers == 1
    assert storage.ledger.months() == ((day.year, day.month),)
    view = storage.ledger.month(day.year, day.month)
    assert [each for each, _ in view.days] == [day]


def test_travel_does_not_move_what_was_booked(storage: Storage) -> None:
    """The same evening in Tokyo and, hours later by the clock, "yesterday" in Los Angeles."""
    storage.ledger.add(entry_at("Asia/Tokyo", 2026, 6, 1, 9, 0))
    storage.ledger.add(entry_at("America/Los_Angeles", 2026, 5, 31, 20, 0, message_id="m2"))
    assert storage.ledger.month(2026, 6).total.answers == 1
    assert storage.ledger.month(2026, 5).total.answers == 1
    june, may = storage.ledger.months()
    assert (june, may) == ((2026, 6), (2026, 5))


@pytest.mark.parametrize(("year", "month", "last"), [(2026, 2, 28), (2024, 2, 29), (2026, 12, 31)])
def test_month_ends_belong_to_their_month(
    storage: Storage, year: int, month: int, last: int
) -> None:
    storage.ledger.add(entry_at("UTC", year, month, 1, 0, 0, 0))
    storage.ledger.add(entry_at("UTC", year, month, last, 23, 59, 59))
    following = (year + month // 12, month % 12 + 1)
    storage.ledger.add(entry_at("UTC", *following, 1, 0, 0, 0))
    view = storage.ledger.month(year, month)
    assert [day.day for day, _ in view.days] == [1, last]
    assert view.total.answers == 2
    assert storage.ledger.month(*following).total.answers == 1


def test_sums_hold_only_what_was_measured(storage: Storage) -> None:
    for entry in (
        entry_at("UTC", 2026, 5, 4, 10, 0),
        entry_at("UTC", 2026, 5, 4, 11, 0, joules=1440.0, tokens=300, method="power"),
        entry_at("UTC", 2026, 5, 4, 12, 0, joules=None, scope=None, method=None, tokens=999),
    ):
        storage.ledger.add(entry)
    total = storage.ledger.day(date(2026, 5, 4))
    assert (total.answers, total.measured, total.tokens) == (3, 2, 400)
    assert total.joules == pytest.approx(2160.0)
    assert total.joules_per_token == pytest.approx(5.4)
    assert total.costs == (("EUR", pytest.approx(2160 / 3.6e6 * 0.25)),)
    assert total.cost_per_million_tokens("EUR") == pytest.approx(2160 / 3.6e6 * 0.25 / 400 * 1e6)
    assert total.methods == ("counter", "power")
    nothing = storage.ledger.day(date(2026, 5, 5))
    assert nothing.joules is None
    assert nothing.joules_per_token is None
    assert nothing.cost_per_million_tokens("EUR") is None


def test_a_day_of_unmeasured_answers_has_no_joules(storage: Storage) -> None:
    storage.ledger.add(entry_at("UTC", 2026, 5, 4, 10, 0, joules=None))
    total = storage.ledger.day(date(2026, 5, 4))
    assert (total.answers, total.measured, total.joules, total.costs) == (1, 0, None, ())


def test_prices_are_those_of_their_time_and_currencies_are_not_mixed(storage: Storage) -> None:
    kwh = 3.6e6
    storage.ledger.add(entry_at("UTC", 2026, 5, 1, 1, 0, joules=kwh, price_per_kwh=0.30))
    storage.ledger.add(entry_at("UTC", 2026, 5, 2, 1, 0, joules=kwh, price_per_kwh=0.40))
    storage.ledger.add(entry_at("UTC", 2026, 5, 3, 1, 0, joules=kwh, currency="CHF"))
    storage.ledger.add(entry_at("UTC", 2026, 5, 4, 1, 0, joules=kwh, price_per_kwh=0.0))
    total = storage.ledger.month(2026, 5).total
    assert dict(total.costs) == {"EUR": pytest.approx(0.70), "CHF": pytest.approx(0.25)}
    assert total.cost_per_million_tokens("EUR") is None


def test_pairs_are_kept_apart(storage: Storage) -> None:
    storage.ledger.add(entry_at("UTC", 2026, 5, 1, 1, 0))
    storage.ledger.add(entry_at("UTC", 2026, 5, 2, 1, 0, joules=80.0))
    storage.ledger.add(entry_at("UTC", 2026, 6, 2, 1, 0, draft=None, joules=1000.0))
    pairs = storage.ledger.pairs()
    assert [(pair.draft, pair.total.joules) for pair in pairs] == [
        (None, 1000.0),
        ("draft.gguf", 800.0),
    ]
    assert [pair.draft for pair in storage.ledger.month(2026, 5).pairs] == ["draft.gguf"]


def test_csv_is_whole_and_runs_nothing(storage: Storage) -> None:
    entries = (
        entry_at("Asia/Kolkata", 2026, 3, 1, 2, 0, target='=HYPERLINK("x"),.gguf'),
        entry_at("UTC", 2026, 3, 1, 2, 0, joules=None, scope=None, method=None, draft=None),
    )
    first, second = csv.DictReader(io.StringIO(to_csv(entries)))
    assert first["ended_at"] == "2026-03-01T02:00:00+05:30"
    assert first["target"] == '\'=HYPERLINK("x"),.gguf'
    assert float(first["joules"]) == 720.0
    assert float(first["cost"]) == pytest.approx(720 / 3.6e6 * 0.25)
    assert (second["joules"], second["cost"], second["draft"]) == ("", "", "")


def test_what_the_disk_refuses_waits_and_is_written_once(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = storage._connection
    full = sqlite3.connect(":memory:", isolation_level=None)  # has no such table
    monkeypatch.setattr(storage, "_connection", full)
    with pytest.raises(StorageError):
        storage.ledger.add(entry_at("UTC", 2026, 5, 1, 1, 0))
    assert storage.unsaved
    monkeypatch.setattr(storage, "_connection", whole)
    full.close()
    storage.retry()
    storage.retry()
    assert not storage.unsaved
    assert storage.ledger.day(date(2026, 5, 1)).answers == 1


def test_an_older_file_gets_the_ledger_and_keeps_its_text(tmp_path: Path) -> None:
    file = tmp_path / "conversations.sqlite3"
    connection, _ = open_database(file, steps=STEPS[:1])
    connection.execute("INSERT INTO runs VALUES (1, 'm', 5.0, 't', NULL, 'off', 'end', '{}', '{}')")
    connection.close()
    storage = Storage(file)
    storage.ledger.add(replace(ENTRY, ended_at=datetime(2026, 1, 1, tzinfo=UTC).timestamp()))
    assert len(storage.runs()) == 1
    assert storage.ledger.months() == ((2026, 1),)
    storage.close()
