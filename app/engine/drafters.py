"""What proposes tokens, all behind one Protocol, and the drafter that proposes nothing.

The others are model_drafter.py, lookup_drafter.py, and chain_drafter.py for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.engine.protocol import PieceSource
from app.engine.sampling import Distribution
from app.engine.tracks import Track


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verification said about a track's proposal, for depth control.

    Seconds are of the whole batch.
    """

    accepted: int
    emitted: int
    rows: int
    verify_seconds: float
    step_seconds: float


@dataclass(slots=True)
class Proposal:
    """Tokens for the target to check.

    Attributes:
        tokens: at most the room asked for; empty is plain decoding.
        drafted_from: the distribution each was drawn from; None when greedy.
        confidences: what depth control learns acceptance from, one for each token.
        seconds: inside the draft model, for all tracks of the batch together.
        passes: draft passes made.
        cost: the same in passes over one token, as far as their rows were this track's.
        read: how many of the tokens the draft's memory holds.
        caught_up: the draft had fallen far behind, so that its time is not typical.
    """

    source: PieceSource = PieceSource.TARGET
    tokens: list[int] = field(default_factory=list)
    drafted_from: list[Distribution] | None = None
    confidences: list[float] = field(default_factory=list)
    seconds: float = 0.0
    passes: int = 0
    cost: float = 0.0
    read: int = 0
    caught_up: bool = False


class Drafter(Protocol):
    """Proposes tokens for one or several tracks at once."""

    def begin(self, track: Track) -> None:
        """A new answer starts; the track holds its prompt."""

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Evaluate at most `limit` prompt tokens ahead of the answer; returns tokens done (0: all
        is ready) and seconds.
        """

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """A proposal for each track, within its room."""

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """The step is over and the track's tokens are committed."""

    def end(self, track: Track) -> None:
        """The answer is over."""


class Hints(Protocol):
    """Who may know what comes next."""

    def hint(self, track: Track, ahead: Sequence[int], limit: int) -> tuple[list[int], list[float]]:
        """At most `limit` tokens expected after the track's and `ahead`, and the chance of each,
        given those before it.
        """


class NoHints:
    """Nobody knows."""

    def hint(self, track: Track, ahead: Sequence[int], limit: int) -> tuple[list[int], list[float]]:
        """Nothing."""
        return [], []


class NoDrafter:
    """Plain decoding."""

    def begin(self, track: Track) -> None:
        """Nothing to prepare."""

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Nothing to prepare."""
        return 0, 0.0

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Empty proposals."""
        return [Proposal() for _ in tracks]

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Nothing to learn."""

    def end(self, track: Track) -> None:
        """Nothing to forget."""
