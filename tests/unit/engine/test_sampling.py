"""The quick path over a few candidates gives the same distribution as the plain chain over the
whole row.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.protocol import SamplingOptions
from app.engine.sampling import Distribution, Sampler

options_strategy = st.builds(
    SamplingOptions,
    temperature=st.sampled_from([0.1, 0.5, 0.8, 1.0, 2.0]),
    top_k=st.sampled_from([0, 1, 2, 40, 5000]),
    top_p=st.sampled_from([0.1, 0.5, 0.95, 1.0]),
    min_p=st.sampled_from([0.0, 0.01, 0.05, 0.5]),
    repeat_penalty=st.sampled_from([1.0, 1.3]),
    frequency_penalty=st.sampled_from([0.0, 0.5]),
    presence_penalty=st.sampled_from([0.0, 0.5]),
)


def chain_in_full(
    logits: np.ndarray, options: SamplingOptions, tokens: list[int]
) -> dict[int, float]:
    """The chain as defined: penalties, top-k, top-p, min-p, temperature, over the sorted row."""
    values = logits.astype(np.float64)
    window = tokens[-options.penalty_last_n :]
    for token in set(window):
        value = values[token]
        value = value / options.repeat_penalty if value > 0 else value * options.repeat_penalty
        values[token] = (
            value - window.count(token) * options.frequency_penalty - options.presence_penalty
        )
    order = np.argsort(-values, kind="stable")
    if options.top_k:
        order = order[: options.top_k]
    weights = np.exp(values[order] - values[order[0]])
    weights /= weights.sum()
    if options.top_p < 1.0:
        order = order[: int(np.searchsorted(np.cumsum(weights), options.top_p, side="left")) + 1]
        weights = weights[: len(order)]
    order = order[weights >= options.min_p * weights[0]]
    final = np.exp((values[order] - values[order[0]]) / options.temperature)
    final /= final.sum()
    return dict(zip(order.tolist(), final.tolist(), strict=True))


@settings(deadline=None, max_examples=300)
@given(
    options=options_strategy,
    seed=st.integers(0, 10_000),
    spread=st.sampled_from([0.01, 1.0, 4.0, 12.0]),
    size=st.sampled_from([2, 7, 300, 4000, 9001]),
)
def test_quick_path_equals_the_chain(
    options: SamplingOptions, seed: int, spread: float, size: int
) -> None:
    random = np.random.default_rng(seed)
    logits = (random.standard_normal(size) * spread).astype(np.float32)
    tokens = random.integers(0, size, 20).tolist()
    found = Sampler(options).distribution(logits, tokens)
    wanted = chain_in_full(logits, options, tokens)
    got = dict(zip(found.ids.tolist(), found.probabilities.tolist(), strict=True))
    # a token exactly at a cut may fall on either side by rounding; no other may differ
    for token in set(got) ^ set(wanted):
        assert (
            max(got.get(token, 0.0), wanted.get(token, 0.0)) < 1e-5
            or math.isclose(options.top_p, 1.0) is False
        )
    for token in set(got) & set(wanted):
        assert got[token] == pytest.approx(wanted[token], rel=2e-3, abs=1e-6)
    assert found.probabilities.sum() == pytest.approx(1.0)
    assert np.all(np.diff(found.probabilities) <= 1e-12)


def test_a_flat_row_keeps_every_token() -> None:
    options = SamplingOptions(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
    found = Sampler(options).distribution(np.zeros(1000, dtype=np.float32), [])
    assert found.ids.size == 1000
    assert found.top == pytest.approx(0.001)


def test_greedy_is_the_best_token_after_penalties() -> None:
    logits = np.array([1.0, 5.0, 4.0], dtype=np.float32)
    sampler = Sampler(SamplingOptions(temperature=0.0, repeat_penalty=2.0))
    assert sampler.best(logits, []) == 1
    assert sampler.best(logits, [1]) == 2
    assert sampler.best(logits, [], [1]) == 2
    assert logits[1] == 5.0, "the model's own row must not be changed"


def test_the_same_seed_draws_the_same_numbers() -> None:
    first, second = Sampler(SamplingOptions(seed=7)), Sampler(SamplingOptions(seed=7))
    assert [first.uniform() for _ in range(5)] == [second.uniform() for _ in range(5)]


def test_draw_covers_the_ends() -> None:
    dist = Distribution(np.array([4, 9]), np.array([0.75, 0.25]))
    assert [dist.draw(0.0), dist.draw(0.74), dist.draw(0.76), dist.draw(0.999999999)] == [
        4,
        4,
        9,
        9,
    ]


@given(st.integers(0, 1000))
def test_confidence_is_the_softmax_of_the_best(seed: int) -> None:
    logits = (np.random.default_rng(seed).standard_normal(500) * 4).astype(np.float32)
    weights = np.exp(logits.astype(np.float64) - logits.max())
    assert Sampler(SamplingOptions()).confidence(logits) == pytest.approx(
        1.0 / weights.sum(), rel=0.03
    )
