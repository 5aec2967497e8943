"""Model files, downloads and the Hub, for as long as the window lives.

The dialog comes and goes; what it started goes on here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app import paths
from app.errors import AppError
from app.session import LoadOptions
from app.settings import Settings
from app.ui.models.background import Background
from app.ui.models.machine import Machine

if TYPE_CHECKING:
    from app.hub.catalog import Catalog, CatalogFile, Pair
    from app.hub.download import Hub
    from app.hub.items import Item, Snapshot, Wanted
    from app.hub.library import Library, LibraryFile, PairInUse
    from app.hub.queue import DownloadQueue
    from app.hub.recommend import Recommendation
    from app.hub.retry import RetryPolicy
    from app.hub.token import TokenStore

POLICY: RetryPolicy | None = None  # the usual patience; tests have less


@dataclass(frozen=True, slots=True)
class Stock:
    """What is made once, on a thread, because its imports and the disk take a moment."""

    hub: Hub
    token: TokenStore
    library: Library
    queue: DownloadQueue
    catalog: Catalog
    files: tuple[LibraryFile, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A pair on its way: loaded when all keys are done."""

    pair: Pair
    keys: tuple[str, ...]


class Depot(QObject):
    """Owns the models folder's content and its downloads.

    Attributes:
        stock: None until `opened`.
        files: as last looked at.
        machine: free memory.
        in_use: the pair that is loaded or was last.
        options: how the next pair would be loaded.
        settings: gives the settings, for the models folder and the Hub, when it opens.

    Signals:
        opened: the stock is there.
        failed: why it is not, or why a wish was refused: the AppError.
        files_changed: another look at the folders has another result.
        downloads_changed: the Snapshot.
        pair_arrived: a pair that was asked for is complete: title, target, draft.
        recommended: the Recommendation for chat on this computer.
    """

    opened = Signal()
    failed = Signal(object)
    files_changed = Signal()
    downloads_changed = Signal(object)
    pair_arrived = Signal(str, Path, Path)
    recommended = Signal(object)
    _changed = Signal(object)

    def __init__(self, machine: Machine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.machine = machine
        self.stock: Stock | None = None
        self.files: tuple[LibraryFile, ...] = ()
        self.in_use: PairInUse | None = None
        self.options = LoadOptions()
        self.settings: Callable[[], Settings] = Settings
        self._orders: list[Order] = []
        self._done: frozenset[str] = frozenset()
        self._is_opening = False
        self._is_closed = False
        self._lock = threading.Lock()
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._changed.connect(self._on_changed, Qt.ConnectionType.QueuedConnection)

    # --- beginning and end --------------------------------------------------------------------

    def open(self) -> None:
        """Begin to make the stock, unless that was done."""
        if self.stock is None and not self._is_opening:
            self._is_opening = True
            self._background.run("open", self._make_stock)

    def close(self) -> None:
        """Pause what runs; what arrived is kept."""
        self._background.close()
        if self.stock is not None:
            self.stock.queue.close()
        with self._lock:
            self._is_closed = True

    def _make_stock(self) -> Stock:
        from app.hub.catalog import load_catalog
        from app.hub.download import Hub
        from app.hub.folders import ModelFolder, Origin, known_folders
        from app.hub.library import Library
        from app.hub.queue import DownloadQueue
        from app.hub.token import TokenStore

        token = TokenStore()
        chosen, own = self.settings(), paths.folders().models
        hub = Hub(token.get, chosen.endpoint or None)
        folder = chosen.models_folder or own
        queue = DownloadQueue(folder, hub, self._post, token=token.get, policy=POLICY)
        others = [ModelFolder(own, Origin.OTHER)] if folder != own and own.is_dir() else []
        library = Library(folder, [*others, *known_folders()])
        queue.restore()
        catalog = load_catalog(paths.resource("pairs.json"))
        return Stock(hub, token, library, queue, catalog, tuple(library.scan()))

    def set_in_use(self, target: Path, draft: Path) -> None:
        """A pair is loaded: deleting one of its files would break it."""
        from app.hub.library import PairInUse

        if self.in_use is None or (self.in_use.target, self.in_use.draft) != (target, draft):
            self.in_use = PairInUse(target.name.removesuffix(".gguf"), target, draft)

    # --- looking ------------------------------------------------------------------------------

    def look(self) -> None:
        """Look at the folders again."""
        stock = self.stock
        if stock is not None:
            self._background.run("look", lambda: tuple(stock.library.scan()))

    def recommend(self) -> None:
        """Choose a pair for this computer; `recommended` follows."""
        stock = self.stock
        if stock is not None and self.machine.is_known:
            self._background.run("recommend", lambda: self._choose(stock.catalog))

    def _choose(self, catalog: Catalog) -> Recommendation:
        from app.hub.recommend import recommend

        return recommend(catalog, self.machine.now().devices)

    def installed(self, file: CatalogFile) -> LibraryFile | None:
        """The file on this computer that is this one."""
        from app.hub.catalog import find_installed

        return find_installed(file, self.files)

    def pairs_in_use(self) -> list[PairInUse]:
        """Pairs a deletion could break: the one chosen, and complete ones of the catalogue."""
        from app.hub.library import PairInUse

        found = [self.in_use] if self.in_use is not None else []
        for pair in self.stock.catalog.pairs if self.stock is not None else ():
            target, draft = self.installed(pair.target), self.installed(pair.draft)
            if target is not None and draft is not None:
                found.append(PairInUse(pair.title, target.path, draft.path))
        return found

    # --- downloads ----------------------------------------------------------------------------

    def get_pair(self, pair: Pair) -> None:
        """Bring what is missing of a pair; `pair_arrived` when all is here."""
        missing = [file for file in (pair.target, pair.draft) if self.installed(file) is None]
        if not missing:
            self._arrive(pair)
            return
        wanted = tuple(file.wanted() for file in missing)
        stock = self.stock
        if stock is not None:
            self._background.run(
                f"order {pair.id}", lambda: Order(pair, tuple(stock.queue.add(wanted)))
            )

    def get_files(self, wanted: Sequence[Wanted]) -> None:
        """Bring files that are no pair."""
        stock = self.stock
        if stock is not None:
            self._background.run("add", lambda: stock.queue.add(wanted))

    def items_of(self, pair: Pair) -> list[Item]:
        """What is in the queue of a pair."""
        if self.stock is None:
            return []
        names = {(file.repo, file.file) for file in (pair.target, pair.draft)}
        items = self.stock.queue.snapshot().items
        return [item for item in items if (item.wanted.repo, item.wanted.name) in names]

    def _post(self, snapshot: Snapshot) -> None:
        """From the threads of the queue; after `close` this object may be gone."""
        with self._lock:
            if not self._is_closed:
                self._changed.emit(snapshot)

    @Slot(object)
    def _on_changed(self, snapshot: Snapshot) -> None:
        from app.hub.items import ItemState

        done = frozenset(item.key for item in snapshot.items if item.state is ItemState.DONE)
        news, self._done = done - self._done, done
        self.downloads_changed.emit(snapshot)
        if news:
            self.look()

    def _deliver(self) -> None:
        """Hand over the pairs of which all is here now."""
        for order in list(self._orders):
            here = [self.installed(file) for file in (order.pair.target, order.pair.draft)]
            if all(file is not None for file in here):
                self._orders.remove(order)
                self._arrive(order.pair)

    def _arrive(self, pair: Pair) -> None:
        target, draft = self.installed(pair.target), self.installed(pair.draft)
        if target is not None and draft is not None:
            self.pair_arrived.emit(pair.title, target.path, draft.path)

    @Slot(str, object)
    def _on_done(self, topic: str, result: object) -> None:
        if isinstance(result, Stock):
            self.stock, self.files = result, result.files
            self.opened.emit()
            self.downloads_changed.emit(result.queue.snapshot())
            self.recommend()
        elif isinstance(result, Order):
            self._orders = [order for order in self._orders if order.pair != result.pair]
            self._orders.append(result)
            self._deliver()
        elif topic == "look" and isinstance(result, tuple):
            self.files = result
            self.files_changed.emit()
            self._deliver()
        elif topic == "recommend":
            self.recommended.emit(result)

    @Slot(str, object)
    def _on_failed(self, topic: str, error: AppError) -> None:
        if topic == "open":
            self._is_opening = False
        self.failed.emit(error)
