"""Where models are kept, where they come from, and the token that opens gated ones."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app import paths
from app.ui.settings.fields import NARROW
from app.ui.settings.page import Page
from app.ui.settings.text_fields import FolderField, TextField
from app.ui.theme import GRID

PUBLIC_HUB = "https://huggingface.co"
translate = QCoreApplication.translate


class ModelsPage(Page):
    """Folder, Hub and token.

    Signals:
        token_given: a token to keep; "" to forget it.
    """

    token_given = Signal(str)

    def __init__(self) -> None:
        super().__init__(translate("ModelsPage", "Models"))
        folder = FolderField(
            "models_folder",
            self.tr("Models folder"),
            self.tr(
                "New downloads go here, from the next start on. Models that are elsewhere stay "
                "where they are."
            ),
            judge=self._judge_folder,
        )
        folder.set_placeholder(str(paths.folders().models))
        self.add_field(folder)
        endpoint = TextField(
            "endpoint",
            self.tr("Address of the Hub"),
            self.tr("Empty is the public one. A mirror is used from the next start on."),
            judge=self._judge_endpoint,
        )
        endpoint.set_placeholder(os.environ.get("HF_ENDPOINT") or PUBLIC_HUB)
        self.add_field(endpoint)
        self.token = TokenField()
        self.token.given.connect(self.token_given)
        self.add(self.token)

    def _judge_folder(self, text: str) -> str:
        if not text:
            return ""
        path = Path(text).expanduser()
        if not path.is_absolute():
            return self.tr("Enter the whole path of a folder.")
        if path.is_file():
            return self.tr("This is a file. Choose a folder.")
        if not path.is_dir():
            return self.tr("There is no such folder. Create it first, or choose another one.")
        if not os.access(path, os.W_OK):
            return self.tr("You may not write to this folder. Choose another one.")
        return ""

    def _judge_endpoint(self, text: str) -> str:
        if not text:
            return ""
        try:
            parts = urlsplit(text)
            sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            sound = False
        if not sound or any(c.isspace() for c in text):
            return self.tr("Enter an address that begins with https://.")
        return ""


class TokenField(QWidget):
    """The access token: never shown again once it is kept.

    Signals:
        given: a token to keep; "" to forget it.
    """

    given = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        label = QLabel(self.tr("Access token"))
        self._edit = QLineEdit()
        self._edit.setEchoMode(QLineEdit.EchoMode.Password)
        self._edit.setMinimumWidth(NARROW * 2)
        self._edit.setAccessibleName(label.text())
        self._edit.textEdited.connect(self._on_edited)
        self._keep = QPushButton(self.tr("Keep"))
        self._keep.setAccessibleName(self.tr("Keep the access token"))
        self._keep.clicked.connect(self._on_keep)
        self._forget = QPushButton(self.tr("Forget"))
        self._forget.setAccessibleName(self.tr("Forget the access token"))
        self._forget.clicked.connect(self._on_forget)
        self._state = QLabel(self.tr("Asking the system's keyring…"))
        self._state.setObjectName("small")
        self._state.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(label, 1)
        for widget in (self._edit, self._keep, self._forget):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(row)
        column.addWidget(self._state)
        self._keep.setEnabled(False)
        self._forget.setEnabled(False)

    def show_state(self, *, is_set: bool, is_persistent: bool, problem: str = "") -> None:
        """Whether a token is kept, and where."""
        self._forget.setEnabled(is_set)
        if problem:
            self._state.setText(problem)
            return
        if not is_set:
            text = self.tr("None is kept. Only gated models need one.")
        elif is_persistent:
            text = self.tr("One is kept in the system's keyring.")
        else:
            text = self.tr("One is kept until Slipstream ends: this computer has no keyring.")
        self._state.setText(text)
        if is_set:
            self._edit.clear()
            self._keep.setEnabled(False)

    def state(self) -> str:
        """The sentence below."""
        return self._state.text()

    def edit(self, text: str) -> None:
        """As if the user had typed it."""
        self._edit.setText(text)
        self._on_edited(text)

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        cleaned = text.strip()
        sound = cleaned.isascii() and not any(c.isspace() for c in cleaned)
        self._keep.setEnabled(bool(cleaned) and sound)
        if cleaned and not sound:
            self._state.setText(self.tr("A token has only letters, digits and signs, no spaces."))

    @Slot()
    def _on_keep(self) -> None:
        self.given.emit(self._edit.text().strip())

    @Slot()
    def _on_forget(self) -> None:
        self.given.emit("")
