"""The numbers of an answer, from a run whose times are known."""

from __future__ import annotations

import pytest

from app.engine.stats import StatsRecorder

KEYS = set(
    """
    prompt_tokens cached_tokens prompt_seconds ttft_seconds generated_tokens generation_seconds
    tokens_per_second target_passes drafted_tokens accepted_tokens acceptance accepted_by_position
    drafted_by_position tokens_per_pass mean_depth target_seconds draft_seconds host_seconds
    """.split()
)


def recorded() -> StatsRecorder:
    recorder = StatsRecorder(started_at=100.0, prompt_tokens=30, cached_tokens=10)
    recorder.prompt_seconds = 0.4
    recorder.emit(now=100.5, tokens=1)
    for step in range(10):
        recorder.target_seconds += 0.06
        recorder.draft_seconds += 0.03
        # proposals of three: all right, then only the first, in turn
        accepted = 3 if step % 2 == 0 else 1
        recorder.step(
            now=100.5 + 0.1 * (step + 1), drafted=3, accepted=accepted, emitted=accepted + 1
        )
    return recorder


def test_every_number_follows_its_definition() -> None:
    stats = recorded().snapshot()
    assert stats.ttft_seconds == pytest.approx(0.5)
    assert stats.generated_tokens == 1 + 5 * 4 + 5 * 2
    assert stats.generation_seconds == pytest.approx(1.0)
    assert stats.tokens_per_second == pytest.approx(30.0)
    assert stats.prompt_tokens_per_second == pytest.approx(20 / 0.4)
    assert stats.drafted_tokens == 30
    assert stats.accepted_tokens == 20
    assert stats.acceptance == pytest.approx(20 / 30)
    assert stats.drafted_by_position == (10, 10, 10)
    assert stats.accepted_by_position == (10, 5, 5)
    assert stats.tokens_per_pass == pytest.approx(3.0)
    assert stats.mean_depth == pytest.approx(3.0)
    assert stats.host_seconds == pytest.approx(1.0 - 0.6 - 0.3)


def test_json_has_exactly_the_promised_keys() -> None:
    assert set(recorded().snapshot().to_json()) == KEYS


def test_nothing_is_zero_that_is_not_known() -> None:
    stats = StatsRecorder(started_at=0.0).snapshot()
    assert stats.acceptance is None
    assert stats.tokens_per_second is None
    assert stats.tokens_per_pass is None
    assert stats.live_acceptance is None


def test_live_figures_follow_the_last_second_and_the_last_drafts() -> None:
    recorder = StatsRecorder(started_at=0.0)
    recorder.emit(now=0.0, tokens=1)
    now = 0.0
    for _ in range(100):
        now += 0.1
        recorder.step(now=now, drafted=4, accepted=4, emitted=5)
    for _ in range(30):
        now += 0.2
        recorder.step(now=now, drafted=4, accepted=0, emitted=1)
    stats = recorder.snapshot()
    assert stats.live_tokens_per_second == pytest.approx(5.0)
    assert stats.live_acceptance == 0.0
    assert stats.acceptance == pytest.approx(400 / 520)
