"""Auto mode on recorded traces: the real step loop, lookup and draft model, at the prices of a
table. No clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from app.engine.costs import CostModel
from app.engine.depth import FixedDepth
from app.engine.protocol import PieceSource, SamplingOptions
from tests.bench import auto_traces, depth_traces
from tests.bench.auto_traces import Machine
from tests.unit.engine.scripted_model import END, Bench, Rule, ScriptedModel, emitted, peaked

ANSWERS = auto_traces.answers()
TRACES, TABLES = depth_traces.load()
GPU_TABLES = [name for name in TABLES if name.startswith("gpu")]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("prompt", ANSWERS)
def test_recorded_answer_against_fixed_depths(table: str, prompt: str) -> None:
    figures = auto_traces.exact({prompt: ANSWERS[prompt]}, TABLES[table])
    best, off = figures[prompt][0]
    assert best >= 0.95
    assert off >= 0.97


@pytest.mark.parametrize("table", GPU_TABLES)
def test_gpu_tables_gain_over_the_best_fixed_depth_of_each_prompt(table: str) -> None:
    figures = auto_traces.exact(ANSWERS, TABLES[table])
    assert sum(some[0][0] for some in figures.values()) / len(figures) >= 1.03


@pytest.mark.parametrize("table", TABLES)
def test_later_answers_gain_from_what_the_earlier_ones_taught(table: str) -> None:
    figures = auto_traces.held_out(ANSWERS, TABLES[table])
    assert min(some[0][0] for some in figures.values()) >= 0.95
    assert min(some[0][1] for some in figures.values()) >= 0.97


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("table", TABLES)
def test_noisy_timings_cost_little(table: str, known: bool) -> None:
    figures = auto_traces.noisy(ANSWERS, TABLES[table], known=known, seeds=2)
    every = [each for some in figures.values() for each in some]
    assert sum(best for best, _ in every) / len(every) >= 0.96
    assert min(off for _, off in every) >= 0.9


@pytest.mark.parametrize("depth", depth_traces.FIXED_DEPTHS)
def test_replay_at_a_fixed_depth_takes_the_time_that_is_counted_by_hand(depth: int) -> None:
    for prompt, answer in ANSWERS.items():
        for costs in TABLES.values():
            counted = depth_traces.at_fixed_depth(TRACES[prompt], costs, depth)
            assert auto_traces.at_fixed_depth(answer, costs, depth) == pytest.approx(counted)


def test_hints_save_passes_where_the_text_repeats_itself() -> None:
    costs = TABLES["gpu (made up, flat)"]
    run = Machine(costs, costs.model()).auto(ANSWERS["json"])
    alone = Machine(costs, CostModel()).drafting(ANSWERS["json"], FixedDepth(7))
    assert run.passes < 0.7 * alone.passes


@pytest.mark.parametrize(("depth", "repeated"), [(None, 8), (3, 8), (None, 2), (3, 2)])
def test_sampled_text_has_the_targets_distribution_though_hints_decide_what_is_proposed(
    depth: int | None, repeated: int
) -> None:
    """Short answers to a prompt that repeats itself, counted against their exact probabilities."""
    n_vocab, budget, runs = 3, 4, 3000
    prompt = [1, 2, 2] * repeated
    target, draft = (peaked(n_vocab, salt) for salt in (3, 8))
    expected = probabilities(target, prompt, budget)
    counts: Counter[tuple[int, ...]] = Counter()
    looked_up = 0
    for seed in range(runs):
        sampling = SamplingOptions(temperature=1.5, seed=seed, top_k=0, top_p=1.0, min_p=0.0)
        bench = Bench(ScriptedModel(target, n_vocab), ScriptedModel(draft, n_vocab), sampling)
        track = bench.track(0, prompt, bench.drafter("chain", depth, [0]), budget, 100)
        results = bench.run([track])[0]
        looked_up += any(PieceSource.LOOKUP in result.sources for result in results)
        counts[tuple(emitted(results))] += 1
    # a long match is verified at once, a short one is a hint
    assert (looked_up > 0) is (repeated == 8)
    assert set(counts) <= set(expected)
    distance = sum((counts[each] - runs * p) ** 2 / (runs * p) for each, p in expected.items())
    freedom = len(expected) - 1
    assert distance < freedom + 4 * (2 * freedom) ** 0.5


def probabilities(rule: Rule, prompt: Sequence[int], budget: int) -> dict[tuple[int, ...], float]:
    """Of each answer of at most `budget` tokens, drawn at temperature 1.5."""
    found: dict[tuple[int, ...], float] = {}
    open_ends: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(budget):
        longer: dict[tuple[int, ...], float] = {}
        for answer, so_far in open_ends.items():
            weights = np.exp(rule((*prompt, *answer)).astype(np.float64) / 1.5)
            for token, weight in enumerate(weights / weights.sum()):
                if token == END:
                    found[answer] = so_far * float(weight)
                else:
                    longer[(*answer, token)] = so_far * float(weight)
        open_ends = longer
    return found | open_ends
