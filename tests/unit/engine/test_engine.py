"""The engine on a scripted pair: places and what they remember, cancelling, refusals, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.conversation import ChatMessage, Role
from app.engine import engine as engine_module
from app.engine.costs import CostModel
from app.engine.engine import Engine
from app.engine.protocol import (
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    GenerationOptions,
    KvType,
    LoadModels,
    Measure,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    SamplingOptions,
    Speculation,
    TokensGenerated,
)
from app.engine.tracks import Row
from app.errors import AppError, LoadError, RequestError
from tests.unit.engine.scripted_model import ScriptedModel, peaked, plain

VOCAB = 27  # the end token and the letters a to z
RULE = peaked(VOCAB, 5, never_end=True)


class Words:
    """The target's file: letters are tokens, without a template of its own."""

    template: str | None = None
    bos = eos = ""
    name = architecture = "scripted"
    n_vocab = VOCAB
    window = 0

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        del special
        return [(ord(letter) - 97) % 26 + 1 for letter in text]

    def piece(self, token: int) -> bytes:
        return chr(96 + token).encode()

    def is_end(self, token: int) -> bool:
        return token == 0

    def knows(self, text: str) -> bool:
        del text
        return False


class Memory(ScriptedModel):
    """A scripted memory that may be told to fail."""

    fails: Callable[[Sequence[Row]], bool] | None = None

    def decode(self, rows: Sequence[Row]) -> float:
        if self.fails is not None and self.fails(rows):
            raise RequestError("decode_failed", status=-3)
        return super().decode(rows)


class ScriptedPair:
    """What `load_pair` gives."""

    def __init__(self, command: LoadModels, *, with_draft: bool, n_ctx: int, rewinds: bool) -> None:
        self.command = command
        self.target = Words()
        self.target_context = Memory(RULE, VOCAB, can_rewind=rewinds)
        self.draft_context = (
            Memory(peaked(VOCAB, 5, wrong_in_hundred=30, never_end=True), VOCAB)
            if with_draft
            else None
        )
        self.n_ctx = n_ctx
        self.on_cuda = False
        self.target_rewinds = rewinds
        self.steps: list[Any] = []
        self.closed = 0

    def close(self) -> None:
        self.closed += 1

    def describe(self, load_seconds: float, devices: object, *, own_template: bool) -> ModelsLoaded:
        del devices
        return ModelsLoaded(
            cast(Any, None),
            None,
            self.n_ctx,
            self.n_ctx,
            self.command.n_parallel,
            1,
            KvType.F16,
            load_seconds,
            steps=tuple(self.steps),
            has_template=own_template,
        )


class Desk:
    """An engine with a scripted pair, and short ways to use it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.pairs: list[ScriptedPair] = []
        self.shape: dict[str, Any] = {"with_draft": True, "n_ctx": 400, "rewinds": True}
        llama = SimpleNamespace(
            start=lambda _: None, versions=lambda: {"scripted": "1"}, devices=lambda: ()
        )
        patch.setattr(engine_module, "llama", llama)
        patch.setattr(engine_module, "load_pair", self._load_pair)
        patch.setattr(engine_module, "first_costs", lambda _: CostModel({1: 0.01, 4: 0.011}, 0.001))
        self.engine = Engine()

    def _load_pair(self, command: LoadModels, progress: object) -> ScriptedPair:
        del progress
        self.pairs.append(ScriptedPair(command, **self.shape))
        return self.pairs[-1]

    def load(self, n_parallel: int = 1, **shape: Any) -> ModelsLoaded:
        self.shape |= shape
        command = LoadModels(Path("/t.gguf"), n_parallel=n_parallel)
        return self.engine.load(command, lambda *_: True)

    @property
    def pair(self) -> ScriptedPair:
        return self.pairs[-1]

    def start(
        self, name: str, prompt: str, how: Speculation = Speculation.OFF, **other: Any
    ) -> None:
        settings = {"sampling": SamplingOptions(temperature=0.0), "max_tokens": 10} | other
        options = GenerationOptions(speculation=how, **settings)
        self.engine.start(Generate(name, prompt=prompt, options=options), 0.0)

    def run(self) -> list[Event]:
        events: list[Event] = []
        while self.engine.active:
            events.extend(self.engine.step())
        return events

    def ask(self, prompt: str, how: Speculation = Speculation.OFF, **other: Any) -> list[Event]:
        self.start("one", prompt, how, **other)
        return self.run()


def ids(events: Sequence[Event], name: str = "one") -> list[int]:
    return [
        token
        for event in events
        if isinstance(event, TokensGenerated) and event.request_id == name
        for token in event.token_ids
    ]


def text(events: Sequence[Event], name: str = "one") -> str:
    return "".join(
        piece.text
        for event in events
        if isinstance(event, TokensGenerated | GenerationFinished) and event.request_id == name
        for piece in event.pieces
    )


def end(events: Sequence[Event], name: str = "one") -> GenerationFinished:
    ends = [
        event
        for event in events
        if isinstance(event, GenerationFinished) and event.request_id == name
    ]
    assert len(ends) == 1, events
    return ends[0]


def truth(prompt: str, count: int = 10, n_ctx: int = 400) -> list[int]:
    return plain(RULE, Words().tokenize(prompt, special=True), count, n_ctx)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    desk = Desk(monkeypatch)
    desk.load()
    yield desk
    desk.engine.close()
    assert all(pair.closed == 1 for pair in desk.pairs)


# --- loading --------------------------------------------------------------------------------------


def test_a_missing_template_is_said_while_loading(desk: Desk) -> None:
    loaded = desk.load()
    assert not loaded.has_template
    assert [step.code for step in loaded.steps] == ["template_missing"]
    assert len(desk.pairs) == 2  # the first is closed; the fixture looks


def test_a_load_that_fails_after_all_leaves_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> CostModel:
        raise LoadError("model_damaged", path="/t.gguf")

    monkeypatch.setattr(engine_module, "first_costs", fail)
    with pytest.raises(LoadError):
        desk.load()
    with pytest.raises(RequestError) as raised:
        desk.start("one", "abc")
    assert raised.value.code == "not_loaded"


def test_without_models_everything_is_refused(desk: Desk) -> None:
    desk.engine.unload()
    attempts: tuple[Callable[[], object], ...] = (
        lambda: desk.start("one", "abc"),
        desk.engine.step,
        desk.engine.clear_cache,
        lambda: desk.engine.measure(Measure("m"), lambda: True),
    )
    for attempt in attempts:
        with pytest.raises(RequestError) as raised:
            attempt()
        assert raised.value.code == "not_loaded"


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", Speculation)
@pytest.mark.parametrize("depth", [None, 0, 1, 5])
def test_every_way_of_drafting_writes_the_same(
    desk: Desk, how: Speculation, depth: int | None
) -> None:
    prompt = "abcabcabcabc"
    events = desk.ask(prompt, how, depth=depth, max_tokens=30)
    assert ids(events) == truth(prompt, 30)
    assert text(events) == "".join(chr(96 + token) for token in truth(prompt, 30))
    assert end(events).reason is FinishReason.LENGTH
    assert end(events).stats.generated_tokens == 30


def test_a_long_prompt_is_read_in_chunks_with_progress(desk: Desk) -> None:
    prompt = "x" * 200
    events = desk.ask(prompt)
    progress = [event for event in events if isinstance(event, PromptProgress)]
    assert len(progress) >= 4
    done = [event.done_tokens for event in progress]
    assert done == sorted(done)
    assert done[-1] == progress[-1].total_tokens == 200
    assert ids(events) == truth(prompt)


def test_an_answer_ends_where_the_context_does(desk: Desk) -> None:
    desk.load(n_ctx=40)
    for how in (Speculation.OFF, Speculation.DRAFT):
        events = desk.ask("y" * 30, how, max_tokens=None)
        assert end(events).reason is FinishReason.CONTEXT
        assert ids(events) == truth("y" * 30, 100, n_ctx=40)


def test_messages_are_put_into_the_fallback_format(desk: Desk) -> None:
    command = Generate(
        "one",
        messages=(ChatMessage(Role.USER, "abc"),),
        options=GenerationOptions(SamplingOptions(temperature=0.0), max_tokens=2),
    )
    desk.engine.start(command, 0.0)
    assert end(desk.run()).stats.prompt_tokens > 3


def test_a_stop_string_inside_an_accepted_run_is_forgotten_behind_it(desk: Desk) -> None:
    written = "".join(chr(96 + token) for token in truth("abc", 20))
    stop = written[7:9]
    for how in (Speculation.OFF, Speculation.DRAFT):
        desk.engine.clear_cache()
        events = desk.ask("abc", how, depth=6, max_tokens=20, stop=(stop,))
        assert end(events).reason is FinishReason.STOP_STRING
        assert text(events) == written[: written.index(stop)]
        loaded = desk.engine._loaded
        assert loaded is not None
        slot = loaded.slots[0]
        held = desk.pair.target_context.cells[0]
        assert held[: slot.in_memory] == slot.tokens[: slot.in_memory]
        assert len(held) == slot.in_memory <= len(slot.tokens)


# --- what is remembered ---------------------------------------------------------------------------


def follow_up(prompt: str, events: Sequence[Event], more: str) -> str:
    return prompt + text(events) + more


@pytest.mark.parametrize("how", [Speculation.OFF, Speculation.DRAFT, Speculation.AUTO])
def test_the_next_turn_reads_only_what_is_new(desk: Desk, how: Speculation) -> None:
    first = desk.ask("hello", how)
    prompt = follow_up("hello", first, "and")
    before = desk.pair.target_context.rows
    second = desk.ask(prompt, how, depth=0, max_tokens=1)
    stats = end(second).stats
    assert stats.prompt_tokens == len(prompt)
    assert stats.cached_tokens == len("hello") + 9  # the last token was never read
    assert desk.pair.target_context.rows - before == 4
    assert ids(second) == truth(prompt, 1)


def test_an_edited_prompt_keeps_what_is_common(desk: Desk) -> None:
    desk.ask("abcdefgh")
    events = desk.ask("abcdexyz")
    assert end(events).stats.cached_tokens == 5
    assert ids(events) == truth("abcdexyz")


def test_the_same_prompt_again_reads_its_last_token(desk: Desk) -> None:
    desk.ask("abc")
    events = desk.ask("abc")
    assert end(events).stats.cached_tokens == 2
    assert ids(events) == truth("abc")


def test_each_conversation_finds_its_own_place(desk: Desk) -> None:
    desk.load(n_parallel=2)
    first, other = desk.ask("first"), desk.ask("other")
    again = desk.ask(follow_up("first", first, "a"))
    assert end(again).stats.cached_tokens == 14
    also = desk.ask(follow_up("other", other, "b"))
    assert end(also).stats.cached_tokens == 14


def test_a_new_conversation_takes_the_place_unused_longest(desk: Desk) -> None:
    desk.load(n_parallel=2)
    first, second = desk.ask("first"), desk.ask("second")
    desk.ask("third")
    assert end(desk.ask(follow_up("second", second, "b"))).stats.cached_tokens == 15
    # "third" and the one above hold the places now
    assert end(desk.ask(follow_up("first", first, "a"))).stats.cached_tokens == 0


def test_a_cleared_cache_starts_cold_but_leaves_running_answers(desk: Desk) -> None:
    desk.load(n_parallel=2)
    desk.ask("abc")
    desk.start("running", "xyz", Speculation.DRAFT, depth=3)
    desk.engine.step()
    desk.engine.clear_cache()
    events = desk.run()
    assert ids(events, "running")[-3:] == truth("xyz")[-3:]
    assert end(desk.ask("abc")).stats.cached_tokens == 0


# --- several at once ------------------------------------------------------------------------------


@pytest.mark.parametrize("how", Speculation)
def test_answers_at_once_equal_answers_alone(desk: Desk, how: Speculation) -> None:
    desk.load(n_parallel=3)
    prompts = {"a": "alpha", "b": "b" * 150, "c": "charlie"}
    for name, prompt in prompts.items():
        desk.start(name, prompt, how, max_tokens=20)
    events = desk.run()
    for name, prompt in prompts.items():
        assert ids(events, name) == truth(prompt, 20)


def test_one_more_than_there_are_places_is_refused_and_the_rest_go_on(desk: Desk) -> None:
    desk.load(n_parallel=2)
    desk.start("a", "alpha")
    desk.start("b", "beta")
    with pytest.raises(RequestError) as raised:
        desk.start("c", "gamma")
    assert (raised.value.code, raised.value.detail) == ("all_busy", {"n_parallel": 2})
    assert desk.engine.active == 2
    events = desk.run()
    assert ids(events, "a") == truth("alpha")
    assert ids(events, "b") == truth("beta")
    desk.start("c", "gamma")
    assert ids(desk.run(), "c") == truth("gamma")


# --- cancelling -----------------------------------------------------------------------------------


def test_cancelling_before_anything_was_read(desk: Desk) -> None:
    desk.start("one", "abc")
    desk.engine.cancel("one")
    events = desk.engine.step()
    assert end(events).reason is FinishReason.CANCELLED
    assert (desk.engine.active, desk.pair.target_context.passes) == (0, 0)
    assert ids(desk.ask("abc")) == truth("abc")


def test_cancelling_inside_the_prompt_keeps_what_was_read(desk: Desk) -> None:
    prompt = "p" * 300
    desk.start("one", prompt)
    seen = desk.engine.step()
    assert isinstance(seen[-1], PromptProgress)
    desk.engine.cancel("one")
    assert end(desk.engine.step()).reason is FinishReason.CANCELLED
    events = desk.ask(prompt)
    assert end(events).stats.cached_tokens == seen[-1].done_tokens
    assert ids(events) == truth(prompt)


@pytest.mark.parametrize("how", [Speculation.OFF, Speculation.DRAFT])
def test_cancelling_an_answer_takes_one_step_and_keeps_its_text(
    desk: Desk, how: Speculation
) -> None:
    desk.start("one", "abc", how, max_tokens=200)
    events = [event for _ in range(4) for event in desk.engine.step()]
    desk.engine.cancel("one")
    passes = desk.pair.target_context.passes
    last = desk.engine.step()
    assert desk.pair.target_context.passes == passes
    assert end(last).reason is FinishReason.CANCELLED
    written = ids(events)
    assert written == truth("abc", len(written))
    assert end(last).stats.generated_tokens == len(written)
    # and the next turn finds it
    following = follow_up("abc", [*events, *last], "d")
    assert end(desk.ask(following)).stats.cached_tokens >= len(written) + 2


def test_cancelling_what_is_not_there_does_nothing(desk: Desk) -> None:
    desk.engine.cancel("nobody")
    desk.ask("abc")
    desk.engine.cancel("one")
    assert desk.engine.step() == []


def test_cancelling_one_leaves_the_other(desk: Desk) -> None:
    desk.load(n_parallel=2)
    desk.start("a", "alpha", Speculation.DRAFT, max_tokens=100)
    desk.start("b", "beta", Speculation.DRAFT, max_tokens=20)
    events = [event for _ in range(4) for event in desk.engine.step()]
    desk.engine.cancel("a")
    events += desk.run()
    assert end(events, "a").reason is FinishReason.CANCELLED
    assert ids(events, "b") == truth("beta", 20)


# --- refusals -------------------------------------------------------------------------------------


def refusal(
    desk: Desk, prompt: str = "abc", how: Speculation = Speculation.OFF, **other: Any
) -> AppError:
    with pytest.raises(RequestError) as raised:
        desk.start("one", prompt, how, **other)
    assert desk.engine.active == 0
    return raised.value


def test_a_prompt_that_does_not_fit_says_how_long_and_what_fits(desk: Desk) -> None:
    desk.load(n_ctx=50)
    error = refusal(desk, "z" * 50)
    assert error.code == "prompt_too_long"
    assert error.detail == {"prompt_tokens": 50, "fits": 49}
    assert ids(desk.ask("z" * 49, max_tokens=5)) == truth("z" * 49, 5, n_ctx=50)


def test_an_empty_prompt_is_refused(desk: Desk) -> None:
    assert refusal(desk, "").code == "prompt_empty"


@pytest.mark.parametrize("wrong", [{"depth": 16}, {"depth": -1}, {"max_depth": 16}])
def test_a_depth_that_cannot_be_is_refused(desk: Desk, wrong: dict[str, int]) -> None:
    error = refusal(desk, how=Speculation.DRAFT, **wrong)
    assert (error.code, error.detail["most"]) == ("depth_out_of_range", 15)


def test_a_draft_that_is_not_there_is_refused_and_auto_does_without(desk: Desk) -> None:
    desk.load(with_draft=False)
    assert refusal(desk, how=Speculation.DRAFT).code == "no_draft_for_request"
    for how in (Speculation.AUTO, Speculation.LOOKUP):
        assert ids(desk.ask("abcabc", how)) == truth("abcabc")


def test_a_target_that_cannot_rewind_is_never_drafted_for(desk: Desk) -> None:
    desk.load(with_draft=False, rewinds=False)
    for how in (Speculation.DRAFT, Speculation.LOOKUP):
        error = refusal(desk, how=how)
        assert (error.code, error.detail) == ("target_cannot_rewind", {"architecture": "scripted"})
    first = desk.ask("abc", Speculation.AUTO)
    assert ids(first) == truth("abc")
    # it cannot go back to a common beginning either, only on from the end
    events = desk.ask("abd")
    assert end(events).stats.cached_tokens == 0
    assert ids(events) == truth("abd")
    assert end(desk.ask(follow_up("abd", events, "e"))).stats.cached_tokens == 12


def test_measuring_needs_a_quiet_engine(desk: Desk) -> None:
    desk.start("one", "abc")
    with pytest.raises(RequestError) as raised:
        desk.engine.measure(Measure("m"), lambda: True)
    assert raised.value.code == "measuring_needs_quiet"
    assert ids(desk.run()) == truth("abc")


# --- failures -------------------------------------------------------------------------------------


def test_a_prompt_that_fails_costs_no_other_answer(desk: Desk) -> None:
    desk.load(n_parallel=2)
    desk.start("good", "alpha", max_tokens=20)
    events = desk.engine.step()
    place = desk.engine._answers["good"].track.id
    desk.pair.target_context.fails = lambda rows: any(row[2] != place for row in rows)
    desk.start("bad", "beta")
    events += desk.engine.step()
    desk.pair.target_context.fails = None
    events += desk.run()
    failed = [event for event in events if isinstance(event, RequestFailed)]
    assert failed == [RequestFailed("bad", "decode_failed", {"status": -3})]
    assert ids(events, "good") == truth("alpha", 20)


def test_a_draft_that_fails_at_a_prompt_is_told_of_that_request(desk: Desk) -> None:
    draft = desk.pair.draft_context
    assert draft is not None
    draft.fails = lambda _: True
    events = desk.ask("abc", Speculation.DRAFT)
    assert events == [RequestFailed("one", "decode_failed", {"status": -3})]
    draft.fails = None
    assert ids(desk.ask("abc", Speculation.DRAFT)) == truth("abc")


@pytest.mark.parametrize("how", [Speculation.OFF, Speculation.DRAFT, Speculation.AUTO])
@pytest.mark.parametrize("who", ["target", "draft"])
def test_a_step_that_fails_forgets_the_memory_and_the_engine_goes_on(
    desk: Desk, how: Speculation, who: str
) -> None:
    desk.start("one", "abc", how, depth=3, max_tokens=50)
    events = [event for _ in range(3) for event in desk.engine.step()]
    memory = desk.pair.target_context if who == "target" else desk.pair.draft_context
    assert memory is not None
    memory.fails = lambda _: True
    for _ in range(5):
        if desk.engine.active:
            events += desk.engine.step()
    memory.fails = None
    events += desk.run()
    if how is Speculation.OFF and who == "draft":
        assert end(events).stats.generated_tokens == 50
        return
    assert isinstance(events[-1], RequestFailed)
    written = ids(events)
    assert written == truth("abc", len(written))  # what was said before was right
    again = desk.ask("abc", how, depth=3)
    assert end(again).stats.cached_tokens == 0
    assert ids(again) == truth("abc")
