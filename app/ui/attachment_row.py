"""The files that go along with the message being written."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.ui.attachments import Attachment
from app.ui.icons import icon, pixmap
from app.ui.messages import say_bytes
from app.ui.readable import readable
from app.ui.theme import GRID, Theme

NAME_LENGTH = 60


class AttachmentRow(QWidget):
    """Names with a cross each; nothing to see while there are none.

    Attributes:
        files: in the order they came.

    Signals:
        changed: a file came or went.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.files: tuple[Attachment, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID // 2)
        self.hide()

    def add(self, file: Attachment) -> None:
        """One more; the same file again takes its old place."""
        kept = tuple(each for each in self.files if each.name != file.name)
        self._show((*kept, file))

    def clear(self) -> None:
        """None any more."""
        self._show(())

    def refresh_theme(self) -> None:
        """The theme changed."""
        self._rebuild()

    def _show(self, files: tuple[Attachment, ...]) -> None:
        if files == self.files:
            return
        self.files = files
        self._rebuild()
        self.changed.emit()

    def _rebuild(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for file in self.files:
            chip = _Chip(file, self._theme)
            chip.removed.connect(self._on_removed)
            self._column.addWidget(chip, 0, Qt.AlignmentFlag.AlignLeft)
        self.setVisible(bool(self.files))

    @Slot(str)
    def _on_removed(self, name: str) -> None:
        self._show(tuple(file for file in self.files if file.name != name))


class _Chip(QFrame):
    removed = Signal(str)

    def __init__(self, file: Attachment, theme: Theme) -> None:
        super().__init__()
        self._name = file.name
        self.setObjectName("chip")
        sign = QLabel()
        sign.setPixmap(pixmap("file", theme.tones.muted, 16, 2.0))
        name = QLabel(readable(file.name)[:NAME_LENGTH])
        name.setTextFormat(Qt.TextFormat.PlainText)
        size = QLabel(say_bytes(len(file.text.encode())))
        size.setObjectName("muted")
        self.remove = QToolButton()
        self.remove.setObjectName("quiet")
        self.remove.setIcon(icon("close", theme.tones.muted, size=14))
        text = self.tr("Remove {name}").format(name=file.name)
        self.remove.setToolTip(text)
        self.remove.setAccessibleName(text)
        self.remove.clicked.connect(self._on_close)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, GRID // 2, 0)
        row.setSpacing(GRID // 2)
        for widget in (sign, name, size, self.remove):
            row.addWidget(widget)

    @Slot()
    def _on_close(self) -> None:
        self.removed.emit(self._name)
