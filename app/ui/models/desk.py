"""Joins the depot and the dialog with the window: offers, discreet progress, loading what came."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.protocol import Event
from app.errors import AppError
from app.session import Level, load_options
from app.ui.chat_controller import ChatController
from app.ui.empty_page import Offer
from app.ui.main_window import MainWindow
from app.ui.messages import say, say_bytes
from app.ui.models.depot import Depot
from app.ui.models.labels import size_words
from app.ui.models.machine import Machine
from app.ui.notices import Action, Banner
from app.ui.preferences import Preferences

if TYPE_CHECKING:
    from app.hub.catalog import Pair
    from app.hub.gguf import Header
    from app.hub.items import Snapshot
    from app.hub.recommend import Recommendation
    from app.session.fitting import FitReport
    from app.ui.models.dialog import ModelsDialog


class ModelsDesk(QObject):
    """What the window knows of model files.

    Attributes:
        depot: files and downloads.
        dialog: None while it is closed.

    Signals:
        load_wanted: target and draft (or None) are to be loaded.
    """

    load_wanted = Signal(Path, object)

    def __init__(
        self, chat: ChatController, window: MainWindow, preferences: Preferences, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.depot = Depot(Machine(), self)
        self.depot.settings = lambda: preferences.settings
        self.dialog: ModelsDialog | None = None
        self._chat = chat
        self._window = window
        self._choice: Pair | None = None
        self._arrived: tuple[Path, Path] | None = None
        self._closed = False
        depot = self.depot
        depot.recommended.connect(self._on_recommended)
        depot.downloads_changed.connect(self._on_downloads)
        depot.files_changed.connect(self._show_offer)
        depot.pair_arrived.connect(self._on_arrived)
        depot.failed.connect(self._on_failed)
        window.pair_bar.models_clicked.connect(self.on_models)
        window.pair_bar.downloads_clicked.connect(self.on_downloads)
        window.models_wanted.connect(self.on_models)
        window.empty.acted.connect(self._on_action)
        window.notices.acted.connect(self._on_action)

    def fit(self, path: Path, target: Header, draft: Header | None) -> FitReport:
        """What of a pair fits into memory; asked on the thread that reads the files."""
        from app.hub.library import split_bytes
        from app.session.fitting import fit_pair

        options = load_options(self._preferences.settings)
        return fit_pair(target, draft, self.depot.machine.now(), options, split_bytes(path))

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """The engine said something: devices, a pair loaded or gone."""
        view = self._chat.session.view()
        self.depot.options = load_options(self._preferences.settings)
        if view.loaded is not None and view.loaded.draft is not None:
            target, draft = view.loaded.target.path, view.loaded.draft.path
            self.depot.set_in_use(target, draft)
        if self.depot.machine.on_events(events, view.loaded):
            self.depot.recommend()
            if self.dialog is not None:
                self.dialog.recommended.refresh()

    def close(self) -> None:
        """Close the dialog, pause downloads."""
        self._closed = True
        if self.dialog is not None:
            self.dialog.close()
        self.depot.close()
        self.depot.machine.close()

    # --- the dialog ---------------------------------------------------------------------------

    @Slot()
    def on_models(self) -> None:
        """Show the dialog."""
        from app.ui.models.dialog import ModelsDialog

        if self.dialog is None:
            self.depot.open()
            dialog = ModelsDialog(self.depot, self._window)
            dialog.pair_wanted.connect(self.load_wanted)
            dialog.file_wanted.connect(self._on_file)
            dialog.finished.connect(self._on_dialog_closed)
            self.dialog = dialog
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    @Slot()
    def on_downloads(self) -> None:
        """Show the dialog at its downloads."""
        from app.ui.models.dialog import Page

        self.on_models()
        if self.dialog is not None:
            self.dialog.show_page(Page.DOWNLOADS)

    @Slot()
    def _on_dialog_closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

    @Slot(Path)
    def _on_file(self, target: Path) -> None:
        """A file of the library: with its draft, where it is part of a pair."""
        drafts = [pair.draft for pair in self.depot.pairs_in_use() if pair.target == target]
        self.load_wanted.emit(target, drafts[0] if drafts else None)

    # --- what the window shows ----------------------------------------------------------------

    @Slot(object)
    def _on_downloads(self, snapshot: Snapshot) -> None:
        from app.hub.items import ItemState
        from app.ui.models.downloads_page import short_words, sum_words

        failed = any(item.state is ItemState.FAILED for item in snapshot.items)
        self._window.pair_bar.show_downloads(
            short_words(snapshot), sum_words(snapshot), is_bad=failed
        )
        self._show_offer()

    @Slot(object)
    def _on_recommended(self, found: Recommendation) -> None:
        self._choice = found.choice
        self._show_offer()

    @Slot()
    def _show_offer(self) -> None:
        """Offer the recommended pair until it is loaded; once it is under way, how far it is."""
        if self._closed:
            return
        pair = self._choice
        self._window.empty.set_offer(self._offer(pair) if pair is not None else None)
        self._chat.refresh()

    def _offer(self, pair: Pair) -> Offer:
        from app.hub.items import ItemState

        items = [i for i in self.depot.items_of(pair) if i.state is not ItemState.DONE]
        missing = [f for f in (pair.target, pair.draft) if self.depot.installed(f) is None]
        if items and missing:
            done = sum(item.done_bytes for item in items)
            text = self.tr("{title} is on its way: {done} of {total}.").format(
                title=pair.title,
                done=say_bytes(done),
                total=size_words(sum(item.total_bytes or 0 for item in items)),
            )
            return Offer(text, Action.DOWNLOADS, self.tr("Show the download"))
        text = self.tr("{title} suits this computer: one answers, the other makes it faster.")
        button = self.tr("Get it ({size})").format(
            size=say_bytes(sum(file.size_bytes for file in missing))
        )
        if not missing:
            button = self.tr("Load it")
        return Offer(text.format(title=pair.title), Action.GET_RECOMMENDED, button)

    @Slot(Action)
    def _on_action(self, action: Action) -> None:
        if action is Action.MODELS:
            self.on_models()
        elif action is Action.DOWNLOADS:
            self.on_downloads()
        elif action is Action.GET_RECOMMENDED and self._choice is not None:
            self.depot.get_pair(self._choice)
        elif action is Action.LOAD_ARRIVED and self._arrived is not None:
            self.load_wanted.emit(*self._arrived)

    # --- what came ----------------------------------------------------------------------------

    @Slot(str, Path, Path)
    def _on_arrived(self, title: str, target: Path, draft: Path) -> None:
        """Load the pair that was asked for; an answer being written is not cut off for it."""
        self._arrived = target, draft
        if self._chat.session.view().answer_id is None:
            self.load_wanted.emit(target, draft)
            return
        text = self.tr("{title} is here, complete and checked.").format(title=title)
        load = (Action.LOAD_ARRIVED, self.tr("Load it"))
        self._chat.complain(Banner("arrived", text, Level.INFO, (load,)))

    @Slot(object)
    def _on_failed(self, error: AppError) -> None:
        """With the dialog open its pages say it."""
        if self.dialog is None and not self._closed:
            text = say(error.code, error.detail)
            self._chat.complain(Banner("models", text, Level.WARNING))
