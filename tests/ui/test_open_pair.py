"""The dialog that opens a pair from disk: it says at once what the files are good for."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.engine.protocol import LoadModels, Speculation
from app.ui.open_pair import OpenPair
from tests.ui.conftest import Stage
from tests.unit.hub import made_up as made

TAIL = {"bos_token_id": 1, "eos_token_id": 2, "add_bos_token": True, "add_eos_token": False}


@pytest.fixture
def files(home: Path) -> dict[str, Path]:
    """Small model files by what is special about them."""
    other = made.tokens_of(300)
    other[139] = "another"
    contents = {
        "target": made.model(width=640, tail=TAIL),
        "draft": made.model(width=64, tail=TAIL),
        "stranger": made.model(width=64, tail=TAIL, tokens=other),
        "cut": made.model(width=640, tail=TAIL)[:-400],
        "empty": b"",
        "text": b"<html>Sign in</html>",
    }
    made_files = {}
    for name, content in contents.items():
        made_files[name] = home / f"{name}.gguf"
        made_files[name].write_bytes(content)
    return made_files


def opened(stage: Stage) -> OpenPair:
    stage.window.open_wanted.emit()
    dialog = stage.application._dialog
    assert dialog is not None
    return dialog


def judged(stage: Stage, target: Path | None, draft: Path | None = None) -> OpenPair:
    """The dialog with two files, read."""
    dialog = opened(stage)
    dialog.set_files(target, draft)
    stage.qtbot.waitUntil(lambda: dialog.report is not None)
    return dialog


def test_a_good_pair_loads(stage: Stage, files: dict[str, Path]) -> None:
    dialog = judged(stage, files["target"], files["draft"])
    assert dialog.verdict().startswith("These two go together.")
    assert dialog.can_load()
    dialog.accept()
    command = stage.engine.last(LoadModels)
    assert (command.target, command.draft) == (files["target"], files["draft"])
    stage.engine.load()
    stage.wait_state("Ready")
    assert settings.load().draft == files["draft"]


def test_a_stranger_is_refused_in_words_and_left_out(stage: Stage, files: dict[str, Path]) -> None:
    dialog = judged(stage, files["target"], files["stranger"])
    assert "Token 139 is 't139' in the target and 'another' in the draft" in dialog.verdict()
    assert dialog._load.text() == "Load without draft"
    dialog.accept()
    command = stage.engine.last(LoadModels)
    assert command.draft is None
    assert command.no_draft_because == "pair_token_text"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("empty", "is empty"),
        ("text", "is not a GGUF model file"),
        ("cut", "is cut short"),
        ("missing", "is not there any more"),
    ],
)
def test_a_bad_target_cannot_be_loaded(
    stage: Stage, files: dict[str, Path], name: str, words: str
) -> None:
    dialog = judged(stage, files.get(name, Path("/nowhere/at/all.gguf")), files["draft"])
    assert words in dialog.verdict()
    assert not dialog.can_load()
    dialog.reject()
    assert stage.engine.count(LoadModels) == 0


def test_typing_another_path_is_judged_again(stage: Stage, files: dict[str, Path]) -> None:
    dialog = judged(stage, files["text"])
    assert not dialog.can_load()
    dialog._target._edit.setText(str(files["target"]))
    assert not dialog.can_load(), "not before it was read"
    stage.qtbot.waitUntil(dialog.can_load)
    assert "can be loaded" in dialog.verdict()
    dialog.reject()


def test_nothing_chosen_asks_for_a_target(stage: Stage) -> None:
    dialog = opened(stage)
    assert dialog.verdict() == "Choose the target first."
    assert not dialog.can_load()
    dialog.reject()


def test_the_context_is_remembered(stage: Stage, files: dict[str, Path]) -> None:
    dialog = judged(stage, files["target"])
    dialog._context.setCurrentIndex(dialog._context.findData(4096))
    dialog.accept()
    assert stage.engine.last(LoadModels).n_ctx == 4096
    assert settings.load().n_ctx == 4096


def test_the_dialog_begins_with_the_pair_in_use(ready: Stage) -> None:
    dialog = opened(ready)
    assert dialog._target.path() == Path("/models/target.gguf")
    assert dialog._draft.path() == Path("/models/draft.gguf")
    dialog.reject()


def test_a_second_open_does_not_make_a_second_dialog(stage: Stage) -> None:
    dialog = opened(stage)
    assert opened(stage) is dialog
    dialog.reject()


def test_cancel_changes_nothing(ready: Stage, files: dict[str, Path]) -> None:
    dialog = judged(ready, files["target"], files["draft"])
    dialog.reject()
    assert ready.engine.count(LoadModels) == 1
    assert ready.window.composer.switch.choice() is Speculation.AUTO
