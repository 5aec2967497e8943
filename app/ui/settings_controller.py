"""Gives settings their effects: on the window, on answers, on the meter, on the next load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.protocol import (
    Command,
    DeviceInfo,
    Event,
    LoadModels,
    ModelsLoaded,
    WorkerStarted,
)
from app.errors import AppError
from app.session import LoadOptions, generation_options, load_options
from app.settings import Settings
from app.ui.chat_controller import ChatController
from app.ui.energy_watch import EnergyWatch
from app.ui.main_window import MainWindow
from app.ui.messages import say
from app.ui.preferences import Preferences
from app.ui.theme import Appearance, Theme

if TYPE_CHECKING:
    from app.hub.gguf import Header
    from app.hub.token import TokenStore
    from app.ui.settings.dialog import SettingsDialog
    from app.ui.settings.pair_cost import HeaderReader
    from app.ui.settings.token_keeper import TokenKeeper

# What a reset leaves as it is: not chosen in this dialog, or known of this computer.
KEPT = ("target", "draft", "skipped_cpu_modules", "skipped_on", "system_prompt", "tint")
TARIFF = ("price_per_kwh", "currency")


class SettingsController(QObject):
    """One per window.

    Attributes:
        dialog: None while it is closed.
        token_store: gives the token's store; asked on a thread.

    Signals:
        report_wanted, logs_wanted, keys_wanted: what the Help page offers.
    """

    report_wanted = Signal()
    logs_wanted = Signal()
    keys_wanted = Signal()

    def __init__(
        self,
        window: MainWindow,
        chat: ChatController,
        preferences: Preferences,
        theme: Theme,
        energy: EnergyWatch,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._chat = chat
        self._preferences = preferences
        self._theme = theme
        self._energy = energy
        self._devices: tuple[DeviceInfo, ...] = ()
        self._loaded_with: LoadOptions | None = None
        self._headers: tuple[Header, Header | None] | None = None
        self._before_reset: Settings | None = None
        self._in_force = preferences.settings
        self.dialog: SettingsDialog | None = None
        self._reader: HeaderReader | None = None
        self._keeper: TokenKeeper | None = None
        self.token_store: Callable[[], TokenStore] = _own_store
        preferences.changed.connect(self._on_changed)
        chat.sending.connect(self._on_command)

    # --- effects ------------------------------------------------------------------------------

    def apply_all(self) -> None:
        """Everything, as at the start."""
        settings = self._preferences.settings
        self._in_force = settings
        self._theme.set_look(Appearance(settings.appearance), settings.text_percent)
        self._energy.set_settings(settings)
        self._chat.session.set_options(generation_options(settings))

    @Slot(object)
    def _on_changed(self, settings: Settings) -> None:
        before, self._in_force = self._in_force, settings
        self._theme.set_look(Appearance(settings.appearance), settings.text_percent)
        self._energy.set_settings(settings)
        self._change_answers(before, settings)
        if self.dialog is not None:
            self.dialog.show_settings(settings)
            self._show_engine()

    def _change_answers(self, before: Settings, settings: Settings) -> None:
        """Only what was changed here: the composer may have chosen otherwise for its chat."""
        old, new = generation_options(before), generation_options(settings)
        session = self._chat.session
        names = [f.name for f in fields(new) if getattr(old, f.name) != getattr(new, f.name)]
        if names:
            changed = {name: getattr(new, name) for name in names}
            session.set_options(replace(session.options, **changed))
        if "speculation" in names:
            # A chat that has its own way keeps it.
            self._window.composer.switch.show_choice(session.answer_options.speculation)

    # --- dialog -------------------------------------------------------------------------------

    @Slot()
    def on_open(self) -> None:
        """Show the dialog, or bring it forward."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        from app.ui.settings.dialog import SettingsDialog
        from app.ui.settings.pair_cost import HeaderReader
        from app.ui.settings.token_keeper import TokenKeeper

        dialog = self.dialog = SettingsDialog(self._window)
        dialog.changed.connect(self.on_field)
        dialog.reset_clicked.connect(self.on_reset)
        dialog.undo_clicked.connect(self.on_undo)
        dialog.engine.reload_clicked.connect(self.on_reload)
        dialog.help.copy_clicked.connect(self.report_wanted)
        dialog.help.logs_clicked.connect(self.logs_wanted)
        dialog.help.keys_clicked.connect(self.keys_wanted)
        dialog.finished.connect(self._on_finished)
        self._reader = HeaderReader(dialog)
        self._reader.finished.connect(self._on_headers)
        self._keeper = TokenKeeper(lambda: self.token_store(), dialog)
        self._keeper.told.connect(self._on_token)
        dialog.models.token_given.connect(self._keeper.give)
        dialog.show_settings(self._preferences.settings)
        self._show_engine()
        wanted = self._chat.session.view().wanted
        if wanted is not None:
            self._reader.start(wanted.target, wanted.draft)
        self._keeper.ask()
        dialog.open()

    @Slot(str, object)
    def on_field(self, name: str, value: object) -> None:
        """A setting has another value."""
        values: dict[str, object] = {name: value}
        if name in TARIFF:
            values["price_is_set"] = True
        self._preferences.change(**values)

    @Slot()
    def on_reset(self) -> None:
        """The usual settings again; undone by a button."""
        settings = self._preferences.settings
        self._before_reset = settings
        usual = Settings(**{name: getattr(settings, name) for name in KEPT})
        self._preferences.change(**{f.name: getattr(usual, f.name) for f in fields(usual)})
        if self.dialog is not None:
            self.dialog.show_reset(done=True)

    @Slot()
    def on_undo(self) -> None:
        """The settings from before the reset."""
        before, self._before_reset = self._before_reset, None
        if before is not None:
            self._preferences.change(**{f.name: getattr(before, f.name) for f in fields(before)})
        if self.dialog is not None:
            self.dialog.show_reset(done=False)

    @Slot()
    def on_reload(self) -> None:
        """Load the pair again, with the options as they are now."""
        wanted = self._chat.session.view().wanted
        if wanted is not None:
            options = load_options(self._preferences.settings)
            self._chat.open_pair(wanted.target, wanted.draft, options)

    def close(self) -> None:
        """The window is going."""
        self._let_go()

    @Slot(int)
    def _on_finished(self, _result: int) -> None:
        dialog = self.dialog
        self._let_go()
        if dialog is not None:
            dialog.deleteLater()

    def _let_go(self) -> None:
        if self._reader is not None:
            self._reader.close()
        if self._keeper is not None:
            self._keeper.close()
        self._reader = self._keeper = None
        self._headers = self._before_reset = None
        self.dialog = None

    # --- what the dialog shows ----------------------------------------------------------------

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """The engine said something."""
        for event in events:
            if isinstance(event, WorkerStarted):
                self._devices = event.devices
            elif isinstance(event, ModelsLoaded) and self._loaded_with is None:
                self._loaded_with = load_options(self._preferences.settings)
        if self.dialog is not None:
            self._show_engine()

    @Slot(object)
    def _on_command(self, command: Command) -> None:
        if isinstance(command, LoadModels):
            self._loaded_with = load_options(self._preferences.settings)

    @Slot(object)
    def _on_headers(self, headers: tuple[Header, Header | None] | None) -> None:
        self._headers = headers
        self._show_engine()

    def _show_engine(self) -> None:
        from app.ui.settings.pair_cost import cost_of

        if self.dialog is None:
            return
        options = load_options(self._preferences.settings)
        loaded = self._chat.session.view().loaded is not None
        self.dialog.engine.show_reload(wanted=loaded and options != self._loaded_with)
        headers = self._headers
        cost = cost_of(headers, options, self._devices) if headers is not None else None
        self.dialog.engine.show_cost(cost)

    @Slot(bool, bool, object)
    def _on_token(self, is_set: bool, is_persistent: bool, problem: AppError | None) -> None:
        if self.dialog is not None:
            text = say(problem.code, problem.detail) if problem is not None else ""
            field = self.dialog.models.token
            field.show_state(is_set=is_set, is_persistent=is_persistent, problem=text)


def _own_store() -> TokenStore:
    from app.hub.token import TokenStore

    return TokenStore()
