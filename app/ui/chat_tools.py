"""What helps with one chat: its own options and presets, comparing, files that are refused.

Joins these parts with the chat; the window knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Protocol

from PySide6.QtCore import QObject, Slot

from app.engine.protocol import Command, Speculation
from app.errors import AppError
from app.monitor import EnergyMeter, first_probe, tariff_of
from app.session import Level, generation_options
from app.settings import Settings
from app.storage.records import Preset
from app.ui.chat_controller import ChatController
from app.ui.chat_options import ChatOptions
from app.ui.compare.controller import CompareController
from app.ui.engine_bridge import EngineBridge
from app.ui.main_window import MainWindow
from app.ui.messages import say
from app.ui.notices import Banner
from app.ui.preferences import Preferences
from app.ui.theme import Theme


class PresetStore(Protocol):
    """Where presets are kept; `app.storage.presets.Presets` is one."""

    def all(self) -> tuple[Preset, ...]: ...
    def save(self, preset: Preset) -> None: ...
    def delete(self, name: str) -> None: ...


class ChatTools(QObject):
    """One per window.

    Attributes:
        options: the dialog while it is open.
        comparing: the comparison.
    """

    def __init__(
        self,
        window: MainWindow,
        chat: ChatController,
        preferences: Preferences,
        presets: PresetStore,
        theme: Theme,
        meter: EnergyMeter,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._chat = chat
        self._preferences = preferences
        self._presets = presets
        self._probe = first_probe()
        self.options: ChatOptions | None = None
        self.comparing = CompareController(
            chat.session, _sender(chat), meter, self._probe, theme, window
        )
        self.comparing.refused.connect(self._on_refused)
        preferences.changed.connect(self.on_settings)
        composer = window.composer
        composer.switch.chosen.connect(self.on_switched)
        composer.refused.connect(self._on_refused)
        composer.compare_clicked.connect(self.on_compare)
        composer.chat_options_clicked.connect(self.on_options)

    def connect_to(self, bridge: EngineBridge) -> None:
        """Listen to the engine."""
        bridge.events_arrived.connect(self.comparing.on_events)

    def close(self) -> None:
        """The window is going."""
        self.comparing.close()
        self._probe.close()

    @Slot(object)
    def on_settings(self, settings: Settings) -> None:
        """Other settings."""
        self.comparing.tariff = tariff_of(settings)
        self._window.composer.set_enter_sends(settings.enter_sends)
        self._window.chat.set_enter_sends(settings.enter_sends)
        self._chat.system_prompt = settings.system_prompt

    @Slot(Speculation)
    def on_switched(self, choice: Speculation) -> None:
        """The user picked who proposes tokens: for this chat if it has its own, else for all."""
        conversation = self._chat.session.conversation
        if "speculation" in conversation.options:
            own = {**conversation.options, "speculation": choice.value}
            self._chat.set_own(conversation.system_prompt, own)
        else:
            self._chat.on_speculation(choice)
            self._preferences.on_speculation(choice)

    @Slot()
    def on_compare(self) -> None:
        """Compare the answers to what is written, or to the last question."""
        self.comparing.open(self._window.composer.message())

    # --- options of the chat --------------------------------------------------------------------

    @Slot()
    def on_options(self) -> None:
        """Let the user change what this chat does differently."""
        if self.options is not None:
            self.options.raise_()
            return
        usual = generation_options(self._preferences.settings)
        numbers = {**asdict(usual.sampling), "max_tokens": usual.max_tokens}
        conversation = self._chat.session.conversation
        dialog = ChatOptions(numbers, self._window)
        dialog.show_values(conversation.system_prompt, conversation.options)
        dialog.preset_saved.connect(self._on_preset_saved)
        dialog.preset_deleted.connect(self._on_preset_deleted)
        dialog.accepted.connect(self._on_accepted)
        dialog.finished.connect(self._on_closed)
        self.options = dialog
        self._show_presets("")
        dialog.open()

    @Slot()
    def _on_accepted(self) -> None:
        dialog = self.options
        assert dialog is not None
        self._chat.set_own(dialog.system_prompt, dialog.own)
        if dialog.for_new_chats.isChecked():
            self._preferences.change(system_prompt=dialog.system_prompt)

    @Slot()
    def _on_closed(self) -> None:
        dialog, self.options = self.options, None
        if dialog is not None:
            dialog.deleteLater()

    @Slot(object)
    def _on_preset_saved(self, preset: Preset) -> None:
        try:
            self._presets.save(preset)
        except AppError as error:
            self._on_refused(error)
        self._show_presets(preset.name)

    @Slot(str)
    def _on_preset_deleted(self, name: str) -> None:
        try:
            self._presets.delete(name)
        except AppError as error:
            self._on_refused(error)
        self._show_presets("")

    def _show_presets(self, current: str) -> None:
        if self.options is None:
            return
        try:
            self.options.show_presets(self._presets.all(), current)
        except AppError as error:
            self._on_refused(error)

    @Slot(object)
    def _on_refused(self, error: AppError) -> None:
        self._chat.complain(Banner("refused", say(error.code, error.detail), Level.WARNING))


def _sender(chat: ChatController) -> Callable[[Command], None]:
    """Commands of a comparison go past the session, which knows nothing of them."""
    return chat.send_command
