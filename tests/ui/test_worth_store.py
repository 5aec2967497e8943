"""What a comparison said is there at the next start, and harm to its file does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ui.worth import Worth
from app.ui.worth_store import MOST, WorthStore
from tests.ui.conftest import DRAFT, TARGET, Stage, Start
from tests.ui.fake_engine import loaded_pair


def test_it_is_kept_by_pair(tmp_path: Path) -> None:
    store = WorthStore(tmp_path / "worth.json")
    pair, alone = loaded_pair(TARGET, DRAFT), loaded_pair(TARGET)
    assert store.of(pair) == Worth()
    store.keep(pair, Worth(1.4, 1000.0))
    store.keep(pair, Worth(1.5, 2000.0))
    store.keep(alone, Worth())
    again = WorthStore(tmp_path / "worth.json")
    assert again.of(pair) == Worth(1.5, 2000.0)
    assert again.of(alone) == Worth()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"a": 1}', '{"target.gguf": ["x", 1]}', '{"target.gguf": [1e999, 1]}', "\0"],
)
def test_a_damaged_file_says_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "worth.json"
    file.write_text(text)
    store = WorthStore(file)
    assert store.of(loaded_pair(TARGET)) == Worth()
    store.keep(loaded_pair(TARGET), Worth(2.0, 5.0))
    assert store.of(loaded_pair(TARGET)) == Worth(2.0, 5.0)


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    store = WorthStore(tmp_path / "worth.json")
    for number in range(MOST + 5):
        store.keep(loaded_pair(Path(f"/models/{number}.gguf")), Worth(1.0, number + 1.0))
    assert store.of(loaded_pair(Path("/models/0.gguf"))) == Worth()
    assert store.of(loaded_pair(Path(f"/models/{MOST}.gguf"))).factor == 1.0


def test_a_folder_that_is_gone_is_no_trouble(tmp_path: Path) -> None:
    store = WorthStore(tmp_path / "none" / "worth.json")
    store.keep(loaded_pair(TARGET), Worth(1.4, 1000.0))
    assert store.of(loaded_pair(TARGET)) == Worth()


def test_the_panel_remembers_a_comparison(ready: Stage, start: Start) -> None:
    ready.application.numbers.on_compared(1.42)
    assert "1.4 × faster" in ready.window.panel.worth.text()
    ready.close()
    second = start()
    second.load()
    second.qtbot.waitUntil(lambda: "1.4 × faster" in second.window.panel.worth.text())
