"""The dialog that chooses a target and a draft from disk and says whether they go together."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.icons import icon, pixmap
from app.ui.messages import say, say_bytes, say_number
from app.ui.pair_check import FileFacts, PairCheck, PairReport
from app.ui.theme import GRID, Theme

CONTEXTS = (2048, 4096, 8192, 16384, 32768, 65536, 131072)


class OpenPair(QDialog):
    """Choose a pair; `accepted` only with a target that can be read.

    Attributes:
        report: what the headers of the chosen files say; None until they were read.
    """

    def __init__(
        self, theme: Theme, check: PairCheck, n_ctx: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.report: PairReport | None = None
        self.setWindowTitle(self.tr("Open a model"))
        self.setMinimumWidth(GRID * 76)
        self._check = check
        self._check.finished.connect(self._on_report)
        self._target = _FileRow(theme, self.tr("Target"))
        self._draft = _FileRow(theme, self.tr("Draft"), clearable=True)
        for row in (self._target, self._draft):
            row.changed.connect(self._on_changed)
        self._context = QComboBox()
        self._context.setAccessibleName(self.tr("Context"))
        for tokens in sorted({*CONTEXTS, n_ctx}):
            text = self.tr("{tokens} tokens").format(tokens=say_number(tokens))
            self._context.addItem(text, tokens)
        self._context.setCurrentIndex(self._context.findData(n_ctx))
        self._sign = QLabel()
        self._verdict = QLabel()
        self._verdict.setWordWrap(True)
        self._verdict.setTextFormat(Qt.TextFormat.PlainText)
        self._verdict.setMinimumHeight(GRID * 10)
        self._verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setIcon(QIcon())
        self._load = QPushButton(self.tr("Load"))
        self._load.setObjectName("primary")
        self._buttons.addButton(self._load, QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._lay_out()
        self._examine()

    def _lay_out(self) -> None:
        intro = QLabel(
            self.tr(
                "The target writes the answers. The draft, a much smaller model of the same "
                "family, guesses ahead and makes it faster; it is optional."
            )
        )
        intro.setWordWrap(True)
        intro.setObjectName("muted")
        form = QFormLayout()
        form.setSpacing(GRID * 3 // 2)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("Target"), self._target)
        form.addRow(self.tr("Draft"), self._draft)
        form.addRow(self.tr("Context"), self._context)
        said = QHBoxLayout()
        said.setSpacing(GRID)
        said.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(self._verdict, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 3, GRID * 3, GRID * 3, GRID * 2)
        column.setSpacing(GRID * 2)
        column.addWidget(intro)
        column.addLayout(form)
        column.addLayout(said)
        column.addWidget(self._buttons)

    # --- what is chosen -----------------------------------------------------------------------

    def set_files(self, target: Path | None, draft: Path | None) -> None:
        """Begin with a pair."""
        self._target.set_path(target)
        self._draft.set_path(draft)
        self._examine()

    def n_ctx(self) -> int:
        """The context wanted, tokens."""
        return int(self._context.currentData())

    def verdict(self) -> str:
        """The sentence on screen."""
        return self._verdict.text()

    def can_load(self) -> bool:
        """Whether the target may be loaded as things stand."""
        return self._load.isEnabled()

    def done(self, result: int) -> None:
        self._check.cancel()
        super().done(result)

    @Slot()
    def _on_changed(self) -> None:
        self._examine()

    def _examine(self) -> None:
        self.report = None
        self._load.setEnabled(False)
        target = self._target.path()
        if target is None:
            self._check.cancel()
            self._target.show_facts(None)
            self._draft.show_facts(None)
            self._say("info", "muted", self.tr("Choose the target first."))
            return
        self._say("info", "muted", self.tr("Reading the files…"))
        self._check.start(target, self._draft.path())

    @Slot(object)
    def _on_report(self, report: object) -> None:
        assert isinstance(report, PairReport)
        self.report = report
        self._target.show_facts(report.target)
        self._draft.show_facts(report.draft)
        self._load.setEnabled(report.check.target_refused is None)
        self._load.setText(self.tr("Load"))
        if report.check.target_refused is not None:
            self._say("alert", "danger", say(*report.check.target_refused))
        elif report.check.draft_refused is not None:
            self._load.setText(self.tr("Load without draft"))
            self._say("alert", "warning", say(*report.check.draft_refused))
        elif report.check.advice:
            advice = [say(notice.code, notice.detail) for notice in report.check.advice]
            self._say("alert", "warning", "\n".join(advice))
        elif report.check.draft is None:
            text = self.tr(
                "This model can be loaded. Without a draft, guesses come from the text so far."
            )
            self._say("check", "accent", text)
        else:
            self._say_hints(report)

    def _say_hints(self, report: PairReport) -> None:
        lines = [self.tr("These two go together.")]
        lines += [say(code, detail) for code, detail, _ in report.hints]
        discouraged = any(discourages for *_, discourages in report.hints)
        self._say(
            "info" if discouraged else "check",
            "warning" if discouraged else "accent",
            "\n".join(lines),
        )

    def _say(self, name: str, tone: str, text: str) -> None:
        self._sign.setPixmap(pixmap(name, getattr(self._theme.tones, tone), 18, 2.0))
        self._verdict.setText(text)
        self._verdict.setAccessibleName(text)


class _FileRow(QWidget):
    """A path, a button to choose it, and what the file says about itself."""

    changed = Signal()

    def __init__(self, theme: Theme, name: str, *, clearable: bool = False) -> None:
        super().__init__()
        self._edit = QLineEdit()
        self._edit.setAccessibleName(name)
        self._edit.setClearButtonEnabled(clearable)
        self._edit.setPlaceholderText(self.tr("None") if clearable else self.tr("A .gguf file"))
        self._edit.textChanged.connect(self.changed)
        browse = QToolButton()
        browse.setIcon(icon("open", theme.tones.text))
        browse.setAccessibleName(self.tr("Choose the file for: {name}").format(name=name))
        browse.setToolTip(self.tr("Choose a file"))
        browse.clicked.connect(self._on_browse)
        self._facts = QLabel(" ")
        self._facts.setObjectName("muted")
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self._edit)
        line.addWidget(browse)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(line)
        column.addWidget(self._facts)

    def path(self) -> Path | None:
        text = self._edit.text().strip().strip('"')
        return Path(text).expanduser() if text else None

    def set_path(self, path: Path | None) -> None:
        self._edit.blockSignals(True)
        self._edit.setText(str(path) if path is not None else "")
        self._edit.blockSignals(False)

    def show_facts(self, facts: FileFacts | None) -> None:
        self._facts.setText(" · ".join(self._fact_texts(facts)) if facts is not None else " ")

    def _fact_texts(self, facts: FileFacts) -> list[str]:
        texts = [say_bytes(facts.size_bytes)]
        if facts.parameters is not None:
            billions = say_number(facts.parameters / 1e9, 2)
            texts.append(self.tr("{count} billion parameters").format(count=billions))
        if facts.quantisation is not None:
            texts.append(facts.quantisation)
        if facts.context_tokens is not None:
            tokens = say_number(facts.context_tokens)
            texts.append(self.tr("up to {tokens} tokens").format(tokens=tokens))
        return texts

    @Slot()
    def _on_browse(self) -> None:
        start = str(self.path() or "")
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Choose a model file"),
            start,
            self.tr("Model files (*.gguf);;All files (*)"),
        )
        if chosen:
            self._edit.setText(chosen)
