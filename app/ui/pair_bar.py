"""The top of the window: which pair is loaded, what it does, and how to open another."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.session import SessionState, SessionView
from app.ui import wording
from app.ui.icons import icon
from app.ui.theme import GRID, Theme, number_font

BUSY = (SessionState.PROMPT, SessionState.GENERATING, SessionState.STOPPING)
BAD = (SessionState.CRASHED, SessionState.LOAD_FAILED)


class PairBar(QFrame):
    """Names, state, and buttons.

    Signals:
        open_clicked: another pair is wanted.
        unload_clicked: the pair is to leave memory.
        settings_clicked: the settings are wanted.
        models_clicked, downloads_clicked: the Models dialog, or its downloads, is wanted.
        sidebar_clicked, panel_clicked: show or hide the left or right side.
    """

    open_clicked = Signal()
    unload_clicked = Signal()
    settings_clicked = Signal()
    models_clicked = Signal()
    downloads_clicked = Signal()
    sidebar_clicked = Signal()
    panel_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("pairBar")
        self._target = QLabel()
        self._target.setObjectName("target")
        self._draft = QLabel()
        self._draft.setObjectName("muted")
        for label in (self._target, self._draft):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setMinimumWidth(1)  # a long name may not widen the window
        self._state = QLabel()
        self._state.setObjectName("state")
        self._state.setFont(number_font(self._state.font()))
        self._downloads = self._tool("", "")
        self._downloads.clicked.connect(self.downloads_clicked)
        self._downloads.hide()
        self._models = self._tool(
            self.tr("Models…"), self.tr("Find, download and manage models (Ctrl+M)")
        )
        self._models.setObjectName("open")
        self._models.clicked.connect(self.models_clicked)
        self._open = self._tool(
            self.tr("Open…"), self.tr("Open a model and a draft from disk (Ctrl+O)")
        )
        self._open.clicked.connect(self.open_clicked)
        for button in (self._downloads, self._models, self._open):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._unload = self._tool("", self.tr("Unload: free the memory of the models"))
        self._unload.clicked.connect(self.unload_clicked)
        self._settings = self._tool("", self.tr("Settings (Ctrl+,)"))
        self._settings.clicked.connect(self.settings_clicked)
        self._sidebar = self._tool("", self.tr("Show or hide the conversations (Ctrl+B)"))
        self._sidebar.clicked.connect(self.sidebar_clicked)
        self._panel = self._tool("", self.tr("Show or hide the numbers (Ctrl+J)"))
        self._panel.clicked.connect(self.panel_clicked)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Loading"))
        self._progress.setFixedHeight(3)
        self._lay_out()
        self.refresh_theme()

    def _tool(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quiet")
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text or tip)
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        row.setSpacing(GRID)
        row.addWidget(self._sidebar)
        row.addSpacing(GRID)
        row.addWidget(self._target)
        row.addWidget(self._draft)
        row.addWidget(self._state, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch()
        row.addWidget(self._downloads)
        row.addWidget(self._unload)
        row.addWidget(self._open)
        row.addWidget(self._models)
        row.addWidget(self._settings)
        row.addWidget(self._panel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self._progress)

    def show_view(self, view: SessionView) -> None:
        """The pair and its state."""
        target, draft = wording.pair_text(view)
        self._target.setText(target)
        self._target.setToolTip(wording.pair_details(view))
        if draft:
            draft = self.tr("draft: {name}").format(name=draft)
        elif view.loaded is not None:
            draft = self.tr("without draft model")
        self._draft.setText(draft)
        self._draft.setToolTip(wording.draft_missing(view) if view.loaded is not None else "")
        self._show_state(view)
        self._unload.setEnabled(view.state in (SessionState.READY, SessionState.LOADING, *BUSY))
        loading = view.state is SessionState.LOADING
        self._progress.setValue(round(view.load_fraction * 1000) if loading else 0)
        self._progress.setProperty("busy", loading)

    def _show_state(self, view: SessionView) -> None:
        text = wording.state_text(view)
        if self._state.text() == text:
            return
        self._state.setText(text)
        self._state.setAccessibleName(self.tr("State: {state}").format(state=text))
        tone = (
            "bad" if view.state in BAD else "good" if view.state is SessionState.READY else "plain"
        )
        if self._state.property("tone") != tone:
            self._state.setProperty("tone", tone)
            self._state.style().polish(self._state)

    def show_downloads(self, text: str, tip: str, *, is_bad: bool) -> None:
        """A few words on downloads; nothing to see where there are none."""
        self._downloads.setVisible(bool(text))
        self._downloads.setText(text)
        self._downloads.setToolTip(tip)
        self._downloads.setAccessibleName(tip or text)
        tones = self._theme.tones
        self._downloads.setIcon(icon("download", tones.danger if is_bad else tones.accent))

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        tones = self._theme.tones
        self._models.setIcon(icon("models", tones.on_accent))
        self._open.setIcon(icon("open", tones.text))
        self._unload.setIcon(icon("unload", tones.text, tones.border))
        self._sidebar.setIcon(icon("sidebar", tones.text))
        self._panel.setIcon(icon("panel", tones.text))
        self._settings.setIcon(icon("settings", tones.text))
