"""EngineClient: start, send, read, restart, stop the engine's process; for windows and scripts.

No Qt and no native library. Events arrive on the client's own thread; nothing here blocks a caller.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from app.engine import worker_log
from app.engine.outcome import Outcome
from app.engine.protocol import (
    Command,
    Detail,
    Event,
    Generate,
    LoadFailed,
    LoadModels,
    LogitsAt,
    Measure,
    RequestFailed,
    Shutdown,
    Unloaded,
    UnloadModels,
    WorkerExited,
)
from app.engine.worker import WorkerSetup
from app.engine.worker_process import WorkerProcess

logger = logging.getLogger(__name__)

UNLOAD_GRACE_SECONDS = 5.0  # then the worker is ended by force: it holds nothing worth keeping
RESTART_GRACE_SECONDS = 1.0
STOP_GRACE_SECONDS = 3.0
JOIN_SECONDS = 15.0  # more than terminating, killing and reaping may take together


class EngineClient:
    """Runs the engine in a process of its own, and in a new one when that has ended.

    Attributes:
        alive: a worker process is there.
        pid: of the worker, None when there is none.
    """

    def __init__(
        self,
        on_event: Callable[[Event], None],
        *,
        log_dir: Path,
        factory: str = "app.engine.engine:create",
        skip_cpu_modules: frozenset[str] = frozenset(),
        remember_skip: Callable[[frozenset[str]], None] | None = None,
    ) -> None:
        """Prepare a client; nothing runs before `start`.

        Args:
            on_event: called for every event, always from the client's own thread.
            log_dir: folder for the workers' logs.
            factory: "module:name" of the function that makes the engine.
            skip_cpu_modules: CPU modules known to fault on this machine.
            remember_skip: called with the new set when another one faulted.
        """
        self._on_event = on_event
        self._log_dir = log_dir.absolute()
        self._factory = factory
        self._skip = skip_cpu_modules
        self._remember_skip = remember_skip
        self._numbers = count(1)
        # Guards all below: callers and the client's own thread meet here.
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._worker: WorkerProcess | None = None
        self._backlog: deque[Command] = deque()  # for the next worker
        self._wanted = False
        self._stopping = False
        self._retried = False
        self._last_load: LoadModels | None = None

    @property
    def alive(self) -> bool:
        with self._changed:
            return self._worker is not None

    @property
    def pid(self) -> int | None:
        with self._changed:
            return self._worker.pid if self._worker is not None else None

    def start(self) -> None:
        """Start the worker; WorkerStarted follows. Does nothing when already started."""
        with self._changed:
            if self._thread is None:
                self._stopping = False
                self._wanted = True
                self._thread = threading.Thread(
                    target=self._supervise, name="engine-client", daemon=True
                )
                self._thread.start()

    def send(self, command: Command) -> None:
        """Send a command; never blocks.

        UnloadModels ends the worker and the next LoadModels starts another; a request without a
        worker fails as "not_loaded".
        """
        if isinstance(command, LoadModels):
            command = _with_absolute_paths(command)
        with self._changed:
            if isinstance(command, LoadModels):
                self._last_load = command
                self._retried = False
            elif isinstance(command, UnloadModels):
                self._last_load = None
            if self._worker is None or self._worker.closing:
                self._backlog.append(command)
                self._changed.notify_all()
            else:
                self._pass_on(self._worker, command)

    def restart(self) -> None:
        """End the worker, if there is one, and start another that loads the same models again."""
        with self._changed:
            self._retried = False
            self._wanted = True
            self._load_again()
            self._end_worker(RESTART_GRACE_SECONDS)
            self._changed.notify_all()

    def stop(self, timeout_seconds: float = STOP_GRACE_SECONDS) -> None:
        """End the worker, by force after `timeout_seconds`, and the client's threads."""
        with self._changed:
            thread = self._thread
            self._stopping = True
            self._end_worker(timeout_seconds)
            self._changed.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout_seconds + JOIN_SECONDS)
            if thread.is_alive():
                logger.error("the engine client's thread does not end; is on_event blocked?")

    # --- under the lock ---------------------------------------------------------------------------

    def _pass_on(self, worker: WorkerProcess, command: Command) -> None:
        worker.write(command)
        if isinstance(command, UnloadModels | Shutdown):
            worker.end_within(UNLOAD_GRACE_SECONDS)

    def _end_worker(self, seconds: float) -> None:
        if self._worker is not None:
            self._worker.write(Shutdown())
            self._worker.end_within(seconds)

    def _load_again(self) -> None:
        """Put the last load before what waits, unless a load waits already."""
        waits = any(isinstance(command, LoadModels) for command in self._backlog)
        if self._last_load is not None and not waits:
            self._backlog.appendleft(self._last_load)

    # --- the client's own thread ------------------------------------------------------------------

    def _supervise(self) -> None:
        """Body of the thread: one worker after the other, until stopped."""
        try:
            while self._await_work():
                worker = self._spawn()
                if worker is not None:
                    self._serve(worker)
        finally:
            with self._changed:
                self._thread = None

    def _await_work(self) -> bool:
        """Wait until a worker is wanted; False when stopped. Answers what needs no worker."""
        while True:
            with self._changed:
                while not (self._stopping or self._wanted or self._backlog):
                    self._changed.wait()
                if self._backlog and isinstance(self._backlog[0], LoadModels):
                    self._wanted = True
                if self._wanted and not self._stopping:
                    return True
                if not self._backlog:
                    return False
                command = self._backlog.popleft()
                code = "engine_stopped" if self._stopping else "not_loaded"
            self._answer_without_worker(command, code)

    def _answer_without_worker(self, command: Command, code: str) -> None:
        match command:
            case (
                Generate(request_id=request_id)
                | Measure(request_id=request_id)
                | LogitsAt(request_id=request_id)
            ):
                self._on_event(RequestFailed(request_id, code))
            case UnloadModels():
                self._on_event(Unloaded())
            case _:
                logger.info("%s without a worker: nothing to do", type(command).__name__)

    def _spawn(self) -> WorkerProcess | None:
        log_file = worker_log.new_log_file(self._log_dir, next(self._numbers))
        try:
            worker = WorkerProcess(WorkerSetup(self._factory, self._skip, log_file))
        except OSError as error:
            logger.exception("the engine process cannot be started")
            self._spawn_failed(error)
            return None
        with self._changed:
            self._wanted = False
            self._worker = worker
            while self._backlog and not worker.closing:
                self._pass_on(worker, self._backlog.popleft())
            if self._stopping:
                self._end_worker(0.0)
        return worker

    def _spawn_failed(self, error: OSError) -> None:
        with self._changed:
            self._wanted = False
            refused = tuple(self._backlog)
            self._backlog.clear()
        for command in refused:
            self._answer_without_worker(command, "engine_start_failed")
        self._on_event(
            WorkerExited(
                exit_code=None,
                signal_name=None,
                while_doing="starting",
                detail={"code": "engine_start_failed", "reason": str(error)},
            )
        )

    def _serve(self, worker: WorkerProcess) -> None:
        """Pass events on until the worker's end, then tell what that end means."""
        try:
            while (event := worker.next_event()) is not None:
                self._on_event(event)
        finally:
            with self._changed:
                self._worker = None
            outcome = worker.reap()
        retrying = self._plan_retry(worker, outcome)
        self._answer_unanswered(worker, outcome)
        self._on_event(outcome.to_event(retrying=retrying))

    def _plan_retry(self, worker: WorkerProcess, outcome: Outcome) -> bool:
        """After an illegal instruction, once: start again without the CPU module that faulted."""
        module = worker.activity.cpu_module
        with self._changed:
            if (
                not outcome.is_illegal_instruction
                or module is None
                or module in self._skip
                or self._retried
                or self._stopping
            ):
                return False
            self._retried = True
            self._skip |= {module}
            self._wanted = True
            self._load_again()
        if self._remember_skip is not None:
            self._remember_skip(self._skip)
        return True

    def _answer_unanswered(self, worker: WorkerProcess, outcome: Outcome) -> None:
        activity = worker.activity
        code = "engine_stopped" if outcome.expected else "engine_crashed"
        detail: Detail = {} if outcome.expected else {"reason": outcome.reason}
        for request_id in activity.unanswered:
            self._on_event(RequestFailed(request_id, code, detail))
        if activity.unloading:
            if activity.loads:
                self._on_event(LoadFailed("load_cancelled"))
            self._on_event(Unloaded())


def _with_absolute_paths(command: LoadModels) -> LoadModels:
    """The worker has another current folder."""
    draft = command.draft.absolute() if command.draft is not None else None
    return replace(command, target=command.target.absolute(), draft=draft)
