"""Lookup and draft model together.

What the lookup finds is free. So for each step it is either verified at once, where that promises
more than drafting, or it is a hint to the draft model, which reads it in one pass and says where it
disagrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.engine.drafters import Outcome, Proposal
from app.engine.lookup_drafter import LookupDrafter
from app.engine.model_drafter import ModelDrafter
from app.engine.protocol import PieceSource
from app.engine.tracks import Track


class ChainDrafter:
    """For each step the drafter that promises more; the draft model's passes shortened by hints.

    What to do is decided by the past and by expectations alone, before any token is drawn: so
    sampled text keeps its distribution.
    """

    def __init__(self, lookup: LookupDrafter, model: ModelDrafter) -> None:
        self._lookup = lookup
        self._model = model

    def _both(self) -> Iterable[LookupDrafter | ModelDrafter]:
        return (self._lookup, self._model)

    def begin(self, track: Track) -> None:
        """Begin both."""
        for drafter in self._both():
            drafter.begin(track)

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Only the draft model has a prompt to read."""
        return self._model.prepare(track, limit)

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Choose for each track, and ask the draft model for the rest in one batch."""
        proposals: dict[int, Proposal] = {}
        rest: list[Track] = []
        limits: list[int] = []
        for track in tracks:
            tokens, chances = self._lookup.look(track)
            limit = self._model.plan(track)
            count = self._worth_more(track, chances, limit)
            if count:
                proposals[track.id] = self._lookup.proposal(track, tokens[:count], chances[:count])
            else:
                rest.append(track)
                limits.append(limit)
        drafted = self._model.draft(rest, limits, self._lookup)
        proposals.update((track.id, each) for track, each in zip(rest, drafted, strict=True))
        return [proposals[track.id] for track in tracks]

    def _worth_more(self, track: Track, chances: Sequence[float], limit: int) -> int:
        """How many looked-up tokens to verify at once; 0 where the draft model promises more."""
        depth = self._model.depths[track.id]
        count, gain = depth.worth(chances)
        if not count or not limit:
            return count
        return count if gain > self._model.promise(track, chances[: limit - 1]) else 0

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Tell the one that proposed; the draft model's control also learns from steps without a
        proposal.
        """
        if proposal.source is PieceSource.LOOKUP:
            self._lookup.settle(track, proposal, outcome)
        else:
            self._lookup.learn(track)
            self._model.settle(track, proposal, outcome)

    def end(self, track: Track) -> None:
        """End both."""
        for drafter in self._both():
            drafter.end(track)
