"""The whole way with a real engine: the recommended pair, a Hub, loading, an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import cli, settings
from app.conversation import Role
from app.storage import Storage
from app.ui.application import Application
from app.ui.program import make_client
from app.ui.theme import Theme
from tests import tiny_pair
from tests.hub_cases import Scene
from tests.tiny_draft import write_tiny_draft
from tests.tiny_pair import DRAFT_FILE, PAIR_REPO, TARGET_FILE, TITLE
from tests.ui.models_stage import scene

__all__ = ["scene"]
pytestmark = pytest.mark.model
PATIENCE_MS = 120_000


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory, starter_model: Path) -> Path:
    """A draft with the vocabulary of the target."""
    return write_tiny_draft(starter_model, tmp_path_factory.mktemp("draft") / "tiny.gguf")


@pytest.fixture
def published(scene: Scene, starter_model: Path, draft: Path) -> Scene:
    """The Hub and the catalogue have a pair that a real engine can load."""
    tiny_pair.serve_pair(scene.hub, starter_model, draft)
    tiny_pair.write_catalog(scene.hub, scene.models.parent / "pairs.json")
    # Only short answers, and little memory for the machine that runs the tests.
    settings.save(settings.Settings(n_ctx=512, max_tokens=8, temperature=0.0, threads=1))
    return scene


@pytest.fixture
def application(published: Scene, theme: Theme, qtbot: QtBot) -> Iterator[Application]:
    """The app as it is, with its engine in a process of its own."""
    del published, qtbot
    made = Application(theme, Storage(), make_client)
    made.start()
    yield made
    made.window.close()
    made.dispose()


def test_one_click_brings_a_pair_that_answers(
    application: Application, published: Scene, qtbot: QtBot
) -> None:
    application.models.on_models()
    dialog = application.models.dialog
    assert dialog is not None
    card = dialog.recommended.card
    qtbot.waitUntil(lambda: card.isVisible() and card.button().isEnabled(), timeout=PATIENCE_MS)
    assert card._title.text() == TITLE
    card.button().click()
    chat = application.chat
    qtbot.waitUntil(lambda: chat.session.view().loaded is not None, timeout=PATIENCE_MS)
    loaded = chat.session.view().loaded
    assert loaded is not None
    assert loaded.draft is not None, loaded.no_draft_because
    folder = published.models / PAIR_REPO
    assert (loaded.target.path, loaded.draft.path) == (folder / TARGET_FILE, folder / DRAFT_FILE)
    dialog.close()
    application.window.composer.set_text("Name a colour.")
    application.window.composer.submitted.emit("Name a colour.")
    qtbot.waitUntil(lambda: chat.session.view().answer_id is None, timeout=PATIENCE_MS)
    QApplication.processEvents()
    answer = chat.session.conversation.path()[-1]
    assert answer.role is Role.ASSISTANT
    assert answer.content.strip()
    assert settings.load().draft == folder / DRAFT_FILE, "and it is the pair of the next start"


def test_the_same_by_command(published: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["models", "recommend"]) == 0
    assert "models get tiny" in capsys.readouterr().out
    assert cli.main(["models", "get", "tiny"]) == 0
    out = capsys.readouterr().out.splitlines()
    folder = published.models / PAIR_REPO
    assert out[:2] == [str(folder / TARGET_FILE), str(folder / DRAFT_FILE)]
    command = ["chat", "--target", out[0], "--draft", out[1], "--prompt", "Name a colour."]
    how = ["--speculation", "draft", "--max-tokens", "8", "--ctx", "512", "--threads", "1"]
    assert cli.main([*command, *how, "--temperature", "0", "--depth", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["text"].strip()
    assert answer["stats"]["drafted_tokens"] > 0
