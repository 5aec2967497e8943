"""One side of a comparison: its text as it comes, how far it is, and its figures."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from app.engine.stats import GenerationStats
from app.ui.messages import say_number, say_percent
from app.ui.readable import readable
from app.ui.text_view import TextView
from app.ui.theme import GRID, Theme, number_font

STEPS = 1000


class CompareColumn(QFrame):
    """Half of the view."""

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("compareColumn")
        self.setAccessibleName(title)
        self._title = QLabel(title)
        self._title.setObjectName("heading")
        self._speed = QLabel("\u2013")
        self._speed.setFont(number_font(self._speed.font(), scale=1.7, bold=True))
        self._facts = QLabel(" ")
        self._facts.setObjectName("muted")
        self._facts.setFont(number_font(self._facts.font()))
        self._facts.setMinimumWidth(1)
        self._progress = QProgressBar()
        self._progress.setRange(0, STEPS)
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(GRID // 2)
        self._progress.setAccessibleName(title)
        self._text = TextView()
        self._text.setAccessibleName(title)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setObjectName("comparePage")
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, GRID, 0)
        inner.addWidget(self._text)
        inner.addStretch()
        self._area.setWidget(page)
        self._area.verticalScrollBar().rangeChanged.connect(self._on_range)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID * 2, GRID * 2, GRID, GRID * 2)
        column.setSpacing(GRID)
        for widget in (self._title, self._speed, self._facts, self._progress):
            column.addWidget(widget)
        column.addWidget(self._area, 1)

    def clear(self) -> None:
        """Nothing was written yet."""
        self._text.clear()
        self._speed.setText("\u2013")
        self._facts.setText(" ")
        self._progress.setValue(0)

    def append(self, text: str) -> None:
        """More text."""
        if text:
            self._text.append_plain(readable(text.replace("\r", "")))

    def text(self) -> str:
        """What is written."""
        return self._text.toPlainText()

    def show_share(self, share: float) -> None:
        """How much of the answer is there, 0 to 1."""
        self._progress.setValue(round(share * STEPS))

    def show_stats(self, stats: GenerationStats, *, live: bool) -> None:
        """The figures so far, or at the end."""
        speed = stats.live_tokens_per_second if live else stats.tokens_per_second
        self._speed.setText(self._speed_text(speed))
        said = [self.tr("{count} tokens").format(count=say_number(stats.generated_tokens))]
        if stats.ttft_seconds > 0:
            seconds = say_number(stats.ttft_seconds, 2)
            said.append(self.tr("first token {seconds} s").format(seconds=seconds))
        if stats.acceptance is not None:
            share = say_percent(stats.acceptance)
            said.append(self.tr("{share} accepted").format(share=share))
        self._facts.setText("  ·  ".join(said))

    def show_time(self, seconds: float, tokens: int, *, finished: bool) -> None:
        """The clock of a race, which stops at the end of the answer."""
        self._speed.setText(self.tr("{seconds} s").format(seconds=say_number(seconds, 1)))
        count = self.tr("{count} tokens").format(count=say_number(tokens))
        done = self.tr("finished")
        self._facts.setText(f"{count}  ·  {done}" if finished else count)

    def _speed_text(self, speed: float | None) -> str:
        if not speed:
            return "\u2013"
        return self.tr("{speed} tok/s").format(speed=say_number(speed, 1))

    @Slot(int, int)
    def _on_range(self, _low: int, high: int) -> None:
        self._area.verticalScrollBar().setValue(high)
