"""Errors that a person will read: a code and its values, never a sentence.

The sentences live in `app/messages.py`, one per code, with what is safe and what to do next.
Imports nothing.
"""

from __future__ import annotations


class AppError(Exception):
    """Something failed in a way the user can be told about.

    Attributes:
        code: key into `app.messages.SENTENCES`, for example "file_truncated".
        detail: the values the sentence needs, as plain JSON types, for example {"path": "..."}.
    """

    def __init__(self, code: str, **detail: str | int | float | None) -> None:
        super().__init__(f"{code} {detail}" if detail else code)
        self.code = code
        self.detail = detail

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.detail)


class ModelFileError(AppError):
    """A model file is missing, unreadable, damaged or not what it claims to be."""


class PairingError(AppError):
    """A draft may not serve a target."""


class LoadError(AppError):
    """A model or its context could not be placed in memory."""


class RequestError(AppError):
    """One request cannot be answered; the engine itself is well."""


class StorageError(AppError):
    """Conversations or settings could not be read or saved."""


class DownloadFailed(AppError):
    """A download stopped; what arrived is kept for the next attempt."""


def _rebuild(
    kind: type[AppError], code: str, detail: dict[str, str | int | float | None]
) -> AppError:
    return kind(code, **detail)
