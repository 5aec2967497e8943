"""Speculation on real models: lossless, cached across turns, several answers at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from app.conversation import ChatMessage, Role
from app.engine.engine import Engine
from app.engine.protocol import (
    FinishReason,
    Generate,
    GenerationOptions,
    PieceSource,
    SamplingOptions,
    Speculation,
)
from app.engine.sampling import Sampler
from tests.model.conftest import Loader
from tests.model.engine_help import GREEDY, ask, collect, options, start
from tests.unit.engine.scripted_model import Bench, ScriptedModel, emitted

pytestmark = pytest.mark.model

CODE = "Write a Python class for a stack with push, pop and peek. Code only."
CHAT = "Why is the sky blue? Two sentences."
# Batched kernels round differently, so two passes may disagree where the best two tokens are this
# close.
NEAR_TIE = 0.35


def test_same_model_as_draft_at_depth_two_flags_1_1_0(loader: Loader, starter_model: Path) -> None:
    loader(starter_model, starter_model)
    reply = ask(loader.engine, CHAT, options(Speculation.DRAFT, depth=2, max_tokens=46))
    figures = reply.end.stats
    assert figures.acceptance == 1.0
    flags = [source is PieceSource.DRAFT for source in reply.sources]
    assert flags[1:46] == [True, True, False] * 15


@pytest.mark.parametrize("prompt", [CODE, CHAT])
@pytest.mark.parametrize("how", [Speculation.DRAFT, Speculation.LOOKUP, Speculation.AUTO])
def test_greedy_text_differs_from_plain_only_at_near_ties(
    loader: Loader, target_model: Path, draft_model: Path, prompt: str, how: Speculation
) -> None:
    loader(target_model, draft_model)
    plain = ask(loader.engine, prompt, options(Speculation.OFF)).token_ids
    loader.engine.clear_cache()
    depth = None if how is Speculation.AUTO else 4
    fast = ask(loader.engine, prompt, options(how, depth=depth)).token_ids
    place = next((at for at, (a, b) in enumerate(zip(plain, fast, strict=False)) if a != b), None)
    if place is None:
        assert plain == fast
        return
    gap = _gap(loader.engine, prompt, plain[:place], plain[place], fast[place])
    assert gap < NEAR_TIE, f"token {place} differs with a logit gap of {gap:.3f}"


def _gap(engine: Engine, prompt: str, before: list[int], one: int, other: int) -> float:
    """By how much the target prefers one token over the other there, in a plain pass."""
    loaded = engine._loaded
    assert loaded is not None
    text = loaded.template.render((ChatMessage(Role.USER, prompt),))
    tokens = [*loaded.pair.target.tokenize(text, special=True), *before]
    engine.clear_cache()
    context = loaded.pair.target_context
    rows = [(token, at, 0, at == len(tokens) - 1) for at, token in enumerate(tokens)]
    context.decode(rows)
    logits = context.logits(len(rows) - 1)
    gap = abs(float(logits[one] - logits[other]))
    context.remove_tail(0, 0)
    return gap


def test_the_next_turn_reads_only_what_is_new(
    loader: Loader, target_model: Path, draft_model: Path
) -> None:
    loader(target_model, draft_model)
    engine = loader.engine
    first = ask(engine, CHAT, options(Speculation.DRAFT, depth=3, max_tokens=24))
    turns = (
        ChatMessage(Role.USER, CHAT),
        ChatMessage(Role.ASSISTANT, first.text),
        ChatMessage(Role.USER, "And at sunset?"),
    )
    loaded = engine._loaded
    assert loaded is not None
    assert loaded.model is not None
    drafted_before = loaded.model.memory.held[0].valid
    engine.start(
        Generate("two", messages=turns, options=options(Speculation.DRAFT, depth=3, max_tokens=8)),
        time.perf_counter(),
    )
    held = loaded.model.memory.held[0].valid
    second = collect(engine)["two"].end.stats
    # everything up to the end of the answer was kept, in both memories
    assert second.cached_tokens >= first.end.stats.prompt_tokens + len(first.token_ids) - 1
    assert held >= drafted_before - 3
    assert second.prompt_tokens - second.cached_tokens < 30


def test_answers_at_once_equal_answers_one_by_one(loader: Loader, starter_model: Path) -> None:
    loader(starter_model, starter_model, n_parallel=3)
    engine = loader.engine
    prompts = {"a": CHAT, "b": "List three colours.", "c": "Say hello to Anna in one sentence."}
    how = options(Speculation.DRAFT, depth=3, max_tokens=32)
    single = {name: ask(engine, prompt, how).token_ids for name, prompt in prompts.items()}
    engine.clear_cache()
    for name, prompt in prompts.items():
        start(engine, name, prompt, how)
    together = {name: reply.token_ids for name, reply in collect(engine).items()}
    same = [name for name in prompts if single[name] == together[name]]
    for name in set(prompts) - set(same):
        both = list(zip(single[name], together[name], strict=False))
        place = next(at for at, (a, b) in enumerate(both) if a != b)
        gap = _gap(engine, prompts[name], single[name][:place], *both[place])
        assert gap < NEAR_TIE, f"{name} differs at {place} by {gap:.3f}"
    assert len(same) >= 2


def test_cancel_keeps_what_was_written_and_the_engine(loader: Loader, starter_model: Path) -> None:
    loader(starter_model)
    engine = loader.engine
    start(engine, "long", "Tell a long story.", options(Speculation.OFF, max_tokens=400))
    events = []
    while len(events) < 12:
        events.extend(engine.step())
    engine.cancel("long")
    reply = collect(engine)["long"]
    assert reply.end.reason is FinishReason.CANCELLED
    assert ask(engine, "Say hello.", options(Speculation.OFF, max_tokens=4)).token_ids


def test_stop_strings_end_inside_an_accepted_run(loader: Loader, starter_model: Path) -> None:
    loader(starter_model, starter_model)
    plain = ask(loader.engine, CHAT, options(Speculation.OFF, max_tokens=40))
    word = plain.text.split()[6]
    how = options(Speculation.DRAFT, depth=7, max_tokens=40, stop=(word,))
    stopped = ask(loader.engine, CHAT, how)
    assert stopped.end.reason is FinishReason.STOP_STRING
    assert plain.text.startswith(stopped.text)
    assert word not in stopped.text


def test_sampled_tokens_have_the_targets_distribution(loader: Loader, starter_model: Path) -> None:
    """SmolLM2 drafted by a poorer model: itself, seeing only the last four tokens. Three tokens,
    chi-square.
    """
    loader(starter_model)
    loaded = loader.engine._loaded
    assert loaded is not None
    model, context = loaded.pair.target, loaded.pair.target_context
    known: dict[tuple[int, ...], np.ndarray] = {}

    def logits(text: tuple[int, ...]) -> np.ndarray:
        if text not in known:
            context.remove_tail(0, 0)
            context.decode([(token, at, 0, at == len(text) - 1) for at, token in enumerate(text)])
            known[text] = context.logits(len(text) - 1).copy()
        return known[text]

    sampling = SamplingOptions(temperature=1.0, top_k=4, top_p=1.0, min_p=0.0, seed=11)
    prompt = tuple(model.tokenize("The best thing about summer is", special=False))
    bench = Bench(
        ScriptedModel(logits, model.n_vocab),
        ScriptedModel(lambda text: logits(text[-4:]), model.n_vocab),
        sampling,
    )
    sampler = Sampler(sampling)
    counts: dict[tuple[int, ...], int] = {}
    trials = 6_000
    drafter = bench.drafter("draft", 2, [0])
    for _ in range(trials):
        bench.target.cells, bench.draft.cells = {}, {}
        drafter.memory.held.clear()  # type: ignore[union-attr]
        track = bench.track(0, prompt, drafter, budget=3, n_ctx=100)
        track.sampler = sampler
        told = tuple(emitted(bench.run([track])[0]))
        counts[told] = counts.get(told, 0) + 1
    context.remove_tail(0, 0)
    expected = _expected(logits, prompt, sampling, trials)
    assert set(counts) <= set(expected)
    common = [told for told, want in expected.items() if want >= 8]
    observed = [counts.get(told, 0) for told in common]
    wanted = [expected[told] for told in common]
    rest = trials - sum(observed), trials - sum(wanted)
    if rest[1] > 8:
        observed.append(rest[0])
        wanted.append(rest[1])
    scale = sum(observed) / sum(wanted)
    assert len(common) > 5
    assert stats.chisquare(observed, [want * scale for want in wanted]).pvalue > 1e-4


def _expected(
    logits: Callable[[tuple[int, ...]], np.ndarray],
    prompt: tuple[int, ...],
    sampling: SamplingOptions,
    trials: int,
) -> dict[tuple[int, ...], float]:
    sampler = Sampler(sampling)
    level: dict[tuple[int, ...], float] = {(): float(trials)}
    for _ in range(3):
        following: dict[tuple[int, ...], float] = {}
        for told, want in level.items():
            p = sampler.distribution(logits(prompt + told), list(prompt + told))
            for token, chance in zip(p.ids.tolist(), p.probabilities.tolist(), strict=True):
                following[(*told, token)] = want * chance
        level = following
    return level


def test_rejection_accepts_more_than_draw_and_match(
    loader: Loader, target_model: Path, draft_model: Path
) -> None:
    """Not the figure (that is the bench's), only its sign, on one seed."""
    loader(target_model, draft_model)
    rates = []
    for match in (False, True):
        how = GenerationOptions(
            sampling=SamplingOptions(temperature=0.8, seed=5),
            speculation=Speculation.DRAFT,
            depth=4,
            max_tokens=90,
            draw_and_match=match,
        )
        stats_ = ask(loader.engine, "Once upon a time", how, raw=True).end.stats
        assert stats_.acceptance is not None
        rates.append(stats_.acceptance)
    assert rates[0] > rates[1] - 0.1


def test_greedy_penalties_reach_the_real_model(loader: Loader, starter_model: Path) -> None:
    loader(starter_model, starter_model)
    sampling = SamplingOptions(temperature=0.0, repeat_penalty=1.3)
    plain = ask(loader.engine, CHAT, options(Speculation.OFF, sampling=sampling)).text
    fast = ask(loader.engine, CHAT, options(Speculation.DRAFT, depth=3, sampling=sampling)).text
    free = ask(loader.engine, CHAT, options(Speculation.OFF, sampling=GREEDY)).text
    assert plain != free
    assert plain[:40] == fast[:40]
