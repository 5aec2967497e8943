"""Auto mode on recorded traces: the real step loop, lookup and draft model, at the prices of a
table. No clock.
"""

from __future__ import annotations

import pytest

from app.engine.costs import CostModel
from app.engine.depth import FixedDepth
from tests.bench import auto_traces, depth_traces
from tests.bench.auto_traces import Machine

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
