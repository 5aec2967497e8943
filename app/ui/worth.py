"""Whether speculation pays on this computer, in one sentence, and where that is known from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.engine.protocol import Detail
from app.ui.messages import say, say_number

MATTERS = 0.05  # less than this is no difference that anybody would notice
LINES = 2


@dataclass(frozen=True, slots=True)
class Worth:
    """What is known of speculation with the loaded pair.

    Attributes:
        factor: speed with speculation / speed without, of a comparison of one prompt.
        measured_at: when it was compared, seconds since the epoch.
        loss_code, loss_detail: why the engine stopped drafting; None while it did not.
    """

    factor: float | None = None
    measured_at: float = 0.0
    loss_code: str | None = None
    loss_detail: Detail = field(default_factory=dict)


class WorthLine(QLabel):
    """The sentence; always as high as two lines, so that nothing moves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("worth")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setMinimumHeight(self.fontMetrics().lineSpacing() * LINES)
        self.show_worth(Worth())

    def show_worth(self, worth: Worth) -> None:
        """What is known now."""
        text, tip, tone = self._words(worth)
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().polish(self)

    def _words(self, worth: Worth) -> tuple[str, str, str]:
        if worth.loss_code is not None:
            text = self.tr("Speculation here: slower, so auto leaves it off")
            return text, say(worth.loss_code, worth.loss_detail), "bad"
        if worth.factor is None:
            tip = self.tr(
                "A speed-up is only shown after both ways answered the same question here."
            )
            return self.tr("Speculation here: not compared yet"), tip, "plain"
        when = self._when(worth.measured_at)
        tip = self.tr("The same question, answered with speculation off and on.")
        if abs(worth.factor - 1.0) < MATTERS:
            text = self.tr("Speculation here: no difference, measured {when}")
            return text.format(when=when), tip, "plain"
        if worth.factor > 1.0:
            text = self.tr("Speculation here: {factor} × faster, measured {when}")
            return text.format(factor=say_number(worth.factor, 1), when=when), tip, "good"
        text = self.tr("Speculation here: {factor} × as fast as without, measured {when}")
        return text.format(factor=say_number(worth.factor, 2), when=when), tip, "bad"

    def _when(self, seconds: float) -> str:
        day = datetime.fromtimestamp(seconds).date()
        days = (date.today() - day).days
        if days == 0:
            return self.tr("today")
        if days == 1:
            return self.tr("yesterday")
        written = QLocale().toString(
            QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat
        )
        return self.tr("on {date}").format(date=written)
