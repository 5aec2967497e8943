"""Drafting with the draft model, for several sequences in one batch.

Its memory is kept, not recomputed: after a step it holds the common prefix of what was drafted and
what was committed, and the one or two missing tokens ride along with the next draft pass. Imports
no model library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.depth_control import DepthControl
from app.engine.drafters import Outcome, Proposal
from app.engine.protocol import PieceSource
from app.engine.sampling import confidence
from app.engine.tracks import Row, TokenModel, Track, common_prefix, rows_of
from app.errors import RequestError

# Tokens that ride along with a draft pass in the usual course: the drafted token that nobody read
# yet, and the bonus.
_USUALLY_BEHIND = 2


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
