"""One engine for all real-model tests: llama.cpp initialises once in a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.engine import Engine, create
from app.engine.protocol import LoadModels, ModelsLoaded


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """An engine without a model."""
    made = create()
    yield made
    made.close()


class Loader:
    """Loads a pair unless it is the one in memory."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.loaded: ModelsLoaded | None = None
        self._command: LoadModels | None = None

    def __call__(self, target: Path, draft: Path | None = None, **how: object) -> ModelsLoaded:
        command = LoadModels(target, draft, **({"n_ctx": 2048} | how))  # type: ignore[arg-type]
        if command != self._command or self.loaded is None:
            self._command = None
            self.loaded = self.engine.load(command, lambda _stage, _fraction: True)
            self._command = command
        else:
            self.engine.clear_cache()
        return self.loaded

    def forget(self) -> None:
        """The test changed what is loaded."""
        self._command = None


@pytest.fixture(scope="session")
def loader(engine: Engine) -> Loader:
    return Loader(engine)
