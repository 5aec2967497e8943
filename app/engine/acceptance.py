"""Which drafted tokens stay, and which token follows them: the two rules that keep the target's own
distribution.

Greedy match for temperature 0; speculative sampling by rejection otherwise (Leviathan et al. 2023,
arXiv 2211.17192; Chen et al. 2023, arXiv 2302.01318). Draw-and-match, the rule of llama.cpp's own
server, is here for measurements. Pure functions of distributions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.engine.sampling import Distribution, residual


@dataclass(frozen=True, slots=True)
class Accepted:
    """The first `count` proposed tokens stay; `following` is the target's own token after them."""

    count: int
    following: int


def greedy_match(proposal: Sequence[int], best: Callable[[int], int]) -> Accepted:
    """Accept while the target's best token equals the draft.

    Args:
        proposal: drafted tokens.
        best: the target's best token in row j, which follows the first j proposed tokens; called in
            order, no further than needed.
    """
    for position, token in enumerate(proposal):
        wanted = best(position)
        if wanted != token:
            return Accepted(position, wanted)
    return Accepted(len(proposal), best(len(proposal)))


def rejection_sampling(
    proposal: Sequence[int],
    drafted_from: Sequence[Distribution],
    target: Callable[[int], Distribution],
    uniform: Callable[[], float],
) -> Accepted:
    """Accept token x with probability min(1, p(x) / q(x)); after a refusal draw from norm(max(p -
    q, 0)).

    Args:
        proposal: tokens, each drawn from its q.
        drafted_from: q of each, given the tokens before it.
        target: p of row j, which follows the first j proposed tokens; called in order, no further
            than needed.
        uniform: random numbers in [0, 1).
    """
    for position, token in enumerate(proposal):
        p, q = target(position), drafted_from[position]
        if uniform() * q.of(token) >= p.of(token):
            return Accepted(position, residual(p, q).draw(uniform()))
    return Accepted(len(proposal), target(len(proposal)).draw(uniform()))


def draw_and_match(
    proposal: Sequence[int], target: Callable[[int], Distribution], uniform: Callable[[], float]
) -> Accepted:
    """Draw the target's token in each row and accept while it equals the draft."""
    return greedy_match(proposal, lambda row: target(row).draw(uniform()))
