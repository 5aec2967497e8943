"""Energy and money written for people, and the words for where they come from."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from app.monitor import Method, Scope
from app.ui.messages import say_number

JOULES_PER_WH = 3600.0
MOST_DECIMALS = 9

translate = QCoreApplication.translate


def say_joules(joules: float) -> str:
    """An answer's energy: joules, as people compare answers."""
    if joules >= 10_000:
        return translate("amounts", "{amount} kJ").format(amount=say_number(joules / 1000, 1))
    return translate("amounts", "{amount} J").format(amount=say_number(joules, _decimals(joules)))


def say_watt_hours(joules: float) -> str:
    """A day's energy: watt-hours, as the bill counts."""
    hours = joules / JOULES_PER_WH
    if hours >= 1000:
        return translate("amounts", "{amount} kWh").format(amount=say_number(hours / 1000, 2))
    return translate("amounts", "{amount} Wh").format(amount=say_number(hours, _decimals(hours)))


def say_watts(watts: float) -> str:
    """What is drawn now."""
    return translate("amounts", "{amount} W").format(amount=say_number(watts, _decimals(watts, 2)))


def say_money(amount: float, currency: str) -> str:
    """An amount of money with two digits that mean something: answers cost parts of a cent."""
    return translate("amounts", "{amount} {currency}").format(
        amount=say_number(amount, max(2, _decimals(amount, 2))), currency=currency
    )


def say_scope(scope: Scope) -> str:
    """Which part of the computer an energy belongs to."""
    return {
        Scope.GPU: translate("amounts", "graphics device"),
        Scope.CPU: translate("amounts", "processor"),
        Scope.CHIP: translate("amounts", "chip"),
        Scope.GPU_AND_CPU: translate("amounts", "graphics device and processor"),
        Scope.MACHINE: translate("amounts", "whole computer"),
    }[scope]


def say_method(method: Method) -> str:
    """How an energy came about."""
    return {
        Method.COUNTER: translate("amounts", "counted by the device"),
        Method.POWER: translate("amounts", "from power readings"),
        Method.WALL: translate("amounts", "from your plug meter's figures"),
        Method.ESTIMATE: translate("amounts", "estimate from rated power"),
    }[method]


def _decimals(value: float, digits: int = 3) -> int:
    """How many decimals give so many digits that mean something; none for whole thousands."""
    if value <= 0 or not math.isfinite(value):
        return 0
    return min(MOST_DECIMALS, max(0, digits - 1 - math.floor(math.log10(value))))
