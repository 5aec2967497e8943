"""Models that replay a recorded answer at the prices of a table, so that the real step loop and the
real drafters run on it. Without a clock: a pass adds its seconds to `Watch`.

Tokens are numbered anew, so that a row of logits is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.tracks import Row
from tests.bench.depth_traces import Costs, Noise

# The logits of tokens that count for nothing, and the confidence of a draft off the record.
_NOTHING = -30.0
_UNKNOWN = 0.6
_LATELY = 8


@dataclass
class Watch:
    """Seconds so far: as told to the engine, noise included, and true ones."""

    told: float = 0.0
    true: float = 0.0

    def __call__(self) -> float:
        return self.told


@dataclass(frozen=True)
class Answer:
    """A recorded answer in its own small vocabulary.

    Attributes:
        prompt: stands for the prompt, which was not recorded.
        tokens: what the target says.
        drafts: what the draft says after tokens[: n + 1], and its probability.
    """

    prompt: int
    n_vocab: int
    tokens: tuple[int, ...]
    drafts: tuple[tuple[int, float], ...]

    @staticmethod
    def of(target: Sequence[int], draft: Sequence[tuple[int, float]]) -> Answer:
        """From one trace: the answer, and what the draft said at each place."""
        numbers: dict[int, int] = {}
        for token in (*target, *(token for token, _ in draft)):
            numbers.setdefault(token, len(numbers))
        tokens = tuple(numbers[token] for token in target)
        drafts = tuple((numbers[token], probability) for token, probability in draft)
        return Answer(len(numbers), len(numbers) + 1, tokens, drafts)

    def shifted(self, by: int, n_vocab: int) -> Answer:
        """The same with other numbers."""
        drafts = tuple((token + by, probability) for token, probability in self.drafts)
        return Answer(n_vocab - 1, n_vocab, tuple(t + by for t in self.tokens), drafts)

    def then(self, other: Answer) -> Answer:
        """Both, one after the other, without a token in common."""
        n_vocab = self.n_vocab + other.n_vocab
        first, second = self.shifted(0, n_vocab), other.shifted(self.n_vocab, n_vocab)
        # nothing was recorded across the seam: as if the draft did not know
        seam = (n_vocab - 1, _UNKNOWN)
        return Answer(
            first.prompt,
            n_vocab,
            first.tokens + second.tokens,
            (*first.drafts, seam, *second.drafts),
        )


class _Replay:
    """Memory and time of a model; what it says is up to the child."""

    def __init__(self, answer: Answer, watch: Watch, noise: Noise) -> None:
        self._answer = answer
        self._watch = watch
        self._noise = noise
        self.n_vocab = answer.n_vocab
        self.n_batch = 512
        self.max_outputs = 64
        self.passes = 0
        self._held: list[int] = []
        self._logits: list[NDArray[np.float32] | None] = []
        self._right = 0  # tokens held that are prompt and answer as recorded

    def decode(self, rows: Sequence[Row]) -> float:
        self._logits = []
        for token, position, _, wanted in rows:
            assert position == len(self._held)
            text = (self._answer.prompt, *self._answer.tokens)
            if self._right == position and position < len(text) and text[position] == token:
                self._right += 1
            self._held.append(token)
            self._logits.append(self._says() if wanted else None)
        self.passes += 1
        true = self._price(rows)
        told = true * self._noise()
        self._watch.true += true
        self._watch.told += told
        return told

    def logits(self, row: int) -> NDArray[np.float32]:
        found = self._logits[row]
        assert found is not None
        return found

    def remove_tail(self, sequence: int, start: int) -> bool:
        del self._held[start:]
        self._right = min(self._right, start)
        return True

    def first_position(self, sequence: int) -> int:
        return 0 if self._held else -1

    def _price(self, rows: Sequence[Row]) -> float:
        raise NotImplementedError

    def _says(self) -> NDArray[np.float32]:
        raise NotImplementedError

    def _peaked(self, token: int, probability: float) -> NDArray[np.float32]:
        """Logits whose best token has a probability; the rest is shared by as few as can be."""
        row = np.full(self.n_vocab, _NOTHING, dtype=np.float32)
        row[token] = 0.0
        rest = (1.0 - probability) / probability
        if rest > 0.0:
            sharers = int(rest * 1.01) + 1
            others = (np.arange(1, sharers + 1) + token) % self.n_vocab
            row[others] = np.log(rest / sharers)
        return row


class TraceTarget(_Replay):
    """Says what was recorded, as long as it has read what was recorded."""

    def __init__(
        self, answer: Answer, costs: Costs, watch: Watch, noise: Noise = lambda: 1.0
    ) -> None:
        super().__init__(answer, watch, noise)
        self._costs = costs

    def _says(self) -> NDArray[np.float32]:
        on_record = self._right == len(self._held) and self._right <= len(self._answer.tokens)
        return self._peaked(self._answer.tokens[self._right - 1] if on_record else 0, 0.99)

    def _price(self, rows: Sequence[Row]) -> float:
        return verify_seconds(self._costs, len(rows))


class TraceDraft(_Replay):
    """Says what the draft said.

    A pass over one row costs c_d, with the row that usually rides along: so it was measured. More
    rows cost what the target's rows cost, in proportion.
    """

    def __init__(
        self, answer: Answer, costs: Costs, watch: Watch, noise: Noise = lambda: 1.0
    ) -> None:
        super().__init__(answer, watch, noise)
        self._costs = costs

    def _says(self) -> NDArray[np.float32]:
        """What was recorded; off the record as sure as it was of late, and wrong."""
        drafts = self._answer.drafts
        place = self._right - 2  # it has read the prompt and tokens[: place + 1]
        if self._right == len(self._held) and 0 <= place < len(drafts):
            return self._peaked(*drafts[place])
        lately = [probability for _, probability in drafts[max(place - _LATELY, 0) : place + 1]]
        mean = sum(lately) / len(lately) if lately else _UNKNOWN
        return self._peaked(self._answer.prompt, mean)

    def _price(self, rows: Sequence[Row]) -> float:
        costs = self._costs
        riding = sum(not wanted for *_, wanted in rows)
        counted = len(rows) - min(riding, 1)
        return costs.draft * verify_seconds(costs, counted) / costs.verify[1]


def verify_seconds(costs: Costs, rows: int) -> float:
    """c_v; beyond the table a row costs half of what its rows cost on average, as in a prompt."""
    most = max(costs.verify)
    if rows <= most:
        return costs.verify[rows]
    each = (costs.verify[most] - costs.verify[1]) / (most - 1)
    return costs.verify[most] + (rows - most) * each / 2
