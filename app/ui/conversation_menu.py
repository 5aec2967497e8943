"""What can be done with one conversation of the list."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.icons import icon
from app.ui.theme import Theme


class ExportKind(StrEnum):
    """As what a conversation becomes a file."""

    MARKDOWN = "markdown"
    JSON = "json"


class ConversationMenu(QMenu):
    """A context menu; it goes when it closes.

    Attributes:
        rename, pin, markdown, json, delete: its actions.

    Signals:
        rename_chosen, deleted: with the conversation's id.
        pinned: id and whether it is to stay at the top.
        exported: id and ExportKind.
    """

    rename_chosen = Signal(str)
    pinned = Signal(str, bool)
    exported = Signal(str, ExportKind)
    deleted = Signal(str)

    def __init__(self, conversation_id: str, pinned: bool, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._id = conversation_id
        self._pinned = pinned
        tones = theme.tones
        self.rename = self.addAction(icon("pencil", tones.text), self.tr("Rename"))
        text = self.tr("Unpin") if pinned else self.tr("Pin")
        self.pin = self.addAction(icon("pin", tones.text), text)
        self.addSeparator()
        self.markdown = self.addAction(icon("export", tones.text), self.tr("Export as Markdown…"))
        self.json = self.addAction(icon("export", tones.text), self.tr("Export as JSON…"))
        self.addSeparator()
        self.delete = self.addAction(icon("trash", tones.danger), self.tr("Delete"))
        self.rename.triggered.connect(self._on_rename)
        self.pin.triggered.connect(self._on_pin)
        self.markdown.triggered.connect(self._on_markdown)
        self.json.triggered.connect(self._on_json)
        self.delete.triggered.connect(self._on_delete)
        self.aboutToHide.connect(self.deleteLater)

    @Slot()
    def _on_rename(self) -> None:
        self.rename_chosen.emit(self._id)

    @Slot()
    def _on_pin(self) -> None:
        self.pinned.emit(self._id, not self._pinned)

    @Slot()
    def _on_markdown(self) -> None:
        self.exported.emit(self._id, ExportKind.MARKDOWN)

    @Slot()
    def _on_json(self) -> None:
        self.exported.emit(self._id, ExportKind.JSON)

    @Slot()
    def _on_delete(self) -> None:
        self.deleted.emit(self._id)
