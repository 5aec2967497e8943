"""Ways of answering that the user keeps under names: a system prompt and options.

Made by Storage, which owns the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from app.storage import rows
from app.storage.records import Preset


class Presets:
    """The presets on disk. Every method raises StorageError when the disk refuses."""

    def __init__(
        self,
        read: Callable[..., list[tuple[Any, ...]]],
        writing: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._read = read
        self._writing = writing

    def all(self) -> tuple[Preset, ...]:
        """By name."""
        found = self._read("SELECT name, system_prompt, options FROM presets ORDER BY name")
        return tuple(rows.preset_of(row) for row in found)

    def save(self, preset: Preset) -> None:
        """Keep one, in the place of another with the same name."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO presets (name, system_prompt, options) VALUES (?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET system_prompt = excluded.system_prompt, "
                "options = excluded.options",
                rows.preset_row(preset),
            )

    def delete(self, name: str) -> None:
        """Forget one."""
        with self._writing() as connection:
            connection.execute("DELETE FROM presets WHERE name = ?", (name,))
