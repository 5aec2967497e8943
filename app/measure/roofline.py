"""Is this machine memory-bound? What checking n tokens at once costs, from which acceptance on
drafting pays, and which depth is best at a measured acceptance. Pure arithmetic over measured
times.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.protocol import Measured
from app.hub.header import Header

SPOKEN_DEPTH = 4  # checking four tokens and the bonus: what the sentence speaks of
BOUND_RATIO = 1.5


@dataclass(frozen=True, slots=True)
class Choice:
    """A depth and what it would bring over plain decoding; depth 0 is plain decoding."""

    depth: int
    speed_up: float


@dataclass(frozen=True, slots=True)
class Roofline:
    """Measured costs of a pair on this machine.

    Attributes:
        verify_seconds: of a target pass with 1, 2, ... rows.
        draft_seconds: of one drafted token; None without a draft model, then lookup drafts for
            nothing.
        pass_bytes: weights a plain pass reads; None when the file does not tell.
    """

    verify_seconds: tuple[float, ...]
    draft_seconds: float | None
    pass_bytes: int | None = None

    @classmethod
    def of(cls, measured: Measured, target: Header | None = None) -> Roofline:
        """From what the engine measured, and the target's header for the bandwidth."""
        bytes_read = bytes_per_pass(target) if target is not None else None
        return cls(measured.verify_seconds, measured.draft_seconds, bytes_read)

    @property
    def most_depth(self) -> int:
        """The deepest proposal that was timed."""
        return len(self.verify_seconds) - 1

    @property
    def bandwidth_bytes_per_second(self) -> float | None:
        """Weights read by a plain pass / its time: how fast memory really is for this model."""
        if self.pass_bytes is None or not self.verify_seconds:
            return None
        return self.pass_bytes / self.verify_seconds[0]

    @property
    def spoken(self) -> tuple[int, float]:
        """Rows that the verdict speaks of, and their cost in plain passes."""
        rows = min(SPOKEN_DEPTH + 1, len(self.verify_seconds))
        return rows, self.verify_seconds[rows - 1] / self.verify_seconds[0]

    @property
    def is_memory_bound(self) -> bool:
        """Whether more rows cost little, because reading the weights is most of a pass."""
        return self.spoken[1] < BOUND_RATIO

    def price(self, depth: int) -> float:
        """A step of this depth, in plain passes."""
        drafting = depth * (self.draft_seconds or 0.0)
        return (drafting + self.verify_seconds[depth]) / self.verify_seconds[0]

    def break_even(self) -> dict[int, float | None]:
        """For each depth the acceptance from which it is faster than plain decoding; None when none
        suffices.
        """
        return {
            depth: _least_acceptance(depth, self.price(depth))
            for depth in range(1, self.most_depth + 1)
        }

    def pays_from(self) -> tuple[int, float] | None:
        """The depth that pays at the lowest acceptance, and that acceptance; None if none does."""
        usable = [(least, depth) for depth, least in self.break_even().items() if least is not None]
        if not usable:
            return None
        least, depth = min(usable)
        return depth, least

    def best_depth(self, acceptance: float, most: int | None = None) -> Choice:
        """The depth with the highest speed at this acceptance of each drafted token."""
        limit = self.most_depth if most is None else min(most, self.most_depth)
        choices = [
            Choice(depth, expected_tokens(acceptance, depth) / self.price(depth))
            for depth in range(limit + 1)
        ]
        return max(choices, key=lambda choice: choice.speed_up)


def expected_tokens(acceptance: float, depth: int) -> float:
    """Tokens of a step: 1 + a + ... + a^depth, if each drafted token is accepted with chance a
    (Leviathan et al. 2023, section 3.1).
    """
    return sum(acceptance**power for power in range(depth + 1))


def _least_acceptance(depth: int, price: float) -> float | None:
    """The acceptance at which a step of this price earns it; by bisection."""
    if price >= depth + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if expected_tokens(middle, depth) < price:
            low = middle
        else:
            high = middle
    return high


def bytes_per_pass(header: Header) -> int | None:
    """Weights that a pass over one row reads: all but the embedding table, of which it reads one
    row, unless the output shares it; of experts, those that are used. None without the tensor list.
    """
    if not header.tensors:
        return None
    is_tied = not any(tensor.name == "output.weight" for tensor in header.tensors)
    total = 0
    for tensor in header.tensors:
        if tensor.name == "token_embd.weight" and not is_tied:
            continue
        used = tensor.used_bytes
        if "_exps." in tensor.name and header.expert_count:
            used = used * header.expert_used_count // header.expert_count
        total += used
    return total


def verdict(roofline: Roofline) -> str:
    """The plain sentence."""
    rows, ratio = roofline.spoken
    bound = "memory-bound" if roofline.is_memory_bound else "compute-bound"
    said = f"Checking {rows} tokens costs {ratio:.1f} × checking one here: {bound}."
    pays = roofline.pays_from()
    if pays is None:
        return (
            f"{said} No acceptance makes drafting pay with this pair; leave it off or use lookup."
        )
    depth, least = pays
    tokens = "1 token" if depth == 1 else f"{depth} tokens"
    return f"{said} Drafting {tokens} pays above {least:.0%} acceptance."
