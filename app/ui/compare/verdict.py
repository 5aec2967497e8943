"""What came out of a comparison, in the user's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.monitor import Method, Scope, Tariff, per_million
from app.ui.amounts import say_joules, say_method, say_money, say_scope
from app.ui.messages import say, say_number, say_percent

if TYPE_CHECKING:
    from app.measure.compare import Comparison, Difference, Figures

translate = QCoreApplication.translate
NO_DIFFERENCE = 0.03  # within so much of 1.0, one run shows nothing


def headline(result: Comparison) -> str:
    """The one thing to know."""
    if result.speed_up is None:
        return translate("verdict", "The answers were too short to have a speed.")
    factor = result.speed_up.factor
    if abs(factor - 1.0) <= NO_DIFFERENCE:
        return translate("verdict", "No difference in speed in this run")
    if factor > 1.0:
        text = translate("verdict", "{factor} × as fast with speculation in this run")
        return text.format(factor=say_number(factor, 2))
    text = translate("verdict", "Slower with speculation in this run: {factor} × the speed")
    return text.format(factor=say_number(factor, 2))


def sentences(result: Comparison, tariff: Tariff | None) -> list[str]:
    """The rest, a sentence each."""
    said = [_first_token(result.off, result.on)]
    if result.on.acceptance is not None and result.on.tokens_per_pass is not None:
        text = translate(
            "verdict", "{share} of the guesses were accepted: {count} tokens per pass."
        )
        said.append(
            text.format(
                share=say_percent(result.on.acceptance),
                count=say_number(result.on.tokens_per_pass, 2),
            )
        )
    said.append(_energy(result))
    if tariff is not None and result.on.joules_per_token and result.off.joules_per_token:
        said.append(_cost(result.on.joules_per_token, result.off.joules_per_token, tariff))
    said.append(_texts(result))
    return said


def _first_token(off: Figures, on: Figures) -> str:
    return translate("verdict", "First token after {on} s with, {off} s without.").format(
        on=say_number(on.ttft_seconds, 2), off=say_number(off.ttft_seconds, 2)
    )


def _energy(result: Comparison) -> str:
    if result.on.joules is None or result.off.joules is None:
        reason = say(result.energy.reason or "energy_not_available", {})
        return translate("verdict", "Energy: {reason}").format(reason=reason)
    text = translate("verdict", "Energy: {on} with, {off} without ({source}).")
    return text.format(
        on=say_joules(result.on.joules), off=say_joules(result.off.joules), source=_source(result)
    )


def _source(result: Comparison) -> str:
    scope, method = Scope(result.energy.scope), Method(result.energy.method)
    return f"{say_scope(scope)}, {say_method(method)}"


def _cost(on: float, off: float, tariff: Tariff) -> str:
    with_, without = (
        say_money(per_million(tariff.cost(joules), 1) or 0.0, tariff.currency)
        for joules in (on, off)
    )
    said = translate("verdict", "A million tokens cost {on} with, {off} without.").format(
        on=with_, off=without
    )
    if tariff.is_example:
        said += " " + translate("verdict", "The price is an example: set yours in the settings.")
    return said


def _texts(result: Comparison) -> str:
    if not result.greedy:
        return translate(
            "verdict", "The answers were drawn by chance, so their texts cannot be compared."
        )
    if result.difference is None:
        return translate("verdict", "Both wrote the same text, token for token.")
    return _difference(result.difference)


def _difference(found: Difference) -> str:
    if not found.off_word or not found.on_word:
        text = translate("verdict", "The texts part at token {place}: there one answer ended.")
        return text.format(place=say_number(found.token + 1))
    text = translate(
        "verdict", "The texts part at token {place}: “{off}” without, “{on}” with speculation."
    )
    said = text.format(
        place=say_number(found.token + 1), off=found.off_word.strip(), on=found.on_word.strip()
    )
    if found.gap is None:
        return said
    gap = say_number(abs(found.gap), 2)
    if found.is_near_tie:
        more = translate(
            "verdict",
            "The model holds the two only {gap} apart (logits), so rounding decides. Both are its "
            "own answers.",
        )
    else:
        more = translate(
            "verdict",
            "The model holds the two {gap} apart (logits). That is more than rounding explains; "
            "please report it.",
        )
    return f"{said} {more.format(gap=gap)}"
