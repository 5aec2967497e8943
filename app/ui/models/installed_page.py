"""The page of what is on this computer: sizes, pairs, checking, deleting, importing, loading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QMessageBox,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.messages import say_bytes
from app.ui.models.depot import Depot
from app.ui.models.labels import kind_words, origin_words, text_label
from app.ui.models.library_tasks import LibraryTasks
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.library import Deletion, LibraryFile, PairInUse

FILE = Qt.ItemDataRole.UserRole


class InstalledPage(QWidget):
    """The library.

    Signals:
        load_wanted: this file is to answer: its path.
    """

    load_wanted = Signal(Path)

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._box: QMessageBox | None = None
        self._tasks = LibraryTasks(depot, self)
        self._tasks.planned.connect(self._ask)
        self._tasks.ended.connect(self._on_selected)
        self._folder = text_label(name="muted")
        self._list = QTreeWidget()
        self._list.setRootIsDecorated(False)
        self._list.setAlternatingRowColors(True)
        self._list.setUniformRowHeights(True)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._list.setAccessibleName(self.tr("Models on this computer"))
        self._list.setHeaderLabels(
            [
                self.tr("Model"),
                self.tr("Size"),
                self.tr("Precision"),
                self.tr("Part of"),
                self.tr("Folder of"),
            ]
        )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._list.headerItem().setTextAlignment(1, right)
        header = self._list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._list.itemSelectionChanged.connect(self._on_selected)
        self._list.itemActivated.connect(self._on_load)
        self._said = text_label()
        self._tasks.said.connect(self._said.setText)
        self._buttons = {
            "load": self._button(self.tr("Load"), self._on_load),
            "verify": self._button(self.tr("Check the file"), self._on_verify),
            "delete": self._button(self.tr("Delete…"), self._on_delete),
            "import": self._button(self.tr("Add a file…"), self._on_import),
            "folder": self._button(self.tr("Open the folder"), self._on_folder),
        }
        self._lay_out()
        depot.opened.connect(self.refresh)
        depot.files_changed.connect(self.refresh)
        self.refresh()

    def _button(self, text: str, slot: object) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(slot)
        return button

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(GRID)
        for name in ("load", "verify", "delete"):
            line.addWidget(self._buttons[name])
        line.addStretch()
        for name in ("import", "folder"):
            line.addWidget(self._buttons[name])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self._folder)
        column.addWidget(self._list, 1)
        column.addWidget(self._said)
        column.addLayout(line)

    # --- what is here -------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Another look has been taken."""
        stock, files = self._depot.stock, self._depot.files
        chosen = self._chosen()
        self._list.clear()
        for file in files:
            self._list.addTopLevelItem(self._row(file))
        if stock is not None:
            size = say_bytes(sum(f.size_bytes for f in files if not f.is_read_only))
            text = self.tr("{size} in {folder}").format(size=size, folder=stock.library.folder)
            self._folder.setText(text)
        if chosen is not None:
            self.select(chosen.path)
        self._on_selected()

    def _row(self, file: LibraryFile) -> QTreeWidgetItem:
        pairs = [pair.title for pair in self._depot.pairs_in_use() if _is_part(file, pair)]
        texts = [
            file.path.name,
            say_bytes(file.size_bytes),
            file.quantisation or "",
            ", ".join(dict.fromkeys(pairs)) or kind_words(file.kind),
            origin_words(file.origin),
        ]
        if not file.is_complete:
            texts[3] = self.tr("parts are missing")
        row = QTreeWidgetItem(texts)
        row.setData(0, FILE, file)
        row.setToolTip(0, str(file.path))
        row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return row

    def texts(self) -> list[list[str]]:
        """The rows on screen, column by column."""
        rows = [self._list.topLevelItem(n) for n in range(self._list.topLevelItemCount())]
        return [[row.text(column) for column in range(5)] for row in rows if row is not None]

    def select(self, path: Path) -> None:
        """Choose a file."""
        for number in range(self._list.topLevelItemCount()):
            row = self._list.topLevelItem(number)
            if row is not None and row.data(0, FILE).path == path:
                self._list.setCurrentItem(row)

    def said(self) -> str:
        """The newest sentence."""
        return self._said.text()

    def press(self, name: str) -> None:
        """Press a button: load, verify, delete, import, folder."""
        self._buttons[name].click()

    def close_work(self) -> None:
        """The dialog goes; a check that runs is ended."""
        self._tasks.close_work()

    def _chosen(self) -> LibraryFile | None:
        rows = self._list.selectedItems()
        return rows[0].data(0, FILE) if rows else None

    @Slot()
    def _on_selected(self) -> None:
        file = self._chosen()
        own = file is not None and not file.is_read_only
        self._buttons["load"].setEnabled(file is not None and file.is_complete)
        self._buttons["verify"].setEnabled(own)
        self._buttons["delete"].setEnabled(own)

    # --- what can be done ---------------------------------------------------------------------

    @Slot()
    def _on_load(self) -> None:
        file = self._chosen()
        if file is not None and file.is_complete:
            self.load_wanted.emit(file.path)

    @Slot()
    def _on_verify(self) -> None:
        file = self._chosen()
        if file is not None:
            self._buttons["verify"].setEnabled(False)
            self._tasks.verify(file)

    @Slot()
    def _on_delete(self) -> None:
        file = self._chosen()
        if file is not None:
            self._tasks.plan_deletion(file)

    @Slot(object)
    def _ask(self, deletion: Deletion) -> None:
        text = self.tr("Delete {name}? {size} become free.").format(
            name=deletion.file.path.name, size=say_bytes(deletion.freed_bytes)
        )
        if deletion.file.is_link:
            text += " " + self.tr("Only the link goes; the file it points to stays.")
        if deletion.pairs:
            lost = ", ".join(dict.fromkeys(deletion.pairs))
            text += "\n\n" + self.tr("These pairs lose a part: {pairs}.").format(pairs=lost)
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Delete a model"), text, parent=self)
        yes = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setProperty("deletion", deletion)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        yes.clicked.connect(self._on_delete_confirmed)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._box = box
        box.open()

    @Slot()
    def _on_delete_confirmed(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            self._tasks.delete(box.property("deletion"))

    @Slot()
    def _on_import(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Add a model file"), "", self.tr("Model files (*.gguf)")
        )
        if path:
            self.ask_how(Path(path))

    def ask_how(self, path: Path) -> None:
        """Link or copy a file that was chosen."""
        text = self.tr(
            "Add {name} by a link, which takes no space but breaks when the file is moved, or copy "
            "it into the models folder?"
        ).format(name=path.name)
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Add a model"), text, parent=self)
        link = box.addButton(self.tr("Link"), QMessageBox.ButtonRole.AcceptRole)
        copy = box.addButton(self.tr("Copy"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        link.clicked.connect(self._on_link)
        copy.clicked.connect(self._on_copy)
        box.setProperty("path", str(path))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._box = box
        box.open()

    @Slot()
    def _on_link(self) -> None:
        self._bring_in("link")

    @Slot()
    def _on_copy(self) -> None:
        self._bring_in("copy")

    def _bring_in(self, how: str) -> None:
        box, self._box = self._box, None
        if box is not None:
            self._tasks.bring_in(Path(box.property("path")), how)

    @Slot()
    def _on_folder(self) -> None:
        stock = self._depot.stock
        if stock is not None:
            stock.library.folder.mkdir(parents=True, exist_ok=True)
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(stock.library.folder)))


def _is_part(file: LibraryFile, pair: PairInUse) -> bool:
    return file.path in (pair.target, pair.draft)
