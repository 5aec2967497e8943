"""What the step loop asks of depth control, and the control that is the user's own number.

Imports nothing of app.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol


class DepthReason(Enum):
    """Why the depth is what it is."""

    LOOKING = "looking"  # the answer has just begun
    MEASURING = "measuring"  # what a plain step costs is not known yet
    PAYS = "pays"
    LOSES = "loses"
    PROBING = "probing"  # it lost so far; one step to see whether it still does
    NO_ROOM = "no_room"  # budget or context ends here
    FIXED = "fixed"  # the user's choice


class DepthControl(Protocol):
    """What the step loop asks for each step of one sequence, in this order."""

    @property
    def reason(self) -> DepthReason:
        """Why the depth is what it is now."""

    @property
    def uses_confidence(self) -> bool:
        """Whether confidences are looked at; if not, they need not be computed."""

    def begin_answer(self) -> None:
        """A new answer starts."""

    def plan(self, room: int) -> int:
        """The most this step may draft, within `room` (budget and context); 0 for a plain step."""

    def wants_more(self, confidences: Sequence[float]) -> bool:
        """Whether to draft another token, given those of this step's tokens so far."""

    def keep(self, confidences: Sequence[float]) -> int:
        """How many of the drafted tokens are worth verifying. Once per step."""

    def observe(  # noqa: PLR0913 - all of it is measured in one step
        self,
        drafted_confidences: Sequence[float],
        accepted: int,
        *,
        verify_rows: int,
        verify_seconds: float,
        draft_seconds: float,
        draft_passes: int,
        emitted: int,
        step_seconds: float,
    ) -> None:
        """Learn from a finished step.

        `verify_rows` and `verify_seconds` are of the whole batch. `draft_passes` 0 says that the
        draft's time is not typical, as after a long catch-up.
        """


class FixedDepth:
    """The user's own depth: always that many, never fewer for doubt."""

    uses_confidence = False

    def __init__(self, depth: int) -> None:
        self._depth = max(depth, 0)
        self._limit = self._depth

    @property
    def reason(self) -> DepthReason:
        """FIXED, or NO_ROOM where the step had to be shorter."""
        return DepthReason.FIXED if self._limit == self._depth else DepthReason.NO_ROOM

    def begin_answer(self) -> None:
        """Nothing to forget."""

    def plan(self, room: int) -> int:
        """The depth, or the room if that is less."""
        self._limit = max(min(self._depth, room), 0)
        return self._limit

    def wants_more(self, confidences: Sequence[float]) -> bool:
        """Until the depth is reached."""
        return len(confidences) < self._limit

    def keep(self, confidences: Sequence[float]) -> int:
        """All."""
        return len(confidences)

    def observe(
        self, drafted_confidences: Sequence[float], accepted: int, **measured: float
    ) -> None:
        """Nothing to learn."""
