"""What the numbers of one answer mean, and how they are counted.

Definitions are those of the table "What the numbers mean" in docs/architecture.md.
`GenerationStats` is a cumulative snapshot: the newest alone is always right. Pure Python; imports
nothing of this room.
"""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass, field

LIVE_WINDOW_SECONDS = 1.0
LIVE_WINDOW_DRAFTED = 64


@dataclass(frozen=True, slots=True)
class GenerationStats:
    """Counts and times of one answer so far; seconds and tokens.

    Attributes:
        prompt_tokens: length of the prompt; cached_tokens of them were still in memory and not
            evaluated again.
        prompt_seconds: time spent evaluating the prompt, cached part excluded.
        ttft_seconds: from the Generate command to the first emitted token, prompt included.
        generation_seconds: from the first emitted token to the last.
        target_passes: target batches that emitted tokens, the pass that ends the prompt excluded.
        drafted_tokens: tokens sent to the target for verification; accepted_tokens of them were
            right.
        drafted_by_position, accepted_by_position: the same, by place in the proposal (index 0 =
            first).
        target_seconds, draft_seconds: time inside llama.cpp during generation.
        live_tokens_per_second: over the last second, by the engine's clock.
        live_acceptance: over about the last 64 drafted tokens; None before any was drafted.
        depth: tokens proposed in the newest step.
    """

    prompt_tokens: int = 0
    cached_tokens: int = 0
    prompt_seconds: float = 0.0
    ttft_seconds: float = 0.0
    generated_tokens: int = 0
    generation_seconds: float = 0.0
    target_passes: int = 0
    drafted_tokens: int = 0
    accepted_tokens: int = 0
    accepted_by_position: tuple[int, ...] = ()
    drafted_by_position: tuple[int, ...] = ()
    target_seconds: float = 0.0
    draft_seconds: float = 0.0
    live_tokens_per_second: float = 0.0
    live_acceptance: float | None = None
    depth: int = 0

    @property
    def tokens_per_second(self) -> float | None:
        """Tokens after the first / time since the first; None when fewer than two were emitted."""
        if self.generated_tokens < 2 or self.generation_seconds <= 0:
            return None
        return (self.generated_tokens - 1) / self.generation_seconds

    @property
    def prompt_tokens_per_second(self) -> float | None:
        """Prompt tokens evaluated (not reused from cache) / time evaluating them."""
        evaluated = self.prompt_tokens - self.cached_tokens
        return (
            evaluated / self.prompt_seconds if self.prompt_seconds > 0 and evaluated > 0 else None
        )

    @property
    def acceptance(self) -> float | None:
        """Accepted drafted tokens / drafted tokens sent for verification; None when none was
        drafted.
        """
        return self.accepted_tokens / self.drafted_tokens if self.drafted_tokens else None

    @property
    def tokens_per_pass(self) -> float | None:
        """Emitted tokens / target passes, bonus token included; the first token belongs to the
        prompt's pass.
        """
        return (self.generated_tokens - 1) / self.target_passes if self.target_passes else None

    @property
    def mean_depth(self) -> float | None:
        """Drafted tokens / target passes."""
        return self.drafted_tokens / self.target_passes if self.target_passes else None

    @property
    def host_seconds(self) -> float:
        """Generation time outside llama.cpp."""
        return max(0.0, self.generation_seconds - self.target_seconds - self.draft_seconds)

    def to_json(self) -> dict[str, object]:
        """Exactly the keys that `chat --json` promises, in seconds and counts."""
        raw = asdict(self)
        for live in ("live_tokens_per_second", "live_acceptance", "depth"):
            del raw[live]
        raw["accepted_by_position"] = list(self.accepted_by_position)
        raw["drafted_by_position"] = list(self.drafted_by_position)
        for derived in (
            "tokens_per_second",
            "acceptance",
            "tokens_per_pass",
            "mean_depth",
            "host_seconds",
        ):
            raw[derived] = getattr(self, derived)
        return raw


@dataclass(slots=True)
class StatsRecorder:
    """Builds the snapshots of one answer; the decoding loop reports to it, the clock is the
    caller's.

    Attributes:
        started_at: engine clock at the Generate command, seconds.
    """

    started_at: float
    prompt_tokens: int = 0
    cached_tokens: int = 0
    prompt_seconds: float = 0.0
    target_seconds: float = 0.0
    draft_seconds: float = 0.0
    first_token_at: float | None = None
    last_token_at: float = 0.0
    generated: int = 0
    passes: int = 0
    depth: int = 0
    drafted: int = 0
    accepted: int = 0
    drafted_by_position: list[int] = field(default_factory=list)
    accepted_by_position: list[int] = field(default_factory=list)
    # running totals at the steps of the live windows, oldest first: (clock, generated) and
    # (drafted, accepted)
    _recent: deque[tuple[float, int]] = field(default_factory=deque)
    _recent_drafts: deque[tuple[int, int]] = field(default_factory=lambda: deque([(0, 0)]))

    def step(self, *, now: float, drafted: int, accepted: int, emitted: int) -> None:
        """One target pass: `drafted` tokens sent for verification, `accepted` of them right,
        `emitted` shown.
        """
        self.passes += 1
        self.depth = drafted
        self.drafted += drafted
        self.accepted += accepted
        while len(self.drafted_by_position) < drafted:
            self.drafted_by_position.append(0)
            self.accepted_by_position.append(0)
        for position in range(drafted):
            self.drafted_by_position[position] += 1
            self.accepted_by_position[position] += position < accepted
        if drafted:
            drafts = self._recent_drafts
            total = drafts[-1][0] + drafted
            drafts.append((total, drafts[-1][1] + accepted))
            while total - drafts[1][0] >= LIVE_WINDOW_DRAFTED:
                drafts.popleft()
        self.emit(now=now, tokens=emitted)

    def emit(self, *, now: float, tokens: int) -> None:
        """`tokens` were emitted at `now`; the first call fixes the time to first token."""
        if tokens == 0:
            return
        if self.first_token_at is None:
            self.first_token_at = now
        self.last_token_at = now
        self.generated += tokens
        self._recent.append((now, self.generated))
        while len(self._recent) > 2 and now - self._recent[1][0] >= LIVE_WINDOW_SECONDS:
            self._recent.popleft()

    def snapshot(self) -> GenerationStats:
        """The numbers so far."""
        first = self.first_token_at
        return GenerationStats(
            prompt_tokens=self.prompt_tokens,
            cached_tokens=self.cached_tokens,
            prompt_seconds=self.prompt_seconds,
            ttft_seconds=first - self.started_at if first is not None else 0.0,
            generated_tokens=self.generated,
            generation_seconds=self.last_token_at - first if first is not None else 0.0,
            target_passes=self.passes,
            drafted_tokens=self.drafted,
            accepted_tokens=self.accepted,
            accepted_by_position=tuple(self.accepted_by_position),
            drafted_by_position=tuple(self.drafted_by_position),
            target_seconds=self.target_seconds,
            draft_seconds=self.draft_seconds,
            live_tokens_per_second=self._live_speed(),
            live_acceptance=self._live_acceptance(),
            depth=self.depth,
        )

    def _live_speed(self) -> float:
        if len(self._recent) < 2:
            return 0.0
        span = self._recent[-1][0] - self._recent[0][0]
        return (self._recent[-1][1] - self._recent[0][1]) / span if span > 0 else 0.0

    def _live_acceptance(self) -> float | None:
        drafted = self._recent_drafts[-1][0] - self._recent_drafts[0][0]
        accepted = self._recent_drafts[-1][1] - self._recent_drafts[0][1]
        return accepted / drafted if drafted else None
