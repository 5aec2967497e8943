"""What the tests of the Models dialog share: a Hub, a catalogue, and an open dialog."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import keyring
import pytest
from keyring.backends import null

from app.engine.protocol import DeviceInfo, LoadModels, WorkerStarted
from app.hub import download, folders
from app.hub.items import Wanted
from app.hub.repository import ModelChoice
from app.ui.models import depot as depot_module
from app.ui.models.depot import Depot, Stock
from app.ui.models.dialog import ModelsDialog, Page
from tests import hub_cases, tiny_pair
from tests.hub_cases import QUICK, Scene
from tests.loopback_hub import LoopbackHub
from tests.ui.conftest import Stage, Start

GIB = 2**30
DEVICES = (DeviceInfo("CPU", "Processor", "cpu", 12 * GIB, 16 * GIB),)
STARTED = WorkerStarted(1, 7, {}, DEVICES)


@dataclass
class Shop:
    """A started application, a Hub, and short names for what a test does with them."""

    at: Scene
    start: Start
    stage: Stage

    @property
    def depot(self) -> Depot:
        return self.stage.application.models.depot

    @property
    def stock(self) -> Stock:
        assert self.depot.stock is not None
        return self.depot.stock

    @property
    def dialog(self) -> ModelsDialog:
        dialog = self.stage.application.models.dialog
        assert dialog is not None
        return dialog

    def wait(self, condition: Callable[[], object]) -> None:
        self.stage.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    def open(self, page: Page = Page.RECOMMENDED) -> ModelsDialog:
        """The dialog at a page, ready to be used."""
        self.stage.window.pair_bar.models_clicked.emit()
        self.wait(lambda: self.depot.stock is not None)
        self.dialog.show_page(page)
        return self.dialog

    def get(self, what: str) -> None:
        """Ask for a file as the page of its repository does."""
        repo, _, name = what.partition(":")[0].rpartition("/")
        if ":" in what:
            repo, name = what.partition(":")[0], ""
        files = self.at.hub.repos[repo].files
        name = name if name in files else next(one for one in files if "Q2_K" in one)
        commit = self.at.hub.repos[repo].commit
        file = files[name]
        self.depot.get_files([Wanted(repo, name, commit, file.size, file.sha256)])

    def again(self) -> Shop:
        """Close the window and start the app anew."""
        self.stage.close()
        self.stage = self.start()
        return self

    def loads(self) -> list[LoadModels]:
        return [c for c in self.stage.engine.commands if isinstance(c, LoadModels)]


@pytest.fixture
def scene(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A Hub with a file and a pair, a catalogue of that pair, no keyring, little patience."""
    monkeypatch.setattr(depot_module, "POLICY", QUICK)
    monkeypatch.setattr(folders, "known_folders", list)
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())  # type: ignore[no-untyped-call]
    with ExitStack() as undo, LoopbackHub() as hub:
        at = hub_cases.scene(hub, home, monkeypatch, undo)
        tiny_pair.serve_pair(hub, *tiny_pair.made_up_pair(home / "published"))
        catalog = tiny_pair.write_catalog(hub, home / "pairs.json")
        tiny_pair.use_catalog(monkeypatch, catalog)
        yield at
    download.close()  # the library keeps connections, and with them the proxy of its first question
    keyring.set_keyring(before)


@pytest.fixture
def shop(scene: Scene, start: Start) -> Iterator[Shop]:
    """A started application whose engine has told its devices."""
    stage = start()
    made = Shop(scene, start, stage)
    stage.engine.say(STARTED)
    made.wait(lambda: made.depot.stock is not None and made.depot.machine.is_known)
    yield made
    made.stage.close()  # before the Hub goes


__all__ = ["GIB", "STARTED", "ModelChoice", "Shop", "scene", "shop"]
