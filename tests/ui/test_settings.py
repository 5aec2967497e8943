"""The Settings dialog: everything judged as typed, in force at once, kept, and undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton
from pytestqt.qtbot import QtBot

from app import settings
from app.engine.protocol import Generate, LoadModels, Speculation
from app.errors import AppError
from app.ui.settings.dialog import SettingsDialog
from app.ui.settings.engine_page import EnginePage
from app.ui.settings.fields import ChoiceField, NumberField
from app.ui.settings.models_page import ModelsPage
from app.ui.settings.page import Page
from app.ui.settings.pages import AnswersPage, EnergyPage, WindowPage
from app.ui.settings.text_fields import TextField
from app.ui.theme import Appearance, Theme
from tests.ui.conftest import Stage, Start
from tests.unit.hub import made_up as made


class Keyring:
    """A token store without a keyring."""

    def __init__(self) -> None:
        self.token: str | None = None
        self.is_persistent = False

    def get(self) -> str | None:
        return self.token

    def set(self, token: str) -> None:
        if len(token) < 4:
            raise AppError("token_malformed")
        self.token = token

    def forget(self) -> None:
        self.token = None


@pytest.fixture
def keyring() -> Keyring:
    return Keyring()


def open_dialog(stage: Stage, keyring: Keyring) -> SettingsDialog:
    controller = stage.application.settings
    controller.token_store = lambda: keyring  # type: ignore[assignment,return-value]
    controller.on_open()
    dialog = controller.dialog
    assert dialog is not None
    return dialog


@pytest.fixture
def dialog(ready: Stage, keyring: Keyring, theme: Theme) -> Iterator[SettingsDialog]:
    """The dialog over a loaded pair."""
    yield open_dialog(ready, keyring)
    theme.set_look(Appearance.LIGHT, 100)


def number(dialog: SettingsDialog, page: type[Page], name: str) -> NumberField:
    field = dialog.page(page).fields[name]
    assert isinstance(field, NumberField)
    return field


def choice(dialog: SettingsDialog, page: type[Page], name: str) -> ChoiceField:
    field = dialog.page(page).fields[name]
    assert isinstance(field, ChoiceField)
    return field


def text(dialog: SettingsDialog, page: type[Page], name: str) -> TextField:
    field = dialog.page(page).fields[name]
    assert isinstance(field, TextField)
    return field


@pytest.mark.parametrize("typed", ["0,32", "0.32", " 0.320 "])
def test_a_price_is_read_as_people_write_it(dialog: SettingsDialog, typed: str) -> None:
    number(dialog, EnergyPage, "price_per_kwh").edit(typed)
    saved = settings.load()
    assert (saved.price_per_kwh, saved.price_is_set) == (0.32, True)


@pytest.mark.parametrize("typed", ["", "abc", "-1", "1e3", "2000", "0,3,2,"])
def test_what_cannot_be_a_price_is_explained_and_not_kept(
    dialog: SettingsDialog, typed: str
) -> None:
    field = number(dialog, EnergyPage, "price_per_kwh")
    field.edit(typed)
    assert "from 0 to" in field.problem()
    assert not settings.load().price_is_set
    field.edit("0.5")
    assert field.problem() == ""
    assert settings.load().price_per_kwh == 0.5


def test_a_price_changes_what_answers_cost_at_once(ready: Stage, dialog: SettingsDialog) -> None:
    number(dialog, EnergyPage, "wall_load_watts").edit("3600000")
    assert number(dialog, EnergyPage, "wall_load_watts").problem()
    number(dialog, EnergyPage, "wall_load_watts").edit("90000")
    text(dialog, EnergyPage, "currency").edit("CHF")
    ready.answer("Hello.")
    energy = ready.window.panel.energy
    ready.qtbot.waitUntil(lambda: "CHF" in energy.texts()["cost"])
    assert "plug meter" in energy.texts()["source"]


def test_two_figures_that_contradict_each_other_are_said(dialog: SettingsDialog) -> None:
    page = dialog.page(EnergyPage)
    assert isinstance(page, EnergyPage)
    number(dialog, EnergyPage, "wall_load_watts").edit("50")
    number(dialog, EnergyPage, "wall_idle_watts").edit("80")
    assert page.wall_problem()
    number(dialog, EnergyPage, "wall_idle_watts").edit("30")
    assert page.wall_problem() == ""


@pytest.mark.parametrize("typed", ["", "12", "a currency of many words"])
def test_a_currency_is_a_few_letters(dialog: SettingsDialog, typed: str) -> None:
    field = text(dialog, EnergyPage, "currency")
    field.edit(typed)
    assert field.problem()
    assert settings.load().currency == "USD"


def test_appearance_and_text_size_change_at_once(dialog: SettingsDialog, theme: Theme) -> None:
    small = QApplication.font().pointSizeF()
    choice(dialog, WindowPage, "appearance").choose("dark")
    assert theme.dark
    choice(dialog, WindowPage, "text_percent").choose(150)
    assert QApplication.font().pointSizeF() == pytest.approx(small * 1.5)
    assert settings.load().appearance == "dark"
    choice(dialog, WindowPage, "appearance").choose("light")
    assert not theme.dark


def test_the_look_is_there_at_the_next_start(start: Start, theme: Theme, home: Path) -> None:
    settings.save(settings.Settings(appearance="dark"))
    try:
        start()
        assert theme.dark
    finally:
        theme.set_look(Appearance.LIGHT, 100)


def test_speculation_and_sampling_reach_the_next_answer(
    ready: Stage, dialog: SettingsDialog
) -> None:
    choice(dialog, AnswersPage, "speculation").choose("lookup")
    number(dialog, AnswersPage, "temperature").edit("0,2")
    number(dialog, AnswersPage, "max_tokens").edit("64")
    number(dialog, AnswersPage, "depth").edit("3")
    assert ready.window.composer.switch.choice() is Speculation.LOOKUP
    ready.ask()
    options = ready.engine.last(Generate).options
    assert options.speculation is Speculation.LOOKUP
    assert (options.sampling.temperature, options.max_tokens, options.depth) == (0.2, 64, 3)
    number(dialog, AnswersPage, "max_tokens").edit("")
    assert settings.load().max_tokens is None


def test_an_engine_option_offers_the_reload_it_takes(ready: Stage, dialog: SettingsDialog) -> None:
    page = dialog.engine
    assert not page.asks_for_reload()
    number(dialog, EnginePage, "n_ctx").edit("4096")
    assert page.asks_for_reload()
    number(dialog, EnginePage, "n_ctx").edit("8192")
    assert not page.asks_for_reload(), "as it was loaded"
    number(dialog, EnginePage, "threads").edit("1")
    choice(dialog, EnginePage, "kv_type").choose("q8_0")
    loads = ready.engine.count(LoadModels)
    page.reload_clicked.emit()
    ready.qtbot.waitUntil(lambda: ready.engine.count(LoadModels) > loads or _failed(ready))


def _failed(stage: Stage) -> bool:
    """The made-up pair has no files, so looking at them fails; that it was tried is enough."""
    return bool(stage.window.notices.texts())


@pytest.mark.parametrize("typed", ["0", "99999999", "8k", "4096.5.1e"])
def test_a_context_is_a_whole_number_within_limits(dialog: SettingsDialog, typed: str) -> None:
    field = number(dialog, EnginePage, "n_ctx")
    field.edit(typed)
    assert "whole number from 256" in field.problem()
    assert settings.load().n_ctx == 8192


def test_options_say_what_they_cost_with_the_pair(
    home: Path, start: Start, keyring: Keyring
) -> None:
    target = home / "target.gguf"
    target.write_bytes(made.model(width=640))
    settings.save(settings.Settings(target=target))
    stage = start()
    stage.wait_load()
    stage.engine.load()
    stage.wait_state("Ready")
    dialog = open_dialog(stage, keyring)
    page = dialog.engine
    stage.qtbot.waitUntil(lambda: "Together" in page.sum_text())
    before = page.sum_text()
    number(dialog, EnginePage, "n_parallel").edit("4")
    assert page.sum_text() != before
    field = choice(dialog, EnginePage, "kv_type")
    assert "f16: " in field._box.itemText(0)


def test_a_folder_must_be_there(dialog: SettingsDialog, tmp_path: Path) -> None:
    field = text(dialog, ModelsPage, "models_folder")
    file = tmp_path / "file"
    file.write_text("")
    for typed in ("models", str(tmp_path / "none"), str(file)):
        field.edit(typed)
        assert field.problem()
    assert settings.load().models_folder is None
    field.edit(str(tmp_path))
    assert settings.load().models_folder == tmp_path
    field.edit("")
    assert settings.load().models_folder is None


@pytest.mark.parametrize("typed", ["hub.example", "ftp://x", "https://", "https://a b", "http://["])
def test_an_endpoint_is_an_address(dialog: SettingsDialog, typed: str) -> None:
    field = text(dialog, ModelsPage, "endpoint")
    field.edit(typed)
    assert field.problem()
    field.edit("https://hub.example")
    assert settings.load().endpoint == "https://hub.example"


def test_a_token_is_kept_and_forgotten(
    ready: Stage, dialog: SettingsDialog, keyring: Keyring
) -> None:
    field = dialog.models.token
    ready.qtbot.waitUntil(lambda: "None is kept" in field.state())
    field.edit("hf_ geheim")
    assert not field._keep.isEnabled()
    field.edit("hf")
    field._keep.click()
    ready.qtbot.waitUntil(lambda: "token" in field.state() and not keyring.token)
    field.edit("hf_secret")
    field._keep.click()
    ready.qtbot.waitUntil(lambda: "until Slipstream ends" in field.state())
    assert keyring.token == "hf_secret"
    assert field._edit.text() == "", "never shown again"
    field._forget.click()
    ready.qtbot.waitUntil(lambda: "None is kept" in field.state())
    assert keyring.token is None


def test_a_reset_can_be_taken_back(ready: Stage, dialog: SettingsDialog) -> None:
    number(dialog, EnergyPage, "price_per_kwh").edit("0.4")
    ready.application.preferences.change(target=Path("/models/target.gguf"))
    dialog._reset.click()
    assert settings.load().price_per_kwh == 0.15
    assert settings.load().target == Path("/models/target.gguf")
    assert number(dialog, EnergyPage, "price_per_kwh").text().startswith("0")
    dialog._undo.click()
    assert settings.load().price_per_kwh == 0.4
    assert dialog._undo.isHidden()


def test_a_switch_is_a_click(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.open_page(WindowPage)
    box = dialog.page(WindowPage).fields["notify"].findChild(QCheckBox)
    assert isinstance(box, QCheckBox)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert not settings.load().notify


def test_the_dialog_opens_once_and_closes_clean(ready: Stage, dialog: SettingsDialog) -> None:
    ready.window.settings_wanted.emit()
    assert ready.application.settings.dialog is dialog
    close = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Close")
    close.click()
    assert ready.application.settings.dialog is None


def test_the_folder_and_the_hub_are_used_from_the_next_start_on(home: Path, start: Start) -> None:
    folder = home / "elsewhere"
    folder.mkdir()
    own = home / "models"
    own.mkdir()
    (own / "mine.gguf").write_bytes(made.model(width=64))
    settings.save(settings.Settings(models_folder=folder, endpoint="http://127.0.0.1:9"))
    stage = start()
    depot = stage.application.models.depot
    stage.qtbot.waitUntil(lambda: depot.stock is not None)
    stock = depot.stock
    assert stock is not None
    assert stock.hub.endpoint == "http://127.0.0.1:9"
    assert [file.path for file in stock.files] == [own / "mine.gguf"], "what was there stays in use"
    assert stage.application.settings.token_store() is stock.token
