"""Sentences of `app.messages` in the user's language.

And the numbers inside them written for people.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from app import messages
from app.engine.protocol import Detail


def say(code: str, detail: Detail) -> str:
    """What happened, what is safe and what to do next."""
    template = messages.SENTENCES.get(code)
    if template is None:
        unknown = QCoreApplication.translate("messages", messages.UNKNOWN)
        return messages.fill(unknown, {"code": code})
    values = {name: _spoken(value) for name, value in detail.items()}
    return messages.fill(QCoreApplication.translate("messages", template), values)


def _spoken(value: str | int | float | None) -> str | int | float | None:
    """Whole numbers with the language's separators."""
    return say_number(value) if isinstance(value, int) else value


def say_bytes(count: int | float) -> str:
    """A size as people write it, in decimal units as file managers show them."""
    return QLocale().formattedDataSize(int(count), 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def say_number(value: float, decimals: int = 0) -> str:
    """A number with the language's separators."""
    return QLocale().toString(float(value), "f", decimals)


def say_percent(share: float) -> str:
    """A share of 1 as per cent, without decimals."""
    return QCoreApplication.translate("messages", "{percent} %").format(percent=round(share * 100))
