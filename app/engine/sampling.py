"""From logits to the next token: the target's distribution after its whole chain, without sorting
the vocabulary.

Order of the chain as in llama.cpp: penalties, top-k, top-p, min-p, temperature. Every cut keeps a
run of the tokens ordered by logit, so only the few above a threshold below the maximum need be
looked at; where that is not provably the same, the full row is used. Pure numpy; knows no model.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.protocol import SamplingOptions

Logits = NDArray[np.float32]

# Tokens that share a group when the highest are looked for.
_GROUP = 64
# Where top-p has no top-k before it: tokens further below the maximum are left out at first.
_FIRST_CUT = 5.0
# Tokens further below add too little to the confidence.
_CONFIDENCE_CUT = 8.0
# Softmax weights below this factor of the best one are under 1e-30: dropping them changes no draw.
_NEGLIGIBLE = 69.0


@dataclass(frozen=True, slots=True)
class Distribution:
    """Token ids with their probabilities, most likely first; ids not listed have probability 0.

    Attributes:
        ids: int64[n], distinct.
        probabilities: float64[n], descending, sum 1.
    """

    ids: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    def of(self, token: int) -> float:
        """Probability of a token."""
        place = np.flatnonzero(self.ids == token)
        return float(self.probabilities[place[0]]) if place.size else 0.0

    @property
    def top(self) -> float:
        """Probability of the most likely token."""
        return float(self.probabilities[0])

    def draw(self, uniform: float) -> int:
        """The token at a uniform number in [0, 1)."""
        if self.ids.size == 1:
            return int(self.ids[0])
        place = int(np.searchsorted(np.cumsum(self.probabilities), uniform, side="right"))
        return int(self.ids[min(place, self.ids.size - 1)])


def residual(p: Distribution, q: Distribution) -> Distribution:
    """norm(max(p - q, 0)): what the target still owes after refusing a token drawn from q.

    Falls back to p where nothing is left, which happens only by rounding (p equal to q is never
    refused otherwise).
    """
    order = np.argsort(q.ids)
    place = np.searchsorted(q.ids, p.ids, sorter=order)
    place[place == q.ids.size] = 0
    at = order[place]
    q_of_p = np.where(q.ids[at] == p.ids, q.probabilities[at], 0.0)
    left = np.maximum(p.probabilities - q_of_p, 0.0)
    total = float(left.sum())
    if total <= 0.0:
        return p
    keep = np.flatnonzero(left)
    keep = keep[np.argsort(-left[keep], kind="stable")]
    return Distribution(p.ids[keep], left[keep] / total)


def point(token: int) -> Distribution:
    """All probability on one token: what a lookup proposes."""
    return Distribution(np.array([token], dtype=np.int64), np.ones(1))


class Sampler:
    """One answer's sampling: options, random numbers, and how penalties see the text so far.

    Attributes:
        greedy: temperature 0: the best token, no randomness.
    """

    def __init__(self, options: SamplingOptions) -> None:
        self.options = options
        self.greedy = options.temperature <= 0.0
        self._random = np.random.Generator(np.random.PCG64(options.seed))
        self._mask: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self._penalises = options.penalty_last_n != 0 and (
            options.repeat_penalty != 1.0
            or options.frequency_penalty != 0.0
            or options.presence_penalty != 0.0
        )

    def uniform(self) -> float:
        """The next random number in [0, 1)."""
        return float(self._random.random())

    def best(self, logits: Logits, tokens: Sequence[int], ahead: Sequence[int] = ()) -> int:
        """The most likely token after penalties; `ahead` are proposed, following `tokens`."""
        if self._penalises:
            logits = self._penalise(logits, tokens, ahead)
        return int(logits.argmax())

    def confidence(self, logits: Logits) -> float:
        """Softmax probability of the best token; its far tail is left out (error under 1 %).

        Predicts the acceptance of a greedy draft. A calibrated map follows, so the last digits do
        not matter.
        """
        best = float(logits.max())
        near = logits[self._above(logits, best - _CONFIDENCE_CUT)]
        return float(1.0 / np.exp(near - np.float32(best)).sum())

    def distribution(
        self, logits: Logits, tokens: Sequence[int], ahead: Sequence[int] = ()
    ) -> Distribution:
        """The distribution the next token is drawn from, after the whole chain."""
        if self._penalises:
            logits = self._penalise(logits, tokens, ahead)
        if self.greedy:
            return point(int(logits.argmax()))
        ids, values, whole = self._candidates(logits)
        return self._cut(ids, values, whole)

    def _candidates(self, logits: Logits) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
        """The tokens that can survive the cuts, best first, and the softmax weight of all tokens
        that top-p counts.

        Weights are relative to the best token's.
        """
        options = self.options
        top_k = options.top_k if 0 < options.top_k < logits.size else 0
        if top_k:
            ids = self._highest(logits, top_k)
            best = float(logits[ids].max())
            return self._sorted(logits, ids, best)
        best = float(logits.max())
        if options.top_p < 1.0:
            return self._candidates_by_mass(logits, best)
        if options.min_p > 0.0:
            ids = self._above(logits, best + math.log(options.min_p))
        else:
            ids = self._above(logits, best - _NEGLIGIBLE * max(1.0, options.temperature))
        return self._sorted(logits, ids, best)

    def _sorted(
        self, logits: Logits, ids: NDArray[np.int64], best: float
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
        values = logits[ids].astype(np.float64) - best
        order = np.argsort(-values, kind="stable")
        values = values[order]
        return ids[order], values, float(np.exp(values).sum())

    def _above(self, logits: Logits, least: float) -> NDArray[np.int64]:
        """Ids of the logits from `least` up, found in a buffer that is kept: a new one for each row
        would cost more in page faults than the comparison itself."""
        if self._mask.size != logits.size:
            self._mask = np.empty(logits.size, dtype=np.bool_)
        np.greater_equal(logits, np.float32(least), out=self._mask)
        return np.flatnonzero(self._mask)

    def _highest(self, logits: Logits, count: int) -> NDArray[np.int64]:
        """Ids of the `count` highest logits, in any order.

        The row is folded into groups (every n-th token). At least `count` tokens reach the maximum
        of the group that is `count`-th among the groups, so only groups with such a maximum can
        hold one of the highest: one pass over the row, then a look at a few thousand tokens.
        """
        groups = logits.size // _GROUP
        if groups < 2 * count:
            return np.argpartition(logits, logits.size - count)[-count:]
        folded = logits[: groups * _GROUP].reshape(_GROUP, groups)
        tops = folded.max(axis=0)
        least = np.partition(tops, groups - count)[groups - count]
        chosen = np.flatnonzero(tops >= least)
        places, columns = np.nonzero(folded[:, chosen] >= least)
        ids = places * groups + chosen[columns]
        rest = logits[groups * _GROUP :]
        if rest.size:
            ids = np.concatenate([ids, np.flatnonzero(rest >= least) + groups * _GROUP])
        if ids.size > count:
            ids = ids[np.argpartition(logits[ids], ids.size - count)[-count:]]
        return ids

    def _candidates_by_mass(
        self, logits: Logits, best: float
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
        """top-p without top-k: the normaliser runs over the whole vocabulary, the candidates must
        hold top-p of it.
        """
        whole = float(np.exp(logits - np.float32(best), dtype=np.float32).sum(dtype=np.float64))
        cut = _FIRST_CUT
        while True:
            ids = self._above(logits, best - cut)
            values = logits[ids].astype(np.float64) - best
            if ids.size == logits.size or float(np.exp(values).sum()) >= self.options.top_p * whole:
                break
            cut *= 2.0
        order = np.argsort(-values, kind="stable")
        return ids[order], values[order], whole

    def _cut(
        self, ids: NDArray[np.int64], values: NDArray[np.float64], whole: float
    ) -> Distribution:
        """top-p, min-p and temperature on sorted candidates; `values` are logits below the best
        one's.
        """
        options = self.options
        keep = values.size
        if options.top_p < 1.0:
            mass = np.cumsum(np.exp(values))
            keep = int(np.searchsorted(mass, options.top_p * whole, side="left")) + 1
        if options.min_p > 0.0:
            keep = min(keep, int(np.searchsorted(-values, -math.log(options.min_p), side="right")))
        keep = max(1, min(keep, values.size))
        weights = np.exp(values[:keep] / options.temperature)
        return Distribution(ids[:keep], weights / weights.sum())

    def _penalise(self, logits: Logits, tokens: Sequence[int], ahead: Sequence[int]) -> Logits:
        """A copy of the row with repetition, frequency and presence penalties applied."""
        options = self.options
        last = options.penalty_last_n
        window = [*tokens, *ahead] if last < 0 else [*tokens[-last:], *ahead][-last:]
        counts = Counter(token for token in window if token < logits.size)
        changed = logits.copy()
        if not counts:
            return changed
        ids = np.fromiter(counts, dtype=np.int64, count=len(counts))
        times: NDArray[Any] = np.fromiter(counts.values(), dtype=np.float32, count=len(counts))
        values = changed[ids]
        values = np.where(
            values > 0, values / options.repeat_penalty, values * options.repeat_penalty
        )
        changed[ids] = values - times * options.frequency_penalty - options.presence_penalty
        return changed
