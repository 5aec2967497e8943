"""The keys that act on the chat: answer again, copy, show the guesses, let another one guess."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication

from app.conversation import Role
from app.engine.protocol import Speculation
from app.ui.chat_controller import ChatController
from app.ui.main_window import MainWindow
from app.ui.preferences import Preferences
from app.ui.shortcuts import ShortcutSheet

ORDER = (Speculation.OFF, Speculation.DRAFT, Speculation.LOOKUP, Speculation.AUTO)


class Keys(QObject):
    """One per window; the window's own keys are the window's."""

    def __init__(self, window: MainWindow, chat: ChatController, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._chat = chat
        self._preferences = preferences
        self.sheet: ShortcutSheet | None = None
        for keys, target in (
            ("F1", self.on_sheet),
            ("Ctrl+/", self.on_sheet),
            ("Ctrl+R", self.on_again),
            ("Ctrl+Shift+C", self.on_copy),
            ("Ctrl+T", self.on_tint),
            ("Ctrl+G", self.on_next_guesser),
        ):
            QShortcut(QKeySequence(keys), window).activated.connect(target)

    @Slot()
    def on_sheet(self) -> None:
        """Show all keys."""
        if self.sheet is None:
            self.sheet = ShortcutSheet(QApplication.activeModalWidget() or self._window)
            self.sheet.finished.connect(self._on_sheet_closed)
            self.sheet.open()

    @Slot()
    def _on_sheet_closed(self) -> None:
        sheet, self.sheet = self.sheet, None
        if sheet is not None:
            sheet.deleteLater()

    @Slot()
    def on_again(self) -> None:
        """Another answer in the place of the last one."""
        leaf = self._chat.session.conversation.leaf
        if leaf is not None:
            self._chat.on_retry(leaf)

    @Slot()
    def on_copy(self) -> None:
        """The last answer, as the model wrote it."""
        path = self._chat.session.conversation.path()
        answers = [m.content for m in path if m.role is Role.ASSISTANT and m.content]
        if answers:
            QGuiApplication.clipboard().setText(answers[-1])

    @Slot()
    def on_tint(self) -> None:
        """Show the guesses, or no longer."""
        self._window.composer.set_tint(not self._preferences.settings.tint)

    @Slot()
    def on_next_guesser(self) -> None:
        """The next way to speculate that can be had."""
        switch = self._window.composer.switch
        loaded = self._chat.session.view().loaded
        possible = [
            choice
            for choice in ORDER
            if choice is not Speculation.DRAFT or (loaded is not None and loaded.draft is not None)
        ]
        now = switch.choice()
        at = possible.index(now) if now in possible else -1
        following = possible[(at + 1) % len(possible)]
        switch.show_choice(following)
        switch.chosen.emit(following)
