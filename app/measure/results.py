"""The results of a benchmark as a file of JSON lines: a head, then every finished request and every
finished wave, written at once. A stopped or crashed benchmark goes on from it.

Foreign and damaged files are refused with the line; a last line that was cut short by a crash is
dropped.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from app.errors import AppError
from app.measure.results_head import is_head

VERSION = 1
FORMAT = "slipstream-benchmark"

Made = TypeVar("Made")


class ResultsError(AppError):
    """A results file cannot be read, written or continued."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One measured request. Seconds, tokens, bytes.

    Attributes:
        slot: place in its wave.
        proposals: target passes that verified at least one drafted token.
        token_ids: the answer, to see whether arms wrote the same.
    """

    workload: str
    at_once: int
    arm: str
    wave: int
    slot: int
    prompt: str
    prompt_tokens: int
    cached_tokens: int
    ttft_seconds: float
    latency_seconds: float
    generated_tokens: int
    generation_seconds: float
    target_passes: int
    drafted_by_position: tuple[int, ...]
    accepted_by_position: tuple[int, ...]
    finish_reason: str
    token_ids: tuple[int, ...]

    @property
    def tokens_per_second(self) -> float | None:
        """Tokens after the first / time since the first."""
        if self.generated_tokens < 2 or self.generation_seconds <= 0:
            return None
        return (self.generated_tokens - 1) / self.generation_seconds

    @property
    def wave_key(self) -> tuple[str, int, str, int]:
        """Names the step of the plan it belongs to."""
        return self.workload, self.at_once, self.arm, self.wave


@dataclass(frozen=True, slots=True)
class WaveRecord:
    """One finished wave; requests of a wave without such a record were interrupted.

    Attributes:
        joules: of all its requests; None where they cannot be had, for `energy_reason`, a code.
        after_crash: the engine had crashed and was started again just before.
    """

    workload: str
    at_once: int
    arm: str
    wave: int
    seconds: float
    tokens: int
    process_bytes: int | None
    gpu_bytes: int | None
    joules: float | None
    energy_scope: str
    energy_method: str
    energy_reason: str | None = None
    after_crash: bool = False

    @property
    def wave_key(self) -> tuple[str, int, str, int]:
        """Names the step of the plan."""
        return self.workload, self.at_once, self.arm, self.wave


@dataclass(frozen=True, slots=True)
class Results:
    """All that a results file holds of finished waves.

    Attributes:
        head: "plan" and "circumstances" as plain data.
    """

    head: Mapping[str, Any]
    requests: tuple[RequestRecord, ...]
    waves: tuple[WaveRecord, ...]

    @property
    def done(self) -> frozenset[tuple[str, int, str, int]]:
        """Finished steps."""
        return frozenset(wave.wave_key for wave in self.waves)


class ResultsFile:
    """Appends to a results file. What was appended is on the disk when `append` returns."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, head: Mapping[str, object]) -> None:
        """Write the head of a new file.

        Raises:
            ResultsError: "results_unwritable", "results_exist".
        """
        line = {"format": FORMAT, "version": VERSION, **head}

        def make() -> None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("x", encoding="utf-8") as file:
                _put(file, line)

        if self._path.exists():
            raise ResultsError("results_exist", path=str(self._path))
        self._guarded(make)

    def append(self, record: RequestRecord | WaveRecord) -> None:
        """Add one record.

        Raises:
            ResultsError: "results_unwritable".
        """
        kind = "request" if isinstance(record, RequestRecord) else "wave"

        def add() -> None:
            with self._path.open("a", encoding="utf-8") as file:
                _put(file, {"kind": kind, **asdict(record)})

        self._guarded(add)

    def mend(self) -> None:
        """Cut off a last line that a crash left unfinished.

        Raises:
            ResultsError: "results_unwritable".
        """

        def cut() -> None:
            with self._path.open("rb+") as file:
                whole = file.read()
                if not whole.endswith(b"\n"):
                    file.truncate(whole.rfind(b"\n") + 1)

        self._guarded(cut)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except OSError as error:
            raise ResultsError(
                "results_unwritable",
                path=str(self._path),
                reason=error.strerror or str(error),
            ) from error


def read(path: Path) -> Results:
    """Read a results file; interrupted waves are left out.

    Raises:
        ResultsError: "results_unreadable", "results_foreign", "results_newer", "results_damaged".
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError("results_unreadable", path=str(path), reason=str(error)) from error
    lines = text.split("\n")
    lines.pop()  # empty, or cut short by a crash
    parsed = list(_parsed(path, lines))
    if not parsed or parsed[0].get("format") != FORMAT:
        raise ResultsError("results_foreign", path=str(path))
    head = parsed[0]
    if head.get("version") != VERSION:
        raise ResultsError("results_newer", path=str(path), found=str(head.get("version")))
    if not is_head(head):
        raise ResultsError("results_damaged", path=str(path), line=1)
    requests: list[RequestRecord] = []
    waves: list[WaveRecord] = []
    for number, raw in enumerate(parsed[1:], start=2):
        try:
            if raw.get("kind") == "request":
                requests.append(_record(RequestRecord, raw))
            else:
                waves.append(_record(WaveRecord, raw))
        except (TypeError, ValueError) as error:
            raise ResultsError("results_damaged", path=str(path), line=number) from error
    return _whole(head, requests, waves)


def _whole(
    head: Mapping[str, Any], requests: Iterable[RequestRecord], waves: list[WaveRecord]
) -> Results:
    """Without interrupted waves; of one that was interrupted and repeated, the repetition."""
    newest = {(*record.wave_key, record.slot): record for record in requests}
    asked = Counter(record.wave_key for record in newest.values())
    whole = {wave.wave_key: wave for wave in waves if asked[wave.wave_key] == wave.at_once}
    return Results(
        head,
        tuple(each for each in newest.values() if each.wave_key in whole),
        tuple(whole.values()),
    )


def _parsed(path: Path, lines: list[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            raw = None
        if not isinstance(raw, dict):
            code = "results_foreign" if number == 1 else "results_damaged"
            raise ResultsError(code, path=str(path), line=number)
        yield raw


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    "float": lambda value: isinstance(value, int | float) and 0 <= value < 1e12,
    "bool": lambda value: isinstance(value, bool),
    "str | None": lambda value: value is None or isinstance(value, str),
    "int | None": lambda value: value is None or _CHECKS["int"](value),
    "float | None": lambda value: value is None or _CHECKS["float"](value),
    "tuple[int, ...]": lambda value: isinstance(value, list) and all(map(_CHECKS["int"], value)),
}


def _record(kind: type[Made], raw: Mapping[str, Any]) -> Made:
    """A record from plain data.

    Raises:
        ValueError: a field is missing or not what it must be.
    """
    values: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        value = raw.get(each.name)
        if not _CHECKS[str(each.type)](value):
            raise ValueError(each.name)
        values[each.name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


def _put(file: Any, line: Mapping[str, object]) -> None:
    file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    file.flush()
    os.fsync(file.fileno())
