"""The worker's loop without a process: order, fairness, and that every request gets one end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.engine.inbox import Inbox
from app.engine.protocol import (
    Cancel,
    ClearCache,
    Command,
    DeviceInfo,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    LoadProgress,
    LogitsAt,
    LogitsRead,
    Measure,
    Measured,
    ModelsLoaded,
    RequestFailed,
    Shutdown,
    TokensGenerated,
    Unloaded,
    UnloadModels,
)
from app.engine.stats import GenerationStats
from app.engine.worker_loop import WorkerLoop
from app.errors import AppError
from tests.process import scripted

STATS = GenerationStats()


class FakeEngine:
    """Each request takes `steps` steps; `before_step` lets a test act in the middle."""

    def __init__(self, steps: int = 2) -> None:
        self.steps = steps
        self.left: dict[str, int] = {}
        self.cancelled: set[str] = set()
        self.calls: list[str] = []
        self.before_step: Callable[[int], None] = lambda number: None
        self.step_number = 0
        self.loses: str | None = None

    @property
    def active(self) -> int:
        return len(self.left)

    def describe(self) -> tuple[dict[str, str], tuple[DeviceInfo, ...], str | None]:
        return {}, (), None

    def load(self, command: LoadModels, progress: Callable[[str, float], bool]) -> ModelsLoaded:
        for percent in range(0, 1001):
            if not progress("target", percent / 1000):
                raise AppError("load_cancelled")
        return scripted.loaded(command)

    def unload(self) -> None:
        self.calls.append("unload")

    def start(self, command: Generate, received_at: float) -> None:
        self.calls.append(f"start {command.request_id}")
        self.left[command.request_id] = self.steps

    def cancel(self, request_id: str) -> None:
        self.cancelled.add(request_id)

    def clear_cache(self) -> None:
        self.calls.append("clear")

    def step(self) -> list[Event]:
        self.step_number += 1
        self.before_step(self.step_number)
        if self.loses is not None:
            self.left.pop(self.loses, None)
        events: list[Event] = []
        for request_id in list(self.left):
            self.left[request_id] -= 1
            if request_id in self.cancelled or self.left[request_id] < 0:
                del self.left[request_id]
                why = FinishReason.CANCELLED if request_id in self.cancelled else FinishReason.END
                events.append(GenerationFinished(request_id, why, STATS))
            else:
                events.append(TokensGenerated(request_id, (), (), STATS))
        return events

    def measure(self, command: Measure, keep_going: Callable[[], bool]) -> Measured:
        self.calls.append(f"measure {command.request_id} beside {self.active}")
        return Measured(command.request_id, (), None, 1)

    def logits_at(self, command: LogitsAt) -> LogitsRead:
        self.calls.append(f"logits {command.request_id} beside {self.active}")
        return LogitsRead(command.request_id, (), (), 0, 0.0)

    def close(self) -> None:
        self.calls.append("close")


def run(
    engine: FakeEngine, *commands: Command, at_step: dict[int, list[Command]] | None = None
) -> list[Event]:
    """Serve these commands, and others that arrive during a step, until nothing is left."""
    events: list[Event] = []
    inbox = Inbox()

    def emit(event: Event) -> bool:
        events.append(event)
        return True

    def arrive(number: int) -> None:
        for command in (at_step or {}).get(number, []):
            inbox.put(command)

    for command in commands:
        inbox.put(command)
    if at_step is not None:
        engine.before_step = arrive
    loop = WorkerLoop(engine, inbox, emit, lambda: None)
    _end_when_idle(inbox)
    loop.run()
    return events


def _end_when_idle(inbox: Inbox) -> None:
    """Put Shutdown where the loop would begin to wait."""
    take = inbox.pop

    def pop(*, wait: bool) -> object:
        arrival = take(wait=False)
        if arrival is None and wait:
            inbox.put(Shutdown())
            return take(wait=False)
        return arrival

    inbox.pop = pop  # type: ignore[method-assign, assignment]


LOAD = LoadModels(scripted.model())


def ends(events: list[Event]) -> list[Event]:
    return [e for e in events if isinstance(e, GenerationFinished | RequestFailed | Measured)]


def test_progress_is_thinned_but_its_end_is_never_lost() -> None:
    progress = [e for e in run(FakeEngine(), LOAD) if isinstance(e, LoadProgress)]
    assert progress[0].fraction == 0.0
    assert progress[-1].fraction == 1.0
    assert 90 <= len(progress) <= 102


def test_first_come_first_served_within_what_was_loaded() -> None:
    engine = FakeEngine()
    run(engine, LOAD, Generate("a"), Generate("b"), Measure("m"), Generate("c"))
    assert engine.calls == ["start a", "start b", "measure m beside 0", "start c"]


def test_logits_are_read_on_a_quiet_engine() -> None:
    engine = FakeEngine()
    events = run(engine, LOAD, Generate("a"), LogitsAt("l"), Generate("b"))
    assert engine.calls == ["start a", "logits l beside 0", "start b"]
    assert [e.request_id for e in events if isinstance(e, LogitsRead)] == ["l"]


def test_every_request_ends_exactly_once_whatever_the_engine_does() -> None:
    engine = FakeEngine(steps=5)

    def fail(number: int) -> None:
        if number == 3:
            raise ValueError("broken")

    engine.before_step = fail
    two = LoadModels(scripted.model(), n_parallel=2)
    events = run(engine, two, Generate("a"), Generate("b"), Generate("c"))
    assert [(e.request_id, type(e)) for e in ends(events)] == [  # type: ignore[union-attr]
        ("a", RequestFailed),
        ("b", RequestFailed),
        ("c", GenerationFinished),
    ]


def test_an_error_that_names_nobody_known_fails_all() -> None:
    engine = FakeEngine()

    def fail(number: int) -> None:
        raise AppError("decode_failed", request_id="someone else")

    engine.before_step = fail
    events = run(engine, LOAD, Generate("a"))
    assert [e.code for e in events if isinstance(e, RequestFailed)] == ["decode_failed"]


def test_a_lost_request_fails_instead_of_spinning_for_ever() -> None:
    engine = FakeEngine()
    engine.loses = "a"
    assert ends(run(engine, LOAD, Generate("a"))) == [
        RequestFailed("a", "engine_error", {"reason": "the engine lost a request"})
    ]


def test_a_request_sent_twice_is_answered_once() -> None:
    two = LoadModels(scripted.model(), n_parallel=2)
    events = run(FakeEngine(), two, Generate("a"), Generate("a"))
    assert ends(events) == [GenerationFinished("a", FinishReason.END, STATS)]


@pytest.mark.parametrize("request_", [Generate("q"), Measure("q"), LogitsAt("q")])
def test_a_queued_request_is_cancelled_without_reaching_the_engine(
    request_: Generate | Measure | LogitsAt,
) -> None:
    engine = FakeEngine()
    events = run(engine, LOAD, Generate("a"), request_, Cancel("q"))
    assert engine.calls == ["start a"]
    assert {e.request_id for e in ends(events)} == {"a", "q"}  # type: ignore[union-attr]


def test_a_load_that_is_outdated_before_it_begins_is_not_begun() -> None:
    engine = FakeEngine()
    events = run(engine, LOAD, LOAD)
    assert [type(e) for e in events if not isinstance(e, LoadProgress)] == [
        LoadFailed,
        ModelsLoaded,
    ]


def test_unloading_finishes_what_runs_and_ends_the_loop() -> None:
    engine = FakeEngine(steps=100)
    later: dict[int, list[Command]] = {3: [UnloadModels(), Generate("c")]}
    events = run(engine, LOAD, Generate("a"), Generate("b"), at_step=later)
    assert [type(e) for e in events[-3:]] == [GenerationFinished, GenerationFinished, Unloaded]
    assert {e.request_id for e in ends(events)} == {"a", "b"}  # type: ignore[union-attr]
    assert engine.calls == ["start a", "unload"]


def test_a_cancel_takes_effect_at_the_step_after_its_arrival() -> None:
    engine = FakeEngine(steps=100)
    run(engine, LOAD, Generate("a"), at_step={3: [Cancel("a")]})
    assert engine.step_number == 4


def test_the_cache_is_cleared_in_its_turn_and_only_with_models() -> None:
    engine = FakeEngine()
    run(engine, ClearCache(), LOAD, ClearCache())
    assert engine.calls == ["clear"]


def test_when_nobody_listens_the_loop_ends_in_the_middle_of_an_answer() -> None:
    engine = FakeEngine(steps=1_000_000)
    inbox = Inbox()
    inbox.put(LOAD)
    inbox.put(Generate("a"))
    heard: list[Event] = []

    def emit(event: Event) -> bool:
        heard.append(event)
        return not isinstance(event, TokensGenerated)

    WorkerLoop(engine, inbox, emit, lambda: None).run()
    assert engine.step_number == 1
