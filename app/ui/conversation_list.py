"""The conversations on the left: new, open, rename in place, delete."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.storage.records import ConversationSummary
from app.ui.icons import icon
from app.ui.theme import GRID, Theme

ID = Qt.ItemDataRole.UserRole


class ConversationList(QFrame):
    """The left edge of the window.

    Signals:
        new_requested: an empty conversation is wanted.
        opened: a conversation was chosen: its id.
        renamed: id and new title.
        deleted: a conversation is to go: its id.
    """

    new_requested = Signal()
    opened = Signal(str)
    renamed = Signal(str, str)
    deleted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[tuple[str, str], ...] = ()
        self.setObjectName("sidebar")
        self._new = QPushButton(self.tr("New chat"))
        self._new.setObjectName("newChat")
        self._new.clicked.connect(self.new_requested)
        self._list = _List()
        self._list.setAccessibleName(self.tr("Conversations"))
        self._list.itemClicked.connect(self._on_activated)
        self._list.itemActivated.connect(self._on_activated)
        self._list.itemChanged.connect(self._on_changed)
        self._list.delete_pressed.connect(self._on_delete)
        self._list.customContextMenuRequested.connect(self._on_menu)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        column.addWidget(self._new)
        column.addWidget(self._list)
        self.refresh_theme()

    def show_list(self, summaries: Sequence[ConversationSummary], current: str) -> None:
        """Show these conversations, one of them as the one on screen."""
        wanted = tuple((summary.id, summary.title) for summary in summaries)
        if wanted != self._shown:
            self._shown = wanted
            self._rebuild(wanted)
        self._mark(current)

    def titles(self) -> list[str]:
        """The titles on screen, from the top."""
        return [self._list.item(row).text() for row in range(self._list.count())]

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        self._new.setIcon(icon("new-chat", self._theme.tones.text))

    def _rebuild(self, wanted: Sequence[tuple[str, str]]) -> None:
        self._list.blockSignals(True)
        self._list.clear()
        for conversation_id, title in wanted:
            item = QListWidgetItem(title or self.tr("Untitled"))
            item.setData(ID, conversation_id)
            item.setToolTip(title)
            item.setSizeHint(QSize(0, GRID * 4))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self._list.addItem(item)
        self._list.blockSignals(False)

    def _mark(self, current: str) -> None:
        self._list.blockSignals(True)
        found = None
        for row in range(self._list.count()):
            if self._list.item(row).data(ID) == current:
                found = self._list.item(row)
                break
        if found is None:
            self._list.setCurrentRow(-1)
            self._list.clearSelection()
        elif self._list.currentItem() is not found:
            self._list.setCurrentItem(found)
        self._list.blockSignals(False)

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        self.opened.emit(item.data(ID))

    @Slot(QListWidgetItem)
    def _on_changed(self, item: QListWidgetItem) -> None:
        self._shown = ()  # whatever is saved now comes back and is shown
        self.renamed.emit(item.data(ID), item.text())

    @Slot()
    def _on_delete(self) -> None:
        item = self._list.currentItem()
        if item is not None:
            self.deleted.emit(item.data(ID))

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        item = self._list.itemAt(place)
        if item is None:
            return
        tones = self._theme.tones
        menu = QMenu(self)
        rename = menu.addAction(icon("pencil", tones.text), self.tr("Rename"))
        delete = menu.addAction(icon("trash", tones.danger), self.tr("Delete"))
        chosen = menu.exec(self._list.viewport().mapToGlobal(place))
        menu.deleteLater()
        if chosen is rename:
            self._list.editItem(item)
        elif chosen is delete:
            self.deleted.emit(item.data(ID))


class _List(QListWidget):
    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("conversations")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)
