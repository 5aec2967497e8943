"""What a benchmark will ask, in which order. Pure: the same plan always gives the same steps, which
is what lets a stopped one go on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from app.conversation import ChatMessage, Role
from app.engine.protocol import Generate, GenerationOptions, SamplingOptions
from app.measure.arms import Arm
from app.measure.workloads import Prompt, Workload

WARM_UP_TOKENS = 24


@dataclass(frozen=True, slots=True)
class Condition:
    """A workload with a number of requests at once; all arms answer the same in it."""

    workload: Workload
    at_once: int

    @property
    def name(self) -> str:
        """ "chat x1"."""
        return f"{self.workload.name} x{self.at_once}"


@dataclass(frozen=True, slots=True)
class Step:
    """One wave of one arm: as many requests as the condition has at once.

    Attributes:
        wave: counts within the condition; the same prompts for every arm.
        warm_up: not measured, and shorter.
    """

    condition: Condition
    arm: Arm
    wave: int
    prompts: tuple[Prompt, ...]
    warm_up: bool = False

    @property
    def key(self) -> tuple[str, int, str, int]:
        """Names a measured step in the results."""
        return self.condition.workload.name, self.condition.at_once, self.arm.name, self.wave


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole benchmark.

    Attributes:
        requests: measured ones wanted for each workload and arm; see `waves`.
        warm_ups: for each condition and arm.
        concurrency: overrides the workloads' own.
        max_depth: upper limit of depth control.
    """

    workloads: tuple[Workload, ...]
    arms: tuple[Arm, ...]
    requests: int = 30
    warm_ups: int = 5
    concurrency: tuple[int, ...] | None = None
    sampling: SamplingOptions = field(default_factory=lambda: SamplingOptions(temperature=0.0))
    max_depth: int = 8

    @property
    def most_at_once(self) -> int:
        """How many answers the pair must be loaded for."""
        return max(condition.at_once for condition in self.conditions())

    def conditions(self) -> list[Condition]:
        """In the order of the plan."""
        return [
            Condition(workload, at_once)
            for workload in self.workloads
            for at_once in self.concurrency or workload.concurrency
        ]

    def waves(self, condition: Condition) -> int:
        """The workload's share of the requests, rounded up to whole waves."""
        share = max(1, math.ceil(self.requests * condition.workload.share - 1e-9))
        return math.ceil(share / condition.at_once)

    def steps(self, condition: Condition) -> Iterator[Step]:
        """Warm-ups of all arms, then the measured waves, the arms by turns and each time another
        one first, so that a machine that grows hot or busy does so for all.
        """
        for number in range(math.ceil(self.warm_ups / condition.at_once)):
            for arm in self.arms:
                prompts = self._prompts(condition, number)
                yield Step(condition, arm, number, prompts, warm_up=True)
        for number in range(self.waves(condition)):
            first = number % len(self.arms)
            for arm in (*self.arms[first:], *self.arms[:first]):
                yield Step(condition, arm, number, self._prompts(condition, number))

    def _prompts(self, condition: Condition, wave: int) -> tuple[Prompt, ...]:
        """The next prompts of the workload, from the start again when all were asked."""
        prompts = condition.workload.prompts
        start = wave * condition.at_once
        return tuple(prompts[(start + slot) % len(prompts)] for slot in range(condition.at_once))

    def generates(self, step: Step) -> list[Generate]:
        """The requests of a step."""
        workload = step.condition.workload
        limit = min(WARM_UP_TOKENS, workload.max_tokens) if step.warm_up else workload.max_tokens
        base = GenerationOptions(sampling=self.sampling, max_depth=self.max_depth, max_tokens=limit)
        kind = "warm" if step.warm_up else "bench"
        prefix = f"{kind}/{step.condition.name}/{step.arm.name}/{step.wave}"
        return [
            _generate(f"{prefix}/{slot}", prompt, workload.raw, step.arm.apply(base))
            for slot, prompt in enumerate(step.prompts)
        ]

    def to_json(self) -> dict[str, object]:
        """What must be the same for a stopped benchmark to go on, and for two to be compared."""
        return {
            "workloads": {
                each.name: {
                    "title": each.title,
                    "prompts": each.digest,
                    "raw": each.raw,
                    "max_tokens": each.max_tokens,
                }
                for each in self.workloads
            },
            "conditions": {each.name: self.waves(each) for each in self.conditions()},
            "arms": [arm.name for arm in self.arms],
            "requests": self.requests,
            "warm_ups": self.warm_ups,
            "sampling": {
                name: getattr(self.sampling, name)
                for name in ("temperature", "top_k", "top_p", "min_p", "repeat_penalty", "seed")
            },
            "max_depth": self.max_depth,
        }


def _generate(request_id: str, prompt: Prompt, raw: bool, options: GenerationOptions) -> Generate:
    request = Generate(request_id, options=options)
    if raw:
        return replace(request, prompt=prompt.text)
    return replace(request, messages=(ChatMessage(Role.USER, prompt.text),))
