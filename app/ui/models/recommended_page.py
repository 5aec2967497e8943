"""The page a newcomer sees first: one pair for this computer, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.errors import AppError
from app.ui.messages import say, say_bytes
from app.ui.models.background import Background
from app.ui.models.depot import Depot
from app.ui.models.labels import text_label
from app.ui.models.pair_card import PairCard
from app.ui.theme import GRID

if TYPE_CHECKING:
    from app.hub.recommend import Neighbour, Recommendation
    from app.session.fitting import MachineMemory


class RecommendedPage(QWidget):
    """The choice, the next smaller and the next larger one."""

    def __init__(self, depot: Depot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._use = QComboBox()
        self._use.setAccessibleName(self.tr("What for"))
        for text, use in (
            (self.tr("Conversation"), "chat"),
            (self.tr("Programming"), "code"),
            (self.tr("Hard questions"), "reasoning"),
        ):
            self._use.addItem(text, use)
        self._use.currentIndexChanged.connect(self.refresh)
        self._machine = text_label(name="muted")
        self._said = text_label()
        self.card = PairCard(depot, is_main=True)
        self.smaller = PairCard(depot, is_main=False)
        self.larger = PairCard(depot, is_main=False)
        self._lay_out()
        depot.opened.connect(self.refresh)
        depot.failed.connect(self._on_depot_failed)
        self._show(None, "")
        self.refresh()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(QLabel(self.tr("For")))
        top.addWidget(self._use)
        top.addSpacing(GRID)
        top.addWidget(self._machine, 1)
        below = QHBoxLayout()
        below.setSpacing(GRID * 2)
        below.addWidget(self.smaller, 1)
        below.addWidget(self.larger, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID * 2)
        column.addLayout(top)
        column.addWidget(self._said)
        column.addWidget(self.card)
        column.addLayout(below)
        column.addStretch()

    def said(self) -> str:
        """The sentence in the place of a choice."""
        return "" if self._said.isHidden() else self._said.text()

    def close_work(self) -> None:
        """The dialog goes."""
        self._background.close()
        for card in (self.card, self.smaller, self.larger):
            card.close_work()

    @Slot()
    def refresh(self) -> None:
        """Choose anew: memory may be free that was not."""
        stock = self._depot.stock
        if stock is None:
            self._show(None, self.tr("Looking at this computer…"))
            return
        use, machine = str(self._use.currentData()), self._depot.machine

        def choose() -> tuple[Recommendation, MachineMemory]:
            from app.hub.catalog import Use
            from app.hub.recommend import recommend

            memory = machine.now()
            return recommend(stock.catalog, memory.devices, Use(use)), memory

        self._background.run("recommend", choose)

    @Slot(str, object)
    def _on_done(self, _topic: str, result: object) -> None:
        assert isinstance(result, tuple)
        found, memory = result
        free = [
            self.tr("{device}: {free} of {total} free").format(
                free=say_bytes(device.free_bytes),
                total=say_bytes(device.total_bytes),
                device=device.name,
            )
            for device in memory.devices
        ]
        self._machine.setText(" · ".join(free))
        self._show(found, say(found.why.code, found.why.detail))

    def _show(self, found: Recommendation | None, why: str) -> None:
        choice = found.choice if found is not None else None
        self.card.setVisible(choice is not None)
        self._said.setVisible(choice is None)
        self._said.setText(why)
        if choice is not None:
            self.card.show_pair(choice, why, self.tr("Recommended for this computer"))
        smaller = found.smaller if found is not None else None
        larger = found.larger if found is not None else None
        self._show_neighbour(self.smaller, smaller, self.tr("Next smaller"))
        self._show_neighbour(self.larger, larger, self.tr("Next larger"))

    def _show_neighbour(self, card: PairCard, neighbour: Neighbour | None, head: str) -> None:
        card.setVisible(neighbour is not None)
        if neighbour is not None:
            card.show_pair(neighbour.pair, say(neighbour.why.code, neighbour.why.detail), head)

    @Slot(str, object)
    def _on_failed(self, _topic: str, error: AppError) -> None:
        self._show(None, say(error.code, error.detail))

    @Slot(object)
    def _on_depot_failed(self, error: AppError) -> None:
        self._said.setText(say(error.code, error.detail))
        self._said.show()
