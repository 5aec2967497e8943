"""Who proposes tokens: the draft model, a lookup in the text so far, a chain of both, or nobody.
All behind one Protocol.

A drafter may hold memory of its own (the draft model's); it is kept, not recomputed: after a step
it holds the common prefix of what was drafted and what was committed, and the one or two missing
tokens ride along with the next draft pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.engine.depth_control import DepthControl
from app.engine.lookup import SuffixLookup
from app.engine.protocol import PieceSource
from app.engine.sampling import Distribution, confidence, point
from app.engine.tracks import Row, TokenModel, Track, common_prefix, rows_of
from app.errors import RequestError

# Chance that a looked-up token is right by length of the match, before anything was observed.
_LOOKUP_SURE = 0.5
# A match this long is looked up before the draft model is asked.
_CHAIN_MATCH = 4
# Tokens that ride along with a draft pass in the usual course: the drafted token that nobody read
# yet, and the bonus.
_USUALLY_BEHIND = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verification said about a track's proposal, for depth control.

    Seconds are of the whole batch.
    """

    accepted: int
    emitted: int
    rows: int
    verify_seconds: float
    step_seconds: float


@dataclass(slots=True)
class Proposal:
    """Tokens for the target to check.

    Attributes:
        tokens: at most the room asked for; empty is plain decoding.
        drafted_from: the distribution each was drawn from; None when greedy.
        confidences: what depth control learns acceptance from, one for each token.
        seconds: inside the draft model, for all tracks of the batch together.
        passes: draft passes made.
        caught_up: the draft had fallen far behind, so that its time is not typical.
    """

    source: PieceSource = PieceSource.TARGET
    tokens: list[int] = field(default_factory=list)
    drafted_from: list[Distribution] | None = None
    confidences: list[float] = field(default_factory=list)
    seconds: float = 0.0
    passes: int = 0
    caught_up: bool = False


class Drafter(Protocol):
    """Proposes tokens for one or several tracks at once."""

    def begin(self, track: Track) -> None:
        """A new answer starts; the track holds its prompt."""

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Evaluate at most `limit` prompt tokens ahead of the answer;

        returns tokens done (0: all is ready) and seconds.
        """

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """A proposal for each track, within its room."""

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """The step is over and the track's tokens are committed."""

    def end(self, track: Track) -> None:
        """The answer is over."""


class NoDrafter:
    """Plain decoding."""

    def begin(self, track: Track) -> None:
        """Nothing to prepare."""

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Nothing to prepare."""
        return 0, 0.0

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Empty proposals."""
        return [Proposal() for _ in tracks]

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Nothing to learn."""

    def end(self, track: Track) -> None:
        """Nothing to forget."""


@dataclass(slots=True)
class _Held:
    """The draft memory of one sequence:

    it holds tokens[:valid] of `tokens`; what lies beyond is stale.
    """

    tokens: list[int]
    valid: int = 0
    depth: DepthControl | None = None


class ModelMemory:
    """The draft model and what its memory holds of each sequence;

    outlives the answers, so that prompts are not read twice.
    """

    def __init__(self, model: TokenModel, *, target_vocab: int) -> None:
        self.model = model
        # tokens beyond the smaller vocabulary are never proposed
        self.vocab = min(model.n_vocab, target_vocab)
        self.held: dict[int, _Held] = {}

    def clear(self, sequence: int) -> None:
        """Forget a sequence."""
        self.held.pop(sequence, None)
        self.model.remove_tail(sequence, 0)


class ModelDrafter:
    """Drafts with the draft model, all tracks of a step in one batch.

    Attributes:
        depths: depth control of each track, by track id.
    """

    source = PieceSource.DRAFT

    def __init__(self, memory: ModelMemory, depths: dict[int, DepthControl]) -> None:
        self.memory = memory
        self._model = memory.model
        self.depths = depths

    def begin(self, track: Track) -> None:
        """Keep what the memory shares with the new prompt."""
        held = self.memory.held.get(track.id)
        valid = common_prefix(held.tokens[: held.valid], track.tokens) if held else 0
        # a sliding window may have dropped the beginning; then nothing can be kept
        if valid and (
            self._model.first_position(track.id) > 0 or not self._model.remove_tail(track.id, valid)
        ):
            valid = 0
        if not valid:
            self._model.remove_tail(track.id, 0)
        self.memory.held[track.id] = _Held(track.tokens, valid)

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Read the prompt into the draft's memory, all but its last token."""
        held = self.memory.held[track.id]
        count = min(limit, self._model.n_batch, len(track.tokens) - 1 - held.valid)
        if count <= 0:
            return 0, 0.0
        seconds = self._model.decode(rows_of(track, held.valid, held.valid + count, last=False))
        held.valid += count
        return count, seconds

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Draft token by token until depth control has enough of each."""
        proposals = [Proposal(self.source) for _ in tracks]
        rows: dict[int, list[Row]] = {}
        limits: dict[int, int] = {}
        for index, track in enumerate(tracks):
            limits[index] = self.depths[track.id].plan(track.room) if track.room else 0
            if limits[index]:
                proposals[index].seconds += self._catch_up(track)
                held = self.memory.held[track.id]
                behind = len(track.tokens) - held.valid
                proposals[index].caught_up = (
                    proposals[index].seconds > 0 or behind > _USUALLY_BEHIND
                )
                rows[index] = rows_of(track, held.valid, len(track.tokens), last=True)
                held.valid = len(track.tokens)
        while rows:
            seconds = self._model.decode([row for some in rows.values() for row in some])
            rows = self._extend(tracks, proposals, rows, limits, seconds)
        for index, proposal in enumerate(proposals):
            self._trim(tracks[index], proposal)
        return proposals

    def _catch_up(self, track: Track) -> float:
        """Read what is missing but for what fits into one batch with the first draft pass;

        returns seconds.
        """
        seconds = 0.0
        held = self.memory.held[track.id]
        while len(track.tokens) - held.valid > self._model.n_batch // 8:
            done, spent = self.prepare(track, self._model.n_batch)
            seconds += spent
            if not done:
                break
        return seconds

    def _extend(
        self,
        tracks: Sequence[Track],
        proposals: list[Proposal],
        rows: dict[int, list[Row]],
        limits: dict[int, int],
        seconds: float,
    ) -> dict[int, list[Row]]:
        """Take one drafted token for each track of the batch just decoded;

        returns the rows of the next batch.
        """
        following: dict[int, list[Row]] = {}
        row = -1
        picked = []
        for index, some in rows.items():
            row += len(some)
            picked.append((index, self._pick(tracks[index], proposals[index], row)))
        for index, token in picked:
            track, proposal = tracks[index], proposals[index]
            proposal.seconds += seconds
            proposal.passes += 1
            depth = self.depths[track.id]
            if len(proposal.tokens) < limits[index] and depth.wants_more(proposal.confidences):
                following[index] = [
                    (token, len(track.tokens) + len(proposal.tokens) - 1, track.id, True)
                ]
        return following

    def _pick(self, track: Track, proposal: Proposal, row: int) -> int:
        """Choose the next proposed token from a row of logits and note how sure the draft is."""
        logits = self._model.logits(row)[: self.memory.vocab]
        sampler = track.sampler
        if sampler.greedy or track.match_by_draw:
            token = sampler.best(logits, track.tokens, proposal.tokens)
            sure = confidence(logits) if self.depths[track.id].uses_confidence else 1.0
        else:
            q = sampler.distribution(logits, track.tokens, proposal.tokens)
            token = q.draw(sampler.uniform())
            if proposal.drafted_from is None:
                proposal.drafted_from = []
            proposal.drafted_from.append(q)
            sure = q.top
        proposal.tokens.append(token)
        proposal.confidences.append(sure)
        return token

    def _trim(self, track: Track, proposal: Proposal) -> None:
        """Leave out a doubtful tail.

        Greedy only: dropping drawn tokens by what they are would change the distribution.
        """
        if proposal.tokens and proposal.drafted_from is None:
            keep = self.depths[track.id].keep(proposal.confidences)
            del proposal.tokens[keep:], proposal.confidences[keep:]

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Keep the common prefix of what was drafted and what was committed."""
        self.depths[track.id].observe(
            proposal.confidences,
            outcome.accepted,
            verify_rows=outcome.rows,
            verify_seconds=outcome.verify_seconds,
            draft_seconds=proposal.seconds,
            draft_passes=0 if proposal.caught_up else proposal.passes,
            emitted=outcome.emitted,
            step_seconds=outcome.step_seconds,
        )
        if proposal.passes == 0 or proposal.source is not self.source:
            return
        held = self.memory.held[track.id]
        # the pass that drafts token k reads token k-1, so the last drafted token is not in memory
        held.valid = min(
            held.valid + min(outcome.accepted, proposal.passes - 1), len(track.tokens) - 1
        )
        if not self._model.remove_tail(track.id, held.valid):
            raise RequestError("memory_not_rewound", model="draft")

    def end(self, track: Track) -> None:
        """The memory stays for the next turn; only the depth control goes."""
        self.depths.pop(track.id, None)


class LookupDrafter:
    """Proposes what followed the longest recent repetition of the text's end;

    works with every target.
    """

    source = PieceSource.LOOKUP

    def __init__(self, depths: dict[int, DepthControl]) -> None:
        self.depths = depths
        self._index: dict[int, SuffixLookup] = {}
        self._known: dict[int, int] = {}

    def begin(self, track: Track) -> None:
        """Index the prompt."""
        self._index[track.id] = SuffixLookup(track.tokens)
        self._known[track.id] = len(track.tokens)

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Nothing to evaluate."""
        return 0, 0.0

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """The continuation of the longest match, as far as it pays."""
        return [self.look(track)[0] for track in tracks]

    def look(self, track: Track, *, shortest: int = 0) -> tuple[Proposal, int]:
        """A proposal and the length of its match;

        empty when the match is shorter than `shortest`.
        """
        index = self._index[track.id]
        index.extend(track.tokens[self._known[track.id] :])
        self._known[track.id] = len(track.tokens)
        depth = self.depths[track.id]
        limit = depth.plan(track.room) if track.room else 0
        if not limit:
            return Proposal(self.source), 0
        tokens, match = index.propose(limit)
        proposal = Proposal(self.source, confidences=[])
        sure = 1.0 - _LOOKUP_SURE ** (match - 1)
        for token in tokens[:limit]:
            if proposal.tokens and not depth.wants_more(proposal.confidences):
                break
            proposal.tokens.append(token)
            proposal.confidences.append(sure)
        keep = depth.keep(proposal.confidences)
        del proposal.tokens[keep:], proposal.confidences[keep:]
        if not track.sampler.greedy:
            proposal.drafted_from = [point(token) for token in proposal.tokens]
        return proposal, match if proposal.tokens else 0

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Tell depth control."""
        self.depths[track.id].observe(
            proposal.confidences,
            outcome.accepted,
            verify_rows=outcome.rows,
            verify_seconds=outcome.verify_seconds,
            draft_seconds=0.0,
            draft_passes=0,
            emitted=outcome.emitted,
            step_seconds=outcome.step_seconds,
        )

    def end(self, track: Track) -> None:
        """Drop the index."""
        self.depths.pop(track.id, None)
        self._index.pop(track.id, None)
        self._known.pop(track.id, None)


class ChainDrafter:
    """Lookup first when its match is long, else the draft model, else a shorter lookup."""

    def __init__(self, lookup: LookupDrafter, model: ModelDrafter) -> None:
        self._lookup = lookup
        self._model = model

    def _both(self) -> Iterable[LookupDrafter | ModelDrafter]:
        return (self._lookup, self._model)

    def begin(self, track: Track) -> None:
        """Begin both."""
        for drafter in self._both():
            drafter.begin(track)

    def prepare(self, track: Track, limit: int) -> tuple[int, float]:
        """Only the draft model has a prompt to read."""
        return self._model.prepare(track, limit)

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Ask the lookup for each track, and the draft model for the rest in one batch."""
        looked = {track.id: self._lookup.look(track) for track in tracks}
        rest = [track for track in tracks if looked[track.id][1] < _CHAIN_MATCH]
        proposals = {track_id: proposal for track_id, (proposal, _) in looked.items()}
        if rest:
            for track, proposal in zip(rest, self._model.propose(rest), strict=True):
                if proposal.passes or not proposals[track.id].tokens:
                    proposals[track.id] = proposal
        return [proposals[track.id] for track in tracks]

    def settle(self, track: Track, proposal: Proposal, outcome: Outcome) -> None:
        """Tell the one that proposed;

        the draft model's control also learns from steps without a proposal.
        """
        if proposal.source is PieceSource.LOOKUP and proposal.tokens:
            self._lookup.settle(track, proposal, outcome)
        else:
            self._model.settle(track, proposal, outcome)

    def end(self, track: Track) -> None:
        """End both."""
        for drafter in self._both():
            drafter.end(track)
