"""The Hub as a command asks it, and where the access token comes from."""

from __future__ import annotations

import os

from app.hub.download import Hub
from app.hub.token import TokenStore

TOKEN_VARIABLE = "HF_TOKEN"


class _EnvironmentToken(TokenStore):
    """A token of the environment, for servers without a keyring; else the one in the keyring."""

    def get(self) -> str | None:
        """The token, or nothing."""
        return os.environ.get(TOKEN_VARIABLE) or super().get()


def token() -> TokenStore:
    """Where a command finds the access token."""
    return _EnvironmentToken()


def open_hub() -> Hub:
    """The Hub of HF_ENDPOINT, with the user's token."""
    return Hub(token().get)
