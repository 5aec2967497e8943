"""A pair of the catalogue: what it is, why it is shown, and one button that gets or loads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.hub.items import ItemState
from app.ui.messages import say, say_bytes, say_number
from app.ui.models.depot import Depot
from app.ui.models.downloads_page import item_words
from app.ui.models.labels import primary, text_label
from app.ui.models.token_row import ASK_FOR_TOKEN, TokenRow
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.catalog import CatalogFile, Pair
    from app.hub.items import Item

BUSY = (ItemState.RUNNING, ItemState.QUEUED)


class PairCard(QFrame):
    """One pair.

    Attributes:
        pair: the one on screen.
    """

    def __init__(self, depot: Depot, *, is_main: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._depot = depot
        self._is_main = is_main
        self.pair: Pair | None = None
        self._head = text_label(name="muted")
        self._title = text_label(name="bigTitle" if is_main else "heading")
        self._why = text_label()
        self._files = text_label(name="muted")
        self._note = text_label(name="muted")
        self._get = primary("") if is_main else QPushButton()
        self._get.clicked.connect(self._on_get)
        self._pause = QPushButton(self.tr("Pause"))
        self._pause.clicked.connect(self._on_pause)
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(GRID // 2)
        self._bar.setAccessibleName(self.tr("Download"))
        self._progress = QLabel()
        self._progress.setObjectName("muted")
        self._problem = text_label(name="problem")
        self._token = TokenRow(depot)
        self._token.accepted.connect(self._on_token)
        self._lay_out()
        depot.downloads_changed.connect(self.refresh)
        depot.files_changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self._get)
        line.addWidget(self._pause)
        line.addWidget(self._progress, 1)
        line.addStretch()
        column = QVBoxLayout(self)
        side = GRID * 3 if self._is_main else GRID * 2
        column.setContentsMargins(side, side, side, side)
        column.setSpacing(GRID)
        for widget in (self._head, self._title, self._why, self._files, self._note):
            column.addWidget(widget)
        if not self._is_main:
            column.addStretch()
        column.addLayout(line)
        column.addWidget(self._bar)
        column.addWidget(self._problem)
        column.addWidget(self._token)

    def show_pair(self, pair: Pair, why: str, head: str) -> None:
        """A pair and the reason why it is shown."""
        self.pair = pair
        self._head.setText(head)
        self._title.setText(pair.title)
        self._why.setText(why)
        self._files.setText(self._file_words(pair))
        note = " ".join(filter(None, [pair.note, *self._measured(pair)]))
        self._note.setText(note)
        self._note.setVisible(bool(note) and self._is_main)
        self.refresh()

    def close_work(self) -> None:
        """The dialog goes."""
        self._token.close_work()

    def button(self) -> QPushButton:
        """The button that goes on."""
        return self._get

    def problem(self) -> str:
        """Why a download stopped; empty if none did."""
        return "" if self._problem.isHidden() else self._problem.text()

    def _file_words(self, pair: Pair) -> str:
        lines = [
            self.tr("Answers: {file}").format(file=self._described(pair.target)),
            self.tr("Guesses ahead: {file}").format(file=self._described(pair.draft)),
        ]
        return "\n".join(lines)

    def _described(self, file: CatalogFile) -> str:
        facts = [say_bytes(file.size_bytes), file.quantisation, file.licence]
        name = file.file.rpartition("/")[2].removesuffix(".gguf")
        if not self._is_main:
            return f"{name} · {facts[0]}"
        if file.gated:
            facts.append(self.tr("licence to be accepted first"))
        return " · ".join([name, *facts])

    def _measured(self, pair: Pair) -> list[str]:
        best = max(pair.measured, key=lambda one: one.speed_up, default=None)
        if best is None:
            return []
        text = self.tr("Others measured {times} × on {hardware}; here it may be more or less.")
        return [text.format(times=say_number(best.speed_up, 2), hardware=best.hardware)]

    # --- where it stands ----------------------------------------------------------------------

    @Slot()
    def refresh(self, *_: object) -> None:
        """Downloads or files have changed."""
        pair = self.pair
        self._get.setEnabled(pair is not None and self._depot.stock is not None)
        items = self._depot.items_of(pair) if pair is not None else []
        missing = self._missing(pair) if pair is not None else 0
        busy = [item for item in items if item.state in BUSY]
        failed = next((item for item in items if item.state is ItemState.FAILED), None)
        resting = failed or next((i for i in items if i.state is ItemState.PAUSED), None)
        self._get.setVisible(not busy)
        self._pause.setVisible(bool(busy))
        self._bar.setVisible(bool(busy or resting) and bool(missing))
        self._bar.setValue(_share(items))
        self._progress.setText(item_words(busy[0]) if busy else "")
        if not missing:
            self._get.setText(self.tr("Load it"))
        elif resting is not None:
            self._get.setText(self.tr("Go on with the download"))
        else:
            text = self.tr("Get it ({size})") if self._is_main else self.tr("Get this one ({size})")
            self._get.setText(text.format(size=say_bytes(missing)))
        self._show_problem(failed if missing else None)

    def _missing(self, pair: Pair) -> int:
        """Bytes that are not here yet."""
        files = (pair.target, pair.draft)
        return sum(f.size_bytes for f in files if self._depot.installed(f) is None)

    def _show_problem(self, failed: Item | None) -> None:
        error = failed.error if failed is not None else None
        self._problem.setVisible(error is not None)
        asks = error is not None and error.code in ASK_FOR_TOKEN
        self._token.setVisible(asks)
        if error is None:
            return
        self._problem.setText(say(error.code, error.detail))
        if asks:
            repo, page = str(error.detail.get("repo", "")), str(error.detail.get("page", ""))
            self._token.show_gate(repo, page)

    @Slot()
    def _on_get(self) -> None:
        if self.pair is not None:
            self._depot.get_pair(self.pair)

    @Slot()
    def _on_pause(self) -> None:
        stock = self._depot.stock
        if self.pair is None or stock is None:
            return
        for item in self._depot.items_of(self.pair):
            stock.queue.pause(item.key)

    @Slot()
    def _on_token(self) -> None:
        self._on_get()


def _share(items: list[Item]) -> int:
    total = sum(item.total_bytes or 0 for item in items)
    return round(1000 * sum(item.done_bytes for item in items) / total) if total else 0
