"""Depth control: on recorded traces, on scripted text, and with bad timings. No clock."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest

from app.engine.calibration import BINS
from app.engine.depth import (
    Calibration,
    CostModel,
    DepthController,
    DepthProfile,
    DepthReason,
    FixedDepth,
)
from tests.bench import depth_traces
from tests.bench.depth_traces import Costs, Proposal, Step, Trace

TRACES, TABLES = depth_traces.load()
GPU_TABLES = [name for name in TABLES if name.startswith("gpu")]
ROWS = range(1, 10)

FLAT = Costs({n: 0.010 + 0.0002 * n for n in ROWS}, draft=0.001)
# verifying a row costs as much as a plain step
COMPUTE_BOUND = Costs({n: 0.010 * n for n in ROWS}, draft=0.002)
DEAR = TABLES["cpu, dear draft (measured, 2 cores)"]


def sure_text(tokens: int) -> Trace:
    return tuple(Proposal((0.999,) * 8, 8) for _ in range(tokens))


def doubtful_text(tokens: int, seed: int = 0) -> Trace:
    chance = random.Random(seed)
    return tuple(
        Proposal((chance.uniform(0.1, 0.5),), int(chance.random() < 0.2)) for _ in range(tokens)
    )


def steps_of(trace: Trace, costs: Costs, control: DepthController) -> list[Step]:
    steps: list[Step] = []
    depth_traces.replay(trace, costs, control, steps=steps)
    return steps


# --- recorded traces ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("prompt", TRACES)
def test_recorded_answer_against_fixed_depths(table: str, prompt: str) -> None:
    costs, trace = TABLES[table], TRACES[prompt]
    rate = depth_traces.replay(trace, costs, depth_traces.controller(costs.model()))
    best, off = depth_traces.against_fixed(trace, costs, rate)
    assert best >= 0.95
    assert off >= 0.97


@pytest.mark.parametrize("table", GPU_TABLES)
def test_gpu_tables_gain_over_the_best_fixed_depth_of_each_prompt(table: str) -> None:
    # a planner that foresees every confidence of these answers reaches 1.021 and 1.039
    figures = depth_traces.exact(TRACES, TABLES[table])
    assert sum(some[0][0] for some in figures.values()) / len(figures) >= 1.015


@pytest.mark.parametrize("table", GPU_TABLES)
def test_text_that_changes_its_topic_gains_more(table: str) -> None:
    figures = depth_traces.mixed(TRACES, TABLES[table])
    assert min(some[0][0] for some in figures.values()) >= 1.03


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("table", TABLES)
def test_noisy_timings_cost_little(table: str, known: bool) -> None:
    figures = depth_traces.noisy(TRACES, TABLES[table], known=known, seeds=4)
    every = [each for some in figures.values() for each in some]
    assert sum(best for best, _ in every) / len(every) >= 0.96
    assert min(best for best, _ in every) >= 0.9
    assert min(off for _, off in every) >= 0.93


@pytest.mark.parametrize("table", TABLES)
def test_second_answer_has_forgotten_another_machines_profile(table: str) -> None:
    # the first answer pays for the lie; the costs learned from it serve the second
    costs = TABLES[table]
    for other in TABLES.values():
        model = other.scaled_to(costs.verify[1]).model()
        depth_traces.replay(
            depth_traces.mix(TRACES, *TRACES), costs, depth_traces.controller(model)
        )
        for trace in TRACES.values():
            rate = depth_traces.replay(trace, costs, depth_traces.controller(model))
            assert depth_traces.against_fixed(trace, costs, rate)[0] >= 0.92


# --- scripted text --------------------------------------------------------------------------------


def test_losing_text_is_left_alone_but_for_rare_probes() -> None:
    control = depth_traces.controller(COMPUTE_BOUND.model())
    steps = steps_of(doubtful_text(400), COMPUTE_BOUND, control)
    drafting = [step for step in steps if step.drafted]
    probes = [step for step in drafting if step.reason is DepthReason.PROBING]
    assert len(drafting) - len(probes) <= 3
    assert 4 <= len(probes) <= 14
    assert steps[-1].reason in (DepthReason.LOSES, DepthReason.PROBING, DepthReason.NO_ROOM)


def test_losing_text_costs_at_most_three_percent() -> None:
    trace = doubtful_text(128)
    rate = depth_traces.replay(trace, DEAR, depth_traces.controller(DEAR.model()))
    assert depth_traces.against_fixed(trace, DEAR, rate)[1] >= 0.97


def test_sure_text_is_drafted_deep_at_once() -> None:
    steps = steps_of(sure_text(100), FLAT, depth_traces.controller(FLAT.model()))
    assert steps[0].reason is DepthReason.LOOKING
    assert [step.drafted for step in steps[:-1]] == [7] * (len(steps) - 1)
    assert steps[5].reason is DepthReason.PAYS


@pytest.mark.parametrize("costs", [DEAR, FLAT], ids=["dear", "flat"])
def test_change_of_topic_is_noticed(costs: Costs) -> None:
    losing = 60
    steps = steps_of(
        doubtful_text(losing) + sure_text(150), costs, depth_traces.controller(costs.model())
    )
    sure = [step for step in steps if step.position >= losing]
    awake = next(n for n, step in enumerate(sure) if step.kept >= 3)
    assert awake <= DepthController.LAST_GAP + 2
    assert all(step.kept >= 3 for step in sure[awake + 3 : -2])


def test_doubt_stops_a_step_early_and_its_tail_is_not_verified() -> None:
    control = depth_traces.controller(DEAR.model())
    control.begin_answer()
    assert control.plan(100) > 0
    assert not control.wants_more([0.05])
    assert control.keep([0.05]) == 0


def test_room_is_respected() -> None:
    control = depth_traces.controller(FLAT.model())
    assert control.plan(2) == 2
    assert control.wants_more([0.999])
    assert not control.wants_more([0.999, 0.999])
    assert control.plan(0) == 0
    assert control.reason is DepthReason.NO_ROOM


def test_dropped_tail_left_out_by_the_caller_is_still_learned_from() -> None:
    outlooks = []
    for shown in ([0.99, 0.1], [0.99]):
        control = depth_traces.controller(FLAT.model())
        for _ in range(20):
            control.plan(7)
            control.keep([0.99, 0.1])
            control.observe(
                shown,
                1,
                verify_rows=2,
                verify_seconds=0.0104,
                draft_seconds=0.002,
                draft_passes=2,
                emitted=2,
                step_seconds=0.0124,
            )
        outlooks.append(control._outlook.sure_share)
    assert outlooks[0] == outlooks[1]


def test_free_draft_is_proposed_always_and_verified_when_it_pays() -> None:
    control = DepthController(FLAT.model(), Calibration(exponent=1.0), max_depth=7, free_draft=True)
    for _ in range(20):
        assert control.plan(7) == 7
        assert control.keep([0.99] * 7) == 7
    dear = DepthController(
        COMPUTE_BOUND.model(), Calibration(exponent=1.0), max_depth=7, free_draft=True
    )
    assert dear.plan(7) == 7
    assert dear.keep([0.5] * 7) == 0
    assert dear.reason is DepthReason.LOSES


def test_steady_depth_changes_rarely() -> None:
    costs = TABLES["gpu (made up, flat)"]
    trace = depth_traces.mix(TRACES, "chat", "code", "story", "json")
    control = depth_traces.controller(costs.model(), steady=True)
    steps = steps_of(trace, costs, control)
    depths = [step.kept for step in steps if step.reason is DepthReason.PAYS]
    changes = sum(a != b for a, b in pairwise(depths))
    assert max(depths) <= 7
    assert changes <= len(depths) / DepthController.HOLD_STEPS + 1
    rate = depth_traces.replay(trace, costs, depth_traces.controller(costs.model(), steady=True))
    assert depth_traces.against_fixed(trace, costs, rate)[0] >= 0.95


def test_batch_with_other_sequences_prices_rows_beyond_theirs() -> None:
    """Past a cliff in the staircase that the others' rows bring near, depth shrinks."""
    cliff = {n: 0.010 if n <= 8 else 0.050 for n in range(1, 17)}
    alone = DepthController(CostModel(cliff, 0.0005), Calibration(), max_depth=7)
    beside = DepthController(CostModel(cliff, 0.0005), Calibration(), max_depth=7)
    for control, others in ((alone, 0), (beside, 4)):
        control.plan(7)
        control.keep([0.999] * 3)
        control.observe(
            [0.999] * 3,
            3,
            verify_rows=4 + others,
            verify_seconds=0.010,
            draft_seconds=0.0015,
            draft_passes=3,
            emitted=4,
            step_seconds=0.0115,
        )
        control.plan(7)
    assert alone.keep([0.999] * 7) == 7
    assert beside.keep([0.999] * 7) == 3


# --- costs ----------------------------------------------------------------------------------------


def test_rows_between_the_timed_ones_are_read_off_a_line() -> None:
    table = CostModel({1: 1.0, 4: 1.6, 8: 4.0}, 0.1).table
    assert table[2] == pytest.approx(1.2)
    assert table[6] == pytest.approx(2.8)
    assert table[12] > table[8]


def test_spikes_leave_no_trace() -> None:
    costs = CostModel({1: 1.0, 4: 1.2}, 0.1)
    for seconds in (1.2, 1.2, 3.6, 1.2, 1.2, 3.6, 1.2):
        costs.observe_verify(4, seconds)
    assert costs.table[4] == pytest.approx(1.2)


def test_first_timing_of_unseen_rows_that_is_a_spike_is_not_believed() -> None:
    costs = CostModel({1: 1.0, 2: 1.1}, 0.1)
    costs.observe_verify(4, 4.0)
    assert costs.table[4] < 1.5
    costs.observe_verify(4, 4.0)
    assert costs.table[4] == pytest.approx(4.0)


def test_wrong_profile_is_corrected() -> None:
    costs = CostModel({1: 1.0, 4: 1.1, 8: 1.2}, 0.1)
    for _ in range(3):
        costs.observe_verify(4, 3.0)
        costs.observe_draft(2, 1.0)
    assert costs.table[4] == pytest.approx(3.0)
    assert costs.draft_seconds == pytest.approx(0.5)


def test_a_slower_machine_moves_rows_not_timed_lately() -> None:
    costs = CostModel({}, 0.1)
    for _ in range(6):
        costs.observe_verify(1, 1.0)
        costs.observe_verify(4, 1.2)
    for n in range(8):
        costs.observe_verify(4, 1.8 + n * 1e-6)
    assert costs.table[1] == pytest.approx(1.5, rel=0.01)


def test_one_pass_reported_by_several_sequences_counts_once() -> None:
    costs = CostModel({4: 1.0}, 0.1)
    for _ in range(4):
        costs.observe_verify(4, 9.0, shared=True)
    assert costs.table[4] == pytest.approx(1.0)
    for _ in range(4):
        costs.observe_verify(4, 9.0)
    assert costs.table[4] == pytest.approx(9.0)


def test_atypical_draft_time_is_not_learned() -> None:
    costs = CostModel({1: 1.0}, 0.1)
    costs.observe_draft(0, 50.0)
    assert costs.draft_seconds == pytest.approx(0.1)


def test_without_a_profile_a_plain_step_comes_first_and_the_first_look_is_short() -> None:
    control = depth_traces.controller(CostModel())
    steps = steps_of(sure_text(40), FLAT, control)
    assert steps[0].reason is DepthReason.MEASURING
    assert steps[0].drafted == 0
    assert steps[1].drafted == DepthController.UNMEASURED_DEPTH
    assert max(step.drafted for step in steps) == 7


# --- calibration ----------------------------------------------------------------------------------


def test_calibration_learns_an_overconfident_draft() -> None:
    calibration = Calibration()
    assert calibration.chance(0.97) > 0.97
    for n in range(200):
        calibration.observe(0.97, n % 2 == 0)
    assert calibration.chance(0.97) == pytest.approx(0.5, abs=0.08)
    assert calibration.chance(0.4) == Calibration().chance(0.4)


# --- profile --------------------------------------------------------------------------------------


def test_profile_round_trip() -> None:
    costs, calibration = FLAT.model(rows=(1, 2, 5)), Calibration()
    for _ in range(9):
        calibration.observe(0.9, True)
    profile = DepthProfile.of(costs, calibration)
    again = DepthProfile.from_json(profile.to_json())
    assert again == profile
    assert profile.verify_seconds[2] == 0.0
    assert again.costs().table == pytest.approx(costs.table)
    assert Calibration(again.calibration).chance(0.9) == calibration.chance(0.9)


def test_profile_of_nothing_knows_nothing() -> None:
    profile = DepthProfile.of(CostModel(), Calibration())
    assert profile.verify_seconds == ()
    assert profile.draft_seconds == 0.0
    assert not DepthProfile().costs().knows_plain


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "7", "[" * 100_000, '{"version": 99, "draft_seconds": 1.0}'],
    ids=["empty", "cut", "list", "null", "number", "deep", "version"],
)
def test_unreadable_profile_is_as_if_never_measured(text: str) -> None:
    assert DepthProfile.from_json(text) == DepthProfile()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("verify_seconds", [1.0, -1.0]),
        ("verify_seconds", [1.0, "2"]),
        ("verify_seconds", [0.1] * 1000),
        ("verify_seconds", [10**400]),
        ("draft_seconds", float("nan")),
        ("draft_seconds", float("inf")),
        ("draft_seconds", True),
        ("calibration", [[1.0, 2.0]]),
        ("calibration", [[3.0, 2.0]] * BINS),
        ("calibration", [[1.0]] * BINS),
        ("calibration", None),
    ],
)
def test_damaged_part_falls_back_alone(part: str, value: object) -> None:
    good = DepthProfile((1.0, 1.1), 0.1, Calibration().counts)
    saved = json.loads(good.to_json())
    saved[part] = value
    again = DepthProfile.from_json(json.dumps(saved))
    assert getattr(again, part) == getattr(DepthProfile(), part)
    untouched = {"verify_seconds", "draft_seconds", "calibration"} - {part}
    assert all(getattr(again, name) == getattr(good, name) for name in untouched)


# --- fixed ----------------------------------------------------------------------------------------


def test_fixed_depth_never_stops_for_doubt() -> None:
    control = FixedDepth(3)
    assert control.plan(100) == 3
    assert control.wants_more([0.01, 0.01])
    assert not control.wants_more([0.01] * 3)
    assert control.keep([0.01] * 3) == 3
    assert control.reason.name == "FIXED"
    assert control.plan(1) == 1
    assert control.reason.name == "NO_ROOM"


@pytest.mark.parametrize("depth", depth_traces.FIXED_DEPTHS)
def test_fixed_depth_in_the_loop_is_that_depth(depth: int) -> None:
    trace = TRACES["story"]
    rate = depth_traces.replay(trace, DEAR, FixedDepth(depth))
    assert rate == pytest.approx(depth_traces.at_fixed_depth(trace, DEAR, depth))


def test_a_pair_that_cannot_pay_is_not_even_looked_at() -> None:
    """Measured on two fast cores: three drafted tokens cost as much as five plain ones."""
    costs = CostModel({1: 0.0295, 2: 0.065, 4: 0.106, 5: 0.132, 8: 0.236}, 0.019)
    control = DepthController(costs, Calibration(), max_depth=8)
    assert not control.could_pay
    for _ in range(500):
        assert control.plan(50) == 0
        control.observe(
            [], 0, verify_rows=1, verify_seconds=0.0295, draft_seconds=0.0, draft_passes=0,
            emitted=1, step_seconds=0.0297,
        )  # fmt: skip
    assert control.reason is DepthReason.LOSES


def test_who_asks_for_drafts_is_shown_some() -> None:
    costs = CostModel({1: 0.0295, 2: 0.065, 4: 0.106, 5: 0.132, 8: 0.236}, 0.019)
    control = DepthController(costs, Calibration(), max_depth=8, look_always=True)
    assert control.could_pay
    assert control.plan(50) > 0
