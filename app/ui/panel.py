"""The numbers of the answer being written, and of the machine that writes it.

Definitions are those of docs/architecture.md. A number that cannot be had says so, and why.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.engine.protocol import ModelsLoaded, Speculation
from app.engine.stats import GenerationStats
from app.monitor.sample import MachineSample
from app.ui.bars import PositionBars
from app.ui.energy_view import EnergyView
from app.ui.memory_view import MemoryView
from app.ui.messages import say_number, say_percent
from app.ui.metric import Metric
from app.ui.sparkline import Sparkline
from app.ui.theme import GRID, Theme, number_font
from app.ui.worth import WorthLine

WIDTH = 288
SHOW_SECONDS = 0.2  # numbers that change faster cannot be read
SPARK_SECONDS = 0.25


class Panel(QFrame):
    """Speed, speculation, memory and energy.

    Attributes:
        worth: whether speculation pays here.
        memory, energy: those parts.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName(self.tr("Numbers"))
        self.setFixedWidth(WIDTH)
        self._shown_at = 0.0
        self._spark_at = 0.0
        self._generating = False
        self._newest: tuple[GenerationStats | None, bool] = (None, False)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_later)
        self._answer: str | None = None
        self._speed = QLabel()
        self._unit = QLabel(self.tr("tokens per second"))
        self._spark = Sparkline(theme)
        self._ttft = Metric(
            self.tr("First token after"),
            self.tr("From sending to the first token, prompt included"),
        )
        self._prompt = Metric(
            self.tr("Prompt speed"),
            self.tr("Prompt tokens read per second; remembered ones not counted"),
        )
        self._from = Metric(self.tr("Guesses from"), self.tr("Who proposes tokens in this answer"))
        self._acceptance = Metric(
            self.tr("Accepted"), self.tr("Share of guessed tokens that the target accepted, lately")
        )
        self._bars = PositionBars(theme)
        self._per_pass = Metric(
            self.tr("Tokens per pass"),
            self.tr("Tokens the target gives each time it is asked; 1 without guesses"),
        )
        self._depth = Metric(
            self.tr("Guessing ahead"), self.tr("Tokens guessed in the newest step")
        )
        self.worth = WorthLine()
        self.memory = MemoryView(theme)
        self.energy = EnergyView()
        self._lay_out()
        theme.changed.connect(self.refresh_theme)
        self.show_stats(None, None, generating=False)

    def _lay_out(self) -> None:
        self.refresh_theme()
        self._unit.setObjectName("muted")
        speed = QHBoxLayout()
        speed.setSpacing(GRID)
        speed.addWidget(self._speed)
        speed.addWidget(self._unit, 1, Qt.AlignmentFlag.AlignBottom)
        page = QWidget()
        page.setObjectName("panelPage")
        column = QVBoxLayout(page)
        column.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        column.setSpacing(GRID // 2)
        column.addWidget(_heading(self.tr("Speed")))
        column.addLayout(speed)
        self._add_part(column, (self._spark, self._ttft, self._prompt))
        column.addWidget(_heading(self.tr("Speculation")))
        numbers = (self._from, self._acceptance, self._bars, self._per_pass, self._depth)
        self._add_part(column, (*numbers, self.worth))
        column.addWidget(_heading(self.tr("Memory")))
        self._add_part(column, (self.memory,))
        column.addWidget(_heading(self.tr("Energy and cost")))
        column.addWidget(self.energy)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _add_part(self, column: QVBoxLayout, widgets: Sequence[QWidget]) -> None:
        for widget in widgets:
            column.addWidget(widget)
        column.addSpacing(GRID * 3 // 2)

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed, and with it perhaps the size of texts."""
        self._speed.setFont(number_font(self.font(), scale=2.4, bold=True))
        # Wide enough for the usual number, so that the unit beside it stands still.
        widest = self._speed.fontMetrics().horizontalAdvance("88.8")
        self._speed.setMinimumWidth(widest)

    # --- numbers ------------------------------------------------------------------------------

    def show_source(self, speculation: Speculation) -> None:
        """Who proposes tokens: what was asked for, and at the end what "auto" became."""
        names = {
            Speculation.OFF: self.tr("nobody"),
            Speculation.DRAFT: self.tr("draft model"),
            Speculation.LOOKUP: self.tr("text so far"),
            Speculation.AUTO: self.tr("whatever pays"),
        }
        self._from.show_value(names[speculation])

    def show_stats(
        self, stats: GenerationStats | None, answer: str | None, *, generating: bool
    ) -> None:
        """The newest numbers of an answer; shown a few times a second while it is written."""
        now = time.monotonic()
        if generating and answer != self._answer:
            self._spark.clear()
        self._answer = answer if generating else self._answer
        if generating and stats is not None and now - self._spark_at >= SPARK_SECONDS:
            self._spark_at = now
            self._spark.add(stats.live_tokens_per_second)
        self._newest = (stats, generating)
        wait = SHOW_SECONDS - (now - self._shown_at)
        if not (generating and self._generating) or wait <= 0:
            self._on_later()
        elif not self._later.isActive():
            self._later.start(round(wait * 1000))

    @Slot()
    def _on_later(self) -> None:
        """Show the newest numbers."""
        self._later.stop()
        stats, generating = self._newest
        self._shown_at = time.monotonic()
        self._generating = generating
        self._show_speed(stats, generating)
        self._show_speculation(stats, generating)

    def show_memory(self, loaded: ModelsLoaded | None, sample: MachineSample | None) -> None:
        """What the loaded pair takes and what is left."""
        self.memory.show_memory(loaded, sample)

    def _show_speed(self, stats: GenerationStats | None, generating: bool) -> None:
        speed = stats.tokens_per_second if stats is not None else None
        if generating and stats is not None and stats.live_tokens_per_second > 0:
            speed = stats.live_tokens_per_second
        self._speed.setText(say_number(speed, 1) if speed is not None else "\u2013")
        self._unit.setVisible(speed is not None)
        self._speed.setToolTip(
            self.tr("Over the last second") if generating else self.tr("Over the whole answer")
        )
        spoken = self.tr("Speed: {speed} tokens per second").format(speed=self._speed.text())
        self._speed.setAccessibleName(spoken)
        if stats is None or not stats.generated_tokens:
            self._ttft.show_nothing(self._not_yet())
        else:
            self._ttft.show_value(
                self.tr("{seconds} s").format(seconds=say_number(stats.ttft_seconds, 2))
            )
        prompt = stats.prompt_tokens_per_second if stats is not None else None
        if prompt is not None:
            self._prompt.show_value(self.tr("{speed} tok/s").format(speed=say_number(prompt)))
        elif stats is not None and stats.prompt_tokens:
            self._prompt.show_missing(
                self.tr("The whole prompt was still in memory, so nothing was read.")
            )
        else:
            self._prompt.show_nothing(self._not_yet())

    def _show_speculation(self, stats: GenerationStats | None, generating: bool) -> None:
        if stats is None or not stats.drafted_tokens:
            reason = (
                self._not_yet() if stats is None else self.tr("Nothing was guessed in this answer.")
            )
            self._acceptance.show_nothing(reason)
            self._bars.show_counts((), ())
        else:
            live = stats.live_acceptance if generating else stats.acceptance
            self._acceptance.show_value(
                say_percent(live if live is not None else stats.acceptance or 0.0)
            )
            self._bars.show_counts(stats.accepted_by_position, stats.drafted_by_position)
        per_pass = stats.tokens_per_pass if stats is not None else None
        if per_pass is None:
            self._per_pass.show_nothing(self._not_yet())
        else:
            self._per_pass.show_value(say_number(per_pass, 2))
        self._show_depth(stats, generating)

    def _show_depth(self, stats: GenerationStats | None, generating: bool) -> None:
        if stats is None:
            self._depth.show_nothing(self._not_yet())
        elif generating:
            self._depth.show_value(self.tr("{count} tokens").format(count=stats.depth))
        elif stats.mean_depth is not None:
            mean = say_number(stats.mean_depth, 1)
            self._depth.show_value(self.tr("{count} tokens on average").format(count=mean))
        else:
            self._depth.show_nothing(self.tr("Nothing was guessed in this answer."))

    def _not_yet(self) -> str:
        return self.tr("There is no answer to measure yet.")


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("heading")
    return label
