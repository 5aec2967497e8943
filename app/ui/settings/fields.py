"""Fields of the Settings dialog: one value each, judged while it is typed.

A field reports only what the settings accept; what they do not is explained below it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app import settings as store
from app.errors import AppError
from app.monitor import parse_price
from app.ui.messages import say, say_number
from app.ui.theme import GRID

NARROW = GRID * 15

translate = QCoreApplication.translate


class Field(QWidget):
    """A name, an editor, and below it why the value cannot be.

    Attributes:
        name: of the setting.

    Signals:
        changed: name and new value, accepted by the settings.
    """

    changed = Signal(str, object)

    def __init__(self, name: str, label: str, help_text: str = "") -> None:
        super().__init__()
        self.name = name
        self._label = QLabel(label)
        self._help = QLabel(help_text)
        self._help.setObjectName("small")
        self._help.setWordWrap(True)
        self._help.setVisible(bool(help_text))
        self._help.setTextFormat(Qt.TextFormat.PlainText)
        self._problem = QLabel()
        self._problem.setObjectName("problemText")
        self._problem.setWordWrap(True)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.hide()

    def _lay_out(self, editor: QWidget, *, beside: QWidget | None = None) -> None:
        editor.setAccessibleName(self._label.text())
        editor.setAccessibleDescription(self._help.text())
        self._label.setBuddy(editor)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self._label, 1)
        row.addWidget(editor)
        if beside is not None:
            row.addWidget(beside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(row)
        column.addWidget(self._help)
        column.addWidget(self._problem)

    def show_value(self, value: object) -> None:
        """The value in force; not reported."""
        raise NotImplementedError

    def set_help(self, text: str) -> None:
        """Another explanation."""
        if self._help.text() != text:
            self._help.setText(text)
            self._help.setVisible(bool(text))

    def problem(self) -> str:
        """Why the text cannot be the value; "" when it can."""
        return self._problem.text()

    def _say_problem(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))

    def _report(self, value: object) -> None:
        self._say_problem("")
        self.changed.emit(self.name, value)


class NumberField(Field):
    """A number within the settings' limits; an empty field means None where that is allowed."""

    def __init__(
        self, name: str, label: str, help_text: str = "", *, unit: str = "", whole: bool = True
    ) -> None:
        named = translate("NumberField", "{name} ({unit})").format(name=label, unit=unit)
        super().__init__(name, named if unit else label, help_text)
        self._whole = whole
        self._may_be_empty = store.accepts(name, None)
        self._edit = QLineEdit()
        self._edit.setFixedWidth(NARROW)
        self._edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        if self._may_be_empty:
            self._edit.setPlaceholderText(self.tr("automatic"))
        self._edit.textEdited.connect(self._on_edited)
        self._lay_out(self._edit)

    def set_placeholder(self, text: str) -> None:
        """What an empty field says."""
        self._edit.setPlaceholderText(text)

    def show_value(self, value: object) -> None:
        if self._edit.hasFocus() and self._read(self._edit.text()) == value:
            return  # the user is still typing it, in their own way
        self._edit.setText(self._written(value))
        self._say_problem("")

    def edit(self, text: str) -> None:
        """As if the user had typed it."""
        self._edit.setText(text)
        self._on_edited(text)

    def text(self) -> str:
        """What stands there."""
        return self._edit.text()

    def _written(self, value: object) -> str:
        if not isinstance(value, int | float):
            return ""
        if self._whole:
            return str(value)
        text = self.locale().toString(float(value), "f", 6)
        point = self.locale().decimalPoint()
        return text.rstrip("0").rstrip(point) if point in text else text

    def _read(self, text: str) -> object:
        """The number; None for an empty field; the text itself where it is no number."""
        plain = text.strip()
        if not plain:
            return None
        if self._whole:
            digits = plain.translate(dict.fromkeys(map(ord, " \u00a0\u202f.,'\u2019")))
            is_number = digits.isascii() and digits.isdigit() and len(digits) < 12
            return int(digits) if is_number else text
        try:
            return parse_price(plain)
        except AppError:
            return text

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        value = self._read(text)
        if store.accepts(self.name, value):
            self._report(value)
        else:
            self._say_problem(self._limits_text())

    def _limits_text(self) -> str:
        low, high = store.limits(self.name) or (0.0, 0.0)
        if self._whole:
            return self.tr("Enter a whole number from {low} to {high}.").format(
                low=say_number(low), high=say_number(high)
            )
        return self.tr("Enter a number from {low} to {high}, for example {example}.").format(
            low=self._written(low), high=self._written(high), example=say_number(0.25, 2)
        )


class ChoiceField(Field):
    """One of a few values."""

    def __init__(
        self, name: str, label: str, choices: Sequence[tuple[object, str]], help_text: str = ""
    ) -> None:
        super().__init__(name, label, help_text)
        self._box = QComboBox()
        self._box.setMinimumWidth(NARROW)
        self._box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for value, text in choices:
            self._box.addItem(text, value)
        self._box.activated.connect(self._on_chosen)
        self._lay_out(self._box)

    def show_value(self, value: object) -> None:
        index = self._box.findData(value)
        self._box.setCurrentIndex(max(0, index))

    def set_text(self, value: object, text: str) -> None:
        """Another wording of a choice."""
        index = self._box.findData(value)
        if index >= 0 and self._box.itemText(index) != text:
            self._box.setItemText(index, text)

    def choose(self, value: object) -> None:
        """As if the user had chosen it."""
        self.show_value(value)
        self._on_chosen()

    def value(self) -> object:
        """What is chosen."""
        return self._box.currentData()

    @Slot()
    def _on_chosen(self) -> None:
        self._report(self._box.currentData())


class SwitchField(Field):
    """Yes or no."""

    def __init__(self, name: str, label: str, help_text: str = "") -> None:
        super().__init__(name, label, help_text)
        self._label.hide()
        self._box = QCheckBox(label)
        self._box.clicked.connect(self._on_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self._box)
        column.addWidget(self._help)
        self._box.setAccessibleDescription(help_text)

    def show_value(self, value: object) -> None:
        self._box.setChecked(bool(value))

    @Slot(bool)
    def _on_clicked(self, on: bool) -> None:
        self._report(on)


def said(error: AppError) -> str:
    """The sentence of an error, for a field."""
    return say(error.code, error.detail)
