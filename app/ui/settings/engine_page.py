"""The engine's options, each with what it costs in memory with the loaded pair."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout

from app.engine.protocol import KvType
from app.settings import Settings
from app.ui.messages import say_bytes, say_number
from app.ui.settings.fields import ChoiceField, NumberField
from app.ui.settings.page import Page
from app.ui.settings.pair_cost import PairCost
from app.ui.theme import GRID

translate = QCoreApplication.translate


class EnginePage(Page):
    """Context, answers at once, number format, threads and layers.

    Signals:
        reload_clicked: load the pair again, as these options want it.
    """

    reload_clicked = Signal()

    def __init__(self) -> None:
        super().__init__(translate("EnginePage", "Engine"))
        self._settings = Settings()
        self._cost: PairCost | None = None
        self._context = NumberField(
            "n_ctx", self.tr("Context of a conversation"), unit=self.tr("tokens")
        )
        self._least = NumberField(
            "min_ctx",
            self.tr("Accept at least"),
            self.tr("If memory is short, the context is made shorter, but not below this."),
            unit=self.tr("tokens"),
        )
        self._parallel = NumberField("n_parallel", self.tr("Answers at once"))
        self._kv = ChoiceField(
            "kv_type",
            self.tr("Number format of the context"),
            [(kind.value, kind.value) for kind in KvType],
        )
        self._threads = NumberField(
            "threads",
            self.tr("Processor threads"),
            self.tr("Costs no memory. Empty uses one for each real core."),
        )
        self._layers = NumberField("gpu_layers", self.tr("Layers on the graphics device"))
        for field in (
            self._context, self._least, self._parallel, self._kv, self._layers, self._threads,
        ):  # fmt: skip
            self.add_field(field)
        self._sum = QLabel()
        self._sum.setWordWrap(True)
        self._sum.setTextFormat(Qt.TextFormat.PlainText)
        self._sum.setObjectName("sum")
        self.add(self._sum)
        self._reload = QFrame()
        self._reload.setObjectName("banner_info")
        self._lay_out_reload()
        self.add(self._reload)
        self.show_reload(wanted=False)
        self._show_costs()

    def _lay_out_reload(self) -> None:
        text = QLabel(self.tr("This takes effect when the model is loaded again."))
        text.setWordWrap(True)
        button = QPushButton(self.tr("Load again now"))
        button.clicked.connect(self.reload_clicked)
        column = QVBoxLayout(self._reload)
        column.setContentsMargins(GRID * 3 // 2, GRID, GRID * 3 // 2, GRID)
        column.addWidget(text)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)

    def show_settings(self, settings: Settings) -> None:
        super().show_settings(settings)
        self._settings = settings

    def show_cost(self, cost: PairCost | None) -> None:
        """What the options cost with the pair; None while that is not known."""
        self._cost = cost
        self._show_costs()

    def show_reload(self, *, wanted: bool) -> None:
        """Whether the loaded pair was loaded with other options."""
        self._reload.setVisible(wanted)

    def asks_for_reload(self) -> bool:
        """Whether a reload is offered."""
        return not self._reload.isHidden()

    def sum_text(self) -> str:
        """The sentence on the whole pair."""
        return self._sum.text()

    def _show_costs(self) -> None:
        cost = self._cost
        if cost is None:
            self._sum.setText(self.tr("Load a pair to see here what these options cost in memory."))
            self._context.set_help(self.tr("What the model can look back on."))
            self._parallel.set_help(self.tr("Each needs a context of its own."))
            self._kv.set_help(self.tr("Smaller saves memory; q4_0 can cost quality."))
            self._layers.set_help(self.tr("Empty places as many as fit."))
            return
        self._context.set_help(
            self.tr("Its memory: {size} for draft and target together.").format(
                size=say_bytes(cost.kv_bytes)
            )
        )
        self._parallel.set_help(
            self.tr("One more costs {size}.").format(size=say_bytes(cost.next_answer_bytes))
        )
        self._kv.set_help(
            self.tr("Smaller saves memory; q4_0 can cost quality. The draft's is always f16.")
        )
        for kind, size in cost.by_kv_type.items():
            self._kv.set_text(kind, f"{kind}: {say_bytes(size)}")
        layers = self.tr("The target has {count}, about {size} each. Empty places all that fit.")
        self._layers.set_help(
            layers.format(count=say_number(cost.layers), size=say_bytes(cost.layer_bytes))
        )
        self._show_sum(cost)

    def _show_sum(self, cost: PairCost) -> None:
        text = self.tr(
            "Together: {total} (models {weights}, context {kv}, computing {compute})."
        ).format(
            total=say_bytes(cost.total_bytes),
            weights=say_bytes(cost.weight_bytes),
            kv=say_bytes(cost.kv_bytes),
            compute=say_bytes(cost.compute_bytes),
        )
        self._sum.setText(text)
