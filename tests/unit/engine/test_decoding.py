"""The step loop against plain decoding, over thousands of scripted models."""

from __future__ import annotations

import random

import pytest

from app.engine.calibration import Calibration
from app.engine.costs import CostModel
from app.engine.depth import DepthController
from app.engine.depth_control import FixedDepth
from app.engine.protocol import PieceSource, SamplingOptions
from app.errors import RequestError
from tests.unit.engine.scripted_model import Bench, ScriptedModel, emitted, peaked, plain


def bench_of(seed: int, *, wrong: int, n_vocab: int = 13, draft_vocab: int | None = None) -> Bench:
    return Bench(
        ScriptedModel(peaked(n_vocab, seed), n_vocab),
        ScriptedModel(
            peaked(draft_vocab or n_vocab, seed, wrong_in_hundred=wrong), draft_vocab or n_vocab
        ),
    )


@pytest.mark.parametrize("kind", ["off", "draft", "lookup", "chain"])
def test_greedy_text_equals_plain_decoding(kind: str) -> None:
    random_ = random.Random(kind)
    for trial in range(700):
        n_vocab = random_.choice([3, 5, 13, 40])
        n_ctx = random_.choice([12, 30, 64, 200])
        budget = random_.choice([1, 2, 3, 7, 40, 100])
        depth = random_.choice([None, 0, 1, 2, 3, 4, 7, 12])
        wrong = random_.choice([0, 10, 50, 100])
        prompt = [random_.randrange(1, n_vocab) for _ in range(random_.randint(1, n_ctx - 1))]
        bench = bench_of(trial, wrong=wrong, n_vocab=n_vocab)
        track = bench.track(0, prompt, bench.drafter(kind, depth, [0]), budget, n_ctx)
        found = emitted(bench.run([track])[0])
        assert found == plain(bench.target.rule, prompt, budget, n_ctx), f"trial {trial}"


def test_same_model_as_draft_at_depth_two_flags_1_1_0() -> None:
    rule = peaked(50, 3, never_end=True)
    bench = Bench(ScriptedModel(rule, 50), ScriptedModel(rule, 50))
    track = bench.track(0, [4, 5, 6], bench.drafter("draft", 2, [0]), budget=61, n_ctx=500)
    results = bench.run([track])[0][1:]
    flags = [source is PieceSource.DRAFT for result in results for source in result.sources]
    assert flags == [True, True, False] * 20
    # 20 passes of three tokens each, and never a token drafted twice
    assert bench.target.passes == 1 + 20


def test_the_draft_reads_each_token_once() -> None:
    rule = peaked(50, 3, never_end=True)
    bench = Bench(ScriptedModel(rule, 50), ScriptedModel(rule, 50))
    track = bench.track(0, [4, 5, 6], bench.drafter("draft", 4, [0]), budget=101, n_ctx=500)
    bench.run([track])
    # every committed token once, but for the last drafted one of a fully accepted run, which nobody
    # read yet
    assert bench.draft.rows <= len(track.tokens)


@pytest.mark.parametrize("kind", ["draft", "chain", "lookup"])
def test_many_sequences_equal_single_ones(kind: str) -> None:
    for seed in range(60):
        prompts = {0: [1, 2, 3], 1: [5, 1], 2: [7] * 9, 3: [2, 4, 2, 4, 2, 4]}
        single = {}
        for sequence, prompt in prompts.items():
            bench = bench_of(seed, wrong=25)
            track = bench.track(sequence, prompt, bench.drafter(kind, 3, [sequence]), 40, 60)
            single[sequence] = emitted(bench.run([track])[sequence])
        bench = bench_of(seed, wrong=25)
        drafter = bench.drafter(kind, 3, list(prompts))
        tracks = [bench.track(each, prompt, drafter, 40, 60) for each, prompt in prompts.items()]
        together = bench.run(tracks)
        assert {each: emitted(results) for each, results in together.items()} == single


def test_tokens_beyond_the_smaller_vocabulary_are_never_proposed() -> None:
    for draft_vocab in (9, 20):
        for seed in range(100):
            bench = bench_of(seed, wrong=0, n_vocab=13, draft_vocab=draft_vocab)
            track = bench.track(0, [1, 2], bench.drafter("draft", 4, [0]), 30, 60)
            results = bench.run([track])[0]
            assert emitted(results) == plain(bench.target.rule, [1, 2], 30, 60)
            assert all(
                token < min(13, draft_vocab) for result in results for token in result.refused
            )


def test_drafted_tokens_never_overrun_budget_or_context() -> None:
    rule = peaked(50, 3, never_end=True)
    for budget, n_ctx in ((5, 100), (100, 20)):
        bench = Bench(ScriptedModel(rule, 50), ScriptedModel(rule, 50))
        track = bench.track(0, [4, 5, 6], bench.drafter("draft", 8, [0]), budget, n_ctx)
        found = emitted(bench.run([track])[0])
        assert len(found) == min(budget, n_ctx + 1 - 3)
        assert len(bench.target.cells[0]) <= n_ctx


def test_a_memory_that_cannot_rewind_is_an_error_and_not_another_text() -> None:
    rule = peaked(13, 1, never_end=True)
    bench = Bench(
        ScriptedModel(rule, 13, can_rewind=False),
        ScriptedModel(peaked(13, 1, wrong_in_hundred=50), 13),
    )
    track = bench.track(0, [1, 2, 3], bench.drafter("draft", 4, [0]), 50, 100)
    with pytest.raises(RequestError) as caught:
        bench.run([track])
    assert caught.value.code == "memory_not_rewound"


def test_penalties_see_the_proposal_they_follow() -> None:
    sampling = SamplingOptions(temperature=0.0, repeat_penalty=1.8, penalty_last_n=8)
    for seed in range(150):
        texts = []
        for kind in ("off", "draft"):
            bench = bench_of(seed, wrong=20)
            bench.sampling = sampling
            track = bench.track(0, [1, 2, 3], bench.drafter(kind, 4, [0]), 40, 100)
            texts.append(emitted(bench.run([track])[0]))
        assert texts[0] == texts[1]


class Changing(FixedDepth):
    """Another depth in each step."""

    def __init__(self, depths: list[int]) -> None:
        super().__init__(0)
        self._left = list(depths)

    def plan(self, room: int, behind: int = 0) -> int:
        self._depth = self._left.pop(0) if self._left else 2
        return super().plan(room, behind)


def test_a_draft_that_fell_behind_catches_up() -> None:
    for wrong in (0, 30):
        rule = peaked(50, 3, never_end=True)
        draft = peaked(50, 3, wrong_in_hundred=wrong, never_end=True)
        bench = Bench(ScriptedModel(rule, 50), ScriptedModel(draft, 50))
        drafter = bench.drafter("draft", 2, [0])
        drafter.depths[0] = Changing([2, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 4] + [0] * 80)  # type: ignore[union-attr]
        track = bench.track(0, list(range(1, 40)), drafter, 200, 500)
        found = emitted(bench.run([track])[0])
        assert found == plain(rule, list(range(1, 40)), 200, 500)
        assert len(bench.draft.cells[0]) >= len(track.tokens) - 4


def test_a_draft_that_cannot_pay_reads_nothing() -> None:
    rule = peaked(50, 3, never_end=True)
    bench = Bench(ScriptedModel(rule, 50), ScriptedModel(rule, 50))
    drafter = bench.drafter("draft", None, [0])
    drafter.depths[0] = DepthController(  # type: ignore[union-attr]
        CostModel({1: 1.0, 2: 2.5, 4: 5.0}, 1.0), Calibration(), max_depth=8
    )
    track = bench.track(0, list(range(1, 40)), drafter, 60, 500)
    assert drafter.prepare(track, 100) == (0, 0.0)
    assert emitted(bench.run([track])[0]) == plain(rule, list(range(1, 40)), 60, 500)
    assert bench.draft.passes == 0
