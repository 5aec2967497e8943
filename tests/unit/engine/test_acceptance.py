"""The acceptance rules keep the target's distribution: proof by counting."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from app.engine.acceptance import draw_and_match, greedy_match, rejection_sampling
from app.engine.protocol import SamplingOptions
from app.engine.sampling import Distribution, Sampler, point, residual

VOCAB = 6
DRAWS = 100_000
LEAST_P_VALUE = 1e-4  # with fixed seeds this either holds for good or the rule is wrong


def row(seed: int, text: tuple[int, ...], sharpness: float) -> np.ndarray:
    """Logits of a toy model that looks at the last two tokens."""
    state = np.random.default_rng([seed, *text[-2:]])
    return (state.standard_normal(VOCAB) * sharpness).astype(np.float32)


CHAINS = {
    "temperature": SamplingOptions(temperature=0.8, top_k=0, top_p=1.0, min_p=0.0),
    "top-k": SamplingOptions(temperature=1.3, top_k=3, top_p=1.0, min_p=0.0),
    "top-p": SamplingOptions(temperature=1.0, top_k=0, top_p=0.8, min_p=0.0),
    "min-p": SamplingOptions(temperature=1.5, top_k=0, top_p=1.0, min_p=0.2),
    "all, with penalties": SamplingOptions(
        temperature=0.9, top_k=5, top_p=0.95, min_p=0.05, repeat_penalty=1.3, presence_penalty=0.2
    ),
}


@pytest.mark.parametrize("options", CHAINS.values(), ids=CHAINS.keys())
def test_rejection_sampling_draws_from_the_target(options: SamplingOptions) -> None:
    """Three tokens by speculation at depth 2 have the joint distribution of three tokens drawn one
    by one.
    """
    target, draft = Sampler(options), Sampler(options)
    cache: dict[tuple[str, tuple[int, ...]], Distribution] = {}

    def dist(who: str, text: tuple[int, ...]) -> Distribution:
        key = (who, text)
        if key not in cache:
            seed, sharp = (1, 1.0) if who == "p" else (2, 1.4)
            cache[key] = target.distribution(row(seed, text, sharp), list(text))
        return cache[key]

    random = np.random.default_rng(20)
    counts: dict[tuple[int, ...], int] = {}
    prompt = (1, 2)
    for _ in range(DRAWS // 2):  # each trial draws at least two tokens
        text = prompt
        while len(text) < len(prompt) + 3:
            proposal: list[int] = []
            sources: list[Distribution] = []
            for _ in range(2):
                q = dist("q", (*text, *proposal))
                sources.append(q)
                proposal.append(q.draw(random.random()))
            base = text
            verdict = rejection_sampling(
                proposal,
                sources,
                lambda at, base=base, drafted=tuple(proposal): dist("p", base + drafted[:at]),
                random.random,
            )
            text = (*text, *proposal[: verdict.count], verdict.following)
        told = text[len(prompt) : len(prompt) + 3]
        counts[told] = counts.get(told, 0) + 1
    del draft
    _same_distribution(
        counts, {told: _joint(dist, prompt, told) for told in np.ndindex(VOCAB, VOCAB, VOCAB)}
    )


def _joint(dist: object, prompt: tuple[int, ...], told: tuple[int, ...]) -> float:
    chance, text = 1.0, prompt
    for token in told:
        chance *= dist("p", text).of(token)  # type: ignore[operator]
        if chance == 0.0:
            return 0.0
        text = (*text, token)
    return chance


def _same_distribution(
    counts: dict[tuple[int, ...], int], chances: dict[tuple[int, ...], float]
) -> None:
    total = sum(counts.values())
    assert all(chances[told] > 0 for told in counts), (
        "a token was emitted that the target never would"
    )
    expected = {told: chance * total for told, chance in chances.items() if chance > 0}
    common = {told for told, want in expected.items() if want >= 8}
    observed = [counts.get(told, 0) for told in sorted(common)]
    wanted = [expected[told] for told in sorted(common)]
    rest = total - sum(observed)
    rest_wanted = total - sum(wanted)
    if rest_wanted > 8:
        observed.append(rest)
        wanted.append(rest_wanted)
    scale = sum(observed) / sum(wanted)
    assert stats.chisquare(observed, [want * scale for want in wanted]).pvalue > LEAST_P_VALUE


def test_the_count_would_notice_a_wrong_rule() -> None:
    """Accepting every draft, the likeliest mistake, fails the same test."""
    random = np.random.default_rng(3)
    sampler = Sampler(CHAINS["temperature"])
    p, q = (
        sampler.distribution(row(1, (1, 2), 1.0), []),
        sampler.distribution(row(2, (1, 2), 1.4), []),
    )
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(20_000):
        told = (q.draw(random.random()),)
        counts[told] = counts.get(told, 0) + 1
    with pytest.raises(AssertionError):
        _same_distribution(counts, {(token,): p.of(token) for token in range(VOCAB)})


@pytest.mark.parametrize("proposed", range(VOCAB))
def test_point_masses_draw_from_the_target(proposed: int) -> None:
    """A looked-up token has q = 1, so it is accepted with p; the rest comes from p without it."""
    random = np.random.default_rng(proposed)
    p = Sampler(CHAINS["temperature"]).distribution(row(1, (1, 2), 1.0), [])
    counts: dict[tuple[int, ...], int] = {}
    accepted = 0
    for _ in range(20_000):
        verdict = rejection_sampling([proposed], [point(proposed)], lambda _row: p, random.random)
        accepted += verdict.count
        told = (proposed if verdict.count else verdict.following,)
        counts[told] = counts.get(told, 0) + 1
    _same_distribution(counts, {(token,): p.of(token) for token in range(VOCAB)})
    assert accepted / 20_000 == pytest.approx(p.of(proposed), abs=0.02)


def test_a_draft_that_equals_the_target_is_never_refused() -> None:
    random = np.random.default_rng(4)
    p = Sampler(CHAINS["all, with penalties"]).distribution(row(1, (1, 2), 1.0), [1, 2])
    for _ in range(2_000):
        token = p.draw(random.random())
        assert rejection_sampling([token], [p], lambda _row: p, random.random).count == 1


def test_residual_of_disjoint_and_equal_distributions() -> None:
    p = Distribution(np.array([3, 1]), np.array([0.7, 0.3]))
    q = Distribution(np.array([2]), np.array([1.0]))
    assert residual(p, q).of(3) == pytest.approx(0.7)
    assert residual(p, p) is p
    half = residual(p, Distribution(np.array([1, 3]), np.array([0.6, 0.4])))
    assert half.ids.tolist() == [3]
    assert half.of(3) == 1.0


def test_greedy_match_asks_for_no_row_it_does_not_need() -> None:
    asked = []

    def best(at: int) -> int:
        asked.append(at)
        return [5, 6, 9, 8][at]

    verdict = greedy_match([5, 6, 7], best)
    assert (verdict.count, verdict.following, asked) == (2, 9, [0, 1, 2])


def test_draw_and_match_draws_from_the_target_too() -> None:
    random = np.random.default_rng(6)
    p = Sampler(CHAINS["top-k"]).distribution(row(1, (1, 2), 1.0), [])
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(20_000):
        verdict = draw_and_match([2], lambda _row: p, random.random)
        told = (2 if verdict.count else verdict.following,)
        counts[told] = counts.get(told, 0) + 1
    _same_distribution(counts, {(token,): p.of(token) for token in range(VOCAB)})
