"""Drafting with the draft model, for several sequences in one batch.

Its memory is kept, not recomputed: after a step it holds the common prefix of what was drafted and
what was committed, and the one or two missing tokens ride along with the next draft pass.

A hint, what somebody else expects next, may ride along too: where the draft says the same, one pass
has drafted several tokens. It changes how many passes a proposal takes, never the proposal's
distribution. Imports no model library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from app.engine.depth_control import DepthControl
from app.engine.drafters import Hints, NoHints, Outcome, Proposal
from app.engine.protocol import PieceSource
from app.engine.tracks import Row, TokenModel, Track, common_prefix, rows_of
from app.errors import RequestError

# Tokens that ride along with a draft pass in the usual course: the drafted token that nobody read
# yet, and the bonus.
_USUALLY_BEHIND = 2
# Tokens of a hint to a draft pass, at most; the draft's context keeps as many rows of logits.
HINTED_TOKENS = 7


@dataclass(slots=True)
class _Held:
    """The draft memory of one sequence: it holds tokens[:valid] of `tokens`; what lies beyond is
    stale.
    """

    tokens: list[int]
    valid: int = 0


class ModelMemory:
    """The draft model and what its memory holds of each sequence; outlives the answers, so that
    prompts are not read twice.
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

    def cut_back(self, sequence: int, length: int) -> None:
        """Forget what was read from `length` on.

        Raises:
            RequestError: "memory_not_rewound".
        """
        if not self.model.remove_tail(sequence, length):
            raise RequestError("memory_not_rewound", model="draft")


@dataclass(slots=True)
class _Drafting:
    """One track's proposal in the making.

    Attributes:
        rows: its part of the next pass, the hint last.
        hint: tokens of these rows that the draft has not said yet.
    """

    track: Track
    proposal: Proposal
    limit: int
    depth: DepthControl
    rows: list[Row] = field(default_factory=list)
    hint: list[int] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Position after the last drafted token."""
        return len(self.track.tokens) + len(self.proposal.tokens)


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
        """Read the prompt into the draft's memory, all but its last token; not for a draft that
        could not pay.
        """
        if not self.depths[track.id].could_pay:
            return 0, 0.0
        held = self.memory.held[track.id]
        count = min(limit, self._model.n_batch, len(track.tokens) - 1 - held.valid)
        if count <= 0:
            return 0, 0.0
        seconds = self._model.decode(rows_of(track, held.valid, held.valid + count, last=False))
        held.valid += count
        return count, seconds

    def propose(self, tracks: Sequence[Track]) -> list[Proposal]:
        """Draft token by token until depth control has enough of each."""
        return self.draft(tracks, [self.plan(track) for track in tracks], NoHints())

    def plan(self, track: Track) -> int:
        """The most to draft for a track in this step. Once per step."""
        return self.depths[track.id].plan(track.room, self._missing(track))

    def _missing(self, track: Track) -> int:
        """Tokens to read in the next pass beyond those that usually ride along."""
        behind = len(track.tokens) - self.memory.held[track.id].valid
        return max(behind - _USUALLY_BEHIND, 0)

    def promise(self, track: Track, chances: Sequence[float]) -> float:
        """Tokens that drafting promises beyond a plain step, given a hint's chances.

        After `plan`.
        """
        depth = self.depths[track.id]
        _, passes = depth.hinted(chances)
        missing = self._missing(track)
        return depth.promise(passes + depth.pass_cost(missing + 1) - 1.0)

    def draft(self, tracks: Sequence[Track], limits: Sequence[int], hints: Hints) -> list[Proposal]:
        """Draft within planned limits, helped by hints."""
        proposals = [Proposal(self.source) for _ in tracks]
        going = [
            _Drafting(track, proposal, limit, self.depths[track.id])
            for track, proposal, limit in zip(tracks, proposals, limits, strict=True)
            if limit
        ]
        for each in going:
            self._start(each)
        while going:
            for each in going:
                self._add_hint(each, hints, len(going))
            seconds = self._model.decode([row for each in going for row in each.rows])
            going = self._take(going, seconds)
        for track, proposal in zip(tracks, proposals, strict=True):
            self._trim(track, proposal)
        return proposals

    def _start(self, each: _Drafting) -> None:
        """Rows for what is missing, after reading what is too much for one pass."""
        track, proposal = each.track, each.proposal
        held, missing = self.memory.held[track.id], self._missing(track)
        while len(track.tokens) - held.valid > self._model.n_batch // 8:
            done, spent = self.prepare(track, self._model.n_batch)
            proposal.seconds += spent
            if not done:
                break
        proposal.caught_up = missing > 0
        proposal.cost = each.depth.pass_cost(missing + 1) - 1.0
        each.rows = rows_of(track, held.valid, len(track.tokens), last=True)
        held.valid = len(track.tokens)

    def _add_hint(self, each: _Drafting, hints: Hints, sharers: int) -> None:
        """Let a hint ride along where that promises to save passes."""
        model, proposal = self._model, each.proposal
        most = min(
            HINTED_TOKENS,
            each.limit - len(proposal.tokens) - 1,
            model.max_outputs // sharers - 1,
            model.n_batch // sharers - len(each.rows),
        )
        cost = 1.0
        if most > 0:
            tokens, chances = hints.hint(each.track, proposal.tokens, most)
            known = sum(1 for _ in takewhile(lambda token: token < self.memory.vocab, tokens))
            count, _ = each.depth.hinted(chances[:known])
            each.hint = tokens[:count]
            each.rows.extend(
                (token, place, each.track.id, True)
                for place, token in enumerate(each.hint, start=each.end)
            )
            cost = each.depth.pass_cost(count + 1)
        proposal.cost += cost

    def _take(self, going: list[_Drafting], seconds: float) -> list[_Drafting]:
        """Take drafted tokens from the pass just made; returns who goes on."""
        row, picked = 0, []
        for each in going:
            own, each.rows = each.rows, []
            row += len(own)
            picked.append(self._read(each, row - len(each.hint) - 1))
        following = []
        for each, ended in zip(going, picked, strict=True):
            each.proposal.seconds += seconds
            each.proposal.passes += 1
            if not ended:
                following.append(each)
        return following

    def _read(self, each: _Drafting, row: int) -> bool:
        """Take tokens from `row` on, while the draft says what the hint says; returns whether that
        is enough.
        """
        proposal, hint = each.proposal, each.hint
        each.hint = []
        agreed = 0
        while True:
            token = self._pick(each.track, proposal, row + agreed)
            agrees = agreed < len(hint) and token == hint[agreed]
            proposal.read = len(proposal.tokens) - (not agrees)
            agreed += agrees
            share = 0.0 if agrees else 1.0
            if len(proposal.tokens) >= each.limit or not each.depth.wants_more(
                proposal.confidences, share
            ):
                return True
            if not agrees:
                break
        if agreed < len(hint):
            self.memory.cut_back(each.track.id, each.end - 1)
        each.rows = [(token, each.end - 1, each.track.id, True)]
        return False

    def _pick(self, track: Track, proposal: Proposal, row: int) -> int:
        """Choose the next proposed token from a row of logits and note how sure the draft is."""
        logits = self._model.logits(row)[: self.memory.vocab]
        sampler = track.sampler
        if sampler.greedy or track.match_by_draw:
            token = sampler.best(logits, track.tokens, proposal.tokens)
            sure = sampler.confidence(logits) if self.depths[track.id].uses_confidence else 1.0
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
        untypical = proposal.seconds if proposal.caught_up else 0.0
        self.depths[track.id].observe(
            proposal.confidences,
            outcome.accepted,
            verify_rows=outcome.rows,
            verify_seconds=outcome.verify_seconds,
            draft_seconds=proposal.seconds - untypical,
            draft_passes=proposal.cost,
            emitted=outcome.emitted,
            step_seconds=outcome.step_seconds - untypical,
        )
        if proposal.passes == 0 or proposal.source is not self.source:
            return
        held = self.memory.held[track.id]
        held.valid = min(held.valid + min(outcome.accepted, proposal.read), len(track.tokens) - 1)
        self.memory.cut_back(track.id, held.valid)

    def end(self, track: Track) -> None:
        """The memory stays for the next turn; only the depth control goes."""
        self.depths.pop(track.id, None)
