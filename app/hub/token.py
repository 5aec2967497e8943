"""The access token for gated models, in the system's keyring or, where there is none, in memory.

Never written to a file, a log or an error. Imports only errors; keyring is loaded at the first use
because finding its backend takes a moment.
"""

from __future__ import annotations

import logging
import threading

from app.errors import AppError

SERVICE = "Slipstream"
ACCOUNT = "huggingface.co"

_log = logging.getLogger(__name__)


class TokenStore:
    """Keeps one token.

    Attributes:
        is_persistent: False once the keyring could not be used: the token is then forgotten at
            exit, and the window says so.
    """

    def __init__(self, service: str = SERVICE, account: str = ACCOUNT) -> None:
        self._service = service
        self._account = account
        self._lock = threading.Lock()
        self._memory: str | None = None
        self._loaded = False
        self.is_persistent = True

    def get(self) -> str | None:
        """The token, or nothing. The keyring is asked once."""
        with self._lock:
            if not self._loaded:
                self._memory = self._read()
                self._loaded = True
            return self._memory

    def set(self, token: str) -> None:
        """Keep a token.

        Raises:
            AppError: "token_malformed", when the text cannot be a token.
        """
        cleaned = token.strip()
        if not cleaned or not cleaned.isascii() or any(c.isspace() for c in cleaned):
            raise AppError("token_malformed")
        with self._lock:
            self._memory, self._loaded = cleaned, True
            self._write(cleaned)

    def forget(self) -> None:
        """Remove the token from memory and keyring."""
        import keyring
        import keyring.errors

        with self._lock:
            self._memory, self._loaded = None, True
            try:
                keyring.delete_password(self._service, self._account)
            except keyring.errors.PasswordDeleteError:
                _log.debug("no token in the keyring to remove")
            except (keyring.errors.KeyringError, RuntimeError, OSError) as error:
                self._note_missing(error)

    def _read(self) -> str | None:
        import keyring
        import keyring.errors

        try:
            return keyring.get_password(self._service, self._account) or None
        except (keyring.errors.KeyringError, RuntimeError, OSError) as error:
            self._note_missing(error)
            return None

    def _write(self, token: str) -> None:
        import keyring
        import keyring.errors

        try:
            keyring.set_password(self._service, self._account, token)
            # The "null" backend accepts everything and keeps nothing.
            self.is_persistent = keyring.get_password(self._service, self._account) == token
        except (keyring.errors.KeyringError, RuntimeError, OSError) as error:
            self._note_missing(error)

    def _note_missing(self, error: Exception) -> None:
        self.is_persistent = False
        _log.warning("no usable keyring (%s): the token stays in memory", type(error).__name__)
