"""The page that checks pairs: choose a target, see which drafts may serve it, and why not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.errors import AppError
from app.hub.names import FileKind
from app.ui.messages import say, say_bytes
from app.ui.models.background import Background
from app.ui.models.depot import Depot
from app.ui.models.labels import RowList, primary, text_label
from app.ui.models.pair_judge import Answer, Judged, Question, answer
from app.ui.theme import GRID


class PairPage(QWidget):
    """The pair checker.

    Signals:
        pair_wanted: target and draft are to be loaded.
    """

    pair_wanted = Signal(Path, Path)

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._rows: list[DraftRow] = []
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        intro = text_label(
            self.tr(
                "A draft must speak the same tokens as its target. Choose a target: the drafts "
                "that may serve it come first, the others with the reason why not."
            ),
            "muted",
        )
        self._target = QComboBox()
        self._target.setEditable(True)
        self._target.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._target.setAccessibleName(self.tr("Target"))
        line_edit = self._target.lineEdit()
        if line_edit is not None:
            line_edit.setPlaceholderText(self.tr("A file here, or owner/repository/file.gguf"))
            line_edit.returnPressed.connect(self.check)
        self._far = QCheckBox(self.tr("Also look at drafts that can be downloaded"))
        self._check = primary(self.tr("Check"))
        self._check.clicked.connect(self.check)
        self._said = text_label()
        self._list = RowList()
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(QLabel(self.tr("Target")))
        line.addWidget(self._target, 1)
        line.addWidget(self._check)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(intro)
        column.addLayout(line)
        column.addWidget(self._far)
        column.addWidget(self._said)
        column.addWidget(self._list, 1)
        depot.opened.connect(self.refresh)
        depot.files_changed.connect(self.refresh)
        depot.failed.connect(self._on_refused)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """The files on this computer have changed."""
        text = self._target.currentText()
        self._target.clear()
        for file in self._depot.files:
            if file.kind is FileKind.MODEL and file.is_complete:
                self._target.addItem(file.path.name, str(file.path))
        stock = self._depot.stock
        targets = (
            {p.target.repo + "/" + p.target.file for p in stock.catalog.pairs} if stock else ()
        )
        for name in sorted(targets):
            self._target.addItem(name, name)
        if text:
            self._target.setEditText(text)

    def choose(self, target: str, *, far: bool = False) -> None:
        """Write a target into the field."""
        self._target.setEditText(target)
        self._far.setChecked(far)

    def rows(self) -> list[DraftRow]:
        """The drafts on screen, best first."""
        return self._rows

    def said(self) -> str:
        """The sentence above the drafts."""
        return self._said.text()

    def close_work(self) -> None:
        """The dialog goes."""
        self._background.close()

    @Slot()
    def check(self) -> None:
        """Judge all drafts for the target in the field."""
        stock = self._depot.stock
        text = self._target.currentText().strip()
        index = self._target.findText(text)
        target = str(self._target.itemData(index)) if index >= 0 else text
        if stock is None or not target:
            return
        question = Question(target, self._depot.files, stock.catalog, self._far.isChecked())
        self._said.setText(self.tr("Reading the files…"))
        self._background.run("judge", partial(answer, question, stock.hub))

    @Slot(str, object)
    def _on_done(self, _topic: str, result: object) -> None:
        assert isinstance(result, Answer)
        self._rows = [DraftRow(self._depot, one, result.target) for one in result.judged]
        for row in self._rows:
            row.pair_wanted.connect(self.pair_wanted)
        self._list.set_rows(self._rows)
        fitting = sum(one.verdict.ok for one in result.judged)
        text = self.tr("{count} of {all} drafts may serve this target.").format(
            count=fitting, all=len(result.judged)
        )
        if not result.judged:
            text = self.tr("There is no other model here that could draft.")
        if result.trouble is not None:
            text += " " + say(result.trouble.code, result.trouble.detail)
        self._said.setText(text)

    @Slot(object)
    def _on_refused(self, error: AppError) -> None:
        """A download could not be queued."""
        self._said.setText(say(error.code, error.detail))

    @Slot(str, object)
    def _on_failed(self, _topic: str, error: AppError) -> None:
        self._rows = []
        self._list.set_rows([])
        self._said.setText(say(error.code, error.detail))


class DraftRow(QFrame):
    """One draft and what the rules say of it.

    Signals:
        pair_wanted: target and draft are to be loaded.
    """

    pair_wanted = Signal(Path, Path)

    def __init__(self, depot: Depot, judged: Judged, target: Path | None) -> None:
        super().__init__()
        self.setObjectName("card")
        self._depot = depot
        self._candidate = judged.candidate
        self._target = target
        name = QLabel(judged.candidate.name)
        name.setObjectName("heading")
        name.setMinimumWidth(1)
        size = QLabel(say_bytes(judged.candidate.size_bytes))
        size.setObjectName("muted")
        self._badge = QLabel(_badge_words(self, judged))
        self._badge.setObjectName("state")
        verdict = judged.verdict
        self._badge.setProperty("tone", "good" if verdict.ok and not verdict.discouraged else "bad")
        if verdict.ok and verdict.discouraged:
            self._badge.setProperty("tone", "plain")
        self._why = text_label(_reasons(judged), "muted")
        self._why.setVisible(bool(self._why.text()))
        self._button = QPushButton()
        self._button.clicked.connect(self._on_button)
        self._show_button(verdict.ok)
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(name, 1)
        top.addWidget(size)
        top.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addWidget(self._button)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 3 // 2, GRID, GRID * 3 // 2, GRID)
        column.setSpacing(GRID // 2)
        column.addLayout(top)
        column.addWidget(self._why)

    def texts(self) -> tuple[str, str, str]:
        """Name, verdict and reasons on screen."""
        return self._candidate.name, self._badge.text(), self._why.text()

    def button(self) -> QPushButton:
        """Load or get."""
        return self._button

    def _show_button(self, ok: bool) -> None:
        if self._candidate.listed is not None:
            self._button.setText(self.tr("Get it"))
            self._button.setVisible(ok)
        else:
            self._button.setText(self.tr("Load the pair"))
            self._button.setVisible(ok and self._target is not None)

    @Slot()
    def _on_button(self) -> None:
        candidate = self._candidate
        if candidate.listed is not None:
            self._button.setEnabled(False)
            self._button.setText(self.tr("In the queue"))
            self._depot.get_files([candidate.listed.wanted()])
        elif candidate.path is not None and self._target is not None:
            self.pair_wanted.emit(self._target, candidate.path)


def _badge_words(row: DraftRow, judged: Judged) -> str:
    if not judged.verdict.ok:
        return row.tr("Does not fit")
    return row.tr("Usually not worth it") if judged.verdict.discouraged else row.tr("Goes together")


def _reasons(judged: Judged) -> str:
    reason = judged.verdict.reason
    if reason is not None:
        return say(reason.code, dict(reason.detail))
    return " ".join(say(hint.code, dict(hint.detail)) for hint in judged.verdict.hints)
