"""Settings: one frozen dataclass, JSON on disk, replaced in one step.

Each field says what it accepts; a value on disk that is not accepted falls back to the default and
is logged. Enumerations of the engine are plain words here: this room knows no engine. Imports only
errors and paths.
"""

from __future__ import annotations

import json
import logging
import math
import os
import tempfile
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from app import paths
from app.errors import StorageError

VERSION = 1
Migration = Callable[[dict[str, object]], dict[str, object]]
MIGRATIONS: tuple[Migration, ...] = ()  # number i turns version i + 1 into i + 2

log = logging.getLogger(__name__)


def _limited(default: Any, low: float, high: float) -> Any:
    return field(default=default, metadata={"low": low, "high": high})


def _one_of(default: str, *words: str) -> Any:
    return field(default=default, metadata={"words": words})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the user, or the app on the user's behalf, has chosen.

    Attributes:
        target, draft: the pair last loaded; None before the first.
        n_ctx: context wanted for each conversation, tokens; min_ctx is the least accepted.
        n_parallel: answers that may run at once.
        threads, gpu_layers: None lets the engine choose.
        kv_type: number format of the target's KV cache.
        temperature .. seed: sampling, as in the engine's SamplingOptions.
        max_tokens: length limit of an answer; None until the context is full.
        depth: tokens to draft each step; None lets depth control decide, up to max_depth.
        tint: colour the drafted and accepted text.
        enter_sends: Enter sends and Shift+Enter begins a line; else Ctrl+Enter sends.
        appearance, text_percent, language: how the window looks and speaks; "system" follows the
            computer.
        models_folder: where models are put; None is the app's own folder.
        endpoint: address of the Hub; "" is the public one, or what HF_ENDPOINT says.
        notify: tell the system when a long answer or a download ends in the background.
        skipped_cpu_modules: modules that stopped with an illegal instruction on the computer named
            in skipped_on; they mean nothing on another one.
        price_per_kwh, currency: the tariff; an example until price_is_set.
        wall_idle_watts, wall_load_watts: what a plug meter showed for the whole computer; the load
            figure, when set, is used instead of the computer's own meters.
        subtract_idle: leave out of an answer's energy what the computer draws anyway.
    """

    target: Path | None = None
    draft: Path | None = None
    n_ctx: int = _limited(8192, 256, 4_194_304)
    min_ctx: int = _limited(2048, 128, 4_194_304)
    n_parallel: int = _limited(1, 1, 16)
    threads: int | None = _limited(None, 1, 1024)
    gpu_layers: int | None = _limited(None, 0, 10_000)
    kv_type: str = _one_of("f16", "f16", "q8_0", "q4_0")
    system_prompt: str = ""
    temperature: float = _limited(0.8, 0.0, 5.0)
    top_k: int = _limited(40, 0, 1_000_000)
    top_p: float = _limited(0.95, 0.0, 1.0)
    min_p: float = _limited(0.05, 0.0, 1.0)
    repeat_penalty: float = _limited(1.0, 0.1, 10.0)
    frequency_penalty: float = _limited(0.0, -2.0, 2.0)
    presence_penalty: float = _limited(0.0, -2.0, 2.0)
    seed: int | None = _limited(None, 0, 2**32 - 1)
    max_tokens: int | None = _limited(None, 1, 4_194_304)
    speculation: str = _one_of("auto", "off", "draft", "lookup", "auto")
    depth: int | None = _limited(None, 0, 64)
    max_depth: int = _limited(8, 1, 64)
    tint: bool = False
    enter_sends: bool = True
    appearance: str = _one_of("system", "system", "light", "dark")
    text_percent: int = _limited(100, 75, 200)
    language: str = _one_of("system", "system", "en", "de")
    models_folder: Path | None = None
    endpoint: str = ""
    notify: bool = True
    skipped_cpu_modules: tuple[str, ...] = ()
    skipped_on: str = ""
    price_per_kwh: float = _limited(0.15, 0.0, 1000.0)
    currency: str = "USD"
    price_is_set: bool = False
    wall_idle_watts: float | None = _limited(None, 0.0, 100_000.0)
    wall_load_watts: float | None = _limited(None, 0.1, 100_000.0)
    subtract_idle: bool = False

    def cpu_modules_to_skip(self, computer: str) -> tuple[str, ...]:
        """Modules known to fault on this computer."""
        return self.skipped_cpu_modules if self.skipped_on == computer else ()


def limits(name: str) -> tuple[float, float] | None:
    """Lowest and highest value a number may have; None where there is none."""
    rule = _rules()[name].metadata
    return (rule["low"], rule["high"]) if "low" in rule else None


def accepts(name: str, value: object) -> bool:
    """Whether a field may have this value."""
    rule = _rules()[name].metadata
    if not _is_a(value, get_type_hints(Settings)[name]):
        return False
    if "words" in rule:
        return value in rule["words"]
    if isinstance(value, int | float) and "low" in rule:
        return bool(math.isfinite(value) and rule["low"] <= value <= rule["high"])
    return True


def from_json(raw: Mapping[str, object]) -> Settings:
    """Settings of what a file says; what it says wrongly is logged and left at its default."""
    hints = get_type_hints(Settings)
    chosen: dict[str, Any] = {}
    for name in _rules():
        if name not in raw:
            continue
        value = _from_plain(raw[name], hints[name])
        if accepts(name, value):
            chosen[name] = value
        else:
            log.warning("settings: %s cannot be %r; the default is used", name, raw[name])
    return Settings(**chosen)


def to_json(settings: Settings) -> dict[str, object]:
    """The plain JSON form of settings."""
    raw: dict[str, object] = {"version": VERSION}
    for name in _rules():
        value = getattr(settings, name)
        raw[name] = str(value) if isinstance(value, Path) else value
    return raw


def load(path: Path | None = None) -> Settings:
    """The settings on disk. A missing file means defaults; a damaged one is set aside, not lost.

    Raises:
        StorageError: "settings_unreadable": the file is there but this user may not read it.
    """
    path = path or paths.settings_file()
    try:
        raw = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("settings_unreadable", path=str(path), reason=reason) from error
    except ValueError:  # not JSON, not UTF-8
        raw = None
    if not isinstance(raw, dict):
        log.error("settings: %s is damaged; kept as %s", path, _set_aside(path, "damaged"))
        return Settings()
    return from_json(_migrated(raw, path))


def save(settings: Settings, path: Path | None = None) -> None:
    """Replace the settings on disk in one step: a crash leaves the old file or the new one.

    Raises:
        StorageError: "settings_unsaved".
    """
    path = path or paths.settings_file()
    paths.ensure(path.parent)
    text = json.dumps(to_json(settings), indent=2, ensure_ascii=False) + "\n"
    try:
        _replace(path, text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("settings_unsaved", path=str(path), reason=reason) from error


def _replace(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=path.name, suffix=".new", delete=False
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            file.close()
            Path(file.name).replace(path)
        except OSError:
            file.close()
            Path(file.name).unlink(missing_ok=True)
            raise


def _migrated(raw: dict[str, object], path: Path) -> dict[str, object]:
    version = raw.get("version", VERSION)
    if not isinstance(version, int) or version < 1:
        log.warning("settings: version %r is unknown; read as %d", version, VERSION)
        version = VERSION
    if version > VERSION:
        kept = _set_aside(path, f"version-{version}", copy=True)
        log.warning("settings: %s is of a newer Slipstream; a copy is kept as %s", path, kept)
    for migration in MIGRATIONS[version - 1 :]:
        raw = migration(raw)
    return raw


def _set_aside(path: Path, why: str, *, copy: bool = False) -> Path:
    """Keep a file under a name that is free; with `copy` it stays in its place as well."""
    names = (path.with_name(f"{path.stem}.{why}-{n}{path.suffix}") for n in range(1, 1_000_000))
    kept = path
    try:
        content = path.read_bytes()
        kept = next(name for name in names if not name.exists() or name.read_bytes() == content)
        kept.write_bytes(content)
        if not copy:
            path.unlink()
    except OSError as error:
        log.error("settings: %s could not be kept as %s: %s", path, kept, error)
    return kept


def _rules() -> dict[str, Any]:
    return {rule.name: rule for rule in fields(Settings)}


def _from_plain(value: object, hint: object) -> object:
    """A JSON value in the form of its field; unchanged where it does not fit."""
    if isinstance(value, str) and Path in _alternatives(hint):
        return Path(value)
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, int) and not isinstance(value, bool) and float in _alternatives(hint):
        return _as_float(value)
    return value


def _as_float(value: int) -> float:
    """A whole number as a fraction; one too large for that is no number a setting may have."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_a(value: object, hint: object) -> bool:
    return any(_is_exactly(value, kind) for kind in _alternatives(hint))


def _is_exactly(value: object, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    if kind in (int, float):
        return isinstance(value, kind) and not isinstance(value, bool)
    return isinstance(value, kind)


def _alternatives(hint: object) -> Iterable[Any]:
    return get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
