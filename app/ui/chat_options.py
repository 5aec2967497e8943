"""What this chat does differently from the settings: instructions, sampling, who guesses.

And presets of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.engine.protocol import Speculation
from app.storage.records import Preset
from app.ui.option_row import OptionRow
from app.ui.theme import GRID

WIDTH = 520
PROMPT_LINES = 5
NAME_LENGTH = 60


class ChatOptions(QDialog):
    """One chat's own way of answering.

    Attributes:
        rows: one for each number, by the name of its setting.
        for_new_chats: whether the instructions are also those of new chats.

    Signals:
        preset_saved: a Preset is to be kept.
        preset_deleted: its name.
    """

    preset_saved = Signal(object)
    preset_deleted = Signal(str)

    def __init__(self, usual: Mapping[str, object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: tuple[Preset, ...] = ()
        self.setWindowTitle(self.tr("This chat"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumWidth(WIDTH)
        self._preset = QComboBox()
        self._preset.setAccessibleName(self.tr("Preset"))
        self._preset.activated.connect(self._on_preset)
        self._keep = QPushButton(self.tr("Save as preset…"))
        self._keep.clicked.connect(self._on_keep)
        self._forget = QPushButton(self.tr("Delete preset"))
        self._forget.clicked.connect(self._on_forget)
        self._prompt = QPlainTextEdit()
        self._prompt.setObjectName("prompt")
        self._prompt.setTabChangesFocus(True)
        self._prompt.setAccessibleName(self.tr("Instructions"))
        self._prompt.setPlaceholderText(
            self.tr("For example: Answer briefly. Explain like to a colleague.")
        )
        height = PROMPT_LINES * self._prompt.fontMetrics().lineSpacing() + GRID * 2
        self._prompt.setFixedHeight(height)
        self.for_new_chats = QCheckBox(self.tr("Also for new chats"))
        self._speculation = QComboBox()
        self._speculation.setAccessibleName(self.tr("Who guesses"))
        self.rows = {name: OptionRow(name, usual.get(name)) for name in OptionRow.NAMES}
        self._reset = QPushButton(self.tr("As usual"))
        self._reset.setToolTip(self.tr("Let this chat follow the settings in everything"))
        self._reset.clicked.connect(self._on_reset)
        self._fill_speculation()
        self._lay_out()
        self.show_presets(())

    def _fill_speculation(self) -> None:
        for text, value in (
            (self.tr("As usual"), ""),
            (self.tr("Off"), Speculation.OFF.value),
            (self.tr("Draft"), Speculation.DRAFT.value),
            (self.tr("Lookup"), Speculation.LOOKUP.value),
            (self.tr("Auto"), Speculation.AUTO.value),
        ):
            self._speculation.addItem(text, value)

    def _lay_out(self) -> None:
        presets = QHBoxLayout()
        presets.setSpacing(GRID)
        presets.addWidget(self._preset, 1)
        presets.addWidget(self._keep)
        presets.addWidget(self._forget)
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID * 2)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(0, 1)
        grid.addWidget(QLabel(self.tr("Who guesses")), 0, 0)
        grid.addWidget(self._speculation, 0, 1)
        for number, row in enumerate(self.rows.values(), 1):
            grid.addWidget(row.own, number, 0)
            grid.addWidget(row.field, number, 1)
        buttons = QDialogButtonBox()
        done = buttons.addButton(self.tr("Done"), QDialogButtonBox.ButtonRole.AcceptRole)
        done.setObjectName("primary")
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton(self._reset, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        column.setSpacing(GRID)
        column.addLayout(presets)
        column.addWidget(self._heading(self.tr("Instructions")))
        column.addWidget(self._prompt)
        column.addWidget(self.for_new_chats)
        column.addWidget(self._heading(self.tr("Answers")))
        column.addLayout(grid)
        column.addSpacing(GRID)
        column.addWidget(buttons)

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setObjectName("heading")
        return label

    # --- what to show -------------------------------------------------------------------------

    def show_values(self, system_prompt: str, own: Mapping[str, object]) -> None:
        """What the chat, or a preset, does differently."""
        self._prompt.setPlainText(system_prompt)
        index = self._speculation.findData(own.get("speculation", ""))
        self._speculation.setCurrentIndex(max(0, index))
        for name, row in self.rows.items():
            row.show_value(own.get(name), is_own=name in own)

    def show_presets(self, presets: Sequence[Preset], current: str = "") -> None:
        """The presets there are."""
        self._presets = tuple(presets)
        self._preset.clear()
        self._preset.addItem(self.tr("Choose a preset") if presets else self.tr("No presets yet"))
        for preset in presets:
            self._preset.addItem(preset.name)
        self._preset.setCurrentIndex(max(0, self._preset.findText(current)) if current else 0)
        self._preset.setEnabled(bool(presets))
        self._forget.setEnabled(self._preset.currentIndex() > 0)

    @property
    def system_prompt(self) -> str:
        """The instructions."""
        return self._prompt.toPlainText()

    @property
    def own(self) -> dict[str, object]:
        """What is not as usual, by name of the setting."""
        values: dict[str, object] = {
            name: row.value() for name, row in self.rows.items() if row.own.isChecked()
        }
        if self._speculation.currentData():
            values["speculation"] = self._speculation.currentData()
        return values

    # --- what the user does -------------------------------------------------------------------

    @Slot(int)
    def _on_preset(self, index: int) -> None:
        self._forget.setEnabled(index > 0)
        if index > 0:
            preset = self._presets[index - 1]
            self.show_values(preset.system_prompt, preset.options)

    @Slot()
    def _on_keep(self) -> None:
        name, wanted = QInputDialog.getText(
            self,
            self.tr("Save as preset"),
            self.tr("Name"),
            text=self._preset.currentText() if self._preset.currentIndex() > 0 else "",
        )
        name = " ".join(name.split())[:NAME_LENGTH]
        if wanted and name:
            self.preset_saved.emit(Preset(name, self.system_prompt, self.own))

    @Slot()
    def _on_forget(self) -> None:
        if self._preset.currentIndex() > 0:
            self.preset_deleted.emit(self._preset.currentText())

    @Slot()
    def _on_reset(self) -> None:
        self.show_values("", {})
