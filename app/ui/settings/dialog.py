"""The Settings dialog: pages on the left, fields on the right; what is changed is in force."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.settings import Settings
from app.ui.settings.engine_page import EnginePage
from app.ui.settings.help_page import HelpPage
from app.ui.settings.models_page import ModelsPage
from app.ui.settings.page import Page
from app.ui.settings.pages import AnswersPage, EnergyPage, WindowPage
from app.ui.theme import GRID

SIZE = (GRID * 92, GRID * 76)
LIST_WIDTH = GRID * 20


class SettingsDialog(QDialog):
    """All settings a person would change.

    Attributes:
        engine, models, help: the pages that show more than settings.

    Signals:
        changed: name and new value of a setting.
        reset_clicked, undo_clicked: back to the usual settings, and back from there.
    """

    changed = Signal(str, object)
    reset_clicked = Signal()
    undo_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.resize(*SIZE)
        self.engine = EnginePage()
        self.models = ModelsPage()
        self.help = HelpPage()
        self.pages: tuple[Page, ...] = (
            WindowPage(),
            AnswersPage(),
            self.engine,
            EnergyPage(),
            self.models,
            self.help,
        )
        self._list = QListWidget()
        self._list.setObjectName("pages")
        self._list.setAccessibleName(self.tr("Groups of settings"))
        self._list.setFixedWidth(LIST_WIDTH)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._stack = QStackedWidget()
        for page in self.pages:
            item = QListWidgetItem(page.windowTitle())
            item.setSizeHint(QSize(0, self.fontMetrics().height() + GRID * 2))
            self._list.addItem(item)
            self._stack.addWidget(page)
            page.changed.connect(self.changed)
        self._list.currentRowChanged.connect(self._stack.setCurrentIndex)
        self._list.setCurrentRow(0)
        self._said = QLabel()
        self._said.setObjectName("muted")
        self._reset = QPushButton(self.tr("Reset all settings"))
        self._reset.clicked.connect(self.reset_clicked)
        self._undo = QPushButton(self.tr("Undo"))
        self._undo.clicked.connect(self.undo_clicked)
        self._close = QPushButton(self.tr("Close"))
        self._close.setObjectName("primary")
        self._close.setDefault(True)
        self._close.clicked.connect(self.accept)
        self._lay_out()
        self.show_reset(done=False)

    def _lay_out(self) -> None:
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(self._list)
        upper.addWidget(self._stack, 1)
        lower = QHBoxLayout()
        lower.setContentsMargins(GRID * 2, GRID, GRID * 2, GRID * 2)
        lower.setSpacing(GRID)
        for widget in (self._reset, self._undo, self._said):
            lower.addWidget(widget)
        lower.addStretch()
        lower.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addLayout(lower)

    def page(self, kind: type[Page]) -> Page:
        """A page by its class."""
        return next(page for page in self.pages if isinstance(page, kind))

    def open_page(self, kind: type[Page]) -> None:
        """Show this page first."""
        self._list.setCurrentRow(self.pages.index(self.page(kind)))

    @Slot(object)
    def show_settings(self, settings: Settings) -> None:
        """The values in force, on all pages."""
        for page in self.pages:
            page.show_settings(settings)

    def show_reset(self, *, done: bool) -> None:
        """The settings were reset, which can be undone while the dialog is open."""
        self._reset.setVisible(not done)
        self._undo.setVisible(done)
        self._said.setText(self.tr("The usual settings are in force.") if done else "")
        self._said.setTextFormat(Qt.TextFormat.PlainText)
