"""Measures the answers of a window and books them in the ledger.

Joins what the monitor measured, the user's tariff and the stored ledger. Knows no window.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from app.monitor.energy import EnergyMeter
from app.monitor.here import apply, tariff_of
from app.monitor.tariff import Tariff, per_million
from app.monitor.task_energy import TaskEnergy
from app.settings import Settings
from app.storage.ledger import EnergyEntry, Ledger


@dataclass(frozen=True, slots=True)
class Answered:
    """What the ledger wants to know of an answer besides its energy."""

    message_id: str
    target: str
    draft: str | None
    speculation: str
    tokens: int


@dataclass(frozen=True, slots=True)
class AnswerEnergy:
    """The energy of one answer with its price; every figure is None where it is not known.

    Attributes:
        ended_at: seconds since the epoch.
    """

    answered: Answered
    energy: TaskEnergy
    tariff: Tariff
    ended_at: float

    @property
    def cost(self) -> float | None:
        """Money for the answer."""
        return None if self.energy.joules is None else self.tariff.cost(self.energy.joules)

    @property
    def joules_per_token(self) -> float | None:
        """The prompt's share included."""
        tokens = self.answered.tokens
        return self.energy.joules / tokens if self.energy.joules is not None and tokens else None

    @property
    def cost_per_million_tokens(self) -> float | None:
        """Money for a million tokens at the same rate."""
        return None if self.cost is None else per_million(self.cost, self.answered.tokens)


def energy_facts(answer: AnswerEnergy) -> dict[str, object]:
    """What of it is kept with the message, as JSON values; None for what is not known."""
    energy = answer.energy
    return {
        "joules": energy.joules,
        "scope": energy.scope.value if energy.scope is not None else None,
        "method": energy.method.value if energy.method is not None else None,
        "reason": energy.missing[0].code if energy.joules is None and energy.missing else None,
        "cost": answer.cost,
        "currency": answer.tariff.currency,
        "cost_per_million_tokens": answer.cost_per_million_tokens,
    }


class EnergyDesk:
    """One per window. Every method but `book` returns at once and touches no disk.

    An answer is begun when it is sent, and ended or dropped once; `end` delivers on the sampler's
    thread, so a window passes the result on by a signal and then calls `book` on its own thread.
    """

    def __init__(
        self, meter: EnergyMeter, ledger: Ledger, wall_clock: Callable[[], float] = time.time
    ) -> None:
        self._meter = meter
        self._ledger = ledger
        self._wall_clock = wall_clock
        self._tariff = tariff_of(Settings())

    def set_settings(self, settings: Settings) -> None:
        """The tariff, the plug meter's figures, and whether to leave out idle power."""
        self._tariff = tariff_of(settings)
        apply(settings, self._meter)

    def set_loaded(self, *, on_graphics: bool) -> None:
        """Whether a model lies on a graphics device, which is then awake anyway."""
        self._meter.keep_open(on_graphics)

    def begin(self, message_id: str) -> None:
        """An answer is sent to the engine."""
        self._meter.begin(message_id)

    def end(self, answered: Answered, deliver: Callable[[AnswerEnergy], None]) -> None:
        """An answer has its last token; one that was never begun is ignored."""
        tariff, ended_at = self._tariff, self._wall_clock()

        def on_measured(energy: Future[TaskEnergy]) -> None:
            deliver(AnswerEnergy(answered, energy.result(), tariff, ended_at))

        if self._meter.is_running(answered.message_id):
            self._meter.end(answered.message_id).add_done_callback(on_measured)

    def drop(self, message_id: str) -> None:
        """An answer failed or was taken back; unknown ones are ignored."""
        self._meter.drop(message_id)

    def book(self, answer: AnswerEnergy) -> None:
        """Put it into the ledger.

        Raises:
            StorageError: the disk refuses; it waits in memory for the next one.
        """
        energy, answered = answer.energy, answer.answered
        self._ledger.add(
            EnergyEntry(
                message_id=answered.message_id,
                ended_at=answer.ended_at,
                utc_offset_seconds=time.localtime(answer.ended_at).tm_gmtoff,
                target=answered.target,
                draft=answered.draft,
                speculation=answered.speculation,
                tokens=answered.tokens,
                seconds=energy.seconds,
                joules=energy.joules,
                scope=energy.scope.value if energy.scope is not None else None,
                method=energy.method.value if energy.method is not None else None,
                price_per_kwh=answer.tariff.price_per_kwh,
                currency=answer.tariff.currency,
            )
        )

    def close(self) -> None:
        """Stop measuring; what is still running is not booked."""
        self._meter.close()
