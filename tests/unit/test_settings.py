"""Settings: what a file may say, and that no file is lost."""

from __future__ import annotations

import json
import logging
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import settings
from app.engine.protocol import GenerationOptions, KvType, SamplingOptions, Speculation
from app.errors import StorageError
from app.session import LoadOptions, generation_options, load_options
from app.settings import Settings

CHANGED = Settings(
    target=Path("/models/a.gguf"),
    draft=None,
    n_ctx=4096,
    threads=2,
    kv_type="q8_0",
    temperature=0.0,
    seed=7,
    speculation="lookup",
    tint=True,
    skipped_cpu_modules=("sapphirerapids",),
    skipped_on="this",
    price_per_kwh=0.3,
    currency="EUR",
    price_is_set=True,
    wall_idle_watts=55.0,
    wall_load_watts=310.5,
    subtract_idle=True,
)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "new" / "settings.json"
    assert settings.load(file) == Settings()
    settings.save(CHANGED, file)
    assert settings.load(file) == CHANGED
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


def test_defaults_are_accepted_by_their_own_rules() -> None:
    for rule in fields(Settings):
        assert settings.accepts(rule.name, getattr(Settings(), rule.name)), rule.name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_ctx", 12),
        ("n_ctx", "8192"),
        ("n_ctx", True),
        ("n_ctx", 8192.5),
        ("n_ctx", None),
        ("temperature", float("nan")),
        ("temperature", float("inf")),
        ("temperature", -0.1),
        ("top_p", 1.1),
        ("kv_type", "q2"),
        ("speculation", "fast"),
        ("tint", 1),
        ("target", 3),
        ("skipped_cpu_modules", [1, 2]),
        ("skipped_cpu_modules", "amx"),
        ("seed", -1),
        ("depth", 1000),
        ("wall_load_watts", 0),
        ("wall_load_watts", "300"),
        ("wall_idle_watts", -1.0),
        ("wall_idle_watts", 10**400),
        ("subtract_idle", "yes"),
    ],
)
def test_a_wrong_value_falls_back_alone_and_is_logged(
    name: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        read = settings.from_json({"version": 1, "currency": "EUR", name: value})
    assert read == replace(Settings(), currency="EUR")
    assert name in caplog.text


def test_whole_numbers_serve_where_fractions_are_wanted() -> None:
    read = settings.from_json({"temperature": 1, "wall_load_watts": 300})
    assert (read.temperature, read.wall_load_watts) == (1.0, 300.0)
    assert isinstance(read.wall_load_watts, float)


@given(
    st.dictionaries(
        st.sampled_from([rule.name for rule in fields(Settings)]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=4,
        ),
    )
)
def test_no_json_stops_the_start(raw: dict[str, object]) -> None:
    logging.disable(logging.CRITICAL)
    try:
        read = settings.from_json(raw)
    finally:
        logging.disable(logging.NOTSET)
    for rule in fields(Settings):
        assert settings.accepts(rule.name, getattr(read, rule.name))
    assert settings.from_json(json.loads(json.dumps(settings.to_json(read)))) == read


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b'"x"'])
def test_a_damaged_file_is_kept_under_another_name(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "settings.json"
    for round_number in (1, 2):
        file.write_bytes(content + b" " * round_number)
        assert settings.load(file) == Settings()
        settings.save(CHANGED, file)
        kept = tmp_path / f"settings.damaged-{round_number}.json"
        assert kept.read_bytes() == content + b" " * round_number
    assert "damaged" in caplog.text


def test_a_newer_file_is_copied_once_before_it_can_be_overwritten(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "settings.json"
    newer = json.dumps({"version": 99, "currency": "EUR", "unknown": [1]})
    file.write_text(newer)
    for _ in range(2):
        assert settings.load(file).currency == "EUR"
    settings.save(Settings(), file)
    copies = [path for path in tmp_path.iterdir() if path != file]
    assert [path.read_text() for path in copies] == [newer]
    assert "newer" in caplog.text


def test_migrations_run_in_order_from_the_files_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def second(raw: dict[str, object]) -> dict[str, object]:
        return {**raw, "currency": raw["money"]}

    def third(raw: dict[str, object]) -> dict[str, object]:
        return {**raw, "currency": f"{raw['currency']}!"}

    monkeypatch.setattr(settings, "VERSION", 3)
    monkeypatch.setattr(settings, "MIGRATIONS", (second, third))
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"version": 1, "money": "CHF"}))
    assert settings.load(file).currency == "CHF!"
    file.write_text(json.dumps({"version": 2, "currency": "CHF"}))
    assert settings.load(file).currency == "CHF!"


def test_what_cannot_be_written_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.json"
    settings.save(CHANGED, file)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.settings.os.fsync", full)
    with pytest.raises(StorageError) as caught:
        settings.save(Settings(), file)
    assert caught.value.code == "settings_unsaved"
    assert settings.load(file) == CHANGED
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "settings.json"
    folder.mkdir()
    with pytest.raises(StorageError) as caught:
        settings.load(folder)
    assert caught.value.code == "settings_unreadable"


def test_limits_for_the_fields_of_a_form() -> None:
    assert settings.limits("top_p") == (0.0, 1.0)
    assert settings.limits("currency") is None


def test_cpu_modules_are_skipped_only_on_the_computer_they_failed_on() -> None:
    assert CHANGED.cpu_modules_to_skip("this") == ("sapphirerapids",)
    assert CHANGED.cpu_modules_to_skip("other") == ()


def test_settings_and_engine_have_the_same_defaults_and_words() -> None:
    assert load_options(Settings()) == LoadOptions()
    assert generation_options(Settings()) == GenerationOptions(sampling=SamplingOptions())
    for word in Speculation:
        assert settings.accepts("speculation", str(word))
    for kind in KvType:
        assert settings.accepts("kv_type", str(kind))
