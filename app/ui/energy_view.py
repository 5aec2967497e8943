"""The panel's energy part: power now, what the answer and the day took, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.monitor import Method, Missing, Scope
from app.session.energy import AnswerEnergy
from app.storage.ledger import EnergyTotal
from app.ui.amounts import (
    say_joules,
    say_method,
    say_money,
    say_scope,
    say_watt_hours,
    say_watts,
)
from app.ui.messages import say, say_number
from app.ui.metric import Metric
from app.ui.theme import GRID

SOURCE_LINES = 3


class EnergyView(QWidget):
    """Every number with its scope and method; one that cannot be had says why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: AnswerEnergy | None = None
        self._power = Metric(self.tr("Power now"), self.tr("Drawn by all devices that tell it"))
        self._joules = Metric(
            self.tr("This answer"), self.tr("From sending the question to the last token")
        )
        self._cost = Metric(self.tr("Its cost"), self.tr("Energy times your price per kWh"))
        self._million = Metric(
            self.tr("1 million tokens"), self.tr("What a million tokens would cost at this rate")
        )
        self._today = Metric(self.tr("Today"))
        self._today_cost = Metric(self.tr("Cost today"))
        self._source = QLabel()
        self._source.setObjectName("small")
        self._source.setWordWrap(True)
        self._source.setTextFormat(Qt.TextFormat.PlainText)
        self._source.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Room for the usual words, so that nothing moves when they come.
        self._source.setMinimumHeight(self._source.fontMetrics().lineSpacing() * SOURCE_LINES)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        for widget in (
            self._power, self._joules, self._cost, self._million, self._today, self._today_cost,
            self._source,
        ):  # fmt: skip
            column.addWidget(widget)
        self.show_power(None)
        self.show_nothing()

    @Slot(object)
    def show_power(self, watts: float | None) -> None:
        """Watts now; None between answers, and where nobody tells."""
        if watts is not None:
            self._power.show_value(say_watts(watts))
        else:
            self._power.show_nothing(
                self.tr("Nothing is read between answers, so that devices may sleep.")
            )

    def show_nothing(self) -> None:
        """No answer was measured yet."""
        self._answer = None
        for metric in (self._joules, self._cost, self._million):
            metric.show_nothing(self.tr("There is no answer to measure yet."))

    @Slot(object)
    def show_answer(self, answer: AnswerEnergy) -> None:
        """What the newest answer took."""
        self._answer = answer
        energy = answer.energy
        if energy.joules is None:
            reason = _sentences(energy.missing) or self.tr("There is no reason given.")
            for metric in (self._joules, self._cost, self._million):
                metric.show_missing(reason)
            self._source.setText(say(energy.missing[0].code, energy.missing[0].detail))
            self._source.setToolTip(reason)
            return
        self._joules.show_value(say_joules(energy.joules))
        per_token = answer.joules_per_token
        if per_token is not None:
            self._joules.setToolTip(
                self.tr("{amount} J for each token, the prompt included").format(
                    amount=say_number(per_token, 2)
                )
            )
        self._show_costs(answer)
        self._show_source(answer)

    def _show_costs(self, answer: AnswerEnergy) -> None:
        currency = answer.tariff.currency
        if answer.cost is not None:
            self._cost.show_value(say_money(answer.cost, currency))
        million = answer.cost_per_million_tokens
        if million is not None:
            self._million.show_value(say_money(million, currency))
        else:
            self._million.show_missing(self.tr("The answer has no tokens."))

    def _show_source(self, answer: AnswerEnergy) -> None:
        energy = answer.energy
        assert energy.scope is not None
        assert energy.method is not None
        words = self.tr("{scope}, {method}.").format(
            scope=say_scope(energy.scope), method=say_method(energy.method)
        )
        words = words[:1].upper() + words[1:]
        if answer.tariff.is_example:
            price = say_money(answer.tariff.price_per_kwh, answer.tariff.currency)
            words += " " + self.tr("Price: an example ({price} per kWh); set yours.").format(
                price=price
            )
        self._source.setText(words)
        self._source.setToolTip(_sentences((*energy.notes, *energy.missing)))

    @Slot(object)
    def show_today(self, total: EnergyTotal) -> None:
        """The sum of this day."""
        if total.joules is None:
            reason = (
                self.tr("None of today's answers could be measured.")
                if total.answers
                else self.tr("There was no answer today.")
            )
            show = (
                (self._today.show_missing, self._today_cost.show_missing)
                if total.answers
                else (self._today.show_nothing, self._today_cost.show_nothing)
            )
            for one in show:
                one(reason)
            return
        self._today.show_value(say_watt_hours(total.joules))
        self._today.setToolTip(self._today_words(total))
        costs = [say_money(amount, currency) for currency, amount in total.costs]
        self._today_cost.show_value(" + ".join(costs))
        self._today_cost.setToolTip(self.tr("At the price of the moment of each answer"))

    def _today_words(self, total: EnergyTotal) -> str:
        words = self.tr("{measured} of {answers} answers measured").format(
            measured=say_number(total.measured), answers=say_number(total.answers)
        )
        scopes = ", ".join(say_scope(Scope(scope)) for scope in total.scopes)
        methods = ", ".join(say_method(Method(method)) for method in total.methods)
        return f"{words}\n{scopes}\n{methods}"

    def texts(self) -> dict[str, str]:
        """What stands there, for whoever copies the numbers."""
        return {
            "power": self._power.text(),
            "answer": self._joules.text(),
            "cost": self._cost.text(),
            "million": self._million.text(),
            "today": self._today.text(),
            "today_cost": self._today_cost.text(),
            "source": self._source.text(),
        }


def _sentences(reasons: Iterable[Missing]) -> str:
    return "\n".join(say(reason.code, reason.detail) for reason in reasons)
