"""The two-column view: both answers as they are written, then the verdict, then the race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.errors import AppError
from app.ui.compare import verdict
from app.ui.compare.column import CompareColumn
from app.ui.compare.race import Runner
from app.ui.icons import icon
from app.ui.messages import say
from app.ui.readable import readable
from app.ui.theme import GRID, Theme

if TYPE_CHECKING:
    from app.measure.compare import Comparison, Live
    from app.monitor import Tariff

OFF, ON = "off", "on"
STOPPED = "measure_stopped"
SIZE = (960, 640)
FRAME_MS = 33
QUESTION_LENGTH = 140


class CompareDialog(QDialog):
    """Shows a comparison while it runs and afterwards.

    Attributes:
        columns: the two sides by "off" and "on".

    Signals:
        start_wanted: measure (again).
        stop_wanted: end the measurement; what is written stays on screen.
    """

    start_wanted = Signal()
    stop_wanted = Signal()

    def __init__(
        self, question: str, arm: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._result: Comparison | None = None
        self._is_running = False
        self._close_when_stopped = False
        self._racers: dict[str, Runner] = {}
        self._clock = QElapsedTimer()
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._on_frame)
        self.setWindowTitle(self.tr("Compare"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(*SIZE)
        line = " ".join(readable(question).split())
        self._question = QLabel(
            line[:QUESTION_LENGTH] + ("…" if len(line) > QUESTION_LENGTH else "")
        )
        self._question.setTextFormat(Qt.TextFormat.PlainText)
        self._question.setMinimumWidth(1)
        self._question.setToolTip(line[: QUESTION_LENGTH * 6])
        self._phase = QLabel()
        self._phase.setObjectName("muted")
        on_title = self.tr("With speculation ({arm})").format(arm=arm)
        self.columns = {
            OFF: CompareColumn(self.tr("Without speculation"), theme),
            ON: CompareColumn(on_title, theme),
        }
        self._headline = QLabel()
        self._headline.setObjectName("verdict")
        self._headline.setWordWrap(True)
        self._sentences = QLabel()
        self._sentences.setObjectName("muted")
        self._sentences.setWordWrap(True)
        self._sentences.setTextFormat(Qt.TextFormat.PlainText)
        self._sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._race = QPushButton(icon("play", theme.tones.text), self.tr("Race"))
        self._race.setToolTip(self.tr("Show both answers again, side by side, at their own pace"))
        self._race.clicked.connect(self.race)
        self._run = QPushButton()
        self._run.setObjectName("primary")
        self._run.clicked.connect(self._on_run)
        self._close = QPushButton(self.tr("Close"))
        self._close.clicked.connect(self.close)
        self._lay_out()
        self._show_buttons()

    def _lay_out(self) -> None:
        sides = QHBoxLayout()
        sides.setSpacing(GRID * 2)
        for column in self.columns.values():
            sides.addWidget(column, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._race)
        buttons.addStretch()
        buttons.addWidget(self._run)
        buttons.addWidget(self._close)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        lines.setSpacing(GRID)
        lines.addWidget(self._question)
        lines.addWidget(self._phase)
        lines.addLayout(sides, 1)
        lines.addWidget(self._headline)
        lines.addWidget(self._sentences)
        lines.addLayout(buttons)

    # --- measuring ----------------------------------------------------------------------------

    def show_running(self) -> None:
        """A measurement begins."""
        self._end_race()
        self._result = None
        self._is_running = True
        for column in self.columns.values():
            column.clear()
        self._headline.setText("")
        self._sentences.setText("")
        self._phase.setText(self.tr("Warming up"))
        self._show_buttons()

    def show_live(self, live: Live) -> None:
        """More of one side's answer."""
        if live.warm_up:
            self._phase.setText(self.tr("Warming up"))
            return
        column = self.columns[live.side]
        self._phase.setText(
            self.tr("Answering without speculation")
            if live.side == OFF
            else self.tr("Answering with speculation")
        )
        column.append(live.text)
        column.show_stats(live.stats, live=True)

    def show_result(self, result: Comparison, tariff: Tariff | None) -> None:
        """It is over: figures and verdict."""
        self._result = result
        self._phase.setText(
            self.tr("Same prompt, same settings, empty prompt cache, one after the other")
        )
        for run in result.runs:
            self.columns[run.side].show_stats(run.answer.stats, live=False)
            self.columns[run.side].show_share(1.0)
        self._headline.setText(verdict.headline(result))
        self._sentences.setText("\n".join(verdict.sentences(result, tariff)))
        self._end_running()

    def show_failure(self, error: AppError) -> None:
        """It ended before its end."""
        self._phase.setText("")
        self._headline.setText("")
        stopped = error.code == STOPPED  # by the user, who need not be told
        self._sentences.setText("" if stopped else say(error.code, error.detail))
        self._end_running()

    def _end_running(self) -> None:
        self._is_running = False
        self._show_buttons()
        if self._close_when_stopped:
            self.close()

    def _show_buttons(self) -> None:
        again = self.tr("Measure again")
        self._run.setText(self.tr("Stop") if self._is_running else again)
        self._race.setEnabled(self._result is not None)

    @Slot()
    def _on_run(self) -> None:
        if self._is_running:
            self._phase.setText(self.tr("Stopping"))
            self.stop_wanted.emit()
        else:
            self.start_wanted.emit()

    # --- racing -------------------------------------------------------------------------------

    @Slot()
    def race(self) -> None:
        """Replay both answers side by side."""
        if self._result is None:
            return
        self._racers = {}
        for run in self._result.runs:
            self._racers.setdefault(run.side, Runner(run.answer.moments))
        for column in self.columns.values():
            column.clear()
        self._clock.start()
        self._frames.start()
        self.show_race_at(0.0)

    def show_race_at(self, seconds: float) -> None:
        """Both answers as they were so long after the question."""
        finished = 0
        for side, racer in self._racers.items():
            place = racer.at(seconds)
            column = self.columns[side]
            column.append(place.text)
            column.show_share(place.share)
            shown = seconds if place.finished_seconds is None else place.finished_seconds
            done = place.finished_seconds is not None
            column.show_time(shown, place.tokens, finished=done)
            finished += done
        if finished == len(self._racers):
            self._frames.stop()

    @property
    def is_racing(self) -> bool:
        """A race is on."""
        return self._frames.isActive()

    def _end_race(self) -> None:
        self._frames.stop()

    @Slot()
    def _on_frame(self) -> None:
        self.show_race_at(self._clock.elapsed() / 1000)

    # --- closing ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """A measurement is stopped first: the engine has to be quiet for the chat."""
        if self._is_running:
            self._close_when_stopped = True
            self._phase.setText(self.tr("Stopping"))
            self.stop_wanted.emit()
            event.ignore()
            return
        self._end_race()
        super().closeEvent(event)
