"""Drafting by lookup: what followed the last time the text read like this.

How much a match is worth is learned by its length, at each step, also where nothing was proposed:
what came shows what would have been right. Knows no model.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.depth_control import DepthControl
from app.engine.drafters import Outcome, Proposal
from app.engine.lookup import SuffixLookup
from app.engine.protocol import PieceSource
from app.engine.sampling import point
from app.engine.tracks import Track, common_prefix


class LookupOdds:
    """The chance that a looked-up token is right, by the length of the match before it."""

    # of matches that are learned about together, the shortest
    _BINS = (2, 3, 4, 6, 9, 16, 32)
    # A bin believes itself rather than the prior after about 10 observations, and forgets beyond
    # 50: how often a text repeats itself differs from text to text.
    _PRIOR_WEIGHT = 10.0
    _MOST_SEEN = 50.0

    def __init__(self) -> None:
        self._right = [0.0] * (len(self._BINS) + 1)
        self._seen = [0.0] * (len(self._BINS) + 1)

    def chance(self, match: int) -> float:
        """The chance after a match of this length.

        The prior is the rule of succession, for the tokens that agree beyond the first, which may
        do so by chance.
        """
        index = bisect_right(self._BINS, match)
        prior = (match - 1.0) / (match + 1.0)
        weight = self._PRIOR_WEIGHT
        return (weight * prior + self._right[index]) / (weight + self._seen[index])

    def observe(self, match: int, right: bool) -> None:
        """Learn from one token whose predecessors were right."""
        index = bisect_right(self._BINS, match)
        if self._seen[index] >= self._MOST_SEEN:
            keep = 1.0 - 1.0 / self._MOST_SEEN
            self._right[index] *= keep
            self._seen[index] *= keep
        self._right[index] += right
        self._seen[index] += 1.0


class Repetition:
    """How much more or less than usual one answer repeats itself: right tokens over expected."""

    _PRIOR = 1.0
    _MEMORY = 30.0

    def __init__(self) -> None:
        self._right = 0.0
        self._expected = 0.0

    def chance(self, usual: float) -> float:
        """The chance of a token here, given what it usually is."""
        factor = (self._PRIOR + self._right) / (self._PRIOR + self._expected)
        return usual * min(factor, 1.0)

    def observe(self, usual: float, right: bool) -> None:
        """Learn from one token whose predecessors were right."""
        keep = 1.0 - 1.0 / self._MEMORY
        self._right = self._right * keep + right
        self._expected = self._expected * keep + usual


@dataclass(slots=True)
class _Looked:
    """What a lookup found, after how many tokens of text, and the length of its match."""

    at: int = 0
    tokens: Sequence[int] = ()
    match: int = 0


class LookupDrafter:
    """Proposes what followed the longest recent repetition of the text's end; works with every
    target.
    """

    source = PieceSource.LOOKUP

    def __init__(self, depths: dict[int, DepthControl]) -> None:
        self.depths = depths
        self._odds = LookupOdds()
        self._index: dict[int, SuffixLookup] = {}
        self._looked: dict[int, _Looked] = {}
        self._repetition: dict[int, Repetition] = {}

    def begin(self, track: Track) -> None:
        """Index the prompt."""
        self._index[track.id] = SuffixLookup(track.tokens)
        self._looked[track.id] = _Looked()
        self._repetition[track.id] = Repetition()

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Nothing to evaluate."""
        return 0, 0.0

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """The continuation of the longest match, as far as it pays."""
        proposals = []
        for track in tracks:
            tokens, chances = self.look(track)
            keep = self.depths[track.id].keep(chances)
            proposals.append(self.proposal(track, tokens[:keep], chances[:keep]))
        return proposals

    def look(self, track: Track) -> tuple[list[int], list[float]]:
        """What may follow, and the chance of each token. Once per step."""
        index = self._index[track.id]
        index.extend(track.tokens[len(index.tokens) :])
        limit = self.depths[track.id].plan(track.room)
        tokens, match = index.propose(limit)
        self._looked[track.id] = _Looked(len(track.tokens), tokens, match)
        return tokens, self._chances(track, tokens, match)

    def hint(self, track: Track, ahead: Sequence[int], limit: int) -> tuple[list[int], list[float]]:
        """What may follow the track's tokens and `ahead`; after `look`."""
        tokens, match = self._index[track.id].propose(limit, ahead)
        return tokens, self._chances(track, tokens, match)

    def _chances(self, track: Track, tokens: Sequence[int], match: int) -> list[float]:
        here = self._repetition[track.id]
        return [here.chance(self._odds.chance(match + place)) for place in range(len(tokens))]

    def proposal(self, track: Track, tokens: list[int], chances: list[float]) -> Proposal:
        """A proposal of looked-up tokens."""
        proposal = Proposal(self.source, tokens, confidences=chances)
        if not track.sampler.greedy:
            proposal.drafted_from = [point(token) for token in tokens]
        return proposal

    def learn(self, track: Track) -> None:
        """Compare what was looked up with what came. Once per step."""
        looked = self._looked[track.id]
        came = track.tokens[looked.at : looked.at + len(looked.tokens)]
        right = common_prefix(looked.tokens, came)
        for place in range(min(right + 1, len(came))):
            match, agrees = looked.match + place, place < right
            self._repetition[track.id].observe(self._odds.chance(match), agrees)
            self._odds.observe(match, agrees)

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Learn, and tell depth control."""
        self.learn(track)
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
        self._looked.pop(track.id, None)
        self._repetition.pop(track.id, None)
