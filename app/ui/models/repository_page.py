"""One repository: its licence and gate, and its files with how well each fits this computer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.errors import AppError
from app.hub.reference import as_choice
from app.session.fitting import FitLevel, fit_need, fit_pair
from app.ui.markdown import is_web_address
from app.ui.messages import say, say_number
from app.ui.models.background import Background
from app.ui.models.choice_row import MODELS, ChoiceRow
from app.ui.models.depot import Depot
from app.ui.models.labels import RowList, text_label, translate
from app.ui.models.token_row import ASK_FOR_TOKEN, TokenRow
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.repository import ModelChoice, Repository


@dataclass(frozen=True, slots=True)
class Look:
    """A repository as seen from this computer."""

    repository: Repository
    has_token: bool


class RepositoryPage(QWidget):
    """A repository's files.

    Signals:
        left: back to where one came from.
    """

    left = Signal()

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._repo = ""
        self._page = ""
        self._rows: list[ChoiceRow] = []
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._back = QPushButton(self.tr("Back to the list"))
        self._back.setObjectName("link")
        self._back.clicked.connect(self.left)
        self._web = QPushButton(self.tr("Open its page"))
        self._web.setObjectName("link")
        self._web.clicked.connect(self._on_web)
        self._title = text_label(name="bigTitle")
        self._facts = text_label(name="muted")
        self._said = text_label()
        self._token = TokenRow(depot)
        self._token.accepted.connect(self._on_token)
        self._list = RowList()
        top = QHBoxLayout()
        top.addWidget(self._back)
        top.addStretch()
        top.addWidget(self._web)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(top)
        for widget in (self._title, self._facts, self._token, self._said):
            column.addWidget(widget)
        column.addWidget(self._list, 1)
        depot.files_changed.connect(self._on_files)
        depot.downloads_changed.connect(self._on_files)
        depot.failed.connect(self._on_refused)

    def show_repo(self, repo: str) -> None:
        """Look at a repository."""
        self._repo, self._page = repo, ""
        self._title.setText(repo)
        self._facts.setText("")
        self._token.hide()
        self._show_rows([])
        self._say(self.tr("Asking the Hub…"))
        stock = self._depot.stock
        if stock is not None:
            self._background.run(
                "look",
                lambda: Look(stock.hub.repository(repo), stock.token.get() is not None),
            )

    def rows(self) -> list[ChoiceRow]:
        """The files on screen."""
        return self._rows

    def said(self) -> str:
        """The sentence above the files."""
        return "" if self._said.isHidden() else self._said.text()

    def facts(self) -> str:
        """Licence, gate, downloads."""
        return self._facts.text()

    def asks_for_token(self) -> bool:
        """Whether the gate is explained."""
        return not self._token.isHidden()

    def close_work(self) -> None:
        """The dialog goes."""
        self._background.close()
        self._token.close_work()

    def _say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def _show_rows(self, rows: list[ChoiceRow]) -> None:
        self._rows = rows
        self._list.set_rows(rows)

    @Slot(str, object)
    def _on_done(self, topic: str, result: object) -> None:
        if topic == "fit":
            assert isinstance(result, dict)
            for row in self._rows:
                row.show_need(*result.get(row.name, (FitLevel.UNKNOWN, None, True)))
            return
        assert isinstance(result, Look)
        self._show_look(result)

    def _show_look(self, look: Look) -> None:
        repository = look.repository
        summary = repository.summary
        self._page = summary.page
        self._facts.setText(_facts_of(repository))
        self._token.setVisible(summary.is_gated and not look.has_token)
        if summary.is_gated:
            self._token.show_gate(summary.repo, summary.page)
        choices = [*repository.choices, *(as_choice(file) for file in repository.sidecars)]
        self._show_rows([ChoiceRow(self._depot, choice) for choice in choices])
        incomplete = ", ".join(repository.incomplete)
        text = self.tr("Parts of these are missing, so they are not offered: {names}.")
        self._say(text.format(names=incomplete) if incomplete else "")
        self._background.run("fit", lambda: needs_of(self._depot, choices))

    @Slot(str, object)
    def _on_failed(self, topic: str, error: AppError) -> None:
        if topic == "look":
            self._say(say(error.code, error.detail))
            asks = error.code in ASK_FOR_TOKEN
            self._token.setVisible(asks)
            if asks:
                self._token.show_gate(self._repo, str(error.detail.get("page", "")))

    @Slot(object)
    def _on_refused(self, error: AppError) -> None:
        """A download could not even be queued."""
        self._say(say(error.code, error.detail))
        self._on_files()

    @Slot()
    def _on_files(self, *_: object) -> None:
        for row in self._rows:
            row.refresh()

    @Slot()
    def _on_token(self) -> None:
        self.show_repo(self._repo)

    @Slot()
    def _on_web(self) -> None:
        if is_web_address(self._page):
            QDesktopServices.openUrl(QUrl(self._page))


def needs_of(
    depot: Depot, choices: list[ModelChoice]
) -> dict[str, tuple[FitLevel, int | None, bool]]:
    """How well each fits: from the header of the smallest one, read by ranges; on a thread."""
    from app.hub.gguf import Want, read_header

    machine = depot.machine.now()
    models = [c for c in choices if c.kind in MODELS and c.size_bytes is not None]
    stock = depot.stock
    if not models or stock is None:
        return {}
    smallest = min(models, key=lambda choice: choice.size_bytes or 0)
    with stock.hub.open(smallest.files[0]) as remote:
        header = read_header(remote, Want.SIZING)
    report = fit_pair(header, None, machine, depot.options)
    beside = report.need_bytes - header.file_bytes  # caches and buffers, whatever the quantisation
    found: dict[str, tuple[FitLevel, int | None, bool]] = {}
    for choice in models:
        need = beside + (choice.size_bytes or 0)
        found[choice.files[0].name] = (fit_need(need, machine), need, True)
    return found


def _facts_of(repository: Repository) -> str:
    summary = repository.summary
    facts = [
        translate("models", "Licence: {name}").format(
            name=summary.licence or translate("models", "not stated")
        )
    ]
    if summary.is_gated:
        facts.append(translate("models", "to be accepted on its page before downloading"))
    if summary.parameters:
        billions = say_number(summary.parameters / 1e9, 1)
        facts.append(translate("models", "{count} billion parameters").format(count=billions))
    if summary.context_length:
        tokens = say_number(summary.context_length)
        facts.append(translate("models", "up to {tokens} tokens").format(tokens=tokens))
    downloads = say_number(summary.downloads)
    facts.append(translate("models", "{count} downloads").format(count=downloads))
    return " · ".join(facts)
