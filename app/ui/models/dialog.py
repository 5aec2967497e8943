"""The Models dialog: recommended, search, pair checker, installed, downloads.

Beside the window, not in its way: chatting goes on. Nothing of it runs once it is closed; downloads
belong to the depot and go on.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.ui.models.depot import Depot
from app.ui.models.downloads_page import DownloadsPage
from app.ui.models.installed_page import InstalledPage
from app.ui.models.pair_page import PairPage
from app.ui.models.recommended_page import RecommendedPage
from app.ui.models.search_page import SearchPage
from app.ui.theme import GRID

SIZE = (GRID * 122, GRID * 82)
RAIL_WIDTH = GRID * 22


class Page(IntEnum):
    """The pages in their order."""

    RECOMMENDED = 0
    SEARCH = 1
    PAIRS = 2
    INSTALLED = 3
    DOWNLOADS = 4


class ModelsDialog(QDialog):
    """All about model files.

    Attributes:
        recommended, search, pairs, installed, downloads: its pages.

    Signals:
        pair_wanted: load target and draft.
        file_wanted: load a target alone.
    """

    pair_wanted = Signal(Path, Path)
    file_wanted = Signal(Path)

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        self.resize(*SIZE)
        self.recommended = RecommendedPage(depot)
        self.search = SearchPage(depot)
        self.pairs = PairPage(depot)
        self.installed = InstalledPage(depot)
        self.downloads = DownloadsPage(depot)
        self.pairs.pair_wanted.connect(self.pair_wanted)
        self.installed.load_wanted.connect(self.file_wanted)
        self._rail = QListWidget()
        self._rail.setObjectName("rail")
        self._rail.setAccessibleName(self.tr("Pages"))
        self._rail.setFrameShape(QFrame.Shape.NoFrame)
        self._rail.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._pages = QStackedWidget()
        for name, page in (
            (self.tr("Recommended"), self.recommended),
            (self.tr("Search"), self.search),
            (self.tr("Pair checker"), self.pairs),
            (self.tr("On this computer"), self.installed),
            (self.tr("Downloads"), self.downloads),
        ):
            entry = QListWidgetItem(name)
            entry.setSizeHint(QSize(GRID, GRID * 9 // 2))  # the style's padding comes later
            self._rail.addItem(entry)
            self._pages.addWidget(page)
        self._rail.currentRowChanged.connect(self._pages.setCurrentIndex)
        self._lay_out()
        self.show_page(Page.RECOMMENDED)

    def _lay_out(self) -> None:
        left = QFrame()
        left.setObjectName("sidebar")
        left.setFixedWidth(RAIL_WIDTH)
        column = QVBoxLayout(left)
        column.setContentsMargins(GRID, GRID * 2, GRID, GRID)
        column.addWidget(self._rail)
        right = QWidget()
        inner = QVBoxLayout(right)
        inner.setContentsMargins(GRID * 3, GRID * 3, GRID * 3, GRID * 2)
        inner.addWidget(self._pages)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left)
        row.addWidget(right, 1)

    def show_page(self, page: Page) -> None:
        """Turn to a page."""
        self._rail.setCurrentRow(page)

    def page(self) -> Page:
        """The page on screen."""
        return Page(self._pages.currentIndex())

    def done(self, result: int) -> None:
        self.close_work()
        super().done(result)

    @Slot()
    def close_work(self) -> None:
        """End whatever the pages still ask for."""
        for page in (self.recommended, self.search, self.pairs, self.installed, self.downloads):
            page.close_work()
