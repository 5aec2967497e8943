"""The line below an answer: what it cost and how it ended. Words from stored numbers.

The numbers may come from an imported file: what is not a number is not shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.conversation import EDITED, Message
from app.engine.protocol import FinishReason
from app.monitor import Method, Scope
from app.ui.amounts import say_joules, say_method, say_money, say_scope
from app.ui.messages import say_number, say_percent

translate = QCoreApplication.translate


def short_facts(message: Message) -> Iterator[str]:
    """What is always in sight."""
    stats = message.stats or {}
    if (speed := number(stats, "tokens_per_second")) is not None:
        yield translate("answer", "{speed} tok/s").format(speed=say_number(speed, 1))
    tokens = number(stats, "generated_tokens")
    if tokens:
        seconds = say_number(number(stats, "ttft_seconds") or 0.0, 2)
        yield translate("answer", "first token {seconds} s").format(seconds=seconds)
        yield translate("answer", "{count} tokens").format(count=say_number(tokens))
    if (acceptance := number(stats, "acceptance")) is not None:
        yield translate("answer", "{share} accepted").format(share=say_percent(acceptance))
    yield from _energy(energy_of(message))
    if (end := _short_end(message.finish_reason)) is not None:
        yield end


def all_facts(message: Message) -> Iterator[str]:
    """What a tooltip says, a line each."""
    stats = message.stats or {}
    prompt, cached = number(stats, "prompt_tokens"), number(stats, "cached_tokens")
    if prompt:
        yield translate(
            "answer", "Prompt: {count} tokens, {cached} of them still in memory"
        ).format(count=say_number(prompt), cached=say_number(cached or 0))
    if (per_pass := number(stats, "tokens_per_pass")) is not None:
        yield translate("answer", "{count} tokens per pass").format(count=say_number(per_pass, 2))
    drafted, accepted = number(stats, "drafted_tokens"), number(stats, "accepted_tokens")
    if drafted:
        yield translate("answer", "{accepted} of {drafted} guessed tokens accepted").format(
            accepted=say_number(accepted or 0), drafted=say_number(drafted)
        )
    yield from _energy_source(energy_of(message))
    end = _end(message.finish_reason)
    if end is not None:
        yield end


def number(facts: Mapping[str, Any], name: str) -> float | None:
    """A finite number; None for anything else."""
    value = facts.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def energy_of(message: Message) -> Mapping[str, Any]:
    """What was measured of the answer's energy; empty when nothing is kept."""
    energy = (message.stats or {}).get("energy")
    return energy if isinstance(energy, dict) else {}


def _energy(energy: Mapping[str, Any]) -> Iterator[str]:
    joules, cost = number(energy, "joules"), number(energy, "cost")
    if joules is None:
        return
    if energy.get("method") == Method.ESTIMATE:
        text = translate("answer", "about {energy} (estimate)")
        yield text.format(energy=say_joules(joules))
    else:
        yield say_joules(joules)
    currency = energy.get("currency")
    if cost is not None and isinstance(currency, str):
        yield say_money(cost, currency[:8])


def _energy_source(energy: Mapping[str, Any]) -> Iterator[str]:
    try:
        scope, method = Scope(energy["scope"]), Method(energy["method"])
    except (KeyError, ValueError):
        return
    yield translate("answer", "Energy: {scope}, {method}").format(
        scope=say_scope(scope), method=say_method(method)
    )
    million, currency = number(energy, "cost_per_million_tokens"), energy.get("currency")
    if million is not None and isinstance(currency, str):
        yield translate("answer", "{money} per million tokens").format(
            money=say_money(million, currency[:8])
        )


def _short_end(reason: str | None) -> str | None:
    return {
        FinishReason.CANCELLED.value: translate("answer", "stopped by you"),
        FinishReason.LENGTH.value: translate("answer", "ended at the length limit"),
        EDITED: translate("answer", "edited by you"),
    }.get(reason or "")


def _end(reason: str | None) -> str | None:
    return {
        FinishReason.END.value: translate("answer", "The model ended the answer"),
        FinishReason.STOP_STRING.value: translate("answer", "Ended at a stop text"),
        FinishReason.LENGTH.value: translate("answer", "Ended at the length limit"),
        FinishReason.CONTEXT.value: translate("answer", "Ended because the context was full"),
        FinishReason.CANCELLED.value: translate("answer", "Stopped by you"),
    }.get(reason or "")
