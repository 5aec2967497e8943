"""Where a benchmark stands, and how long it will still take. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from app.measure.answered import Wave
from app.measure.plan import Plan, Step
from app.measure.results import Results


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a benchmark stands.

    Attributes:
        done, total: measured requests.
        remaining_seconds: None until there is something to judge by.
        crashes: of the engine, so far.
    """

    done: int
    total: int
    remaining_seconds: float | None
    condition: str
    arm: str
    prompt: str
    warm_up: bool
    crashes: int = 0


class Remaining:
    """Counts and judges the remaining time: by the seconds of the condition's own waves where there
    are some, else by seconds per token allowed so far.
    """

    def __init__(self, plan: Plan) -> None:
        self._waves = {each.name: plan.waves(each) * len(plan.arms) for each in plan.conditions()}
        self._limits = {
            each.name: (each.at_once, each.workload.max_tokens) for each in plan.conditions()
        }
        self._seconds: dict[str, list[float]] = {name: [] for name in self._waves}

    @property
    def counts(self) -> tuple[int, int]:
        """Requests done and in all."""
        done = sum(len(each) * self._limits[name][0] for name, each in self._seconds.items())
        total = sum(count * self._limits[name][0] for name, count in self._waves.items())
        return done, total

    def took(self, step: Step, wave: Wave) -> None:
        """A measured wave is done."""
        self._seconds[step.condition.name].append(wave.seconds)

    def resumed(self, results: Results) -> None:
        """Waves done in an earlier run."""
        for wave in results.waves:
            self._seconds[f"{wave.workload} x{wave.at_once}"].append(wave.seconds)

    def remaining_seconds(self) -> float | None:
        """None before the first wave."""
        spent = sum(sum(each) for each in self._seconds.values())
        allowed = sum(len(each) * self._limits[name][1] for name, each in self._seconds.items())
        if not allowed:
            return None
        return sum(
            (self._waves[name] - len(each))
            * (sum(each) / len(each) if each else self._limits[name][1] * spent / allowed)
            for name, each in self._seconds.items()
        )
