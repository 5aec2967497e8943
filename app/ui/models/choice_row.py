"""One model file of a repository: what it is, how well it fits, and the button that gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from app.hub.names import FileKind
from app.hub.reference import wanted_files
from app.session.fitting import FitLevel, fit_size
from app.ui.messages import say
from app.ui.models.depot import Depot
from app.ui.models.labels import FitBadge, kind_words, size_words, text_label, translate
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.repository import ModelChoice

MODELS = (FileKind.MODEL, FileKind.DRAFT)


class ChoiceRow(QFrame):
    """One model file, or all parts of a split one.

    Attributes:
        name: of the (first) file.
    """

    def __init__(self, depot: Depot, choice: ModelChoice) -> None:
        super().__init__()
        self.setObjectName("card")
        self._depot = depot
        self._choice = choice
        self.name = choice.files[0].name
        title = QLabel(self.name)
        title.setMinimumWidth(1)
        title.setToolTip(self.name)
        parts = len(choice.files)
        facts = [choice.quantisation or "", size_words(choice.size_bytes)]
        if parts > 1:
            facts.append(translate("models", "{count} files").format(count=parts))
        if choice.kind not in (FileKind.MODEL,):
            facts.append(kind_words(choice.kind))
        muted = QLabel(" · ".join(filter(None, facts)))
        muted.setObjectName("muted")
        self._why = text_label(name="problem")
        self._why.hide()
        self._badge = FitBadge()
        self._badge.setVisible(choice.kind in MODELS)
        self._get = QPushButton()
        self._get.clicked.connect(self._on_get)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(muted)
        words.addWidget(self._why)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 3 // 2, GRID, GRID * 3 // 2, GRID)
        row.setSpacing(GRID)
        row.addLayout(words, 1)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._get, 0, Qt.AlignmentFlag.AlignVCenter)
        self.show_need(fit_size(choice.size_bytes, depot.machine.now()), None, True)
        self.refresh()

    def show_need(self, level: FitLevel, need_bytes: int | None, about: bool) -> None:
        """How well it fits."""
        self._badge.show_level(level, need_bytes, about)

    def badge(self) -> str:
        """The badge's text."""
        return self._badge.text()

    def why(self) -> str:
        """Why its download failed; empty if it did not."""
        return "" if self._why.isHidden() else self._why.text()

    def button(self) -> QPushButton:
        """Get it, or where it stands."""
        return self._get

    def refresh(self) -> None:
        """Files or downloads have changed."""
        names = {(file.repo, file.name) for file in self._choice.files}
        records = [one.record.file for one in self._depot.files if one.record is not None]
        here = names <= {(file.repo, file.name) for file in records}
        stock = self._depot.stock
        items = stock.queue.snapshot().items if stock is not None else ()
        mine = [i for i in items if (i.wanted.repo, i.wanted.name) in names] if not here else []
        error = next((item.error for item in mine if item.error is not None), None)
        self._why.setVisible(error is not None)
        if error is not None:
            self._why.setText(say(error.code, error.detail))
            words, go = self.tr("Try again"), True
        elif mine:
            words, go = self.tr("In the queue"), False
        else:
            words, go = (self.tr("Installed"), False) if here else (self.tr("Get it"), True)
        self._get.setText(words)
        self._get.setEnabled(go)

    @Slot()
    def _on_get(self) -> None:
        self._get.setEnabled(False)
        self._depot.get_files(wanted_files(self._choice))
