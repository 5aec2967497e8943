"""The engine in ten lines, for scripts and notebooks: no process, no commands, no events.

    with open_pair("target.gguf", "draft.gguf") as pair:
        for piece in pair.answer("Why is the sky blue?", temperature=0):
            print(piece.text, end="")
        print(pair.stats.tokens_per_second, pair.stats.acceptance)

Runs in the caller's process, so a crash of the native library ends it; programs that must not die
use `client.EngineClient`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from app.conversation import ChatMessage, Role
from app.engine.engine import Engine, create
from app.engine.protocol import (
    Event,
    Generate,
    GenerationFinished,
    GenerationOptions,
    LoadModels,
    ModelsLoaded,
    RequestFailed,
    SamplingOptions,
    Speculation,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import GenerationStats
from app.errors import RequestError

_REQUEST = "simple"


class LoadedPair:
    """A loaded target, perhaps with a draft.

    Attributes:
        loaded: what was placed where, and why speculation is off if it is.
        stats: the numbers of the newest answer.
    """

    def __init__(self, engine: Engine, loaded: ModelsLoaded) -> None:
        self._engine = engine
        self.loaded = loaded
        self.stats = GenerationStats()

    def answer(
        self,
        messages: str | Sequence[ChatMessage],
        *,
        speculation: Speculation = Speculation.AUTO,
        depth: int | None = None,
        max_tokens: int | None = None,
        **sampling: float | int | None,
    ) -> Iterator[TextPiece]:
        """Stream an answer; closing the iterator stops it.

        Args:
            messages: one question, or a conversation.
            sampling: fields of SamplingOptions, for example temperature=0 or seed=1.

        Raises:
            RequestError: the request cannot be answered; see `app.messages`.
        """
        given = (ChatMessage(Role.USER, messages),) if isinstance(messages, str) else messages
        options = GenerationOptions(
            sampling=SamplingOptions(**sampling),  # type: ignore[arg-type]
            speculation=speculation,
            depth=depth,
            max_tokens=max_tokens,
        )
        command = Generate(_REQUEST, messages=tuple(given), options=options)
        self._engine.start(command, time.perf_counter())
        try:
            while self._engine.active:
                for event in self._engine.step():
                    yield from self._pieces(event)
        finally:
            self._engine.cancel(_REQUEST)
            while self._engine.active:
                self._engine.step()

    def _pieces(self, event: Event) -> tuple[TextPiece, ...]:
        if isinstance(event, RequestFailed):
            raise RequestError(event.code, **event.detail)
        if isinstance(event, TokensGenerated | GenerationFinished):
            self.stats = event.stats
            return event.pieces
        return ()

    def close(self) -> None:
        """Free the models."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_pair(
    target: str | Path, draft: str | Path | None = None, *, n_ctx: int = 4096
) -> LoadedPair:
    """Load a target and a draft into this process.

    Raises:
        LoadError: the target cannot be loaded. A draft that cannot is reported in `loaded`.
    """
    engine = create()
    command = LoadModels(Path(target), Path(draft) if draft else None, n_ctx=n_ctx)
    return LoadedPair(engine, engine.load(command, lambda _stage, _fraction: True))
