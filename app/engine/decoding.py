"""The step: draft, verify, accept, rewind, for 1..n sequences. Pure Python over protocols; knows no
llama.cpp, no text, no process.

Invariant: before each step a sequence's target memory holds every committed token but the last. So
the batch of a sequence is always [last committed, proposal...], and plain decoding is the same step
with an empty proposal: one code path.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.engine.acceptance import Accepted, draw_and_match, greedy_match, rejection_sampling
from app.engine.drafters import Drafter, Outcome, Proposal
from app.engine.protocol import PieceSource
from app.engine.sampling import Distribution
from app.engine.tracks import Row, TokenModel, Track, rows_of
from app.errors import RequestError


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one pass did for one track.

    Attributes:
        emitted: new answer tokens, the end token excluded; sources says where each came from.
        proposer: who proposed; TARGET when nobody did.
        ended: the model said that the answer is over.
        drafted: tokens sent for verification; accepted of them were right.
        refused: the proposed tokens that were not.
        target_seconds, draft_seconds: inside the models, for the whole batch.
    """

    track: Track
    emitted: tuple[int, ...]
    sources: tuple[PieceSource, ...]
    ended: bool
    proposer: PieceSource = PieceSource.TARGET
    drafted: int = 0
    accepted: int = 0
    refused: tuple[int, ...] = ()
    target_seconds: float = 0.0
    draft_seconds: float = 0.0


class Decoder:
    """Runs steps over a target model; holds no sequence itself."""

    def __init__(
        self,
        target: TokenModel,
        is_end: Callable[[int], bool],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._target = target
        self._is_end = is_end
        self._clock = clock

    def read_prompt(self, track: Track, limit: int) -> StepResult | None:
        """Evaluate at most `limit` prompt tokens; the pass that reaches the end also gives the
        first answer token.

        Returns:
            None while prompt tokens are left.
        """
        start = track.in_memory
        stop = min(len(track.tokens), start + min(limit, self._target.n_batch))
        last = stop == len(track.tokens)
        seconds = self._target.decode(rows_of(track, start, stop, last=last))
        track.in_memory = stop
        if not last:
            return None
        verdict = self._accept(track, Proposal(), stop - start - 1)
        return self._commit(track, Proposal(), verdict, seconds)

    def step(self, tracks: Sequence[Track]) -> list[StepResult]:
        """Draft, verify, accept, rewind over all tracks; each must be `prompted`, not `full`."""
        began = self._clock()
        proposals = self._propose(tracks)
        rows: list[Row] = []
        starts = []
        for track, proposal in zip(tracks, proposals, strict=True):
            starts.append(len(rows))
            rows.extend(_verification_rows(track, proposal))
        seconds = self._target.decode(rows)
        results = []
        for track, proposal, start in zip(tracks, proposals, starts, strict=True):
            verdict = self._accept(track, proposal, start)
            held = track.in_memory + 1 + len(proposal.tokens)
            results.append(self._commit(track, proposal, verdict, seconds))
            track.in_memory = len(track.tokens) - 1
            if held > track.in_memory:
                self.rewind(track, track.in_memory)
        for result, proposal in zip(results, proposals, strict=True):
            outcome = Outcome(
                accepted=result.accepted,
                emitted=len(result.emitted),
                rows=len(rows),
                verify_seconds=seconds,
                step_seconds=self._clock() - began,
            )
            result.track.drafter.settle(result.track, proposal, outcome)
        return results

    def rewind(self, track: Track, length: int) -> None:
        """Forget target memory from position `length` on.

        Raises:
            RequestError: "memory_not_rewound"; such a model must be run without a draft.
        """
        if not self._target.remove_tail(track.id, length):
            raise RequestError("memory_not_rewound", model="target")
        track.in_memory = min(track.in_memory, length)

    def _propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Ask each drafter once for all its tracks, and keep within the rows that the target can
        verify at once.
        """
        groups: dict[int, tuple[Drafter, list[Track]]] = {}
        for track in tracks:
            groups.setdefault(id(track.drafter), (track.drafter, []))[1].append(track)
        found: dict[int, Proposal] = {}
        for drafter, some in groups.values():
            for track, proposal in zip(some, drafter.propose(some), strict=True):
                found[track.id] = proposal
        return [found[track.id] for track in tracks]

    def _accept(self, track: Track, proposal: Proposal, start: int) -> Accepted:
        """Compare a proposal with the target's rows from `start` on."""
        sampler, logits = track.sampler, self._target.logits
        tokens, proposed = track.tokens, proposal.tokens
        if sampler.greedy:
            return greedy_match(
                proposed, lambda row: sampler.best(logits(start + row), tokens, proposed[:row])
            )

        def target(row: int) -> Distribution:
            return sampler.distribution(logits(start + row), tokens, proposed[:row])

        if track.match_by_draw or proposal.drafted_from is None:
            return draw_and_match(proposed, target, sampler.uniform)
        return rejection_sampling(proposed, proposal.drafted_from, target, sampler.uniform)

    def _commit(
        self, track: Track, proposal: Proposal, verdict: Accepted, seconds: float
    ) -> StepResult:
        """Add the accepted run and the following token to the track, up to an end token."""
        run = [*proposal.tokens[: verdict.count], verdict.following]
        ends = next((place for place, token in enumerate(run) if self._is_end(token)), None)
        kept = run if ends is None else run[: ends + 1]
        emitted = run if ends is None else run[:ends]
        track.tokens.extend(kept)
        track.budget -= len(emitted)
        sources = [proposal.source] * verdict.count + [PieceSource.TARGET]
        return StepResult(
            track=track,
            emitted=tuple(emitted),
            sources=tuple(sources[: len(emitted)]),
            ended=ends is not None,
            proposer=proposal.source if proposal.tokens else PieceSource.TARGET,
            drafted=len(proposal.tokens),
            accepted=min(verdict.count, len(kept)),
            refused=tuple(proposal.tokens[verdict.count :]),
            target_seconds=seconds,
            draft_seconds=proposal.seconds,
        )


def _verification_rows(track: Track, proposal: Proposal) -> list[Row]:
    """[last committed, proposal...] with logits on every row."""
    start = len(track.tokens) - 1
    run = [track.tokens[-1], *proposal.tokens]
    return [(token, start + place, track.id, True) for place, token in enumerate(run)]
