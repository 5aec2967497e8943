"""A page of the Settings dialog: a title, groups of fields, one under the other."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.settings import Settings
from app.ui.settings.fields import Field
from app.ui.theme import GRID


class Page(QScrollArea):
    """Fields by the names of their settings.

    Attributes:
        fields: all fields of the page.

    Signals:
        changed: name and new value of a setting.
    """

    changed = Signal(str, object)

    def __init__(self, title: str) -> None:
        super().__init__()
        self.fields: dict[str, Field] = {}
        self.setWindowTitle(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        inside.setObjectName("settingsPage")
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 2)
        self._column.setSpacing(GRID * 2)
        self._column.addStretch()
        self.setWidget(inside)

    def add_title(self, text: str) -> None:
        """The head of a group of fields."""
        label = QLabel(text)
        label.setObjectName("heading")
        self.add(label)

    def add_field(self, field: Field) -> None:
        """One more field, below the others."""
        self.fields[field.name] = field
        field.changed.connect(self.changed)
        self.add(field)

    def add(self, widget: QWidget) -> None:
        """Anything else, below the others."""
        self._column.insertWidget(self._column.count() - 1, widget)

    def show_settings(self, settings: Settings) -> None:
        """The values in force."""
        for name, field in self.fields.items():
            field.show_value(getattr(settings, name))
