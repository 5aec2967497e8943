"""Lookup and draft model in turn, for each step the one that promises more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.engine.drafters import Outcome, Proposal
from app.engine.lookup_drafter import LookupDrafter
from app.engine.model_drafter import ModelDrafter
from app.engine.protocol import PieceSource
from app.engine.tracks import Track

# A match this long is looked up before the draft model is asked.
_CHAIN_MATCH = 4


class ChainDrafter:
    """Lookup first when its match is long, else the draft model, else a shorter lookup."""

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
        """Ask the lookup for each track, and the draft model for the rest in one batch."""
        looked = {track.id: self._lookup.look(track) for track in tracks}
        rest = [track for track in tracks if looked[track.id][1] < _CHAIN_MATCH]
        proposals = {track_id: proposal for track_id, (proposal, _) in looked.items()}
        if rest:
            for track, proposal in zip(rest, self._model.propose(rest), strict=True):
                if proposal.passes or not proposals[track.id].tokens:
                    proposals[track.id] = proposal
        return [proposals[track.id] for track in tracks]

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Tell the one that proposed;

        the draft model's control also learns from steps without a proposal.
        """
        if proposal.source is PieceSource.LOOKUP and proposal.tokens:
            self._lookup.settle(track, proposal, outcome)
        else:
            self._model.settle(track, proposal, outcome)

    def end(self, track: Track) -> None:
        """End both."""
        for drafter in self._both():
            drafter.end(track)
