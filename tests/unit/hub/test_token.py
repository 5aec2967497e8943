"""The access token: in the keyring, or in memory with a flag that says so."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null

from app.errors import AppError
from app.hub.token import TokenStore


class Fake(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("none")


class Locked(Fake):
    """A keyring whose user says no."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked("no")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.KeyringLocked("no")


@pytest.fixture(autouse=True)
def restore() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def test_a_token_is_kept_for_the_next_run() -> None:
    keyring.set_keyring(Fake())
    store = TokenStore()
    assert store.get() is None
    store.set("  hf_abc\n")
    assert store.is_persistent
    assert TokenStore().get() == "hf_abc"
    store.forget()
    assert TokenStore().get() is None
    store.forget()  # twice is fine


@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring, Locked])
def test_without_a_keyring_it_stays_in_memory_and_says_so(backend: type[KeyringBackend]) -> None:
    keyring.set_keyring(backend())
    store = TokenStore()
    store.set("hf_abc")
    assert store.get() == "hf_abc"
    assert not store.is_persistent
    assert TokenStore().get() is None
    store.forget()
    assert store.get() is None


@pytest.mark.parametrize("text", ["", "  ", "hf abc", "hf_\u00e4"])
def test_what_cannot_be_a_token(text: str) -> None:
    keyring.set_keyring(Fake())
    with pytest.raises(AppError) as caught:
        TokenStore().set(text)
    assert caught.value.code == "token_malformed"
    assert text.strip() == "" or text not in str(caught.value)
