"""Where everything is joined.

The only place that makes engine, store, settings and window and wires them.

At start: one window per user; the store; the window, at once; then the engine's process and the
pair of last time, or the starter model, so that a first answer needs no choice. At the end: the
answer in progress is kept, the worker ends, the files close.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QMessageBox

from app import APP_NAME, paths
from app.engine.protocol import ModelsLoaded, Speculation
from app.errors import AppError
from app.monitor import EnergyMeter, open_meter
from app.session import ChatSession, Level, load_options
from app.settings import Settings
from app.storage import Storage
from app.ui.chat_controller import ChatController
from app.ui.chat_tools import ChatTools
from app.ui.conversation_shelf import ConversationShelf
from app.ui.energy_watch import EnergyWatch
from app.ui.engine_bridge import Engine, EngineBridge
from app.ui.main_window import MainWindow
from app.ui.messages import say
from app.ui.models.desk import ModelsDesk
from app.ui.notices import Banner
from app.ui.open_pair import OpenPair
from app.ui.pair_check import PairCheck
from app.ui.panel_controller import PanelController
from app.ui.preferences import Preferences
from app.ui.settings_controller import SettingsController
from app.ui.surroundings import Surroundings
from app.ui.theme import Theme

log = logging.getLogger(__name__)

STOP_SECONDS = 1.0
EngineMaker = Callable[[EngineBridge, Preferences], Engine]


class Application(QObject):
    """One running window with all that belongs to it.

    Attributes:
        window, chat, preferences, engine: for those who look from outside, as tests do.
    """

    def __init__(
        self,
        theme: Theme,
        storage: Storage,
        make_engine: EngineMaker,
        meter: EnergyMeter | None = None,
    ) -> None:
        super().__init__()
        self._storage = storage
        self._closed = False
        self._dialog: OpenPair | None = None
        self._check = PairCheck(self)
        self._theme = theme
        self.window = MainWindow(theme, paths.folders().config / "window.ini")
        self.preferences = Preferences(self._complain, self)
        self.bridge = EngineBridge(self)
        session = ChatSession(storage, clock=time.monotonic, wall_clock=time.time)
        self.engine: Engine = make_engine(self.bridge, self.preferences)
        self.chat = ChatController(session, self.engine, self.bridge, self.window)
        self.models = ModelsDesk(self.chat, self.window, self.preferences, self)
        for check in (self._check, self.chat.check):
            check.fit = self.models.fit
        self.shelf = ConversationShelf(storage, self.chat, self.window)
        meter = meter or open_meter(Settings())
        self.energy = EnergyWatch(meter, storage.ledger, self._complain, self)
        self.numbers = PanelController(self.window, self.chat, self.engine, meter, self.energy)
        self.settings = SettingsController(
            self.window, self.chat, self.preferences, theme, self.energy
        )
        self.tools = ChatTools(
            self.window, self.chat, self.preferences, storage.presets, theme, meter
        )
        self.around = Surroundings(self.window, self.chat, self.preferences)
        self._connect()

    def _connect(self) -> None:
        window, preferences = self.window, self.preferences
        window.closing.connect(self.close)
        window.open_wanted.connect(self.on_open)
        window.pair_bar.open_clicked.connect(self.on_open)
        window.composer.tint_toggled.connect(preferences.on_tint)
        self.chat.open_wanted.connect(self.on_open)
        self.chat.loaded.connect(self._on_loaded)
        self.chat.sending.connect(self.energy.on_command)
        self.bridge.events_arrived.connect(self.energy.on_events)
        self.numbers.connect_to(self.bridge)
        self.bridge.events_arrived.connect(self.settings.on_events)
        self.around.connect_to(self.bridge, self.settings)
        self.tools.connect_to(self.bridge)
        self.tools.comparing.compared.connect(self.numbers.on_compared)
        self.energy.measured.connect(self.chat.on_energy)
        self.around.models_dropped.connect(self.on_dropped)
        self.models.depot.pair_arrived.connect(self.around.attention.on_download)
        self.models.depot.opened.connect(self._on_depot)
        window.settings_wanted.connect(self.settings.on_open)
        window.pair_bar.settings_clicked.connect(self.settings.on_open)
        self.bridge.events_arrived.connect(self.models.on_events)
        self.models.load_wanted.connect(self.load_files)
        self.bridge.modules_skipped.connect(preferences.on_modules_skipped)

    # --- start and end ------------------------------------------------------------------------

    def start(self) -> None:
        """Show the window, then what it needs."""
        self.preferences.load()
        settings = self.preferences.settings
        self.settings.apply_all()
        self.around.on_settings(settings)
        self.tools.on_settings(settings)
        self.window.composer.switch.show_choice(self.chat.session.options.speculation)
        self.window.composer.set_tint(settings.tint)
        self.shelf.refresh()
        self.chat.refresh()
        self.window.show()
        self.window.composer.take_focus()
        if self._storage.set_aside is not None:
            detail: dict[str, str | int | float | None] = {"path": str(self._storage.set_aside)}
            self.chat.complain(Banner("store", say("database_set_aside", detail), Level.WARNING))
        # After the first picture: what follows costs time that nobody should wait for.
        QTimer.singleShot(0, self._start_engine)

    @Slot()
    def _start_engine(self) -> None:
        if self._closed:
            return
        self.engine.start()
        self.energy.refresh_today()
        threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
        self.models.depot.open()
        settings = self.preferences.settings
        if settings.target is not None:
            self.chat.open_pair(settings.target, settings.draft, load_options(settings))
        elif paths.starter_model().is_file():
            # It has no draft; what it can do is repeat itself from the text so far.
            if settings.speculation == Speculation.AUTO:
                self._choose(Speculation.LOOKUP)
            self.chat.open_pair(paths.starter_model(), None, load_options(settings))

    @Slot()
    def close(self) -> None:
        """Keep everything and end the worker; the window is already going."""
        if self._closed:
            return
        self._closed = True
        self.window.hide()
        self.tools.close()
        self.numbers.close()
        self.settings.close()
        self.around.close()
        self._check.close()
        self.models.close()
        self.chat.close()
        self.energy.close()
        self.engine.stop(STOP_SECONDS)
        self.bridge.close()
        try:
            self._storage.close()
        except AppError as error:
            QMessageBox.warning(None, APP_NAME, say(error.code, error.detail))

    def dispose(self) -> None:
        """Close, and destroy the window and its helpers now, in a known order.

        Left to the garbage collector they would go in any order, and on whatever thread it runs.
        """
        self.close()
        shiboken6.delete(self.window)
        shiboken6.delete(self)

    # --- models -------------------------------------------------------------------------------

    @Slot()
    def on_open(self) -> None:
        """Let the user choose a pair."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        settings = self.preferences.settings
        dialog = OpenPair(self._theme, self._check, settings.n_ctx, self.window)
        wanted = self.chat.session.view().wanted
        if wanted is not None and wanted.target != paths.starter_model():
            dialog.set_files(wanted.target, wanted.draft)
        dialog.finished.connect(self._on_dialog)
        self._dialog = dialog
        dialog.open()

    @Slot(Path, object)
    def on_dropped(self, target: Path, draft: Path | None) -> None:
        """Model files fell on the window: shown and judged before anything is loaded."""
        self.on_open()
        if self._dialog is not None:
            self._dialog.set_files(target, draft)

    @Slot(int)
    def _on_dialog(self, result: int) -> None:
        dialog, self._dialog = self._dialog, None
        assert dialog is not None
        dialog.deleteLater()
        if result != OpenPair.DialogCode.Accepted or dialog.report is None:
            return
        self.preferences.change(n_ctx=dialog.n_ctx())
        self._choose(Speculation(self.preferences.settings.speculation))
        self.chat.load_report(dialog.report, load_options(self.preferences.settings))

    @Slot(Path, object)
    def load_files(self, target: Path, draft: Path | None) -> None:
        """Load what the Models dialog offers."""
        settings = self.preferences.settings
        self._choose(Speculation(settings.speculation))
        self.chat.open_pair(target, draft, load_options(settings))

    def _choose(self, speculation: Speculation) -> None:
        self.chat.on_speculation(speculation)
        self.window.composer.switch.show_choice(speculation)

    @Slot(object)
    def _on_loaded(self, loaded: ModelsLoaded) -> None:
        if loaded.target.path != paths.starter_model():
            self.preferences.remember_pair(loaded, self.preferences.settings.n_ctx)

    @Slot()
    def _on_depot(self) -> None:
        """One store of the token for downloads and settings."""
        stock = self.models.depot.stock
        if stock is not None:
            self.settings.token_store = lambda: stock.token

    def _complain(self, error: AppError) -> None:
        log.warning("%s", error)
        self.chat.complain(Banner("settings", say(error.code, error.detail), Level.WARNING))


def _warm_up() -> None:
    """Import what the first answer will need, while nobody waits for it."""
    from app.ui.code_colours import lexer_for
    from app.ui.markdown import to_html

    to_html("warm")
    lexer_for("python")
