"""Four buttons in one: who proposes tokens."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.engine.protocol import Speculation
from app.ui.theme import GRID


class SpeculationSwitch(QFrame):
    """Off, draft, lookup or auto.

    Signals:
        chosen: the user picked another one.
    """

    chosen = Signal(Speculation)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("switch")
        self.setAccessibleName(self.tr("Speculation"))
        self._group = QButtonGroup(self)
        self._buttons: dict[Speculation, QToolButton] = {}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID // 4, GRID // 4, GRID // 4, GRID // 4)
        row.setSpacing(GRID // 4)
        for choice, text, tip in self._choices():
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(self.tr("Speculation: {choice}").format(choice=text))
            button.setAccessibleDescription(tip)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(button)
            self._buttons[choice] = button
            row.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)
        self.show_choice(Speculation.AUTO)
        self.show_draft_missing(self.tr("No draft model is loaded. Choose one under Open."))

    def _choices(self) -> list[tuple[Speculation, str, str]]:
        return [
            (Speculation.OFF, self.tr("Off"), self.tr("One token at a time, without guesses")),
            (Speculation.DRAFT, self.tr("Draft"), self._draft_tip()),
            (
                Speculation.LOOKUP,
                self.tr("Lookup"),
                self.tr("Guesses come from the text so far; no draft model is needed"),
            ),
            (Speculation.AUTO, self.tr("Auto"), self._auto_tip()),
        ]

    def _auto_tip(self) -> str:
        return self.tr("Whatever is fastest on this computer")

    def _draft_tip(self) -> str:
        return self.tr("Guesses come from the draft model")

    def choice(self) -> Speculation:
        """What is chosen."""
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def show_choice(self, choice: Speculation) -> None:
        """Mark one as chosen, without a signal."""
        if not self._buttons[choice].isChecked():
            self._buttons[choice].setChecked(True)

    def show_draft_missing(self, reason: str, draft: str = "") -> None:
        """Say why "draft" cannot be chosen, "" when it can; and which one guesses."""
        button = self._buttons[Speculation.DRAFT]
        tip = self._draft_tip()
        if draft:
            tip = self.tr("Guesses come from {draft}").format(draft=draft)
        button.setEnabled(not reason)
        if button.toolTip() != (reason or tip):
            button.setToolTip(reason or tip)
            button.setAccessibleDescription(reason or tip)

    def show_in_force(self, in_force: Speculation) -> None:
        """What "auto" became at the last answer."""
        tip = self._auto_tip()
        if in_force is not Speculation.AUTO and self.choice() is Speculation.AUTO:
            now = self.tr("Now: {choice}").format(choice=self._buttons[in_force].text())
            tip = "\n".join((tip, now))
        if self._buttons[Speculation.AUTO].toolTip() != tip:
            self._buttons[Speculation.AUTO].setToolTip(tip)

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self.choice())
