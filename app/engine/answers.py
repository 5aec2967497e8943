"""One answer in progress: its track, its text, its numbers, and the events that tell of them. Knows
no model library.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

from app.engine.decoding import StepResult
from app.engine.protocol import (
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    PieceSource,
    Speculation,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import StatsRecorder
from app.engine.text import AnswerText
from app.engine.tracks import Track

# Steps that decide what auto came to: about the last screenful.
_RECENT_STEPS = 24


@dataclass(slots=True, eq=False)
class Answer:
    """A request that has a place in memory.

    Attributes:
        piece: bytes of a token, from the target's vocabulary.
        prompt_ready: the first answer token is chosen.
        cancelled: it ends before its next step.
        note: code of something the user should know when it ends.
    """

    request: Generate
    track: Track
    text: AnswerText
    recorder: StatsRecorder
    speculation: Speculation
    prompt_ready: bool = False
    cancelled: bool = False
    note: str | None = None
    _proposers: deque[PieceSource] = field(default_factory=lambda: deque(maxlen=_RECENT_STEPS))

    @property
    def id(self) -> str:
        return self.request.request_id

    def take(self, result: StepResult, pieces_of: dict[int, bytes], now: float) -> list[Event]:
        """Turn a step's tokens into text and numbers, and end the answer where it ends.

        Args:
            result: the step; the track's tokens are cut when a stop string ends inside the accepted
                run.
            pieces_of: bytes of each emitted token.
            now: engine clock, seconds.
        """
        pieces: list[TextPiece] = []
        taken = 0
        for token, source in zip(result.emitted, result.sources, strict=True):
            pieces.extend(self.text.push(pieces_of[token], source))
            taken += 1
            if self.text.stopped:
                break
        self._cut(result, taken)
        self._count(result, taken, now)
        events: list[Event] = []
        if taken:
            events.append(
                TokensGenerated(
                    request_id=self.id,
                    pieces=tuple(pieces),
                    token_ids=result.emitted[:taken],
                    stats=self.recorder.snapshot(),
                    refused=b"".join(pieces_of[token] for token in result.refused).decode(
                        errors="replace"
                    ),
                    context_used=len(self.track.tokens),
                )
            )
        reason = self._reason(result)
        if reason is not None:
            events.append(self.finish(reason))
        return events

    def _cut(self, result: StepResult, taken: int) -> None:
        """Forget committed tokens behind a stop string, so that the next turn's prompt finds what
        was said.
        """
        if self.text.stopped:
            extra = len(result.emitted) - taken + result.ended
            del self.track.tokens[len(self.track.tokens) - extra :]

    def _count(self, result: StepResult, taken: int, now: float) -> None:
        if not self.prompt_ready:
            self.prompt_ready = True
            self.recorder.prompt_seconds += result.target_seconds
            self.recorder.emit(now=now, tokens=taken)
            return
        if not taken:  # the pass only said that the answer is over, after its last token
            return
        self.recorder.target_seconds += result.target_seconds
        self.recorder.draft_seconds += result.draft_seconds
        self._proposers.append(result.proposer)
        self.recorder.step(now=now, drafted=result.drafted, accepted=result.accepted, emitted=taken)

    def _reason(self, result: StepResult) -> FinishReason | None:
        if self.text.stopped:
            return FinishReason.STOP_STRING
        if result.ended:
            return FinishReason.END
        if self.track.budget <= 0:
            return FinishReason.LENGTH
        if self.track.full:
            return FinishReason.CONTEXT
        return None

    @property
    def drafts_lately(self) -> bool:
        """The draft model proposed something in the last steps."""
        return PieceSource.DRAFT in self._proposers

    @property
    def in_force(self) -> Speculation:
        """What auto came to in the last steps; another choice as it was asked."""
        if self.speculation is not Speculation.AUTO:
            return self.speculation
        counts = Counter(self._proposers)
        if counts[PieceSource.DRAFT] == counts[PieceSource.LOOKUP] == 0:
            return Speculation.OFF
        draft = counts[PieceSource.DRAFT] >= counts[PieceSource.LOOKUP]
        return Speculation.DRAFT if draft else Speculation.LOOKUP

    def finish(self, reason: FinishReason) -> GenerationFinished:
        """The last event of this answer."""
        return GenerationFinished(
            request_id=self.id,
            reason=reason,
            stats=self.recorder.snapshot(),
            pieces=self.text.finish(),
            context_used=len(self.track.tokens),
            speculation=self.in_force,
            note=self.note,
        )
