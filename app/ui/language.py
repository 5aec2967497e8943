"""The language of the window: its texts, Qt's own, and how numbers and dates are written.

Texts are built with the widgets, so another language is used from the next start on.
"""

from __future__ import annotations

import logging

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app import paths

log = logging.getLogger(__name__)

SYSTEM = "system"
SOURCE = "en"  # what the texts are written in
TRANSLATED = ("de",)


def chosen(wanted: str, system: QLocale | None = None) -> str:
    """The language for a setting: a translated one, or the texts as they were written."""
    if wanted != SYSTEM:
        return wanted if wanted in TRANSLATED else SOURCE
    for name in (system or QLocale.system()).uiLanguages():
        code = name.split("-")[0].split("_")[0].lower()
        if code in TRANSLATED or code == SOURCE:
            return code
    return SOURCE


def install(app: QApplication, wanted: str) -> str:
    """Speak this language from now on; returns which one it became."""
    code = chosen(wanted)
    system = QLocale.system()
    if QLocale(code).language() == system.language():
        QLocale.setDefault(system)  # with the region's way to write numbers
    else:
        QLocale.setDefault(QLocale(code))
    if code == SOURCE:
        return code
    own = paths.resource("translations")
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, folder in ((f"qtbase_{code}", qt), (f"slipstream_{code}", str(own))):
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
        else:
            log.warning("the texts %s are not there", name)
    return code
