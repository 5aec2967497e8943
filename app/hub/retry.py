"""Which failures are worth another try, and when. Imports only errors."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass

from app.errors import DownloadFailed

# A server that asks for more patience than this is better told to the user.
LONGEST_WAIT_SECONDS = 600.0
# Worth another try without asking anybody.
RETRYABLE = frozenset(
    {
        "no_connection",
        "dns_failed",
        "connection_lost",
        "stalled",
        "server_error",
        "rate_limited",
        "storage_refused",
    }
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient a transfer is.

    Attributes:
        attempts: in a row without a single new byte, before it gives up.
        stall_seconds: without a byte, before a connection counts as dead.
    """

    attempts: int = 6
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    stall_seconds: float = 30.0

    def wait_seconds(self, failures: int, asked_seconds: float | None) -> float:
        """How long to wait after so many failures; never less than the server asked for."""
        wait = min(self.first_wait_seconds * 2.0 ** (failures - 1), self.longest_wait_seconds)
        # Spread, so that many clients do not come back in the same instant.
        return max(wait * random.uniform(0.8, 1.2), asked_seconds or 0.0)


def retrying(
    attempt: Callable[[], None],
    policy: RetryPolicy,
    wait: Callable[[float, str], None],
    has_progressed: Callable[[], bool],
) -> None:
    """Try until it works, waiting longer each time; too many tries without progress end it."""
    failures = 0
    while True:
        try:
            attempt()
        except DownloadFailed as error:
            failures = 1 if has_progressed() else failures + 1
            if error.code not in RETRYABLE or failures >= policy.attempts:
                raise
            asked = error.detail.get("retry_seconds")
            seconds = policy.wait_seconds(
                failures, float(asked) if isinstance(asked, int | float) else None
            )
            if seconds > LONGEST_WAIT_SECONDS:
                raise
            _log.info("%s; trying again in %.1f s", error.code, seconds)
            wait(seconds, error.code)
        else:
            return
