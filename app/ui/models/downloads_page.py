"""The page of downloads: each with its progress, its buttons, and why it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.errors import AppError
from app.hub.items import Item, ItemState, Snapshot
from app.hub.progress import Phase
from app.ui.messages import say, say_bytes, say_percent
from app.ui.models.depot import Depot
from app.ui.models.labels import RowList, size_words, text_label, translate
from app.ui.models.token_row import ASK_FOR_TOKEN, TokenRow
from app.ui.theme import GRID, number_font

if TYPE_CHECKING:
    from app.hub.queue import DownloadQueue


class DownloadsPage(QWidget):
    """The queue."""

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._rows: dict[str, DownloadRow] = {}
        self._problem = text_label(name="problem")
        self._problem.hide()
        self._empty = text_label(
            self.tr("Nothing is being downloaded. Models you ask for appear here."), "muted"
        )
        self._sum = QLabel()
        self._sum.setFont(number_font(self._sum.font()))
        self._clear = QPushButton(self.tr("Take finished ones off the list"))
        self._clear.setObjectName("link")
        self._clear.clicked.connect(self._on_clear)
        self._token = TokenRow(depot)
        self._token.accepted.connect(self._on_token)
        self._token.hide()
        self._list = RowList()
        top = QHBoxLayout()
        top.addWidget(self._sum, 1)
        top.addWidget(self._clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self._problem)
        column.addWidget(self._empty)
        column.addLayout(top)
        column.addWidget(self._token)
        column.addWidget(self._list, 1)
        depot.downloads_changed.connect(self.on_downloads)
        depot.failed.connect(self._on_failed)
        if depot.stock is not None:
            self.on_downloads(depot.stock.queue.snapshot())

    def rows(self) -> list[DownloadRow]:
        """The downloads on screen, from the top."""
        return list(self._rows.values())

    def problem(self) -> str:
        """Why a wish was refused."""
        return "" if self._problem.isHidden() else self._problem.text()

    @Slot(object)
    def on_downloads(self, snapshot: Snapshot) -> None:
        """How things stand."""
        keys = [item.key for item in snapshot.items]
        if keys != list(self._rows):
            queue = self._depot.stock.queue if self._depot.stock is not None else None
            self._rows = {key: self._rows.get(key) or DownloadRow(queue, key) for key in keys}
            self._list.set_rows(self.rows())
        for item in snapshot.items:
            self._rows[item.key].show_item(item)
        self._show_token(snapshot)
        self._empty.setVisible(not keys)
        self._sum.setText(sum_words(snapshot))
        self._clear.setVisible(any(i.state is ItemState.DONE for i in snapshot.items))

    def asks_for_token(self) -> bool:
        """Whether a download waits for a token."""
        return not self._token.isHidden()

    def close_work(self) -> None:
        """The dialog goes."""
        self._token.close_work()

    def _show_token(self, snapshot: Snapshot) -> None:
        error = next((item.error for item in snapshot.items if _asks(item)), None)
        self._token.setVisible(error is not None)
        if error is not None:
            repo, page = str(error.detail.get("repo", "")), str(error.detail.get("page", ""))
            self._token.show_gate(repo, page)

    @Slot()
    def _on_token(self) -> None:
        """Those that waited for it go on."""
        stock = self._depot.stock
        for item in stock.queue.snapshot().items if stock is not None else ():
            if _asks(item) and stock is not None:
                stock.queue.resume(item.key)

    @Slot()
    def _on_clear(self) -> None:
        if self._depot.stock is not None:
            self._depot.stock.queue.clear_done()

    @Slot(object)
    def _on_failed(self, error: AppError) -> None:
        self._problem.setText(say(error.code, error.detail))
        self._problem.show()


def _asks(item: Item) -> bool:
    return item.error is not None and item.error.code in ASK_FOR_TOKEN


class DownloadRow(QFrame):
    """One download."""

    def __init__(self, queue: DownloadQueue | None, key: str) -> None:
        super().__init__()
        self.setObjectName("card")
        self._queue = queue
        self._key = key
        self._name = QLabel()
        self._name.setObjectName("heading")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setMinimumWidth(1)
        self._facts = text_label(name="muted")
        self._facts.setFont(number_font(self._facts.font()))
        self._why = text_label(name="problem")
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(GRID // 2)
        self._pause = QPushButton()
        self._pause.clicked.connect(self._on_pause)
        self._cancel = QPushButton()
        self._cancel.clicked.connect(self._on_cancel)
        self._state = ItemState.QUEUED
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(self._name, 1)
        top.addWidget(self._pause)
        top.addWidget(self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 3 // 2, GRID, GRID * 3 // 2, GRID * 3 // 2)
        column.setSpacing(GRID // 2)
        column.addLayout(top)
        column.addWidget(self._bar)
        column.addWidget(self._facts)
        column.addWidget(self._why)

    def show_item(self, item: Item) -> None:
        """Where it stands."""
        self._state = item.state
        self._name.setText(item.path.name)
        self._name.setToolTip(str(item.path))
        self._bar.setVisible(item.state is not ItemState.DONE)
        share = item.done_bytes / item.total_bytes if item.total_bytes else 0.0
        self._bar.setValue(round(share * 1000))
        self._bar.setAccessibleName(self.tr("Progress of {name}").format(name=item.path.name))
        self._facts.setText(item_words(item))
        error = item.error if item.state is ItemState.FAILED else None
        self._why.setVisible(error is not None)
        if error is not None:
            self._why.setText(say(error.code, error.detail))
        running = item.state in (ItemState.RUNNING, ItemState.QUEUED)
        again = self.tr("Try again") if item.state is ItemState.FAILED else self.tr("Resume")
        self._pause.setText(self.tr("Pause") if running else again)
        self._pause.setVisible(item.state is not ItemState.DONE)
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.setToolTip(self.tr("Stop, and remove what arrived"))
        self._cancel.setVisible(item.state is not ItemState.DONE)

    def why(self) -> str:
        """The sentence about a failure; empty without one."""
        return "" if self._why.isHidden() else self._why.text()

    def facts(self) -> str:
        """Progress, speed and remaining time."""
        return self._facts.text()

    def press_pause(self) -> None:
        """Pause, resume or try again, whatever the button says."""
        self._pause.click()

    def press_cancel(self) -> None:
        """Cancel."""
        self._cancel.click()

    @Slot()
    def _on_pause(self) -> None:
        if self._queue is None:
            return
        if self._state in (ItemState.RUNNING, ItemState.QUEUED):
            self._queue.pause(self._key)
        else:
            self._queue.resume(self._key)

    @Slot()
    def _on_cancel(self) -> None:
        if self._queue is not None:
            self._queue.cancel(self._key)


def item_words(item: Item) -> str:
    """One line on a download: how far, how fast, how long."""
    done, total = say_bytes(item.done_bytes), size_words(item.total_bytes)
    amount = translate("models", "{done} of {total}").format(done=done, total=total)
    match item.state:
        case ItemState.DONE:
            return translate("models", "{total}, complete and checked").format(total=total)
        case ItemState.PAUSED:
            return translate("models", "{amount}, paused").format(amount=amount)
        case ItemState.QUEUED:
            return translate("models", "{amount}, waits for its turn").format(amount=amount)
        case ItemState.FAILED:
            return amount
        case ItemState.RUNNING:
            return f"{amount}{_running_words(item)}"


def _running_words(item: Item) -> str:
    progress = item.progress
    if progress is None or progress.phase is Phase.CONNECTING:
        return ", " + translate("models", "connecting")
    if progress.phase is Phase.RETRYING:
        return ", " + translate("models", "the connection broke off, trying again")
    if progress.phase is Phase.CHECKING:
        return ", " + translate("models", "checking what is here")
    words = f", {rate_words(progress.bytes_per_second)}"
    if progress.remaining_seconds is not None:
        words += f", {time_words(progress.remaining_seconds)}"
    return words


def rate_words(bytes_per_second: float) -> str:
    """A speed."""
    return translate("models", "{size} a second").format(size=say_bytes(bytes_per_second))


def time_words(seconds: float) -> str:
    """How long it will still take, without false precision."""
    if seconds < 60:
        return translate("models", "less than a minute left")
    minutes = round(seconds / 60)
    if minutes < 60:
        return translate("models", "{count} min left").format(count=minutes)
    hours, rest = divmod(minutes, 60)
    return translate("models", "{hours} h {minutes} min left").format(hours=hours, minutes=rest)


def sum_words(snapshot: Snapshot) -> str:
    """All downloads together; nothing when none is under way."""
    open_items = [item for item in snapshot.items if item.state is not ItemState.DONE]
    if not open_items:
        return ""
    words = short_words(snapshot)
    if snapshot.bytes_per_second > 0:
        words += f", {rate_words(snapshot.bytes_per_second)}"
    if snapshot.remaining_seconds is not None:
        words += f", {time_words(snapshot.remaining_seconds)}"
    return words


def short_words(snapshot: Snapshot) -> str:
    """A few words for the top of the window; nothing when no download is open."""
    states = [item.state for item in snapshot.items if item.state is not ItemState.DONE]
    if not states:
        return ""
    if ItemState.RUNNING in states or ItemState.QUEUED in states:
        share = snapshot.done_bytes / snapshot.total_bytes if snapshot.total_bytes else 0.0
        return translate("models", "Downloading {percent}").format(percent=say_percent(share))
    if ItemState.FAILED in states:
        return translate("models", "Download failed")
    return translate("models", "Download paused")
