"""The window in German: all there, loadable, and no text that could not be looked up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QLabel

import translations
from app import messages, paths, settings
from app.ui import language
from app.ui.messages import say
from app.ui.shortcuts import GROUPS, ShortcutSheet
from tests.ui.conftest import Start


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """German until the test ends."""
    before = QLocale()
    assert language.install(qapp, "de") == "de"
    installed = qapp.findChildren(QTranslator)
    yield
    for translator in installed:
        qapp.removeTranslator(translator)
        translator.setParent(None)
        translator.deleteLater()
    QLocale.setDefault(before)


def test_german_is_complete_and_built() -> None:
    """When this fails: python packaging/translations.py missing, then fill."""
    assert translations.check("de") == []


def test_every_sentence_of_an_error_is_translated() -> None:
    known = {source for context, source in translations.read(translations.ts_file("de"))
             if context == "messages"}  # fmt: skip
    missing = [s for s in (*messages.SENTENCES.values(), messages.UNKNOWN) if s not in known]
    assert missing == []


def test_missing_and_broken_translations_are_noticed() -> None:
    found = translations.problems(
        {("A", "One {x}"): "", ("A", "Two {x}"): "Zwei {y}", ("A", "Three"): "Drei"}
    )
    assert len(found) == 2


@pytest.mark.usefixtures("german")
def test_the_window_speaks_german(start: Start) -> None:
    stage = start()
    assert stage.window.empty._title.text() == "Öffnen Sie zuerst ein Modell"
    assert stage.state() == "Kein Modell"
    for command in stage.session.load(paths.starter_model()):
        stage.engine.send(command)
    stage.engine.load()
    stage.wait_state("Bereit")
    sheet = ShortcutSheet(stage.window)
    assert "Antworten" in [label.text() for label in sheet.findChildren(QLabel)]
    assert say("file_empty", {"path": "/a"}).startswith("/a ist leer.")


@pytest.mark.usefixtures("german")
def test_numbers_and_qt_itself_are_german_too() -> None:
    assert QLocale().toString(1234.5, "f", 1).endswith(",5")
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"


def test_the_keys_of_the_sheet_are_in_the_extracted_texts() -> None:
    known = translations.read(translations.ts_file("de"))
    for group in GROUPS:
        assert ("shortcuts", group.title) in known
        assert all(("shortcuts", shortcut.text) in known for shortcut in group.shortcuts)


@pytest.mark.parametrize(
    ("wanted", "system", "expected"),
    [
        ("de", "en_US", "de"),
        ("en", "de_DE", "en"),
        ("system", "de_AT", "de"),
        ("system", "fr_FR", "en"),
        ("xx", "de_DE", "en"),
    ],
)
def test_the_language_follows_the_setting_and_the_system(
    wanted: str, system: str, expected: str
) -> None:
    assert language.chosen(wanted, QLocale(system)) == expected


def test_every_language_on_offer_can_be_kept() -> None:
    for code in (*language.TRANSLATED, language.SOURCE, language.SYSTEM):
        assert settings.accepts("language", code)
