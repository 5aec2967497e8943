"""The settings in use, and the file that follows them."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app import settings as store
from app.engine.protocol import ModelsLoaded, Speculation
from app.errors import AppError


class Preferences(QObject):
    """Keeps the settings and saves each change.

    Attributes:
        settings: as they are now.
        computer: the name that remembered CPU modules belong to.

    Signals:
        changed: the new Settings; saved, or said that they are not.
    """

    changed = Signal(object)

    def __init__(self, on_error: Callable[[AppError], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on_error = on_error
        self.computer = platform.node()
        self.settings = store.Settings()

    def load(self) -> None:
        """Read the file; what cannot be read is said, and the usual settings are used."""
        try:
            self.settings = store.load()
        except AppError as error:
            self._on_error(error)

    def change(self, **values: Any) -> None:
        """Take new values and save them, if they are new."""
        changed = replace(self.settings, **values)
        if changed == self.settings:
            return
        self.settings = changed
        try:
            store.save(changed)
        except AppError as error:
            self._on_error(error)
        self.changed.emit(changed)

    def remember_pair(self, loaded: ModelsLoaded, n_ctx: int) -> None:
        """The pair to load at the next start."""
        draft = loaded.draft.path if loaded.draft is not None else None
        self.change(target=loaded.target.path, draft=draft, n_ctx=n_ctx)

    @Slot(Speculation)
    def on_speculation(self, choice: Speculation) -> None:
        """Another way to speculate was chosen."""
        self.change(speculation=choice.value)

    @Slot(bool)
    def on_tint(self, on: bool) -> None:
        """Drafted text is to be tinted, or not."""
        self.change(tint=on)

    @Slot(object)
    def on_modules_skipped(self, modules: frozenset[str]) -> None:
        """These CPU modules fault on this computer."""
        self.change(skipped_cpu_modules=tuple(sorted(modules)), skipped_on=self.computer)
