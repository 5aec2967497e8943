"""One worker process as its parent sees it: its pipes, a writer thread, an end that always comes.

No Qt. Made, read and reaped by one thread; `write` and `end_within` may be called from any until
the worker is reaped.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import queue
import threading
import time
from multiprocessing.connection import Connection, wait

from app.engine import worker, worker_log
from app.engine.activity import Activity
from app.engine.outcome import Outcome, signal_name
from app.engine.protocol import PROTOCOL_VERSION, Command, Detail, Event, WorkerStarted

logger = logging.getLogger(__name__)

EXIT_GRACE_SECONDS = 5.0  # drivers take their time to free a GPU
TERMINATE_GRACE_SECONDS = 1.0
KILL_GRACE_SECONDS = 5.0  # a process inside a driver call may need long even to be killed


class WorkerProcess:
    """A running worker.

    Attributes:
        activity: what it is busy with.
        closing: it was asked to end, so its end is no crash.
        ended_by_us: it had to be terminated.
        mismatch: code and values when it speaks another version of the protocol.
    """

    def __init__(self, setup: worker.WorkerSetup) -> None:
        """Start the process; OSError when the system refuses."""
        context = multiprocessing.get_context("spawn")
        command_reader, self._commands = context.Pipe(duplex=False)
        self._events, event_writer = context.Pipe(duplex=False)
        self._alarm, self._alarm_writer = context.Pipe(duplex=False)
        self._process = context.Process(
            target=worker.main,
            args=(command_reader, event_writer, setup),
            name="slipstream-engine",
            daemon=True,
        )
        try:
            self._process.start()
        except OSError:
            self._close_pipes()
            raise
        finally:
            # While the parent holds these too, the end of the child is never seen.
            command_reader.close()
            event_writer.close()
        self.pid = self._process.pid
        self.log_file = setup.log_file
        self.activity = Activity()
        self._activity_lock = threading.Lock()
        self.closing = False
        self.ended_by_us = False
        self.mismatch: Detail | None = None
        self._deadline: float | None = None
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(
            target=_write_all,
            args=(self._commands, self._outbox),
            name="engine-commands",
            daemon=True,
        )
        self._writer.start()

    def write(self, command: Command) -> None:
        """Send a command; never blocks, however busy the worker is."""
        pickled = pickle.dumps(command)
        with self._activity_lock:
            self.activity.sent(command)
        self._outbox.put(pickled)

    def end_within(self, seconds: float) -> None:
        """Its end is wanted; it is terminated, then killed, when it is late."""
        deadline = time.monotonic() + seconds
        self._deadline = deadline if self._deadline is None else min(self._deadline, deadline)
        self.closing = True
        self._alarm_writer.send_bytes(b"!")

    def next_event(self) -> Event | None:
        """Wait for the next event; None at the end of the process."""
        watched: list[Connection | int] = [self._events, self._alarm, self._process.sentinel]
        while True:
            ready = wait(watched, self._seconds_left())
            if self._alarm in ready:
                self._alarm.recv_bytes()
            self._enforce_deadline()
            if self._events in ready:
                try:
                    event = self._receive()
                except (EOFError, OSError):
                    return None
                if event is not None:
                    with self._activity_lock:
                        self.activity.saw(event)
                    return event
            elif self._process.sentinel in ready:
                return None

    def _receive(self) -> Event | None:
        """One event; None when it cannot be understood. EOFError, OSError at the end."""
        pickled = self._events.recv_bytes()
        if self.mismatch is not None:
            return None
        try:
            event: Event = pickle.loads(pickled)
            theirs = event.protocol_version if isinstance(event, WorkerStarted) else None
        except (pickle.UnpicklingError, ImportError, AttributeError, TypeError, ValueError):
            logger.exception("an event from another version of the program")
            self._refuse(None)
            return None
        if theirs not in (None, PROTOCOL_VERSION):
            self._refuse(theirs)
            return None
        return event

    def _refuse(self, theirs: int | None) -> None:
        """Two versions of the program cannot work together: the files were replaced under it."""
        self.mismatch = {"code": "protocol_mismatch", "ours": PROTOCOL_VERSION, "theirs": theirs}
        self._terminate()

    def _seconds_left(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _enforce_deadline(self) -> None:
        if self._deadline is None or time.monotonic() < self._deadline:
            return
        logger.warning("the engine process %s does not end by itself", self.pid)
        if self.ended_by_us:
            self._process.kill()
        else:
            self._terminate()
        self._deadline = time.monotonic() + TERMINATE_GRACE_SECONDS

    def _terminate(self) -> None:
        self.ended_by_us = True
        self._process.terminate()

    def reap(self) -> Outcome:
        """Wait for the end, by force if need be, free everything, and say how it ended."""
        if not self._has_ended(EXIT_GRACE_SECONDS):
            self._terminate()
        if not self._has_ended(TERMINATE_GRACE_SECONDS):
            self._process.kill()
        if not self._has_ended(KILL_GRACE_SECONDS):
            logger.error("the engine process %s cannot be ended", self.pid)
        exit_code = self._exit_code()
        self._outbox.put(None)
        self._writer.join(TERMINATE_GRACE_SECONDS)
        self._close_pipes()
        if exit_code is not None:
            self._process.close()
        return self._outcome(exit_code)

    def _outcome(self, exit_code: int | None) -> Outcome:
        return Outcome(
            exit_code=exit_code,
            signal_name=signal_name(exit_code),
            last_log_lines=worker_log.last_lines(self.log_file),
            expected=self.closing,
            ended_by_us=self.ended_by_us,
            while_doing=self.activity.doing,
            cpu_module=self.activity.cpu_module,
            known_reason=self.mismatch or self.activity.start_failure,
        )

    def _has_ended(self, within_seconds: float) -> bool:
        return bool(wait([self._process.sentinel], within_seconds))

    def _exit_code(self) -> int | None:
        """The exit code of a process that has ended.

        multiprocessing reaps all its children whenever one is started, in that thread; if that
        happened just now, the code appears a moment later.
        """
        for _ in range(20):
            self._process.join(TERMINATE_GRACE_SECONDS)
            if self._process.exitcode is not None or not self._has_ended(0.0):
                break
            time.sleep(0.01)
        return self._process.exitcode

    def _close_pipes(self) -> None:
        for pipe in (self._commands, self._events, self._alarm, self._alarm_writer):
            pipe.close()


def _write_all(commands: Connection, outbox: queue.SimpleQueue[bytes | None]) -> None:
    """Body of the writer thread; ends on None or when the worker is gone."""
    while (pickled := outbox.get()) is not None:
        try:
            commands.send_bytes(pickled)
        except (OSError, ValueError) as error:
            logger.info("the engine process takes no more commands: %s", error)
            return
