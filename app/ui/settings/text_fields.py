"""Fields of text: a line that somebody judges, and a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QWidget

from app.ui.settings.fields import NARROW, Field


class TextField(Field):
    """A line of text; `judge` says what is wrong with it, or "" when nothing is."""

    def __init__(
        self,
        name: str,
        label: str,
        help_text: str = "",
        *,
        judge: Callable[[str], str] = lambda text: "",
        width: int = NARROW * 2,
    ) -> None:
        super().__init__(name, label, help_text)
        self._judge = judge
        self._edit = QLineEdit()
        self._edit.setMinimumWidth(max(width, NARROW))
        self._edit.setMaximumWidth(max(width, NARROW) * 2 if width else NARROW)
        self._edit.textEdited.connect(self._on_edited)
        self._lay_out(self._edit, beside=self._extra())

    def _extra(self) -> QWidget | None:
        return None

    def set_placeholder(self, text: str) -> None:
        """What an empty field says."""
        self._edit.setPlaceholderText(text)

    def show_value(self, value: object) -> None:
        text = "" if value is None else str(value)
        if self._edit.text().strip() != text:
            self._edit.setText(text)
        self._say_problem("")

    def edit(self, text: str) -> None:
        """As if the user had typed it."""
        self._edit.setText(text)
        self._on_edited(text)

    def text(self) -> str:
        """What stands there."""
        return self._edit.text()

    def _value(self, text: str) -> object:
        return text

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        text = text.strip()
        problem = self._judge(text)
        if problem:
            self._say_problem(problem)
        else:
            self._report(self._value(text))


class FolderField(TextField):
    """A folder; an empty field means the app's own."""

    def _extra(self) -> QWidget | None:
        button = QPushButton(self.tr("Choose…"))
        button.setAccessibleName(self.tr("Choose the folder for: {name}").format(name=self.name))
        button.clicked.connect(self._on_choose)
        return button

    def _value(self, text: str) -> object:
        return Path(text).expanduser() if text else None

    @Slot()
    def _on_choose(self) -> None:
        start = self.text() or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"), start)
        if chosen:
            self.edit(chosen)
