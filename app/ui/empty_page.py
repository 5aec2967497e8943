"""The middle of the window while a conversation is empty: what is going on, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.session import SessionState, SessionView
from app.ui import wording
from app.ui.icons import pixmap
from app.ui.notices import Action
from app.ui.theme import GRID, Theme

WIDTH = 520


@dataclass(frozen=True, slots=True)
class Offer:
    """A pair for those who have none yet: a sentence and a button."""

    text: str
    action: Action
    button: str


class EmptyPage(QWidget):
    """One picture, a title, a sentence, and at most three buttons.

    Signals:
        acted: a button was pressed: the Action.
    """

    acted = Signal(Action)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: object = None
        self._offer: Offer | None = None
        self._sign = QLabel()
        self._title = QLabel()
        self._title.setObjectName("bigTitle")
        self._text = QLabel()
        self._text.setObjectName("muted")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(GRID // 2)
        self._progress.setAccessibleName(self.tr("Loading"))
        self._buttons = (QPushButton(), QPushButton(), QPushButton())
        self._buttons[0].setObjectName("primary")
        self._lay_out()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch()
        for button in self._buttons:
            button.clicked.connect(self._on_button)
            buttons.addWidget(button)
        buttons.addStretch()
        middle = QWidget()
        middle.setMaximumWidth(WIDTH)
        inner = QVBoxLayout(middle)
        inner.setSpacing(GRID * 2)
        for label in (self._sign, self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(label is not self._sign)
            label.setMinimumWidth(1)
            inner.addWidget(label)
        inner.addWidget(self._progress)
        inner.addLayout(buttons)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(middle, 100)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addLayout(row)
        column.addStretch(3)

    def set_offer(self, offer: Offer | None) -> None:
        """What to offer while nothing better than the starter model is loaded; at the next view."""
        self._offer = offer

    def show_view(self, view: SessionView) -> None:
        """The state of an empty conversation."""
        self._progress.setVisible(view.state is SessionState.LOADING)
        self._progress.setValue(round(view.load_fraction * 1000))
        title, text, actions = self._words(view)
        key = (title, text, actions, self._theme.dark)
        if key == self._shown:
            return
        self._shown = key
        bad = view.state in (SessionState.CRASHED, SessionState.LOAD_FAILED)
        tones = self._theme.tones
        sign = (
            pixmap("alert", tones.danger, 40, 2.0) if bad else pixmap("app", tones.accent, 56, 2.0)
        )
        self._sign.setPixmap(sign)
        self._title.setText(title)
        self._text.setText(text)
        self._text.setToolTip(wording.last_lines(view))
        for button, offer in zip(self._buttons, [*actions, None, None, None], strict=False):
            button.setVisible(offer is not None)
            if offer is not None:
                button.setText(offer[1])
                button.setProperty("action", offer[0].value)

    def _words(self, view: SessionView) -> tuple[str, str, tuple[tuple[Action, str], ...]]:
        target, draft = wording.pair_text(view)
        match view.state:
            case SessionState.EMPTY | SessionState.UNLOADING:
                return self._words_without_model(view)
            case SessionState.LOADING:
                stage = wording.stage_text(view)
                return self.tr("Loading the model"), f"{target}\n{stage}", ()
            case SessionState.CRASHED:
                title = self.tr("The engine stopped")
                return title, wording.stop_text(view), wording.stop_actions(view)
            case SessionState.LOAD_FAILED:
                title = self.tr("The model could not be loaded")
                return title, wording.stop_text(view), wording.stop_actions(view)
            case _:
                return self._words_ready(view, self._ready(target, draft))

    def _words_without_model(
        self, view: SessionView
    ) -> tuple[str, str, tuple[tuple[Action, str], ...]]:
        if view.wanted is not None:
            name = wording.model_name(view.wanted.target)
            text = self.tr("{name} was unloaded, and its memory is free again.").format(name=name)
            again = (Action.RESTART, self.tr("Load it again"))
            return self.tr("No model in memory"), text, (again, (Action.OPEN, self.tr("Open…")))
        find = (Action.MODELS, self.tr("Find a model…"))
        offer = self._offer
        if offer is not None:
            get = (offer.action, offer.button)
            return self.tr("A model for this computer"), offer.text, (get, find)
        text = self.tr(
            "Choose a model file (GGUF) on this computer. A small draft model of the same family, "
            "chosen along with it, makes answers come sooner."
        )
        return self.tr("Open a model to begin"), text, ((Action.OPEN, self.tr("Open…")), find)

    def _words_ready(
        self, view: SessionView, text: str
    ) -> tuple[str, str, tuple[tuple[Action, str], ...]]:
        """With the starter model alone, a better one is offered along with it."""
        title, offer = self.tr("What would you like to know?"), self._offer
        if offer is None or not wording.is_starter(view):
            return title, text, ()
        more = (Action.MODELS, self.tr("Other models…"))
        return title, f"{text}\n\n{offer.text}", ((offer.action, offer.button), more)

    def _ready(self, target: str, draft: str) -> str:
        if draft:
            return self.tr("{target} answers, {draft} guesses ahead.").format(
                target=target, draft=draft
            )
        return self.tr("{target} answers. Guesses come from the text so far.").format(target=target)

    @Slot()
    def _on_button(self) -> None:
        self.acted.emit(Action(self.sender().property("action")))
