"""The window.

Conversations, messages, numbers. It shows a SessionView and reports what the user does.

Knows no engine and no store; `application.py` and the controllers join them.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QSettings, Qt, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QHideEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app import APP_NAME
from app.session import SessionView
from app.ui import wording
from app.ui.chat_view import COLUMN_WIDTH, SCROLL_BAR_WIDTH, ChatView
from app.ui.composer import Composer
from app.ui.conversation_list import ConversationList
from app.ui.empty_page import EmptyPage
from app.ui.icons import app_icon
from app.ui.notices import Notices
from app.ui.pair_bar import PairBar
from app.ui.panel import Panel
from app.ui.theme import GRID, Theme

SIDEBAR_WIDTH = 232
PANEL_FROM = 1000  # pixels of the window; below, the chat needs the room
SIDEBAR_FROM = 720
FIRST_SIZE = (1280, 800)


class MainWindow(QMainWindow):
    """The one window of the app.

    Attributes:
        pair_bar, conversations, chat, empty, notices, composer, panel: its parts.

    Signals:
        new_chat, open_wanted, models_wanted, stop_wanted: by shortcut.
        visibility_changed: whether anybody can see the window.
        closing: it is about to go; connected work is done when the signal returns.
    """

    new_chat = Signal()
    open_wanted = Signal()
    models_wanted = Signal()
    stop_wanted = Signal()
    settings_wanted = Signal()
    visibility_changed = Signal(bool)
    closing = Signal()

    def __init__(self, theme: Theme, state_file: Path | None = None) -> None:
        super().__init__()
        self._state_file = state_file
        self.setWindowTitle(APP_NAME)
        self.setWindowIcon(app_icon())
        self.pair_bar = PairBar(theme)
        self.conversations = ConversationList(theme)
        self.chat = ChatView(theme)
        self.empty = EmptyPage(theme)
        self.notices = Notices(theme)
        self.composer = Composer(theme)
        self.panel = Panel(theme)
        self._sides = _Sides({self.panel: PANEL_FROM, self.conversations: SIDEBAR_FROM})
        self._lay_out()
        self._add_shortcuts()
        for part in (self.pair_bar, self.conversations, self.chat, self.notices, self.composer):
            theme.changed.connect(part.refresh_theme)
        self.composer.tint_toggled.connect(self.chat.set_tint)
        self.pair_bar.sidebar_clicked.connect(self.toggle_sidebar)
        self.pair_bar.panel_clicked.connect(self.toggle_panel)
        self.setAcceptDrops(True)
        self.resize(*FIRST_SIZE)
        self._restore()

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.chat)
        lower = QWidget()
        lower.setMaximumWidth(COLUMN_WIDTH)
        below = QVBoxLayout(lower)
        below.setContentsMargins(GRID * 3, 0, GRID * 3, GRID * 2)
        below.setSpacing(GRID)
        below.addWidget(self.notices)
        below.addWidget(self.composer)
        centred = QHBoxLayout()
        centred.setContentsMargins(0, 0, SCROLL_BAR_WIDTH, 0)
        centred.addStretch(1)
        centred.addWidget(lower, 100)
        centred.addStretch(1)
        middle = QWidget()
        middle.setObjectName("middle")
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addLayout(centred)
        self.conversations.setFixedWidth(SIDEBAR_WIDTH)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.conversations)
        row.addWidget(middle, 1)
        row.addWidget(self.panel)
        whole = QWidget()
        outer = QVBoxLayout(whole)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.pair_bar)
        outer.addLayout(row, 1)
        self.setCentralWidget(whole)
        self.setMinimumSize(GRID * 60, GRID * 56)

    def _add_shortcuts(self) -> None:
        for keys, target in (
            ("Ctrl+N", self.new_chat),
            ("Ctrl+O", self.open_wanted),
            ("Ctrl+M", self.models_wanted),
            ("Esc", self.stop_wanted),
            ("Ctrl+,", self.settings_wanted),
            ("Ctrl+L", self.composer.take_focus),
            ("Ctrl+F", self.search),
            ("Ctrl+J", self.toggle_panel),
            ("Ctrl+B", self.toggle_sidebar),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(target)

    # --- what to show -------------------------------------------------------------------------

    def show_view(self, view: SessionView, *, is_empty: bool) -> None:
        """The state of the session; `is_empty`: there are no messages to show."""
        self._pages.setCurrentWidget(self.empty if is_empty else self.chat)
        if is_empty:
            self.empty.show_view(view)
        self.pair_bar.show_view(view)
        self.composer.show_state(
            can_send=view.can_send, can_stop=view.can_stop, hint=wording.composer_hint(view)
        )
        self.composer.switch.show_draft_missing(
            wording.draft_missing(view), wording.pair_text(view)[1]
        )
        self.composer.switch.show_in_force(view.speculation)
        total = view.loaded.n_ctx if view.loaded is not None else None
        self.composer.meter.show_context(view.context_used, total, view.left_out)
        self.composer.show_compare(wording.compare_missing(view))
        title = f"{view.title} \u2013 {APP_NAME}" if view.title else APP_NAME
        if self.windowTitle() != title:
            self.setWindowTitle(title)

    @Slot()
    def toggle_panel(self) -> None:
        """Show or hide the numbers."""
        self._sides.toggle(self.panel)

    @Slot()
    def toggle_sidebar(self) -> None:
        """Show or hide the conversations."""
        self._sides.toggle(self.conversations)

    @Slot()
    def search(self) -> None:
        """Look for something in all conversations."""
        if self.conversations.isHidden():
            self._sides.toggle(self.conversations)
        self.conversations.take_focus()

    @Slot()
    def come_forward(self) -> None:
        """Show the window above the others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sides.fit(self.width())

    # --- window -------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """What is no model goes along with the message; models are taken before (drops.py)."""
        self.composer.attach(dropped_files(event.mimeData()))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._save()
        self.closing.emit()
        event.accept()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.visibility_changed.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.visibility_changed.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.visibility_changed.emit(self.isVisible() and not self.isMinimized())

    def _settings(self) -> QSettings | None:
        if self._state_file is None:
            return None
        return QSettings(str(self._state_file), QSettings.Format.IniFormat)

    def _restore(self) -> None:
        settings = self._settings()
        if settings is None:
            return
        geometry = settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        for side, key in ((self.panel, "window/panel"), (self.conversations, "window/sidebar")):
            if settings.value(key, "true") == "false":
                self._sides.toggle(side)

    def _save(self) -> None:
        settings = self._settings()
        if settings is None:
            return
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/panel", self._sides.wanted(self.panel))
        settings.setValue("window/sidebar", self._sides.wanted(self.conversations))


def dropped_files(data: QMimeData) -> list[Path]:
    """The files of this computer that are dragged."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]


class _Sides:
    """The two sides of the window: shown as the user wants, and hidden where there is no room."""

    def __init__(self, needed_width: dict[QWidget, int]) -> None:
        self._needed = needed_width
        self._wanted = dict.fromkeys(needed_width, True)
        self._narrow = dict.fromkeys(needed_width, False)

    def toggle(self, side: QWidget) -> None:
        """The user shows or hides a side; what is asked for is done, room or not."""
        self._wanted[side] = (
            side.isHidden() if side.window().isVisible() else not self._wanted[side]
        )
        side.setVisible(self._wanted[side])

    def fit(self, width: int) -> None:
        """The window has another width."""
        for side, needed in self._needed.items():
            narrow = width < needed
            if narrow != self._narrow[side]:
                self._narrow[side] = narrow
                side.setVisible(self._wanted[side] and not narrow)

    def wanted(self, side: QWidget) -> str:
        """What to remember of a side."""
        return "true" if self._wanted[side] else "false"
