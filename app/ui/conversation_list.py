"""The conversations on the left: new, find, open, rename in place, pin, delete, export, import."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.storage.records import ConversationSummary, SearchHit
from app.ui.conversation_menu import ConversationMenu, ExportKind
from app.ui.conversation_row import (
    ID,
    MESSAGE,
    PINNED,
    SNIPPET,
    ConversationRow,
    ConversationRows,
    split_matches,
)
from app.ui.icons import icon
from app.ui.theme import GRID, Theme

SEARCH_MS = 120  # of quiet before a search begins


class ConversationList(QFrame):
    """The left edge of the window.

    Signals:
        new_requested: an empty conversation is wanted.
        opened: a conversation was chosen: its id.
        hit_opened: something found was chosen: ids of conversation and message, "" for a title.
        searched: these words are looked for; "" to show all again.
        renamed: id and new title.
        pinned: id, and whether it is to stay at the top.
        deleted: a conversation is to go: its id.
        exported: id and the ExportKind.
        import_requested: a file is to become a conversation.
    """

    new_requested = Signal()
    opened = Signal(str)
    hit_opened = Signal(str, str)
    searched = Signal(str)
    renamed = Signal(str, str)
    pinned = Signal(str, bool)
    deleted = Signal(str)
    exported = Signal(str, ExportKind)
    import_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[tuple[str, str, bool], ...] | None = None
        self._menu: ConversationMenu | None = None
        self.setObjectName("sidebar")
        self._new = QPushButton(self.tr("New chat"))
        self._new.setObjectName("newChat")
        self._new.clicked.connect(self.new_requested)
        self._more = QToolButton()
        self._more.setObjectName("quiet")
        self._more.setAccessibleName(self.tr("More"))
        self._more.setToolTip(self.tr("Import a conversation"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._import = QAction(self.tr("Import a conversation…"), self)
        self._import.triggered.connect(self.import_requested)
        self._search = QLineEdit()
        self._search_icon = QAction(self)
        self._search_icon.setEnabled(False)  # a picture, not a button
        self._nothing = QLabel(self.tr("Nothing found"))
        self._list = ConversationRows()
        self._delay = QTimer(self)
        self._set_up()
        self._lay_out()
        self.refresh_theme()

    def _set_up(self) -> None:
        menu = QMenu(self._more)
        menu.addAction(self._import)
        self._more.setMenu(menu)
        self._search.setPlaceholderText(self.tr("Search"))
        self._search.setAccessibleName(self.tr("Search conversations"))
        self._search.setToolTip(self.tr("Search in titles and messages (Ctrl+F)"))
        self._search.setClearButtonEnabled(True)
        self._search.addAction(self._search_icon, QLineEdit.ActionPosition.LeadingPosition)
        self._search.textChanged.connect(self._on_typed)
        self._search.returnPressed.connect(self._on_return)
        self._search.installEventFilter(self)
        for button in self._search.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
        self._nothing.setObjectName("muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._nothing.hide()
        self._list.setAccessibleName(self.tr("Conversations"))
        self._list.setItemDelegate(ConversationRow(self._theme, self._list))
        self._list.itemClicked.connect(self._on_activated)
        self._list.itemActivated.connect(self._on_activated)
        self._list.itemChanged.connect(self._on_changed)
        self._list.delete_pressed.connect(self._on_delete)
        self._list.customContextMenuRequested.connect(self._on_menu)
        self._delay.setSingleShot(True)
        self._delay.setInterval(SEARCH_MS)
        self._delay.timeout.connect(self._on_delay)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID // 2)
        top.addWidget(self._new, 1)
        top.addWidget(self._more)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addWidget(self._search)
        column.addWidget(self._nothing)
        column.addWidget(self._list, 1)

    # --- what to show -------------------------------------------------------------------------

    @property
    def query(self) -> str:
        """What is looked for; "" when nothing is."""
        return self._search.text().strip()

    def show_list(self, summaries: Sequence[ConversationSummary], current: str) -> None:
        """Show these conversations, one of them as the one on screen."""
        wanted = tuple((summary.id, summary.title, summary.pinned) for summary in summaries)
        if wanted != self._shown:
            self._shown = wanted
            self._rebuild([self._item(*entry) for entry in wanted])
        self._nothing.hide()
        self._mark(current)

    def show_hits(self, hits: Sequence[SearchHit], current: str = "") -> None:
        """Show what a search found, in the conversation on screen too."""
        self._shown = None
        items = []
        for hit in hits:
            item = self._item(hit.conversation_id, hit.title, pinned=False)
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            if hit.message_id is not None:
                item.setData(SNIPPET, hit.snippet)
                item.setData(MESSAGE, hit.message_id)
                item.setToolTip(split_matches(hit.snippet)[0])
            items.append(item)
        self._rebuild(items)
        self._nothing.setVisible(not items)
        self._mark(current)

    def titles(self) -> list[str]:
        """The titles on screen, from the top."""
        return [self._list.item(row).text() for row in range(self._list.count())]

    @Slot()
    def take_focus(self) -> None:
        """Let the user look for something."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        tones = self._theme.tones
        self._new.setIcon(icon("new-chat", tones.text))
        self._more.setIcon(icon("more", tones.text))
        self._import.setIcon(icon("import", tones.text))
        self._search_icon.setIcon(icon("search", tones.muted, tones.muted, size=16))
        self._list.viewport().update()

    def _item(self, conversation_id: str, title: str, pinned: bool) -> QListWidgetItem:
        item = QListWidgetItem(title or self.tr("Untitled"))
        item.setData(ID, conversation_id)
        item.setData(PINNED, pinned)
        item.setToolTip(title)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        if pinned:
            text = self.tr("{title}, pinned").format(title=title)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
        return item

    def _rebuild(self, items: Sequence[QListWidgetItem]) -> None:
        self._list.blockSignals(True)
        self._list.clear()
        for item in items:
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

    # --- searching ----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape ends a search, the arrow down goes to what was found."""
        if watched is self._search and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                return self._take_escape(event)
            if event.type() == QEvent.Type.KeyPress:
                return self._on_key(event)
        return super().eventFilter(watched, event)

    def _take_escape(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and self._search.text():
            event.accept()  # it does not stop the answer as well
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and self._search.text():
            self._search.clear()
            return True
        if event.key() == Qt.Key.Key_Down and self._list.count():
            self._list.setFocus(Qt.FocusReason.TabFocusReason)
            self._list.setCurrentRow(max(0, self._list.currentRow()))
            return True
        return False

    @Slot()
    def _on_typed(self) -> None:
        self._delay.start(SEARCH_MS if self.query else 0)

    @Slot()
    def _on_delay(self) -> None:
        self.searched.emit(self.query)

    @Slot()
    def _on_return(self) -> None:
        if self._list.count() and self.query:
            self._on_activated(self._list.item(max(0, self._list.currentRow())))

    # --- what the user does -------------------------------------------------------------------

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        if self.query:
            self.hit_opened.emit(item.data(ID), item.data(MESSAGE) or "")
        else:
            self.opened.emit(item.data(ID))

    @Slot(QListWidgetItem)
    def _on_changed(self, item: QListWidgetItem) -> None:
        self._shown = None  # whatever is saved now comes back and is shown
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
        menu = ConversationMenu(item.data(ID), bool(item.data(PINNED)), self._theme, self)
        menu.rename.setVisible(bool(item.flags() & Qt.ItemFlag.ItemIsEditable))
        menu.pin.setVisible(not self.query)
        menu.rename_chosen.connect(self._on_rename)
        menu.pinned.connect(self.pinned)
        menu.exported.connect(self.exported)
        menu.deleted.connect(self.deleted)
        self._menu = menu
        menu.popup(self._list.viewport().mapToGlobal(place))

    @Slot(str)
    def _on_rename(self, conversation_id: str) -> None:
        for row in range(self._list.count()):
            if self._list.item(row).data(ID) == conversation_id:
                self._list.editItem(self._list.item(row))
