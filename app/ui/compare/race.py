"""Replays recorded answers at their own pace. No Qt here.

A moment is text that appeared some seconds after the question was sent, by the engine's clock.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class MomentLike(Protocol):
    """As `app.measure.answered.Moment` has it."""

    @property
    def seconds(self) -> float: ...
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Place:
    """How far a runner has come.

    Attributes:
        text: what appeared since the last look.
        share: of all tokens, 0 to 1.
        finished_seconds: when the last token came; None while it is not there yet.
    """

    text: str
    tokens: int
    share: float
    finished_seconds: float | None


class Runner:
    """One recorded answer in a race."""

    def __init__(self, moments: Sequence[MomentLike]) -> None:
        self._moments = sorted(moments, key=lambda moment: moment.seconds)
        self._times = [moment.seconds for moment in self._moments]
        self._all = sum(moment.tokens for moment in self._moments)
        self._seen = 0
        self._tokens = 0

    @property
    def end_seconds(self) -> float:
        """When its last text came."""
        return self._times[-1] if self._times else 0.0

    def at(self, seconds: float) -> Place:
        """What appeared up to a moment; time only goes on."""
        upto = max(self._seen, bisect_right(self._times, seconds))
        fresh = self._moments[self._seen : upto]
        self._seen = upto
        self._tokens += sum(moment.tokens for moment in fresh)
        share = self._tokens / self._all if self._all else 1.0
        done = self._seen == len(self._moments)
        text = "".join(moment.text for moment in fresh)
        return Place(text, self._tokens, share, self.end_seconds if done else None)
