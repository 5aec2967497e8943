"""Drafting by lookup: what followed the last time the text read like this.

Knows no model.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.depth_control import DepthControl
from app.engine.drafters import Outcome, Proposal
from app.engine.lookup import SuffixLookup
from app.engine.protocol import PieceSource
from app.engine.sampling import point
from app.engine.tracks import Track

# Chance that a looked-up token is right by length of the match, before anything was observed.
_LOOKUP_SURE = 0.5


class LookupDrafter:
    """Proposes what followed the longest recent repetition of the text's end;

    works with every target.
    """

    source = PieceSource.LOOKUP

    def __init__(self, depths: dict[int, DepthControl]) -> None:
        self.depths = depths
        self._index: dict[int, SuffixLookup] = {}
        self._known: dict[int, int] = {}

    def begin(self, track: Track) -> None:
        """Index the prompt."""
        self._index[track.id] = SuffixLookup(track.tokens)
        self._known[track.id] = len(track.tokens)

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Nothing to evaluate."""
        return 0, 0.0

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """The continuation of the longest match, as far as it pays."""
        return [self.look(track)[0] for track in tracks]

    def look(self, track: Track, *, shortest: int = 0) -> tuple[Proposal, int]:
        """A proposal and the length of its match;

        empty when the match is shorter than `shortest`.
        """
        index = self._index[track.id]
        index.extend(track.tokens[self._known[track.id] :])
        self._known[track.id] = len(track.tokens)
        depth = self.depths[track.id]
        limit = depth.plan(track.room) if track.room else 0
        if not limit:
            return Proposal(self.source), 0
        tokens, match = index.propose(limit)
        proposal = Proposal(self.source, confidences=[])
        sure = 1.0 - _LOOKUP_SURE ** (match - 1)
        for token in tokens[:limit]:
            if proposal.tokens and not depth.wants_more(proposal.confidences):
                break
            proposal.tokens.append(token)
            proposal.confidences.append(sure)
        keep = depth.keep(proposal.confidences)
        del proposal.tokens[keep:], proposal.confidences[keep:]
        if not track.sampler.greedy:
            proposal.drafted_from = [point(token) for token in proposal.tokens]
        return proposal, match if proposal.tokens else 0

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Tell depth control."""
        self.depths[track.id].observe(
            proposal.confidences,
            outcome.accepted,
            verify_rows=outcome.rows,
            verify_seconds=outcome.verify_seconds,
            draft_seconds=0.0,
            draft_passes=0,
            emitted=outcome.emitted,
            step_seconds=outcome.step_seconds,
        )

    def end(self, track: Track) -> None:
        """Drop the index."""
        self.depths.pop(track.id, None)
        self._index.pop(track.id, None)
        self._known.pop(track.id, None)
