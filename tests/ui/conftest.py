"""A whole application with a hand-made engine, on the offscreen platform."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import paths
from app.engine.protocol import Generate, LoadModels
from app.monitor import EnergyMeter
from app.storage import Storage
from app.ui.application import Application
from app.ui.theme import Appearance, Theme
from tests.ui.fake_engine import FakeEngine

TARGET = Path("/models/target.gguf")
DRAFT = Path("/models/draft.gguf")
Start = Callable[[], "Stage"]


class Stage:
    """What a test plays on: an application and its engine.

    Attributes:
        window, engine, application: the parts.
    """

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.storage = Storage()

        def make(bridge: object, preferences: object) -> FakeEngine:
            del bridge, preferences
            return FakeEngine(lambda event: self.application.bridge.post(event))

        self.application = Application(theme, self.storage, make, EnergyMeter(()))
        engine = self.application.engine
        assert isinstance(engine, FakeEngine)
        self.engine = engine
        self.window = self.application.window
        self.session = self.application.chat.session
        self.application.start()
        qtbot.waitUntil(lambda: self.engine.started)

    def load(self, *, draft: bool = True) -> None:
        """A pair in memory, as if its files had been looked at."""
        for command in self.session.load(TARGET, DRAFT if draft else None):
            self.engine.send(command)
        self.engine.load()
        self.wait_state("Ready")

    def wait_state(self, text: str) -> None:
        """Until the top bar says so."""
        self.qtbot.waitUntil(lambda: self.state() == text)
        QApplication.processEvents()  # new widgets become visible with the next turn of the loop

    def state(self) -> str:
        return self.window.pair_bar._state.text()

    def ask(self, text: str = "Hello?") -> str:
        """Type and send; the id of the request."""
        self.window.composer.set_text(text)
        self.window.composer.submitted.emit(text)
        return self.engine.last(Generate).request_id

    def answer(self, text: str, question: str = "Hello?") -> None:
        """A finished exchange."""
        self.ask(question)
        self.engine.write(text)
        self.engine.finish()
        self.wait_state("Ready")

    def wait_load(self) -> LoadModels:
        """Until the engine is asked to load."""
        self.qtbot.waitUntil(lambda: self.engine.count(LoadModels) > 0)
        return self.engine.last(LoadModels)

    def close(self) -> None:
        """Close the window, as the user would, and let go of it."""
        if shiboken6.isValid(self.window):
            self.window.close()
            self.application.dispose()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform has no window manager, and says so."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Iterator[Theme]:
    """One theme for all: style sheets on the application are costly."""
    assert isinstance(qapp, QApplication)
    made = Theme(qapp, Appearance.LIGHT)
    yield made
    shiboken6.delete(made)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who was never here."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def start(theme: Theme, qtbot: QtBot, home: Path) -> Iterator[Start]:
    """Start the application, as often as wanted; all are closed at the end."""
    del home
    stages: list[Stage] = []

    def begin() -> Stage:
        stages.append(Stage(theme, qtbot))
        return stages[-1]

    yield begin
    for stage in stages:
        stage.close()


@pytest.fixture
def stage(start: Start) -> Stage:
    """A started application without any model."""
    return start()


@pytest.fixture
def ready(stage: Stage) -> Stage:
    """A started application with a pair in memory."""
    stage.load()
    return stage
