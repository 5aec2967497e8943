"""The worker's loop: which command comes next, which requests run, and who is told when one fails.

Pure Python over the engine's Protocol, testable without a process. Must not import PySide6 or
llama_cpp.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar, assert_never

from app.engine.contract import EngineLike
from app.engine.inbox import Arrival, Inbox
from app.engine.protocol import (
    Cancel,
    ClearCache,
    Command,
    Detail,
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
    RequestFailed,
    Shutdown,
    Unloaded,
    UnloadModels,
)
from app.engine.stats import GenerationStats
from app.errors import AppError

logger = logging.getLogger(__name__)

T = TypeVar("T")
Failed = Callable[[str, Detail], None]

PROGRESS_STEP = 0.01  # of a load; finer progress is not worth an event


class WorkerLoop:
    """Serves commands until Shutdown, UnloadModels or the end of the client.

    Requests beyond the loaded n_parallel wait, first come first served; a measurement waits until
    it has the engine to itself.
    """

    def __init__(
        self,
        engine: EngineLike,
        inbox: Inbox,
        emit: Callable[[Event], bool],
        between_requests: Callable[[], None],
    ) -> None:
        """Take over an engine.

        `emit` returns False when nobody listens any more; `between_requests` is called when an
        answer or a load has ended.
        """
        self._engine = engine
        self._inbox = inbox
        self._send = emit
        self._between_requests = between_requests
        self._waiting: deque[Arrival] = deque()
        self._running: set[str] = set()
        self._n_parallel = 0  # 0: nothing is loaded
        self._ending = False

    def run(self) -> None:
        """Serve until the end."""
        while not self._ending:
            self._take_commands(wait=not self._running and not self._waiting)
            if not self._ending:
                self._start_waiting()
            if self._running and not self._ending:
                self._step()

    # --- commands ---------------------------------------------------------------------------------

    def _take_commands(self, *, wait: bool) -> None:
        while not self._ending and (arrival := self._inbox.pop(wait=wait)) is not None:
            wait = False
            self._take(arrival)

    def _take(self, arrival: Arrival) -> None:
        command: Command = arrival.command
        match command:
            case Generate() | Measure() | LogitsAt():
                self._waiting.append(arrival)
            case Cancel(request_id=request_id):
                self._cancel(request_id)
            case LoadModels():
                self._load(command)
            case UnloadModels():
                self._unload()
            case ClearCache():
                if self._n_parallel:
                    self._attempt(self._engine.clear_cache, _log_failure)
            case Shutdown():
                self._ending = True
            case _:
                assert_never(command)

    def _cancel(self, request_id: str) -> None:
        if request_id in self._running:
            self._cancel_running(request_id)
            return
        for arrival in self._waiting:
            if _request_id(arrival) == request_id:
                self._waiting.remove(arrival)
                self._drop(arrival)
                return
        logger.info("request %s had ended before its cancel", request_id)

    def _cancel_running(self, request_id: str) -> None:
        self._attempt(partial(self._engine.cancel, request_id), _log_failure)

    def _drop(self, arrival: Arrival) -> None:
        """Tell the client that a request ends before it began."""
        if isinstance(arrival.command, Measure | LogitsAt):
            self._emit(RequestFailed(arrival.command.request_id, "measure_cancelled"))
        else:
            self._emit(_cancelled(_request_id(arrival)))

    def _load(self, command: LoadModels) -> None:
        self._end_all()
        self._n_parallel = 0
        if self._is_superseded():
            self._emit(LoadFailed("load_cancelled"))
            return
        progress = _Progress(self._emit, self._is_superseded)
        loaded = self._attempt(
            lambda: self._engine.load(command, progress.report),
            lambda code, detail: self._emit(LoadFailed(code, detail)),
        )
        if loaded is not None:
            self._n_parallel = loaded.n_parallel
            self._emit(loaded)
        self._between_requests()

    def _is_superseded(self) -> bool:
        """Whether a command waits that makes a load or a measurement pointless."""
        return self._ending or self._inbox.holds(LoadModels, UnloadModels, Shutdown)

    def _unload(self) -> None:
        """Free the models and end: only a process's end gives back what drivers keep."""
        self._end_all()
        self._attempt(self._engine.unload, _log_failure)
        self._emit(Unloaded())
        self._ending = True

    # --- requests ---------------------------------------------------------------------------------

    def _start_waiting(self) -> None:
        while self._waiting:
            command = self._waiting[0].command
            if isinstance(command, Measure | LogitsAt):
                if self._running:
                    return
                self._waiting.popleft()
                self._measure(command)
            elif isinstance(command, Generate):
                if self._n_parallel and len(self._running) >= self._n_parallel:
                    return
                self._start(command, self._waiting.popleft().received_at)
            if self._inbox.holds(Cancel, LoadModels, UnloadModels, Shutdown):
                return

    def _start(self, command: Generate, received_at: float) -> None:
        request_id = command.request_id
        if not self._n_parallel:
            self._emit(RequestFailed(request_id, "not_loaded"))
        elif request_id in self._running:
            # A failure under this id would end the answer that is running.
            logger.error("request %s was sent twice; the second is ignored", request_id)
        else:
            self._running.add(request_id)
            self._attempt(
                lambda: self._engine.start(command, received_at), partial(self._fail, request_id)
            )

    def _measure(self, command: Measure | LogitsAt) -> None:
        request_id = command.request_id
        if not self._n_parallel:
            self._emit(RequestFailed(request_id, "not_loaded"))
            return

        def keep_going() -> bool:
            return not (self._is_superseded() or self._inbox.cancels(request_id))

        def work() -> Measured | LogitsRead:
            if isinstance(command, LogitsAt):
                return self._engine.logits_at(command)
            return self._engine.measure(command, keep_going)

        measured: Measured | LogitsRead | None = self._attempt(
            work,
            lambda code, detail: self._emit(RequestFailed(request_id, code, detail)),
        )
        if measured is not None:
            self._emit(measured)

    def _step(self) -> None:
        events = self._attempt(self._engine.step, self._fail_step)
        for event in events or ():
            self._forward(event)
        if self._running and not self._engine.active:
            # Stepping on would spin for ever without an answer.
            self._fail_step("engine_error", {"reason": "the engine lost a request"})

    def _forward(self, event: Event) -> None:
        request_id = getattr(event, "request_id", None)
        if request_id is not None and request_id not in self._running:
            logger.info("an event of the ended request %s is dropped", request_id)
            return
        self._emit(event)
        if isinstance(event, GenerationFinished | RequestFailed):
            self._running.discard(event.request_id)
            self._between_requests()

    def _fail_step(self, code: str, detail: Detail) -> None:
        request_id = detail.get("request_id")
        concerned = {request_id} & self._running or set(self._running)
        for each in sorted(str(each) for each in concerned):
            self._fail(each, code, detail)
            self._cancel_running(each)

    def _fail(self, request_id: str, code: str, detail: Detail) -> None:
        self._running.discard(request_id)
        self._emit(RequestFailed(request_id, code, detail))
        self._between_requests()

    def _end_all(self) -> None:
        """Finish every request as cancelled, keeping what the running ones have written."""
        while self._waiting:
            self._drop(self._waiting.popleft())
        if self._running:
            for request_id in self._running:
                self._cancel_running(request_id)
            self._step()
        for request_id in sorted(self._running):
            self._emit(_cancelled(request_id))
        self._running.clear()

    # --- the edges --------------------------------------------------------------------------------

    def _attempt(self, work: Callable[[], T], failed: Failed) -> T | None:
        """Call into the engine: the one boundary where any failure becomes an answer."""
        try:
            return work()
        except AppError as error:
            logger.info("refused: %s", error)
            failed(error.code, error.detail)
        except Exception as error:
            logger.exception("the engine failed")
            failed("engine_error", {"reason": f"{type(error).__name__}: {error}"})
        return None

    def _emit(self, event: Event) -> None:
        if not self._send(event):
            self._ending = True


class _Progress:
    """Passes load progress on, in steps worth an event, and says whether to go on."""

    def __init__(self, emit: Callable[[Event], None], is_superseded: Callable[[], bool]) -> None:
        self._emit = emit
        self._is_superseded = is_superseded
        self._last = LoadProgress("", -1.0)

    def report(self, stage: str, fraction: float) -> bool:
        if (
            stage != self._last.stage
            or abs(fraction - self._last.fraction) >= PROGRESS_STEP
            or (fraction >= 1.0 > self._last.fraction)
        ):
            self._last = LoadProgress(stage, fraction)
            self._emit(self._last)
        return not self._is_superseded()


def _request_id(arrival: Arrival) -> str:
    command = arrival.command
    return command.request_id if isinstance(command, Generate | Measure | LogitsAt | Cancel) else ""


def _cancelled(request_id: str) -> GenerationFinished:
    return GenerationFinished(request_id, FinishReason.CANCELLED, GenerationStats())


def _log_failure(code: str, detail: Detail) -> None:
    logger.error("%s %s", code, detail)
