"""What the step loop asks of depth control, and the control that is the user's own number.

Imports nothing of app.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import accumulate
from operator import mul
from typing import Protocol

# Where no costs are looked at: a hint worth reading, and how often a drafted token is right.
_LIKELY = 0.5
_USUAL_CHANCE = 0.8


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

    @property
    def could_pay(self) -> bool:
        """False where drafting would lose even if every token were accepted."""

    def begin_answer(self) -> None:
        """A new answer starts."""

    def plan(self, room: int, behind: int = 0) -> int:
        """The most this step may draft, within `room` (budget and context); 0 for a plain step.

        `behind` tokens must be read before the first can be drafted.
        """

    def wants_more(self, confidences: Sequence[float], passes: float = 1.0) -> bool:
        """Whether to draft another token, given those of this step's tokens so far.

        `passes` is what it takes; 0.0 for a token that is there already.
        """

    def pass_cost(self, rows: int) -> float:
        """What a draft pass over so many rows costs, in passes over one."""

    def hinted(self, chances: Sequence[float]) -> tuple[int, float]:
        """How many tokens of a hint to read along with a draft pass, by their chances to be what
        the draft says; and what the pass then costs, less those it is likely to save.
        """

    def promise(self, passes: float) -> float:
        """Tokens that drafting promises beyond a plain step, if the first takes so many passes."""

    def worth(self, chances: Sequence[float]) -> tuple[int, float]:
        """How many tokens of these chances to verify, and the gain over a plain step."""

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
        draft_passes: float,
        emitted: int,
        step_seconds: float,
    ) -> None:
        """Learn from a finished step.

        `verify_rows` and `verify_seconds` are of the whole batch. `draft_passes` are counted as
        passes over one row. `draft_seconds` 0 says that they were not typical, as after a long
        catch-up.
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

    @property
    def could_pay(self) -> bool:
        """The user wants it."""
        return True

    def begin_answer(self) -> None:
        """Nothing to forget."""

    def plan(self, room: int, behind: int = 0) -> int:
        """The depth, or the room if that is less."""
        self._limit = max(min(self._depth, room), 0)
        return self._limit

    def wants_more(self, confidences: Sequence[float], passes: float = 1.0) -> bool:
        """Until the depth is reached."""
        return len(confidences) < self._limit

    def pass_cost(self, rows: int) -> float:
        """Not looked at."""
        return 1.0

    def hinted(self, chances: Sequence[float]) -> tuple[int, float]:
        """All that is likely."""
        count = sum(survival >= _LIKELY for survival in accumulate(chances, mul))
        return count, 1.0

    def promise(self, passes: float) -> float:
        """As many tokens as are usually right."""
        return sum(_USUAL_CHANCE**depth for depth in range(1, self._limit + 1))

    def worth(self, chances: Sequence[float]) -> tuple[int, float]:
        """All."""
        return len(chances), sum(accumulate(chances, mul))

    def keep(self, confidences: Sequence[float]) -> int:
        """All."""
        return len(confidences)

    def observe(
        self, drafted_confidences: Sequence[float], accepted: int, **measured: float
    ) -> None:
        """Nothing to learn."""
