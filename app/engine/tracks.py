"""One sequence being decoded, and what a model must offer for it.

Shared by decoding, drafters and llama; imports no model library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from app.engine.drafters import Drafter
    from app.engine.sampling import Sampler

Row = tuple[int, int, int, bool]  # token, position, sequence, wants logits


class TokenModel(Protocol):
    """A model's memory for n sequences and the passes over it; `llama.Context` and the scripted
    models of the tests.
    """

    n_vocab: int
    n_batch: int
    max_outputs: int

    def decode(self, rows: Sequence[Row]) -> float:
        """Run one batch; returns seconds inside the model."""

    def logits(self, row: int) -> NDArray[np.float32]:
        """Logits of a row of the newest batch, float32[n_vocab]; valid until the next decode."""

    def remove_tail(self, sequence: int, start: int) -> bool:
        """Forget positions `start` and later; False when this memory cannot."""

    def first_position(self, sequence: int) -> int:
        """Smallest position still in memory, -1 when empty."""


@dataclass(slots=True, eq=False)
class Track:
    """One sequence being decoded.

    Attributes:
        id: its number in the models' memories.
        tokens: all committed tokens, prompt and answer.
        n_ctx: positions it may use.
        budget: tokens it may still emit.
        in_memory: the target's memory holds tokens[:in_memory].
        match_by_draw: verify sampled drafts by drawing from the target and comparing (for
            measurements).
    """

    id: int
    tokens: list[int]
    sampler: Sampler
    drafter: Drafter
    n_ctx: int
    budget: int
    in_memory: int = 0
    match_by_draw: bool = False

    @property
    def prompted(self) -> bool:
        """The prompt is in memory and its first answer token chosen, so the next step may draft."""
        return self.in_memory == len(self.tokens) - 1

    @property
    def full(self) -> bool:
        """No position is left for the last committed token."""
        return len(self.tokens) > self.n_ctx

    @property
    def room(self) -> int:
        """How many tokens may be drafted so that neither budget nor context is overrun."""
        return max(0, min(self.budget - 1, self.n_ctx - len(self.tokens)))


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """Length of the common prefix of two token lists."""
    limit = min(len(left), len(right))
    if left[:limit] == right[:limit]:
        return limit
    low, high = (
        0,
        limit,
    )  # bisection over slices compares in C; a Python loop over 100,000 tokens does not
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def rows_of(track: Track, start: int, stop: int, *, last: bool) -> list[Row]:
    """Rows for tokens[start:stop]; `last` asks for logits on the last of them."""
    return [
        (token, position, track.id, last and position == stop - 1)
        for position, token in enumerate(track.tokens[start:stop], start)
    ]
