"""Colours, icons, words: what every part of the window relies on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import paths
from app.engine.protocol import DeviceInfo
from app.monitor.sample import MachineSample
from app.ui.bars import PositionBars
from app.ui.device_memory import Headroom, devices_of
from app.ui.messages import say
from app.ui.sparkline import Sparkline
from app.ui.theme import DARK, LIGHT, Appearance, Theme, Tones, style_sheet
from tests.ui.conftest import DRAFT, TARGET, Stage
from tests.ui.fake_engine import GB, loaded_pair, model

UI = Path(__file__).resolve().parents[2] / "app" / "ui"
SOURCES = sorted(UI.rglob("*.py"))


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2."""

    def light(colour: str) -> float:
        parts = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
            for c in QColor(colour).getRgbF()[:3]
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tones", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read(tones: Tones) -> None:
    for ground in (
        tones.window, tones.surface, tones.raised, tones.accent_soft, tones.code,
        tones.danger_soft, tones.warning_soft, tones.tint_draft, tones.tint_lookup,
    ):  # fmt: skip
        assert contrast(tones.text, ground) >= 4.5
    for ground in (tones.window, tones.surface, tones.code):
        assert contrast(tones.muted, ground) >= 4.5
    assert contrast(tones.on_accent, tones.accent) >= 4.5
    assert contrast(tones.danger, tones.danger_soft) >= 4.5
    assert contrast(tones.warning, tones.warning_soft) >= 4.5
    assert contrast(tones.accent, tones.surface) >= 3


@pytest.mark.parametrize("tones", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_names_only_known_tones(tones: Tones) -> None:
    sheet = re.sub(r"/\*.*?\*/", "", style_sheet(tones), flags=re.DOTALL)
    assert "@" not in sheet
    assert all(QColor(colour).isValid() for colour in asdict(tones).values())


def test_the_theme_changes_at_once(ready: Stage, theme: Theme) -> None:
    ready.answer("Text with `code`\n\n```python\ndef f(): pass\n```\n")
    try:
        theme.set_appearance(Appearance.DARK)
        assert theme.dark
        ground = QApplication.palette().color(QPalette.ColorRole.Window)
        assert ground == QColor(DARK.window)
        ready.window.grab()
    finally:
        theme.set_appearance(Appearance.LIGHT)
    assert not theme.dark


def icon_names() -> set[str]:
    names = set()
    for source in SOURCES:
        for call in calls(source):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name in ("icon", "pixmap") and call.args:
                names |= set(constants(call.args[0]))
    return names


def calls(source: Path) -> Iterator[ast.Call]:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def constants(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


@pytest.mark.parametrize("name", sorted(icon_names()))
def test_every_icon_is_there_and_can_be_drawn(name: str) -> None:
    file = paths.resource(f"icons/{name}.svg")
    assert QSvgRenderer(str(file)).isValid()
    assert "currentColor" in file.read_text(encoding="utf-8") or name == "app"


def test_no_text_is_built_before_it_is_translated() -> None:
    """The key of a translation is the source text, so a value inside it never matches."""
    bad = []
    for source in SOURCES:
        for call in calls(source):
            called = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            called = called or (call.func.id if isinstance(call.func, ast.Name) else "")
            if called not in ("tr", "translate") or (called == "translate" and len(call.args) < 2):
                continue  # with one argument it is the translate of str
            for argument in call.args:
                built = isinstance(argument, ast.JoinedStr | ast.BinOp)
                if built or isinstance(argument, ast.Call):
                    bad.append(f"{source.name}:{call.lineno}")
    assert bad == []


def test_an_unknown_code_is_still_a_sentence(qapp: QApplication) -> None:
    assert "(no_such_code)" in say("no_such_code", {})
    assert say("file_empty", {"path": "/a"}).startswith("/a is empty")


def test_memory_is_told_apart_by_device() -> None:
    gpu = DeviceInfo("CUDA0", "NVIDIA GeForce RTX 4090", "gpu", 10 * GB, 24 * GB)
    cpu = DeviceInfo("CPU", "Processor", "cpu", 30 * GB, 64 * GB)
    loaded = loaded_pair(
        TARGET,
        DRAFT,
        target=model(TARGET, 8 * GB, "CUDA0"),
        draft=model(DRAFT, 1 * GB, "CUDA_Host"),
        devices=(gpu, cpu),
    )
    first, second = devices_of(loaded, MachineSample(0.0, 64 * GB, 40 * GB))
    assert first.name == "NVIDIA GeForce RTX 4090"
    assert first.target_bytes == 8 * GB
    assert (first.kv_bytes, first.compute_bytes) == (GB, GB // 2)
    assert first.draft_bytes == 0
    assert not first.measured_now
    assert first.headroom is Headroom.PLENTY
    assert second.name == "RAM"
    assert second.target_bytes == 0
    assert second.draft_bytes == 1 * GB
    assert (second.kv_bytes, second.compute_bytes) == (GB // 8, GB // 16)
    assert second.free_bytes == 40 * GB
    assert second.measured_now
    assert first.other_bytes == 24 * GB - 10 * GB - first.pair_bytes


def test_painted_parts_survive_any_numbers(qtbot: QtBot, theme: Theme) -> None:
    bars, line = PositionBars(theme), Sparkline(theme)
    for widget in (bars, line):
        qtbot.addWidget(widget)
        widget.resize(200, 60)
    bars.show_counts((0, 5), (0, 5))
    assert "2: 100 %" in bars.toolTip()
    bars.show_counts(tuple(range(20)), tuple(range(20)))
    for value in (0.0, 0.0, 5.0, 1e9):
        line.add(value)
    bars.grab()
    line.grab()
