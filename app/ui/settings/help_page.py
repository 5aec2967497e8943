"""Help: which version this is, the keys, the logs, and the report for those who look into it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app import APP_NAME, __version__
from app.ui.settings.page import Page
from app.ui.theme import GRID

translate = QCoreApplication.translate


class HelpPage(Page):
    """Three buttons, each with what it does.

    Signals:
        copy_clicked, logs_clicked, keys_clicked: the report, the log folder or the keys are wanted.
    """

    copy_clicked = Signal()
    logs_clicked = Signal()
    keys_clicked = Signal()

    def __init__(self) -> None:
        super().__init__(translate("HelpPage", "Help"))
        self.add_title(self.tr("{name} {version}").format(name=APP_NAME, version=__version__))
        self._add_button(
            self.tr("Copy diagnostic report"),
            self.tr(
                "Versions, devices, settings and the last log lines, to paste where you ask for "
                "help. Nothing you wrote or read is in it, no name and no path."
            ),
            self._on_copy,
        )
        self._copied = QLabel()
        self._copied.setObjectName("worth")
        self._copied.setProperty("tone", "good")
        self._copied.hide()
        self.add(self._copied)
        self._add_button(
            self.tr("Open the log folder"),
            self.tr("What the window and the engine noted; conversations are never logged."),
            self.logs_clicked.emit,
        )
        self._add_button(
            self.tr("Keyboard shortcuts"),
            self.tr("F1 shows them at any time."),
            self.keys_clicked.emit,
        )

    def _add_button(self, text: str, tip: str, target: object) -> None:
        button = QPushButton(text)
        button.setAccessibleDescription(tip)
        button.clicked.connect(target)
        label = QLabel(tip)
        label.setObjectName("small")
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(button)
        column.addWidget(label)
        self.add(box)

    @Slot()
    def _on_copy(self) -> None:
        self.copy_clicked.emit()
        self._copied.setText(self.tr("Copied."))
        self._copied.show()
