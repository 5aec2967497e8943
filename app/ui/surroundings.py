"""What surrounds the chat: keys, dropped files, notifications, the diagnostic report."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from app.settings import Settings
from app.ui.attention import Attention
from app.ui.chat_controller import ChatController
from app.ui.diagnostics import Diagnostics
from app.ui.drops import Drops
from app.ui.engine_bridge import EngineBridge
from app.ui.keys import Keys
from app.ui.main_window import MainWindow
from app.ui.notices import Action
from app.ui.preferences import Preferences
from app.ui.settings_controller import SettingsController


class Surroundings(QObject):
    """One per window.

    Attributes:
        attention, diagnostics, keys, drops: the parts.

    Signals:
        models_dropped: target and draft (or None), to be looked at before they are loaded.
    """

    models_dropped = Signal(Path, object)

    def __init__(self, window: MainWindow, chat: ChatController, preferences: Preferences) -> None:
        super().__init__(window)
        self.attention = Attention(window)
        self.diagnostics = Diagnostics(lambda: preferences.settings, chat.session.view, self)
        self.keys = Keys(window, chat, preferences)
        self.drops = Drops(window)
        self.drops.dropped.connect(self.models_dropped)
        chat.sending.connect(self.attention.on_command)
        preferences.changed.connect(self.on_settings)
        for source in (window.empty, window.notices):
            source.acted.connect(self.on_action)

    def connect_to(self, bridge: EngineBridge, settings: SettingsController) -> None:
        """Listen to the engine, and to the settings' Help page."""
        bridge.events_arrived.connect(self.attention.on_events)
        bridge.events_arrived.connect(self.diagnostics.on_events)
        settings.report_wanted.connect(self.diagnostics.on_copy)
        settings.logs_wanted.connect(self.diagnostics.on_logs)
        settings.keys_wanted.connect(self.keys.on_sheet)

    def close(self) -> None:
        """The window is going."""
        self.attention.close()

    @Slot(object)
    def on_settings(self, settings: Settings) -> None:
        """Other settings."""
        self.attention.wanted = settings.notify

    @Slot(Action)
    def on_action(self, action: Action) -> None:
        """A button of a banner or of the page in the middle."""
        if action is Action.COPY_REPORT:
            self.diagnostics.on_copy()
        elif action is Action.OPEN_LOGS:
            self.diagnostics.on_logs()
