"""What the end of a worker process means: its exit code in words and codes.

Testable without a process. Imports nothing of this room but the protocol.
"""

from __future__ import annotations

import re
import signal
import sys
from dataclasses import dataclass

from app.engine.protocol import Detail, WorkerExited

# The worker's own exit codes, outside the range that systems and runtimes use.
EXIT_START_FAILED = 81  # the reason was sent as LoadFailed
EXIT_NOT_UNDERSTOOD = 82  # a command that this version cannot read

# https://learn.microsoft.com/openspecs/windows_protocols/ms-erref (NTSTATUS values)
_WINDOWS_SIGNALS = {
    0xC000001D: "SIGILL",  # STATUS_ILLEGAL_INSTRUCTION
    0xC0000096: "SIGILL",  # STATUS_PRIVILEGED_INSTRUCTION
    0xC0000005: "SIGSEGV",  # STATUS_ACCESS_VIOLATION
    0xC00000FD: "SIGSEGV",  # STATUS_STACK_OVERFLOW
    0xC0000094: "SIGFPE",  # STATUS_INTEGER_DIVIDE_BY_ZERO
    0xC0000409: "SIGABRT",  # STATUS_STACK_BUFFER_OVERRUN: how the C runtime's abort() ends
    3: "SIGABRT",  # abort() of older C runtimes
}
_WINDOWS_OUT_OF_MEMORY = {0xC0000017, 0xC000012D}  # STATUS_NO_MEMORY, STATUS_COMMITMENT_LIMIT

# A crash at the start is cured by another set-up, one while loading by another file.
_CRASHES = {"starting": "engine_start_failed", "loading": "engine_crashed_loading"}

_OUT_OF_MEMORY = re.compile(
    r"out of memory|outofmemory|out_of_memory|bad_alloc|failed to allocate|cannot allocate memory"
    r"|insufficient memory|MemoryError",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a worker ended.

    Attributes:
        exit_code: as multiprocessing gives it: negative is a signal on POSIX; None when it could
            not be learned.
        signal_name: the same in words, Windows status codes as the signal they correspond to.
        expected: it was asked to end.
        ended_by_us: it had to be terminated.
        known_reason: code and values when the reason was known before the end.
    """

    exit_code: int | None
    signal_name: str | None
    last_log_lines: tuple[str, ...] = ()
    expected: bool = False
    ended_by_us: bool = False
    while_doing: str = "idle"
    cpu_module: str | None = None
    known_reason: Detail | None = None

    @property
    def reason(self) -> str:
        """The shortest name of this end."""
        return self.signal_name or f"exit code {self.exit_code}"

    @property
    def is_illegal_instruction(self) -> bool:
        return self.signal_name == "SIGILL" and not self.expected

    @property
    def is_probably_out_of_memory(self) -> bool:
        """Killed by the system, or ended by its own hand after saying so in the log."""
        if self.ended_by_us or self.exit_code is None:
            return False
        if self.signal_name == "SIGKILL" or self.exit_code & 0xFFFFFFFF in _WINDOWS_OUT_OF_MEMORY:
            return True
        gave_up = self.signal_name == "SIGABRT" or self.exit_code == 1
        return gave_up and any(_OUT_OF_MEMORY.search(line) for line in self.last_log_lines)

    def why(self, *, retrying: bool = False) -> Detail:
        """Code and values for app.messages; empty when the end was asked for."""
        if self.expected:
            return {}
        if self.known_reason is not None:
            return self.known_reason
        if self.exit_code == EXIT_NOT_UNDERSTOOD:
            return {"code": "protocol_mismatch"}
        if self.is_illegal_instruction:
            code = "illegal_instruction_retry" if retrying else "illegal_instruction"
        elif self.is_probably_out_of_memory:
            code = "probably_out_of_memory"
        else:
            code = _CRASHES.get(self.while_doing, "engine_crashed")
        return {"code": code, "reason": self.reason, "cpu_module": self.cpu_module}

    def to_event(self, *, retrying: bool) -> WorkerExited:
        """The event that tells the window."""
        return WorkerExited(
            exit_code=self.exit_code,
            signal_name=self.signal_name,
            last_log_lines=self.last_log_lines,
            expected=self.expected,
            while_doing=self.while_doing,
            retrying=retrying,
            detail=self.why(retrying=retrying),
        )


def signal_name(exit_code: int | None, platform: str = sys.platform) -> str | None:
    """The name of the signal that ended a process, None when it ended by itself.

    Args:
        exit_code: as multiprocessing gives it.
        platform: as sys.platform.
    """
    if exit_code is None:
        return None
    if exit_code < 0 and -exit_code in signal.valid_signals():
        try:
            return signal.Signals(-exit_code).name
        except ValueError:  # a real-time signal has a number but no name
            return f"signal {-exit_code}"
    if platform == "win32":
        return _WINDOWS_SIGNALS.get(exit_code & 0xFFFFFFFF)
    return None
