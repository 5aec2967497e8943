"""Answers and what was measured around them. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.engine.protocol import FinishReason, Speculation
from app.engine.stats import GenerationStats
from app.measure.meters import Energy, PeakMemory


@dataclass(frozen=True, slots=True)
class Moment:
    """Text that appeared `seconds` after the Generate command, by the engine's clock."""

    seconds: float
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer and its numbers; text without reasoning, token ids with it.

    Attributes:
        speculation: what was in force at the end.
        moments: how it appeared, for a replay.
    """

    request_id: str
    text: str
    token_ids: tuple[int, ...]
    reason: FinishReason
    stats: GenerationStats
    speculation: Speculation
    moments: tuple[Moment, ...] = field(repr=False)

    @property
    def latency_seconds(self) -> float:
        """From the Generate command to the last token."""
        return self.stats.ttft_seconds + self.stats.generation_seconds


@dataclass(frozen=True, slots=True)
class Wave:
    """Requests that were sent together.

    Attributes:
        seconds: until the last of them had ended.
        energy: of all of them.
    """

    answers: tuple[Answered, ...]
    seconds: float
    energy: Energy
    peak: PeakMemory

    @property
    def tokens(self) -> int:
        """Of all answers together."""
        return sum(answer.stats.generated_tokens for answer in self.answers)
