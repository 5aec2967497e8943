"""One answer while it is written: its pieces, its place in the tree, when it was last saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.conversation import Conversation, Message, Problem
from app.engine.protocol import (
    Generate,
    GenerationFinished,
    ModelsLoaded,
    PieceSource,
    Speculation,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import GenerationStats

MAX_REFUSED = 200  # characters of one refused guess that are kept


@dataclass(slots=True)
class Answer:
    """The text of one answer, gathered outside the tree so that a token costs nothing there.

    Attributes:
        message: the answer's node as it was last put into the tree.
        request: what the engine is asked, fixed when the answer begins.
        sent: the engine was asked (else it waits for the model); loaded: the models that answer.
        speculation: what was in force at the end; None before.
        saved_at: clock seconds of the last save; `dirty` when there is text since then.
    """

    conversation: Conversation
    message: Message
    request: Generate
    saved_at: float
    loaded: ModelsLoaded | None = None
    sent: bool = False
    stopping: bool = False
    speculation: Speculation | None = None
    dirty: bool = False
    done_tokens: int = 0
    total_tokens: int = 0
    context_used: int | None = None
    stats: GenerationStats | None = None
    pieces: list[TextPiece] = field(default_factory=list)
    reasoning_since: float | None = None
    reasoning_seconds: float = 0.0
    _joined: int = 0  # pieces already in the texts below: a save joins only what is new
    _content: str = ""
    _reasoning: str = ""
    _spans: list[tuple[str, int]] = field(default_factory=list)
    _length: int = 0  # of the text so far, reasoning left out
    _refused: list[tuple[int, str]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Of the message, and of the request."""
        return self.message.id

    @property
    def in_reasoning(self) -> bool:
        """The newest piece was reasoning."""
        return bool(self.pieces) and self.pieces[-1].reasoning

    def take(self, event: TokensGenerated | GenerationFinished, now: float) -> None:
        """Append what one event brings."""
        self.stats = event.stats
        self.context_used = event.context_used or self.context_used
        place = self._length
        for piece in event.pieces:
            self._time_reasoning(piece, now)
            self.pieces.append(piece)
            if not piece.reasoning:
                if piece.source is PieceSource.TARGET:
                    place = self._length
                self._length += len(piece.text)
        if isinstance(event, TokensGenerated) and event.refused and not self.in_reasoning:
            self._refused.append((place, event.refused[:MAX_REFUSED]))
        self.dirty = self.dirty or bool(event.pieces)

    def snapshot(self) -> Message:
        """Put the text so far into the tree; returns the message to save."""
        fresh = self.pieces[self._joined :]
        self._joined = len(self.pieces)
        self._content += "".join(piece.text for piece in fresh if not piece.reasoning)
        self._reasoning += "".join(piece.text for piece in fresh if piece.reasoning)
        for piece in fresh:
            self._mark(piece)
        self.message = replace(
            self.message,
            content=self._content,
            reasoning=self._reasoning,
            reasoning_seconds=self.reasoning_seconds,
            spans=tuple(self._spans),
        )
        return self.conversation.put(self.message)

    def end(self, reason: str, *, complete: bool, problem: Problem | None = None) -> Message:
        """Put the final state into the tree; returns the message to save."""
        self.snapshot()
        stats = self.stats.to_json() if self.stats is not None else None
        self.message = replace(
            self.message,
            finish_reason=reason,
            complete=complete,
            problem=problem,
            stats=stats,
            model=self.loaded.target.path.stem if self.loaded is not None else "",
            refused=tuple(self._refused),
        )
        return self.conversation.put(self.message)

    def _mark(self, piece: TextPiece) -> None:
        if piece.reasoning or not piece.text:
            return
        source, length = piece.source.value, len(piece.text)
        if self._spans and self._spans[-1][0] == source:
            length += self._spans.pop()[1]
        self._spans.append((source, length))

    def _time_reasoning(self, piece: TextPiece, now: float) -> None:
        if piece.reasoning and self.reasoning_since is None:
            self.reasoning_since = now
        if self.reasoning_since is not None:
            self.reasoning_seconds = now - self.reasoning_since
            if not piece.reasoning and piece.text.strip():
                self.reasoning_since = None
