"""All keys of the window in one table, and the sheet that shows them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.messages import QT_TRANSLATE_NOOP
from app.ui.theme import GRID


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What keys do; keys with the same text do the same."""

    keys: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """Shortcuts that belong together."""

    title: str
    shortcuts: tuple[Shortcut, ...]


GROUPS = (
    Group(
        QT_TRANSLATE_NOOP("shortcuts", "Answers"),
        (
            Shortcut(("Enter",), QT_TRANSLATE_NOOP("shortcuts", "Send")),
            Shortcut(("Shift+Enter",), QT_TRANSLATE_NOOP("shortcuts", "New line")),
            Shortcut(("Esc",), QT_TRANSLATE_NOOP("shortcuts", "Stop the answer")),
            Shortcut(("Ctrl+R",), QT_TRANSLATE_NOOP("shortcuts", "Answer again")),
            Shortcut(("Ctrl+Shift+C",), QT_TRANSLATE_NOOP("shortcuts", "Copy the last answer")),
            Shortcut(("Ctrl+T",), QT_TRANSLATE_NOOP("shortcuts", "Show or hide the guesses")),
            Shortcut(("Ctrl+G",), QT_TRANSLATE_NOOP("shortcuts", "Let another one guess")),
        ),
    ),
    Group(
        QT_TRANSLATE_NOOP("shortcuts", "Conversations"),
        (
            Shortcut(("Ctrl+N",), QT_TRANSLATE_NOOP("shortcuts", "New chat")),
            Shortcut(("Ctrl+F",), QT_TRANSLATE_NOOP("shortcuts", "Search all conversations")),
            Shortcut(("Ctrl+L",), QT_TRANSLATE_NOOP("shortcuts", "Write")),
            Shortcut(("F2",), QT_TRANSLATE_NOOP("shortcuts", "Rename the chosen conversation")),
            Shortcut(("Del",), QT_TRANSLATE_NOOP("shortcuts", "Delete the chosen conversation")),
        ),
    ),
    Group(
        QT_TRANSLATE_NOOP("shortcuts", "Models"),
        (
            Shortcut(("Ctrl+M",), QT_TRANSLATE_NOOP("shortcuts", "Find and manage models")),
            Shortcut(("Ctrl+O",), QT_TRANSLATE_NOOP("shortcuts", "Open a model from disk")),
        ),
    ),
    Group(
        QT_TRANSLATE_NOOP("shortcuts", "Window"),
        (
            Shortcut(("Ctrl+B",), QT_TRANSLATE_NOOP("shortcuts", "Show or hide conversations")),
            Shortcut(("Ctrl+J",), QT_TRANSLATE_NOOP("shortcuts", "Show or hide the numbers")),
            Shortcut(("Ctrl+,",), QT_TRANSLATE_NOOP("shortcuts", "Settings")),
            Shortcut(("F1", "Ctrl+/"), QT_TRANSLATE_NOOP("shortcuts", "This list")),
            Shortcut(("Tab",), QT_TRANSLATE_NOOP("shortcuts", "Next part of the window")),
            Shortcut(("Shift+Tab",), QT_TRANSLATE_NOOP("shortcuts", "Previous part")),
        ),
    ),
)


class ShortcutSheet(QDialog):
    """The table, two groups beside each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        columns = QHBoxLayout()
        columns.setSpacing(GRID * 5)
        for pair in (GROUPS[:2], GROUPS[2:]):
            column = QVBoxLayout()
            column.setSpacing(GRID * 3)
            for group in pair:
                column.addLayout(_table_of(group))
            column.addStretch()
            columns.addLayout(column)
        buttons = QDialogButtonBox()
        close = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setDefault(True)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(GRID * 4, GRID * 3, GRID * 4, GRID * 2)
        whole.setSpacing(GRID * 3)
        whole.addLayout(columns)
        whole.addWidget(buttons)


def native(keys: str) -> str:
    """Keys as this system writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) or keys


def _table_of(group: Group) -> QGridLayout:
    table = QGridLayout()
    table.setHorizontalSpacing(GRID * 3)
    table.setVerticalSpacing(GRID)
    table.setColumnStretch(0, 1)
    title = QLabel(QCoreApplication.translate("shortcuts", group.title))
    title.setObjectName("heading")
    table.addWidget(title, 0, 0, 1, 2)
    for row, shortcut in enumerate(group.shortcuts, start=1):
        text = QCoreApplication.translate("shortcuts", shortcut.text)
        spoken = ", ".join(native(keys) for keys in shortcut.keys)
        keys = QLabel(spoken)
        keys.setObjectName("keys")
        keys.setAccessibleName(f"{text}: {spoken}")
        table.addWidget(QLabel(text), row, 0)
        table.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight)
    return table
