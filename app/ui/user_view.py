"""A message of the user: as it was written, files folded."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.conversation import Message
from app.ui.attachments import Attachment, split
from app.ui.branch_stepper import BranchStepper
from app.ui.code_view import CodeView
from app.ui.icons import icon
from app.ui.message_view import MessageView
from app.ui.messages import say_bytes
from app.ui.readable import readable
from app.ui.text_view import TextView
from app.ui.theme import GRID, Theme

# Enough to be wider than any column.
LINES_MEASURED = 40
CHARACTERS_MEASURED = 300
NAME_LENGTH = 60


class UserView(MessageView):
    """What a person wrote, on the right."""

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(message, theme, parent)
        self.setAccessibleName(self.tr("You"))
        question, files = split(message.content)
        self._files = [_FoldedFile(file, theme) for file in files]
        self._copy = self._tool("copy", self.tr("Copy message"))
        self._copy.clicked.connect(self._on_copy)
        self._edit = self._tool("pencil", self.tr("Edit and ask again"))
        self._edit.clicked.connect(self._on_edit)
        self._body = QWidget()
        row = QHBoxLayout(self._body)
        row.setContentsMargins(GRID * 8, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._bubble(question), 100)
        self._foot = QWidget()
        self._tools = QHBoxLayout(self._foot)
        self._tools.setContentsMargins(0, 0, 0, 0)
        self._tools.setSpacing(0)
        self._tools.addStretch()
        self._tools.addWidget(self._copy)
        self._tools.addWidget(self._edit)
        self._column.setSpacing(0)
        self._column.addWidget(self._body)
        self._column.addWidget(self._foot)

    def _bubble(self, question: str) -> QFrame:
        bubble = QFrame()
        bubble.setObjectName("bubble")
        inner = QVBoxLayout(bubble)
        inner.setContentsMargins(GRID * 2, GRID, GRID * 2, GRID)
        if question.strip() or not self._files:
            text = TextView()
            text.setAccessibleName(self.tr("Your message"))
            text.append_plain(readable(question.replace("\r", "")))
            inner.addWidget(text)
        for file in self._files:
            inner.addWidget(file)
        # As wide as its text, on the right; a long text leaves a little room on the left.
        metrics = bubble.fontMetrics()
        lines = question.splitlines()[:LINES_MEASURED]
        widths = [metrics.horizontalAdvance(line[:CHARACTERS_MEASURED]) for line in lines]
        widths += [file.sizeHint().width() for file in self._files]
        self._narrow = max(widths, default=0) + GRID * 4 + 4
        self._frame = bubble
        bubble.setMaximumWidth(self._narrow)
        for file in self._files:
            file.toggle.toggled.connect(self._on_unfolded)
        return bubble

    def refresh_theme(self) -> None:
        super().refresh_theme()
        self._copy.setIcon(icon("copy", self._theme.tones.muted, size=16))
        self._edit.setIcon(icon("pencil", self._theme.tones.muted, size=16))
        for file in self._files:
            file.refresh_theme()

    def _place_stepper(self, stepper: BranchStepper) -> None:
        self._tools.insertWidget(1, stepper)

    def _reading_parts(self) -> Sequence[QWidget]:
        return (self._body, self._foot)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._message.content)

    @Slot()
    def _on_edit(self) -> None:
        self.edit(is_question=True)

    @Slot()
    def _on_unfolded(self) -> None:
        """An open file takes all the width there is."""
        opened = any(file.toggle.isChecked() for file in self._files)
        self._frame.setMaximumWidth(16_777_215 if opened else self._narrow)


class _FoldedFile(QWidget):
    """A file by its name; a click shows its text."""

    def __init__(self, file: Attachment, theme: Theme) -> None:
        super().__init__()
        self._file = file
        self._theme = theme
        self._text: CodeView | None = None
        self.toggle = QToolButton()
        self.toggle.setObjectName("file")
        self.toggle.setCheckable(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        text = self.tr("{name} · {size}").format(
            name=readable(file.name)[:NAME_LENGTH], size=say_bytes(len(file.text.encode()))
        )
        self.toggle.setText(text)
        self.toggle.setAccessibleName(self.tr("Attached file {name}").format(name=file.name))
        self.toggle.setToolTip(self.tr("Show or hide the text of this file"))
        self.toggle.toggled.connect(self._on_toggled)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.refresh_theme()

    def refresh_theme(self) -> None:
        """The theme changed."""
        self.toggle.setIcon(icon("file", self._theme.tones.text, size=16))
        if self._text is not None:
            self._text.refresh_theme()

    @Slot(bool)
    def _on_toggled(self, opened: bool) -> None:
        if opened and self._text is None:
            self._text = CodeView(self._file.language, self._theme)
            self._text.append(self._file.text)
            self._text.finish()
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self._text)
        if self._text is not None:
            self._text.setVisible(opened)
