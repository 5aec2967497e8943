"""The page that searches the Hub, with filters; a repository opens in the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.errors import AppError
from app.hub.reference import parse_reference
from app.session.fitting import FitLevel, fit_size
from app.ui.messages import say, say_number
from app.ui.models.background import Background
from app.ui.models.depot import Depot
from app.ui.models.labels import fit_words, primary, text_label
from app.ui.models.repository_page import RepositoryPage
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.repository import RepoSummary

REPO = Qt.ItemDataRole.UserRole
# Four bits and a little a parameter, as the usual files have.
BYTES_PER_PARAMETER = 0.61
LICENCES = ("apache-2.0", "mit", "llama3.1", "llama3.2", "llama3.3", "gemma", "other")
DOWNLOADS = (0, 1_000, 10_000, 100_000)


class SearchPage(QWidget):
    """Search, results, and one repository.

    Attributes:
        repository: the page of a repository.
    """

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._found: list[RepoSummary] = []
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._field = QLineEdit()
        self._field.setPlaceholderText(
            self.tr("A name, for example qwen3, or owner/repository, or a pasted address")
        )
        self._field.setAccessibleName(self.tr("Search"))
        self._field.setClearButtonEnabled(True)
        self._field.returnPressed.connect(self.search)
        self._go = primary(self.tr("Search"))
        self._go.clicked.connect(self.search)
        self._size = self._filter(
            self.tr("Size"), [(self.tr("Any size"), False), (self.tr("Fits this computer"), True)]
        )
        self._licence = self._filter(
            self.tr("Licence"),
            [(self.tr("Any licence"), None), *((name, name) for name in LICENCES)],
        )
        self._downloads = self._filter(
            self.tr("Downloads"),
            [
                (self.tr("{count} downloads or more").format(count=say_number(n)), n)
                if n
                else (self.tr("Any number of downloads"), n)
                for n in DOWNLOADS
            ],
        )
        self._size.currentIndexChanged.connect(self._show)
        self._downloads.currentIndexChanged.connect(self._show)
        self._licence.currentIndexChanged.connect(self._on_licence)
        self._said = text_label(
            self.tr(
                "Models come from a Hub, by default huggingface.co. Nothing is sent but the "
                "words you search for."
            ),
            "muted",
        )
        self._list = self._results()
        self.repository = RepositoryPage(depot)
        self.repository.left.connect(self._on_left)
        self._lay_out()

    def _filter(self, name: str, choices: list[tuple[str, object]]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        for text, value in choices:
            box.addItem(text, value)
        return box

    def _results(self) -> QTreeWidget:
        found = QTreeWidget()
        found.setRootIsDecorated(False)
        found.setUniformRowHeights(True)
        found.setAlternatingRowColors(True)
        found.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        found.setAccessibleName(self.tr("Repositories found"))
        found.setHeaderLabels(
            [
                self.tr("Repository"),
                self.tr("Parameters"),
                self.tr("Licence"),
                self.tr("Downloads"),
                self.tr("At 4 bits"),
            ]
        )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column in (1, 3):
            found.headerItem().setTextAlignment(column, right)
        header = found.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        found.itemActivated.connect(self._on_opened)
        found.itemClicked.connect(self._on_opened)
        return found

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self._field, 1)
        line.addWidget(self._go)
        filters = QHBoxLayout()
        filters.setSpacing(GRID)
        for box in (self._size, self._licence, self._downloads):
            filters.addWidget(box)
        filters.addStretch()
        results = QWidget()
        column = QVBoxLayout(results)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(line)
        column.addLayout(filters)
        column.addWidget(self._said)
        column.addWidget(self._list, 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(results)
        self._pages.addWidget(self.repository)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._pages)

    # --- searching ----------------------------------------------------------------------------

    def type_text(self, text: str) -> None:
        """Write into the field."""
        self._field.setText(text)

    def said(self) -> str:
        """The sentence above the results."""
        return self._said.text()

    def texts(self) -> list[list[str]]:
        """The results on screen, column by column."""
        rows = [self._list.topLevelItem(n) for n in range(self._list.topLevelItemCount())]
        return [[row.text(column) for column in range(5)] for row in rows if row is not None]

    def choose_filters(
        self, *, fits: bool = False, licence: str | None = None, downloads: int = 0
    ) -> None:
        """Set the filters."""
        for box, value in ((self._size, fits), (self._downloads, downloads)):
            box.setCurrentIndex(box.findData(value))
        self._licence.setCurrentIndex(self._licence.findData(licence) if licence else 0)

    def open_repo(self, repo: str) -> None:
        """Show a repository."""
        self._pages.setCurrentWidget(self.repository)
        self.repository.show_repo(repo)

    def close_work(self) -> None:
        """The dialog goes."""
        self._background.close()
        self.repository.close_work()

    @Slot()
    def search(self) -> None:
        """Ask the Hub; a whole name of a repository opens it."""
        stock = self._depot.stock
        text = self._field.text().strip()
        if stock is None:
            return
        reference = parse_reference(text)
        if reference is not None:
            self.open_repo(reference.repo)
            return
        licence = self._licence.currentData()
        self._said.setText(self.tr("Searching…"))
        self._background.run("search", lambda: stock.hub.search(text, licence=licence))

    @Slot()
    def _on_licence(self) -> None:
        if self._found or self._field.text().strip():
            self.search()

    @Slot(str, object)
    def _on_done(self, _topic: str, found: object) -> None:
        assert isinstance(found, list)
        self._found = found
        self._show()

    @Slot(str, object)
    def _on_failed(self, _topic: str, error: AppError) -> None:
        self._said.setText(say(error.code, error.detail))

    @Slot()
    def _show(self) -> None:
        machine = self._depot.machine.now()
        self._list.clear()
        for one in self._found:
            size = round(one.parameters * BYTES_PER_PARAMETER) if one.parameters else None
            level = fit_size(size, machine)
            if one.downloads < self._downloads.currentData():
                continue
            if self._size.currentData() and level is not FitLevel.FITS:
                continue
            self._list.addTopLevelItem(self._row(one, level))
        shown, all_found = self._list.topLevelItemCount(), len(self._found)
        if shown == all_found:
            text = self.tr("{count} found. Choose one to see its files.")
        else:
            text = self.tr("{count} of {all} pass the filters. Choose one to see its files.")
        if not all_found:
            text = self.tr("Nothing was found. Try fewer or other words.")
        self._said.setText(text.format(count=shown, all=all_found))

    def _row(self, one: RepoSummary, level: FitLevel) -> QTreeWidgetItem:
        licence = one.licence or self.tr("not stated")
        if one.is_gated:
            licence = self.tr("{name}, to be accepted").format(name=licence)
        billions = say_number(one.parameters / 1e9, 1) if one.parameters else ""
        size = self.tr("{count} billion").format(count=billions) if billions else ""
        row = QTreeWidgetItem(
            [one.repo, size, licence, say_number(one.downloads), fit_words(level)]
        )
        row.setData(0, REPO, one.repo)
        for column in (1, 3):
            row.setTextAlignment(
                column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            )
        return row

    @Slot(QTreeWidgetItem, int)
    def _on_opened(self, row: QTreeWidgetItem, _column: int) -> None:
        self.open_repo(row.data(0, REPO))

    @Slot()
    def _on_left(self) -> None:
        self._pages.setCurrentIndex(0)
        self._list.setFocus()
