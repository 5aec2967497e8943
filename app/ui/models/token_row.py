"""The access token for gated models: why, where to get it, and the field to paste it into."""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.errors import AppError
from app.ui.markdown import is_web_address
from app.ui.messages import say
from app.ui.models.background import Background
from app.ui.models.depot import Depot
from app.ui.models.labels import text_label
from app.ui.theme import GRID

# Failures that a token, or another one, may cure.
ASK_FOR_TOKEN = ("gated", "gated_needs_token", "needs_token", "token_rejected")


class TokenRow(QFrame):
    """Explains the gate of one model and takes the token.

    Signals:
        accepted: the Hub knows the token.
    """

    accepted = Signal()

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner_warning")
        self._depot = depot
        self._gate = ("", "")
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._why = text_label()
        self._open = QPushButton(self.tr("Open the page"))
        self._open.clicked.connect(self._on_open)
        self._field = QLineEdit()
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText(self.tr("Paste your access token (hf_…)"))
        self._field.setAccessibleName(self.tr("Access token"))
        self._field.returnPressed.connect(self._on_save)
        self._save = QPushButton(self.tr("Save"))
        self._save.clicked.connect(self._on_save)
        self._said = text_label()
        self._said.hide()
        line = QHBoxLayout()
        line.setSpacing(GRID)
        for widget in (self._open, self._field, self._save):
            line.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 3 // 2, GRID, GRID * 3 // 2, GRID)
        column.setSpacing(GRID)
        column.addWidget(self._why)
        column.addLayout(line)
        column.addWidget(self._said)

    def show_gate(self, repo: str, page: str) -> None:
        """The model that asks for it, and where its licence is accepted."""
        if (repo, page) == self._gate:
            return
        self._gate = repo, page
        text = self.tr(
            "The makers of {repo} want you to accept their licence first: open the page, sign in, "
            "accept it, make an access token in your account's settings, and paste it here."
        )
        self._why.setText(text.format(repo=repo))
        self._said.hide()

    def said(self) -> str:
        """The sentence after saving."""
        return self._said.text()

    def close_work(self) -> None:
        """The dialog goes."""
        self._background.close()

    @Slot()
    def _on_open(self) -> None:
        page = self._gate[1]
        if is_web_address(page):
            QDesktopServices.openUrl(QUrl(page))

    @Slot()
    def _on_save(self) -> None:
        stock = self._depot.stock
        if stock is None:
            return
        text = self._field.text()

        def keep() -> tuple[str, bool]:
            stock.token.set(text)
            return stock.hub.user_name(), stock.token.is_persistent

        self._save.setEnabled(False)
        self._background.run("token", keep)

    @Slot(str, object)
    def _on_done(self, _topic: str, result: object) -> None:
        assert isinstance(result, tuple)
        name, persistent = result
        text = self.tr("The token of {name} is in place.").format(name=name)
        if not persistent:
            text += " " + self.tr(
                "This computer has no keyring that can be used, so the token is forgotten when the "
                "app closes."
            )
        self._field.clear()
        self._say(text)
        self.accepted.emit()

    @Slot(str, object)
    def _on_failed(self, _topic: str, error: AppError) -> None:
        self._say(say(error.code, error.detail))

    def _say(self, text: str) -> None:
        self._save.setEnabled(True)
        self._said.setText(text)
        self._said.show()
