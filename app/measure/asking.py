"""Asking an engine one thing at a time: send requests together, collect their answers, measure
around them. Notices a busy engine, a crash, and the wish to stop.

Times are the engine's own (its statistics), so pipes and this process cost nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from app.engine.protocol import (
    Cancel,
    ClearCache,
    Command,
    Event,
    Generate,
    GenerationFinished,
    LoadFailed,
    LogitsAt,
    LogitsRead,
    Measure,
    Measured,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    TextPiece,
    TokensGenerated,
    WorkerExited,
)
from app.engine.stats import GenerationStats
from app.errors import AppError, LoadError, RequestError
from app.measure.answered import Answered, Moment, Wave
from app.measure.link import EngineLink
from app.measure.meters import EnergyMeter, MemoryProbe, NoMeter, PeakWatch

POLL_SECONDS = 0.1
CANCEL_SECONDS = 20.0  # a step on a slow machine, and a prompt chunk before it
LOAD_SECONDS = 1800.0
CRASH_CODES = ("engine_crashed", "engine_stopped", "not_loaded")

Reply = TypeVar("Reply", bound=Event)


class EngineLost(AppError):
    """The engine's process ended; it may be started again.

    Attributes:
        is_restarting: the client starts it again by itself.
    """

    is_restarting = False


class Stopped(AppError):
    """The user asked to stop; what was measured is kept."""


@dataclass(slots=True)
class _Growing:
    """An answer as it arrives."""

    pieces: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def take(self, pieces: Iterable[TextPiece], ids: tuple[int, ...], at: GenerationStats) -> str:
        text = "".join(piece.text for piece in pieces if not piece.reasoning)
        self.pieces.append(text)
        self.ids.extend(ids)
        if text or ids:
            seconds = at.ttft_seconds + at.generation_seconds
            self.moments.append(Moment(seconds, text, len(ids)))
        return text


@dataclass(slots=True)
class Asker:
    """An engine link with the meters around it.

    Attributes:
        should_stop: asked often; True ends what is running with `Stopped`.
        on_text: called with request id, new text and newest statistics, for display.
        on_answer: called for each answer when it has ended.
    """

    link: EngineLink
    meter: EnergyMeter = field(default_factory=NoMeter)
    memory: MemoryProbe | None = None
    should_stop: Callable[[], bool] = lambda: False
    on_text: Callable[[str, str, GenerationStats], None] = lambda _id, _text, _stats: None
    on_answer: Callable[[Answered], None] = lambda _answer: None
    clock: Callable[[], float] = time.monotonic

    def ask(self, requests: Sequence[Generate], *, fresh: bool = True) -> Wave:
        """Send requests together and wait for all answers.

        Args:
            fresh: forget kept prompts first, so that nobody profits from who came before.

        Raises:
            EngineLost, Stopped.
            RequestError: the engine refused one, or is busy with something else.
        """
        if fresh:
            self.link.send(ClearCache())
        growing = {request.request_id: _Growing() for request in requests}
        answers: dict[str, Answered] = {}
        watch = PeakWatch(self.memory)
        self.meter.begin()
        try:
            for request in requests:
                self.link.send(request)
            while len(answers) < len(requests):
                event = self.link.next_event(POLL_SECONDS)
                watch.look(self.clock(), self.link.pid)
                if event is not None:
                    self._take(event, growing, answers)
                if self.should_stop():
                    raise Stopped("measure_stopped")
        except AppError as error:
            self.meter.end()
            if not isinstance(error, EngineLost):
                self._cancel([each for each in growing if each not in answers])
            raise
        energy = self.meter.end()
        done = tuple(answers[request.request_id] for request in requests)
        return Wave(done, max(each.latency_seconds for each in done), energy, watch.peak)

    def measure(self, command: Measure) -> Measured:
        """Roofline: time the pair by rows.

        Raises:
            EngineLost, Stopped, RequestError.
        """
        return self._answer_to(command, command.request_id, Measured)

    def logits_at(self, command: LogitsAt) -> LogitsRead:
        """What the target holds of some tokens.

        Raises:
            EngineLost, Stopped, RequestError.
        """
        return self._answer_to(command, command.request_id, LogitsRead)

    def recover(self, lost: EngineLost) -> ModelsLoaded:
        """Start the engine again after its end, with the same pair.

        Raises:
            LoadError: the pair could not be loaded.
            EngineLost: it ended again.
            Stopped.
        """
        if not lost.is_restarting:
            self.link.restart()
        deadline = self.clock() + LOAD_SECONDS
        while self.clock() < deadline:
            event = self.link.next_event(POLL_SECONDS)
            if isinstance(event, ModelsLoaded):
                return event
            if isinstance(event, LoadFailed):
                raise LoadError(event.code, **event.detail)
            if isinstance(event, WorkerExited) and not event.expected:
                raise _lost(event)
            if self.should_stop():
                raise Stopped("measure_stopped")
        raise EngineLost("engine_crashed", reason="no answer while loading")

    # inside

    def _answer_to(self, command: Command, request_id: str, kind: type[Reply]) -> Reply:
        self.link.send(command)
        while True:
            event = self.link.next_event(POLL_SECONDS)
            if isinstance(event, kind) and getattr(event, "request_id", "") == request_id:
                return event
            if event is not None:
                self._refuse(event, (request_id,))
            if self.should_stop():
                self.link.send(Cancel(request_id))
                raise Stopped("measure_stopped")

    def _take(
        self, event: Event, growing: dict[str, _Growing], answers: dict[str, Answered]
    ) -> None:
        self._refuse(event, growing)
        if isinstance(event, TokensGenerated):
            text = growing[event.request_id].take(event.pieces, event.token_ids, event.stats)
            self.on_text(event.request_id, text, event.stats)
        elif isinstance(event, GenerationFinished) and event.request_id in growing:
            grown = growing[event.request_id]
            text = grown.take(event.pieces, (), event.stats)
            self.on_text(event.request_id, text, event.stats)
            answer = Answered(
                event.request_id,
                "".join(grown.pieces),
                tuple(grown.ids),
                event.reason,
                event.stats,
                event.speculation,
                tuple(grown.moments),
            )
            answers[event.request_id] = answer
            self.on_answer(answer)

    def _refuse(self, event: Event, ours: Iterable[str]) -> None:
        """Raise what an event means beyond progress.

        Raises:
            EngineLost: the process ended.
            RequestError: one of `ours` failed, or the engine works for somebody else.
        """
        match event:
            case WorkerExited(expected=False):
                raise _lost(event)
            case RequestFailed(code=code) if code in CRASH_CODES:
                raise self._how_it_ended(event)
            case RequestFailed(request_id=request_id) if request_id in set(ours):
                raise RequestError(event.code, **event.detail)
            case TokensGenerated() | PromptProgress():
                if event.request_id not in set(ours):
                    raise RequestError("measuring_needs_quiet", request_id=event.request_id)
            case _:
                return

    def _how_it_ended(self, failed: RequestFailed) -> EngineLost:
        """A crash is told twice: by its requests, then by the process; wait for the second, or it
        would be taken for the end of the next process.
        """
        deadline = self.clock() + CANCEL_SECONDS
        while failed.code == "engine_crashed" and self.clock() < deadline:
            event = self.link.next_event(POLL_SECONDS)
            if isinstance(event, WorkerExited):
                return _lost(event)
        return EngineLost(failed.code, **({"reason": ""} | failed.detail))

    def _cancel(self, request_ids: list[str]) -> None:
        """End what still runs, so that the engine is quiet when this returns."""
        for request_id in request_ids:
            self.link.send(Cancel(request_id))
        left = set(request_ids)
        deadline = self.clock() + CANCEL_SECONDS
        while left and self.clock() < deadline:
            event = self.link.next_event(POLL_SECONDS)
            if isinstance(event, GenerationFinished | RequestFailed):
                left.discard(event.request_id)
            elif isinstance(event, WorkerExited):
                return


def shortened(request: Generate, request_id: str, max_tokens: int) -> Generate:
    """The same request for warming up: other id, few tokens."""
    limit = request.options.max_tokens
    most = max_tokens if limit is None else min(limit, max_tokens)
    return replace(
        request, request_id=request_id, options=replace(request.options, max_tokens=most)
    )


def _lost(event: WorkerExited) -> EngineLost:
    """The client gives code and values; without a code it ended as if it had been asked to."""
    detail = dict(event.detail)
    code = detail.pop("code", None)
    detail.setdefault("reason", event.signal_name or str(event.exit_code))
    lost = EngineLost(code if isinstance(code, str) else "engine_stopped", **detail)
    lost.is_restarting = event.retrying
    return lost
