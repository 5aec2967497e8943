"""What a draft's own confidence is worth, learned from what the target did with its guesses.

`Calibration` is the long memory, one per pair and kind of drafter, saved with the profile.
`Outlook` is the short memory of one answer: how sure the next drafted token is likely to be, before
it has been drafted. Imports nothing of app.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import IntEnum

CONFIDENCE_EDGES = (0.3, 0.5, 0.7, 0.85, 0.95, 0.99)
BINS = len(CONFIDENCE_EDGES) + 1

Counts = tuple[tuple[float, float], ...]


class Calibration:
    """A map from confidence to the chance of acceptance, in a few bins, learned online.

    A bin with few observations leans on the prior `1 - (1 - confidence) ** exponent`. The exponent
    is above 1 for a model's draft: two models agree on the best token more often than one of them
    is sure of it (on recorded traces 1.3 predicts best).
    """

    # A bin believes itself rather than the prior after about 30 observations, and forgets beyond
    # 200, so that another kind of text is learned within an answer or two.
    _PRIOR_WEIGHT = 30.0
    _MOST_SEEN = 200.0

    def __init__(self, counts: Counts = (), *, exponent: float = 1.3) -> None:
        usable = len(counts) == BINS
        self._accepted = [accepted for accepted, _ in counts] if usable else [0.0] * BINS
        self._seen = [seen for _, seen in counts] if usable else [0.0] * BINS
        self._exponent = exponent

    def chance(self, confidence: float) -> float:
        """Chance of acceptance for a token of this confidence whose predecessors are accepted."""
        confidence = min(max(confidence, 0.0), 1.0)
        index = bisect_right(CONFIDENCE_EDGES, confidence)
        prior: float = 1.0 - (1.0 - confidence) ** self._exponent
        weight = self._PRIOR_WEIGHT
        return (weight * prior + self._accepted[index]) / (weight + self._seen[index])

    def observe(self, confidence: float, accepted: bool) -> None:
        """Learn from one verified token whose predecessors were accepted."""
        index = bisect_right(CONFIDENCE_EDGES, min(max(confidence, 0.0), 1.0))
        if self._seen[index] >= self._MOST_SEEN:
            keep = 1.0 - 1.0 / self._MOST_SEEN
            self._accepted[index] *= keep
            self._seen[index] *= keep
        self._accepted[index] += accepted
        self._seen[index] += 1.0

    @property
    def counts(self) -> Counts:
        """(accepted, seen) for each bin, to be saved."""
        return tuple(zip(self._accepted, self._seen, strict=True))


class AsSaid(Calibration):
    """For confidences that are chances already."""

    def chance(self, confidence: float) -> float:
        """The confidence."""
        return confidence

    def observe(self, confidence: float, accepted: bool) -> None:
        """Nothing to learn."""


class Last(IntEnum):
    """What came before the next drafted token."""

    DOUBTFUL = 0
    SURE = 1
    START = 2


class Outlook:
    """How sure tokens not yet drafted are likely to be: a chain of sure and doubtful ones.

    The chain is what tells boilerplate, where sure follows sure, from prose. All are running means
    over about 30 drafted tokens, starting from what is usual.

    Attributes:
        sure_share: chance that the next token is sure, by `Last`.
        mean_chance: mean chance of acceptance of a doubtful and of a sure token.
    """

    SURE_FROM = 0.97
    _MEMORY = 30.0
    _PRIOR_WEIGHT = 6.0
    _USUAL_SHARE = (0.45, 0.75, 0.6)
    _USUAL_CHANCE = (0.6, 0.99)

    def __init__(self) -> None:
        self.sure_share = list(self._USUAL_SHARE)
        self.mean_chance = list(self._USUAL_CHANCE)
        self._share_weights = [self._PRIOR_WEIGHT] * len(self.sure_share)
        self._chance_weights = [self._PRIOR_WEIGHT] * len(self.mean_chance)

    def kind(self, chance: float) -> Last:
        """Whether a token with this chance of acceptance counts as sure."""
        return Last.SURE if chance >= self.SURE_FROM else Last.DOUBTFUL

    def observe(self, chances: Sequence[float]) -> None:
        """Learn from the calibrated chances of one step, up to and including the first rejected."""
        last = Last.START
        for chance in chances:
            kind = self.kind(chance)
            self._lean(self.sure_share, self._share_weights, last, float(kind))
            self._lean(self.mean_chance, self._chance_weights, kind, chance)
            last = kind

    def survival(self, depth: int) -> list[float]:
        """Chance that the first j = 1..depth tokens are all accepted, before any is drafted."""
        sure = self.sure_share[Last.START]
        now = (1.0 - sure, sure)
        chances = []
        for _ in range(depth):
            doubtful, certain = now[0] * self.mean_chance[0], now[1] * self.mean_chance[1]
            chances.append(doubtful + certain)
            share = doubtful * self.sure_share[0] + certain * self.sure_share[1]
            now = (doubtful + certain - share, share)
        return chances

    def _lean(self, means: list[float], weights: list[float], index: int, value: float) -> None:
        weights[index] = min(weights[index] + 1.0, self._MEMORY)
        means[index] += (value - means[index]) / weights[index]
