"""Asking a real engine for answers, in this process."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from app.conversation import ChatMessage, Role
from app.engine.engine import Engine
from app.engine.protocol import (
    Event,
    Generate,
    GenerationFinished,
    GenerationOptions,
    PieceSource,
    RequestFailed,
    SamplingOptions,
    Speculation,
    TokensGenerated,
)

GREEDY = SamplingOptions(temperature=0.0)


@dataclass
class Reply:
    """What came back for one request."""

    text: str = ""
    token_ids: list[int] = field(default_factory=list)
    sources: list[PieceSource] = field(default_factory=list)
    finished: GenerationFinished | None = None
    failed: RequestFailed | None = None

    @property
    def end(self) -> GenerationFinished:
        assert self.finished is not None, self.failed
        return self.finished


def options(
    speculation: Speculation, depth: int | None = None, **other: object
) -> GenerationOptions:
    """Greedy options for a short answer."""
    settings: dict[str, object] = {"sampling": GREEDY, "max_tokens": 48} | other
    return GenerationOptions(speculation=speculation, depth=depth, **settings)  # type: ignore[arg-type]


def start(
    engine: Engine, name: str, prompt: str, how: GenerationOptions, *, raw: bool = False
) -> None:
    """Begin an answer to one user message, or to a raw prompt."""
    messages = () if raw else (ChatMessage(Role.USER, prompt),)
    command = Generate(name, messages=messages, prompt=prompt if raw else None, options=how)
    engine.start(command, time.perf_counter())


def collect(engine: Engine) -> dict[str, Reply]:
    """Step until all answers have ended."""
    replies: dict[str, Reply] = {}
    while engine.active:
        for event in engine.step():
            take(replies, event)
    return replies


def take(replies: dict[str, Reply], event: Event) -> None:
    """Add one event to its reply."""
    if isinstance(event, TokensGenerated | GenerationFinished | RequestFailed):
        reply = replies.setdefault(event.request_id, Reply())
        if isinstance(event, RequestFailed):
            reply.failed = event
            return
        reply.text += "".join(piece.text for piece in event.pieces if not piece.reasoning)
        if isinstance(event, TokensGenerated):
            reply.token_ids.extend(event.token_ids)
            reply.sources.extend(piece.source for piece in event.pieces)
        else:
            reply.finished = event


def ask(engine: Engine, prompt: str, how: GenerationOptions, *, raw: bool = False) -> Reply:
    """One answer."""
    start(engine, "one", prompt, how, raw=raw)
    return collect(engine)["one"]
