"""What energy costs: kWh times the price per kWh. Imports errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.errors import AppError

JOULES_PER_KWH = 3_600_000.0
MILLION = 1_000_000
# Spaces, also those that never break, and the Swiss apostrophes.
_GROUPING = dict.fromkeys(map(ord, " \u00a0\u202f'\u2019"))


@dataclass(frozen=True, slots=True)
class Tariff:
    """A price per kWh; 0 is a price (one's own roof), so a cost of 0 can be right.

    Attributes:
        currency: as the user writes it: "USD", "€".
        is_example: nobody set it yet, so every cost made with it is an example too.
    """

    price_per_kwh: float
    currency: str
    is_example: bool = False

    def cost(self, joules: float) -> float:
        """Money for an energy."""
        return joules / JOULES_PER_KWH * self.price_per_kwh


def per_million(amount: float, tokens: int) -> float | None:
    """An amount (cost, joules) for a million tokens at the same rate; None without tokens."""
    return amount / tokens * MILLION if tokens > 0 else None


def parse_price(text: str) -> float:
    """A price per kWh as people type it: "0.15", "0,15", "1 234,50".

    With both signs the last one is the decimal sign.

    Raises:
        AppError: "price_not_a_number", "price_negative".
    """
    plain = text.translate(_GROUPING)
    decimal, grouping = (",", ".") if plain.rfind(",") > plain.rfind(".") else (".", ",")
    plain = plain.replace(grouping, "").replace(decimal, ".")
    digits = plain.removeprefix("+").removeprefix("-").replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()):  # float() also takes "1e9", "nan" and "1_0"
        raise AppError("price_not_a_number", text=text)
    price = float(plain)
    if not math.isfinite(price):
        raise AppError("price_not_a_number", text=text)
    if price < 0 or plain.startswith("-"):
        raise AppError("price_negative", text=text)
    return price
