"""From what each device took to the energy of a task. Pure arithmetic; imports the sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from app.monitor.account import Part
from app.monitor.sample import Method, Missing, Rated, Scope
from app.monitor.wall import WallFigures

_WORST_LAST = (Method.COUNTER, Method.POWER)
_WHOLE = 0.999
_NO_SUCH_DEVICE = {"nvidia_absent", "amd_absent", "apple_absent"}


@dataclass(frozen=True, slots=True)
class TaskEnergy:
    """What a task took.

    Attributes:
        seconds: from its begin to its end.
        joules, scope, method: all None when nothing could be measured.
        parts: what each measured device took, before sharing and subtracting.
        missing: why devices, or all, are not in it; the weightiest first.
        notes: what one should know about the figure.
    """

    seconds: float
    joules: float | None = None
    scope: Scope | None = None
    method: Method | None = None
    parts: tuple[Part, ...] = ()
    missing: tuple[Missing, ...] = ()
    notes: tuple[Missing, ...] = ()

    def noted(self, *notes: Missing) -> TaskEnergy:
        """The same with more to know about it."""
        return replace(self, notes=(*self.notes, *notes))

    def shared(self, share: float) -> TaskEnergy:
        """The task's own share of it, where others ran at the same time."""
        if self.joules is None or share >= _WHOLE:
            return self
        return replace(self, joules=self.joules * share).noted(Missing("energy_shared"))

    def less_idle(self, idle_watts: Mapping[str, float]) -> TaskEnergy:
        """Without what the devices draw anyway; unchanged, with a note, where it is not known."""
        if self.joules is None:
            return self
        if any(part.device not in idle_watts for part in self.parts):
            return self.noted(Missing("idle_unknown"))
        idle_joules = sum(idle_watts[part.device] for part in self.parts) * self.seconds
        if idle_joules >= self.joules:
            return self.noted(Missing("idle_above_task"))
        left = self.joules - idle_joules
        return replace(self, joules=left).noted(Missing("idle_subtracted"))


def measured(
    seconds: float, results: Iterable[tuple[Scope, Part | Missing]], missing: Iterable[Missing]
) -> TaskEnergy:
    """The sum over the devices that were read from begin to end.

    A kind of device of which one failed is left out whole: half of it would pass for all of it.
    """
    results = tuple(results)
    failed = tuple(result for _, result in results if isinstance(result, Missing))
    broken = {scope for scope, result in results if isinstance(result, Missing)}
    parts = tuple(
        result for scope, result in results if isinstance(result, Part) and scope not in broken
    )
    reasons = _distinct((*failed, *missing))
    if not parts:
        return TaskEnergy(seconds, missing=reasons)
    energy = TaskEnergy(
        seconds=seconds,
        joules=sum(part.joules for part in parts),
        scope=_scope_of({part.scope for part in parts}),
        method=max((part.method for part in parts), key=_WORST_LAST.index),
        parts=parts,
        missing=reasons,
    )
    if any(part.was_reset for part in parts):
        energy = energy.noted(Missing("energy_counter_reset"))
    return energy


def without_meter(energy: TaskEnergy) -> TaskEnergy:
    """Nothing here could be read: that first, then why; not what this computer simply lacks."""
    reasons = (reason for reason in energy.missing if reason.code not in _NO_SUCH_DEVICE)
    return replace(energy, missing=(Missing("energy_no_meter"), *reasons))


def at_the_wall(figures: WallFigures, seconds: float, *, subtract_idle: bool) -> TaskEnergy:
    """The user's own watts times seconds."""
    if seconds <= 0:
        return TaskEnergy(seconds, missing=(Missing("energy_too_short"),))
    joules = figures.joules(seconds, subtract_idle=subtract_idle)
    energy = TaskEnergy(seconds, joules, Scope.MACHINE, Method.WALL)
    if not subtract_idle:
        return energy
    known = figures.idle_watts is not None
    return energy.noted(Missing("idle_subtracted" if known else "idle_unknown"))


def estimated(energy: TaskEnergy, rated: Iterable[Rated]) -> TaskEnergy:
    """Rated watts times seconds, where nothing was measured and something is rated."""
    rated = tuple(rated)
    watts = sum(each.watts for each in rated)
    if energy.joules is not None or energy.seconds <= 0 or watts <= 0:
        return energy
    return replace(
        energy,
        joules=watts * energy.seconds,
        scope=_scope_of({each.scope for each in rated}),
        method=Method.ESTIMATE,
    ).noted(Missing("energy_estimated", {"watts": f"{watts:.4g}"}))


def _scope_of(scopes: set[Scope]) -> Scope:
    if scopes == {Scope.GPU, Scope.CPU}:
        return Scope.GPU_AND_CPU
    return next(iter(scopes)) if len(scopes) == 1 else Scope.MACHINE


def _distinct(reasons: Iterable[Missing]) -> tuple[Missing, ...]:
    kept: list[Missing] = []
    for reason in reasons:
        if reason not in kept:
            kept.append(reason)
    return tuple(kept)
