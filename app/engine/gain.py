"""The worth of drafting on: expected tokens less what their time would have emitted otherwise.

Stopping after j drafted tokens and verifying the first k <= j of them is worth the chances A_1 +
... + A_k less rate x c_v(k + 1); each drafted token costs rate x c_d. The best way on is looked for
to the end, not one token far, since verification cost is a staircase on some hardware, and with the
right to stop at each token, since each confidence is news. Imports nothing but the short memory of
one answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

from app.engine.calibration import Last, Outlook


class Rate:
    """Tokens per second of the last two dozen steps of one answer.

    Never below plain decoding, which is always to be had. Drafters that serve one answer in turn
    should share one.
    """

    _MEMORY = 24.0
    _PRIOR_STEPS = 6.0

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin as if the last steps had been plain ones."""
        self._tokens = 0.0
        self._seconds = 0.0

    def observe(self, tokens: int, seconds: float) -> None:
        """Count a finished step."""
        keep = 1.0 - 1.0 / self._MEMORY
        self._tokens = self._tokens * keep + tokens
        self._seconds = self._seconds * keep + seconds

    def tokens_per_second(self, plain_seconds: float) -> float:
        """The rate now, given what a plain step takes."""
        tokens = self._tokens + self._PRIOR_STEPS
        return max(
            tokens / (self._seconds + self._PRIOR_STEPS * plain_seconds), 1.0 / plain_seconds
        )


class Ledger:
    """What drafting has cost this answer, in plain steps; it bounds what looking may lose."""

    # An answer of 128 tokens may lose about 2 of them to looking, a long one 1 in 100.
    _FREE = 0.5
    _SHARE = 0.01
    _SHARE_OF_READING = 0.02
    _MEMORY_TOKENS = 128.0

    def __init__(self) -> None:
        self._lost = 0.0
        self._spent = 0.0

    def observe(self, tokens: int, plain_steps: float) -> None:
        """Count a step that took as long as `plain_steps` plain ones."""
        keep = (1.0 - 1.0 / self._MEMORY_TOKENS) ** tokens
        self._lost = self._lost * keep + plain_steps - tokens
        self._spent = self._spent * keep + plain_steps

    def bears(self, plain_steps: float) -> bool:
        """Whether so much may be spent before a single look."""
        return plain_steps <= self._FREE + self._SHARE_OF_READING * self._spent

    @property
    def affordable(self) -> bool:
        """Whether a step that may lose is still within bounds."""
        return self._lost <= self._FREE + self._SHARE * self._spent


@dataclass(frozen=True, slots=True)
class Prices:
    """Costs in tokens: what the time would have emitted.

    Attributes:
        verify: price of verifying 0, 1, ... drafted tokens.
        draft: price of drafting one.
    """

    verify: Sequence[float]
    draft: float


def worth_keeping(chances: Sequence[float], prices: Prices) -> int:
    """How many of the drafted tokens are worth their verification."""
    best, best_value = 0, -prices.verify[0]
    survival, expected = 1.0, 0.0
    for count, chance in enumerate(chances, start=1):
        survival *= chance
        expected += survival
        if expected - prices.verify[count] > best_value:
            best, best_value = count, expected - prices.verify[count]
    return best


def best_gain(chances: Sequence[float], prices: Prices) -> tuple[int, float]:
    """How many tokens of these chances to verify, and what that wins over a plain step."""
    count = worth_keeping(chances, prices)
    expected = sum(accumulate(chances[:count], mul))
    return count, expected - prices.verify[count] + prices.verify[0]


def best_hint(chances: Sequence[float], costs: Sequence[float]) -> tuple[int, float]:
    """How many tokens of a hint to let ride along with a draft pass.

    Args:
        chances: of each, that the draft says the same, given those before it.
        costs: of a pass over 1, 2, ... rows, in passes over one.

    Returns:
        That number, and the cost of the pass less the passes it is likely to save.
    """
    saved, best, least = 0.0, 0, costs[0]
    for count, survival in enumerate(accumulate(chances, mul), start=1):
        saved += survival
        if costs[count] - saved < least:
            best, least = count, costs[count] - saved
    return best, least


def gain_ahead(chances: Sequence[float], outlook: Outlook, prices: Prices, limit: int) -> float:
    """Tokens won by drafting on, over stopping now, after tokens of these chances."""
    survival, expected, best = 1.0, 0.0, -prices.verify[0]
    last = Last.START
    for count, chance in enumerate(chances, start=1):
        survival *= chance
        expected += survival
        best = max(best, expected - prices.verify[count])
        last = outlook.kind(chance)
    ahead = _Ahead(outlook, prices, limit)
    return ahead.value(len(chances), (survival, expected, best), last, may_doubt=True) - best


@dataclass(frozen=True, slots=True)
class _Ahead:
    """The tree of what may come; small, as a second doubtful token is taken as the end."""

    outlook: Outlook
    prices: Prices
    limit: int

    def value(
        self, drafted: int, state: tuple[float, float, float], last: Last, *, may_doubt: bool
    ) -> float:
        """Value of drafting one more and then going on as seems best.

        `state` is the chance that all so far are accepted, the expected tokens, and the value of
        the best place to stop so far.
        """
        survival, expected, best = state
        drafted += 1
        verify = self.prices.verify[drafted]
        sure = self.outlook.sure_share[last]
        value = -self.prices.draft
        for kind, share in ((Last.SURE, sure), (Last.DOUBTFUL, 1.0 - sure)):
            now = survival * self.outlook.mean_chance[kind]
            stop = max(best, expected + now - verify)
            if drafted < self.limit and (may_doubt or kind is Last.SURE):
                may = may_doubt and kind is Last.SURE
                on = self.value(drafted, (now, expected + now, stop), kind, may_doubt=may)
                stop = max(stop, on)
            value += share * stop
        return value


def best_depth(outlook: Outlook, prices: Prices, limit: int) -> tuple[int, list[float]]:
    """The fixed depth with the most tokens for its time, and that figure for each depth from 0."""
    expected, yields = 1.0, [1.0 / prices.verify[0]]
    for depth, chance in enumerate(outlook.survival(limit), start=1):
        expected += chance
        yields.append(expected / (prices.verify[depth] + depth * prices.draft))
    return max(range(len(yields)), key=yields.__getitem__), yields
