"""What does not fit into memory is said before it is loaded, and the context is made to fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.protocol import LoadModels
from app.session.fitting import machine_memory
from app.ui.models.machine import Machine
from tests.tiny_pair import TAIL
from tests.ui.conftest import Stage
from tests.unit.hub import made_up as made

GIB = 1 << 30


@pytest.fixture
def thirsty(home: Path) -> Path:
    """A model whose cache takes 1 MiB for each token: 8 GiB for 8,192."""
    early = [
        made.scalar("llama.attention.head_count_kv", made.U32, 4),
        made.scalar("llama.attention.key_length", made.U32, 65536),
        made.scalar("llama.attention.value_length", made.U32, 65536),
    ]
    path = home / "thirsty.gguf"
    path.write_bytes(made.model(width=640, tail=TAIL, early=early))
    return path


def with_memory(monkeypatch: pytest.MonkeyPatch, gib: float) -> None:
    memory = machine_memory([], round(gib * GIB), 64 * GIB)
    monkeypatch.setattr(Machine, "now", lambda _: memory)


def load(stage: Stage, target: Path) -> LoadModels:
    stage.application.load_files(target, None)
    return stage.wait_load()


def test_with_room_nothing_is_said(
    stage: Stage, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_memory(monkeypatch, 32)
    assert load(stage, thirsty).n_ctx == 8192
    assert stage.window.notices.texts() == []


def test_the_context_is_shortened_to_what_fits_and_that_is_said(
    stage: Stage, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_memory(monkeypatch, 9)
    assert load(stage, thirsty).n_ctx == 4096
    stage.qtbot.waitUntil(lambda: bool(stage.window.notices.texts()))
    assert "so it is 4096" in stage.window.notices.texts()[0].replace(",", "")


def test_what_does_not_fit_at_all_is_warned_of_and_tried(
    stage: Stage, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_memory(monkeypatch, 1)
    assert load(stage, thirsty).n_ctx == 8192, "the engine gives up in its own order"
    stage.qtbot.waitUntil(lambda: bool(stage.window.notices.texts()))
    assert "it may not load, or be very slow" in stage.window.notices.texts()[0]


def test_the_dialog_warns_before(
    stage: Stage, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_memory(monkeypatch, 1)
    stage.window.open_wanted.emit()
    dialog = stage.application._dialog
    assert dialog is not None
    dialog.set_files(thirsty, None)
    stage.qtbot.waitUntil(dialog.can_load)
    assert "it may not load, or be very slow" in dialog.verdict()
    dialog.reject()
